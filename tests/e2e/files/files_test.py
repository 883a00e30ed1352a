#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Executions are independent on disk, and exploring changes nothing there. RAVEL names the tool, RAVEL_TEST_PROGRAM a
build of records.cpp."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

RAVEL = pathlib.Path(os.environ.get("RAVEL", "build/bin/ravel")).resolve()
PROGRAM = pathlib.Path(os.environ.get("RAVEL_TEST_PROGRAM", "records")).resolve()
NOBODY = 65534


def listing(directory):
    """Every file below a directory, with its contents and mode, but not what Ravel itself wrote."""
    found = {}
    for path in sorted(directory.rglob("*")):
        name = str(path.relative_to(directory))
        if not name.startswith(".ravel"):
            found[name] = (path.stat().st_mode, path.read_text() if path.is_file() else None)
    return found


class Files(unittest.TestCase):
    def setUp(self):
        # Where everybody may look, for the test that is nobody.
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="ravel-test-files."))
        self.addCleanup(shutil.rmtree, self.directory, ignore_errors=True)
        (self.directory / "given").write_text("original\n")
        (self.directory / "deep").mkdir()
        (self.directory / "deep/given").write_text("deep\n")
        self.before = listing(self.directory)

    def ravel(self, *words, user=None):
        ran = subprocess.run([str(RAVEL), *map(str, words)], cwd=self.directory, stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120, user=user,
                             group=user, extra_groups=[] if user else None)
        self.shown = f"ravel {' '.join(map(str, words))}: {ran.returncode}\n{ran.stdout}"
        return ran.returncode

    def run_program(self, *options, words=(), executions=20, **more):
        return self.ravel("run", "--executions", executions, "--no-color", *options, "--", PROGRAM, *words, **more)

    def build(self, name, last, first=""):
        """A program that does something before its first thread and something after it."""
        source = self.directory / f"{name}.cpp"
        source.write_text("#include <unistd.h>\n#include <cstdio>\n#include <thread>\n"
                          f"int main() {{ {{ {first} }} std::thread([] {{}}).join(); {{ {last} }} }}\n")
        subprocess.run(["c++", "-pthread", source, "-o", self.directory / name], check=True)

    def check_untouched(self):
        self.assertEqual(listing(self.directory), self.before, self.shown)

    def test_a_private_view(self):
        self.assertEqual(self.run_program(), 0, self.shown)
        self.check_untouched()

    def test_a_private_view_on_threads(self):
        self.assertEqual(self.run_program("--carrier", "thread"), 0, self.shown)
        self.check_untouched()

    def test_a_private_view_when_started_for_each_execution(self):
        self.assertEqual(self.run_program(words=["pipe"]), 0, self.shown)
        self.assertIn("restarted for every execution", self.shown)
        self.check_untouched()

    def test_fresh(self):
        self.assertEqual(self.run_program("--fresh"), 0, self.shown)
        self.assertNotIn("cannot be forked", self.shown)
        self.check_untouched()

    def test_without_rights(self):
        if os.getuid() != 0:
            self.skipTest("every other test has no rights either")
        for path in [self.directory, *self.directory.rglob("*")]:
            os.chown(path, NOBODY, NOBODY)
        self.before = listing(self.directory)
        for carrier in ["fiber", "thread"]:
            self.assertEqual(self.run_program("--carrier", carrier, user=NOBODY), 0, self.shown)
            self.check_untouched()

    def test_copies(self):
        self.assertEqual(self.run_program("--files", "copied"), 0, self.shown)
        (self.directory / "by-a-child").unlink()  # a program that tells nothing
        self.check_untouched()

    def test_copies_when_started_for_each_execution(self):
        self.assertEqual(self.run_program("--files", "copied", words=["pipe"]), 0, self.shown)
        (self.directory / "by-a-child").unlink()
        self.check_untouched()

    def test_shared_as_asked(self):
        self.assertEqual(self.run_program("--files", "shared", "--no-verify", words=["last"], executions=1), 0,
                         self.shown)
        self.assertEqual((self.directory / "given").read_text(), "changed by an execution\n")
        self.assertEqual((self.directory / "deeper/given").read_text(), "deep\nmore\n")

    def test_a_failure_replays_and_its_files_can_be_seen(self):
        self.assertEqual(self.run_program("--fresh", words=["fail"]), 1, self.shown)
        self.assertIn("ravel replay --files shared", self.shown)
        self.check_untouched()
        schedule = self.directory / ".ravel/1-abort.ravel"
        self.assertIn(" fresh=1", schedule.read_text())
        self.assertEqual(self.ravel("replay", schedule, "--times", 3), 1, self.shown)
        self.assertIn("3 of 3 replays gave the same report", self.shown)
        self.check_untouched()
        self.assertEqual(self.ravel("replay", "--carrier", "thread", schedule), 1, self.shown)
        self.check_untouched()
        self.assertEqual(self.ravel("replay", "--files", "shared", schedule), 1, self.shown)
        self.assertEqual((self.directory / "made").read_text(), "before\nafter\n")

    def test_calls_without_libc(self):
        self.build("hidden", 'asm volatile("syscall" : : "a"(87), "D"("given") : "rcx", "r11", "memory");')
        self.assertEqual(self.ravel("run", "--executions", 3, "--", "./hidden"), 0, self.shown)
        self.assertFalse((self.directory / "given").exists())

    def test_calls_by_their_number(self):
        self.build("numbered", 'if (syscall(87, "given") != 0) return 1;')
        self.assertEqual(self.ravel("run", "--executions", 3, "--", "./numbered"), 0, self.shown)
        self.assertTrue((self.directory / "given").exists())

    # Once for each execution and once to compare the first: with nothing kept apart, each start can be counted.
    def test_no_start_for_nothing(self):
        counter = self.directory / "starts"
        self.build("count", 'std::FILE* f = std::fopen("starts", "a"); std::fputs("e", f); std::fclose(f);',
                   'std::FILE* f = std::fopen("starts", "a"); std::fputs("s", f); std::fclose(f);')
        self.ravel("run", "--fresh", "--files", "shared", "--jobs", 1, "--executions", 3, "--", "./count")
        self.assertEqual(counter.read_text(), "se" * 4, self.shown)


if __name__ == "__main__":
    unittest.main()
