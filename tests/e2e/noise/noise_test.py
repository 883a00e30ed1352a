#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`ravel noise` as a user sees it: what fails is found and counted, what is right never fails. RAVEL names the tool."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

RAVEL = str(pathlib.Path(os.environ.get("RAVEL", "build/bin/ravel")).resolve())

PROGRAM = """
#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>
int counter;
std::atomic<int> order;
std::mutex a, b;
std::condition_variable changed;
bool ready, go_on;
void add() { for (int i = 0; i < 4; ++i) { int old = counter; counter = old + 1; } }
void add_locked() { for (int i = 0; i < 20; ++i) { std::lock_guard hold(a); ++counter; } }
void first() { std::lock_guard x(a); std::lock_guard y(b); ++counter; }
void second() { std::lock_guard x(b); std::lock_guard y(a); ++counter; }
void say(const char* word) { std::lock_guard hold(a); std::printf("%s\\n", word); }
void wait_for_ready() {
  std::unique_lock hold(a);
  while (!ready) changed.wait(hold);
}
void make_ready() { { std::lock_guard hold(a); ready = true; } changed.notify_all(); }
template <typename F, typename G> void both(F f, G g) { std::thread t(f), u(g); t.join(); u.join(); }
int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  if (!strcmp(what, "correct")) { both(add_locked, add_locked); assert(counter == 40); both(wait_for_ready, make_ready); }
  if (!strcmp(what, "lost")) { both(add, add); assert(counter == 8); }
  if (!strcmp(what, "deadlock")) both(first, second);
  if (!strcmp(what, "standstill")) std::thread(wait_for_ready).join();
  if (!strcmp(what, "quiet race")) both([] { counter = 1; }, [] { counter = 2; });
  if (!strcmp(what, "exit")) { both(add, add); return counter == 8 ? 0 : 3; }
  if (!strcmp(what, "always")) { both(add_locked, add_locked); return 7; }
  if (!strcmp(what, "hang")) both([] { for (;;) std::this_thread::sleep_for(std::chrono::milliseconds(1)); }, add_locked);
  if (!strcmp(what, "crash")) both([] { std::this_thread::yield(); *(volatile int*)8 = 1; }, add_locked);
  if (!strcmp(what, "order")) both([] { say("one"); }, [] { say("two"); });
  if (!strcmp(what, "plain")) std::printf("no threads\\n");
  return 0;
}
"""


