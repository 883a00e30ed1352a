#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`ravel futures` as a user sees it, on the programs of the paper and others."""

import json
import unittest

from futures_case import RAVEL, FuturesCase

# A read that is made only when another has seen something, and a bug after it.
HIDDEN = """#include <cstdlib>
#include <mutex>
#include <thread>
std::mutex lock;
int stage = 0;
int result = 0;
int main() {
  std::thread writes([] {
    lock.lock();
    stage = 1;
    lock.unlock();
    lock.lock();
    stage = 2;
    result = 5;
    lock.unlock();
  });
  std::thread reads([] {
    lock.lock();
    const int seen = stage;
    lock.unlock();
    if (seen == 1) {
      lock.lock();
      if (result == 5) std::abort();
      lock.unlock();
    }
  });
  writes.join();
  reads.join();
}
"""
FIXED = HIDDEN.replace("if (result == 5) std::abort();", "if (result == 7) std::abort();")
HEAP = """#include <memory>
#include <thread>
int main() {
  const std::unique_ptr<int> n(new int(0));
  int seen = 0;
  std::thread writes([&] {
    *n = 1;
  });
  std::thread reads([&] {
    seen = *n;
  });
  writes.join();
  reads.join();
  return seen > 1;
}
"""
WEAK = """#include <atomic>
#include <cstdio>
#include <thread>
std::atomic<int> data{0};
std::atomic<int> flag{0};
int main() {
  std::thread writes([] {
    data.store(1, std::memory_order_relaxed);
    flag.store(1, std::memory_order_relaxed);
  });
  std::thread reads([] {
    const int f = flag.load(std::memory_order_relaxed);
    const int d = data.load(std::memory_order_relaxed);
    std::printf("%d%d\\n", f, d);
  });
  writes.join();
  reads.join();
}
"""


