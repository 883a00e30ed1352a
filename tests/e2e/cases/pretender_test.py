#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Binaries that speak no framework's language, or not well, and cases that take long (pretender.c)."""

import os
import signal
import subprocess
import time
import unittest

import case_runs

PROGRAM = case_runs.BINARIES / "pretender"
CASES = ["Slow.One", "Slow.Two", "Slow.Three", "Quick.Threads", "Quick.None", "Quick.Unready"]
SOON = 1.0  # seconds
BUSY = 3.0  # more than that, for a machine that has other things to do


class Pretender(case_runs.CaseRuns):
    def pretend(self, how, *words, code=0, after=()):
        return self.ravel("run", "--gtest", *words, "--", PROGRAM, *after, code=code, environment={"PRETENDS": how})

    def test_a_program_that_is_no_test_binary(self):
        trouble = self.pretend("nothing", code=2).stderr
        self.assertIn("is no test binary of GoogleTest, Catch2 or doctest", trouble)
        self.assertIn("without --gtest", trouble)
        self.assertEqual(len(trouble.splitlines()), 2)

    def test_a_program_that_does_not_answer(self):
        self.assertIn("did not answer --help within 300ms", self.pretend("hang", "--timeout", "300ms", code=2).stderr)

    def test_a_binary_without_cases(self):
        self.assertIn("has no GoogleTest case that it would run", self.pretend("empty", code=2).stderr)
        self.assertIn("matches: Foo.*", self.pretend("empty", code=2, after=["Foo.*"]).stderr)

    def test_a_program_with_its_own_help(self):
        for how in ("own help", "well"):
            self.assertEqual(self.pretend(how, "--list").stdout.splitlines(), CASES)

    def test_version_3_of_catch2(self):
        rows = self.table(self.pretend("Catch2 v3").stdout)
        self.assertEqual({name: result for name, (_, _, result) in rows.items()},
                         {"one, two": "no threads", "[three]": "no threads", "#four": "no threads"})

    def test_disabled_cases_are_left_to_the_user(self):
        listed = self.pretend("well", "--list", after=["--gtest_also_run_disabled_tests"]).stdout.splitlines()
        self.assertIn("Slow.DISABLED_Four", listed)

    def test_a_case_that_does_not_exist(self):
        trouble = self.pretend("well", "--case", "Quick.Thread", code=2).stderr
        self.assertIn("there is no case 'Quick.Thread'", trouble)
        self.assertIn("did you mean Quick.Threads?", trouble)

    def test_options_that_need_gtest(self):
        for words in (["--list"], ["--case", "Quick.None"]):
            self.assertIn("give --gtest too", self.ravel("run", *words, "--", PROGRAM, code=2).stderr)

    def test_a_case_without_verdict_does_not_end_the_others(self):
        done = self.pretend("well", "--timeout", "300ms", "--executions", "30", "--case", "Quick.Unready", "--case",
                            "Quick.None", "--case", "Quick.Threads", "--json", "all.json", code=2)
        rows = self.table(done.stdout)
        self.assertEqual([rows[name][2] for name in rows], ["no verdict", "no threads", "passed"])
        self.assertIn("1 case has no verdict", done.stderr)
        self.assertIn("Quick.Unready: ", done.stderr)
        self.assertNotEqual(self.summary("all.json")["cases"][0]["reason"], "")

    def test_the_time_is_shared_and_kept(self):
        began = time.monotonic()
        done = self.pretend("well", "--time", "4s", "--case", "Quick.None", "--case", "Slow.One", "--case", "Quick.Threads",
                            "--json", "all.json")
        self.assertLess(time.monotonic() - began, 4 + SOON + BUSY)
        seconds = {case["name"]: case["seconds"] for case in self.summary("all.json")["cases"]}
        self.assertLess(seconds["Quick.None"], 1)
        self.assertLess(seconds["Slow.One"], 2 + BUSY)  # half of what the first left
        self.assertEqual(len(self.table(done.stdout)), 3)

    def test_an_interruption_leaves_the_table_of_what_was_done(self):
        process = subprocess.Popen([case_runs.RAVEL, "run", "--gtest", "--executions", "9999", "--case", "Quick.None", "--case",
                                    "Slow.One", "--case", "Slow.Two", "--json", "all.json", "--", PROGRAM],
                                   cwd=self.directory, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env={**os.environ, "PRETENDS": "well"})
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        began = time.monotonic()
        output, errors = process.communicate()
        self.assertLess(time.monotonic() - began, SOON + BUSY)
        self.assertEqual(process.returncode, 2, output + errors)
        self.assertEqual(self.table(output)["Quick.None"][2], "no threads")
        self.assertIn("not explored: it was interrupted", errors)
        self.assertEqual(self.summary("all.json")["cases_not_explored"], 1)


if __name__ == "__main__":
    unittest.main()
