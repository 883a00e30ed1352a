#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`ravel weave` as a user sees it: from sources, a build and race tests to a program whose race shows every time. RAVEL
names the tool."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

RAVEL = pathlib.Path(os.environ.get("RAVEL", "build/bin/ravel")).resolve()
SYNC = RAVEL.parent.parent / "lib/libravel_sync.a"

HEADER = """#pragma once
class List {
 public:
  void add(int value);
  bool is_empty() const {
    return size_ == 0;
  }

 private:
  int values_[16] = {};
  int size_ = 0;
};
"""
SOURCE = """#include "list.h"

void List::add(int value) {
  values_[size_] = value;
  /* ravel: 1 */
  ++size_;
}
"""
MAIN = """#include <cstdio>
#include <thread>
#include "list.h"

int main() {
  List list;
  std::thread adds([&] { list.add(1); });
  bool empty = false;
  std::thread asks([&] { empty = list.is_empty(); });
  adds.join();
  asks.join();
  std::printf("empty: %d\\n", empty);
}
"""
MAKEFILE = """CXX = c++
prog: list.o main.o
\t$(CXX) -pthread $^ -o $@
%.o: %.cpp
\t$(CXX) -std=c++17 -g -pthread -c $< -o $@
"""
# The list is asked whether it is empty after the element was put there and before it is counted.
ACTIONS = """at list.cpp List::add 1                      wait("asked")
at list.h List::is_empty access 1 of size_   after notify("asked") for T2
expect race at list.cpp List::add access 2 of size_ and list.h:6
"""


