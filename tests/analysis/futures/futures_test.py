#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The reaching definitions of shared reads, as ravel-analyzer finds them. The programs carry what is expected: a comment
`[name]` gives the writes of its line a name, `n = π name other` behind a read says what n sees there (π: some of it from
threads that run at the same time; φ: by the way taken; neither: one). ANALYZER names the program."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ANALYZER = str(pathlib.Path(os.environ.get("ANALYZER", "build/bin/ravel-analyzer")).resolve())
PROGRAMS = pathlib.Path(__file__).resolve().parent / "programs"


def ask(*files, arguments=("-std=c++20",)):
    sources = [{"file": str(f), "directory": str(f.parent), "arguments": ["c++", *arguments, "-c", str(f)]} for f in files]
    done = subprocess.run([ANALYZER], input=json.dumps({"command": "futures", "sources": sources}), capture_output=True,
                          text=True, timeout=120)
    answer = json.loads(done.stdout)
    assert done.returncode == (0 if answer["ok"] else 2), done.stderr
    return answer


def term(definitions):
    """What the reads of one line see: the sign and the lines."""
    lines = {d["line"] for d in definitions}
    sign = "π" if any(d["concurrent"] for d in definitions) else "φ" if len(lines) > 1 else ""
    return sign, lines


def found_in(answer):
    by_line = {}
    for read in answer["reads"]:
        by_line.setdefault((read["object"], read["line"]), []).extend(read["definitions"])
    return {key: term(definitions) for key, definitions in by_line.items()}


def expected_in(text):
    names = {}
    wanted = {}
    comments = [line.split("//", 1)[1] if "//" in line else "" for line in text.split("\n")]
    for number, comment in enumerate(comments, 1):
        for name in re.findall(r"\[(\w+)\]", comment):
            names.setdefault(name, set()).add(number)
    for number, comment in enumerate(comments, 1):
        match = re.match(r"\s*([\w:\[\]]+) = (π|φ)?((?: ?\[?\w+\]?)+)", comment)
        if match:
            lines = set().union(*(names[name.strip("[]")] for name in match.group(3).split()))
            wanted[(match.group(1), number)] = (match.group(2) or "", lines)
    return wanted


class Case(unittest.TestCase):
    maxDiff = None

    def check(self, name):
        """Every read that is expected is there with exactly what it sees, and no other one is."""
        file = PROGRAMS / (name + ".cpp")
        answer = ask(file)
        self.assertTrue(answer["ok"], answer)
        wanted = expected_in(file.read_text())
        self.assertGreater(len(wanted), 0)
        self.assertEqual(found_in(answer), wanted)
        return answer
