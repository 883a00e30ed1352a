#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Race tests over sources that others keep working on (edits.py): every test is still woven into the same functions
and still reports its race, or says clearly what is missing. RAVEL names the tool.

RACE_SUITE_TIER=full changes every source in thirty ways, and builds and runs what comes of each; else some of the ways
are woven, each for one of the sources, and one is built for all."""

import os
import pathlib
import re
import shutil
import tempfile
import unittest

import edits
import suite

FULL = os.environ.get("RACE_SUITE_TIER") == "full"
CHANGES = range(1, 31)
# The race test of each source, and a source that is compiled with it.
TESTED = {
    "list.cpp": ("list_add_empty", "list.cpp"),
    "logger.cpp": ("logger_filter", "logger.cpp"),
    "cache.h": ("cache_eviction", "prices.cpp"),
    "config.cpp": ("lazy_singleton", "config.cpp"),
    "pool.cpp": ("pool_close", "pool.cpp"),
    "observer.cpp": ("observer_notify", "observer.cpp"),
    "ring_buffer.h": ("ring_buffer", "orders.cpp"),
    "service.cpp": ("shutdown_double_free", "service.cpp"),
}


class Robustness(unittest.TestCase):
    def setUp(self):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="ravel-edits-"))
        self.addCleanup(shutil.rmtree, self.directory, ignore_errors=True)
        self.product = self.directory / "product"

    def copy_product(self):
        shutil.rmtree(self.product, ignore_errors=True)
        shutil.copytree(suite.HERE / "product", self.product)

    def source(self, name):
        """A source of the product as edits.py wants it."""
        race = (suite.HERE / "races" / TESTED[name][0] / "race.txt").read_text()
        race = re.sub(r"^#.*", "", race, flags=re.MULTILINE)
        tested = re.findall(r"shop::(\w+)::(\w+)", race)
        source = edits.Source(name, (self.product / name).read_text(), tested, set(re.findall(r"\w+", race)))
        source.others = "".join(path.read_text() for folder in (self.product, suite.HERE / "races")
                                for path in sorted(folder.rglob("*")) if path.suffix in (".h", ".cpp") and path.name != name)
        return source

    def change(self, name, seed):
        source = self.source(name)
        before = source.text
        made = edits.change(source, seed)
        self.assertNotEqual(source.text, before, made)
        (self.product / name).write_text(source.text)
        return made

    def weave(self, name=None):
        """The product with the race test of one source, or all."""
        if name is None:
            built = suite.Suite(self.directory / "all", self.product, flags=("-O0",))
        else:
            test, compiled = TESTED[name]
            races = self.directory / "races" / test
            shutil.copytree(suite.HERE / "races" / test, races / test, dirs_exist_ok=True)
            built = suite.Suite(self.directory / "one", self.product, races, only=[compiled])
        return built, *built.weave()

    def check_functions(self, built):
        """Each action is in the function that race.txt names."""
        for test in built.woven_tests():
            self.assertTrue(test["actions"])
            race = pathlib.Path(test["file"]).read_text().split("\n")
            for action in test["actions"]:
                line = race[int(action["origin"].rsplit(":", 1)[1]) - 1]
                self.assertEqual(action["function"], re.search(r"shop::\w+::\w+", line).group())

    def test_changes_elsewhere_do_not_move_the_actions(self):
        for seed in CHANGES if FULL else CHANGES[::2]:
            for name in TESTED if FULL else [list(TESTED)[seed // 2 % len(TESTED)]]:
                with self.subTest(source=name, seed=seed):
                    self.copy_product()
                    made = self.change(name, seed)
                    built, code, text = self.weave(name)
                    self.assertEqual(code, 0, f"{made}\n{text}\n{(self.product / name).read_text()}")
                    self.check_functions(built)

    def test_changed_sources_still_show_their_races(self):
        seeds = CHANGES if FULL else [7]
        for seed in seeds:
            with self.subTest(seed=seed):
                self.copy_product()
                made = {name: self.change(name, seed) for name in TESTED}
                built, code, text = self.weave()
                self.assertEqual(code, 0, f"{made}\n{text}")
                self.check_functions(built)
                built.build()
                code, text, summary = built.test("--hunt", "--repeat", 2)
                self.assertEqual((code, summary["failed"], len(summary["tests"])), (0, 0, 8), f"{made}\n{text}")

    def test_a_function_that_is_gone_is_named_with_what_is_near(self):
        for name, function, near in (("list.cpp", "List::is_empty", "List::add"), ("cache.h", "evict", "Cache::"),
                                     ("service.cpp", "Service::stop", "Service::")):
            with self.subTest(name):
                self.copy_product()
                source = self.source(name)
                gone = next(one for one in source.functions() if one.name == function)
                (self.product / name).write_text(source.text[:gone.begin] + source.text[gone.end:])
                _, code, text = self.weave(name)
                self.assertEqual(code, 2, text)
                told = [line for line in text.splitlines() if line.startswith("ravel: ")]
                self.assertEqual(len(told), 1, text)
                self.assertRegex(told[0], rf"{TESTED[name][0]}/race\.txt:\d+: ")
                self.assertIn(function.split("::")[-1], text)
                self.assertIn(near, text)

    def test_a_line_is_only_a_line(self):
        """Points by line do not follow their statement: their user is told where they are."""
        self.copy_product()
        source = self.product / "list.cpp"
        line = source.read_text().split("\n").index("  ++size_;") + 1
        races = self.directory / "races"
        (races / "by_line").mkdir(parents=True)
        (races / "by_line/race.txt").write_text(f'at list.cpp:{line}   notify("x")\n')
        built = suite.Suite(self.directory / "one", self.product, races, only=["list.cpp"])
        told = []
        for _ in range(2):
            code, text = built.weave()
            self.assertEqual(code, 0, text)
            told.append(text.split("\n")[0].rsplit(" ", 1)[1])
            source.write_text(source.read_text().replace("int checked", "\n" * 13 + "int checked"))
        self.assertEqual(told, ["shop::List::add", "shop::checked"])

    def test_a_function_with_another_name_is_named_with_its_new_one(self):
        self.copy_product()
        path = self.product / "observer.cpp"
        path.write_text(path.read_text().replace("notify_all", "notify_everybody"))
        header = self.product / "observer.h"
        header.write_text(header.read_text().replace("notify_all", "notify_everybody"))
        _, code, text = self.weave("observer.cpp")
        self.assertEqual(code, 2, text)
        self.assertIn("notify_everybody", text)


if __name__ == "__main__":
    unittest.main()
