#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`ravel generate --in-place`: every planted race is found, each in the pair of functions that plants.txt names, and
nothing once the programs are repaired. RAVEL names the tool, RAVEL_GENERATE the directory of the programs."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

RAVEL = pathlib.Path(os.environ.get("RAVEL", "build/bin/ravel")).resolve()
BINARIES = pathlib.Path(os.environ.get("RAVEL_GENERATE", "build/tests/e2e/generate")).resolve()
PROGRAMS = pathlib.Path(__file__).resolve().parents[2] / "programs" / "generate"


def plants_of(program):
    lines = (line.split() for line in (PROGRAMS / "plants.txt").read_text().splitlines())
    return {(words[1], *sorted(words[2:])) for words in lines if words and words[0] == program}


def races_of(summary):
    """(variable, function, function), without the object that the variable is part of and without parameters."""
    races = set()
    for race in summary["races"]:
        variable = re.search(r"\.(\w+)", race["variable"])
        functions = sorted(re.sub(r"\(.*", "", name) for name in race["functions"])
        races.add((variable.group(1) if variable else race["variable"], *functions))
    return races


class Generate(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.directory = pathlib.Path(temporary.name)

    def ravel(self, *words, code=0):
        done = subprocess.run([str(RAVEL), *map(str, words)], cwd=self.directory, stdin=subprocess.DEVNULL, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=250)
        self.assertEqual(done.returncode, code, f"{words}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
        return done

    def generate(self, program, *words, code):
        self.ravel("generate", "--in-place", "--json", "summary.json", *words, "--", BINARIES / program, code=code)
        return json.loads((self.directory / "summary.json").read_text())

    def check(self, program, *words):
        found = self.generate(f"{program}_racy", *words, code=1)
        self.assertEqual(races_of(found), plants_of(program))
        repaired = self.generate(f"{program}_repaired", *words, code=0)
        self.assertEqual(repaired["findings"], [])
        # Not because nothing was explored: the same functions still run at the same time, now under a lock.
        of = lambda summary: {tuple(pair["functions"]) for pair in summary["pairs"] if pair["orders"] > 0}
        racing = {tuple(pair["functions"]) for pair in found["pairs"] if pair["findings"]}
        self.assertLessEqual(racing, of(repaired))
        return found, repaired

    def test_bank_account(self):
        found, repaired = self.check("bank_account")
        self.assertTrue(found["complete"])
        self.assertTrue(repaired["complete"])
        orders = {tuple(re.sub(r"\(.*", "", name) for name in pair["functions"]): pair["orders"]
                  for pair in repaired["pairs"]}
        # Each of two calls under one lock is first or second.
        self.assertEqual(set(orders.values()), {2}, orders)
        racy = {tuple(re.sub(r"\(.*", "", name) for name in pair["functions"]): pair["orders"] for pair in found["pairs"]}
        # A read and a write against the same: one after the other, twice; both read first, and then either writes first.
        self.assertEqual(racy[("Account::deposit", "Account::deposit")], 4)
        # A read against a read and a write.
        self.assertEqual(racy[("Account::balance", "Account::deposit")], 2)

    def test_async_queue(self):
        self.check("async_queue", "--per-pair", "20")

    def test_bounded_queue(self):
        self.check("bounded_queue", "--per-pair", "60")

    def test_a_finding_replays(self):
        found = self.generate("bank_account_racy", code=1)
        for finding in found["findings"]:
            report = self.ravel("replay", finding["schedule"], code=1).stdout
            self.assertEqual(report, self.ravel("replay", finding["schedule"], code=1).stdout)
            self.assertIn("account.balance_", report)
        self.assertIn("withdraw", self.ravel("explain", found["findings"][-1]["schedule"], code=1).stdout)

    def test_the_same_twice(self):
        first = self.generate("bank_account_racy", code=1)
        second = self.generate("bank_account_racy", code=1)
        self.assertEqual([pair["orders"] for pair in first["pairs"]], [pair["orders"] for pair in second["pairs"]])
        self.assertEqual(races_of(first), races_of(second))

    def build(self, name, text, *words):
        source = self.directory / f"{name}.cpp"
        source.write_text(text)
        self.ravel("c++", "-std=c++17", "-pthread", *words, source, "-o", self.directory / name)
        return self.directory / name

    # The state that the second call needs is only there when the first is in its middle: it lets the other one begin.
    def test_a_call_in_its_middle(self):
        program = self.build("handover", """
#include <semaphore.h>
#include <thread>
sem_t ready;
int stock = 1;
void deliver() { sem_post(&ready); stock = 2; }
int collect() { return stock; }
int main() {
  sem_init(&ready, 0, 0);
  std::thread first([] { deliver(); });
  std::thread second([] { sem_wait(&ready); collect(); });
  first.join();
  second.join();
}
""")
        found = self.generate(program, code=1)
        self.assertIn(["collect()", "deliver()"], [race["functions"] for race in found["races"]])
        self.assertEqual([pair["orders"] for pair in found["pairs"] if "collect()" in pair["functions"]], [2])

    # A check and an act, each under its lock: only the caller has the bug. No access races.
    def test_the_orders_of_callers(self):
        program = self.build("callers", """
#include <cassert>
#include <mutex>
#include <thread>
std::mutex mutex;
int items = 1;
bool any() { std::lock_guard<std::mutex> lock(mutex); return items > 0; }
void take() { std::lock_guard<std::mutex> lock(mutex); --items; assert(items >= 0); }
void consume() { if (any()) take(); }
int main() {
  std::thread first(consume), second(consume);
  first.join();
  second.join();
}
""")
        found = self.generate(program, code=1)
        self.assertEqual({finding["kind"] for finding in found["findings"]}, {"assertion"})
        self.assertIn("consume()", self.ravel("replay", found["findings"][0]["schedule"], code=1).stdout)

    def test_inlined_functions_belong_to_their_callers(self):
        program = self.build("inlined", """
#include <thread>
int total;
[[gnu::always_inline]] inline void add() { ++total; }
void work() { add(); }
int main() {
  std::thread first(work), second(work);
  first.join();
  second.join();
}
""")
        found = self.generate(program, code=1)
        self.assertEqual([pair["functions"] for pair in found["pairs"]], [["work()", "work()"]])

    def test_long_recordings_are_told(self):
        program = self.build("long", """
#include <mutex>
#include <thread>
std::mutex mutex;
int total;
void add() { std::lock_guard<std::mutex> lock(mutex); ++total; }
void work() { for (int i = 0; i < 800; ++i) add(); }
int main() {
  std::thread first(work), second(work);
  first.join();
  second.join();
}
""")
        found = self.generate(program, "--recordings", "4", "--per-pair", "3", code=0)
        self.assertTrue(any("more than 4096 steps" in note for note in found["notes"]), found["notes"])
        self.assertFalse(found["complete"])
        self.assertIn(["add()", "add()"], [pair["functions"] for pair in found["pairs"]])

    def test_what_cannot_be_explored_is_told(self):
        self.assertIn("nothing is asked for", self.ravel("generate", "--", "/bin/true", code=2).stderr)
        self.assertIn("was not built so that its calls", self.ravel("generate", "--in-place", "--", "/bin/true", code=2).stderr)
        alone = self.build("alone", "int main() { return 0; }\n")
        told = self.ravel("generate", "--in-place", "--", alone, code=2).stderr
        self.assertIn("ended without creating a thread", told)


if __name__ == "__main__":
    unittest.main()
