#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`--time` and Ctrl-C end a command soon, whatever it is doing, and what it had found by then is not lost. The program
(slow_failure.cpp) fails in executions that take a second or two, so shrinking its finding would take minutes.

  deadline_test.py RAVEL PROGRAM
"""

import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

RAVEL, PROGRAM = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
SOON = 1.0  # seconds
BUSY = 3.0  # more than that, for a machine that has other things to do


class Deadline(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.directory = pathlib.Path(temporary.name)

    def start(self, *words):
        return subprocess.Popen([RAVEL, *words], cwd=self.directory, text=True, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT)

    def found(self, process):
        while not list(self.directory.glob(".ravel/1-*.ravel")):
            self.assertIsNone(process.poll(), "it ended without a finding")
            time.sleep(0.01)
        return self.directory / ".ravel/1-assertion.ravel"

    def test_time_holds_while_an_execution_runs(self):
        began = time.monotonic()
        process = self.start("run", "--time", "200ms", "--", PROGRAM)
        output = process.communicate()[0]
        self.assertLess(time.monotonic() - began, 0.2 + SOON + BUSY)
        self.assertEqual(process.returncode, 2, output)
        self.assertIn("no execution came to its end", output)

    def test_an_interruption_ends_shrinking_and_the_finding_is_reported(self):
        process = self.start("run", "--no-verify", "--", PROGRAM)
        self.found(process)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        began = time.monotonic()
        output = process.communicate()[0]
        self.assertLess(time.monotonic() - began, SOON + BUSY)
        self.assertEqual(process.returncode, 1, output)
        self.assertRegex(output, r"\((replayed: same finding; not shrunk|not run again): it was interrupted\)")
        replay = subprocess.run([RAVEL, "replay", ".ravel/1-assertion.ravel"], cwd=self.directory, capture_output=True)
        self.assertEqual(replay.returncode, 1, "the schedule shows the finding")

    def test_a_finding_outlives_a_driver_that_is_killed(self):
        process = self.start("run", "--no-verify", "--", PROGRAM)
        path = self.found(process)
        process.kill()
        process.communicate()
        self.assertRegex(path.read_text().splitlines()[-1], re.compile(r"^end [0-9a-f]{16}$"))
        self.assertTrue((self.directory / ".ravel/latest/1-assertion.ravel").exists())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
