#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The command line as a user and a script see it: the compiler wrappers with every compiler, options, exit codes, JSON,
replay. RAVEL names the tool."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

RAVEL = str(pathlib.Path(os.environ.get("RAVEL", "build/bin/ravel")).resolve())
COMPILERS = [("gcc", "g++"), ("clang-14", "clang++-14"), ("clang-19", "clang++-19")]

# Two increments that can lose one; with an argument the second task starts after the first has ended.
LOST_UPDATE = """
#include <cassert>
#include <thread>
extern int counter;
void bump();
int main(int argc, char**) {
  std::thread a(bump);
  if (argc > 1) a.join();
  std::thread b(bump);
  if (argc == 1) a.join();
  b.join();
  assert(counter == 2);
}
"""
BUMP = """
int counter = 0;
void bump() { counter++; }
"""
# The check of the pointer and its use are two loads in the source.
CHECK_THEN_USE = """
#include <pthread.h>
struct box { int value; } box = {1};
struct box* pointer = &box;
static void* reader(void* unused) {
  if (pointer) return (void*)(long)pointer->value;
  return unused;
}
static void* writer(void* unused) { pointer = 0; return unused; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, reader, 0);
  pthread_create(&b, 0, writer, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
"""
LOCK_ORDER = """
#include <mutex>
#include <thread>
std::mutex a, b;
int main() {
  std::thread t([] { std::lock_guard x(a); std::lock_guard y(b); });
  std::thread u([] { std::lock_guard x(b); std::lock_guard y(a); });
  t.join();
  u.join();
}
"""


