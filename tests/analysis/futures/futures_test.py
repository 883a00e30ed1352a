#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The reaching definitions of shared reads, as ravel-analyzer finds them. The programs carry what is expected: a comment
`[name]` gives the writes of its line a name, `n = π name other` behind a read says what n sees there (π: some of it from
threads that run at the same time; φ: by the way taken; neither: one), `;` goes on with the next variable. ANALYZER names
the program."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ANALYZER = str(pathlib.Path(os.environ.get("ANALYZER", "build/bin/ravel-analyzer")).resolve())
PROGRAMS = pathlib.Path(__file__).resolve().parent / "programs"


def ask(*files, arguments=("-std=c++20",)):
    sources = [{"file": str(f), "directory": str(f.parent), "arguments": ["c++", *arguments, "-c", str(f)]} for f in files]
    done = subprocess.run([ANALYZER], input=json.dumps({"command": "futures", "sources": sources}), capture_output=True,
                          text=True, timeout=120)
    answer = json.loads(done.stdout)
    assert done.returncode == (0 if answer["ok"] else 2), done.stderr
    return answer


def term(definitions):
    """What the reads of one line see: the sign and the lines."""
    lines = {d["line"] for d in definitions}
    sign = "π" if any(d["concurrent"] for d in definitions) else "φ" if len(lines) > 1 else ""
    return sign, lines


def found_in(answer):
    by_line = {}
    for read in answer["reads"]:
        by_line.setdefault((read["object"], read["line"]), []).extend(read["definitions"])
    return {key: term(definitions) for key, definitions in by_line.items()}


def expected_in(text):
    names = {}
    wanted = {}
    comments = [line.split("//", 1)[1] if "//" in line else "" for line in text.split("\n")]
    for number, comment in enumerate(comments, 1):
        for name in re.findall(r"\[(\w+)\]", comment):
            names.setdefault(name, set()).add(number)
    for number, comment in enumerate(comments, 1):
        for part in comment.split(";"):
            match = re.match(r"\s*([\w:\[\]]+|\*\([\w: *]+\)) = (π|φ)?((?: ?\[?\w+\]?)+)", part)
            if not match:
                continue
            lines = set().union(*(names[name.strip("[]")] for name in match.group(3).split()))
            wanted[(match.group(1), number)] = (match.group(2) or "", lines)
    return wanted


class Case(unittest.TestCase):
    maxDiff = None

    def check(self, name):
        """Every read that is expected is there with exactly what it sees, and no other one is."""
        file = PROGRAMS / (name + ".cpp")
        answer = ask(file)
        self.assertTrue(answer["ok"], answer)
        wanted = expected_in(file.read_text())
        self.assertGreater(len(wanted), 0)
        self.assertEqual(found_in(answer), wanted)
        return answer


class Paper(Case):
    """The programs of the paper and their variants. The numbers are those of its figures."""

    def pruned(self, answer, line):
        return {p["line"]: p["reason"] for read in answer["reads"] if read["line"] == line for p in read["pruned"]}

    def test_figure2(self):
        answer = self.check("figure2")
        read = answer["reads"][0]
        self.assertIn("overwritten before its critical section of lock ends", self.pruned(answer, read["line"]).values())

    def test_figure2_initialised(self):
        answer = self.check("figure2_initialised")
        self.assertEqual([d["initial"] for d in answer["reads"][0]["definitions"]], [True, False, False])

    def test_figure2_two_locks(self):
        self.check("figure2_two_locks")

    def test_figure5(self):
        """The corrected term: the value before the threads is overwritten before the barrier."""
        answer = self.check("figure5")
        self.assertEqual([p["initial"] for p in answer["reads"][0]["pruned"]], [True])

    def test_figure5_sleep_moved(self):
        self.check("figure5_sleep_moved")

    def test_figure5_repaired(self):
        """After the fix the term is gone."""
        self.check("figure5_repaired")

    def test_figure6(self):
        self.check("figure6")

    def test_figure6_decremented(self):
        self.check("figure6_decremented")

    def test_figure7(self):
        self.check("figure7")

    def test_figure7_two_locks(self):
        self.check("figure7_two_locks")


