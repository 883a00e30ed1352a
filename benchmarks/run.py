#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what Ravel claims about its speed, as ratios within one run: control and measurement alternate, repeats are
reduced by their median, so that a machine that is slow today is slow for both.

  benchmarks/run.py --build build --out build/bench/results.json [NAME...]

Writes {name: number, ..., "details": {name: {...}}} and prints a table with the target beside each number. Names given
on the command line replace only their own entries in an existing file.
"""

import argparse
import json
import math
import os
import pathlib
import platform
import re
import shutil
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


class Bench:
    def __init__(self, build, repeats):
        self.ravel = build.resolve() / "bin/ravel"
        self.directory = build.resolve() / "bench"
        self.directory.mkdir(parents=True, exist_ok=True)
        self.repeats = repeats
        self.compiler = os.environ.get("CXX", "g++")

    def output(self, *words):
        done = subprocess.run([str(w) for w in words], stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"benchmark failed: {' '.join(map(str, words))}\nexit code {done.returncode}\n"
                     f"{done.stdout[-3000:]}{done.stderr[-3000:]}")
        return done.stdout

    def native(self, name, folder="programs"):
        binary = self.directory / f"{name}.native"
        self.output(self.compiler, "-std=c++20", "-O2", "-g", "-pthread", HERE / folder / f"{name}.cpp", "-o", binary)
        return binary

    def instrumented(self, name):
        binary = self.directory / f"{name}.ravel"
        self.output("env", f"RAVEL_CXX={self.compiler}", self.ravel, "c++", "-std=c++20", "-O2", "-g", "-pthread",
                    HERE / "programs" / f"{name}.cpp", "-o", binary)
        return binary

    # One campaign of one worker; its JSON summary.
    def campaign(self, executions, options, *program, fails=False):
        out = self.directory / "findings"
        shutil.rmtree(out, ignore_errors=True)
        summary = self.directory / "summary.json"
        words = [self.ravel, "run", "--jobs", 1, "--executions", executions, "--no-verify", "--quiet", "--no-color",
                 "--out", out, "--json", summary, *options, "--", *program]
        if not fails:
            words.insert(2, "--keep-going")
        self.output(*words)
        return json.loads(summary.read_text())


# Executions per second of ravel run over those of a fork+exec+wait loop of the plain build.
def explore_rate_vs_native(bench):
    rate = bench.native("native_rate", ".")
    programs = ["bank", "pipeline", "queue", "philosophers", "counters"]
    built = {name: (bench.native(name), bench.instrumented(name)) for name in programs}
    details = {name: {"native": [], "ravel": []} for name in programs}
    for _ in range(bench.repeats):
        for name, (plain, instrumented) in built.items():
            details[name]["native"].append(float(bench.output(rate, 0.7, plain)))
            summary = bench.campaign(1500, [], instrumented)
            details[name]["ravel"].append(summary["executions_per_second"])
    for numbers in details.values():
        ratios = [ours / theirs for ours, theirs in zip(numbers["ravel"], numbers["native"])]
        numbers["native"] = round(statistics.median(numbers["native"]), 1)
        numbers["ravel"] = round(statistics.median(numbers["ravel"]), 1)
        numbers["ratio"] = round(statistics.median(ratios), 3)
    mean = math.exp(statistics.fmean(math.log(numbers["ratio"]) for numbers in details.values()))
    return mean, details


# The same campaign on fibers and on OS threads that pass a baton.
def fiber_vs_baton(bench):
    program = bench.instrumented("ping_pong")
    rates = {"fiber": [], "thread": []}
    steps = set()
    for _ in range(bench.repeats):
        for carrier in rates:
            summary = bench.campaign(100, ["--strategy", "random", "--carrier", carrier], program)
            rates[carrier].append(summary["executions_per_second"])
            steps.add(summary["steps"])
    ratio = statistics.median(f / t for f, t in zip(rates["fiber"], rates["thread"]))
    return ratio, {"fiber": statistics.median(rates["fiber"]), "thread": statistics.median(rates["thread"]),
                   "steps": sorted(steps)}


# Nanoseconds of one scheduling point: a long run minus a short one, so that start-up and task creation cancel out.
def point_cost_1000_over_10_tasks(bench):
    program = bench.instrumented("many_tasks")
    short, long, executions = 20_000, 200_000, 10

    def cost(tasks, strategy, kind):
        few, many = (bench.campaign(executions, ["--strategy", strategy, "--timeout", "60s"], program, tasks, n, *kind)
                     for n in (short, long))
        return 1e9 * (many["seconds"] - few["seconds"]) / (many["steps"] - few["steps"])

    details = {}
    worst = 0.0
    for kind in ([], ["shared"]):
        for strategy in ("random", "pct", "pos"):
            costs = {10: [], 1000: []}
            for _ in range(bench.repeats):
                for tasks in costs:
                    costs[tasks].append(cost(tasks, strategy, kind))
            ratio = statistics.median(big / small for big, small in zip(costs[1000], costs[10]))
            details[f"{strategy} {kind[0] if kind else 'own'}"] = {
                "ns_10": round(statistics.median(costs[10]), 1), "ns_1000": round(statistics.median(costs[1000]), 1),
                "ratio": round(ratio, 3)}
            worst = max(worst, ratio)
    return worst, details


# Size of the schedule file of a long failing execution, per decision; the largest of several strategies and seeds.
def bytes_per_decision(bench):
    program = bench.instrumented("long_failure")
    details = {}
    for strategy in ("random", "pct", "pos"):
        for seed in (1, 2, 3):
            summary = bench.campaign(200, ["--strategy", strategy, "--seed", seed, "--expect", "exit-code"], program,
                                     fails=True)
            schedule = pathlib.Path(summary["findings"][0]["schedule"])
            text = schedule.read_text()
            decisions = int(re.search(r"^decisions: (\d+)$", text, re.MULTILINE).group(1))
            details[f"{strategy} seed {seed}"] = {"bytes": len(text), "decisions": decisions,
                                                  "ratio": round(len(text) / decisions, 4)}
    return max(entry["ratio"] for entry in details.values()), details


BENCHMARKS = {  # name: (function, target, met when the number is at least / at most the target)
    "explore_rate_vs_native": (explore_rate_vs_native, 3.0, "at least"),
    "fiber_vs_baton": (fiber_vs_baton, 10.0, "at least"),
    "point_cost_1000_over_10_tasks": (point_cost_1000_over_10_tasks, 3.0, "at most"),
    "bytes_per_decision": (bytes_per_decision, 1.0, "at most"),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help=f"some of: {', '.join(BENCHMARKS)}")
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build"))
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    for name in options.names:
        if name not in BENCHMARKS:
            parser.error(f"no benchmark {name}; there are {', '.join(BENCHMARKS)}")
    out = options.out or options.build / "bench/results.json"
    bench = Bench(options.build, options.repeats)
    if not bench.ravel.exists():
        parser.error(f"{bench.ravel} is not built")
    results = json.loads(out.read_text()) if options.names and out.exists() else {}
    details = results.setdefault("details", {})
    details["machine"] = {"cores": os.cpu_count(), "kernel": platform.release(), "repeats": options.repeats}

    print(f"{'benchmark':<32}{'measured':>10}   target")
    for name in options.names or BENCHMARKS:
        function, target, relation = BENCHMARKS[name]
        number, details[name] = function(bench)
        results[name] = round(number, 4)
        met = number >= target if relation == "at least" else number <= target
        print(f"{name:<32}{number:>10.3f}   {relation} {target:g}{'' if met else '   NOT MET'}", flush=True)
        for label, entry in details[name].items():
            print(f"    {label}: {json.dumps(entry)}", flush=True)
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(results, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
