#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Mistakes in race tests, as their author sees them: `ravel weave` reports each in one sentence, with the file and
the line to look at and what to do, ends with exit code 2, and writes nothing. RAVEL names the tool."""

import json
import pathlib
import shutil
import tempfile
import unittest

import suite

SOURCE = """#define COUNTED(x) (++(x), ++calls)
int calls;
struct List {
  bool add(int value) {
    /* ravel: 1 */
    COUNTED(size_);
    last_ = value;
    return true;
  }
  int size_ = 0;
  int last_ = 0;
};
bool fill(List& list) { return list.add(1); }
"""


class Mistakes(unittest.TestCase):
    def setUp(self):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="ravel-mistakes-"))
        self.addCleanup(shutil.rmtree, self.directory, ignore_errors=True)
        (self.directory / "list.cpp").write_text(SOURCE)
        (self.directory / "commands.json").write_text(json.dumps(
            [{"directory": str(self.directory), "file": "list.cpp", "arguments": ["c++", "-c", "list.cpp"]}]))

    def race_test(self, text, name="bad"):
        (self.directory / "races" / name).mkdir(parents=True, exist_ok=True)
        (self.directory / "races" / name / "race.txt").write_text("# A comment, so that lines count.\n" + text)

    def refused(self, sentence, advice):
        """Weaving says this, word for word, and nothing else."""
        code, text = suite.run([suite.RAVEL, "weave", "--tests", "races", "--compile-commands", "commands.json", "--out",
                                "woven"], self.directory)
        self.assertEqual((code, text), (2, f"ravel: {sentence}\n  {advice}\n"))
        self.assertFalse((self.directory / "woven/race-tests.json").exists())

    def test_a_wrong_point(self):
        for point, sentence, advice in (
                ("list.cpp List::add 2", 'List::add in list.cpp has no point "ravel: 2".',
                 "Its points: 1 at list.cpp:5 (List::add(int))."),
                ("list.cpp List::ad 1", "list.cpp defines no function or class List::ad.", "Nearest: List::add."),
                ("list.cpp List::add access 1 of siz_", "List::add in list.cpp has no access to siz_.",
                 "Nearest: size_, last_ or calls."),
                ("list.cpp:2", "list.cpp:2 is not in a function.", "Nearest: List::add (lines 4 to 9) or fill (lines 13 to 13)."),
                ("lost.cpp f 1", "no compiled source, and no file that one includes, is called lost.cpp",
                 "name the end of its path, as in compile_commands.json")):
            with self.subTest(point):
                self.race_test(f'at {point}   notify("x")\n')
                self.refused(f"races/bad/race.txt:2: {sentence}", advice)

    def test_a_wrong_expectation(self):
        self.race_test('at list.cpp List::add 1   notify("x")\n'
                       "expect race at list.cpp List::add access 1 of sum_ and list.cpp:7\n")
        self.refused("races/bad/race.txt:3: List::add in list.cpp has no access to sum_.", "Nearest: size_, last_ or calls.")

    def test_a_wrong_name_of_an_event(self):
        self.race_test('at list.cpp List::add 1                  notify("asked")\n'
                       'at list.cpp List::add access 1 of last_  wait("aksed")\n')
        self.refused('races/bad/race.txt:3: waits for "aksed", which no line notifies', 'the events that are notified: "asked"')

    def test_a_file_that_cannot_be_read(self):
        statements = "a race test has lines that begin with: at (a point and its action), expect, run, test"
        self.race_test('at list.cpp List::add 1   notify("x")\n\0\n')
        self.refused("races/bad/race.txt:3: the file is not text", statements)
        self.race_test("perhaps list.cpp:7\n")
        self.refused('races/bad/race.txt:2: a line cannot begin with "perhaps"', statements)
        path = self.directory / "races/bad/race.txt"
        path.unlink()
        path.mkdir()
        self.refused("races/bad/race.txt is a directory", "it must be a text file that holds the race test")

    def test_a_condition_that_does_not_compile(self):
        for condition, why in (("nobody > 3", "use of undeclared identifier 'nobody'"),
                               ("size_ >", "expected expression"),
                               ("this->last_.empty()", "member reference base type 'int' is not a structure or union")):
            with self.subTest(condition):
                self.race_test(f'at list.cpp List::add 1   notify("x") if {condition}\n')
                self.refused(f'races/bad/race.txt:2: The condition "{condition}" does not compile at list.cpp:5: {why}.',
                             "Use what is in scope at the point.")

    def test_two_tests_of_one_name(self):
        for name in ("first", "second"):
            self.race_test('test same\nat list.cpp List::add 1   notify("x")\n', name)
        self.refused('races/second/race.txt:2: the test is called "same", like the one in races/first/race.txt:2',
                     "give one of them another name: test NAME")

    def test_a_point_inside_a_macro(self):
        self.race_test('at list.cpp List::add access 1 of calls   notify("x")\n')
        self.refused("races/bad/race.txt:2: The 1st access to calls in List::add comes from the macro COUNTED at "
                     "list.cpp:6, where no action can go.",
                     "Put a comment /* ravel: N */ next to the macro's use, or name its line.")


if __name__ == "__main__":
    unittest.main()
