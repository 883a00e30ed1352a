#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the crash stacks of the subjects: builds each subject's crash.cpp, runs it until it crashes, and keeps what it
leaves as crash.txt. Needs gdb, g++, clang++ and RAVEL; run by hand when a subject changes:

    RAVEL=build/bin/ravel tests/e2e/reproduce/make_crashes.py [SUBJECT...]
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from subjects import DEADLOCKS, HANDLES, PUBLISHED, RAVEL, SUBJECTS, THREE_THREADS


def run(words, directory, timeout=120, environment=None):
    done = subprocess.run(words, cwd=directory, capture_output=True, text=True, timeout=timeout, errors="replace",
                          env={**os.environ, **(environment or {})})
    return done.stdout + done.stderr


def build(subject, directory, compiler, *options):
    sources = [str(file.relative_to(SUBJECTS / subject)) for file in sorted((SUBJECTS / subject).glob("*.cpp"))]
    words = [*compiler, "-std=c++20", "-g", f"-ffile-prefix-map={SUBJECTS / subject}=.", *options, *sources, "-pthread",
             "-o", str(directory / "app")]
    done = subprocess.run(words, cwd=SUBJECTS / subject, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{words}\n{done.stderr}")


def gdb(subject, directory, *commands):
    build(subject, directory, ["g++"], "-O0")
    words = ["gdb", "-batch", "-ex", "set debuginfod enabled off", "-ex", "run"]
    for command in commands:
        words += ["-ex", command]
    return run(words + ["./app"], directory)


def sanitizer(subject, directory, compiler, name, environment=None):
    build(subject, directory, [compiler], "-O1", "-fno-omit-frame-pointer", f"-fsanitize={name}")
    return run(["./app"], directory, environment=environment)


def glibc(subject, directory):
    build(subject, directory, ["g++"], "-O0", "-rdynamic")
    return run(["./app"], directory)


def boost(subject, directory):
    build(subject, directory, ["g++"], "-O0", "-rdynamic", "-ldl")
    return run(["./app"], directory)


def lldb(subject, directory):
    build(subject, directory, ["g++"], "-O0")
    return run(["lldb-19", "-b", "-o", "run", "-k", "bt", "-k", "quit", "./app"], directory)


def ravel(subject, directory):
    build(subject, directory, [str(RAVEL), "c++"], "-O0")
    return run([str(RAVEL), "run", "--no-races", "--no-color", "--no-shrink", "--max-steps", "2000", "--", "./app"], directory)


MAKERS = {
    "per_user_pool": lambda s, d: sanitizer(s, d, "g++", "address"),
    "shared_pool": lldb,
    "int_range": lambda s, d: gdb(s, d, "bt"),
    "buffered_input": lambda s, d: sanitizer(s, d, "clang++-19", "thread", {"TSAN_OPTIONS": "report_bugs=0"}),
    "logger": lambda s, d: gdb(s, d, "bt"),
    "pushback_reader": glibc,
    "number_axis": boost,
    "xy_series": lambda s, d: sanitizer(s, d, "clang++-19", "address"),
    "category": lambda s, d: gdb(s, d, "thread apply all bt"),
    "file_appender": ravel,
}


def hang(folder, directory):
    """The stacks of a program that hangs, from a debugger that is attached to it."""
    words = ["g++", "-std=c++20", "-g", "-O0", f"-ffile-prefix-map={folder}=.", "hang.cpp", "-pthread", "-o",
             str(directory / "app")]
    subprocess.run(words, cwd=folder, check=True)
    with subprocess.Popen(["./app"], cwd=directory) as app:
        time.sleep(3)
        text = run(["gdb", "-batch", "-p", str(app.pid), "-ex", "thread apply all bt"], directory)
        app.kill()
    return text


def native(folder, directory, compiler, *options):
    """A subject that is not one of the ten: its program, built in `directory`."""
    sources = sorted(str(file.name) for pattern in ("*.c", "*.cpp") for file in folder.glob(pattern))
    subprocess.run([compiler, "-g", f"-ffile-prefix-map={folder}=.", *options, *sources, "-pthread", "-o",
                    str(directory / "app")], cwd=folder, check=True)


def native_gdb(folder, directory, compiler, *options):
    native(folder, directory, compiler, "-O0", *options)
    return run(["gdb", "-batch", "-ex", "set debuginfod enabled off", "-ex", "run", "-ex", "bt", "./app"], directory)


def native_asan(folder, directory, compiler, *options):
    native(folder, directory, compiler, "-O1", "-fno-omit-frame-pointer", "-fsanitize=address", *options)
    return run(["./app"], directory)


OTHERS = {
    HANDLES / "kv_store": lambda f, d: native_asan(f, d, "gcc"),
    HANDLES / "uplink": lambda f, d: native_gdb(f, d, "gcc"),
    PUBLISHED / "lru_cache": lambda f, d: native_asan(f, d, "g++", "-std=c++20"),
}


def main():
    for folder, maker in OTHERS.items():
        if sys.argv[1:] and folder.name not in sys.argv[1:]:
            continue
        with tempfile.TemporaryDirectory() as directory:
            text = maker(folder, pathlib.Path(directory)).replace(directory, "/srv/app")
            (folder / "crash.txt").write_text(re.sub(r"\[(New Thread|Thread) .*\n", "", text))
            print(folder.name, len(text), "bytes")
    for folder in sorted(DEADLOCKS.iterdir()):
        if sys.argv[1:] and folder.name not in sys.argv[1:]:
            continue
        with tempfile.TemporaryDirectory() as directory:
            text = hang(folder, pathlib.Path(directory))
            text = text[text.index("\nThread 2 (") + 1:].replace(directory, "/srv/app")
            (folder / "crash.txt").write_text(text)
            print(folder.name, len(text), "bytes")
    for folder in sorted(THREE_THREADS.iterdir()):
        if sys.argv[1:] and folder.name not in sys.argv[1:]:
            continue
        with tempfile.TemporaryDirectory() as directory:
            subprocess.run(["g++", "-std=c++20", "-g", "-O0", f"-ffile-prefix-map={folder}=.", "crash.cpp", "-pthread", "-o",
                            directory + "/app"], cwd=folder, check=True)
            text = run(["gdb", "-batch", "-ex", "run", "-ex", "bt", "./app"], directory).replace(directory, "/srv/app")
            (folder / "crash.txt").write_text(re.sub(r"\[(New Thread|Thread) .*\n", "", text))
            print(folder.name, len(text), "bytes")
    for subject in MAKERS:
        if sys.argv[1:] and subject not in sys.argv[1:]:
            continue
        with tempfile.TemporaryDirectory() as directory:
            text = MAKERS[subject](subject, pathlib.Path(directory))
            text = text.replace(str(SUBJECTS / subject) + "/", "").replace(directory, "/srv/app")
            text = re.sub(r"\[(New Thread|Thread) .*\n", "", text)
            (SUBJECTS / subject / "crash.txt").write_text(text)
            print(subject, len(text), "bytes")


if __name__ == "__main__":
    main()
