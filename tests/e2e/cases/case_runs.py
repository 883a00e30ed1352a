# SPDX-License-Identifier: Apache-2.0
"""How the tests of this folder run the tool: RAVEL names it, RAVEL_CASES the directory of the test binaries."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

RAVEL = pathlib.Path(os.environ.get("RAVEL", "build/bin/ravel")).resolve()
BINARIES = pathlib.Path(os.environ.get("RAVEL_CASES", "build/tests/e2e/cases")).resolve()


class CaseRuns(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.directory = pathlib.Path(temporary.name)

    def ravel(self, *words, code=0, environment=None):
        done = subprocess.run([str(RAVEL), *map(str, words)], cwd=self.directory, stdin=subprocess.DEVNULL, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=100,
                              env={**os.environ, **(environment or {})})
        self.assertEqual(done.returncode, code, f"{words}\n{done.stdout}\n{done.stderr}")
        return done

    def table(self, text):
        """{case: (executions, distinct orders, result)}, from the rows between the heading and the closing line."""
        lines = text.splitlines()
        first = next(i for i, line in enumerate(lines) if re.match(r"case +executions +distinct orders +result$", line))
        rows = {}
        for line in lines[first + 1:-1]:
            name, executions, orders, result = re.match(r"(.*?) +(\d+) +(\d+)  (.*)$", line).groups()
            rows[name] = (int(executions), int(orders), result)
        return rows

    def summary(self, name):
        return json.loads((self.directory / name).read_text())
