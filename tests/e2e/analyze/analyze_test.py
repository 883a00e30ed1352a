#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`ravel analyze` as a user sees it. RAVEL names the tool."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

RAVEL = str(pathlib.Path(os.environ.get("RAVEL", "build/bin/ravel")).resolve())
FUTURES = pathlib.Path(__file__).resolve().parent.parent.parent / "analysis/futures"
PROGRAMS = FUTURES / "programs"
UNITS = FUTURES / "units"


class Analyze(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.dir = pathlib.Path(holder.name).resolve()

    def ravel(self, *arguments, code=0):
        done = subprocess.run([RAVEL, "analyze", *map(str, arguments)], capture_output=True, text=True, timeout=120,
                              cwd=self.dir)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout if code == 0 else done.stderr

    def commands(self, *files):
        path = self.dir / "compile_commands.json"
        path.write_text(json.dumps([{"directory": str(UNITS), "file": str(f),
                                     "arguments": ["c++", "-std=c++17", "-c", str(f)]} for f in files]))
        return path

    def test_terms_are_printed(self):
        self.assertEqual(self.ravel("--futures", "--quiet", PROGRAMS / "figure2.cpp"),
                         "a at figure2.cpp:22 = π(figure2.cpp:14, figure2.cpp:18)\n")

    def test_pruned_terms_have_reasons(self):
        said = self.ravel("--futures", "--pruned", PROGRAMS / "figure5.cpp", "--", "-std=c++20")
        self.assertIn("n at figure5.cpp:30 = π(figure5.cpp:17, figure5.cpp:23)\n"
                      "  not figure5.cpp:10 (initial): overwritten before the read\n", said)
        self.assertIn("1 read of shared variables", said)

    def test_json(self):
        file = self.dir / "futures.json"
        self.ravel("--futures", "--json", file, PROGRAMS / "figure2.cpp")
        found = json.loads(file.read_text())
        self.assertEqual(found["command"], "analyze")
        read = found["reads"][0]
        self.assertEqual((read["location"], read["object"], read["function"]), ("figure2.cpp:22", "a", "main::lambda"))
        self.assertEqual([d["location"] for d in read["definitions"]], ["figure2.cpp:14", "figure2.cpp:18"])
        self.assertEqual([p["location"] for p in read["pruned"]], ["figure2.cpp:13"])
        self.assertEqual(json.loads(self.ravel("--futures", "--json", "-", PROGRAMS / "figure2.cpp")), found)

    def test_compile_commands(self):
        self.commands(UNITS / "t1.cpp", UNITS / "t2.cpp", UNITS / "t3.cpp")
        said = self.ravel("--futures")
        self.assertIn("n at shared.h:11 = π(t1.cpp:4 (initial), t1.cpp:10, t2.cpp:8)\n", said)
        self.assertEqual(self.ravel("--futures", "--compile-commands", "compile_commands.json", "t1.cpp", "t2.cpp",
                                    "t3.cpp"), said)

    def pairs(self, source, *words):
        """{(function, function): (dependence, variables, locked)}"""
        file = self.dir / "pairs.cpp"
        file.write_text(source)
        self.ravel("--pairs", "--json", self.dir / "pairs.json", file, *words, "--", "-std=c++17")
        return {tuple(pair["functions"]): (pair["dependence"], pair["variables"], pair["locked"])
                for pair in json.loads((self.dir / "pairs.json").read_text())["pairs"]}

    def test_pairs_of_the_paper(self):
        found = self.pairs("int x;\n"
                           "void Increment(int amount) { x = x + amount; }\n"
                           "void Decrement(int amount) { x = x - amount; }\n"
                           "int Look() { return x; }\n"
                           "int Alone(int n) { int y = n; ++y; return y; }\n"
                           "int main() { Increment(1); Decrement(1); Look(); return Alone(1); }\n")
        strong = ("strong", ["x"], False)
        self.assertEqual(found, {("Decrement", "Decrement"): strong, ("Decrement", "Increment"): strong,
                                 ("Decrement", "Look"): strong, ("Increment", "Increment"): strong,
                                 ("Increment", "Look"): strong, ("Look", "Look"): ("weak", ["x"], True)})
        said = self.ravel("--pairs", "pairs.cpp")
        self.assertIn("strong  Decrement | Increment  on x\n", said)
        self.assertNotIn("weak  ", said)
        self.assertIn("weak    Look | Look  on x\n", self.ravel("--pairs", "--weak", "pairs.cpp"))
        self.assertIn("3 functions that access shared variables; of 6 pairs, 5 strongly dependent and 1 weakly", said)

    def test_pairs_through_calls_and_locks(self):
        found = self.pairs("#include <atomic>\n#include <mutex>\n#include <vector>\n"
                           "struct Sink { virtual ~Sink() = default; virtual void put(int) {} };\n"
                           "struct Log : Sink { void put(int n) override { lines_.push_back(n); } std::vector<int> lines_; };\n"
                           "struct Account {\n"
                           "  void deposit(long n) { std::lock_guard<std::mutex> guard(mutex_); balance_ += n; }\n"
                           "  void audit(Sink& to) { to.put(1); ++audits_; }\n"
                           "  void sneak(long n) { std::unique_lock<std::mutex> lock(mutex_); lock.unlock(); late_ = n; }\n"
                           "  std::mutex mutex_; long balance_ = 0; long late_ = 0; std::atomic<int> audits_{0};\n"
                           "};\n"
                           "template <class T> void bump(T& value) { ++value; }\n"
                           "int total;\n"
                           "void add() { bump(total); }\n"
                           "int own() { int mine = 0; bump(mine); return mine; }\n"
                           "int main() { Account a; Log log; a.deposit(1); a.audit(log); a.sneak(1); add(); own(); }\n",
                           "--weak")
        self.assertEqual(found[("Account::deposit", "Account::deposit")], ("strong", ["Account::balance_"], True))
        # Through the virtual call; what is atomic needs no lock, but the lines do.
        self.assertEqual(found[("Account::audit", "Account::audit")],
                         ("strong", ["Account::audits_", "Log::lines_"], False))
        self.assertEqual(found[("Account::audit", "Log::put")], ("strong", ["Log::lines_"], False))
        # The lock is given back before.
        self.assertEqual(found[("Account::sneak", "Account::sneak")], ("strong", ["Account::late_"], False))
        # What a parameter refers to is known to the caller; a local variable belongs to one call.
        self.assertEqual(found[("add", "add")], ("strong", ["total"], False))
        self.assertFalse(any("own" in pair for pair in found), found)

    def test_what_pairs_do_not_see(self):
        found = self.pairs("#include <functional>\n"
                           "int x;\nint* hidden() { return &x; }\n"
                           "void set() { *hidden() = 1; }\nvoid add() { ++x; }\n"
                           "void call(const std::function<void()>& what) { what(); }\n"
                           "int main() { set(); call(add); }\n")
        self.assertEqual(set(found), {("add", "add")})

    def test_two_questions_at_once(self):
        self.assertIn("two questions", self.ravel("--futures", "--pairs", PROGRAMS / "figure2.cpp", code=2))
        (self.dir / "broken.cpp").write_text("int main() { return nothing; }\n")
        self.assertIn("Clang cannot read", self.ravel("--pairs", "broken.cpp", code=2))

    def test_bad_requests_get_a_sentence(self):
        self.assertIn("nothing is asked for", self.ravel(code=2))
        self.assertIn("there is no file nowhere.cpp", self.ravel("--futures", "nowhere.cpp", code=2))
        self.assertIn("cannot read compile_commands.json", self.ravel("--futures", code=2))
        self.commands(UNITS / "t1.cpp")
        self.assertIn("has no sources t9.cpp", self.ravel("--futures", "--compile-commands", "compile_commands.json",
                                                          "t9.cpp", code=2))
        self.assertIn("None of the sources has a main function", self.ravel("--futures", code=2))
        self.assertIn("/nowhere/f.json cannot be written", self.ravel("--futures", "--json", "/nowhere/f.json",
                                                                 PROGRAMS / "figure2.cpp", code=2))
        said = self.ravel("--futures", PROGRAMS / "figure5.cpp", "--", "-std=c++17", code=2)
        self.assertIn("figure5.cpp:12: no template named 'barrier' in namespace 'std'", said)
        self.assertEqual(len(said.strip().split("\n")), 2)


if __name__ == "__main__":
    unittest.main()
