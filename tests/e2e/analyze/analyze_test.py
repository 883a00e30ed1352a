#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`ravel analyze --futures` as a user sees it. RAVEL names the tool."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

RAVEL = str(pathlib.Path(os.environ.get("RAVEL", "build/bin/ravel")).resolve())
FUTURES = pathlib.Path(__file__).resolve().parent.parent.parent / "analysis/futures"
PROGRAMS = FUTURES / "programs"
UNITS = FUTURES / "units"


class Analyze(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.dir = pathlib.Path(holder.name).resolve()

    def ravel(self, *arguments, code=0):
        done = subprocess.run([RAVEL, "analyze", *map(str, arguments)], capture_output=True, text=True, timeout=120,
                              cwd=self.dir)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout if code == 0 else done.stderr

    def commands(self, *files):
        path = self.dir / "compile_commands.json"
        path.write_text(json.dumps([{"directory": str(UNITS), "file": str(f),
                                     "arguments": ["c++", "-std=c++17", "-c", str(f)]} for f in files]))
        return path

    def test_terms_are_printed(self):
        self.assertEqual(self.ravel("--futures", "--quiet", PROGRAMS / "figure2.cpp"),
                         "a at figure2.cpp:22 = π(figure2.cpp:14, figure2.cpp:18)\n")

    def test_pruned_terms_have_reasons(self):
        said = self.ravel("--futures", "--pruned", PROGRAMS / "figure5.cpp", "--", "-std=c++20")
        self.assertIn("n at figure5.cpp:30 = π(figure5.cpp:17, figure5.cpp:23)\n"
                      "  not figure5.cpp:10 (initial): overwritten before the read\n", said)
        self.assertIn("1 read of shared variables", said)

    def test_json(self):
        file = self.dir / "futures.json"
        self.ravel("--futures", "--json", file, PROGRAMS / "figure2.cpp")
        found = json.loads(file.read_text())
        self.assertEqual(found["command"], "analyze")
        read = found["reads"][0]
        self.assertEqual((read["location"], read["object"], read["function"]), ("figure2.cpp:22", "a", "main::lambda"))
        self.assertEqual([d["location"] for d in read["definitions"]], ["figure2.cpp:14", "figure2.cpp:18"])
        self.assertEqual([p["location"] for p in read["pruned"]], ["figure2.cpp:13"])
        self.assertEqual(json.loads(self.ravel("--futures", "--json", "-", PROGRAMS / "figure2.cpp")), found)

    def test_compile_commands(self):
        self.commands(UNITS / "t1.cpp", UNITS / "t2.cpp", UNITS / "t3.cpp")
        said = self.ravel("--futures")
        self.assertIn("n at shared.h:11 = π(t1.cpp:4 (initial), t1.cpp:10, t2.cpp:8)\n", said)
        self.assertEqual(self.ravel("--futures", "--compile-commands", "compile_commands.json", "t1.cpp", "t2.cpp",
                                    "t3.cpp"), said)

    def test_bad_requests_get_a_sentence(self):
        self.assertIn("nothing is asked for", self.ravel(code=2))
        self.assertIn("there is no file nowhere.cpp", self.ravel("--futures", "nowhere.cpp", code=2))
        self.assertIn("cannot read compile_commands.json", self.ravel("--futures", code=2))
        self.commands(UNITS / "t1.cpp")
        self.assertIn("has no sources t9.cpp", self.ravel("--futures", "--compile-commands", "compile_commands.json",
                                                          "t9.cpp", code=2))
        self.assertIn("None of the sources has a main function", self.ravel("--futures", code=2))
        self.assertIn("/nowhere/f.json cannot be written", self.ravel("--futures", "--json", "/nowhere/f.json",
                                                                 PROGRAMS / "figure2.cpp", code=2))
        said = self.ravel("--futures", PROGRAMS / "figure5.cpp", "--", "-std=c++17", code=2)
        self.assertIn("figure5.cpp:12: no template named 'barrier' in namespace 'std'", said)
        self.assertEqual(len(said.strip().split("\n")), 2)


if __name__ == "__main__":
    unittest.main()
