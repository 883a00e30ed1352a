#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `ravel futures` shows is what an exhaustive search shows, and the terms that `ravel analyze --futures` finds in the
sources contain it: on programs of the repository, with several compilers, and under both memory models. RAVEL names the
tool, PROGRAMS the directory of the programs."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

RAVEL = pathlib.Path(os.environ.get("RAVEL", "build/bin/ravel")).resolve()
PROGRAMS = pathlib.Path(os.environ.get("PROGRAMS", "tests/analysis/futures/programs")).resolve()
NEEDS_20 = re.compile(r"<(barrier|latch|semaphore|stop_token|string)>|jthread")
GCC = ("g++",)
CLANG_TOO = ("g++", "clang++")
ALL = ("g++", *(one for one in ("clang++-14", "clang++-19") if shutil.which(one)))


class Contained(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="ravel-contained-")
        self.addCleanup(directory.cleanup)
        self.place = pathlib.Path(directory.name)

    def ravel(self, *arguments, compiler="g++", codes=(0,)):
        done = subprocess.run([str(RAVEL), *map(str, arguments)], cwd=self.place, capture_output=True, text=True, timeout=200,
                              env={**os.environ, "RAVEL_CXX": compiler})
        self.assertIn(done.returncode, codes, done.stdout + done.stderr)

    def table(self, program, *options):
        self.ravel("futures", *options, "--quiet", "--json", "table.json", "--", program, codes=(0, 1))
        return json.loads((self.place / "table.json").read_text())

    @staticmethod
    def shown(table):
        return {(pathlib.Path(row["location"]).name, row["object"], pathlib.Path(one["location"]).name)
                for row in table["reads"] for one in row["definitions"] if one["status"] in ("seen", "forced")}

    def check_terms(self, table, what):
        outside = [(row["location"], row["object"], one["location"]) for row in table["reads"] for one in row["definitions"]
                   if one["status"] in ("seen", "forced") and not one["in_terms"]]
        self.assertEqual(outside, [], f"{what}: not among the terms of the sources")

    def check(self, *names, compilers=GCC, models=("sc",)):
        for name in names:
            source = PROGRAMS / f"{name}.cpp"
            terms = self.place / f"{name}.json"
            # Headers of the library are half as long as in C++20.
            standard = "-std=c++20" if NEEDS_20.search(source.read_text()) else "-std=c++17"
            self.ravel("analyze", "--futures", "--quiet", "--json", terms, source, "--", standard)
            for compiler in compilers:
                program = self.place / f"{name}-{compiler}"
                self.ravel("c++", standard, "-O1", "-g", "-pthread", source, "-o", program, compiler=compiler)
                for model in models:
                    self.check_program(f"{name} {compiler} {model}", program, terms, "--memory-model", model)

    def check_program(self, what, program, terms, *options):
        plain = self.table(program, *options)
        self.assertTrue(plain["complete"], what)
        exhaustive = self.table(program, "--exhaustive", "--proof", 20000, "--terms", terms, *options)
        self.assertTrue(exhaustive["complete"], what)
        self.assertGreater(len(self.shown(exhaustive)), 0, what)
        self.assertEqual(self.shown(plain), self.shown(exhaustive), what)
        self.check_terms(exhaustive, what)
        # Asked only for the terms: what has a value is shown anyway.
        asked = self.table(program, "--terms", terms, *options)
        self.check_terms(asked, what)
        unset = self.unset(terms)
        rest = {one for one in self.shown(exhaustive) - self.shown(asked) if one[2] != "initial" or one[1] not in unset}
        self.assertEqual(rest, set(), what)
        self.assertLessEqual(self.shown(asked), self.shown(exhaustive), what)

    @staticmethod
    def unset(terms):
        return {read["object"] for read in json.loads(terms.read_text())["reads"] if read["unset"]}

    def test_figures_with_locks(self):
        self.check("figure2", "figure2_two_locks", "figure7", "figure7_two_locks", compilers=CLANG_TOO)

    def test_figures_with_barriers_and_sums(self):
        self.check("figure5", "figure5_repaired", "figure6")

    def test_locks(self):
        self.check("own_section", "raii_locks", "exceptions", "condition")

    def test_threads(self):
        self.check("joins", "handles", "futures_of_tasks", "once")

    def test_pthreads(self):
        self.check("pthreads", "handed_on", compilers=CLANG_TOO)

    def test_objects(self):
        self.check("fields", "references", "containers")
        self.check("heap_objects", compilers=CLANG_TOO)

    def test_pointers_and_calls(self):
        self.check("pointers", "recursion")

    def test_whatever_compilers_make_of_it(self):
        self.check("own_copies", "conditionals", "whole_objects", compilers=ALL)

    def test_aliases(self):
        self.check("chains", "elements", "exchanges")

    def test_who_is_called_and_when(self):
        self.check("callables", "static_locals", "deferred")

    def test_atomics_under_both_models(self):
        self.check("atomics", "relaxed", models=("sc", "c11"))

    def test_atomics_of_clang(self):
        self.check("relaxed", compilers=("clang++",), models=("sc", "c11"))


if __name__ == "__main__":
    unittest.main()
