#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Eight race tests over a small product, in one program: each reports its race every time, under Ravel and under
ThreadSanitizer, and never after the fix. RAVEL names the tool; RACE_SUITE_REPEATS how often (100 shows what is promised)."""

import os
import pathlib
import shutil
import tempfile
import unittest

import suite

REPEATS = int(os.environ.get("RACE_SUITE_REPEATS", "5"))


class RaceSuite(unittest.TestCase):
    def setUp(self):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="ravel-suite-"))
        self.addCleanup(shutil.rmtree, self.directory, ignore_errors=True)

    def build(self, fixed):
        built = suite.Suite(self.directory, fixed=fixed)
        code, text = built.weave()
        self.assertEqual(code, 0, text)
        built.build()
        return built

    def texts(self, name):
        """What Ravel and ThreadSanitizer write in each repeat of a test."""
        for seed in range(1, REPEATS + 1):
            yield suite.run([suite.RAVEL, "run", "--executions", 1, "--strategy", "random", "--seed", seed, "--no-verify",
                             "--", "./race_tests"], self.directory, {"RAVEL_RACE_TEST": name})[1]
            yield suite.run(["setarch", "-R", "./race_tests"], self.directory,
                            {"RAVEL_RACE_TEST": name, "RAVEL_SYNC_TIMEOUT_MS": "500"})[1]

    def test_every_race_is_reported_every_time(self):
        self.build(fixed=False)
        self.assertEqual(len(suite.TESTS), 8)
        for name in suite.TESTS:
            for text in self.texts(name):
                self.assertRegex(text, "data.race", name)
                self.assertNotIn("nobody notified", text, name)

    def test_no_race_is_reported_after_the_fix(self):
        self.build(fixed=True)
        for name in suite.TESTS:
            for text in self.texts(name):
                self.assertNotRegex(text, "data.race|: double-free|: use-after-free", name)


if __name__ == "__main__":
    unittest.main()
