#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Follows docs/tutorial.md word for word, in an empty folder: writes the files it shows (a C++ block below a line that
is a file name in bold) and runs the commands of its console blocks. What it shows of the output must be there, line by
line and in order, except for numbers; "[...]" stands for lines left out.

  tutorial_test.py RAVEL TUTORIAL
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

RAVEL, TUTORIAL = (pathlib.Path(word).resolve() for word in sys.argv[1:3])


def normalised(line):
    line = re.sub(r"\d+(\.\d+)?", "N", line.rstrip())
    line = re.sub(r"\bN ms total", "N ms", line)
    return re.sub(r"\b(execution|partial order|task|preemption|step)s\b", r"\1", line)


def blocks():
    """(name of a file or None, language, lines) of each block."""
    name = None
    language = None
    for line in TUTORIAL.read_text().splitlines():
        if language is None and line.startswith("```"):
            language, lines = line[3:], []
        elif line == "```":
            yield name, language, lines
            name = language = None
        elif language is not None:
            lines.append(line)
        elif line:
            bold = re.fullmatch(r"\*\*`([\w.]+)`\*\*", line)
            name = bold.group(1) if bold else None


def check(command, shown, printed):
    next_line, skipping = 0, False
    lines = [normalised(line) for line in printed.splitlines()]
    for line in shown:
        if line == "[...]":
            skipping = True
            continue
        wanted = normalised(line)
        while skipping and next_line < len(lines) and lines[next_line] != wanted:
            next_line += 1
        if next_line >= len(lines) or lines[next_line] != wanted:
            sys.exit(f"$ {command}\nThe tutorial shows:\n{line}\nwhich is not what comes there:\n{printed}")
        skipping = False
        next_line += 1
    if not skipping and next_line != len(lines):
        sys.exit(f"$ {command}\nThere is more than the tutorial shows:\n{printed}")


def follow(folder):
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("RAVEL", "GTEST"))}
    environment["PATH"] = f"{RAVEL.parent}:{environment['PATH']}"
    commands = 0
    for name, language, lines in blocks():
        if name is not None:
            (folder / name).write_text("\n".join(lines) + "\n")
        if language != "console":
            continue
        for part in "\n".join(lines).split("\n$ " if not lines[0].startswith("$ ") else "$ "):
            if not part.strip():
                continue
            command, *shown = part.rstrip("\n").split("\n")
            done = subprocess.run(command, shell=True, cwd=folder, env=environment, text=True, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, timeout=200)
            check(command, shown, done.stdout)
            commands += 1
    return commands


with tempfile.TemporaryDirectory() as empty:
    if follow(pathlib.Path(empty)) < 7:
        sys.exit("the tutorial has fewer commands than it should have")
