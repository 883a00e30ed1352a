#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs benchmarks/contest.py on two experiments, a few times each, and compares what it writes with what must hold for
them: undisturbed runs pass, the search finds the fault, and entries of other experiments and arms stay.

  contest_test.py SOURCE BUILD
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE, BUILD = (pathlib.Path(word).resolve() for word in sys.argv[1:3])


def contest(out, *options):
    words = [sys.executable, SOURCE / "benchmarks/contest.py", "--build", BUILD, "--out", out, *options]
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(f"exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return json.loads(out.read_text()), done.stdout


class ContestBenchmark(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.out = pathlib.Path(temporary.name) / "contest.json"

    def test_control_and_search(self):
        self.out.write_text('{"crawler": {"native": {"runs": 1}}, "first_flag": {"rr": {"runs": 2, "failures": 1}}}')
        results, printed = contest(self.out, "--experiments", "^(first_flag|philosophers)$", "--arms", "native,run",
                                   "--runs", "10", "--seeds", "2")

        self.assertEqual(results["crawler"], {"native": {"runs": 1}})
        self.assertEqual(results["first_flag"]["rr"], {"runs": 2, "failures": 1})
        for name in ("first_flag", "philosophers"):
            cells = results[name]
            self.assertEqual(cells["native"]["runs"], 10)
            self.assertEqual(cells["native"]["failure_rate"], cells["native"]["failures"] / 10)
            self.assertEqual((cells["run"]["seeds"], cells["run"]["found"]), (2, 2))
            self.assertEqual(cells["run"]["longest"], max(cells["run"]["first"]))
            self.assertIsNone(cells["met"])  # noise was not measured
            self.assertIn(f"| {name} |", printed)
        self.assertLessEqual(results["first_flag"]["run"]["longest"], 10)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