class Noise(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.mkdtemp(prefix="ravel-noise-")
        cls.addClassCleanup(shutil.rmtree, cls.directory, ignore_errors=True)
        pathlib.Path(cls.directory, "prog.cpp").write_text(PROGRAM)
        subprocess.run([RAVEL, "c++", "-g", "-O1", "-std=c++17", "-pthread", "-o", "prog", "prog.cpp"],
                       cwd=cls.directory, check=True)

    def setUp(self):
        self.out = tempfile.mkdtemp(prefix="out-", dir=self.directory)

    def noise(self, *words, code=0, what=None):
        """Runs `ravel noise WORDS -- ./prog WHAT`; returns its text and its JSON."""
        summary = pathlib.Path(self.out, "summary.json")
        summary.unlink(missing_ok=True)
        command = [RAVEL, "noise", "--out", self.out, "--json", str(summary), *map(str, words)]
        if what is not None:
            command += ["--", "./prog", what]
        done = subprocess.run(command, cwd=self.directory, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=280)
        self.assertEqual(done.returncode, code, f"{command}\n{done.stdout}\n{done.stderr}")
        return done.stdout + done.stderr, json.loads(summary.read_text()) if summary.exists() else None

    def replays(self, finding, kind):
        """The schedule of a finding is one that the ordinary commands take."""
        self.assertTrue(finding["schedule"], finding)
        for command, expected in (("replay", kind), ("explain", "T1")):
            done = subprocess.run([RAVEL, command, finding["schedule"]], cwd=self.directory, capture_output=True,
                                  text=True, timeout=120)
            self.assertIn(expected, done.stdout, done.stderr)

    def test_a_correct_program_never_fails(self):
        text, summary = self.noise("--runs", 50, what="correct")
        self.assertEqual((summary["runs"], summary["failures"], summary["findings"]), (50, 0, []))
        self.assertIn("0 of 50 runs failed", text)
        self.assertEqual(summary["interval"][0], 0)
        self.assertGreater(sum(summary["noises"].values()), 0)
        self.assertGreater(summary["coverage"]["methods"][0], 0)

    def test_a_program_without_threads(self):
        _, summary = self.noise("--runs", 3, what="plain")
        self.assertEqual((summary["runs"], summary["failures"]), (3, 0))

    def test_a_lost_update_is_found_replayed_and_explained(self):
        text, summary = self.noise("--runs", 100, code=1, what="lost")
        finding = summary["findings"][0]
        self.assertEqual(finding["kind"], "assertion")
        self.assertIn("counter == 8", finding["message"])
        self.assertEqual(summary["failures"], sum(one["count"] for one in summary["findings"]))
        self.assertTrue(finding["reproduction"]["came_back"], text)
        self.replays(finding, "assertion")

    def test_races_of_runs_that_pass(self):
        _, summary = self.noise("--runs", 10, "--noise", "sleep:0", code=0, what="quiet race")
        self.assertEqual(summary["findings"], [])
        text, summary = self.noise("--runs", 10, "--races", "--noise", "sleep:0", code=1, what="quiet race")
        self.assertEqual(summary["failures"], 0)
        self.assertEqual([one["kind"] for one in summary["findings"]], ["data-race"])
        self.assertIn("near the record of a run that passed", text)
        self.replays(summary["findings"][0], "data-race")
        _, summary = self.noise("--runs", 10, "--races", what="correct")
        self.assertGreater(summary["race_executions"], 0)

    def test_a_deadlock_is_told_at_once(self):
        text, summary = self.noise("--runs", 100, "--stop-on-failure", "--timeout", "20s", code=1, what="deadlock")
        self.assertLess(summary["seconds"], 20)
        finding = summary["findings"][0]
        self.assertEqual(finding["kind"], "deadlock")
        self.assertTrue(finding["reproduction"]["came_back"], text)
        self.replays(finding, "deadlock")

    def test_nobody_notifies(self):
        _, summary = self.noise("--runs", 1, "--timeout", "20s", code=1, what="standstill")
        self.assertLess(summary["seconds"], 10)
        self.assertEqual(summary["findings"][0]["kind"], "deadlock")

    def test_exit_codes(self):
        _, summary = self.noise("--runs", 100, code=1, what="exit")
        self.assertEqual({one["kind"] for one in summary["findings"]}, {"exit-code"})
        _, summary = self.noise("--runs", 5, code=1, what="always")
        self.assertEqual((summary["failures"], summary["failure_rate"]), (5, 1.0))

    def test_a_hang_names_where_everybody_is(self):
        text, summary = self.noise("--runs", 1, "--timeout", "500ms", "--no-record", code=1, what="hang")
        self.assertEqual(summary["findings"][0]["kind"], "timeout")
        self.assertIn("T0 waits for T1 to end", text)
        self.assertIn("--no-record", text)

    def test_a_crash(self):
        _, summary = self.noise("--runs", 2, code=1, what="crash")
        self.assertEqual((summary["findings"][0]["kind"], summary["findings"][0]["count"]), ("signal", 2))

    def test_outputs_are_compared(self):
        pathlib.Path(self.out, "expected").write_text("one\ntwo\n")
        _, summary = self.noise("--runs", 60, "--expect-output", f"{self.out}/expected", code=1, what="order")
        self.assertEqual(summary["findings"][0]["kind"], "wrong-output")
        self.assertIn("line 1", summary["findings"][0]["detail"])
        self.assertGreater(summary["runs"], summary["failures"], "the usual order is the expected one")
        _, summary = self.noise("--runs", 5, "--same-output", what="plain")
        self.assertEqual(summary["failures"], 0)

    def test_an_oracle_judges(self):
        _, summary = self.noise("--runs", 60, "--oracle", "test \"$(head -1)\" = one", code=1, what="order")
        self.assertIn("the oracle ended with exit code 1", summary["findings"][0]["message"])
        self.noise("--runs", 2, "--oracle", "grep -q threads && test \"$RAVEL_EXIT_CODE\" = 0", what="plain")

    def test_the_control_arm_has_no_noise(self):
        text, summary = self.noise("--runs", 20, "--control", what="correct")
        self.assertEqual((summary["runs"], summary["control"]["runs"], summary["control"]["failures"]), (20, 20, 0))
        self.assertIn("without noise: 0 of 20 runs failed", text)

    def test_given_probabilities_are_used(self):
        _, summary = self.noise("--runs", 5, "--noise", "yield:0.5", what="correct")
        self.assertGreater(summary["noises"]["yield"], 0)
        self.assertEqual(sum(summary["noises"].values()), summary["noises"]["yield"])
        _, summary = self.noise("--runs", 5, "--noise", "sleep:0", what="correct")
        self.assertEqual(sum(summary["noises"].values()), 0)

    def test_coverage_accumulates_and_stops_the_runs(self):
        text, summary = self.noise("--runs", 300, "--until-coverage", "30%", "--coverage", what="correct")
        self.assertLess(summary["runs"], 300)
        covered, tasks = summary["coverage"]["methods"]
        self.assertGreaterEqual(covered / tasks, 0.3)
        self.assertIn("add_locked()", text)
        _, again = self.noise("--runs", 1, what="correct")
        self.assertGreaterEqual(again["coverage"]["methods"][0], covered)

    def test_a_library_that_is_opened_later_has_names(self):
        pathlib.Path(self.out, "plugin.cpp").write_text("""
            #include <cassert>
            #include <thread>
            static int sum;
            static void add_in_plugin() { for (int i = 0; i < 4; ++i) { int old = sum; sum = old + 1; } }
            extern "C" void work() {
              std::thread one(add_in_plugin), two(add_in_plugin);
              one.join();
              two.join();
              assert(sum == 8);
            }""")
        pathlib.Path(self.out, "opener.cpp").write_text("""
            #include <dlfcn.h>
            int main(int, char** arguments) {
              void* library = dlopen(arguments[1], RTLD_NOW);
              reinterpret_cast<void (*)()>(dlsym(library, "work"))();
            }""")
        for words in (["-shared", "-fPIC", "plugin.cpp", "-o", "plugin.so"], ["opener.cpp", "-o", "opener"]):
            subprocess.run([RAVEL, "c++", "-g", "-O1", "-std=c++17", "-pthread", *words], cwd=self.out, check=True)
        done = subprocess.run([RAVEL, "noise", "--runs", "40", "--coverage", "--", "./opener", "./plugin.so"],
                              cwd=self.out, capture_output=True, text=True, timeout=200)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("add_in_plugin()", done.stdout)
        self.assertIn("plugin.cpp:", done.stdout)

    def test_functions_that_no_run_comes_to_are_listed(self):
        text, summary = self.noise("--runs", 2, "--coverage", what="correct")
        self.assertIn("second()", summary["coverage"]["unreached"])
        self.assertNotIn("add_locked()", summary["coverage"]["unreached"])
        self.assertRegex(text, r"second\(\) +never reached")

    def test_code_without_names_is_left_out_of_coverage(self):
        pathlib.Path(self.out, "bare.cpp").write_text("""
            #include <pthread.h>
            static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
            static void* work(void*) { pthread_mutex_lock(&mutex); pthread_mutex_unlock(&mutex); return nullptr; }
            int main() {
              pthread_t one, two;
              pthread_create(&one, nullptr, work, nullptr);
              pthread_create(&two, nullptr, work, nullptr);
              pthread_join(one, nullptr);
              pthread_join(two, nullptr);
            }""")
        subprocess.run(["c++", "-s", "-pthread", "bare.cpp", "-o", "bare"], cwd=self.out, check=True)
        done = subprocess.run([RAVEL, "noise", "--runs", "5", "--coverage", "--", "./bare"], cwd=self.out,
                              capture_output=True, text=True, timeout=200)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("code without names", done.stdout)
        self.assertNotIn("??", done.stdout)

    def test_junit(self):
        report = pathlib.Path(self.out, "junit.xml")
        self.noise("--runs", 2, "--junit", report, code=1, what="always")
        suite = xml.etree.ElementTree.parse(report).getroot().find("testsuite")
        self.assertEqual((suite.get("tests"), suite.get("failures")), ("1", "1"))
        self.assertEqual(suite.find("testcase/failure").get("type"), "exit-code")
        self.noise("--runs", 2, "--junit", report, what="plain")
        suite = xml.etree.ElementTree.parse(report).getroot().find("testsuite")
        self.assertEqual((suite.get("tests"), suite.get("failures")), ("1", "0"))

    def test_several_at_a_time_and_a_limit_of_time(self):
        _, summary = self.noise("--time", "1s", "--jobs", 3, what="correct")
        self.assertGreater(summary["runs"], 3)
        self.assertLess(summary["seconds"], 20)

    def test_bad_input_gets_one_sentence(self):
        pathlib.Path(self.out, "damaged").write_text("{")
        for words in (["--noise", "slep"], ["--noise", "sleep:2"], ["--runs", "0"], ["--until-coverage", "200%"],
                      ["--until-coverage", "x"], ["--longest", "-1s"], ["--jobs", "0"], ["--bad"], ["--races", "--no-record"],
                      ["--expect-output", "/nowhere/at/all"], ["--expect-output", "prog.cpp", "--same-output"],
                      ["--coverage-file", f"{self.out}/damaged"], ["--out", "prog.cpp"]):
            with self.subTest(words):
                command = [RAVEL, "noise", "--out", self.out, *words, "--", "./prog", "plain"]
                done = subprocess.run(command, cwd=self.directory, capture_output=True, text=True, timeout=60)
                self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
                self.assertTrue(done.stderr.startswith("ravel: "), done.stderr)
                self.assertLessEqual(len(done.stderr.splitlines()), 2, done.stderr)
        self.noise("--runs", 1, code=2)


if __name__ == "__main__":
    unittest.main()
