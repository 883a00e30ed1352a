#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the programs of tests/programs under Ravel and holds them to what their header comments say.

A header says:  // RUN: <extra options of ravel run>   // EXPECT: <finding kind>|none   // BUILD: plain (optional)
// SAYS: <what the report must contain> (optional)   // STANDARD: c++20 (optional)

The standard is C++17 unless said otherwise: the library's headers take half the time of C++20's. Programs with strings
say otherwise: before C++20 their functions are in libstdc++, where no access is seen.

A program that expects a finding must show it within 10,000 executions of at least one strategy, under each of two
seeds. The finding must then come back on every replay, as the same bytes, on the fiber carrier and on the thread
carrier. A program that expects none must be clean over N executions of each strategy, under two seeds. A racy program
of buggy/data-race must be reported within 200 executions of every strategy.

  program_test.py --ravel build/bin/ravel --work DIR PROGRAM...      one or more programs, or folders of them
  program_test.py --work DIR --summary                               the table of what was measured in DIR

Tiers (--tier, or RAVEL_TEST_TIER in the environment): fast is for every day (clang++ with one seed); promised has
the numbers Ravel promises (correct programs clean over 2,000 executions of each strategy, findings replayed 100 times);
full tries every strategy on every buggy program as well, and replays what each of them found.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import time

SEEDS = [1, 2]
# In the fast tier the second compiler's builds get one seed: what differs is the instrumentation, not the search.
DAILY_SEEDS = {"clang++": [1]}
TIERS = {
    # auto plays pos, surw and rff most of the time
    "fast": {"executions": 100, "replays": 3, "every_strategy": False, "strategies": ["auto", "random", "pct"]},
    "promised": {"executions": 2000, "replays": 100, "every_strategy": False,
                 "strategies": ["auto", "pos", "random", "pct", "surw", "rff"]},
    "full": {"executions": 2000, "replays": 100, "every_strategy": True,
             "strategies": ["pos", "random", "pct", "surw", "rff", "auto"]},
}
BUGGY_EXECUTIONS = 10000
RACY_EXECUTIONS = 200
PROGRAMS = pathlib.Path(__file__).resolve().parents[2] / "programs"


class Failure(Exception):
    """What went wrong, with everything needed to reproduce it."""


class Header:
    def __init__(self, source):
        text = source.read_text()
        found = dict(re.findall(r"^// (RUN|EXPECT|BUILD|SAYS|STANDARD):[ \t]*(.*?)[ \t]*$", text, re.MULTILINE))
        if "EXPECT" not in found:
            raise Failure(f"{source}: no '// EXPECT:' line")
        self.options = shlex.split(found.get("RUN", ""))
        self.expect = found["EXPECT"]
        self.build = found.get("BUILD", "ravel")
        self.says = found.get("SAYS", "")
        self.standard = found.get("STANDARD", "c++17")


class Ran:
    def __init__(self, command, code, out, err, seconds):
        self.command, self.code, self.out, self.err, self.seconds = command, code, out, err, seconds

    def describe(self):
        def tail(text):
            return text if len(text) < 6000 else "[...]\n" + text[-6000:]

        return (f"  command: {' '.join(shlex.quote(str(c)) for c in self.command)}\n  exit code: {self.code}\n"
                f"--- standard output\n{tail(self.out)}--- standard error\n{tail(self.err)}---")


