#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""clang-tidy over the sources of some layers, with the flags of the build directory. Clang's check of locks rides along:
what base/mutex.h guards is touched under its lock.

  tidy.py BUILD NAME FOLDER...
  tidy.py BUILD --mistakes       whether it sees mistakes that were made on purpose

Most of the time goes into headers of libraries, so sources are read together, as one file that includes them. A source
that does not compile with the others, because two of them use a name, waits for the next such file. When nothing is
found, there is nothing; otherwise each half is tried the same way, and a source that is left alone decides. What passed
is not looked at again until it, a header, the flags or the configuration changes."""

import hashlib
import json
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TIDY = ["clang-tidy", "--quiet", "--warnings-as-errors=*", "--extra-arg=-Wthread-safety",
        f"--config-file={ROOT / '.clang-tidy'}"]
SKIPPED = 77
# Checks that look at the main file only, and what a file must have for them to apply.
MAIN_FILE_CHECKS = "--checks=-*,misc-unused-using-decls,bugprone-suspicious-include"
MAIN_FILE_SUBJECTS = re.compile(r"^ *using \w+(::\w+)+;|^#include .*\.(c|cc|cpp)[\">]", re.MULTILINE)


# What makes no difference to clang-tidy: headers that the compiler of the build has precompiled, optimisation, debug
# information, how a library is linked.
IRRELEVANT = re.compile(r" -(fpch-preprocess|Winvalid-pch|include \S+/cmake_pch\.hxx|O[0-3gs]|g1?|DFMT_SHARED)(?= |$)")


def commands_of(build, folders):
    """The flags of each source of the layers; of one that is compiled for both sides, those of the target, the last."""
    flags = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        source = pathlib.Path(entry["file"])
        if source.parent in folders and source.suffix == ".cpp":
            flags[source] = IRRELEVANT.sub("", entry["command"].split(" -o ")[0])
    return flags


def look(work, command, source, *options):
    """What clang-tidy says of one file that is compiled by the command."""
    work.mkdir(parents=True, exist_ok=True)
    (work / "compile_commands.json").write_text(json.dumps(
        [{"directory": str(work), "file": str(source), "command": f"{command} -c {source}"}]))
    return subprocess.run([*TIDY, *options, "-p", str(work), str(source)], capture_output=True, text=True, check=False)


# What clang-tidy must say of a source.
MISTAKES = {
    "requires holding mutex 'mutex_'": """
#include "base/mutex.h"
class Account {
 public:
  void deposit() { ++balance_; }
 private:
  ravel::Mutex mutex_;
  int balance_ RAVEL_GUARDED_BY(mutex_) = 0;
};
""",
    "use nullptr": "int* nothing() { return 0; }\n",
}


def sees_mistakes(build):
    seen = True
    for expected, text in MISTAKES.items():
        work = build / "tidy/mistakes"
        work.mkdir(parents=True, exist_ok=True)
        wrong = work / "wrong.cpp"
        wrong.write_text(text)
        done = look(work, f"clang++ -std=c++20 -I{ROOT}", wrong)
        if done.returncode == 0 or expected not in done.stdout:
            print(f"clang-tidy does not say \"{expected}\" of:{text}", done.stdout, done.stderr, sep="\n")
            seen = False
    return seen


def alone(work, command, source, *options):
    """Whether nothing is found in the source; what is found is printed."""
    done = look(work, command, source, *options)
    if done.returncode != 0:
        print(done.stdout, done.stderr if "error" in done.stderr else "", sep="", flush=True)
    return done.returncode == 0


def write_together(work, sources):
    work.mkdir(parents=True, exist_ok=True)
    file = work / "together.cpp"
    file.write_text("".join(f'#include "{source}"\n' for source in sources))
    return file


def together(work, command, sources):
    """Whether nothing is found in the sources, read together as one file."""
    # Names of one source may hide those of another. Sources that are included are what the check is about.
    done = look(work, f"{command} -Wno-shadow", write_together(work, sources), "--checks=-bugprone-suspicious-include")
    return done.returncode == 0


def that_clash(work, command, sources):
    """The sources in which the compiler finds errors when it reads all of them as one."""
    compiler = ["clang++", *shlex.split(command)[1:], "-w", "-ferror-limit=0", "-fsyntax-only"]
    done = subprocess.run([*compiler, str(write_together(work, sources))], capture_output=True, text=True, check=False)
    named = set(re.findall(r"^(\S+?):\d+:\d+: error: ", done.stderr, re.MULTILINE))
    return [source for source in sources if str(source) in named]


def batches_of(work, flags):
    """Sources with the same flags that compile together, in the order of the build: a layer after those it uses."""
    by_flags = {}
    for source, command in flags.items():
        by_flags.setdefault(command, []).append(source)
    for command, sources in by_flags.items():
        while sources:
            later = that_clash(work, command, sources)[:len(sources) - 1]
            yield command, [source for source in sources if source not in later]
            sources = later


def key_of(build, flags):
    """Any change of a header is a change of every file: simple, and right."""
    key = hashlib.sha256()
    layers = [ROOT / row.split()[0] for row in (build / "layers.txt").read_text().splitlines()]
    headers = (path for layer in layers for path in sorted(layer.iterdir()) if path.suffix in (".h", ".def"))
    for path in [ROOT / ".clang-tidy", pathlib.Path(__file__), *headers, *flags]:
        key.update(path.read_bytes())
    key.update(json.dumps(list(flags.values())).encode())
    return key.hexdigest()


def main():
    build, name, folders = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2], [ROOT / folder for folder in sys.argv[3:]]
    if not shutil.which("clang-tidy"):
        print("clang-tidy is not installed; ./dev check installs it")
        return SKIPPED
    if name == "--mistakes":
        return 0 if sees_mistakes(build) else 1
    flags = commands_of(build, folders)
    work = build / "tidy" / name
    stamp = work / "passed"
    key = key_of(build, flags)
    if stamp.exists() and stamp.read_text() == key:
        return 0

    bad = []
    todo = list(batches_of(work, flags))
    while todo:
        command, sources = todo.pop()
        if len(sources) > 1 and together(work, command, sources):
            subjects = [source for source in sources if MAIN_FILE_SUBJECTS.search(source.read_text())]
            bad += [source for source in subjects if not alone(work, command, source, MAIN_FILE_CHECKS)]
        elif len(sources) > 1:
            half = len(sources) // 2
            todo += [(command, sources[:half]), (command, sources[half:])]
        else:
            bad += [source for source in sources if not alone(work, command, source)]
    for source in bad:
        print(f"clang-tidy is not content with {source.relative_to(ROOT)}")
    if bad:
        return 1
    work.mkdir(parents=True, exist_ok=True)
    stamp.write_text(key)
    return 0


if __name__ == "__main__":
    sys.exit(main())
