#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures how often the cause that Ravel names is the true one, on the programs of tests/programs/causes.

  benchmarks/causes.py --build build [--seed N] [--programs REGEX] [--resume]

Each program has one bug, and the lines of its cause are marked:

  // CAUSE: first      the operation that came first in the failing order
  // CAUSE: second     the operation that came after it, or that had not been made when the failure came
  // CAUSE: first 2    the first operation of the second of two pairs that are needed together
  // CAUSE: first, second   both, of different tasks

Several lines with the same mark are equally right. Of a circle of locks, the inner lock operations are marked. Further
lines that the programs can have: "// FINDING: KIND, KIND" says what is found, "// OPTIONS: ..." what `ravel run` is given.

A program is right when both operations of the named pair lie on marked lines: the innermost frame in the program's own
file counts, so a pair that is right only further up the stack is wrong. Pairs of a data race have no order, nor have two
tasks that each wait for a semaphore that the other has taken. Of a deadlock
whose tasks hold each other's locks, the lines at which they wait are compared with the marks, and all must be there.

Built with -O0: a line of the source is then the line of the operation. Optimised code moves accesses to other lines and
leaves some out, and what it names would depend on the compiler.

"no single order" is a report that says that no order of two operations decides, "nothing" one without any word of a cause.

Prints a table and writes causes.json beside --out, and into --out, whose other keys stay as they are:
  cause_accuracy         the share of programs whose cause is right
