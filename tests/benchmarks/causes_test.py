#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs benchmarks/causes.py on a few programs of its corpus: each is found, and the named lines are compared as the marks
ask for. Which of them are right is what the benchmark measures, so it is asked only of those that tell their own cause.

  causes_test.py SOURCE BUILD
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE, BUILD = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
sys.path.insert(0, str(SOURCE / "benchmarks"))
import causes  # noqa: E402

# A race and a circle of locks are their own cause; the other two are found, whatever is named.
PROGRAMS = {"statistics_without_lock": True, "locks_in_a_ring": True, "counter_load_then_store": None,
            "message_flag_relaxed": None}


def step(*lines):
    return {"frames": [{"file": "/usr/include/c++/12/mutex", "line": 7}] + [{"file": "a/x.cpp", "line": n} for n in lines]}


def finding(first, second, kind="assertion", also=None, cause="order"):
    return {"kind": kind, "stacks": [],
            "cause": {"kind": cause, "first": step(*first), "second": step(*second), "also": also}}


class Comparison(unittest.TestCase):
    source = pathlib.Path("x.cpp")

    def verdict(self, found, marks, innermost=True):
        way, named = causes.named_by(found, self.source)
        return causes.is_right(way, found, named, marks, lambda stack: stack[:1] if innermost else stack)

    def test_both_operations_must_be_on_marked_lines(self):
        marks = {1: ({3, 4}, {9})}
        self.assertTrue(self.verdict(finding([4], [9]), marks))
        self.assertFalse(self.verdict(finding([4], [8]), marks))
        self.assertFalse(self.verdict(finding([5], [9]), marks))

    def test_only_a_race_has_no_order(self):
        marks = {1: ({3}, {9})}
        self.assertFalse(self.verdict(finding([9], [3]), marks))
        self.assertTrue(self.verdict(finding([9], [3], "data-race"), marks))

    def test_the_innermost_line_counts(self):
        marks = {1: ({3}, {9})}
        self.assertFalse(self.verdict(finding([5, 3], [9]), marks))
        self.assertTrue(self.verdict(finding([5, 3], [9]), marks, innermost=False))

    def test_two_pairs_need_both(self):
        marks = {1: ({3}, {9}), 2: ({5}, {6})}
        self.assertFalse(self.verdict(finding([3], [9]), marks))
        self.assertTrue(self.verdict(finding([5], [6], also={"first": step(3), "second": step(9)}), marks))

    def test_a_circle_without_holders_has_no_order(self):
        self.assertTrue(self.verdict(finding([9], [3], "deadlock", cause="circle"), {1: ({3}, {9})}))

    def test_nothing_named_is_wrong(self):
        found = {"kind": "assertion", "stacks": [], "cause": None}
        self.assertEqual(causes.named_by(found, self.source), ("nothing", []))
        self.assertFalse(self.verdict(found, {1: ({3}, {9})}))

    def test_a_circle_names_all_its_lines(self):
        def waits(task, holder, line):
            return {"task": task, "holder": holder, "blocked": True, "object": "", **step(line)}

        # T3 waits for the circle and is not in it.
        found = {"kind": "deadlock", "stacks": [waits(3, 1, 20), waits(1, 2, 5), waits(2, 1, 8)], "cause": None}
        self.assertTrue(self.verdict(found, {1: ({5}, {8})}))
        self.assertFalse(self.verdict(found, {1: ({5}, {5})}))
        self.assertFalse(self.verdict(found, {1: ({5}, {8, 20})}))

    def test_a_circle_of_shared_locks(self):
        def waits(task, wanted, held, line):
            return {"task": task, "holder": None, "blocked": True, "object": wanted, "held": [{"object": held}], **step(line)}

        found = {"kind": "deadlock", "stacks": [waits(1, "a", "b", 5), waits(2, "b", "a", 8)], "cause": None}
        self.assertTrue(self.verdict(found, {1: ({5}, {8})}))


class Measure(unittest.TestCase):
    def test_programs_are_found_and_compared(self):
        with tempfile.TemporaryDirectory() as temporary:
            out = pathlib.Path(temporary) / "results.json"
            out.write_text('{"other": 3.5, "details": {"other": {"kept": 1}}}')
            words = [sys.executable, SOURCE / "benchmarks/causes.py", "--build", BUILD, "--out", out, "--seed", "1",
                     "--jobs", "2", "--programs", f"^({'|'.join(PROGRAMS)})$"]
            done = subprocess.run(list(map(str, words)), capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            results = json.loads(out.read_text())
            rows = {row["program"]: row for row in json.loads((out.parent / "causes.json").read_text())["rows"]}

        self.assertEqual(results["other"], 3.5)
        self.assertEqual(results["details"]["other"], {"kept": 1})
        self.assertEqual(set(rows), set(PROGRAMS))
        right = 0
        for name, expected in PROGRAMS.items():
            row = rows[name]
            right += row["right"]
            self.assertIn(name, done.stdout)
            self.assertNotEqual(row["way"], "not found", name)
            self.assertIn(row["kind"], row["expected"].split(", "))
            if expected is not None:
                self.assertEqual(row["right"], expected, row)
        self.assertAlmostEqual(results["cause_accuracy"], right / len(PROGRAMS))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
