#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the six experiments of the ConTest paper, written anew in benchmarks/contest/: how often the fault of each
program shows, undisturbed and under each tool.

  benchmarks/contest.py --build build [--quick] [--runs N] [--seeds N] [--experiments REGEX] [--arms LIST]

Arms:
  native   the plain build, nothing else: the control
  noise    ravel noise as it is
  sleep    ravel noise --noise sleep
  yield    ravel noise --noise yield
  run      ravel run: executions to the first finding, over the seeds
  tsan     the build with ThreadSanitizer, its reports off; with its delays where a compiler's ThreadSanitizer has them
  rr       rr record --chaos of the plain build, where rr runs

A run fails when the program ends with an exit code or a signal, or does not end. Experiments 1 to 4 are told as failures
of so many runs. Of philosophers and crawler the noise arms tell the run of the first failure, once for each seed: within
three runs, and within a minute. tsan and rr are slow to start and have fewer runs (--other-runs).

Prints the table beside the paper's figures and writes {experiment: {arm: {...}}, ...} into BUILD/bench/contest.json.
Experiments and arms that are not asked for keep their entries there.
"""

import argparse
import json
import os
import pathlib
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import run

ARMS = ("native", "noise", "sleep", "yield", "run", "tsan", "rr")
NOISE_ARMS = {"noise": [], "sleep": ["--noise", "sleep"], "yield": ["--noise", "yield"]}
HANG = 10  # seconds after which a run without a watchdog of its own has hung


class Experiment:
    """`target`: the rate that noise must reach, or ("runs", N) or ("seconds", N): the limit of the first failure."""

    def __init__(self, name, source, arguments, paper, target, must, most_executions=None):
        self.name = name
        self.source = source
        self.arguments = arguments
        self.paper_unseeded, self.paper_seeded = paper
        self.target = target
        self.must = must
        self.most_executions = most_executions  # of ravel run

    @property
    def by_seeds(self):
        return isinstance(self.target, tuple)


EXPERIMENTS = [
    Experiment("first_flag", "first_flag", [], ("0 of 1000", "200 of 1000 (sleep), 3 (yield)"), 0.4,
               "400 of 1000; run: in 10 executions", most_executions=10),
    Experiment("move_money", "move_money", [], ("40%", "85%"), 0.9, "90%"),
    Experiment("move_money busy", "move_money", ["busy"], ("0%", "80%"), 0.9, "90%"),
    Experiment("notified_early", "notified_early", [], ("0 of 2000", "700 of 2000"), 0.75, "1500 of 2000"),
    Experiment("late_parameter", "late_parameter", [], ("rare", "always with sleep"), 0.95, "95%"),
    Experiment("philosophers", "philosophers", [], ("not in 15 minutes", "almost at once"), ("runs", 3),
               "in 3 runs, all seeds"),
    Experiment("crawler", "crawler", [], ("unknown defect", "within one hour"), ("seconds", 60),
               "in 1 minute, all seeds"),
]


class Contest:
    def __init__(self, options):
        self.bench = run.Bench(options.build, 1)
        if not self.bench.ravel.exists():
            sys.exit(f"{self.bench.ravel} is not built")
        self.bench.directory /= "contest"
        self.bench.directory.mkdir(exist_ok=True)
        self.runs = options.runs
        self.other_runs = options.other_runs
        self.seeds = options.seeds

    # The program of an experiment, of one kind: built once, -O1 as a debug build of today.
    def build(self, experiment, kind, compiler, *flags):
        binary = self.bench.directory / f"{experiment.source}.{kind}"
        sources = [run.HERE / "contest" / f"{experiment.source}.cpp", *(run.HERE / "contest/crawler").glob("*.h")]
        fresh = max(file.stat().st_mtime for file in [*sources, self.bench.ravel])
        if not binary.exists() or binary.stat().st_mtime < fresh:
            self.bench.output(*compiler, "-std=c++20", "-O1", "-g", "-pthread", *flags, sources[0], "-o", binary)
        return binary

    def plain(self, experiment):
        return self.build(experiment, "native", [self.bench.compiler])

    def instrumented(self, experiment):
        return self.build(experiment, "ravel", ["env", f"RAVEL_CXX={self.bench.compiler}", self.bench.ravel, "c++"])

    # Runs a command again and again, without Ravel; how often it failed.
    def repeat(self, runs, words, environment=None):
        failures = hangs = 0
        start = time.monotonic()
        for _ in range(runs):
            process = subprocess.Popen(list(map(str, words)), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL, env={**os.environ, **(environment or {})})
            try:
                failures += process.wait(timeout=HANG) != 0
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                hangs += 1
        return {"runs": runs, "failures": failures + hangs, "hangs": hangs,
                "failure_rate": round((failures + hangs) / runs, 4),
                "seconds": round(time.monotonic() - start, 1)}

    # One call of a command of Ravel; its JSON summary. Its files, the coverage too, are its own and go away with it.
    def ravel(self, command, options, experiment):
        with tempfile.TemporaryDirectory(dir=self.bench.directory) as scratch:
            summary = pathlib.Path(scratch) / "summary.json"
            self.bench.output(self.bench.ravel, command, "--quiet", "--no-color", "--out", pathlib.Path(scratch) / "out",
                              "--json", summary, *options, "--", self.instrumented(experiment), *experiment.arguments,
                              codes=(0, 1))
            return json.loads(summary.read_text())

    # Seconds or runs to the first failure with each seed; None where there was none.
    def first_failures(self, experiment, options, seeds):
        unit, limit = experiment.target
        budget = ["--runs", limit] if unit == "runs" else ["--time", f"{limit}s"]
        firsts = []
        for seed in range(1, seeds + 1):
            summary = self.ravel("noise", [*options, *budget, "--seed", seed, "--stop-on-failure"], experiment)
            firsts.append(round(summary[unit], 1) if summary["failures"] else None)
        return {"unit": unit, "limit": limit, **self.firsts(firsts)}

    @staticmethod
    def firsts(firsts):
        found = [first for first in firsts if first is not None]
        return {"seeds": len(firsts), "found": len(found), "first": firsts,
                "median": statistics.median(found) if found else None, "longest": max(found, default=None)}

    def native(self, experiment):
        return self.repeat(self.runs, [self.plain(experiment), *experiment.arguments])

    def noise(self, experiment, arm):
        options = NOISE_ARMS[arm]
        if experiment.by_seeds:
            # The single kinds only show which of them does the work; a few seeds tell that.
            return self.first_failures(experiment, options, self.seeds if arm == "noise" else min(self.seeds, 5))
        summary = self.ravel("noise", [*options, "--runs", self.runs], experiment)
        return {key: summary[key] for key in ("runs", "failures", "failure_rate", "seconds")}

    # Executions to the first finding that is a failure: the race detector is off, only the order of tasks is searched.
    def run(self, experiment):
        firsts = []
        for seed in range(1, self.seeds + 1):
            summary = self.ravel("run", ["--jobs", 1, "--seed", seed, "--time", "60s", "--no-races", "--no-verify",
                                         "--no-shrink"], experiment)
            firsts.append(min((finding["first_execution"] for finding in summary["findings"]), default=None))
        return self.firsts(firsts)

    # (compiler, name of the flag) of a ThreadSanitizer that can delay threads, or None.
    def tsan_delays(self):
        probe = self.bench.directory / "probe.cpp"
        probe.write_text("int main() {}\n")
        names = ["clang++", *(f"clang++-{version}" for version in range(30, 13, -1))]
        for compiler in [self.bench.compiler, *filter(shutil.which, names)]:
            binary = self.bench.directory / "probe.tsan"
            built = subprocess.run([compiler, "-fsanitize=thread", probe, "-o", binary], capture_output=True)
            if built.returncode != 0:
                continue
            text = subprocess.run([binary], capture_output=True, text=True, env={**os.environ, "TSAN_OPTIONS": "help=1"})
            flag = re.search(r"^\s*(enable_\w*delay\w*)", text.stdout + text.stderr, re.MULTILINE)
            if flag:
                return compiler, flag.group(1)
        return None

    def tsan(self, experiment):
        delays = self.tsan_delays()
        compiler, flag = delays or (self.bench.compiler, None)
        program = self.build(experiment, "tsan-delays" if delays else "tsan", [compiler], "-fsanitize=thread")
        options = "report_bugs=0 atexit_sleep_ms=0" + (f" {flag}=1" if flag else "")
        # Without randomised addresses, which older versions of ThreadSanitizer do not get on with.
        measured = self.repeat(self.other_runs, ["setarch", "-R", program, *experiment.arguments],
                               {"TSAN_OPTIONS": options})
        return {**measured, "delays": flag, "compiler": compiler}

    # Why rr cannot record here, or None.
    def rr_trouble(self):
        if not shutil.which("rr"):
            return "rr is not installed"
        with tempfile.TemporaryDirectory(dir=self.bench.directory) as scratch:
            done = subprocess.run(["rr", "record", "--chaos", "/bin/true"], capture_output=True, text=True,
                                  env={**os.environ, "_RR_TRACE_DIR": scratch})
        lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
        return None if done.returncode == 0 else f"rr does not record here: {lines[0] if lines else 'no reason given'}"

    def rr(self, experiment):
        trouble = self.rr_trouble()
        if trouble:
            return {"unavailable": trouble}
        with tempfile.TemporaryDirectory(dir=self.bench.directory) as scratch:
            return self.repeat(self.other_runs, ["rr", "record", "--chaos", self.plain(experiment),
                                                 *experiment.arguments], {"_RR_TRACE_DIR": scratch})

    def measure(self, experiment, arm):
        if arm in NOISE_ARMS:
            return self.noise(experiment, arm)
        return getattr(self, arm)(experiment)


# One cell of the table.
def text(arm, cell):
    if cell is None:
        return ""
    if "unavailable" in cell:
        return "-"
    if arm == "run":
        found = "" if cell["found"] == cell["seeds"] else f", {cell['found']}/{cell['seeds']} seeds"
        return f"{cell['median']:g} (most {cell['longest']}{found})" if cell["found"] else f"0/{cell['seeds']} seeds"
    if "found" in cell:
        if not cell["found"]:
            return f"0/{cell['seeds']} seeds"
        unit = "s" if cell["unit"] == "seconds" else " runs"
        return f"{cell['found']}/{cell['seeds']} seeds, {cell['median']:g}{unit}"
    return f"{cell['failures']} of {cell['runs']}"


# Whether what was measured reaches what was promised; None when a part of it was not measured.
def is_met(experiment, cells):
    noise, searched = cells.get("noise"), cells.get("run")
    if not noise or (experiment.most_executions and not searched):
        return None
    if experiment.most_executions and (searched["found"] < searched["seeds"] or
                                       searched["longest"] > experiment.most_executions):
        return False
    if experiment.by_seeds:
        return noise["found"] == noise["seeds"]
    return noise["failure_rate"] >= experiment.target


def print_table(chosen, results):
    arms = [arm for arm in ARMS if any(arm in results[experiment.name] for experiment in chosen)]
    head = ["experiment", "paper, unseeded", "paper, seeded", *arms, "must reach", "met"]
    lines = [head, ["---"] * len(head)]
    for experiment in chosen:
        cells = results[experiment.name]
        met = {True: "yes", False: "NO", None: ""}[cells["met"]]
        lines.append([experiment.name, experiment.paper_unseeded, experiment.paper_seeded,
                      *(text(arm, cells.get(arm)) for arm in arms), experiment.must, met])
    print()
    for line in lines:
        print("| " + " | ".join(line) + " |")
    print()
    reasons = {cells[arm]["unavailable"] for cells in map(results.get, (e.name for e in chosen)) for arm in arms
               if arm in cells and "unavailable" in cells[arm]}
    for reason in sorted(reasons):
        print(reason)
    if any("tsan" in results[e.name] and not results[e.name]["tsan"]["delays"] for e in chosen):
        print("tsan: no ThreadSanitizer of this machine has delays; these are its runs without them")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build"))
    parser.add_argument("--out", type=pathlib.Path, help="instead of BUILD/bench/contest.json")
    parser.add_argument("--runs", type=int, help="of native and of the noise arms [1000]")
    parser.add_argument("--other-runs", type=int, help="of tsan and rr [100]")
    parser.add_argument("--seeds", type=int, help="of run, and of noise on philosophers and crawler [20]")
    parser.add_argument("--quick", action="store_true", help="50 runs, 10 of tsan and rr, 3 seeds")
    parser.add_argument("--experiments", default="", metavar="REGEX", help="those whose name matches")
    parser.add_argument("--arms", default=",".join(ARMS), metavar="LIST", help=f"with commas [{','.join(ARMS)}]")
    options = parser.parse_args()
    options.runs = options.runs or (50 if options.quick else 1000)
    options.other_runs = options.other_runs or (10 if options.quick else 100)
    options.seeds = options.seeds or (3 if options.quick else 20)
    chosen = [experiment for experiment in EXPERIMENTS if re.search(options.experiments, experiment.name)]
    if not chosen:
        parser.error(f"no experiment matches {options.experiments}")
    arms = options.arms.split(",")
    for arm in arms:
        if arm not in ARMS:
            parser.error(f"no arm {arm}; there are {', '.join(ARMS)}")

    contest = Contest(options)
    out = options.out or options.build / "bench/contest.json"
    results = json.loads(out.read_text()) if out.exists() else {}
    results["machine"] = {"cores": os.cpu_count(), "kernel": platform.release()}
    for experiment in chosen:
        cells = results.setdefault(experiment.name, {})
        for arm in arms:
            cells[arm] = contest.measure(experiment, arm)
            print(f"{experiment.name:<18}{arm:<8}{cells[arm].get('unavailable') or text(arm, cells[arm])}", flush=True)
        cells["met"] = is_met(experiment, cells)
        run.write(out, results)
    print_table(chosen, results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