"""

import argparse
import concurrent.futures
import json
import pathlib
import re
import shlex
import subprocess
import sys
import time

import run

SOURCES = run.HERE.parent / "tests/programs/causes"
TARGET = 0.95
MARK = re.compile(r"// CAUSE: (.*)$")
CALLS = {"first": 0, "second": 1}
LONGEST = 120  # seconds after which a run that should have ended long ago is broken off; it is then without a result
NO_ORDER = "No single order of two operations decides"


# {number of the pair: (lines of the first operation, lines of the second)}
def marks_of(source):
    pairs = {}
    for number, line in enumerate(source.read_text().splitlines(), 1):
        found = MARK.search(line)
        for mark in found.group(1).split(",") if found else []:
            word, _, which = mark.strip().partition(" ")
            if word not in CALLS or not re.fullmatch(r"\d*", which):
                raise ValueError(f"{source.name}:{number}: a mark is first or second, and a number: {mark.strip()!r}")
            pairs.setdefault(int(which or 1), (set(), set()))[CALLS[word]].add(number)
    return pairs


# What stands behind "// WORD: " in the head of a program, or "".
def header(source, word):
    found = re.search(rf"^// {word}: (.*)$", source.read_text(), re.MULTILINE)
    return found.group(1).strip() if found else ""


# The lines of the program's own file in a stack, innermost first.
def own_lines(frames, source):
    return [frame["line"] for frame in frames if pathlib.Path(frame["file"]).name == source.name]


# The stacks of the tasks that wait for each other's locks; none when there is no such circle. A lock that can have several
# holders has no `holder`; who has it stands with the tasks.
def circle(finding):
    if finding["kind"] != "deadlock":
        return []
    waits = {stack["task"]: stack for stack in finding["stacks"] if stack["blocked"]}

    def holders(stack):
        return [task for task, other in waits.items() if task == stack["holder"] or
                any(lock["object"] == stack["object"] for lock in other.get("held", []))]

    def way_back(path):
        for task in holders(waits[path[-1]]):
            if task in path:
                return path[path.index(task):]
            found = way_back([*path, task])
            if found:
                return found
        return []

    return next(([waits[task] for task in path] for path in (way_back([task]) for task in waits) if path), [])


# What the finding names: the way it is named, and the stacks (lines of the program's own file) of each pair.
def named_by(finding, source):
    held = circle(finding)
    if held:
        return "circle", [[own_lines(stack["frames"], source) for stack in held]]
    cause = finding["cause"]
    if cause is None:
        return "nothing", []
    pairs = [pair for pair in (cause, cause["also"]) if pair]
    return "pair", [[own_lines(pair[side]["frames"], source) for side in ("first", "second")] for pair in pairs]


# Whether every marked pair is among the named ones. `lines`: the lines of a stack that count.
def is_right(way, finding, named, marks, lines):
    def on(stack, allowed):
        return bool(set(lines(stack)) & allowed)

    def fits(stacks, marked):
        first, second = marked
        if way == "circle":
            return all(on(stack, first | second) for stack in stacks) and (first | second) <= {
                line for stack in stacks for line in lines(stack)}
        no_order = finding["kind"] == "data-race" or finding["cause"]["kind"] == "circle"
        orders = [stacks, stacks[::-1]] if no_order else [stacks]
        return any(on(a, first) and on(b, second) for a, b in orders)

    return all(any(fits(stacks, marked) for stacks in named) for marked in marks.values())


def words_of(pairs):
    def place(lines):
        return "|".join(map(str, sorted(lines))) if lines else "?"

    return "; ".join(",".join(place(side) for side in pair) for pair in pairs) or "-"


class Measure:
    def __init__(self, options):
        self.bench = run.Bench(options.build, 1)
        if not self.bench.ravel.exists():
            sys.exit(f"{self.bench.ravel} is not built")
        self.directory = self.bench.directory / "causes"
        self.directory.mkdir(parents=True, exist_ok=True)
        self.options = options

    def build(self, source):
        binary = self.directory / source.stem
        newest = max(source.stat().st_mtime, self.bench.ravel.stat().st_mtime)
        if not binary.exists() or binary.stat().st_mtime < newest:
            self.bench.output("env", f"RAVEL_CXX={self.bench.compiler}", self.bench.ravel, "c++", "-std=c++20", "-g", "-O0",
                              "-pthread", "-I", self.bench.ravel.parent.parent / "include", source, "-o", binary)
        return binary

    # What `ravel run` says of the program: the JSON report, the printed one and the seconds it took.
    def reported(self, source):
        binary = self.build(source)
        scratch = self.directory / "runs" / f"{source.stem}.{self.options.seed}"
        scratch.mkdir(parents=True, exist_ok=True)
        report, printed, timed = (scratch / name for name in ("report.json", "report.txt", "seconds.json"))
        if not (self.options.resume and timed.exists() and timed.stat().st_mtime > binary.stat().st_mtime):
            for old in (report, printed, timed):
                old.unlink(missing_ok=True)
            began = time.monotonic()
            printed.write_text(self.bench.output(
                "timeout", "--signal=KILL", LONGEST, self.bench.ravel, "run", "--jobs", 1, "--seed", self.options.seed,
                "--time", self.options.time, "--no-color", "--out", scratch / "findings", "--json", report,
                *shlex.split(header(source, "OPTIONS")), "--", binary, codes=(0, 1)))
            timed.write_text(json.dumps(round(time.monotonic() - began, 2)))
        return json.loads(report.read_text()), printed.read_text(), json.loads(timed.read_text())

    def row(self, source):
        results, text, seconds = self.reported(source)
        marks = marks_of(source)
        row = {"program": source.stem, "seed": self.options.seed, "expected": header(source, "FINDING"),
               "marked": words_of(marks[key] for key in sorted(marks)), "seconds": seconds}
        if not results["findings"]:
            return row | {"kind": "", "way": "not found", "named": "-", "right": False, "in_stack": False, "claims": False}
        first = results["fix_first"][0]
        finding = next(one for one in results["findings"] if one["id"] == first)
        way, named = named_by(finding, source)
        if way == "nothing" and NO_ORDER in text:
            way = "no single order"
        return row | {"kind": finding["kind"], "way": way,
                      "named": words_of([[set(stack[:1]) for stack in pair] for pair in named]),
                      "right": is_right(way, finding, named, marks, lambda stack: stack[:1]),
                      "in_stack": is_right(way, finding, named, marks, lambda stack: stack),
                      "claims": bool(finding["cause"] and finding["cause"]["passes_otherwise"]),
                      "other_findings": [one["kind"] for one in results["findings"] if one["id"] != first],
                      "executions": results["executions"]}


def verdict(row):
    if row["way"] not in ("pair", "circle"):
        return row["way"]
    return "right" if row["right"] else "wrong, in the stack" if row["in_stack"] else "wrong"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build"))
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--programs", default="", help="only those whose name matches this regular expression")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--time", default="20s", help="what a search may take")
    parser.add_argument("--jobs", type=int, default=1, help="programs at a time")
    parser.add_argument("--resume", action="store_true", help="keep the reports on unchanged programs, and compare them anew")
    options = parser.parse_args()
    out = options.out or options.build / "bench/results.json"
    sources = [source for source in sorted(SOURCES.glob("*.cpp")) if re.search(options.programs, source.stem)]
    if not sources:
        parser.error(f"no program matches {options.programs}")
    measure = Measure(options)

    rows = []
    broken = []
    line = "{:<34}{:<20}{:<14}{:<22}{:<22}{:>6}".format
    print(line("program", "finding", "named", "marked", "", "s"))
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for source, future in [(source, pool.submit(measure.row, source)) for source in sources]:
            try:
                row = future.result()
            except (run.BenchmarkFailed, subprocess.SubprocessError, ValueError) as error:
                broken.append(source.stem)
                print(f"{source.stem:<34}FAILED {error}", flush=True)
                continue
            rows.append(row)
            print(line(row["program"], row["kind"], row["named"], row["marked"], verdict(row), row["seconds"]), flush=True)

    counts = {}
    for row in rows:
        counts[verdict(row)] = counts.get(verdict(row), 0) + 1
    right = sum(row["right"] for row in rows)
    accuracy = right / len(rows) if rows else 0.0
    summary = {"programs": {"all": len(rows), "right": right, "seed": options.seed}, "verdicts": counts}
    results = json.loads(out.read_text()) if out.exists() else {}
    print()
    run.enter(results, "cause_accuracy", accuracy, summary, TARGET, "at least")
    run.write(out, results)
    (out.parent / "causes.json").write_text(json.dumps({"rows": rows, "verdicts": counts}, indent=1) + "\n")
    if broken:
        print(f"without a result: {', '.join(broken)}", file=sys.stderr)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
