#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The experiments of the ConTest paper (benchmarks/contest/), from a failing parallel run to what the ordinary commands
make of it: every different failure of the runs comes back under control, replays byte for byte, shrinks and is
explained. RAVEL names the tool, PROGRAMS the directory of the experiments."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

RAVEL = str(pathlib.Path(os.environ.get("RAVEL", "build/bin/ravel")).resolve())
PROGRAMS = pathlib.Path(os.environ.get("PROGRAMS", "benchmarks/contest")).resolve()


class Contest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.mkdtemp(prefix="ravel-contest-")
        cls.addClassCleanup(shutil.rmtree, cls.directory, ignore_errors=True)

    def ravel(self, *words, code):
        done = subprocess.run([RAVEL, *map(str, words)], cwd=self.directory, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=280)
        self.assertEqual(done.returncode, code, f"{words}\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def leads_back(self, name, kind, *arguments):
        self.ravel("c++", "-std=c++20", "-O1", "-g", "-pthread", PROGRAMS / f"{name}.cpp", "-o", name, code=0)
        self.ravel("noise", "--runs", 60, "--quiet", "--json", "summary.json", "--", f"./{name}", *arguments, code=1)
        summary = json.loads(pathlib.Path(self.directory, "summary.json").read_text())
        self.assertGreater(len(summary["findings"]), 0)
        for finding in summary["findings"]:
            self.assertEqual(finding["kind"], kind)
            self.assertTrue(finding["reproduction"]["came_back"], finding)
            schedule = finding["schedule"]
            replays = {self.ravel("replay", schedule, code=1) for _ in range(3)}
            self.assertEqual(len(replays), 1, replays)
            self.assertIn(kind, replays.pop())
            self.ravel("shrink", schedule, code=1)
            shrunk = schedule.removesuffix(".ravel") + "-shrunk.ravel"
            self.assertIn(kind, self.ravel("replay", shrunk, code=1))
            story = self.ravel("explain", shrunk, code=1)
            self.assertIn(f"{name}.cpp:", story)
            self.assertRegex(story, r"T[1-9]")

    def test_first_flag(self):
        self.leads_back("first_flag", "assertion")

    def test_move_money(self):
        self.leads_back("move_money", "assertion")

    def test_move_money_busy(self):
        self.leads_back("move_money", "assertion", "busy")

    def test_notified_early(self):
        self.leads_back("notified_early", "assertion")

    def test_late_parameter(self):
        self.leads_back("late_parameter", "assertion")

    def test_philosophers(self):
        self.leads_back("philosophers", "deadlock")


if __name__ == "__main__":
    unittest.main()
