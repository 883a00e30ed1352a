# SPDX-License-Identifier: Apache-2.0
"""The race tests of this folder, built: the product's sources and the tests, woven into a copy, in one program.

Used by the tests of this folder. RAVEL names the tool."""

import json
import os
import pathlib
import shutil
import subprocess
from concurrent import futures

HERE = pathlib.Path(__file__).resolve().parent
RAVEL = pathlib.Path(os.environ.get("RAVEL", "build/bin/ravel")).resolve()
INCLUDE = RAVEL.parent.parent / "include"
SYNC = RAVEL.parent.parent / "lib/libravel_sync.a"
TESTS = sorted(path.parent.name for path in HERE.glob("races/*/race.txt"))


def run(words, cwd, environment=None, timeout=200):
    """What came out of a command: its exit code and all that it wrote."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("RAVEL_", "TSAN_"))}
    done = subprocess.run([str(word) for word in words], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace", timeout=timeout, env={**kept, **(environment or {})})
    return done.returncode, done.stdout


class Suite:
    """Sources and tests in a directory, with everything that is made of them."""

    def __init__(self, directory, product=HERE / "product", races=HERE / "races", fixed=False, flags=("-O1",),
                 only=None):
        """`only`: some of the product's sources; else all, and the tests."""
        self.only = only
        self.directory = pathlib.Path(directory)
        self.directory.mkdir(parents=True, exist_ok=True)
        self.product = pathlib.Path(product)
        self.races = pathlib.Path(races)
        self.flags = ["-std=c++17", "-g", "-pthread", "-Wall", "-Wextra", "-Werror", *flags, *(["-DFIXED"] if fixed else [])]
        self.program = self.directory / "race_tests"
        self.woven = self.directory / "woven"

    def sources(self):
        if self.only is not None:
            return [self.product / name for name in self.only]
        return sorted(self.product.glob("*.cpp")) + sorted(self.races.glob("**/*.cpp"))

    def command(self, source):
        return ["c++", *self.flags, f"-I{self.product}", f"-I{self.races}", f"-I{INCLUDE}", "-c", str(source), "-o",
                f"{self.directory}/{source.parent.name}_{source.stem}.o"]

    def weave(self):
        """Exit code and text of `ravel weave`."""
        commands = [{"directory": str(self.directory), "file": str(source), "arguments": self.command(source)}
                    for source in self.sources()]
        path = self.directory / "compile_commands.json"
        path.write_text(json.dumps(commands))
        return run([RAVEL, "weave", "--tests", self.races, "--compile-commands", path, "--out", self.woven],
                   self.directory)

    def woven_tests(self):
        return json.loads((self.woven / "race-tests.json").read_text())["tests"]

    def build(self, jobs=2):
        """The woven program. What is built for ThreadSanitizer runs under it and under Ravel."""
        compiler = [*(["ccache"] if shutil.which("ccache") else []), "g++", "-fsanitize=thread"]
        copies = {one["file"]: one["arguments"] for one in json.loads((self.woven / "compile_commands.json").read_text())}
        commands = [copies.get(f"{self.woven}{source}") or self.command(source) for source in self.sources()]
        with futures.ThreadPoolExecutor(jobs) as pool:
            for code, text in pool.map(lambda words: run([*compiler, *words[1:]], self.directory), commands):
                if code != 0:
                    raise RuntimeError(text)
        objects = [words[words.index("-o") + 1] for words in commands]
        code, text = run([*compiler, "-pthread", *objects, SYNC, "-o", self.program], self.directory)
        if code != 0:
            raise RuntimeError(text)
        shutil.copy(self.woven / "race-tests.json", f"{self.program}.race-tests.json")

    def test(self, *options):
        """Runs `ravel test` on the program: its exit code, what it wrote, and its summary."""
        summary = self.directory / "summary.json"
        summary.unlink(missing_ok=True)
        code, text = run([RAVEL, "test", *options, "--json", summary, "--", self.program], self.directory, timeout=3000)
        return code, text, json.loads(summary.read_text()) if summary.exists() else None
