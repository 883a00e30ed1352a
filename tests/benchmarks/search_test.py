#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs benchmarks/search.py on three programs, two strategies and two seeds, and compares what it writes with what must
hold for them: each is found by both strategies, means are means, and the numbers of other benchmarks stay.

  search_test.py SOURCE BUILD
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

SOURCE, BUILD = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
PROGRAMS = {"check_then_act": ["assertion"], "deadlock_two": ["deadlock"], "lost_update 2": ["assertion"]}


def search(directory, *options):
    out = directory / "results.json"
    words = [sys.executable, SOURCE / "benchmarks/search.py", "--build", BUILD, "--out", out,
             "--programs", "^(check_then_act|deadlock_two|lost_update 2)$", "--seeds", "2", *options]
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(f"exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return json.loads(out.read_text()), json.loads((directory / "search.json").read_text()), done.stdout


class SearchBenchmark(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.directory = pathlib.Path(temporary.name)

    def test_table_and_keys(self):
        (self.directory / "results.json").write_text('{"other": 3.5, "details": {"other": {"kept": 1}}}')
        picture = self.directory / "picture.svg"
        results, table, printed = search(self.directory, "--strategies", "auto,random", "--svg", picture)

        self.assertEqual(results["other"], 3.5)
        self.assertEqual(results["details"]["other"], {"kept": 1})
        self.assertEqual(set(table["table"]), set(PROGRAMS))
        product = 1
        for name, kinds in PROGRAMS.items():
            cells = table["table"][name]
            self.assertEqual(set(cells), {"auto", "random"})
            for cell in cells.values():
                self.assertEqual((cell["found"], cell["cut"], cell["kinds"]), (2, 0, kinds))
                self.assertAlmostEqual(cell["mean"], sum(cell["first"]) / 2)
            product *= cells["auto"]["mean"] / cells["random"]["mean"]
            self.assertIn(name, printed)
        self.assertAlmostEqual(results["search_auto_over_best"], product ** (1 / 3), places=3)
        self.assertNotIn("search_many_threads", results)  # its programs were not measured
        drawn = "".join(xml.etree.ElementTree.parse(picture).getroot().itertext())
        for name in PROGRAMS:
            self.assertIn(name, drawn)

    def test_what_is_not_found_counts_as_the_limit(self):
        _, table, printed = search(self.directory, "--strategies", "sequential", "--executions", "30")
        for cells in table["table"].values():
            cell = cells["sequential"]
            self.assertEqual((cell["mean"], cell["found"], cell["first"]), (30, 0, [None, None]))
        self.assertEqual(printed.count("30.0 0/2"), 3)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
