#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Odd programs and damaged files: each gets a defined answer (exit code, one clear sentence), no hang, no process left
behind, no half-written file. RAVEL names the tool, RAVEL_TEST_WORK a directory to work in."""

import json
import os
import pathlib
import random
import re
import shlex
import shutil
import signal
import stat
import struct
import subprocess
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
RAVEL = pathlib.Path(os.environ.get("RAVEL", "build/bin/ravel")).resolve()
WORK = os.environ.get("RAVEL_TEST_WORK")


def processes_in(directory):
    """Processes whose program is in the directory."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            executable = os.readlink(entry / "exe")
            state = (entry / "stat").read_text().rsplit(")", 1)[1].split()[0]
        except (OSError, IndexError):
            continue
        if executable.startswith(str(directory) + "/") and state != "Z":
            found.append(int(entry.name))
    return found


class Robustness(unittest.TestCase):
    def setUp(self):
        if WORK:
            pathlib.Path(WORK).mkdir(parents=True, exist_ok=True)
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix=self._testMethodName + ".", dir=WORK))
        self.addCleanup(shutil.rmtree, self.directory, ignore_errors=True)

    # --- helpers

    def start(self, *words):
        return subprocess.Popen([str(RAVEL), *map(str, words)], cwd=self.directory, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)

    def ravel(self, *words, limit=60):
        process = self.start(*words)
        self.words = ["ravel", *map(str, words)]
        try:
            out, err = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
            self.fail(f"it hangs: still running after {limit} s\n" + self.shown(out.decode(), err.decode(), None))
        self.out, self.err, self.code = out.decode(errors="replace"), err.decode(errors="replace"), process.returncode
        self.assert_nothing_left()
        return self.code

    def shown(self, out, err, code):
        return (f"command: {shlex.join(self.words)}\nexit code: {code}\n--- standard output\n{out[-4000:]}"
                f"\n--- standard error\n{err[-4000:]}\n---")

    def check(self, condition, what):
        if not condition:
            self.fail(what + "\n" + self.shown(self.out, self.err, self.code))

    def assert_nothing_left(self):
        deadline = time.monotonic() + 5
        while processes_in(self.directory) and time.monotonic() < deadline:
            time.sleep(0.05)
        left = processes_in(self.directory)
        for pid in left:
            os.kill(pid, signal.SIGKILL)
        self.assertEqual(left, [], "processes were left behind")
        for path in self.directory.rglob("*"):
            self.assertNotRegex(path.name, r"\.(tmp|part|new)", "a temporary file was left behind")
            if path.suffix == ".ravel" and path.is_file() and path.parent.name == ".ravel":
                self.assertRegex(path.read_text().splitlines()[-1], r"^end [0-9a-f]{16}$", f"{path} is not whole")

    def build(self, name, *flags, compiler="g++"):
        program = self.directory / name
        done = subprocess.run([compiler, "-std=c++20", "-g", "-pthread", HERE / f"{name}.cpp", "-o", program, *flags],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return program

    # One sentence that names the trouble, what to do next, exit code 2, nothing written.
    def assert_refused(self, pattern):
        self.check(self.code == 2, "exit code 2 is expected")
        self.check(re.search(pattern, self.err), f"standard error does not say /{pattern}/")
        self.check(self.err.startswith("ravel: "), "the sentence does not begin with 'ravel: '")
        self.check(len(self.err.strip().splitlines()) <= 2, "more than a sentence and a hint")
        self.check(self.out == "", "something was printed on standard output")
        self.check(not (self.directory / ".ravel").exists(), "something was written")

    # --- what is not a program

    def test_missing_program(self):
        self.ravel("run", "--", "./missing")
        self.assert_refused(r"no program \./missing")

    def test_missing_in_path(self):
        self.ravel("run", "--", "no-such-program-anywhere")
        self.assert_refused("no-such-program-anywhere")

    def test_directory(self):
        (self.directory / "folder").mkdir()
        self.ravel("run", "--", "./folder")
        self.assert_refused("folder is a directory")

    def test_not_executable(self):
        (self.directory / "notes").write_text("hello\n")
        self.ravel("run", "--", "./notes")
        self.assert_refused("not executable")

    def test_shell_script(self):
        script = self.directory / "start.sh"
        script.write_text("#!/bin/sh\nexec ./program\n")
        script.chmod(0o755)
        self.ravel("run", "--", "./start.sh")
        self.assert_refused("script")

    def test_static_binary(self):
        self.build("no_threads", "-static")
        self.ravel("run", "--", "./no_threads")
        self.assert_refused("statically linked")

    def test_32_bit_binary(self):
        # Only the ELF header is looked at, so no 32-bit compiler is needed.
        ident = b"\x7fELF" + bytes([1, 1, 1]) + bytes(9)
        header = struct.pack("<HHIIIIIHHHHHH", 2, 3, 1, 0x8048000, 52, 0, 0, 52, 32, 0, 40, 0, 0)
        program = self.directory / "old"
        program.write_bytes(ident + header + bytes(64))
        program.chmod(0o755)
        self.ravel("run", "--", "./old")
        self.assert_refused("32-bit")

    def test_truncated_elf(self):
        program = self.build("no_threads")
        for size in (4, 20, 64, 300):
            cut = self.directory / "cut"
            cut.write_bytes(program.read_bytes()[:size])
            cut.chmod(0o755)
            self.ravel("run", "--executions", 5, "--", "./cut")
            self.check(self.code == 2, f"exit code 2 is expected for the first {size} bytes of a program")
            self.check(self.err.startswith("ravel: "), "no sentence")

    def test_setuid_binary(self):
        program = self.build("no_threads")
        program.chmod(0o4755)
        if not program.stat().st_mode & stat.S_ISUID:
            self.skipTest("the file system keeps no setuid bits")
        self.ravel("run", "--", "./no_threads")
        self.assert_refused("setuid")

    def test_empty_command(self):
        self.ravel("run", "--")
        self.assert_refused("no program is given")

    # --- odd programs

    def test_no_threads(self):
        self.build("no_threads")
        self.ravel("run", "--json", "summary.json", "--", "./no_threads")
        self.check(self.code == 0, "exit code 0 is expected")
        self.check("never created a thread" in self.out + self.err, "it is not said that there was nothing to explore")
        self.check(json.loads((self.directory / "summary.json").read_text())["executions"] == 1, "one execution")

    def test_forks(self):
        self.build("forks")
        self.ravel("run", "--executions", 100, "--", "./forks")
        self.check(self.code == 0, "exit code 0 is expected")

    def test_execs_before_threads(self):
        self.build("execs")
        self.ravel("run", "--executions", 20, "--", "./execs", "early")
        self.check(self.code == 0, "exit code 0 is expected")
        self.check("(exec)" in self.out, "exec is not mentioned")
        self.check("never created a thread" not in self.out, "it is not the program itself that ended")

    def test_execs_in_task(self):
        self.build("execs")
        self.ravel("run", "--executions", 20, "--", "./execs", "late")
        self.check(self.code == 0, "exit code 0 is expected")

    def test_exits_in_task(self):
        self.build("exits_in_task")
        self.ravel("run", "--executions", 100, "--", "./exits_in_task", 0)
        self.check(self.code == 0, "_exit(0) is not a finding")
        self.ravel("run", "--executions", 100, "--expect", "exit-code", "--", "./exits_in_task", 3)
        self.check(self.code == 0, "_exit(3) is a finding")

    def test_gigabyte_of_output(self):
        self.build("gigabyte")
        self.ravel("run", "--executions", 2, "--no-verify", "--jobs", 1, "--timeout", "60s", "--", "./gigabyte",
                   limit=150)
        self.check(self.code == 0, "exit code 0 is expected")
        self.check(len(self.out) < 100_000, "the program's output was printed")

    def test_ignores_sigterm(self):
        self.build("ignores_sigterm")
        self.ravel("run", "--timeout", "1s", "--expect", "timeout", "--", "./ignores_sigterm")
        self.check(self.code == 0, "a timeout is expected")

    def test_killed(self):
        self.build("killed")
        self.ravel("run", "--executions", 50, "--expect", "signal", "--", "./killed")
        self.check(self.code == 0, "a signal is expected")

    # --- the driver is stopped or dies

    def wait_for_target(self):
        deadline = time.monotonic() + 20
        while not processes_in(self.directory):
            self.assertLess(time.monotonic(), deadline, "the program was not started")
            time.sleep(0.02)
        time.sleep(0.3)

    def test_interrupted_driver(self):
        self.build("ignores_sigterm")
        for number in (signal.SIGINT, signal.SIGTERM):
            driver = self.start("run", "--timeout", "60s", "--", "./ignores_sigterm")
            self.wait_for_target()
            driver.send_signal(number)
            out, err = driver.communicate(timeout=20)
            self.words, self.out, self.err, self.code = ["run"], out.decode(), err.decode(), driver.returncode
            self.check(self.code in (2, -number, 128 + number), "neither exit code 2 nor death by the signal")
            self.assert_nothing_left()

    def test_killed_driver(self):
        self.build("ignores_sigterm")
        driver = self.start("run", "--timeout", "60s", "--", "./ignores_sigterm")
        self.wait_for_target()
        driver.kill()
        driver.wait(timeout=20)
        driver.stdout.close()
        driver.stderr.close()
        self.assert_nothing_left()

    # --- builds that need nothing of ours

    def test_plain_build(self):
        self.build("lock_order")
        self.ravel("run", "--expect", "deadlock", "--json", "summary.json", "--", "./lock_order")
        self.check(self.code == 0, "a deadlock is expected with no rebuild")
        self.check("lock_order.cpp" in self.out, "the report has no source lines")
        self.check(not json.loads((self.directory / "summary.json").read_text())["instrumented"], "not instrumented")

    def test_tsan_build(self):
        self.build("lock_order", "-fsanitize=thread")
        linked = subprocess.run(["ldd", self.directory / "lock_order"], capture_output=True, text=True).stdout
        self.assertIn("libtsan.so", linked, "this build is to be linked with the real libtsan")
        self.ravel("run", "--expect", "deadlock", "--json", "summary.json", "--", "./lock_order")
        self.check(self.code == 0, "a deadlock is expected")
        self.check(json.loads((self.directory / "summary.json").read_text())["instrumented"], "instrumented")

    # --- schedule files

    def schedule(self):
        self.build("lock_order")
        self.ravel("run", "--jobs", 1, "--expect", "deadlock", "--", "./lock_order")
        self.check(self.code == 0, "a deadlock is expected")
        files = list((self.directory / ".ravel").glob("*.ravel"))
        self.assertEqual(len(files), 1)
        return files[0]

    def assert_file_refused(self, name, content, pattern):
        (self.directory / name).write_bytes(content)
        self.ravel("replay", name)
        self.check(self.code == 2, f"{name}: exit code 2 is expected")
        self.check(re.search(pattern, self.err), f"{name}: standard error does not say /{pattern}/")
        self.check(len(self.err.strip().splitlines()) <= 2, f"{name}: more than a sentence and a hint")
        self.check(self.out == "", f"{name}: something was printed on standard output")

    def test_schedule_files(self):
        good = self.schedule().read_bytes()
        self.ravel("replay", ".ravel/1-deadlock.ravel")
        self.check(self.code == 1, "the whole file replays")
        self.ravel("replay", "missing.ravel")
        self.check(self.code == 2 and "missing.ravel" in self.err, "a missing file is named")
        self.ravel("replay", ".")
        self.check(self.code == 2, "a directory is not a schedule")
        self.assert_file_refused("empty.ravel", b"", "empty|no schedule|not a schedule|truncated")
        self.assert_file_refused("foreign.ravel", b"\x89PNG\r\n\x1a\n" + bytes(100), "no schedule|not a .*schedule")
        self.assert_file_refused("text.ravel", b"Dear reader,\n\nthis is a letter.\n", "no schedule|not a .*schedule")
        self.assert_file_refused("newer.ravel", good.replace(b"ravel-schedule 1", b"ravel-schedule 99", 1), "newer|later")
        for part in (10, len(good) // 3, len(good) // 2, len(good) - 10):
            self.assert_file_refused("cut.ravel", good[:part], "truncated|damaged|no schedule|not a .*schedule")
        changed = bytearray(good)
        changed[good.index(b"decisions: ") + 20] ^= 1
        self.assert_file_refused("damaged.ravel", bytes(changed), "damaged")

    def test_damaged_bytes_never_crash(self):
        good = self.schedule().read_bytes()
        chance = random.Random(1)
        for _ in range(40):
            bad = bytearray(good)
            for _ in range(chance.randint(1, 5)):
                bad[chance.randrange(len(bad))] = chance.randrange(256)
            if bytes(bad) != good:
                self.assert_file_refused("bad.ravel", bytes(bad), "^ravel: ")

    def test_replay_of_a_changed_program(self):
        self.schedule()
        source = (HERE / "lock_order.cpp").read_text().replace("std::scoped_lock first(a);\n    ++shared;", "++shared;")
        changed = self.directory / "changed.cpp"
        changed.write_text(source)
        subprocess.run(["g++", "-std=c++20", "-g", "-pthread", changed, "-o", self.directory / "lock_order"], check=True)
        self.ravel("replay", ".ravel/1-deadlock.ravel")
        self.check(self.code == 0, "the finding cannot come back")
        self.check(re.search("did not come back|diverge|differs", self.out + self.err), "the difference is not named")
        self.check("warning" in self.err, "no warning that the program has changed")

    def test_replay_of_a_missing_program(self):
        self.schedule()
        (self.directory / "lock_order").unlink()
        self.ravel("replay", ".ravel/1-deadlock.ravel")
        self.check(self.code == 2 and "lock_order" in self.err, "the missing program is named")

    def test_out_directory_cannot_be_written(self):
        self.build("lock_order")
        (self.directory / "file").write_text("not a directory\n")
        self.ravel("run", "--out", "file", "--", "./lock_order")
        self.check(self.code == 2, "exit code 2 is expected")
        self.check("file" in self.err, "the directory is not named")


if __name__ == "__main__":
    unittest.main()
