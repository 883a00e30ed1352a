# SPDX-License-Identifier: Apache-2.0
"""What the tests of `ravel futures` have in common: build a program, ask for its table, find lines and rows. RAVEL names the
tool, PROGRAMS the directory of the paper's programs."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

RAVEL = pathlib.Path(os.environ.get("RAVEL", "build/bin/ravel")).resolve()
PROGRAMS = pathlib.Path(os.environ.get("PROGRAMS", "tests/analysis/futures/programs")).resolve()


class FuturesCase(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)
        self.place = pathlib.Path(self.scratch.name)

    def build(self, name, text=None, compiler=None):
        source = self.place / f"{name}.cpp"
        source.write_text(text if text is not None else (PROGRAMS / f"{name}.cpp").read_text())
        environment = dict(os.environ, **({"RAVEL_CXX": compiler} if compiler else {}))
        subprocess.run([RAVEL, "c++", "-std=c++20", "-g", "-O1", source.name, "-o", name], cwd=self.place, check=True,
                       env=environment)
        return f"./{name}"

    def ravel(self, *arguments):
        return subprocess.run([RAVEL, *arguments], cwd=self.place, capture_output=True, text=True, timeout=200)

    def table(self, program, *options, code=None):
        done = self.ravel("futures", "--json", "table.json", *options, "--", program)
        if code is not None:
            self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return json.loads((self.place / "table.json").read_text())

    def line(self, name, text):
        """The line that has this text, as FILE:LINE."""
        lines = (self.place / f"{name}.cpp").read_text().splitlines()
        found = [number for number, line in enumerate(lines, 1) if text in line]
        self.assertEqual(len(found), 1, text)
        return f"{name}.cpp:{found[0]}"

    @staticmethod
    def shown(row):
        return {one["location"]: one for one in row["definitions"] if one["status"] in ("seen", "forced")}

    def row(self, table, name):
        rows = [row for row in table["reads"] if row["object"] == name and len(self.shown(row)) > 1]
        self.assertEqual(len(rows), 1, table)
        return rows[0]
