#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One process that performs many executions shows what executions by fork show, needs no more memory as it goes on, and
ends where it cannot be put back. RAVEL names the tool, RAVEL_TEST_PROGRAM a build of kernel_state.c, RAVEL_TEST_SOURCE a
program of tests/programs."""

import argparse
import ctypes
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "programs"))
import program_test  # noqa: E402

RAVEL = pathlib.Path(os.environ.get("RAVEL", "build/bin/ravel")).resolve()
PROGRAM = pathlib.Path(os.environ.get("RAVEL_TEST_PROGRAM", "kernel_state")).resolve()
SOURCE = os.environ.get("RAVEL_TEST_SOURCE", "")

# What differs between two campaigns that did the same.
VARYING = ("seconds", "executions_per_second", "resident_executions")


def works_here():
    """Does this machine have what residence needs?"""
    told = subprocess.run([str(RAVEL), "doctor"], capture_output=True, text=True).stdout
    return "one process can perform many executions" in told


def refuse_userfaultfd():
    """From now on the kernel refuses the call to this process and those it starts."""
    libc = ctypes.CDLL(None, use_errno=True)
    load, equal, answer = 0x20, 0x15, 0x06
    refuse, allow, userfaultfd, eperm = 0x00050000, 0x7FFF0000, 323, 1
    steps = [(load, 0, 0, 0), (equal, 0, 1, userfaultfd), (answer, 0, 0, refuse | eperm), (answer, 0, 0, allow)]
    program = b"".join(struct.pack("HBBI", *step) for step in steps)
    buffer = ctypes.create_string_buffer(program, len(program))
    filter_of = struct.pack("HxxxxxxQ", len(steps), ctypes.addressof(buffer))
    no_new_privileges, set_filter, by_program = 38, 22, 2
    libc.prctl(no_new_privileges, 1, 0, 0, 0)
    if libc.prctl(set_filter, by_program, filter_of, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "the filter was refused")


class Campaigns(unittest.TestCase):
    def setUp(self):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="ravel-test-resident."))
        self.addCleanup(shutil.rmtree, self.directory, ignore_errors=True)

    def words(self, executions, *options, jobs=1):
        return [str(RAVEL), "run", "--jobs", str(jobs), "--seed", "7", "--executions", str(executions), "--quiet", "--no-color",
                "--out", str(self.directory / "out"), "--json", str(self.directory / "summary.json"), *options]

    def campaign(self, executions, options, *program, jobs=1):
        shutil.rmtree(self.directory / "out", ignore_errors=True)
        ran = subprocess.run([*self.words(executions, *options, jobs=jobs), "--", *map(str, program)], cwd=self.directory,
                             stdin=subprocess.DEVNULL, capture_output=True, text=True)
        self.assertIn(ran.returncode, (0, 1), ran.stdout + ran.stderr)
        schedules = {path.name: path.read_bytes() for path in sorted((self.directory / "out").glob("*.ravel"))}
        return json.loads((self.directory / "summary.json").read_text()), schedules


class SameAsFork(Campaigns):
    def test_program(self):
        options = argparse.Namespace(ravel=RAVEL, work=self.directory, tier="fast", replays=None, executions=None)
        program = program_test.ProgramTest(options, pathlib.Path(SOURCE), "g++")
        program.build()
        header = program.header.options
        executions = 200
        words = ["--keep-going", *header]
        if "/livelock/" in SOURCE:  # its executions are long
            executions = 20
            words.append("--no-shrink")
        resident, schedules = self.campaign(executions, words, program.binary)
        forked, expected = self.campaign(executions, [*words, "--no-resident"], program.binary)
        self.assertEqual(forked["resident_executions"], 0)
        for key in VARYING:
            resident.pop(key)
            forked.pop(key)
        self.assertEqual(resident, forked)
        self.assertEqual(schedules, expected)


# Changes that are undone: the process stays.
PUT_BACK = ("nothing", "heap", "large-block", "new-mapping", "position", "mask", "stack", "timer")
# Changes that cannot be: the next execution has a process of its own.
FORKED = ("freed-block", "unmapped", "replaced", "protected", "emptied", "opened", "closed", "replaced-descriptor",
          "directory", "umask", "handler", "pending", "limit", "child", "command", "lock")


@unittest.skipUnless(works_here(), "this kernel does not offer what residence needs")
class Residence(Campaigns):
    def kind(self, kind, *options):
        summary, _ = self.campaign(60, options, PROGRAM, kind)
        self.assertEqual(summary["findings"], [], kind)
        self.assertEqual(summary["executions"], 60)
        self.assertEqual([note for note in summary["notes"] if "process of its own" in note], [])
        return summary["resident_executions"]

    def test_what_can_be_put_back(self):
        for kind in PUT_BACK:
            with self.subTest(kind):
                self.assertGreater(self.kind(kind), 50)

    def test_what_forces_a_fork(self):
        for kind in FORKED:
            with self.subTest(kind):
                self.assertEqual(self.kind(kind), 0)

    def test_no_residence_on_threads_or_if_not_wanted(self):
        self.assertEqual(self.kind("nothing", "--no-resident"), 0)
        self.assertEqual(self.kind("nothing", "--carrier", "thread"), 0)

    def test_without_the_means_every_execution_is_a_fork(self):
        told = subprocess.run([str(RAVEL), "doctor"], capture_output=True, text=True, preexec_fn=refuse_userfaultfd).stdout
        self.assertIn("every execution is a fork of its own", told)
        ran = subprocess.run([*self.words(60), "--", str(PROGRAM), "nothing"], cwd=self.directory,
                             stdin=subprocess.DEVNULL, capture_output=True, text=True, preexec_fn=refuse_userfaultfd)
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        summary = json.loads((self.directory / "summary.json").read_text())
        self.assertEqual((summary["executions"], summary["resident_executions"], summary["notes"]), (60, 0, []))

    def test_two_workers(self):
        summary, _ = self.campaign(2000, [], PROGRAM, "nothing", jobs=2)
        self.assertEqual(summary["findings"], [])
        self.assertGreater(summary["resident_executions"], 1900)

    def children(self, pid):
        try:
            lists = [path.read_text() for path in pathlib.Path(f"/proc/{pid}/task").glob("*/children")]
        except OSError:
            return []
        return [int(word) for text in lists for word in text.split()]

    def look_at(self, child):
        """Pages of memory, pages of addresses, open descriptors, threads; None: it is gone."""
        try:
            size, resident = pathlib.Path(f"/proc/{child}/statm").read_text().split()[:2]
            threads = len(os.listdir(f"/proc/{child}/task"))
            return int(resident), int(size), len(os.listdir(f"/proc/{child}/fd")), threads
        except OSError:
            return None

    def test_memory_and_descriptors_stay_the_same(self):
        """Looks at the resident processes again and again during a long campaign. The last one is not replaced from the
        16,384th execution to the 32,768th, when an execution by fork is compared."""
        executions = 32700
        words = [*self.words(executions), "--no-verify", "--", str(PROGRAM), "heap"]
        seen = {}  # by process
        with subprocess.Popen(words, cwd=self.directory, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as driver:
            while driver.poll() is None:
                for server in self.children(driver.pid):
                    for child in self.children(server):
                        facts = self.look_at(child)
                        if facts is not None:
                            seen.setdefault(child, []).append(facts)
                time.sleep(0.005)
        self.assertEqual(driver.returncode, 0)
        summary = json.loads((self.directory / "summary.json").read_text())
        self.assertGreater(summary["resident_executions"], executions - 100)
        longest = max(seen.values(), key=len)  # of one process, in 16,000 executions
        self.assertGreater(len(longest), 100)
        self.assertGreater(len(longest), sum(map(len, seen.values())) / 3, "one process performed about half of them")
        first = longest[len(longest) // 20:len(longest) // 10]  # about its 1,000th
        last = longest[-len(longest) // 3:]                     # beyond its 10,000th
        for fact, most in enumerate((1.1, 1.0, 1.0, 1.0)):
            # An execution needs some pages for itself and gives them back, so the most that is seen counts.
            self.assertLessEqual(max(facts[fact] for facts in last), most * max(facts[fact] for facts in first))


if __name__ == "__main__":
    unittest.main()