class Weave(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="ravel-weave-")
        self.addCleanup(shutil.rmtree, self.directory, ignore_errors=True)
        for name, text in (("list.h", HEADER), ("list.cpp", SOURCE), ("main.cpp", MAIN), ("Makefile", MAKEFILE)):
            self.path(name).write_text(text)

    def path(self, *names):
        return pathlib.Path(self.directory, *names)

    def run_tool(self, *words, code=0, environment=None):
        done = subprocess.run(list(map(str, words)), cwd=self.directory, capture_output=True, text=True, timeout=200,
                              env={**os.environ, **(environment or {})})
        self.assertEqual(done.returncode, code, f"{words}\n{done.stdout}\n{done.stderr}")
        return done.stdout + done.stderr

    def race_test(self, name, text):
        self.path("races", name).mkdir(parents=True, exist_ok=True)
        self.path("races", name, "race.txt").write_text(text)

    def weave(self, code=0):
        return self.run_tool(RAVEL, "weave", "--tests", "races", "--compile-commands", "commands.json", "--out", "woven",
                             code=code)

    def capture(self):
        self.run_tool(RAVEL, "weave", "--capture", "commands.json", "--", "make")

    def build_woven(self, compiler, program):
        """Compiles what has a copy as the list says, and the rest as it is."""
        commands = {one["file"]: one for one in json.loads(self.path("commands.json").read_text())}
        copies = {one["file"]: one for one in json.loads(self.path("woven/compile_commands.json").read_text())}
        objects = []
        for file, command in commands.items():
            copy = copies.get(str(self.path("woven")) + file)
            words = list((copy or command)["arguments"])
            target = self.path(pathlib.Path(file).stem + ".woven.o")
            words[words.index("-o") + 1] = str(target)
            self.run_tool(*compiler, *words[1:])
            objects.append(target)
        self.run_tool(*compiler, "-pthread", *objects, SYNC, "-o", program)

    def test_a_build_is_watched(self):
        self.capture()
        commands = json.loads(self.path("commands.json").read_text())
        self.assertEqual(sorted(pathlib.Path(one["file"]).name for one in commands), ["list.cpp", "main.cpp"])
        self.assertIn("-std=c++17", commands[0]["arguments"])
        self.assertTrue(self.path("prog").exists())
        self.assertIn("compiled nothing", self.run_tool(RAVEL, "weave", "--capture", "again.json", "--", "make", code=2))
        for name in ("list.o", "main.o"):
            self.path(name).unlink()
        by_path = f"CXX={shutil.which('c++')}"
        self.assertIn("full path", self.run_tool(RAVEL, "weave", "--capture", "x.json", "--", "make", by_path, code=2))
        self.assertFalse(self.path("x.json").exists())
        self.assertIn("build failed", self.run_tool(RAVEL, "weave", "--capture", "x.json", "--", "false", code=2))

    def test_the_order_is_forced_and_the_race_is_still_reported(self):
        self.capture()
        self.race_test("list_add", ACTIONS)
        before = {name: self.path(name).read_bytes() for name in ("list.h", "list.cpp", "main.cpp")}
        self.assertIn("2 actions", self.weave())
        woven = json.loads(self.path("woven/race-tests.json").read_text())["tests"][0]
        self.assertEqual((woven["name"], len(woven["actions"]), woven["expect"]["kind"]), ("list_add", 2, "data-race"))
        self.assertEqual(woven["actions"][0]["line"], 5)
        self.assertEqual(before, {name: self.path(name).read_bytes() for name in before}, "sources are never written")
        self.build_woven([RAVEL, "c++"], "woven_prog")
        chosen = {"RAVEL_RACE_TEST": "list_add"}
        for seed in range(1, 11):
            text = self.run_tool(RAVEL, "run", "--executions", 1, "--strategy", "random", "--seed", seed, "--expect",
                                 "data-race", "--no-verify", "--", "./woven_prog", environment=chosen)
            self.assertIn("list.h:6", text)
            self.assertIn("list.cpp:6", text, "lines are the user's own")
        for _ in range(20):
            self.assertEqual(self.run_tool("./woven_prog", environment=chosen), "empty: 1\n")
        self.assertIn("empty:", self.run_tool("./woven_prog"))

    def test_what_was_woven_before_is_replaced_as_a_whole(self):
        self.capture()
        self.race_test("list_add", ACTIONS)
        self.weave()
        copies = str(self.path("woven")) + self.directory
        header = pathlib.Path(copies, "list.h")
        before = header.read_text()
        self.assertIn("ravel_sync", before)
        self.race_test("list_add", ACTIONS + 'at list.cpp List::add 9 notify("x")\n')
        self.weave(code=2)
        self.assertEqual(header.read_text(), before, "a failed weaving changes nothing")
        self.race_test("list_add", 'at list.cpp List::add 1 notify("put")\n')
        self.weave()
        self.assertFalse(header.exists(), "it is no longer woven")
        self.assertEqual(sorted(one.name for one in pathlib.Path(copies).iterdir()), ["list.cpp"])

    def test_options_that_do_not_belong_together(self):
        for words in (["--capture", "x", "--tests", "y", "--", "make"], ["--tests", "y", "--out", "z", "--", "make"],
                      ["--out", "z"], ["--capture", "x"]):
            with self.subTest(words):
                self.assertTrue(self.run_tool(RAVEL, "weave", *words, code=2).startswith("ravel: "))

    def test_mistakes_get_a_sentence_with_file_and_line(self):
        self.capture()
        for actions, expected in (
                ('at list.cpp List::add 7   notify("x")\n', "race.txt:1"),
                ('at list.cpp List::ad 1   notify("x")\n', "List::add"),
                ('at nowhere.cpp f 1   notify("x")\n', "nowhere.cpp"),
                ('at list.cpp List::add 1   notify("x") if nobody > 3\n', "nobody"),
                ('at list.cpp List::add 1   wait("never")\n', "never"),
                ('at list.cpp List::add 1   dance("x")\n', "race.txt:1")):
            with self.subTest(actions):
                self.race_test("bad", actions)
                text = self.weave(code=2)
                self.assertTrue(text.startswith("ravel: "), text)
                self.assertIn(expected, text)
                self.assertFalse(self.path("woven/race-tests.json").exists(), "nothing half-written")


if __name__ == "__main__":
    unittest.main()
