#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`ravel reproduce` as a user sees it: a crash stack and a class go in, a test and its schedule come out. RAVEL names the
tool; RAVEL_REPRODUCE_SEEDS how many seeds AllSubjects tries."""

import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from subjects import DEADLOCKS, HANDLES, PAPER, PUBLISHED, RAVEL, SUBJECTS, THREE_THREADS, reproduce

HERE = pathlib.Path(__file__).resolve().parent
HOW_TO = HERE.parent.parent.parent / "docs/how-to/reproduce-a-crash.md"
EXAMPLES = HERE.parent.parent.parent / "examples"
SEEDS = int(os.environ.get("RAVEL_REPRODUCE_SEEDS", "20"))


class Case(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="ravel-reproduce-test-")
        self.addCleanup(shutil.rmtree, self.directory, ignore_errors=True)

    def path(self, *names):
        return pathlib.Path(self.directory, *names)

    def ravel(self, *words, code=0):
        done = subprocess.run([str(RAVEL), *map(str, words)], cwd=self.directory, capture_output=True, text=True,
                              timeout=300)
        self.assertEqual(done.returncode, code, f"{words}\n{done.stdout}\n{done.stderr}")
        return done.stdout + done.stderr

    def check(self, subject, *options, folder=None):
        """The crash is reproduced, exactly, and its schedule always shows it."""
        code, text, answer = reproduce(subject, self.directory, "--repeat", "20", *options, folder=folder)
        self.assertEqual(code, 0, f"{subject} {options}\n{text}")
        self.assertTrue(answer["reproduced"])
        self.assertTrue(answer["exact"], text)
        self.assertEqual(answer["replays"], {"repeats": 20, "reported": 20})
        return text, answer


class Subjects(Case):
    """A class, a deadlock and a C library; AllSubjects has the rest."""

    def test_null_pointer_from_gdb(self):
        text, answer = self.check("logger")
        self.assertLessEqual(answer["test_calls"], 5)
        self.assertIn("20 of 20 replays show it", text)
        test = self.path("out/test.cpp").read_text()
        self.assertIn("logger.set_filter(nullptr)", test)
        self.assertIn("// the crashing method", test)
        # What the user does next.
        self.assertIn("logger.cpp:46", self.ravel("replay", answer["schedule"], code=1))

    def test_deadlock_of_a_template_from_two_stacks(self):
        text, answer = self.check("cache", "--deadlock", folder=DEADLOCKS / "cache")
        self.assertEqual(answer["findings"][0]["kind"], "deadlock")
        self.assertEqual(answer["class"], "Cache<int>")
        self.assertRegex(text, r"#1 Cache::reset +cache.h:35 +Cache::reset +cache.h:35")

    def test_handle_of_a_c_library(self):
        text, answer = self.check("kv_store", folder=HANDLES / "kv_store")
        self.assertEqual(answer["findings"][0]["kind"], "use-after-free")
        self.assertRegex(text, r"handle kv_store, from frame \d; crashing function kv_get")
        test = self.path("out/test.cpp").read_text()
        self.assertIn('extern "C" {\n#include "kv_store.h"\n}', test)
        self.assertRegex(test, r"kv_store \* ?handle = kv_open\(\d+\);")


HEADER = """#pragma once
#include <mutex>
#include <thread>
{body}
"""

STACK = """Program received signal SIGSEGV, Segmentation fault.
#0  0x0000000000401136 in {function} (this=0x0) at box.h:{line}
#1  0x0000000000401150 in main () at main.cpp:9
"""


class Answers(Case):
    """A clear answer where there is no test to be had."""

    def write(self, body, function="Box::get", line=9):
        self.path("box.h").write_text(HEADER.format(body=body))
        self.path("crash.txt").write_text(STACK.format(function=function, line=line))

    def reproduce(self, *options, code):
        return self.ravel("reproduce", "--stack", "crash.txt", "--header", "box.h", "--no-color", *options, code=code)

    def test_stack_of_another_class(self):
        self.write("struct Box { int get(); };", function="Crate::get")
        self.assertIn("there is no class Crate", self.reproduce(code=2))

    def test_truncated_stack(self):
        self.write("struct Box { int get(); };")
        self.path("crash.txt").write_text("Program received signal SIGSEGV\n#0  0x00007ffff7a9 in strlen () from /lib/libc.so.6\n")
        self.assertIn("has frames of libraries only", self.reproduce(code=2))

    def test_garbage(self):
        self.write("struct Box { int get(); };")
        self.path("crash.txt").write_bytes(bytes(range(256)) * 20)
        self.assertIn("crash.txt", self.reproduce(code=2))

    def test_missing_files(self):
        self.write("struct Box { int get(); };")
        self.assertIn("there is no file crate.h", self.ravel("reproduce", "--stack", "crash.txt", "--header", "crate.h", code=2))
        self.assertIn("give the crash", self.ravel("reproduce", "--header", "box.h", code=2))

    def test_deleted_constructor(self):
        self.write("struct Box { Box() = delete; int get(); };")
        self.assertIn("no object of Box can be made", self.reproduce(code=2))

    def test_method_that_no_test_can_call(self):
        self.write("class Box { public: int size(); private: int get(); };")
        self.assertIn("Box has no public method get", self.reproduce(code=2))

    def test_header_that_does_not_compile(self):
        self.write("struct Box { int get(); Unknown unknown; };")
        self.assertIn("unknown type name 'Unknown'", self.reproduce(code=2))

    def test_stack_of_no_function_over_the_handle(self):
        self.write("struct Box { int value; };\nBox* box_open();\nint box_get(Box* box);", function="crate_get")
        self.assertIn("no frame of the stack is a function of the headers that takes or makes a Box",
                      self.reproduce("--handle", "Box", code=2))
        self.assertIn("there is no type Crate", self.reproduce("--handle", "Crate", code=2))
        self.assertIn("neither a struct nor a pointer", self.reproduce("--handle", "size_t", code=2))
        self.assertIn("--handle and --class exclude each other",
                      self.reproduce("--handle", "Box", "--class", "Box", code=2))

    def test_handle_that_nothing_makes(self):
        self.write("struct Box;\nint box_get(Box* box);", function="box_get")
        self.assertIn("no function makes a Box *", self.reproduce("--handle", "Box", code=2))

    def test_time_is_up(self):
        self.write("struct Box { int get(); };")
        self.assertIn("--time allows more", self.reproduce("--time", "1ms", code=2))

    def test_deadlock_with_one_stack(self):
        self.write("struct Box { int get(); };")
        self.assertIn("only one thread is in Box", self.reproduce("--deadlock", code=2))

    def test_crash_that_needs_more_threads_than_it_gets(self):
        code, text, _ = reproduce("resource", self.directory, "--longest", "2", folder=THREE_THREADS / "resource")
        self.assertEqual(code, 1, text)
        self.assertIn("none of their schedules failed there", text)
        self.assertIn("--threads 3", text)

    def test_unknown_pruning(self):
        self.write("struct Box { int get(); };")
        self.assertIn("there is no pruning 'PS-Magic'", self.reproduce("--without", "PS-Magic", code=2))

    def test_class_that_starts_threads(self):
        self.write("struct Box {\n  Box() { std::thread([] {}).join(); }\n  int get() { return 1; }\n};")
        text = self.reproduce(code=1)
        self.assertIn("Box() starts threads of its own", text)

    def test_place_that_is_never_reached(self):
        self.write("struct Box {\n  int get() { return value; }\n  void set(int v) { value = v; }\n  int value = 1;\n};",
                   line=77)
        text = self.reproduce("--longest", "1", code=1)
        self.assertIn("Never reached", text)
        self.assertIn("#0 Box::get  box.h:77", text)
        self.assertIn("PS-Stack", text)

    def test_method_that_does_not_compile_is_left_out(self):
        self.write("template <typename T> struct Box {\n"
                   "  int get() { return *value; }\n"
                   "  void drop() { value = nullptr; }\n"
                   "  void odd() { value->nothing(); }\n"
                   "  T held{};\n  T* value = &held;\n};", function="Box<int>::get", line=5)
        text = self.reproduce("--class", "Box<int>", code=0)
        self.assertIn("odd()", text)
        self.assertIn("does not compile in the harness", text)
        self.assertIn("Box<int> box;", self.path(".ravel/reproduced/test.cpp").read_text())


class HowTo(Case):
    """docs/how-to/reproduce-a-crash.md, word for word."""

    def test_every_command(self):
        text = HOW_TO.read_text()
        for name in ("journal.h", "journal_crash.txt"):
            shutil.copy(EXAMPLES / name, self.path(name))
        commands = re.findall(r"^ravel (.*)$", "\n".join(re.findall(r"```sh\n(.*?)```", text, re.S)), re.M)
        self.assertEqual(len(commands), 2)
        said = self.ravel(*shlex.split(commands[0]))
        (stacks,) = re.findall(r"```\n( .*?)```", text, re.S)
        self.assertIn(stacks, said)
        (test,) = re.findall(r"```cpp\n(.*?)```", text, re.S)
        self.assertIn(test, self.path(".ravel/reproduced/test.cpp").read_text())
        self.assertIn("journal.h:24", self.ravel(*shlex.split(commands[1]), code=1))


PROGRAM = """#include "box.h"
int main() {{
  Box box;
  std::thread other([&] {{ for (;;) {{ box.drop(); box.fill(); }} }});
  for (;;) box.get({argument});
}}
"""

BOX = """#include <string>
struct Box {
  int get(const std::string& key) {
    if (key != "open sesame" || value == nullptr) return 0;
    return *value;
  }
  void drop() { value = nullptr; }
  void fill() { value = &held; }
  explicit operator bool() const { return value != nullptr; }
  template <typename T> void set(T to) { held = static_cast<int>(to); }
  template <typename F> void visit(F&& f) { f(held); }
  Box& operator=(int to) { held = to; return *this; }
  int held = 1;
  int* value = &held;
};
"""


class Inputs(Case):
    """What goes in besides a stack, and what comes out besides a test. Long."""

    def build(self, *compiler):
        self.path("box.h").write_text(HEADER.format(body=BOX))
        self.path("main.cpp").write_text(PROGRAM.format(argument='"open sesame"'))
        subprocess.run([*map(str, compiler), "-std=c++20", "-g", "-O0", "main.cpp", "-pthread", "-o", "app"],
                       cwd=self.directory, check=True)

    def reproduce(self, *options, code=0):
        self.path("values.txt").write_text('# the only one that is let in\nstd::string = "open sesame"\n')
        header = [] if "--header" in options else ["--header", "box.h"]
        return self.ravel("reproduce", *header, "--no-color", "--values", "values.txt", "--repeat", "20",
                          *options, "--", "-std=c++20", code=code)

    def test_core_file(self):
        if shutil.which("gdb") is None:
            self.skipTest("there is no gdb to write a core file with")
        self.build("g++")
        done = subprocess.run(["gdb", "-batch", "-ex", "run", "-ex", "generate-core-file core", "./app"],
                              cwd=self.directory, capture_output=True, text=True, timeout=120)
        self.assertTrue(self.path("core").exists(), done.stdout + done.stderr)
        said = self.reproduce("--core", "core", "--binary", "app")
        self.assertRegex(said, r"#0 Box::get +box.h:8 +Box::get +box.h:8")
        test = self.path(".ravel/reproduced/test.cpp").read_text()
        self.assertIn('#include "box.h"', test)
        self.assertIn('box.get("open sesame")', test)

    def test_report_of_noise(self):
        self.build(RAVEL, "c++")
        report = self.ravel("noise", "--no-color", "--time", "60s", "--", "./app", code=1)
        self.path("crash.txt").write_text(report)
        self.assertIn("Reproduced by a test", self.reproduce("--stack", "crash.txt"))

    def test_values_decide(self):
        self.path("box.h").write_text(HEADER.format(body=BOX))
        self.path("crash.txt").write_text(STACK.format(function="Box::get", line=8))
        # Without the word that opens the box, nobody gets there.
        said = self.ravel("reproduce", "--header", "box.h", "--stack", "crash.txt", "--longest", "2", "--no-color", "--",
                          "-std=c++20", code=1)
        self.assertIn("#0 Box::get  box.h:8", said)
        self.assertIn("--values FILE", said)

    def test_race_test_and_googletest(self):
        self.path("src").mkdir()
        self.path("src/box.h").write_text(HEADER.format(body=BOX))
        self.path("crash.txt").write_text(STACK.format(function="Box::get", line=8))
        said = self.reproduce("--stack", "crash.txt", "--header", "src/box.h", "--pin", "races", "--gtest")
        self.assertRegex(said, r"races/Box_signal forces it: (\d+) of \1 repeats report it")
        self.assertIn("expect signal", self.path("races/Box_signal/race.txt").read_text())
        test = self.path(".ravel/reproduced/test.cpp").read_text()
        self.assertIn('#include "src/box.h"', test)
        self.assertNotIn(self.directory, test)
        # The line that the test says it is built with, and that of the case of GoogleTest.
        for name in ("test", "gtest"):
            head = self.path(f".ravel/reproduced/{name}.cpp").read_text()
            (command,) = re.findall(r"^//   ravel (.*)$", head, re.M)
            self.ravel(*shlex.split(command))
        done = subprocess.run([self.path(".ravel/reproduced/gtest")], cwd=self.directory, capture_output=True, text=True,
                              env={**os.environ, "PATH": f"{RAVEL.parent}:{os.environ['PATH']}"})
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("box.h:8", done.stdout + done.stderr)


# Stands still at what its environment names, and leaves a note that it got there.
SLOW_COMPILER = """#!/bin/sh
case "$*" in *"$SLOW"*) [ -n "$SLOW" ] && touch reached && exec sleep 60;; esac
exec c++ "$@"
"""

TORN = """struct Box {
  int get() {
    if (value == nullptr) return 0;
    return *value;
  }
  void drop() { value = nullptr; }
  void add(int by) { held += by; }
  void mix(int by, unsigned with) { held = held * 31 + by * 7 + static_cast<int>(with); }
  int held = 1;
  int* value = &held;
};
"""


class Ends(Case):
    """When the time is up, or the user has enough, it ends at once, whatever it does. What was found is on disk. Long."""

    def setUp(self):
        super().setUp()
        self.path("box.h").write_text(HEADER.format(body=TORN))
        self.path("crash.txt").write_text(STACK.format(function="Box::get", line=7))
        self.path("slow").write_text(SLOW_COMPILER)
        self.path("slow").chmod(0o755)

    def words(self, *options):
        return [str(RAVEL), "reproduce", "--stack", "crash.txt", "--header", "box.h", "--out", "out", "--no-color",
                *options]

    def environment(self, slow):
        return {**os.environ, "RAVEL_CXX": str(self.path("slow")), "SLOW": slow}

    def out_of_time(self, seconds, *options, slow="", code):
        began = time.monotonic()
        done = subprocess.run(self.words("--time", f"{seconds}s", *options), cwd=self.directory, capture_output=True,
                              text=True, env=self.environment(slow), timeout=120)
        self.assertLess(time.monotonic() - began, seconds + 3, done.stdout)  # a second, on a machine of its own
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def interrupted(self, *options, slow="", reached="reached", after=0, code):
        self.path(reached).unlink(missing_ok=True)
        tool = subprocess.Popen(self.words(*options), cwd=self.directory, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True, env=self.environment(slow))
        self.addCleanup(tool.kill)
        while not self.path(reached).exists() and tool.poll() is None:
            time.sleep(0.05)
        time.sleep(after)
        began = time.monotonic()
        tool.send_signal(signal.SIGINT)
        said, _ = tool.communicate(timeout=60)
        self.assertLess(time.monotonic() - began, 3, said)
        self.assertEqual(tool.returncode, code, said)
        return said

    def written(self):
        return sorted(str(path.relative_to(self.directory)) for path in self.path("out").rglob("*") if path.is_file())

    def test_while_the_harness_is_compiled(self):
        self.assertIn("the time was up while compiling", self.out_of_time(10, slow="harness.cpp", code=2))
        self.assertIn("it was interrupted while compiling", self.interrupted(slow="harness.cpp", code=2))
        self.assertEqual(self.written(), [])

    def test_while_a_test_is_searched_for(self):
        self.path("crash.txt").write_text(STACK.format(function="Box::get", line=77))
        said = self.out_of_time(15, "--longest", "16", code=1)
        self.assertIn("Not reproduced, the time was up", said)
        self.assertNotIn("Never reached", said)
        self.assertEqual(self.written(), [])

    def test_while_the_test_is_compiled(self):
        said = self.interrupted(slow="out/test.cpp", code=1)
        self.assertIn("Not verified, it was interrupted", said)
        self.assertIn("out/test.cpp", said)
        self.assertEqual(self.written(), ["out/compile_commands.json", "out/test.cpp"])
        self.assertIn("Not verified, the time was up", self.out_of_time(20, slow="out/test.cpp", code=1))

    def test_while_it_is_verified(self):
        # The schedule is there a little before it is replayed.
        said = self.interrupted("--repeat", "1000000", reached="out/1-signal.ravel", after=8, code=0)
        self.assertRegex(said, r": (\d+) of \1 replays show it")
        self.assertNotIn("1000000", said)

    def test_while_the_race_test_is_made(self):
        said = self.interrupted("--pin", "races", slow="woven", code=0)
        self.assertIn("No race test: it was interrupted. Later: ravel pin out/1-signal.ravel", said)
        self.assertIn("out/1-signal.ravel", self.written())
        self.assertFalse(self.path("races").exists())


class AllSubjects(Case):
    """Ten of ten with every seed, within the limits of docs/reproduce.md, and all others once. Long."""

    def test_all(self):
        seconds, searches, tests, calls = [], [], [], []
        for seed in range(1, SEEDS + 1):
            for subject in PAPER:
                with self.subTest(subject=subject, seed=seed):
                    _, answer = self.check(subject, "--seed", seed)
                    seconds.append(answer["seconds"])
                    searches.append(answer["search_seconds"])
                    tests.append(answer["tests_explored"])
                    calls.append(answer["test_calls"])
        self.assertEqual(len(seconds), SEEDS * len(PAPER))
        for folder in sorted(DEADLOCKS.iterdir()):
            with self.subTest(deadlock=folder.name):
                self.check(folder.name, "--deadlock", folder=folder)
        for folder in sorted(THREE_THREADS.iterdir()):
            for option in (("--threads", "3"), ("--suffix", "2")):
                with self.subTest(three_threads=folder.name, option=option):
                    self.check(folder.name, *option, folder=folder)
        for folder in [*sorted(HANDLES.iterdir()), *sorted(PUBLISHED.iterdir())]:
            with self.subTest(subject=folder.name):
                self.check(folder.name, folder=folder)
        for values, limit in ((seconds, 10), (searches, 2), (tests, 3), (calls, 5)):
            self.assertLessEqual(sum(values) / len(values), limit)


if __name__ == "__main__":
    unittest.main()
