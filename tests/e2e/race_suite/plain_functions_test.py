#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""<ravel/race_test.h>: race tests as plain functions, and programs that are one. RAVEL names the tool."""

import pathlib
import shutil
import tempfile
import unittest

import suite


class PlainFunctions(unittest.TestCase):
    def setUp(self):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="ravel-plain-"))
        self.addCleanup(shutil.rmtree, self.directory, ignore_errors=True)

    def build(self, compiler, *flags):
        program = self.directory / "program"
        code, text = suite.run([compiler, "-std=c++17", "-Wall", "-Wextra", "-pedantic", "-Werror", f"-I{suite.INCLUDE}",
                                *flags, suite.HERE / "plain_functions.cpp", suite.SYNC, "-pthread", "-o", program],
                               self.directory)
        self.assertEqual((code, text), (0, ""))

    def said(self, *words, test=None, code=0):
        chosen = {} if test is None else {"RAVEL_RACE_TEST": test}
        ended, text = suite.run(["./program", *words], self.directory, chosen)
        self.assertEqual(ended, code, text)
        return text.splitlines()

    def test_one_test_runs_or_all_of_them(self):
        for compiler in ("g++", "clang++"):
            with self.subTest(compiler):
                self.build(compiler)
                self.assertEqual(self.said("--list"), ["first", "second", "with-dashes.1"])
                self.assertEqual(self.said(test="first"), ["setup", "test, with actions", "teardown"])
                self.assertEqual(self.said(test="second"), ["second"])
                self.assertEqual(self.said(test="with-dashes.1"), ["third"])
                self.assertEqual(self.said(), ["setup", "test", "teardown", "second", "third"])
                self.assertEqual(self.said("--list", test="first"), ["first", "second", "with-dashes.1"])

    def test_a_test_that_is_not_there_is_one_sentence(self):
        self.build("g++")
        for name in ("firs", "first2", ""):
            said = self.said(test=name, code=2)
            self.assertEqual(len(said), 1)
            self.assertIn(f'no race test "{name}"', said[0])
            self.assertIn("--list", said[0])
        self.assertEqual(len(self.said("--lists", code=2)), 1)
        self.assertIn('unknown argument "more"', self.said("--list", "more", code=2)[0])

    def test_a_program_is_its_own_test(self):
        self.build("g++", "-DPROGRAM")
        self.assertEqual(self.said(), ["main"])
        self.assertEqual(self.said(test="whole"), ["setup", "main", "teardown"])
        self.assertEqual(self.said("word", test="whole", code=3), ["setup", "word", "teardown"])
        self.assertEqual(self.said(test="other"), ["setup of other", "main"])
        self.assertEqual(self.said(test="bare"), ["main"])
        self.assertEqual(self.said(test="nobody"), ["main"])

    def test_a_program_is_its_own_test_under_ravel(self):
        self.build("g++", "-DPROGRAM", "-fsanitize=thread")
        code, text = suite.run([suite.RAVEL, "run", "--executions", 1, "--", "./program", "word"], self.directory,
                               {"RAVEL_RACE_TEST": "whole"})
        self.assertEqual(code, 1, text)
        said = [line.strip() for line in text.splitlines() if line.strip().startswith("|")]
        self.assertEqual(said, ["| setup", "| word", "| teardown"], text)


if __name__ == "__main__":
    unittest.main()
