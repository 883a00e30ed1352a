#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sync points of race tests, called by hand: they force an order, and no detector takes it for synchronisation.

RAVEL names the tool, RAVEL_INCLUDE the folder of <ravel/sync.h>."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
RAVEL = pathlib.Path(os.environ.get("RAVEL", "build/bin/ravel")).resolve()
INCLUDE = pathlib.Path(os.environ.get("RAVEL_INCLUDE", "include")).resolve()
LIBRARY = RAVEL.parent.parent / "lib"
# How many runs try what is promised for every run: a fifth of them in the fast tier.
EVERY_DAY = os.environ.get("RAVEL_TEST_TIER", "fast") == "fast"

NOBODY = 'test order waits for "never" at list.cpp:42, which was never notified'


def times(count):
    return range(max(2, count // 5) if EVERY_DAY else count)


class SyncPoints(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.mkdtemp(prefix="ravel-sync-")
        cls.addClassCleanup(shutil.rmtree, cls.directory, ignore_errors=True)
        for source in ("program.cpp", "library.cpp", "library_user.cpp"):
            shutil.copy(HERE / source, cls.directory)

    def build(self, name, *compiler, library=True):
        """The program, built by this compiler; with libravel_sync.a unless told otherwise."""
        program = pathlib.Path(self.directory, name)
        if not program.exists():
            link = ["-L" + str(LIBRARY), "-lravel_sync"] if library else ["-L" + str(LIBRARY), "-l:libravel.so"]
            subprocess.run([*map(str, compiler), "-std=c++17", "-g", "-O1", "-pthread", "-I", str(INCLUDE), "-o", name,
                            "program.cpp", *link], cwd=self.directory, check=True)
        return "./" + name

    def run_command(self, command, test="order", limit=None):
        environment = {key: value for key, value in os.environ.items() if not key.startswith("RAVEL_")}
        if test is not None:
            environment["RAVEL_RACE_TEST"] = test
        if limit is not None:
            environment["RAVEL_SYNC_TIMEOUT_MS"] = str(limit)
        return subprocess.run([str(word) for word in command], cwd=self.directory, env=environment,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=250)

    def ravel(self, what, *words, test="order", program=None):
        """`ravel run WORDS -- program WHAT`: what it did, its findings, the directory of its schedules."""
        program = program or self.build("instrumented", RAVEL, "c++")
        out = tempfile.mkdtemp(prefix="out-", dir=self.directory)
        summary = pathlib.Path(out, "summary.json")
        done = self.run_command([RAVEL, "run", "--out", out, "--json", summary, *words, "--", program, what], test)
        self.assertTrue(summary.exists(), done.stdout + done.stderr)
        return done, json.loads(summary.read_text())

    # -- under Ravel

    def test_a_forced_order_is_still_a_race_for_ravel(self):
        for strategy in ("random", "pct", "pos", "dpor"):
            with self.subTest(strategy):
                # The order is forced: it needs one execution, and every one has it.
                done, summary = self.ravel("reversed", "--executions", "1", "--strategy", strategy)
                self.assertEqual([one["kind"] for one in summary["findings"]], ["data-race"], done.stdout)
                self.assertEqual(done.returncode, 1)
                self.assertIn("shared", done.stdout)

    def test_the_order_is_forced_in_every_execution(self):
        for what in ("reversed", "ping-pong", "arrival", "task", "sticky", "locked"):
            with self.subTest(what):
                # A wrong order would be an exit code.
                done, summary = self.ravel(what, "--executions", "100", "--strategy", "random", "--keep-going")
                self.assertEqual(summary["executions"], 100, done.stdout + done.stderr)
                kinds = {one["kind"] for one in summary["findings"]}
                self.assertEqual(kinds, {"data-race"} if what == "reversed" else set(), done.stdout)

    def test_without_the_actions_the_order_is_open(self):
        # The same program, no test running: some execution has another order than the one forced above.
        for what in ("ping-pong", "arrival", "task"):
            with self.subTest(what):
                for test in (None, "another"):
                    _, summary = self.ravel(what, "--executions", "100", "--strategy", "random", test=test)
                    self.assertEqual([one["kind"] for one in summary["findings"]], ["exit-code"])

    def test_a_wait_that_is_never_notified_is_reported_at_once(self):
        program = self.build("instrumented", RAVEL, "c++")
        began = time.monotonic()
        done, summary = self.ravel("never", "--executions", "1", program=program)
        self.assertLess(time.monotonic() - began, 10)  # it does not wait for the time limit
        self.assertEqual([one["kind"] for one in summary["findings"]], ["deadlock"], done.stdout)
        self.assertEqual(summary["findings"][0]["message"], NOBODY)
        self.assertIn(NOBODY, " ".join(done.stdout.split()))
        # The stack begins in the program, not in what was linked to it.
        self.assertNotIn("sync_points.c", done.stdout)
        self.assertIn("program.cpp", done.stdout)

    def test_a_single_task_that_waits_for_ever(self):
        done, summary = self.ravel("alone", "--executions", "1")
        self.assertEqual([one["kind"] for one in summary["findings"]], ["deadlock"], done.stdout)
        self.assertIn('waits for "late"', summary["findings"][0]["message"])

    def test_schedules_replay_byte_for_byte(self):
        for what, kind in (("reversed", "data-race"), ("never", "deadlock")):
            with self.subTest(what):
                _, summary = self.ravel(what, "--executions", "20", "--strategy", "random")
                schedule = summary["findings"][0]["schedule"]
                texts = []
                for _ in range(2):
                    done = self.run_command([RAVEL, "replay", schedule])
                    self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                    self.assertIn(kind, done.stdout)
                    texts.append(done.stdout)
                self.assertEqual(texts[0], texts[1])
                # The schedule knows which test ran, and it counts.
                self.assertEqual(self.run_command([RAVEL, "replay", schedule], test=None).stdout, texts[0])
                self.assertEqual(self.run_command([RAVEL, "replay", schedule], test="another").stdout, texts[0])

    def test_schedules_are_shrunk_and_explained(self):
        _, summary = self.ravel("reversed", "--executions", "5", "--strategy", "random")
        done = self.run_command([RAVEL, "explain", summary["findings"][0]["schedule"]])
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        for words in ("shared", "sync-notify event E1", "sync-wait event E1"):
            self.assertIn(words, done.stdout)

    def test_exhaustive_search_ends_and_sees_every_order_that_is_left(self):
        done, summary = self.ravel("sticky", "--strategy", "dpor", "--executions", "10000", "--keep-going")
        self.assertEqual(summary["findings"], [], done.stdout)
        self.assertLess(summary["executions"], 10000)
        done, summary = self.ravel("arrival", "--strategy", "dpor", "--executions", "10000", "--keep-going")
        self.assertEqual(summary["findings"], [], done.stdout)
        self.assertLess(summary["executions"], 10000)

    def test_every_carrier(self):
        for carrier in ("fiber", "thread"):
            with self.subTest(carrier):
                done, summary = self.ravel("reversed", "--executions", "5", "--strategy", "random", "--carrier", carrier)
                self.assertEqual([one["kind"] for one in summary["findings"]], ["data-race"], done.stdout + done.stderr)

    def test_a_program_that_is_not_position_independent(self):
        program = self.build("fixed", RAVEL, "c++", "-no-pie", "-fno-pie")
        done, summary = self.ravel("never", "--executions", "1", program=program)
        self.assertEqual([one["kind"] for one in summary["findings"]], ["deadlock"], done.stdout)
        self.assertEqual(summary["findings"][0]["message"], NOBODY)

    def test_a_program_that_leaves_the_names_to_the_runtime(self):
        program = self.build("open", RAVEL, "c++", library=False)
        done, summary = self.ravel("reversed", "--executions", "1", program=program)
        self.assertEqual([one["kind"] for one in summary["findings"]], ["data-race"], done.stdout)
        done, summary = self.ravel("never", "--executions", "1", program=program)
        self.assertEqual(summary["findings"][0]["message"], NOBODY)

    def test_under_noise_the_threads_wait_too(self):
        program = self.build("instrumented", RAVEL, "c++")
        for what in ("ping-pong", "task"):
            done = self.run_command([RAVEL, "noise", "--runs", "20", "--", program, what])
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_program_and_shared_library_share_the_events(self):
        for name, prefix, compiler in (("plain", [], ["g++"]), ("tsan", ["setarch", "-R"], ["g++", "-fsanitize=thread"]),
                                       ("ravel", [], [RAVEL, "c++"])):
            with self.subTest(name):
                flags = ["-std=c++17", "-g", "-O1", "-pthread", "-I", INCLUDE, "-L" + str(LIBRARY)]
                library, user = f"libwoven_{name}.so", f"./user-{name}"
                for command in (["-fPIC", "-shared", "-o", library, "library.cpp", "-lravel_sync"],
                                ["-o", user, "library_user.cpp", "-lravel_sync", "-L.", "-lwoven_" + name, "-Wl,-rpath,."]):
                    subprocess.run([str(word) for word in [*compiler, *flags, *command]], cwd=self.directory, check=True)
                if name == "ravel":
                    done, summary = self.ravel("", "--executions", "50", "--keep-going", program=user)
                    self.assertEqual([one["kind"] for one in summary["findings"]], ["data-race"], done.stdout)
                    continue
                for _ in times(20):
                    done = self.run_command([*prefix, user])
                    self.assertEqual(done.returncode, 66 if prefix else 0, done.stderr)
                    self.assertEqual("data race" in done.stderr, bool(prefix))

    # -- other detectors and plain runs

    def forced(self, prefix, program, count):
        """Every case keeps its order in `count` of `count` runs."""
        for what, expected in (("ping-pong", "order abcde"), ("arrival", "order aaxaa"), ("task", "order m21"),
                               ("sticky", "done"), ("locked", "done")):
            with self.subTest(what):
                for _ in times(count):
                    done = self.run_command([*prefix, program, what])
                    self.assertEqual((done.returncode, done.stdout.strip()), (0, expected), done.stderr)

    def told_after_the_limit(self, prefix, program):
        began = time.monotonic()
        done = self.run_command([*prefix, program, "never"], limit=700)
        self.assertEqual(done.returncode, 67, done.stderr)
        self.assertGreater(time.monotonic() - began, 0.7)
        self.assertEqual([line for line in done.stderr.splitlines() if NOBODY in line], ["ravel: " + NOBODY])

    def test_a_plain_run(self):
        program = self.build("plain", "g++")
        self.forced([], program, 100)
        self.told_after_the_limit([], program)
        # Nothing waits when another test runs, or none.
        for test in (None, "another", "orde", "order2"):
            self.assertEqual(self.run_command([program, "never"], test=test).returncode, 0)

    def test_thread_sanitizer_reports_the_race_every_time(self):
        program = self.build("tsan", "g++", "-fsanitize=thread")
        prefix = ["setarch", "-R"]
        for _ in times(100):
            done = self.run_command([*prefix, program, "reversed"])
            self.assertEqual(done.stdout, "saw 0\n")
            self.assertIn("WARNING: ThreadSanitizer: data race", done.stderr)
            self.assertEqual(done.returncode, 66)
        self.forced(prefix, program, 20)
        self.told_after_the_limit(prefix, program)

    def test_thread_sanitizer_of_clang(self):
        for compiler in ("clang++", "clang++-19"):
            if shutil.which(compiler) is None:
                continue
            program = self.build(compiler, compiler, "-fsanitize=thread")
            for _ in times(20):
                done = self.run_command(["setarch", "-R", program, "reversed"])
                self.assertEqual(done.stdout, "saw 0\n")
                self.assertIn("WARNING: ThreadSanitizer: data race", done.stderr)
            self.forced(["setarch", "-R"], program, 5)

    def valgrind(self, tool, words):
        program = self.build("plain", "g++")
        prefix = ["valgrind", "-q", "--tool=" + tool, "--error-exitcode=66"]
        for _ in times(10):
            done = self.run_command([*prefix, program, "reversed"])
            self.assertEqual(done.stdout, "saw 0\n")
            self.assertIn(words, done.stderr)
            self.assertEqual(done.returncode, 66)
            # Of the program, and of nothing else: the events themselves do not race.
            self.assertNotIn("sync_points.c", done.stderr)
            self.assertNotIn("ravel_sync", done.stderr)
        self.forced(prefix, program, 2)
        self.told_after_the_limit(prefix, program)

    def test_helgrind_reports_the_race(self):
        self.valgrind("helgrind", "Possible data race")

    def test_drd_reports_the_race(self):
        self.valgrind("drd", "Conflicting")


if __name__ == "__main__":
    unittest.main()
