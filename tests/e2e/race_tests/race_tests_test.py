#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`ravel test` as a user sees it: a race is hunted, the test fails while it is there, and passes when it is fixed, under
every detector. RAVEL names the tool."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

RAVEL = pathlib.Path(os.environ.get("RAVEL", "build/bin/ravel")).resolve()
SYNC = RAVEL.parent.parent / "lib/libravel_sync.a"

HEADER = """#pragma once
#include <atomic>
#include <mutex>
class List {
 public:
  void add(int value);
  bool is_empty() const;

 private:
  int values_[16] = {};
#ifdef ATOMIC
  std::atomic<int> size_{0};
#else
  int size_ = 0;
#endif
#ifdef LOCKED
  mutable std::mutex mutex_;
#endif
};
"""
SOURCE = """#include "list.h"
#include <cassert>
#include <cstring>
#include <thread>

void List::add(int value) {
#ifdef LOCKED
  std::lock_guard<std::mutex> lock(mutex_);
#endif
  values_[size_] = value;
  /* ravel: 1 */
  ++size_;
}

bool List::is_empty() const {
#ifdef LOCKED
  std::lock_guard<std::mutex> lock(mutex_);
#endif
  return size_ ==
         0;
}

int unrelated() {
  return 1;
}

int main(int argc, char** argv) {
  if (argc < 3 || std::strcmp(argv[1], "own") != 0) return 9;
  List list;
  bool empty = false;
  std::thread adds([&] { list.add(1); });
  std::thread asks([&] { empty = list.is_empty(); });
  adds.join();
  asks.join();
  if (std::strcmp(argv[2], "check this") == 0) assert(!empty);
  return unrelated() == 1 ? 0 : 8;
}
"""
RACE = """# the list is asked whether it is empty while the first element is added
run race
at list.cpp List::add access 1 of values_      notify("adding")
at list.cpp List::is_empty access 1 of size_   wait("adding")
at list.cpp List::add 1                        wait("asked")
at list.cpp List::is_empty access 1 of size_   after notify("asked")
expect race at list.cpp List::add access 2 of size_ and list.cpp List::is_empty access 1 of size_
"""
# Whoever has the lock first waits for the other.
NOBODY = 'test list_add waits for "(asked" at list.cpp:11|adding" at list.cpp:19), which was never notified'
CHECK = RACE.replace("run race", 'run "check this"')[:-len(RACE.splitlines()[-1]) - 1]


