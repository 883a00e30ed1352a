#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Exhaustive search of one program. What must come out is in the program's opening comment:

  //   sc: N, c11: N       so many classes; where it is small enough, `dfs` counts them by brute force too
  //   finding: KIND       is found on the way (the search goes on), else nothing is
  //   proved: MODEL...    complete, nothing found
  //   refuted: MODEL ARG  with this argument something is found, and its schedule replays
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys

# dfs gives a second opinion if it has at most this many schedules.
DFS_LIMIT = 1100


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ravel", required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("source", type=pathlib.Path)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    binary = options.work / options.source.stem
    subprocess.run([options.ravel, "c++", "-std=c++17", "-g", "-O0", "-pthread",
                    "-I", pathlib.Path(__file__).parents[3] / "include", options.source, "-o", binary],
                   check=True, env={**os.environ, "RAVEL_CXX": options.compiler})

    words = []
    for line in options.source.read_text().splitlines():
        said = re.fullmatch(r"//   (sc|c11|finding|proved|refuted): (.*)", line)
        if said:
            words.append((said[1], said[2].split()))
    if not words:
        sys.exit(f"{options.source} does not say what must come out")
    finding = next((rest[0] for key, rest in words if key == "finding"), None)
    failures = []

    def run(strategy, model, *arguments, more=(), executions=200000):
        path = options.work / f"{options.source.stem}.{strategy}.{model}.json"
        command = [options.ravel, "run", "--jobs", "1", "--quiet", "--no-shrink", "--strategy", strategy,
                   "--memory-model", model, "--executions", str(executions), "--json", path, "--out", f"{path}.findings", *more, "--", binary,
                   *arguments]
        code = subprocess.run(command, check=False).returncode
        return code, json.loads(path.read_text())

    def expect(what, wanted, got):
        print(f"{options.source.stem}: {what}: {got}")
        if wanted != got:
            failures.append(f"{what}: expected {wanted}, got {got}")

    def expect_findings(label, report):
        kinds = sorted({found["kind"] for found in report["findings"]})
        expect(f"{label} finds", [finding] if finding else [], kinds)

    for key, rest in words:
        if key in ("sc", "c11"):
            label = f"dpor {key}"
            _, report = run("dpor", key, more=["--keep-going"])
            expect(f"{label} complete", True, report["complete"])
            expect(f"{label} explored", int(rest[0]), report["search"]["explored"])
            if key == "sc":
                expect(f"{label} redundant", 0, report["search"]["redundant"])
            else:
                print(f"{label} redundant: {report['search']['redundant']}")
            expect_findings(label, report)
            _, report = run("dfs", key, more=["--keep-going"], executions=DFS_LIMIT)
            if report["complete"]:
                expect(f"dfs {key} classes", int(rest[0]), report["search"]["classes"])
                expect_findings(f"dfs {key}", report)
            else:
                print(f"dfs {key}: more than {DFS_LIMIT} schedules")
        if key == "proved":
            for model in rest:
                _, report = run("dpor", model)
                print(f"{model}: {report['search']}, {report['executions']} executions, {report['seconds']:.1f} s")
                expect(f"{model} complete", True, report["complete"])
                expect(f"{model} findings", [], [found["kind"] for found in report["findings"]])
        if key == "refuted":
            model, *arguments = rest
            _, report = run("dpor", model, *arguments)
            expect(f"{model} {arguments} refuted", True, bool(report["findings"]))
            for found in report["findings"]:
                print(f"  {found['kind']} after {report['executions']} executions")
                code = subprocess.run([options.ravel, "replay", found["schedule"]], check=False,
                                      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
                expect(f"{model} {arguments} replays", 1, code)
    for failure in failures:
        print(f"FAILED {options.source.stem}: {failure}", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
