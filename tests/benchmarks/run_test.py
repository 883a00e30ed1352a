#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""benchmarks/run.py: a benchmark that cannot run costs its own result, not those of the others."""

import json
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "benchmarks"))
import run


class RunTest(unittest.TestCase):
    def test_a_benchmark_that_fails_leaves_the_others_alone(self):
        seen = []

        def measures(_):
            return 1.5, {}

        def fails(bench):
            seen.append(json.loads((bench.directory / "results.json").read_text()))
            raise run.BenchmarkFailed("there is no such compiler")

        benchmarks = {"first": (measures, 1, "at least"), "second": (fails, 1, "at least"),
                      "third": (measures, 1, "at least")}
        with tempfile.TemporaryDirectory() as build:
            tool = pathlib.Path(build, "bin/ravel")
            tool.parent.mkdir()
            tool.touch()
            with mock.patch.object(run, "BENCHMARKS", benchmarks), mock.patch.object(sys, "argv", ["run", "--build", build]):
                self.assertEqual(run.main(), 1)
            results = json.loads(pathlib.Path(build, "bench/results.json").read_text())
        self.assertEqual(seen[0]["first"], 1.5, "a result is written as soon as there is one")
        self.assertEqual((results["first"], results["third"]), (1.5, 1.5))
        self.assertNotIn("second", results)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
