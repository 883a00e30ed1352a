#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `ravel futures` finds on the way, and how it tells a future that fails from one that passes."""

import subprocess
import unittest

from futures_case import FuturesCase

# Three sellers and more schedules than an exhaustive search has time for. Every read sees the same lines when it fails.
OVERSOLD = """#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>
int items = 6;
std::mutex lock;
bool take() {
  if (items == 0) return false;
  std::lock_guard<std::mutex> guard(lock);
  --items;
  return true;
}
int main() {
  std::vector<std::thread> sellers;
  for (int i = 0; i < 3; ++i) {
    sellers.emplace_back([] {
      for (int n = 0; n < 4; ++n) take();
    });
  }
  for (std::thread& one : sellers) one.join();
  if (items >= 0) return 0;
  std::printf("oversold\\n");
  return 1;
}
"""
# Two fields of one object of the heap, read in one line.
FIELDS = """#include <cstdio>
#include <memory>
#include <thread>
struct Pair {
  int first = 0;
  int second = 0;
};
int main() {
  const auto pair = std::make_unique<Pair>();
  std::thread writes([&] {
    pair->first = 1;
    pair->second = 2;
  });
  std::thread reads([&] {
    std::printf("%d %d\\n", pair->first, pair->second);
  });
  writes.join();
  reads.join();
}
"""
COUNTER = """#include <mutex>
#include <thread>
int n = 0;
std::mutex lock;
void count() {
  for (int i = 0; i < 2; ++i) {
    std::lock_guard<std::mutex> guard(lock);
    ++n;
  }
}
int main() {
  std::thread one(count), other(count);
  one.join();
  other.join();
}
"""


class Findings(FuturesCase):
    def test_a_finding_that_no_new_future_goes_with_is_told(self):
        program = self.build("oversold", OVERSOLD)
        table = self.table(program, "--proof", "300", "--random", "200", code=1)
        self.assertFalse(table["complete"])
        self.assertEqual([finding["kind"] for finding in table["findings"]], ["exit-code"])
        finding = table["findings"][0]
        self.assertEqual(finding["output"], "oversold\n")
        self.assertIn("items at oversold.cpp:", finding["difference"])
        self.assertEqual(self.ravel("replay", finding["schedule"]).returncode, 1)
        options = ["--check", "table.json", "--proof", "300", "--random", "200"]
        done = self.ravel("futures", *options, "--", program)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("still there exit-code", done.stdout)
        fixed = self.build("sold", OVERSOLD.replace("i < 3", "i < 2").replace("n < 4", "n < 1"))
        done = self.ravel("futures", "--check", "table.json", "--", fixed)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("gone        exit-code", done.stdout)

    def test_fields_of_one_object_of_the_heap_are_two_rows(self):
        program = self.build("fields", FIELDS)
        table = self.table(program, code=0)
        block = f"heap({self.line('fields', 'make_unique')})"
        self.assertEqual(set(self.shown(self.row(table, block))), {"initial", self.line("fields", "first = 1;")})
        second = self.row(table, block + "+4")
        self.assertEqual(set(self.shown(second)), {"initial", self.line("fields", "second = 2;")})
        request = [f"{second['location']} {block} <- {self.line('fields', 'first = 1;')}",
                   f"{second['location']} {block}+4 <- initial"]
        done = self.ravel("futures", "--force", request[0], "--force", request[1], "--", program)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("it wrote: 1 0\n", done.stdout)

    def test_occurrences_count_reads_and_writes_apart(self):
        program = self.build("counter", COUNTER)
        table = self.table(program, "--occurrences", code=0)
        rows = {(row["task"], row["occurrence"]) for row in table["reads"] if row["code"] == "++n;"}
        self.assertEqual(rows, {(1, 1), (1, 2), (2, 1), (2, 2)})
        line = self.line("counter", "++n;")
        done = self.ravel("futures", "--force", f"{line} #2 T1 <- {line} #2 T2", "--", program)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_clang_shows_the_read_of_an_update_when_ravel_compiles(self):
        rows = []
        for name in ("counter", "plain"):
            if name == "counter":
                program = self.build(name, COUNTER, compiler="clang++")
            else:
                (self.place / "plain.cpp").write_text(COUNTER)
                subprocess.run(["clang++", "-g", "-fsanitize=thread", "-shared-libsan", "plain.cpp", "-o", "plain"],
                               cwd=self.place, check=True)
                program = "./plain"
            table = self.table(program, code=0)
            rows.append([row for row in table["reads"] if row["code"] == "++n;"])
        self.assertEqual(set(self.shown(rows[0][0])), {"initial", self.line("counter", "++n;")})
        self.assertEqual(rows[1], [])

    def test_a_future_that_fails_beside_one_that_passes(self):
        program = self.build("figure5")
        table = self.table(program, code=1)
        shown = self.shown(self.row(table, "n"))
        failing = next(one["schedule"] for one in shown.values() if one["outcome"] == "signal")
        passing = next(one["schedule"] for one in shown.values() if one["outcome"] == "passed")
        done = self.ravel("futures", "--compare", failing, passing)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn(f"{failing} finds signal", done.stdout)
        self.assertIn(f"sees {self.line('figure5', 'n = 0;')}, not {self.line('figure5', 'n = 3;')}", done.stdout)
        self.assertIn("What decides:", done.stdout)
        other = self.build("counter", COUNTER)
        self.ravel("run", "--executions", "2", "--", other)
        self.table(other, "--out", "other", code=0)
        cases = [
            ([passing, failing], "name first a future that fails"),
            ([failing, failing], "has a finding"),
            ([failing, "other/futures/1.ravel"], "are not of the same program"),
            ([failing, "nowhere.ravel"], "nowhere.ravel"),
        ]
        for schedules, sentence in cases:
            done = self.ravel("futures", "--compare", *schedules)
            self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
            self.assertIn(sentence, done.stderr)
        done = self.ravel("futures", "--compare", failing, passing, "--", program)
        self.assertEqual(done.returncode, 2)
        self.assertIn("--compare needs no program", done.stderr)


if __name__ == "__main__":
    unittest.main()