class RaceTests(unittest.TestCase):
    def setUp(self):
        self.directory = os.path.realpath(tempfile.mkdtemp(prefix="ravel-race-tests-"))
        self.addCleanup(shutil.rmtree, self.directory, ignore_errors=True)
        self.path("list.h").write_text(HEADER)
        self.path("list.cpp").write_text(SOURCE)
        self.path("commands.json").write_text(json.dumps([{
            "directory": self.directory, "file": "list.cpp",
            "arguments": ["c++", "-std=c++17", "-g", "-pthread", "-c", "list.cpp", "-o", "list.o"]}]))

    def path(self, *names):
        return pathlib.Path(self.directory, *names)

    def run_tool(self, *words, code=0, environment=None):
        clean = {key: value for key, value in os.environ.items() if not key.startswith(("RAVEL_", "TSAN_"))}
        done = subprocess.run(list(map(str, words)), cwd=self.directory, capture_output=True, text=True, timeout=300,
                              env={**clean, **(environment or {})})
        self.assertEqual(done.returncode, code, f"{words}\n{done.stdout}\n{done.stderr}")
        return done.stdout + done.stderr

    def weave(self, tests, code=0):
        shutil.rmtree(self.path("races"), ignore_errors=True)
        for name, text in tests.items():
            self.path("races", name).mkdir(parents=True)
            self.path("races", name, "race.txt").write_text(text)
        return self.run_tool(RAVEL, "weave", "--tests", "races", "--compile-commands", "commands.json", "--out", "woven",
                             code=code)

    def build(self, name, compiler, *options):
        """The woven program, with the list of its tests next to it."""
        command = json.loads(self.path("woven/compile_commands.json").read_text())[0]
        words = [word for word in command["arguments"][1:] if word not in ("-c", "-o", "list.o")]
        self.run_tool(*compiler, *words, *options, SYNC, "-o", name)
        shutil.copy(self.path("woven/race-tests.json"), self.path(name + ".race-tests.json"))

    def ravel_test(self, program, *options, code=0):
        """`ravel test OPTIONS -- PROGRAM own`: what it printed, and its tests by name."""
        text = self.run_tool(RAVEL, "test", "--json", "out.json", *options, "--", "./" + program, "own", code=code)
        self.summary = json.loads(self.path("out.json").read_text())
        return text, {one["name"]: one for one in self.summary["tests"]}

    # -- under Ravel

    def test_hunting_regression_and_fix(self):
        self.weave({"list_add": RACE, "list_check": CHECK})
        self.build("racy", [RAVEL, "c++"])
        text, tests = self.ravel_test("racy", "--hunt", "--repeat", 100)
        for name in ("list_add", "list_check"):
            self.assertEqual((tests[name]["repeats"], tests[name]["reported"], tests[name]["passed"]), (100, 100, True))
        self.assertIn("reported in 100 of 100", text)
        self.assertIn("failed in 100 of 100", text)
        self.assertEqual(self.summary["executions"], 200)

        text, tests = self.ravel_test("racy", "--repeat", 5, code=1)
        self.assertFalse(tests["list_add"]["passed"])
        for words in ("FAILED", "data-race", "list.cpp:12 (List::add(int))", "list.cpp:19 (List::is_empty() const)",
                      "ravel replay .ravel/list_add/1-data-race.ravel"):
            self.assertIn(words, text)
        self.assertIn("assertion", tests["list_check"]["message"])
        self.assertEqual(tests["list_check"]["expected"], None)
        finding = next(one for one in self.summary["findings"] if one["test"] == "list_add")
        self.assertEqual(finding["kind"], "data-race")
        self.assertTrue(finding["replayed"])
        # The schedule knows its test: it need not be named again.
        schedule = tests["list_add"]["schedule"]
        self.assertIn("race-test=list_add", self.path(schedule).read_text())
        self.assertIn("list.cpp:12", self.run_tool(RAVEL, "replay", schedule, code=1))
        self.run_tool(RAVEL, "explain", schedule, code=1)
        self.run_tool(RAVEL, "shrink", schedule, code=1)

        # Fixed so that the order is still possible, but there is no race any more.
        self.build("atomic", [RAVEL, "c++"], "-DATOMIC")
        _, tests = self.ravel_test("atomic", "--test", "list_add")
        self.assertEqual((tests["list_add"]["reported"], tests["list_add"]["impossible"]), (0, 0))
        text, tests = self.ravel_test("atomic", "--test", "list_add", "--hunt", code=1)
        self.assertIn("in 10 of 10 nothing was reported", text)

        # Fixed so that the order is not possible: not a failure, but it is reported.
        self.build("locked", [RAVEL, "c++"], "-DLOCKED")
        text, tests = self.ravel_test("locked")
        for name in ("list_add", "list_check"):
            self.assertEqual((tests[name]["reported"], tests[name]["impossible"], tests[name]["passed"]), (0, 10, True))
        self.assertRegex(text, NOBODY)
        text, tests = self.ravel_test("locked", "--hunt", code=1)
        self.assertFalse(tests["list_add"]["passed"])
        self.assertRegex(tests["list_add"]["message"], NOBODY)

    def test_what_else_is_found_fails_a_regression_test(self):
        # A race other than the one the test is about; and a kind that does not occur.
        self.weave({"elsewhere": RACE.replace("list.cpp List::is_empty access 1 of size_\n", "list.cpp:33\n"),
                    "dead": RACE.replace(RACE.splitlines()[-1], "expect deadlock"),
                    "anywhere": RACE.replace(RACE.splitlines()[-1], "expect data-race")})
        self.build("racy", [RAVEL, "c++"])
        text, tests = self.ravel_test("racy", "--repeat", 3, code=1)
        for name in ("elsewhere", "dead"):
            self.assertEqual((tests[name]["reported"], tests[name]["others"], tests[name]["passed"]), (0, 3, False), name)
            self.assertIn("something else: data-race", tests[name]["message"])
        self.assertEqual(tests["anywhere"]["reported"], 3)
        _, tests = self.ravel_test("racy", "--repeat", 3, "--hunt", code=1)
        self.assertEqual({name: one["passed"] for name, one in tests.items()},
                         {"elsewhere": False, "dead": False, "anywhere": True})

    # -- other detectors

    def hunted_and_fixed(self, detector, compiler, *places):
        self.weave({"list_add": RACE})
        self.build("racy", compiler)
        text, tests = self.ravel_test("racy", "--detector", detector, "--hunt", "--repeat", 3)
        self.assertEqual((tests["list_add"]["reported"], tests["list_add"]["passed"]), (3, True), text)
        text, tests = self.ravel_test("racy", "--detector", detector, "--repeat", 2, code=1)
        for place in places:
            self.assertIn(place, text)
        self.assertIsNone(self.summary["strategy"])
        self.build("locked", compiler, "-DLOCKED")
        text, tests = self.ravel_test("locked", "--detector", detector, "--repeat", 1)
        self.assertEqual((tests["list_add"]["reported"], tests["list_add"]["impossible"]), (0, 1), text)
        self.assertRegex(text, NOBODY)

    def test_thread_sanitizer(self):
        self.hunted_and_fixed("tsan", ["g++", "-fsanitize=thread"], "list.cpp:12", "list.cpp:19")
        # What the test is about is not what else may be wrong; and the user's own options count.
        self.weave({"list_check": CHECK})
        self.build("racy", ["g++", "-fsanitize=thread"])
        self.path("quiet.supp").write_text("race:List::add\n")
        text = self.run_tool(RAVEL, "test", "--detector", "tsan", "--repeat", 1, "--", "./racy", "own", code=1,
                             environment={"TSAN_OPTIONS": "suppressions=" + str(self.path("quiet.supp"))})
        self.assertNotIn("data-race", text)
        self.assertIn("assertion `!empty` failed", text)

    def test_helgrind(self):
        self.hunted_and_fixed("helgrind", ["g++"], "list.cpp:12", "list.cpp:19")

    def test_drd(self):
        # It names only one of the two accesses.
        self.hunted_and_fixed("drd", ["g++"], "list.cpp:12")

    def test_a_detector_that_cannot_see_the_program_is_an_error(self):
        self.weave({"list_add": RACE})
        self.build("plain", ["g++"])
        self.build("tsan", ["g++", "-fsanitize=thread"])
        self.build("ours", [RAVEL, "c++"])
        for program, detector, words in (("plain", "ravel", "not built with -fsanitize=thread"),
                                         ("plain", "tsan", "not built with -fsanitize=thread"),
                                         ("ours", "tsan", "ThreadSanitizer did not start"),
                                         ("tsan", "helgrind", "valgrind cannot run such programs"),
                                         ("tsan", "drd", "valgrind cannot run such programs")):
            with self.subTest(program + " " + detector):
                text = self.run_tool(RAVEL, "test", "--detector", detector, "--", "./" + program, "own", code=2)
                self.assertTrue(text.startswith("ravel: "), text)
                self.assertIn(words, text)
        text = self.run_tool(RAVEL, "test", "--detector", "drd", "--", "./plain", "own", code=2,
                             environment={"PATH": "/nowhere"})
        self.assertIn("valgrind is not installed", text)

    # -- which tests

    def git(self, *words):
        self.run_tool("git", "-c", "user.name=x", "-c", "user.email=x@y", *words)

    def test_those_first_that_a_change_is_about(self):
        self.weave({"a_other": 'run x\nat list.cpp:24 notify("x")\n', "list_add": RACE, "z_new": RACE})
        self.path(".gitignore").write_text("woven\n.ravel\n*.json\nracy\nout*\n")
        shutil.move(self.path("races/z_new"), self.path("z_new"))
        self.git("init", "-q")
        self.git("add", "-A")
        self.git("reset", "-q", "z_new")
        self.git("commit", "-q", "-m", "one")
        shutil.move(self.path("z_new"), self.path("races/z_new"))
        # Only a line that names the variable, in no function of a point.
        self.path("list.h").write_text(HEADER.replace("int size_ = 0;", "int size_ = 0;  // elements"))
        self.build("racy", [RAVEL, "c++"])
        text, tests = self.ravel_test("racy", "--changed", "HEAD", "--repeat", 1, code=1)
        self.assertEqual(list(tests), ["list_add", "z_new", "a_other"], "all run, the others afterwards")
        self.assertIn("list_add runs first: a line with size_ has changed (list.h:14)", text)
        self.assertIn("z_new runs first: its own files have changed", text)
        self.assertNotIn("a_other runs first", text)
        # Another statement of a function that has a point.
        self.path("list.h").write_text(HEADER)
        self.path("list.cpp").write_text(SOURCE.replace("return 1;", "return 2 - 1;"))
        text, tests = self.ravel_test("racy", "--changed", "HEAD", "--repeat", 1, code=1)
        self.assertEqual(list(tests), ["a_other", "z_new", "list_add"])
        self.assertIn("a_other runs first: unrelated has changed (list.cpp:24)", text)
        self.assertEqual(tests["a_other"]["first_because"], "unrelated has changed (list.cpp:24)")
        text = self.run_tool(RAVEL, "test", "--changed", "nobody", "--", "./racy", code=2)
        self.assertIn("git does not know the revision nobody", text)
        shutil.rmtree(self.path(".git"))
        text = self.run_tool(RAVEL, "test", "--changed", "HEAD", "--", "./racy", code=2,
                             environment={"GIT_CEILING_DIRECTORIES": os.path.dirname(self.directory)})
        self.assertIn("not in a git repository", text)

    # -- files and mistakes

    def test_where_the_list_is(self):
        self.weave({"list_add": RACE})
        self.build("racy", [RAVEL, "c++"])
        self.path("racy.race-tests.json").unlink()
        missing = self.run_tool(RAVEL, "test", "--", "./racy", "own", code=2)
        self.assertIn("no list of race tests next to", missing)
        for woven in ("woven", "woven/race-tests.json"):
            self.run_tool(RAVEL, "test", "--hunt", "--repeat", 1, "--woven", woven, "--", "./racy", "own")
        shutil.copy(self.path("woven/race-tests.json"), self.path("race-tests.json"))
        self.run_tool(RAVEL, "test", "--hunt", "--repeat", 1, "--junit", "out.xml", "--quiet", "--", "./racy", "own")
        suite = xml.etree.ElementTree.parse(self.path("out.xml")).getroot()
        self.assertEqual((suite.get("tests"), suite.get("failures")), ("1", "0"))
        self.run_tool(RAVEL, "test", "--repeat", 1, "--junit", "out.xml", "--", "./racy", "own", code=1)
        suite = xml.etree.ElementTree.parse(self.path("out.xml")).getroot()
        self.assertIn("list.cpp:12", suite.find(".//failure").get("message"))

    def test_usage_errors(self):
        self.path("prog.cpp").write_text("int main() {}\n")
        self.run_tool("g++", "prog.cpp", "-o", "prog")
        self.path("empty").mkdir()
        self.path("empty/race-tests.json").write_text('{"ravel_race_tests": 1, "tests": []}')
        self.path("bad.json").write_text('{"ravel_race_tests": 1, "tests": [{"name": 3}]}')
        self.path("text.json").write_text("nothing")
        one = {"name": "a", "file": "/x/race.txt", "arguments": [], "actions": [], "expect": None}
        self.path("one.json").write_text(json.dumps({"ravel_race_tests": 1, "tests": [one]}))
        for words, expected in (([], "no program is given"),
                                (["--", "./nowhere"], "nowhere"),
                                (["--woven", "absent", "--", "./prog"], "absent"),
                                (["--woven", "empty", "--", "./prog"], "has no tests"),
                                (["--woven", "bad.json", "--", "./prog"], "is not a list of race tests"),
                                (["--woven", "text.json", "--", "./prog"], "is not a list of race tests"),
                                (["--woven", "one.json", "--test", "b", "--", "./prog"], "has no test b"),
                                (["--repeat", "0", "--", "./prog"], "--repeat"),
                                (["--detector", "eyes", "--", "./prog"], "--detector"),
                                (["--timeout", "soon", "--", "./prog"], "--timeout"),
                                (["--wait-limit", "x", "--", "./prog"], "--wait-limit"),
                                (["--woven", "one.json", "--out", "prog", "--", "./prog"], "prog")):
            with self.subTest(words):
                text = self.run_tool(RAVEL, "test", *words, code=2)
                self.assertTrue(text.startswith("ravel: "), text)
                self.assertIn(expected, text)

    def test_a_wrong_expectation_is_told_at_weaving(self):
        last = RACE.splitlines()[-1]
        for wrong, expected in (("expect race at list.cpp List::add access 9 of size_ and list.cpp:19", "not 9"),
                                ("expect race at list.cpp List::ad 1 and list.cpp:19", "List::add"),
                                ("expect race at list.cpp:999 and list.cpp:19", "no line 999"),
                                ("expect race at nowhere.cpp:1 and list.cpp:19", "nowhere.cpp")):
            with self.subTest(wrong):
                text = self.weave({"list_add": RACE.replace(last, wrong)}, code=2)
                self.assertIn("race.txt:7: ", text)
                self.assertIn(expected, text)
                self.assertFalse(self.path("woven/race-tests.json").exists())

    def test_the_list_has_every_place(self):
        self.weave({"list_add": RACE})
        (one,) = json.loads(self.path("woven/race-tests.json").read_text())["tests"]
        self.assertEqual(one["arguments"], ["race"])
        self.assertEqual([(place["line"], place["last_line"], place["function"]) for place in one["expect"]["places"]],
                         [(12, 12, "List::add"), (19, 20, "List::is_empty")])
        self.assertEqual([(place["line"], place["last_line"]) for place in one["actions"]], [(10, 10), (19, 20), (11, 12), (19, 20)])
        self.assertEqual((one["actions"][2]["function_line"], one["actions"][2]["function_last_line"]), (6, 13))


if __name__ == "__main__":
    unittest.main()
