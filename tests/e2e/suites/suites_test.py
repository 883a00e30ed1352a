#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tests of real libraries, built with `ravel c++` and run under `ravel run`, case by case.

  suites_test.py --ravel build/bin/ravel --work DIR SUITE [TEST [CASE...]]   a suite, one of its test programs, or cases
  suites_test.py --work DIR --tier full --list                               the suites that have a test in this tier
  suites_test.py --work DIR --summary                                        the table of what was measured in DIR

Every case runs to its end, and nothing is found but what suites.py knows, because somebody examined it.

Tiers (--tier, or RAVEL_TEST_TIER in the environment): fast has a few cases, 20 executions of each; promised the same
with 500; full has every case, with 500. A test program has ten minutes, and each case a share of what is left of them;
a case that cannot end in its share is executed once, however long that takes."""

import argparse
import fcntl
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import time

import packages
import suites

TIERS = {
    # Compiling is what costs in the fast tier.
    "fast": {"every_case": False, "executions": 20, "compile": ["-O0", "-g1"]},
    "promised": {"every_case": False, "executions": 500, "compile": ["-O1", "-g"]},
    "full": {"every_case": True, "executions": 500, "compile": ["-O1", "-g"]},
}
PROGRAM_SECONDS = 600  # for all cases of a test program
LEAST_SECONDS = 10  # for a case, whatever the others took
ONE_EXECUTION = {"--executions": 1, "--time": "30m", "--timeout": "10m", "--max-steps": 1000000000, "--no-verify": None}


class Failure(Exception):
    """What went wrong, with everything needed to reproduce it."""


class Build:
    """The test programs of one suite, built by ninja below the work folder. Several test processes may ask at once."""

    def __init__(self, suite, options):
        self.suite, self.ravel = suite, options.ravel.resolve()
        self.compile = TIERS[options.tier]["compile"]
        self.directory = options.work / suite.name / "".join(self.compile)
        self.root = None

    def binary(self, test):
        self.directory.mkdir(parents=True, exist_ok=True)
        with open(self.directory / "lock", "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            package = self.suite.package.unpacked(self.directory.parents[1] / "packages")
            self.root = package / self.suite.root
            self.write_build_file()
            ran = subprocess.run(["ninja", "-C", str(self.directory), test.name], stdin=subprocess.DEVNULL,
                                 capture_output=True, text=True)
            if ran.returncode != 0:
                raise Failure(f"{self.suite.package} does not build:\n{ran.stdout[-6000:]}{ran.stderr[-2000:]}")
        return self.directory / test.name

    def write_build_file(self):
        for name, text in self.suite.headers.items():
            header = self.directory / "headers" / name
            header.parent.mkdir(parents=True, exist_ok=True)
            replace(header, text)
        flags = ["-pthread", "-w", *self.compile, "-I", self.directory / "headers", "-I", self.root,
                 *("-I" + str(self.root / flag[2:]) if flag.startswith("-I") else flag for flag in self.suite.flags)]
        lines = [f"ravel = {self.ravel}", f"flags = {words(flags)}",
                 "rule compile", "  command = $ravel c++ $flags -MMD -MF $out.d -c $in -o $out", "  depfile = $out.d",
                 "rule archive", "  command = rm -f $out && ar rcs $out $in",
                 "rule link", f"  command = $ravel c++ $flags $in {words(self.suite.link)} -o $out"]
        objects = set()
        runtime = self.ravel.parent.parent / "lib/libravel.so"

        def compiled(source):
            name = str(source.relative_to(self.root)) + ".o"
            if name not in objects:
                objects.add(name)
                lines.append(f"build {name}: compile {source} | {self.ravel}")
            return name

        for library in self.suite.libraries:
            parts = [compiled(self.root / source) for source in self.suite.sources(library, self.root)]
            lines.append(f"build lib{library}.a: archive {' '.join(parts)}")
        for test in self.suite.tests:
            archives = " ".join(f"lib{library}.a" for library in test.libraries)
            lines.append(f"build {test.name}: link {compiled(self.root / test.source)} {archives} | {runtime}")
        replace(self.directory / "build.ninja", "\n".join(lines) + "\n")


def words(list_of_words):
    return " ".join(shlex.quote(str(word)) for word in list_of_words)


def replace(path, text):
    """Writes the file only when that changes it."""
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def tests_of(suite, tier):
    return [test for test in suite.tests if TIERS[tier]["every_case"] or test.daily]


def share(seconds_left, cases_left):
    return max(LEAST_SECONDS, int(seconds_left / cases_left))


def matching(table, case):
    return [value for pattern, value in table.items() if re.fullmatch(pattern, case)]


class Run:
    """One case under `ravel run`."""

    # A minute for an execution: the longest ones take seconds of a processor that others may use as well.
    USUAL = {"--jobs": 1, "--no-color": None, "--keep-going": None, "--no-shrink": None, "--timeout": "60s"}

    def __init__(self, build, test, case, budget):
        self.suite, self.test, self.case = build.suite, test, case
        out = build.directory / "runs" / re.sub(r"[^\w.]+", "_", f"{test.name}.{case}")
        out.mkdir(parents=True, exist_ok=True)
        summary = out / "summary.json"
        summary.unlink(missing_ok=True)
        program, environment = self.suite.command(test, case, build.directory / test.name)
        options = dict(self.USUAL)
        for more in (*matching(self.suite.options, case), budget, {"--json": summary, "--out": out / "schedules"}):
            options.update(more)
        command = [build.ravel, "run", *(word for option in options.items() for word in option if word is not None),
                   "--", *program]
        self.command = words([*(f"{name}={value}" for name, value in environment.items()), *command])
        scratch = out / "scratch"
        scratch.mkdir(exist_ok=True)
        ran = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True, errors="replace", cwd=scratch,
                             env={**os.environ, **environment, "TEST_TMPDIR": str(scratch)})
        self.code, self.output = ran.returncode, ran.stdout
        self.summary = json.loads(summary.read_text()) if summary.exists() else None

    def endless(self):
        return any(re.fullmatch(pattern, self.case) for pattern in self.suite.endless)

    def problems(self):
        if self.endless():
            cut = self.summary is not None and 0 < self.summary["executions"] == self.summary["cut_executions"]
            return [] if cut and self.code == 2 else ["this case came to an end: suites.py says that it has none"]
        if self.summary is None or self.code not in (0, 1):
            return [f"no verdict: exit code {self.code}"]
        found = []
        known = [one for ones in matching(self.suite.known, self.case) for one in ones]
        seen = set()
        for finding in self.summary["findings"]:
            text = json.dumps(finding)
            explained = [one for one in known if one.matches(finding, text)]
            seen.update(explained)
            if not explained:
                found.append(f"{finding['kind']}: {finding['message']}")
        found += [f"the known {one.kind} was not found" for one in known if one.always and one not in seen]
        if self.summary["cut_executions"]:
            found.append(f"{self.summary['cut_executions']} executions were cut")
        return found

    def row(self):
        summary = self.summary or {}
        kinds = [finding["kind"] for finding in summary.get("findings", [])]
        return {"suite": self.suite.name, "test": self.test.name, "case": self.case,
                "executions": summary.get("executions", 0), "cut": summary.get("cut_executions", 0),
                "orders": summary.get("distinct_orders", 0),
                "steps": summary.get("steps", 0), "seconds": summary.get("seconds", 0), "findings": kinds,
                "unclear": len(summary.get("unclear_races", [])), "problems": self.problems()}


def run_case(build, test, case, executions, seconds):
    run = Run(build, test, case, {"--executions": executions, "--time": f"{seconds}s"})
    # Exit code 2: no execution came to its end. Some cases have none.
    return Run(build, test, case, ONE_EXECUTION) if run.code == 2 and not run.endless() else run


def run_test(suite, test, options):
    tier = TIERS[options.tier]
    build = Build(suite, options)
    binary = build.binary(test)
    every_case = ["*"] if test.whole else suite.cases(test, build.root, binary)
    cases = options.cases or (every_case if tier["every_case"] else test.daily or every_case)
    if unknown := [case for case in cases if case not in every_case]:
        raise Failure(f"{suite.name} {test.name} has no case {', '.join(unknown)}")
    rows, failed = [], 0
    end = time.monotonic() + options.seconds
    for number, case in enumerate(cases):
        run = run_case(build, test, case, options.executions or tier["executions"],
                       share(end - time.monotonic(), len(cases) - number))
        row = run.row()
        rows.append(row)
        print(describe(row), flush=True)
        replace(build.directory / f"{test.name}.rows.json", json.dumps(rows, indent=1))
        if row["problems"]:
            failed += 1
            print(f"FAILED: {'; '.join(row['problems'])}\n  {run.command}\n{run.output[-8000:]}", flush=True)
    return 1 if failed else 0


def describe(row):
    found = ", ".join(row["findings"]) or ("no verdict" if row["executions"] == row.get("cut") else "nothing found")
    return (f"| {row['suite']} | {row['test']} | {row['case']} | {row['executions']} | {row['orders']} | "
            f"{row['seconds']:.1f} | {found} |")


def summarise(work):
    print("| suite | test | case | executions | orders | seconds | result |\n|---|---|---|---|---|---|---|")
    for rows in sorted(work.glob("*/*/*.rows.json")):
        for row in json.loads(rows.read_text()):
            print(describe(row))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ravel", type=pathlib.Path, default=pathlib.Path("build/bin/ravel"))
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--tier", choices=TIERS, default=os.environ.get("RAVEL_TEST_TIER", "fast"))
    parser.add_argument("--executions", type=int, help="of each case, instead of the tier's number")
    parser.add_argument("--seconds", type=int, default=PROGRAM_SECONDS, help="for each test program")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--summary", action="store_true")
    parser.add_argument("suite", nargs="?", choices=suites.SUITES)
    parser.add_argument("test", nargs="?")
    parser.add_argument("cases", nargs="*")
    options = parser.parse_args()
    options.work = options.work.resolve()
    if options.summary:
        return summarise(options.work)
    if options.list:
        print("\n".join(name for name, suite in suites.SUITES.items() if tests_of(suite, options.tier)))
        return 0
    if options.suite is None:
        parser.error(f"name a suite: {', '.join(suites.SUITES)}")
    suite = suites.SUITES[options.suite]
    names = [test.name for test in suite.tests]
    tests = [suite.tests[names.index(options.test)]] if options.test in names else tests_of(suite, options.tier)
    try:
        if options.test not in (None, *names):
            raise Failure(f"{suite.name} has no test program {options.test}: {', '.join(names)}")
        if not tests:
            raise Failure(f"{suite.name} has no test in the tier {options.tier}: --tier full")
        return max(run_test(suite, test, options) for test in tests)
    except (packages.Unavailable, Failure) as problem:
        print(f"FAILED: {problem}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
