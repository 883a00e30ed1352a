#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs litmus shapes under Ravel and compares the outcomes with those of the oracle (tests/litmus/model.h).

Two things must hold for each shape: no execution ever ends with an outcome outside the expected set, and every outcome
of the set is reached. Each round runs every strategy; rounds follow, each with new seeds and twice the executions, until
the set is complete or the budget is spent. RAVEL_TEST_TIER=full makes every round ten times longer.
"""

import argparse
import collections
import json
import os
import pathlib
import shutil
import subprocess
import sys

STRATEGIES = ("random", "pos", "pct")
FIRST_ROUND = 300  # executions of each strategy
BUDGET = 25000     # executions of a shape; a round that begins within it is finished


class Failure(Exception):
    pass


# What one campaign ended with: outcome -> how often.
def campaign(options, shape, strategy, seed, executions):
    work = options.work / shape
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    lines = work / "outcomes.txt"
    command = [options.ravel, "run", "--quiet", "--jobs", "1", "--strategy", strategy, "--seed", str(seed),
               "--executions", str(executions), "--files", "shared", "--out", work / "findings"]
    if options.memory_model:
        command += ["--memory-model", options.memory_model]
    command += ["--", options.program, shape, lines]
    ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300, check=False)
    told = f"{' '.join(map(str, command))}\nexit code {ran.returncode}\n{ran.stdout.decode(errors='replace')}"
    # The program is right whatever the memory model does: a finding is a mistake of Ravel.
    if ran.returncode != 0:
        raise Failure(f"not clean\n{told}")
    seen = collections.Counter(lines.read_text().splitlines()) if lines.exists() else collections.Counter()
    if sum(seen.values()) < executions:
        raise Failure(f"{sum(seen.values())} outcomes of {executions} executions\n{told}")
    return seen


def check(options, shape, verdict):
    expected = set(verdict["interleavings" if options.memory_model == "sc" else "engine"])
    allowed = set(verdict["allowed"])
    seen = collections.Counter()
    made = 0
    length = FIRST_ROUND * (10 if os.environ.get("RAVEL_TEST_TIER") == "full" else 1)
    seed = 0
    while True:
        seed += 1
        for strategy in STRATEGIES:
            here = campaign(options, shape, strategy, seed, length)
            made += length
            seen += here
            for outcome in sorted(set(here) - expected):
                if outcome in allowed:
                    raise Failure(f"{outcome}: C++20 allows it, but it is said not to be shown ({strategy}, seed {seed}, "
                                  f"--executions {length}); say so in docs/guarantees.md and the table")
                raise Failure(f"forbidden outcome {outcome} ({here[outcome]} times; {strategy}, seed {seed}, "
                              f"--executions {length})")
        missing = sorted(expected - set(seen))
        if not missing:
            break
        if made >= BUDGET:
            raise Failure(f"{len(missing)} of {len(expected)} outcomes not reached in {made} executions: "
                          + "; ".join(missing))
        length *= 2
    exception = "" if expected == allowed else f", {len(allowed - expected)} allowed and not shown"
    rarest = min(seen.values()) / sum(seen.values())
    print(f"{shape}: all {len(expected)} outcomes in {made} executions, the rarest in {rarest:.2%} of them{exception}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ravel", type=pathlib.Path, required=True)
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--verdicts", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--memory-model", choices=("sc", "c11"), help="given to ravel; its default otherwise")
    parser.add_argument("shapes", nargs="*", help="all of them if none is given")
    options = parser.parse_args()
    verdicts = json.loads(options.verdicts.read_text())
    failed = 0
    for shape in options.shapes or verdicts:
        if shape not in verdicts:
            sys.exit(f"there is no shape {shape}")
        try:
            check(options, shape, verdicts[shape])
        except Failure as failure:
            failed += 1
            print(f"{shape}: FAILED: {failure}")
        sys.stdout.flush()
    if failed:
        sys.exit(f"{failed} of {len(options.shapes or verdicts)} shapes failed")


if __name__ == "__main__":
    main()
