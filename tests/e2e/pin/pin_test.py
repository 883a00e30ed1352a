#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`ravel pin` as a user sees it: from a failing schedule to a race test that reports every time, and that passes,
untouched, once the program is fixed. RAVEL names the tool; RAVEL_PIN_REPEAT how often each test has to report."""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = HERE.parent.parent / "programs"
HOW_TO = HERE.parent.parent.parent / "docs/how-to/pin-a-failure.md"
EXAMPLES = HERE.parent.parent.parent / "examples"
RAVEL = pathlib.Path(os.environ.get("RAVEL", "build/bin/ravel")).resolve()
SYNC = RAVEL.parent.parent / "lib/libravel_sync.a"
INCLUDE = RAVEL.parent.parent / "include"
REPEAT = os.environ.get("RAVEL_PIN_REPEAT", "20")


class Pin(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="ravel-pin-")
        self.addCleanup(shutil.rmtree, self.directory, ignore_errors=True)

    def path(self, *names):
        return pathlib.Path(self.directory, *names)

    def run_tool(self, *words, code=0, environment=None):
        done = subprocess.run(list(map(str, words)), cwd=self.directory, capture_output=True, text=True, timeout=500,
                              env={**os.environ, **(environment or {})})
        self.assertEqual(done.returncode, code, f"{words}\n{done.stdout}\n{done.stderr}")
        return done.stdout + done.stderr

    def build(self, source, options=("-O1",)):
        """The program from this source, which is called prog.cpp whatever it was before."""
        shutil.copy(source, self.path("prog.cpp"))
        self.run_tool(RAVEL, "weave", "--capture", "compile_commands.json", "--", RAVEL, "c++", "-std=c++17", "-g",
                      "-pthread", *options, "prog.cpp", "-o", "prog")

    def failing_schedule(self, kind):
        self.run_tool(RAVEL, "run", "--quiet", "--time", "30s", "--expect", kind, "--", "./prog")
        return next(iter(sorted(self.path(".ravel").glob(f"*-{kind}.ravel"))))

    def build_race_tests(self):
        """As the tests say, woven into the program as it is now."""
        self.run_tool(RAVEL, "weave", "--tests", "races", "--out", "woven")
        (command,) = json.loads(self.path("woven/compile_commands.json").read_text())
        words = command["arguments"]
        words[words.index("-o") + 1] = str(self.path("woven.o"))
        self.run_tool(*words)
        self.run_tool(RAVEL, "c++", "-pthread", "woven.o", SYNC, "-o", "race_tests")
        shutil.copy(self.path("woven/race-tests.json"), self.path("race_tests.race-tests.json"))

    def hunt_with_thread_sanitizer(self, compiler, options=("-O1",), code=0):
        """The woven program again, now with ThreadSanitizer in it."""
        (command,) = json.loads(self.path("woven/compile_commands.json").read_text())
        self.run_tool(compiler, "-std=c++17", "-g", "-pthread", "-fsanitize=thread", *options, "-I", INCLUDE, command["file"],
                      SYNC, "-o", "tsan")
        return self.run_tool(RAVEL, "test", "--woven", "woven", "--detector", "tsan", "--hunt", "--timeout", "2s", "--repeat", 2,
                             "--", "./tsan", code=code)

    def pin_and_repair(self, broken, repaired, kind, options=("-O1",), thread_sanitizer=()):
        self.build(broken, options)
        schedule = self.failing_schedule(kind)
        told = self.run_tool(RAVEL, "pin", schedule, "--tests", "races", "--name", "pinned", "--repeat", REPEAT)
        self.assertIn(f"{REPEAT} of {REPEAT} repeats report it", told)
        text = self.path("races/pinned/race.txt").read_text()
        self.assertIn("wait(", text)
        self.assertIn("notify(", text)
        self.build_race_tests()
        self.run_tool(RAVEL, "test", "--hunt", "--repeat", REPEAT, "--", "./race_tests")
        self.run_tool(RAVEL, "test", "--repeat", "3", "--", "./race_tests", code=1)
        for compiler in thread_sanitizer:
            self.hunt_with_thread_sanitizer(compiler, options)
        # The same test, unchanged, on the fixed program.
        self.build(repaired, options)
        self.build_race_tests()
        told = self.run_tool(RAVEL, "test", "--repeat", REPEAT, "--", "./race_tests")
        self.assertEqual(self.path("races/pinned/race.txt").read_text(), text)
        return told

    def pin_program(self, kind, name, options=("-O1",), **more):
        return self.pin_and_repair(PROGRAMS / "buggy" / kind / f"{name}.cpp", PROGRAMS / "correct" / kind / f"{name}.cpp",
                                   kind, options, **more)

    def test_the_how_to_with_make(self):
        """A lost update between critical sections, word for word as the document says."""
        text = HOW_TO.read_text()
        (makefile,) = re.findall(r"```make\n(.*?)```", text, re.DOTALL)
        pin, hunt, check = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
        self.path("Makefile").write_text(makefile)
        shutil.copy(EXAMPLES / "bank.cpp", self.path("bank.cpp"))
        environment = {"PATH": f"{RAVEL.parent}:{os.environ['PATH']}", "CXX": "ravel c++"}

        def follow(commands, code=0):
            return self.run_tool("bash", "-c", commands, code=code, environment=environment)

        # The second command finds the failure.
        for command in pin.splitlines():
            told = follow(command, code=1 if command.startswith("ravel run") else 0)
        self.assertIn("races/bank_assertion forces it: 100 of 100 repeats report it", told)
        shown = re.search(r"^```\n(at .*?)```", text, re.DOTALL | re.MULTILINE).group(1)
        # The two tasks do the same: which of them loses its deposit depends on which worker was the first to find it.
        exchanged = re.sub(r"T([12])", lambda task: f"T{3 - int(task.group(1))}", shown)
        written = sorted(self.path("races/bank_assertion/race.txt").read_text().splitlines()[4:])
        self.assertIn(written, [sorted(lines.splitlines()) for lines in (shown, exchanged)])
        follow("make bank_race_tests")
        follow(hunt)
        follow(check, code=1)
        shutil.copy(HERE / "repaired_bank.cpp", self.path("bank.cpp"))
        follow("make bank_race_tests")
        self.assertIn("was not possible", follow(check))

    def test_check_then_act(self):
        self.pin_program("assertion", "check_then_act", thread_sanitizer=("g++", "clang++"))

    def test_order_violation(self):
        self.pin_program("assertion", "order_violation")

    def test_empty_and_take(self):
        self.pin_program("assertion", "two_lock_sections")

    def test_second_check_missing(self):
        self.pin_program("assertion", "double_checked_wrong")

    def test_published_before_initialised(self):
        self.pin_program("assertion", "publish_before_init")

    def test_deadlock_of_two(self):
        self.pin_program("deadlock", "lock_order_two", thread_sanitizer=("g++",))

    def test_deadlock_of_three(self):
        self.pin_program("deadlock", "dining_three")

    def test_wakeup_lost_between_look_and_wait(self):
        self.pin_program("lost-wakeup", "flag_without_lock")

    def test_wakeup_lost_before_the_wait(self):
        self.pin_program("lost-wakeup", "notify_before_wait")

    def test_use_after_free(self):
        self.pin_program("use-after-free", "reader_after_delete")

    def test_double_free(self):
        self.pin_program("double-free", "close_twice")

    def test_a_double_free_under_thread_sanitizer(self):
        """It happens there too, but ThreadSanitizer does not look for it: the hunt fails and says so."""
        self.build(PROGRAMS / "buggy/double-free/close_twice.cpp")
        self.run_tool(RAVEL, "pin", self.failing_schedule("double-free"), "--tests", "races", "--name", "pinned", "--repeat", 3)
        self.build_race_tests()
        for compiler in ("g++", "clang++"):
            told = self.hunt_with_thread_sanitizer(compiler, code=1)
            self.assertIn("in 2 of 2 nothing was reported", told)

    def test_race_of_a_flag(self):
        self.pin_program("data-race", "publication_plain_flag", ("-O0",))

    def test_race_under_different_locks(self):
        self.pin_program("data-race", "wrong_mutex")

    def test_race_within_a_container(self):
        self.pin_program("data-race", "vector_growth")

    def test_several_sources_and_arguments(self):
        """A header's inline function, a library of the program's own, and the mode that the program was run with."""
        self.path("log.h").write_text("""#pragma once
