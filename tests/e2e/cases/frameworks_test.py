#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`ravel run --gtest` on the same cases, written for each framework: what the table, the reports, the schedules and the
summary say.

  frameworks_test.py googletest|catch2|doctest
"""

import sys
import unittest

import case_runs

FRAMEWORK = sys.argv[1] if len(sys.argv) > 1 else "googletest"
PROGRAM = case_runs.BINARIES / f"{FRAMEWORK}_cases"
LOST = {"googletest": "Account.LosesAnUpdate", "catch2": "loses an update, sometimes [really]",
        "doctest": "loses an update, sometimes"}[FRAMEWORK]
ASSERTS = {"googletest": "Account.Asserts", "catch2": '~asserts \\ "in quotes"', "doctest": "asserts \\ with a backslash"}[
    FRAMEWORK]
PASSES, RACES, DEADLOCKS, NONE = {
    "googletest": ("Account.Passes", "Account.Races", "Account.Deadlocks", "Account.HasNoThreads"),
}.get(FRAMEWORK, ("passes", "races", "deadlocks", "has no threads"))
MORE = {  # what else the binary has
    "googletest": {"Typed/int.IsFine": "no threads", "Typed/std::string-like.IsFine": "no threads",
                   "Small/Sizes.Pass/0": "passed", "Small/Sizes.Pass/1": "passed"},
    "catch2": {}, "doctest": {"Passes": "no threads", "a; b [c]": "no threads"}}[FRAMEWORK]
EXPECTED = {PASSES: "passed", LOST: "failed: exit-code", RACES: "failed: data-race", DEADLOCKS: "failed: deadlock",
            ASSERTS: "failed: assertion", NONE: "no threads", **MORE}
FILTER, FILTERED, OPTIONS = {  # a filter as a plain word, what it leaves, and the framework's own way to say the same
    "googletest": ("Small/*:*.HasNo*", [NONE, "Small/Sizes.Pass/0", "Small/Sizes.Pass/1"], ["--gtest_filter=Small/*:*.HasNo*"]),
    "catch2": ("[fast]", [PASSES, NONE], ["-r", "compact", "[fast]"]),
    "doctest": ("pass*,has*", [PASSES, NONE, "Passes"], ["-tc=pass*,has*"])}[FRAMEWORK]


class Frameworks(case_runs.CaseRuns):
    def test_each_case_has_its_own_result(self):
        done = self.ravel("run", "--gtest", "--jobs", "1", "--executions", "1500", "--json", "all.json", "--", PROGRAM, code=1)
        rows = self.table(done.stdout)
        self.assertEqual({name: result for name, (_, _, result) in rows.items()}, EXPECTED)
        self.assertEqual(rows[NONE][:2], (1, 1))
        # Cases that need less leave their share to others; nobody gets more than all of it.
        self.assertGreaterEqual(rows[PASSES][0], 1500 // len(EXPECTED))
        self.assertLessEqual(sum(executions for executions, _, _ in rows.values()), 1500)
        self.findings_are_headed_by_their_case(done.stdout)
        self.the_summary_has_the_cases(rows)
        self.schedules_replay(done.stdout)

    def findings_are_headed_by_their_case(self, text):
        headed = [line[5:] for line in text.splitlines() if line.startswith("case ") and line[5:] in EXPECTED]
        self.assertEqual(headed, [name for name in EXPECTED if EXPECTED[name].startswith("failed")])
        deadlock = text[text.index(f"case {DEADLOCKS}\n"):]
        self.assertTrue(deadlock.splitlines()[1].startswith("finding "), deadlock)
        lost = text[text.index(f"case {LOST}\n"):]
        # The case has few orders besides the one that fails, so how often it passed may be told instead.
        self.assertRegex(lost[:lost.index("Replay:")],
                         r"With \(2\) before \(1\), the program (passes|passed (\d+) of \2 times)\.")

    def the_summary_has_the_cases(self, rows):
        summary = self.summary("all.json")
        self.assertEqual(summary["command"], "run")
        self.assertEqual(summary["program"], [str(PROGRAM)])
        self.assertEqual(summary["executions"], sum(executions for executions, _, _ in rows.values()))
        self.assertTrue(summary["instrumented"])
        self.assertEqual(summary["cases_not_explored"], 0)
        for case in summary["cases"]:
            executions, orders, result = rows[case["name"]]
            self.assertEqual((case["executions"], case["distinct_orders"], case["result"]),
                             (executions, orders, result.split(":")[0]))
            self.assertFalse(case["complete"])
            self.assertEqual({found["kind"] for found in case["findings"]}, set(result.split(": ")[1:]))
        self.assertEqual([found["id"] for found in summary["findings"]], list(range(1, len(summary["findings"]) + 1)))
        self.assertEqual(len({found["schedule"] for found in summary["findings"]}), len(summary["findings"]))
        self.assertEqual([found["case"] for found in summary["findings"]],
                         [case["name"] for case in summary["cases"] for _ in case["findings"]])

    def schedules_replay(self, text):
        seen = set()
        for found in self.summary("all.json")["findings"]:
            if found["case"] in seen:
                continue
            seen.add(found["case"])
            again = self.ravel("replay", found["schedule"], code=1).stdout
            self.assertTrue(again.startswith(f"finding {found['id']}: {found['kind']}: "), again)
            self.assertIn(f"Schedule: {found['schedule']} (replayed: same finding)", again)

    def test_cases_are_listed_and_chosen_by_name(self):
        self.assertEqual(self.ravel("run", "--gtest", "--list", "--", PROGRAM).stdout.splitlines(), list(EXPECTED))
        for name in (PASSES, NONE):
            rows = self.table(self.ravel("run", "--gtest", "--executions", "20", "--case", name, "--", PROGRAM).stdout)
            self.assertEqual(list(rows), [name])
        self.assertEqual(list(self.table(self.ravel("run", "--gtest", "--executions", "200", "--no-shrink", "--case", ASSERTS,
                                                    "--", PROGRAM, code=1).stdout)), [ASSERTS])

    def test_filters_and_options_of_the_framework(self):
        for words in ([FILTER], OPTIONS):
            listed = self.ravel("run", "--gtest", "--list", "--", PROGRAM, *words).stdout.splitlines()
            self.assertEqual(listed, [name for name in EXPECTED if name in FILTERED])
            rows = self.table(self.ravel("run", "--gtest", "--executions", "30", "--", PROGRAM, *words).stdout)
            self.assertEqual(set(rows), set(FILTERED))
            self.assertEqual(rows[NONE][2], "no threads")
        trouble = self.ravel("run", "--gtest", "--", PROGRAM, "no such case", code=2).stderr
        self.assertIn(f"matches: no such case", trouble)

    def test_exhaustive_search_says_so(self):
        done = self.ravel("run", "--gtest", "--strategy", "dpor", "--case", PASSES, "--case", NONE, "--json", "all.json", "--",
                          PROGRAM)
        self.assertEqual(self.table(done.stdout)[PASSES][2], "passed, complete")
        self.assertTrue(self.summary("all.json")["complete"])

    def test_what_is_expected_turns_the_exit_code_round(self):
        done = self.ravel("run", "--gtest", "--expect", "deadlock", "--no-shrink", "--executions", "700", "--", PROGRAM)
        self.assertTrue(self.table(done.stdout)[DEADLOCKS][2].startswith("failed"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
