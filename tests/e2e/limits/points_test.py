#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which plain accesses are scheduling points: with `--points shared` those that were seen to race, with `all` every one.

  ordered_accesses.cpp   accesses that a lock orders are no points: far fewer steps, and the same verdict
  check_then_use.cpp     a switch between racing accesses is found either way, with `shared` not in a first execution
"""
import argparse
import json
import pathlib
import subprocess
import sys


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ravel", required=True)
    parser.add_argument("--programs", type=pathlib.Path, required=True)
    options = parser.parse_args()
    report_file = options.programs / "points_test.json"

    def run(program, points, *more):
        subprocess.run([options.ravel, "run", "--jobs", "1", "--quiet", "--no-shrink", "--no-verify", "--points", points,
                        "--json", report_file, "--out", f"{report_file}.findings", *more,
                        "--", options.programs / program],
                       check=False, stdout=subprocess.DEVNULL)
        return json.loads(report_file.read_text())

    def kinds(report):
        return {finding["kind"] for finding in report["findings"]}

    failures = []

    def expect(what, holds):
        print(f"{'ok' if holds else 'FAILED'}: {what}")
        if not holds:
            failures.append(what)

    steps = {}
    for points in ("sync", "shared", "all"):
        report = run("ordered_accesses", points, "--executions", "100")
        steps[points] = report["steps"]
        expect(f"ordered accesses, {points}: nothing found", not report["findings"])
    # 2 tasks, 4 rounds, 64 entries, each read and written: 1024 accesses per execution, besides about 20 operations.
    expect(f"ordered accesses: points only at the lock ({steps})", steps["shared"] == steps["sync"])
    expect("ordered accesses: all of them are points with `all`", steps["all"] > 10 * steps["shared"])

    for points in ("shared", "all"):
        report = run("check_then_use", points, "--executions", "1000")
        expect(f"check then use, {points}: found", "assertion" in kinds(report))

    # Campaigns of one execution. That the race is seen in them shows that the accesses were made.
    first = {"shared": set(), "all": set()}
    for points, found in first.items():
        for seed in range(1, 41):
            found |= kinds(run("check_then_use", points, "--executions", "1", "--strategy", "random", "--seed", str(seed)))
    expect(f"first executions, shared: the race and no more {first['shared']}", first["shared"] == {"data-race"})
    expect(f"first executions, all: {first['all']}", "assertion" in first["all"])
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