class Log {
 public:
  void open();
  void write() {
    if (lines_ != nullptr) ++*lines_;
  }
  int* lines() { return lines_; }

 private:
  int* lines_ = nullptr;
};
""")
        self.path("log.cpp").write_text('#include "log.h"\n\nvoid Log::open() {\n  lines_ = new int(0);\n}\n')
        self.path("main.cpp").write_text("""#include <cstring>
#include <thread>
#include "log.h"

int main(int count, char** words) {
  Log log;
  if (count < 2 || std::strcmp(words[1], "--late open") != 0) log.open();
  std::thread opens([&] { if (log.lines() == nullptr) log.open(); });
  std::thread writes([&] { log.write(); });
  opens.join();
  writes.join();
  delete log.lines();
}
""")
        self.path("Makefile").write_text("prog: log.o main.o\n\t$(CXX) -pthread $^ -o $@\n"
                                         "%.o: %.cpp\n\t$(CXX) -std=c++17 -g -pthread -c $< -o $@\n")
        self.run_tool(RAVEL, "weave", "--capture", "commands.json", "--", "make", f"CXX={RAVEL} c++")
        self.run_tool(RAVEL, "run", "--quiet", "--expect", "data-race", "--", "./prog", "--late open")
        schedule = next(iter(sorted(self.path(".ravel").glob("*-data-race.ravel"))))
        told = self.run_tool(RAVEL, "pin", schedule, "--tests", "races", "--compile-commands", "commands.json",
                             "--repeat", REPEAT, "--json", "pin.json")
        self.assertIn(f"{REPEAT} of {REPEAT} repeats report it", told)
        text = self.path("races/prog_data_race/race.txt").read_text()
        self.assertIn('run "--late open"', text)
        self.assertIn("at log.h write access", text)
        self.assertIn("expect race at log", text)
        self.assertIn("RAVEL_RACE_PROGRAM(prog_data_race, setup, teardown)",
                      self.path("races/prog_data_race/test.cpp").read_text())
        report = json.loads(self.path("pin.json").read_text())
        self.assertEqual((report["pinned"], report["reported"]), (True, int(REPEAT)))
        # Nothing is overwritten.
        told = self.run_tool(RAVEL, "pin", schedule, "--tests", "races", "--compile-commands", "commands.json", code=2)
        self.assertIn("already exists", told)
        self.assertEqual(self.path("races/prog_data_race/race.txt").read_text(), text)

    def test_a_creator_that_has_come_no_further(self):
        """Whether main has made a step when the worker fails depends on the schedule."""
        self.build(PROGRAMS / "buggy/assertion/order_violation.cpp")
        for seed in range(1, 5):
            self.run_tool(RAVEL, "run", "--quiet", "--strategy", "random", "--seed", seed, "--jobs", 1, "--no-shrink", "--out",
                          f"found-{seed}", "--expect", "assertion", "--", "./prog")
            self.run_tool(RAVEL, "pin", self.path(f"found-{seed}/1-assertion.ravel"), "--tests", f"races-{seed}", "--repeat", 3)

    def test_without_compile_commands_and_without_instrumentation(self):
        shutil.copy(EXAMPLES / "deadlock.cpp", self.path("prog.cpp"))
        self.run_tool("g++", "-std=c++17", "-g", "-pthread", "prog.cpp", "-o", "prog")
        schedule = self.failing_schedule("deadlock")
        told = self.run_tool(RAVEL, "pin", schedule, "--tests", "races", "--repeat", REPEAT, "--quiet")
        self.assertIn(f"{REPEAT} of {REPEAT} repeats report it", told)
        self.assertNotIn("Next", told)

    def test_builds_of_clang(self):
        """One whose options are guessed, and an instrumented one; and the program that --build leaves."""
        shutil.copy(EXAMPLES / "deadlock.cpp", self.path("prog.cpp"))
        words = ["-g", "-pthread", "prog.cpp", "-o", "prog"]
        self.run_tool("clang++", "-std=c++17", *words)
        schedule = self.failing_schedule("deadlock")
        told = self.run_tool(RAVEL, "pin", schedule, "--tests", "races", "--name", "guessed", "--repeat", 3, "--build")
        self.assertIn("ravel test --hunt -- ./guessed", told)
        self.run_tool(RAVEL, "test", "--hunt", "--repeat", 3, "--", "./guessed")
        told = self.run_tool(RAVEL, "pin", schedule, "--tests", "other", "--name", "guessed", "--build", code=2)
        self.assertIn("guessed already exists", told)
        self.path("guessed").unlink()
        told = self.run_tool(RAVEL, "pin", schedule, "--tests", "other", "--name", "guessed", "--build", code=2)
        self.assertIn("guessed.race-tests.json already exists", told)
        shutil.rmtree(self.path(".ravel"))
        self.run_tool(RAVEL, "weave", "--capture", "compile_commands.json", "--", RAVEL, "c++", "-std=c++17", *words,
                      environment={"RAVEL_CXX": "clang++"})
        self.assertIn("-mllvm", self.path("compile_commands.json").read_text())
        self.run_tool(RAVEL, "pin", self.failing_schedule("deadlock"), "--tests", "races", "--repeat", 3)
        # The build to watch may be a compiler.
        self.run_tool(RAVEL, "weave", "--capture", "single.json", "--", "clang++", "-std=c++17", "-c", "prog.cpp")

    def test_what_no_order_of_statements_forces(self):
        self.build(PROGRAMS / "buggy/assertion/lost_update.cpp")
        told = self.run_tool(RAVEL, "pin", self.failing_schedule("assertion"), "--tests", "races", code=1)
        self.assertIn("Nothing is written: no test forces the order of this schedule every time", told)
        self.assertIn("at prog.cpp:10 is interrupted within one statement", told)
        self.assertFalse(self.path("races").exists())
        shutil.rmtree(self.path(".ravel"))
        self.build(PROGRAMS / "buggy/weak-memory/message_passing.cpp")
        told = self.run_tool(RAVEL, "pin", self.failing_schedule("assertion"), "--tests", "races", code=1)
        self.assertIn("an older store", told)
        shutil.rmtree(self.path(".ravel"))
        self.build(PROGRAMS / "buggy/assertion/spurious_wakeup.cpp")
        told = self.run_tool(RAVEL, "pin", self.failing_schedule("assertion"), "--tests", "races", code=1)
        self.assertIn("needs a spurious wake-up", told)

    def interrupted(self, schedule, after):
        """Ctrl-C ends it at once, and it leaves nothing behind."""
        temporary = self.path("temporary")
        temporary.mkdir(exist_ok=True)
        process = subprocess.Popen([RAVEL, "pin", schedule, "--tests", "races", "--repeat", "1000000"], cwd=self.directory,
                                   env={**os.environ, "TMPDIR": str(temporary)}, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True)
        time.sleep(after)
        process.send_signal(signal.SIGINT)
        began = time.monotonic()
        told = process.communicate()[0]
        self.assertLess(time.monotonic() - began, 1 + 3, told)  # 3: for a machine that has other things to do
        self.assertEqual(process.returncode, 2, told)
        self.assertIn("interrupted", told)
        self.assertFalse(self.path("races").exists())
        self.assertEqual(list(temporary.iterdir()), [])

    def test_troubles_are_told_in_a_sentence(self):
        self.path("text").write_text("no schedule\n")
        self.assertIn("text", self.run_tool(RAVEL, "pin", "text", code=2))
        self.build(EXAMPLES / "bank.cpp")
        schedule = self.failing_schedule("assertion")

        def trouble(*options):
            told = self.run_tool(RAVEL, "pin", schedule, "--tests", "races", *options, code=2)
            self.assertFalse(self.path("races").exists())
            return told

        for after in (0.2, 1, 3):
            self.interrupted(schedule, after)
        self.assertIn("cannot be the name of a test", trouble("--name", "a b"))
        commands = self.path("compile_commands.json").read_text()
        self.path("other.json").write_text(commands.replace("prog.cpp", "other.cpp"))
        self.assertIn("has no command for", trouble("--compile-commands", "other.json"))
        self.assertIn("no_such.json", trouble("--compile-commands", "no_such.json"))
        shutil.move(self.path("prog"), self.path("whole"))
        self.assertIn("prog", trouble())  # it is gone
        self.run_tool("strip", "-o", "prog", "whole")
        self.assertIn("has no debug information", trouble())
        self.path("prog").unlink()
        self.run_tool(RAVEL, "c++", "-std=c++17", "-g", "-O0", "-pthread", "prog.cpp", "-o", "prog")
        self.assertIn("was rebuilt since the schedule was made", trouble())


if __name__ == "__main__":
    unittest.main()