def execute(command, limit, environment=None):
    start = time.monotonic()
    process = subprocess.Popen([str(c) for c in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, env={**os.environ, **(environment or {})},
                               start_new_session=True)
    try:
        out, err = process.communicate(timeout=limit)
        code = process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        out, err = process.communicate()
        code = f"none: it was still running after {limit} s"
    return Ran(command, code, out.decode(errors="replace"), err.decode(errors="replace"), time.monotonic() - start)


class ProgramTest:
    def __init__(self, options, source, compiler):
        self.ravel = options.ravel.resolve()
        self.tier = dict(TIERS[options.tier])
        if options.replays:
            self.tier["replays"] = options.replays
        if options.executions:
            self.tier["executions"] = options.executions
        self.source = source.resolve()
        self.compiler = compiler
        self.seeds = DAILY_SEEDS.get(compiler, SEEDS) if options.tier == "fast" else SEEDS
        self.header = Header(self.source)
        self.name = str(self.source.relative_to(PROGRAMS)) if self.source.is_relative_to(PROGRAMS) else self.source.name
        self.directory = options.work.resolve() / (self.name.replace("/", ".") + "." + compiler)
        self.binary = self.directory / "program"
        self.rows = []

    # Rebuilds only what is older than its parts: the source, the wrapper, the runtime.
    def build(self):
        self.directory.mkdir(parents=True, exist_ok=True)
        parts = [self.source, self.ravel, self.ravel.parent.parent / "lib/libravel.so"]
        if self.binary.exists() and all(self.binary.stat().st_mtime > p.stat().st_mtime for p in parts if p.exists()):
            return
        is_c = self.source.suffix == ".c"
        compiler = {"g++": "gcc", "clang++": "clang"}.get(self.compiler, self.compiler) if is_c else self.compiler
        flags = ["-std=gnu17" if is_c else f"-std={self.header.standard}", "-g", "-Wall", "-Wextra", "-pthread",
                 str(self.source), "-o", str(self.binary)]
        if self.header.build == "plain":
            ran = execute([compiler, *flags], 120)
        else:
            ran = execute([self.ravel, "cc" if is_c else "c++", *flags], 120,
                          {"RAVEL_CC": compiler, "RAVEL_CXX": compiler})
        if ran.code != 0:
            raise Failure(f"the program could not be built\n{ran.describe()}")

    def campaign(self, strategy, seed, executions, extra):
        out = self.directory / f"{strategy}-{seed}"
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir()
        summary = out / "summary.json"
        ran = execute([self.ravel, "run", "--strategy", strategy, "--seed", seed, "--jobs", 1, "--executions",
                       executions, "--out", out / "findings", "--json", summary, "--no-color", *extra,
                       *self.header.options, "--", self.binary], 1800)
        if not summary.exists():
            raise Failure(f"no JSON summary was written\n{ran.describe()}")
        told = json.loads(summary.read_text())
        if told["instrumented"] != (self.header.build != "plain"):
            raise Failure(f"the summary is wrong about instrumentation\n{ran.describe()}")
        return ran, told

    def row(self, strategy, seed, summary, result):
        self.rows.append({"program": self.name, "compiler": self.compiler, "strategy": strategy, "seed": seed,
                          "result": result, "executions": summary["executions"],
                          "rate": round(summary["executions_per_second"])})

    def check_correct(self):
        executions = self.tier["executions"]
        for strategy in self.tier["strategies"]:
            for seed in self.seeds:
                ran, summary = self.campaign(strategy, seed, executions, [])
                if ran.code != 0 or summary["findings"]:
                    raise Failure(f"a correct program is not clean under {strategy}, seed {seed}\n{ran.describe()}")
                if summary["executions"] != executions:
                    raise Failure(f"{executions} executions were asked for\n{ran.describe()}")
                if not summary["verified_deterministic"]:
                    raise Failure(f"not verified as deterministic\n{ran.describe()}")
                if any("were cut" in note for note in summary["notes"]):
                    raise Failure(f"some executions did not end\n{ran.describe()}")
                self.row(strategy, seed, summary, "clean")

    def check_buggy(self):
        racy = self.header.expect == "data-race"
        executions = RACY_EXECUTIONS if racy else BUGGY_EXECUTIONS
        for seed in self.seeds:
            found = 0
            last = None
            for strategy in self.tier["strategies"]:
                # What is replayed is the shrunk schedule for one seed, and the one that was found for the other.
                shrinking = [] if seed == self.seeds[0] and found == 0 else ["--no-shrink"]
                ran, summary = self.campaign(strategy, seed, executions, ["--expect", self.header.expect, *shrinking])
                last = ran
                findings = [f for f in summary["findings"] if f["kind"] == self.header.expect]
                if ran.code not in (0, 1) or (ran.code == 0) != bool(findings):
                    raise Failure(f"exit code and JSON summary do not agree\n{ran.describe()}")
                self.row(strategy, seed, summary, f"found at {findings[0]['first_execution']}" if findings else "not found")
                if findings:
                    if not findings[0]["replayed"] or findings[0]["best_effort"]:
                        raise Failure(f"the finding is not marked as replayed exactly\n{ran.describe()}")
                    found += 1
                    if found == 1 or self.tier["every_strategy"]:
                        self.check_replay(findings[0]["schedule"])
                    if not self.tier["every_strategy"] and not racy:
                        break
                elif racy:
                    raise Failure(f"no {self.header.expect} within {executions} executions of {strategy}, seed {seed}\n"
                                  f"{ran.describe()}")
            if not found:
                raise Failure(f"no {self.header.expect} within {executions} executions of any strategy, "
                              f"seed {seed}; the last one:\n{last.describe()}")

    # The same report in every process and on both carriers, and N times in one process.
    def check_replay(self, schedule):
        schedule = pathlib.Path(schedule)
        if not schedule.is_absolute():
            schedule = pathlib.Path.cwd() / schedule
        timeout = self.header.options[self.header.options.index("--timeout"):][:2] \
            if "--timeout" in self.header.options else []
        base = [self.ravel, "replay", schedule, "--no-color", *timeout]
        first = execute(base, 300)
        if first.code != 1 or self.header.expect not in first.out:
            raise Failure(f"the finding did not come back on replay\n{first.describe()}")
        if self.header.says not in first.out:
            raise Failure(f"the report does not say '{self.header.says}'\n{first.describe()}")
        times = self.tier["replays"]
        many = execute([*base, "--times", times], 1800)
        verdict = f"{times} of {times} replays gave the same report.\n"
        if many.code != 1 or not many.out.endswith(verdict):
            raise Failure(f"not every replay gave the same report\n{many.describe()}")
        if many.out[:-len(verdict)] != first.out:
            raise Failure(f"another process gave another report\n{first.describe()}\n{many.describe()}")
        thread = execute([*base, "--carrier", "thread"], 300)
        if thread.code != 1:
            raise Failure(f"the finding did not come back on the thread carrier\n{thread.describe()}")
        if thread.out != first.out:
            raise Failure(f"the thread carrier gave another report\n{first.describe()}\n{thread.describe()}")

    def run(self):
        start = time.monotonic()
        self.build()
        built = time.monotonic()
        if self.header.expect == "none":
            self.check_correct()
        else:
            self.check_buggy()
        (self.directory / "result.json").write_text(json.dumps(
            {"rows": self.rows, "build_seconds": round(built - start, 2),
             "run_seconds": round(time.monotonic() - built, 2)}, indent=1))


def sources(paths):
    for path in paths:
        if path.is_dir():
            yield from sorted(p for p in path.rglob("*") if p.suffix in (".c", ".cpp"))
        else:
            yield path


def print_summary(work):
    rows = []
    for result in sorted(work.glob("*/result.json")):
        rows += json.loads(result.read_text())["rows"]
    if not rows:
        print(f"no results in {work}")
        return 1
    columns = ["program", "compiler", "strategy", "seed", "result", "executions", "rate"]
    widths = [max(len(c), *(len(str(r[c])) for r in rows)) for c in columns]
    lines = ["  ".join(c.ljust(w) for c, w in zip(columns, widths))]
    lines += ["  ".join(str(r[c]).ljust(w) for c, w in zip(columns, widths)) for r in rows]
    text = "\n".join(line.rstrip() for line in lines) + "\n"
    (work / "summary.txt").write_text(text)
    print(text, end="")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", type=pathlib.Path)
    parser.add_argument("--ravel", type=pathlib.Path)
    parser.add_argument("--work", type=pathlib.Path, required=True, help="directory for what is built and recorded")
    parser.add_argument("--compiler", action="append", help="g++ (default), clang++, ...; may be repeated")
    parser.add_argument("--tier", choices=TIERS, default=os.environ.get("RAVEL_TEST_TIER") or "fast")
    parser.add_argument("--replays", type=int, help="instead of the tier's number")
    parser.add_argument("--executions", type=int, help="of correct programs, instead of the tier's number")
    parser.add_argument("-j", "--jobs", type=int, default=1)
    parser.add_argument("--summary", action="store_true", help="print the table of what was measured")
    options = parser.parse_args()
    failed = []
    if options.programs:
        if not options.ravel or not options.ravel.exists():
            parser.error("--ravel must name the tool")

        def one(source, compiler):
            try:
                ProgramTest(options, source, compiler).run()
                return None
            except Failure as failure:
                return f"FAILED {source} ({compiler}): {failure}"

        work = [(s, c) for s in sources(options.programs) for c in options.compiler or ["g++"]]
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for trouble in pool.map(lambda job: one(*job), work):
                if trouble:
                    failed.append(trouble)
                    print(trouble, flush=True)
        print(f"{len(work) - len(failed)} of {len(work)} passed")
    code = print_summary(options.work.resolve()) if options.summary else 0
    return 1 if failed else code


if __name__ == "__main__":
    sys.exit(main())
