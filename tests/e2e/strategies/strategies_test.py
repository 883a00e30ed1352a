#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""For one strategy: a finding of an execution later than the first replays to the same bytes every time, on both
carriers, before and after shrinking; and the same seed makes the same campaign, finding or not."""

import argparse
import json
import pathlib
import shutil
import subprocess
import sys

REPLAYS = 10  # in one process
PROCESSES = 2  # with one replay each
TIMES = {"seconds", "executions_per_second"}  # of a summary: what depends on the clock, not on the seed


def fail(text):
    print(text)
    sys.exit(1)


class Test:
    def __init__(self, options):
        self.options = options

    def ravel(self, *words, code):
        done = subprocess.run([str(self.options.ravel), *map(str, words)], capture_output=True, text=True, timeout=200)
        if done.returncode != code:
            fail(f"ravel {' '.join(map(str, words))}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def campaign(self, name, code, *options):
        out = self.options.work / name
        summary = self.options.work / f"{name}.json"
        self.ravel("run", "--strategy", self.options.strategy, "--jobs", 1, "--quiet", "--out", out, "--json", summary,
                   *options, "--", self.options.work / "program", code=code)
        return out, json.loads(summary.read_text())

    # The parts of a summary that must be the same twice.
    def reproducible(self, summary, out):
        def strip(value):
            if isinstance(value, dict):
                return {key: strip(part) for key, part in value.items() if key not in TIMES}
            if isinstance(value, list):
                return [strip(part) for part in value]
            return value.replace(str(out), "OUT") if isinstance(value, str) else value
        return strip(summary)

    def replays(self, schedule, *options):
        texts = {self.ravel("replay", schedule, *options, code=1) for _ in range(PROCESSES)}
        many = self.ravel("replay", schedule, *options, "--times", REPLAYS, code=1)
        verdict = f"{REPLAYS} of {REPLAYS} replays gave the same report.\n"
        if not many.endswith(verdict):
            fail(f"{schedule}: not every replay of a process gave the same report\n{many}")
        texts.add(many.removesuffix(verdict))
        if len(texts) != 1:
            fail(f"{schedule}: {len(texts)} different reports in as many processes\n" + "\n----\n".join(texts))
        return texts.pop()

    def run(self):
        options = self.options
        self.ravel("c++", "-std=c++17", "-g", "-pthread", options.source, "-o", options.work / "program", code=0)
        for seed in (1, 2):
            plain, first = self.campaign(f"plain-{seed}", 1, "--seed", seed, "--no-shrink", "--executions", 10000)
            execution = first["findings"][0]["first_execution"]
            if execution <= 1:
                fail(f"found in execution {execution}: that says nothing about later ones")
            fiber = self.replays(plain / "1-assertion.ravel")
            thread = self.replays(plain / "1-assertion.ravel", "--carrier", "thread")
            if fiber != thread:
                fail(f"the carriers differ:\n{fiber}\n----\n{thread}")
            shrunk, _ = self.campaign(f"shrunk-{seed}", 1, "--seed", seed, "--executions", 10000)
            self.replays(shrunk / "1-assertion.ravel")
            again, second = self.campaign(f"again-{seed}", 1, "--seed", seed, "--no-shrink", "--executions", 10000)
            if self.reproducible(first, plain) != self.reproducible(second, again):
                fail(f"the same seed made another campaign:\n{first}\n----\n{second}")
            for name in sorted(path.name for path in plain.glob("*.ravel")):
                if (plain / name).read_bytes() != (again / name).read_bytes():
                    fail(f"the same seed made another {name}")
        # When the campaign does not stop at the first finding, the members of a portfolio learn more.
        long = [self.campaign(f"long-{i}", 1, "--seed", 3, "--no-shrink", "--keep-going", "--executions", 300)
                for i in (1, 2)]
        (out_1, first), (out_2, second) = long
        if self.reproducible(first, out_1) != self.reproducible(second, out_2):
            fail(f"the same seed made another long campaign:\n{first}\n----\n{second}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ravel", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--strategy", required=True)
    parser.add_argument("source", type=pathlib.Path)
    options = parser.parse_args()
    shutil.rmtree(options.work, ignore_errors=True)
    options.work.mkdir(parents=True)
    Test(options).run()


if __name__ == "__main__":
    main()