class Futures(FuturesCase):
    @unittest.skipUnless((RAVEL.parent / "ravel-analyzer").exists(), "the analyzer needs Clang")
    def test_figure_2_prints_two_and_three_in_two_executions(self):
        program = self.build("figure2")
        done = self.ravel("analyze", "--futures", "--json", "terms.json", "figure2.cpp")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        table = self.table(program, "--terms", "terms.json", code=0)
        self.assertEqual(table["executions"], 2)
        shown = self.shown(self.row(table, "a"))
        self.assertEqual(set(shown), {self.line("figure2", "a = 2;"), self.line("figure2", "a = 3;")})
        self.assertEqual({one["output"] for one in shown.values()}, {"2\n", "3\n"})

    def test_figure_5_divides_by_zero_in_one_of_two(self):
        for compiler in ("g++", "clang++"):
            program = self.build("figure5", compiler=compiler)
            table = self.table(program, code=1)
            self.assertEqual(table["executions"], 2)
            shown = self.shown(self.row(table, "n"))
            self.assertEqual(set(shown), {self.line("figure5", "n = 0;"), self.line("figure5", "n = 3;")})
            outcomes = sorted(one["outcome"] for one in shown.values())
            self.assertEqual(outcomes, ["passed", "signal"])
            self.assertTrue(table["complete"])
            failing = next(one for one in shown.values() if one["outcome"] == "signal")
            self.assertIn("not " + self.line("figure5", "n = 3;"), failing["difference"])
            replayed = self.ravel("replay", failing["schedule"])
            self.assertEqual(replayed.returncode, 1, replayed.stdout + replayed.stderr)

    def test_figure_6_every_sum_is_forced(self):
        program = self.build("figure6")
        table = self.table(program, code=0)
        rows = {name: self.row(table, name) for name in ("n0", "n1", "n2", "n3")}
        writes = {name: next(place for place in self.shown(row) if place != "initial") for name, row in rows.items()}
        self.assertLessEqual(table["executions"], 8)

        def total(updated):
            arguments = []
            for name, row in rows.items():
                seen = writes[name] if name in updated else "initial"
                arguments += ["--force", f"{row['location']} {name} <- {seen}"]
            done = self.ravel("futures", *arguments, "--", program)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            return int(done.stdout.split("it wrote: ")[1].split()[0])

        names = sorted(rows)
        for count in range(5):
            self.assertEqual(total(names[:count]), count)
        for name in names:
            self.assertEqual(total([name]), 1)

    def test_a_variable_decremented_by_mistake_shows_with_one_definition_each(self):
        program = self.build("figure6_decremented")
        table = self.table(program, code=0)
        rows = {name: self.row(table, name) for name in ("n0", "n1", "n2", "n3")}
        sums = []
        for updated in rows:
            arguments = []
            for name, row in rows.items():
                write = next(place for place in self.shown(row) if place != "initial")
                arguments += ["--force", f"{row['location']} {name} <- {write if name == updated else 'initial'}"]
            done = self.ravel("futures", *arguments, "--", program)
            sums.append(int(done.stdout.split("it wrote: ")[1].split()[0]))
        self.assertEqual(sorted(sums), [-1, 1, 1, 1])

    def test_figure_7_an_inconsistent_request_is_infeasible_with_its_cycle(self):
        program = self.build("figure7")
        table = self.table(program, code=0)
        self.assertTrue(table["complete"])
        outputs = {one["output"] for row in table["reads"] for one in self.shown(row).values()}
        self.assertEqual(outputs, {"11\n", "20\n"})
        request = ["--force", f"{self.line('figure7', '= a;')} <- {self.line('figure7', 'a = 1;')}", "--force",
                   f"{self.line('figure7', 'z = b;')} <- {self.line('figure7', 'b = 2;')}"]
        done = self.ravel("futures", "--json", "request.json", *request, "--", program)
        self.assertEqual(done.returncode, 4, done.stdout + done.stderr)
        self.assertIn("infeasible: ", done.stdout)
        answer = json.loads((self.place / "request.json").read_text())["request"]
        self.assertEqual((len(answer["choices"]), answer["status"]), (2, "infeasible"))
        self.assertIn("lock order", answer["reason"])
        for part in ("lock order", "program order", self.line("figure7", "b = 2;")):
            self.assertIn(part, done.stdout)

    def test_figure_7_with_different_locks_becomes_feasible(self):
        name = "figure7_two_locks"
        program = self.build(name)
        request = ["--force", f"{self.line(name, '= a;')} <- {self.line(name, 'a = 1;')}", "--force",
                   f"{self.line(name, 'z = b;')} <- {self.line(name, 'b = 2;')}"]
        done = self.ravel("futures", "--graph", "one.dot", *request, "--", program)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("it wrote: 12\n", done.stdout)
        graph = (self.place / "one.dot").read_text()
        self.assertTrue(graph.startswith("digraph"))
        self.assertIn("reads from", graph)

    def test_a_read_behind_another_read_is_found_and_checked_after_the_fix(self):
        program = self.build("hidden", HIDDEN)
        table = self.table(program, code=1)
        self.assertTrue(any(one.get("outcome") == "abort" for row in table["reads"] for one in row["definitions"]))
        checked = self.ravel("futures", "--check", "table.json", "--", program)
        self.assertEqual(checked.returncode, 1, checked.stdout + checked.stderr)
        self.assertIn("still there", checked.stdout)
        fixed = self.build("hidden_fixed", FIXED)
        checked = self.ravel("futures", "--check", "table.json", "--", fixed)
        self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)

    def test_an_older_store_is_one_more_definition_under_the_cpp_model(self):
        program = self.build("weak", WEAK)
        request = ["--force", f"{self.line('weak', 'flag.load')} <- {self.line('weak', 'flag.store')}", "--force",
                   f"{self.line('weak', 'data.load')} <- initial"]
        done = self.ravel("futures", "--memory-model", "sc", *request, "--", program)
        self.assertEqual(done.returncode, 4, done.stdout + done.stderr)
        done = self.ravel("futures", "--memory-model", "c11", *request, "--", program)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("it wrote: 10\n", done.stdout)

    def test_the_same_as_exhaustive_search(self):
        for name in ("figure6", "figure7", "joins", "branches", "own_section"):
            program = self.build(name)
            pairs = []
            for options in ([], ["--exhaustive"]):
                table = self.table(program, *options)
                self.assertTrue(table["complete"], name)
                pairs.append({(row["location"], row["object"], place) for row in table["reads"] for place in self.shown(row)})
            self.assertEqual(pairs[0], pairs[1], name)

    def test_a_budget_of_nothing_proves_nothing(self):
        program = self.build("figure5")
        table = self.table(program, "--proof", "0")
        self.assertFalse(table["complete"])
        statuses = {one["status"] for row in table["reads"] for one in row["definitions"]}
        self.assertIn("budget", statuses)
        self.assertNotIn("infeasible", statuses)

    def test_memory_of_the_heap(self):
        program = self.build("heap", HEAP)
        table = self.table(program, code=0)
        rows = [row for row in table["reads"] if len(self.shown(row)) > 1]
        rows = [row for row in rows if row["code"] == "seen = *n;"]
        self.assertEqual([row["object"] for row in rows], [f"heap({self.line('heap', 'new int(0)')})"])
        self.assertLessEqual({"initial", self.line("heap", "*n = 1;")}, set(self.shown(rows[0])))

    def test_bad_requests_get_one_sentence(self):
        program = self.build("figure7")
        read = self.line("figure7", "= a;")
        write = self.line("figure7", "a = 1;")
        cases = [
            (["--force", f"figure7.cpp:999 <- {write}"], "did nothing at figure7.cpp:999"),
            (["--force", f"{write} <- {write}"], "has no shared read"),
            (["--force", f"{read} <- {read}"], "has no shared write"),
            (["--force", f"other.cpp:3 <- {write}"], "do nothing in other.cpp"),
            (["--force", f"{read} <- {write}", "--force", f"{read} <- {self.line('figure7', 'a = 2;')}"],
             "two choices are for one read"),
            (["--force", read], "there is no '<-'"),
            (["--force", f"{read} #x <- {write}"], "is not an occurrence"),
            (["--check", "nowhere.json"], "cannot read nowhere.json"),
            (["--terms", "figure7.cpp"], "is not what `ravel analyze --futures --json` writes"),
            (["--check", "figure7.cpp"], "is not a table of futures"),
            (["--check", "t.json", "--force", f"{read} <- {write}"], "--force excludes --check"),
            (["--exhaustive", "--initial", read], "excludes --exhaustive"),
            (["--compare", "a.ravel", "b.ravel", "--json", "t.json"], "excludes --json"),
            (["--random", "-1"], "--random"),
        ]
        for options, sentence in cases:
            done = self.ravel("futures", *options, "--", program)
            self.assertEqual(done.returncode, 2, f"{options}: {done.stdout}{done.stderr}")
            self.assertIn(sentence, done.stderr)
            self.assertEqual(len(done.stderr.strip().splitlines()), 2, done.stderr)
        done = self.ravel("futures", "--", "/bin/true")
        self.assertEqual(done.returncode, 2)
        self.assertIn("was not built so that its memory accesses can be seen", done.stderr)


if __name__ == "__main__":
    unittest.main()
