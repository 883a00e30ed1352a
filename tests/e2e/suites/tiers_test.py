#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What each tier of suites_test.py runs, and for how long.

  tiers_test.py WORK_FOLDER"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import types
import unittest

import suites
import suites_test

# Instead of ravel: notes how it was called, and has a verdict only when it is asked for one execution.
RAVEL = """#!/bin/sh
echo "$*" >> calls
while [ $# -gt 0 ]; do
  case "$1" in
    --executions) executions=$2 ;;
    --json) json=$2 ;;
  esac
  shift
done
if [ "$executions" != 1 ] && [ -e slow ]; then exit 2; fi
if [ -e endless ]; then cut=$executions; else cut=0; fi
echo "{\\"findings\\": [], \\"cut_executions\\": $cut, \\"executions\\": $executions}" > "$json"
if [ -e endless ]; then exit 2; fi
"""


class TiersTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=WORK))
        self.addCleanup(shutil.rmtree, self.folder)

    def suites_test(self, *words):
        return subprocess.run([sys.executable, "-B", suites_test.__file__, "--work", self.folder / "work", *words],
                              capture_output=True, text=True)

    def test_rocksdb_is_for_the_full_tier_only(self):
        daily = self.suites_test("--tier", "fast", "--list").stdout.split()
        every = self.suites_test("--tier", "full", "--list").stdout.split()
        self.assertEqual(every, list(suites.SUITES))
        self.assertEqual(set(every) - set(daily), {"rocksdb"})

    def test_a_suite_without_a_test_in_the_tier_fails_and_fetches_nothing(self):
        ran = self.suites_test("--tier", "fast", "rocksdb")
        self.assertEqual((ran.returncode, ran.stderr),
                         (1, "FAILED: rocksdb has no test in the tier fast: --tier full\n"))
        self.assertFalse((self.folder / "work").exists())

    def test_an_unknown_test_program_fails(self):
        ran = self.suites_test("leveldb", "no_test")
        self.assertEqual(ran.returncode, 1)
        self.assertIn("leveldb has no test program no_test: cache_test,", ran.stderr)

    def test_the_cases_of_a_program_share_its_time(self):
        self.assertEqual(suites_test.share(600, 4), 150)
        self.assertEqual(suites_test.share(599, 107), suites_test.LEAST_SECONDS)
        self.assertEqual(suites_test.share(-30, 2), suites_test.LEAST_SECONDS)

    def run_case(self, case="DBTest.Empty", behaviour="quick", suite=suites.LevelDB):
        ravel = self.folder / "ravel"
        ravel.write_text(RAVEL)
        ravel.chmod(0o755)
        build = types.SimpleNamespace(suite=suite(), directory=self.folder, ravel=ravel)
        test = build.suite.tests[0]
        scratch = self.folder / f"runs/{test.name}.{case}/scratch"
        scratch.mkdir(parents=True, exist_ok=True)
        (scratch / behaviour).touch()
        run = suites_test.run_case(build, test, case, 500, 12)
        calls = (scratch / "calls").read_text().splitlines()
        for call in calls:  # Ravel takes each option once
            options = re.findall(r" (--\w[\w-]*)", call)
            self.assertEqual(len(options), len(set(options)), call)
        return run, calls

    def test_a_case_has_its_executions_and_its_time(self):
        run, calls = self.run_case()
        self.assertEqual((run.problems(), run.row()["executions"], len(calls)), ([], 500, 1))
        self.assertIn("--timeout 60s --executions 500 --time 12s ", calls[0])
        self.assertNotIn("--max-steps", calls[0])

    def test_a_case_has_its_own_options(self):
        _, calls = self.run_case("DBTest.MultiThreaded")
        self.assertIn(" --max-steps 20000000 ", calls[0])

    def test_a_case_that_cannot_end_in_its_share_is_executed_once(self):
        run, calls = self.run_case("DBTest.MultiThreaded", "slow")
        self.assertEqual((run.problems(), run.row()["executions"], len(calls)), ([], 1, 2))
        self.assertIn(" --timeout 10m --max-steps 1000000000 --executions 1 --time 30m --no-verify ", calls[1])

    def test_a_case_without_an_end_is_held_to_it(self):
        case = "ThreadLocalTest.ConcurrentReadWriteTest"
        run, calls = self.run_case(case, suite=suites.RocksDB)
        self.assertEqual(run.problems(), ["this case came to an end: suites.py says that it has none"])
        run, calls = self.run_case(case, "endless", suites.RocksDB)
        self.assertEqual((run.problems(), len(calls)), ([], 2))
        run, _ = self.run_case("DBTest.Empty", "endless")
        self.assertEqual(run.problems(), ["no verdict: exit code 2"])


if __name__ == "__main__":
    WORK = pathlib.Path(sys.argv.pop(1))
    WORK.mkdir(parents=True, exist_ok=True)
    unittest.main()
