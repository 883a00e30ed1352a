#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What base/mutex.h guards is touched under its lock: clang checks its annotations in every source that includes it.

  thread_safety.py BUILD

Only those sources are read, with the flags of the build directory. First the check itself is tried on a mistake."""

import json
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEADER = "base/mutex.h"
CHECK = ["-fsyntax-only", "-Wthread-safety", "-Werror=thread-safety", "-Wno-unknown-warning-option"]
SKIPPED = 77
MISTAKE = """
#include "base/mutex.h"
class Account {
 public:
  void deposit() { ++balance_; }
 private:
  ravel::Mutex mutex_;
  int balance_ RAVEL_GUARDED_BY(mutex_) = 0;
};
"""


def includes(path, seen):
    """Whether the file includes the header, itself or through headers of ours."""
    if path in seen or not path.is_file():
        return False
    seen.add(path)
    names = re.findall(r'^#include "([^"]+)"', path.read_text(), re.MULTILINE)
    return HEADER in names or any(includes(ROOT / name, seen) for name in names)


def content(clang, flags, source):
    """Whether clang finds nothing; what it finds is printed."""
    done = subprocess.run([clang, *flags, *CHECK, str(source)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(done.stderr, flush=True)
    return done.returncode == 0


def flags_of(command):
    """Those that decide what the source means: where its headers are, what is defined, which language."""
    words = shlex.split(command)
    return [word for before, word in zip(["", *words], words)
            if before == "-isystem" or re.match(r"-(D|I|isystem|std=)", word)]


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    clang = shutil.which("clang++")
    if not clang:
        print("clang++ is not installed; ./dev check installs it")
        return SKIPPED
    with tempfile.TemporaryDirectory() as directory:
        wrong = pathlib.Path(directory, "wrong.cpp")
        wrong.write_text(MISTAKE)
        done = subprocess.run([clang, "-std=c++20", f"-I{ROOT}", *CHECK, str(wrong)], capture_output=True, text=True,
                              check=False)
        if "requires holding mutex 'mutex_'" not in done.stderr:
            print("clang does not see what is wrong here:", MISTAKE, done.stderr, sep="\n")
            return 1
    checked = bad = 0
    for entry in json.loads((build / "compile_commands.json").read_text()):
        source = pathlib.Path(entry["file"])
        if not source.is_relative_to(ROOT) or source.is_relative_to(build) or not includes(source, set()):
            continue
        checked += 1
        bad += not content(clang, flags_of(entry["command"]), source)
    print(f"{checked} sources, {bad} with mistakes")
    return 1 if bad or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
