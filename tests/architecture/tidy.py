#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""clang-tidy over the sources of one layer, with the flags of the build directory.

  tidy.py BUILD FOLDER

Most of the time goes into headers of libraries, so the sources of a layer are first read as one, which includes them
all. When that finds nothing, nothing is to be found. Otherwise, also when two of them use a name twice and do not compile
together, each half is tried the same way; a source that is left alone decides. What passed is not looked at again until
it, a header, the flags or the configuration changes."""

import hashlib
import json
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TIDY = ["clang-tidy", "--quiet", "--warnings-as-errors=*", f"--config-file={ROOT / '.clang-tidy'}"]
SKIPPED = 77
# Checks that look at the main file only, and what a file has that they may speak about.
MAIN_FILE_CHECKS = "--checks=-*,misc-unused-using-decls,bugprone-suspicious-include"
MAIN_FILE_SUBJECTS = re.compile(r"^ *using \w+(::\w+)+;|^#include .*\.(c|cc|cpp)[\">]", re.MULTILINE)


def commands_of(build, folder):
    """The flags of each source of the layer; of one that is compiled for both sides, those of the target, the last."""
    flags = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        source = pathlib.Path(entry["file"])
        if source.parent == ROOT / folder and source.suffix == ".cpp":
            flags[source] = entry["command"].split(" -o ")[0]
    return flags


def alone(build, source, *options):
    """Whether nothing is found in the source; what is found is printed."""
    done = subprocess.run([*TIDY, *options, "-p", str(build), str(source)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(done.stdout, done.stderr if "error" in done.stderr else "", sep="", flush=True)
    return done.returncode == 0


def passes(work, name, command, sources):
    """Whether nothing is found in the sources, read together as one file."""
    work.mkdir(parents=True, exist_ok=True)
    together = work / f"{name}.cpp"
    together.write_text("".join(f'#include "{source}"\n' for source in sources))
    # That names of one source hide those of another is no matter.
    (work / "compile_commands.json").write_text(json.dumps(
        [{"directory": str(work), "file": str(together), "command": f"{command} -Wno-shadow -c {together}"}]))
    # Sources that are included are what this check is about.
    done = subprocess.run([*TIDY, "--checks=-bugprone-suspicious-include", "-p", str(work), str(together)],
                          capture_output=True, text=True, check=False)
    return done.returncode == 0


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
    build, folder = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    if not shutil.which("clang-tidy"):
        print("clang-tidy is not installed; ./dev check installs it")
        return SKIPPED
    flags = commands_of(build, folder)
    work = build / "tidy" / folder
    stamp = work / "passed"
    key = key_of(build, flags)
    if stamp.exists() and stamp.read_text() == key:
        return 0

    batches = {}
    for source, command in sorted(flags.items()):
        batches.setdefault(command, []).append(source)
    bad = []
    todo = list(batches.items())
    while todo:
        command, sources = todo.pop()
        if len(sources) > 1 and passes(work, "together", command, sources):
            subjects = [source for source in sources if MAIN_FILE_SUBJECTS.search(source.read_text())]
            bad += [source for source in subjects if not alone(build, source, MAIN_FILE_CHECKS)]
        elif len(sources) > 1:
            half = len(sources) // 2
            todo += [(command, sources[:half]), (command, sources[half:])]
        else:
            bad += [source for source in sources if not alone(build, source)]
    for source in bad:
        print(f"clang-tidy is not content with {source.relative_to(ROOT)}")
    if bad:
        return 1
    work.mkdir(parents=True, exist_ok=True)
    stamp.write_text(key)
    return 0


if __name__ == "__main__":
    sys.exit(main())
