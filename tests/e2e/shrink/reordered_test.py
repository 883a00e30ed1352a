#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Finds the bug of reordered.cpp among many threads. Whatever was found, at most two preemptions may be left, and the
schedule must replay."""

import argparse
import json
import pathlib
import shutil
import subprocess
import sys

MOST = 2  # preemptions


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ravel", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--threads", type=int, required=True)
    parser.add_argument("source", type=pathlib.Path)
    options = parser.parse_args()
    shutil.rmtree(options.work, ignore_errors=True)
    options.work.mkdir(parents=True)
    program = options.work / "reordered"
    subprocess.run([options.ravel, "c++", "-std=c++17", "-g", "-pthread", f"-DTHREADS={options.threads}", options.source,
                    "-o", program], check=True)
    for seed in (1, 2):
        summary = options.work / f"{seed}.json"
        subprocess.run([options.ravel, "run", "--seed", str(seed), "--jobs", "1", "--out",
                        options.work / f"run-{seed}", "--json", summary, "--", program], stdout=subprocess.DEVNULL)
        findings = json.loads(summary.read_text())["findings"]
        told = [(finding["kind"], finding["preemptions"], finding["replayed"]) for finding in findings]
        print(f"seed {seed}: {told}")
        if not findings or findings[0]["preemptions"] > MOST or not findings[0]["replayed"]:
            sys.exit(f"expected one finding with at most {MOST} preemptions that replays")


main()
