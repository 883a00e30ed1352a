#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The corpus of tests/programs/causes as text: every program says what it shows and where its cause is. Builds nothing.

  causes_corpus_test.py SOURCE BUILD
"""

import pathlib
import re
import sys
import unittest

SOURCE = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(SOURCE / "benchmarks"))
import causes  # noqa: E402

PROGRAMS = sorted(causes.SOURCES.iterdir())
KINDS = set(re.findall(r'^RAVEL_FINDING\(\w+, "([a-z-]+)"', (SOURCE / "model/finding.def").read_text(), re.MULTILINE))


class Corpus(unittest.TestCase):
    def test_every_program_has_its_marks(self):
        for program in PROGRAMS:
            with self.subTest(program.name):
                marks = causes.marks_of(program)
                self.assertEqual(sorted(marks), list(range(1, len(marks) + 1)), "pairs are numbered from 1")
                self.assertTrue(marks)
                for first, second in marks.values():
                    self.assertTrue(first and second, "a pair has a first and a second operation")

    def test_a_mark_stands_behind_code(self):
        for program in PROGRAMS:
            for number, line in enumerate(program.read_text().splitlines(), 1):
                with self.subTest(f"{program.name}:{number}"):
                    if "CAUSE:" in line:
                        self.assertRegex(line, r"\S.*  // CAUSE: ", "a mark is at the end of the line it marks")

    def test_every_program_says_what_is_found(self):
        for program in PROGRAMS:
            with self.subTest(program.name):
                self.assertEqual(program.suffix, ".cpp")
                lines = program.read_text().splitlines()
                self.assertEqual(lines[0], "// SPDX-License-Identifier: Apache-2.0")
                self.assertRegex(lines[1], r"^// \w", "what the bug is, in a sentence")
                kinds = set(causes.header(program, "FINDING").split(", "))
                self.assertLessEqual(kinds, KINDS)

    def test_the_corpus_is_broad(self):
        self.assertGreaterEqual(len(PROGRAMS), 80)
        long = [program for program in PROGRAMS if 100 <= len(program.read_text().splitlines()) <= 300]
        self.assertGreaterEqual(3 * len(long), len(PROGRAMS), "a third are 100 to 300 lines long")
        found = {kind for program in PROGRAMS for kind in causes.header(program, "FINDING").split(", ")}
        # Only ravel noise compares output.
        self.assertEqual(KINDS - found, {"wrong-output"})


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