class Constructs(Case):
    def test_atomics(self):
        self.check("atomics")

    def test_barrier_crowd(self):
        self.check("barrier_crowd")

    def test_barrier_phases(self):
        self.check("barrier_phases")

    def test_branches(self):
        self.check("branches")

    def test_callables(self):
        self.check("callables")

    def test_calls(self):
        self.check("calls")

    def test_chains(self):
        self.check("chains")

    def test_condition(self):
        self.check("condition")

    def test_conditionals(self):
        self.check("conditionals")

    def test_containers(self):
        self.check("containers")

    def test_deferred(self):
        self.check("deferred")

    def test_elements(self):
        self.check("elements")

    def test_exceptions(self):
        self.check("exceptions")

    def test_exchanges(self):
        self.check("exchanges")

    def test_fields(self):
        self.check("fields")

    def test_futures_of_tasks(self):
        self.check("futures_of_tasks")

    def test_handed_on(self):
        self.check("handed_on")

    def test_handles(self):
        self.check("handles")

    def test_heap_objects(self):
        self.check("heap_objects")

    def test_joins(self):
        self.check("joins")

    def test_locks_in_loops(self):
        self.check("locks_in_loops")

    def test_loops(self):
        self.check("loops")

    def test_many_threads(self):
        self.check("many_threads")

    def test_once(self):
        self.check("once")

    def test_one_for_all(self):
        self.check("one_for_all")

    def test_own_copies(self):
        self.check("own_copies")

    def test_own_section(self):
        self.check("own_section")

    def test_perhaps_started(self):
        self.check("perhaps_started")

    def test_pointers(self):
        self.check("pointers")

    def test_pthreads(self):
        self.check("pthreads")

    def test_raii_locks(self):
        self.check("raii_locks")

    def test_recursion(self):
        self.check("recursion")

    def test_references(self):
        self.check("references")

    def test_relaxed(self):
        self.check("relaxed")

    def test_semaphores(self):
        self.check("semaphores")

    def test_static_locals(self):
        self.check("static_locals")

    def test_unknown_callables(self):
        self.check("unknown_callables")

    def test_whole_objects(self):
        self.check("whole_objects")

    def test_several_units(self):
        units = PROGRAMS.parent / "units"
        answer = ask(units / "t1.cpp", units / "t2.cpp", units / "t3.cpp")
        self.assertTrue(answer["ok"], answer)
        seen = {}
        for read in answer["reads"]:
            seen[read["object"]] = {(pathlib.Path(d["file"]).name, d["line"]) for d in read["definitions"]}
        self.assertEqual(seen["n"], {("t1.cpp", 4), ("t1.cpp", 10), ("t2.cpp", 8)})
        self.assertEqual(seen["Box::value_"], {("shared.h", 21), ("t1.cpp", 15)})


class Requests(Case):
    def refused(self, request):
        done = subprocess.run([ANALYZER], input=json.dumps(request), capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 2)
        answer = json.loads(done.stdout)
        self.assertFalse(answer["ok"])
        return answer["errors"][0]["message"]

    def test_no_sources(self):
        self.assertIn("has no sources", self.refused({"command": "futures"}))
        self.assertIn("has no sources", self.refused({"command": "futures", "sources": [{"file": "relative.cpp"}]}))

    def test_no_such_file(self):
        self.assertIn("There is no file /nowhere/a.cpp", self.refused(
            {"command": "futures", "sources": [{"file": "/nowhere/a.cpp", "arguments": ["c++"]}]}))

    def test_unreadable_source(self):
        with tempfile.TemporaryDirectory() as directory:
            file = pathlib.Path(directory) / "a.cpp"
            file.write_text("int main() { return missing; }\n")
            self.assertIn("a.cpp:1: use of undeclared identifier 'missing'", self.refused(
                {"command": "futures", "sources": [{"file": str(file), "arguments": ["c++", "-c", str(file)]}]}))
            file.write_text("int n;\n")
            self.assertIn("None of the sources has a main function", self.refused(
                {"command": "futures", "sources": [{"file": str(file), "arguments": ["c++", "-c", str(file)]}]}))


if __name__ == "__main__":
    unittest.main()