class CommandLine(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="ravel-cli-")
        self.addCleanup(shutil.rmtree, self.directory, ignore_errors=True)
        for name, text in (("main.cpp", LOST_UPDATE), ("bump.cpp", BUMP), ("check.c", CHECK_THEN_USE),
                           ("locks.cpp", LOCK_ORDER)):
            pathlib.Path(self.directory, name).write_text(text)

    def command(self, words, code=0, environment=None, text_in=""):
        done = subprocess.run(list(map(str, words)), cwd=self.directory, input=text_in, capture_output=True, text=True,
                              timeout=120, env={**os.environ, **(environment or {})})
        self.assertEqual(done.returncode, code, f"{words}\n{done.stdout}\n{done.stderr}")
        return done

    def ravel(self, *words, code=0, **more):
        return self.command([RAVEL, *words], code, **more)

    def expect(self, kind, program):
        return self.ravel("run", "--jobs", "1", "--executions", "1000", "--expect", kind, "--", program)

    def each_compiler(self):
        found = [pair for pair in COMPILERS if shutil.which(pair[0]) and shutil.which(pair[1])]
        self.assertTrue(found, "no compiler at all")
        for c, cxx in found:
            with self.subTest(compiler=cxx):
                yield {"RAVEL_CC": c, "RAVEL_CXX": cxx}

    # --- ravel cc, ravel c++

    def test_compile_and_link_in_one_step(self):
        for compiler in self.each_compiler():
            self.ravel("c++", "-pthread", "main.cpp", "bump.cpp", "-o", "prog", environment=compiler)
            self.command(["./prog", "in-order"])  # runs without Ravel too
            self.expect("assertion", "./prog")

    def test_compile_and_link_in_two_steps(self):
        for compiler in self.each_compiler():
            self.ravel("c++", "-O2", "-c", "main.cpp", "-o", "main.o", environment=compiler)
            self.ravel("c++", "-O2", "-c", "bump.cpp", "-o", "bump.o", environment=compiler)
            self.ravel("c++", "main.o", "bump.o", "-pthread", "-o", "prog", environment=compiler)
            self.command(["./prog", "in-order"])
            self.expect("assertion", "./prog")

    def test_shared_library(self):
        for compiler in self.each_compiler():
            self.ravel("c++", "-fPIC", "-shared", "bump.cpp", "-o", "libbump.so", environment=compiler)
            self.ravel("c++", "main.cpp", "-L.", "-lbump", "-Wl,-rpath,.", "-pthread", "-o", "prog", environment=compiler)
            self.command(["./prog", "in-order"])
            self.expect("assertion", "./prog")

    def test_optimisation_does_not_remove_the_bug(self):
        for compiler in self.each_compiler():
            self.ravel("cc", "-O3", "-pthread", "check.c", "-o", "prog", environment=compiler)
            self.expect("signal", "./prog")

    def test_no_other_runtime_is_linked(self):
        for compiler in self.each_compiler():
            self.ravel("c++", "-fsanitize=thread", "-pthread", "main.cpp", "bump.cpp", "-o", "prog", environment=compiler)
            report = self.ravel("doctor", "--", "./prog").stdout
            self.assertIn("sees its synchronisation and its memory accesses", report)

    def test_make_and_cmake(self):
        pathlib.Path(self.directory, "Makefile").write_text(
            "prog: main.o bump.o\n\t$(CXX) -pthread -o $@ $^\n")
        self.command(["make"], environment={"CXX": f"{RAVEL} c++"})
        self.expect("assertion", "./prog")
        pathlib.Path(self.directory, "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.20)\nproject(p CXX)\nfind_package(Threads REQUIRED)\n"
            "add_library(bump SHARED bump.cpp)\nadd_executable(prog main.cpp)\n"
            "target_link_libraries(prog bump Threads::Threads)\n")
        self.command(["cmake", "-B", "out", "."], environment={"CXX": f"{RAVEL} c++"})
        self.command(["cmake", "--build", "out"])
        self.expect("assertion", "./out/prog")

    def test_compiler_errors_pass_through(self):
        pathlib.Path(self.directory, "wrong.cpp").write_text("int main() { return nothing; }\n")
        done = self.ravel("c++", "wrong.cpp", code=1)
        self.assertIn("wrong.cpp:1", done.stderr)
        self.assertFalse(pathlib.Path(self.directory, "a.out").exists())

    def test_missing_compiler(self):
        done = self.ravel("cc", "check.c", code=2, environment={"RAVEL_CC": "no-such-compiler"})
        self.assertIn("cannot start the compiler no-such-compiler", done.stderr)

    def test_static_link_is_refused(self):
        self.assertIn("-static", self.ravel("c++", "-static", "locks.cpp", code=2).stderr)

    # --- run and replay

    def build_locks(self):
        self.command(["g++", "-g", "-std=c++17", "-pthread", "locks.cpp", "-o", "locks"])

    def test_exit_codes_and_expect(self):
        self.build_locks()
        self.ravel("run", "--jobs", "1", "--", "./locks", code=1)
        self.ravel("run", "--jobs", "1", "--strategy", "sequential", "--executions", "20", "--", "./locks", code=0)
        self.ravel("run", "--jobs", "1", "--expect", "deadlock", "--", "./locks", code=0)
        self.ravel("run", "--jobs", "1", "--expect", "signal", "--executions", "20", "--", "./locks", code=1)

    def test_replay_prints_the_same_bytes(self):
        self.build_locks()
        found = self.ravel("run", "--jobs", "1", "--quiet", "--no-shrink", "--", "./locks", code=1)
        schedule = ".ravel/1-deadlock.ravel"
        again = self.ravel("replay", schedule, code=1)
        self.assertEqual(again.stdout, found.stdout)
        often = self.ravel("replay", schedule, "--times", "100", code=1)
        self.assertIn("100 of 100 replays gave the same report.", often.stdout)
        threads = self.ravel("replay", schedule, "--carrier", "thread", code=1)
        self.assertEqual(threads.stdout, found.stdout)
        trace = self.ravel("replay", schedule, "--trace", code=1)
        self.assertIn("T0 create", trace.stdout)

    def test_json_summary(self):
        self.build_locks()
        done = self.ravel("run", "--jobs", "1", "--json", "-", "--", "./locks", code=1)
        summary = json.loads(done.stdout)
        self.assertEqual(summary["command"], "run")
        self.assertEqual(summary["program"], ["./locks"])
        self.assertEqual(summary["carrier"], "fiber")
        self.assertTrue(summary["verified_deterministic"])
        self.assertFalse(summary["complete"])
        self.assertEqual(summary["findings"][0]["kind"], "deadlock")
        self.assertTrue(pathlib.Path(self.directory, summary["findings"][0]["schedule"]).is_file())

    def page_data(self, name):
        page = pathlib.Path(self.directory, name).read_text()
        return json.loads(re.search(r'<script id="ravel-data" type="application/json">(.*?)</script>', page, re.S)[1])

    def test_every_command_writes_the_same_reports(self):
        self.command([RAVEL, "c++", "-g", "main.cpp", "bump.cpp", "-o", "prog", "-pthread"])
        # From another directory than the schedule's: the files are where the user is.
        pathlib.Path(self.directory, "elsewhere").mkdir()
        reports = ["--html", "page.html", "--sarif", "findings.sarif", "--junit", "results.xml", "--perfetto", "trace.json",
                   "--json", "summary.json", "--no-color"]
        schedule = "../.ravel/1-assertion.ravel"
        for command, where, words in (("run", ".", ["--no-races", "--", "./prog"]), ("noise", ".", ["--runs", 20, "--", "./prog"]),
                                      ("futures", ".", ["--", "./prog"]), ("replay", "elsewhere", [schedule]),
                                      ("explain", "elsewhere", [schedule])):
            wanted = [word for word in reports if command != "futures" or word != "--no-color"]
            done = subprocess.run([RAVEL, command, *wanted, *map(str, words)], cwd=pathlib.Path(self.directory, where),
                                  capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL)
            self.assertIn(done.returncode, (0, 1), f"{command}\n{done.stdout}{done.stderr}")
            with self.subTest(command):
                folder = pathlib.Path(self.directory, where)
                data = self.page_data(folder / "page.html")
                self.assertEqual(data["command"], command)
                found = [finding["kind"] for finding in data["findings"]]
                sarif = json.loads((folder / "findings.sarif").read_text())
                self.assertEqual([result["ruleId"] for result in sarif["runs"][0]["results"]], found)
                cases = xml.etree.ElementTree.parse(folder / "results.xml").getroot()
                self.assertEqual(int(cases.get("failures")), len(found))
                processes = [event for event in json.loads((folder / "trace.json").read_text())["traceEvents"]
                             if event["name"] == "process_name"]
                summary = json.loads((folder / "summary.json").read_text())
                self.assertEqual([finding["kind"] for finding in summary["findings"]], found)
                if command != "noise":  # threads that were only disturbed need not fail
                    self.assertEqual(found, ["assertion"])
                    self.assertEqual(len(processes), 1)
                    self.assertTrue(data["findings"][0]["explanation"]["passing"]["steps"])

    def test_a_time_alone_is_the_only_limit(self):
        self.build_locks()
        done = self.ravel("run", "--time", "6s", "--keep-going", "--no-shrink", "--quiet", "--json", "time.json", "--",
                          "./locks", code=1)
        summary = json.loads(pathlib.Path(self.directory, "time.json").read_text())
        self.assertGreaterEqual(summary["seconds"], 5.5, done.stdout)  # ten thousand executions take less

    def test_a_campaign_with_one_job_is_reproducible(self):
        self.build_locks()
        summaries = []
        for name in ("one", "two"):
            self.ravel("run", "--jobs", "1", "--seed", "7", "--executions", "300", "--keep-going", "--out", name,
                       "--json", f"{name}.json", "--", "./locks", code=1)
            summary = json.loads(pathlib.Path(self.directory, f"{name}.json").read_text())
            for changing in ("seconds", "executions_per_second"):
                del summary[changing]
            summaries.append(json.dumps(summary).replace(f"{name}/", ""))
        self.assertEqual(summaries[0], summaries[1])

    def test_workers_find_it_too(self):
        self.build_locks()
        self.ravel("run", "--jobs", "4", "--", "./locks", code=1)

    def test_program_reads_its_input_in_every_execution(self):
        pathlib.Path(self.directory, "input.cpp").write_text(
            "#include <cstdio>\n#include <cstring>\n#include <thread>\n"
            "int main() { std::thread t([] {}); t.join(); char b[9] = {}; return std::fread(b, 1, 5, stdin) != 5 ||"
            " std::strcmp(b, \"hello\") != 0; }\n")
        self.command(["g++", "-pthread", "input.cpp", "-o", "input"])
        self.ravel("run", "--jobs", "1", "--executions", "10", "--", "./input", text_in="hello")
        pathlib.Path(self.directory, "file").write_text("hello")
        with open(pathlib.Path(self.directory, "file")) as file:
            done = subprocess.run([RAVEL, "run", "--jobs", "2", "--executions", "10", "--", "./input"], stdin=file,
                                  cwd=self.directory, capture_output=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stdout)

    # --- shrink and explain

    def find_lost_update(self, *options):
        self.ravel("c++", "-g", "-pthread", "main.cpp", "bump.cpp", "-o", "prog")
        return self.ravel("run", "--jobs", "1", "--strategy", "random", "--expect", "assertion", *options, "--", "./prog")

    def test_run_explains_what_it_finds_first(self):
        out = self.find_lost_update().stdout
        report = out[out.index("assertion: an assertion failed"):]
        self.assertRegex(report, r"\(1\) T\d read `counter` \(0\) at bump.cpp:3, \(2\) T\d changed it to 1 at bump.cpp:3")
        self.assertIn("With (2) before (1), the program passes.", report)
        self.assertLess(report.index("(1) reads counter: 0"), report.index("#0 main"))
        self.assertIn("1 preemption,", report)

    def test_no_shrink_keeps_what_was_found(self):
        out = self.find_lost_update("--no-shrink").stdout
        self.assertNotIn("(1)", out)

    def test_shrink_writes_a_schedule_that_replays(self):
        self.find_lost_update("--no-shrink")
        found = next(pathlib.Path(self.directory, ".ravel").glob("*-assertion.ravel"))
        out = self.ravel("shrink", found, code=1).stdout
        self.assertRegex(out, r"preemptions? became 1,")
        short = found.with_name(found.stem + "-shrunk.ravel")
        self.assertIn("1 preemption,", self.ravel("replay", short, code=1).stdout)
        self.ravel("shrink", found, "--out", "here.ravel", code=1)
        self.assertTrue(pathlib.Path(self.directory, "here.ravel").is_file())
        again = self.ravel("explain", "here.ravel", code=1).stdout
        self.assertEqual(again, self.ravel("explain", "here.ravel", code=1).stdout)
        self.assertNotIn("\x1b", again)

    def test_explain_fits_the_page_unless_asked_for_more(self):
        self.find_lost_update()
        found = next(pathlib.Path(self.directory, ".ravel").glob("*-assertion.ravel"))
        few = self.ravel("explain", found, "--lines", "20", code=1).stdout
        full = self.ravel("explain", found, "--full", code=1).stdout
        self.assertIn("creates T2", full)
        self.assertNotIn("creates T2", few)
        for line in (few + full).splitlines():
            self.assertLessEqual(len(line), 100)

    def test_troubles_of_shrink_and_explain_are_one_sentence(self):
        self.find_lost_update()
        found = next(pathlib.Path(self.directory, ".ravel").glob("*-assertion.ravel"))
        pathlib.Path(self.directory, "text.ravel").write_text("hello\n")
        for command in ("shrink", "explain"):
            with self.subTest(command=command):
                self.assertIn("missing.ravel", self.ravel(command, "missing.ravel", code=2).stderr)
                self.assertIn("text.ravel", self.ravel(command, "text.ravel", code=2).stderr)
                self.assertIn("SCHEDULE", self.ravel(command, code=2).stderr)
        pathlib.Path(self.directory, "prog").unlink()
        for command in ("shrink", "explain"):
            trouble = self.ravel(command, found, code=2).stderr
            self.assertIn("./prog", trouble)
            self.assertLessEqual(len(trouble.splitlines()), 2)

    def test_gdb_stops_at_the_failure(self):
        if not shutil.which("gdb"):
            sys.exit(77)
        self.build_locks()
        self.ravel("run", "--jobs", "1", "--quiet", "--", "./locks", code=1)
        done = subprocess.run([RAVEL, "replay", ".ravel/1-deadlock.ravel", "--gdb"], cwd=self.directory, text=True,
                              input="info threads\nkill\nquit\n", capture_output=True, timeout=120)
        self.assertIn("hit Breakpoint 1, ravel::Scheduler::new_finding", done.stdout)
        self.assertIn("deadlock", done.stdout)


if __name__ == "__main__":
    unittest.main()
