#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what Ravel claims about its speed, as ratios within one run: control and measurement alternate, repeats are
reduced by their median, so that a machine that is slow today is slow for both.

  benchmarks/run.py --build build --out build/bench/results.json [NAME...]

Writes {name: number, ..., "details": {name: {...}}}, each number as soon as there is one, and prints a table with the target
beside it. Names given on the command line replace only their own entries in an existing file.
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

import futures_table
import source_tree

HERE = pathlib.Path(__file__).resolve().parent


class BenchmarkFailed(Exception):
    """Something that a benchmark needs did not work: it has no result. The others go on."""


class Bench:
    def __init__(self, build, repeats):
        self.ravel = build.resolve() / "bin/ravel"
        self.directory = build.resolve() / "bench"
        self.directory.mkdir(parents=True, exist_ok=True)
        self.repeats = repeats
        self.compiler = os.environ.get("CXX", "g++")

    def output(self, *words, codes=(0,)):
        done = subprocess.run([str(w) for w in words], stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode not in codes:
            raise BenchmarkFailed(f"{' '.join(map(str, words))}\nexit code {done.returncode}\n"
                                  f"{done.stdout[-3000:]}{done.stderr[-3000:]}")
        return done.stdout

    def native(self, name, folder="programs"):
        binary = self.directory / f"{name}.native"
        self.output(self.compiler, "-std=c++20", "-O2", "-g", "-pthread", HERE / folder / f"{name}.cpp", "-o", binary)
        return binary

    def instrumented(self, name, folder="programs"):
        binary = self.directory / f"{name}.ravel"
        self.output("env", f"RAVEL_CXX={self.compiler}", self.ravel, "c++", "-std=c++20", "-O2", "-g", "-pthread",
                    HERE / folder / f"{name}.cpp", "-o", binary)
        return binary

    # One campaign, of one worker unless told; its JSON summary. `codes`: exit codes that are no failure of the benchmark. `scratch`:
    # where its files go; campaigns at the same time need different places.
    def campaign(self, executions, options, *program, fails=False, codes=(0,), scratch=None, jobs=1):
        out = (scratch or self.directory) / "findings"
        shutil.rmtree(out, ignore_errors=True)
        summary = (scratch or self.directory) / "summary.json"
        words = [self.ravel, "run", "--jobs", jobs, "--executions", executions, "--no-verify", "--quiet", "--no-color",
                 "--out", out, "--json", summary, *options, "--", *program]
        if not fails:
            words.insert(2, "--keep-going")
        self.output(*words, codes=codes)
        return json.loads(summary.read_text())


SMALL = ["bank", "pipeline", "queue", "philosophers", "counters"]


def geometric_mean(numbers):
    return math.exp(statistics.fmean(math.log(number) for number in numbers))


# Reduces {program: {control: [rates], measured: [rates]}}, in which repeats alternate, to medians and their ratio.
def rate_ratios(details, control, measured):
    for numbers in details.values():
        ratios = [ours / theirs for ours, theirs in zip(numbers[measured], numbers[control])]
        for label in (control, measured):
            numbers[label] = round(statistics.median(numbers[label]), 1)
        numbers["ratio"] = round(statistics.median(ratios), 3)
    return geometric_mean(numbers["ratio"] for numbers in details.values()), details


# Executions per second of ravel run over those of a fork+exec+wait loop of the plain build.
def explore_rate_vs_native(bench, options=()):
    rate = bench.native("native_rate", ".")
    built = {name: (bench.native(name), bench.instrumented(name)) for name in SMALL}
    details = {name: {"native": [], "ravel": []} for name in SMALL}
    for _ in range(bench.repeats):
        for name, (plain, instrumented) in built.items():
            details[name]["native"].append(float(bench.output(rate, 0.7, plain)))
            summary = bench.campaign(1500, options, instrumented)
            details[name]["ravel"].append(summary["executions_per_second"])
    return rate_ratios(details, "native", "ravel")


# The same without resident processes: one fork for each execution.
def explore_rate_by_fork_vs_native(bench):
    return explore_rate_vs_native(bench, ["--no-resident"])


# Seconds of one execution of a test that ravel::explore explores: many minus few, so that the start cancels out.
def explored_seconds(bench, program, strategy, rounds, executions, *option):
    few, many = (float(bench.output(program, strategy, rounds, count, *option)) for count in (executions // 10, executions))
    return (many - few) / (executions - executions // 10)


# Two threads of ten operations in all (two creations, two joins, lock and unlock, the ends): executions per second.
def inprocess_rate(bench):
    program = bench.instrumented("explored")
    rates = [1 / explored_seconds(bench, program, "random", 1, 20_000) for _ in range(bench.repeats)]
    return statistics.median(rates), {"rates": {"all": [round(rate) for rate in rates]}}


# The same over the same by fork.
def inprocess_over_fork(bench):
    program = bench.instrumented("explored")
    details = {"explored": {"fork": [], "resident": []}}
    for _ in range(bench.repeats):
        for label, executions, option in (("fork", 2_000, ["--no-resident"]), ("resident", 20_000, [])):
            details["explored"][label].append(1 / explored_seconds(bench, program, "random", 1, executions, *option))
    return rate_ratios(details, "fork", "resident")


# Nanoseconds of a step of a test of 1,000 steps, by strategy; the number is that of `random`.
def inprocess_ns_per_step(bench):
    program = bench.instrumented("explored")
    long, short, executions = 250, 1, 2_000
    costs = {strategy: [] for strategy in ("random", "pct", "pos", "surw", "rff")}
    for _ in range(bench.repeats):
        for strategy, found in costs.items():
            of_long, of_short = (explored_seconds(bench, program, strategy, rounds, executions) for rounds in (long, short))
            found.append(1e9 * (of_long - of_short) / (4 * (long - short)))
    medians = {strategy: round(statistics.median(found), 1) for strategy, found in costs.items()}
    return medians["random"], {"by strategy": medians}


# The rate of two workers over that of one. Campaigns long enough that starting the second target does not count.
def jobs_2_over_1(bench):
    executions = 6000
    built = {name: bench.instrumented(name) for name in SMALL}
    details = {name: {"one": [], "two": []} for name in SMALL}
    for _ in range(bench.repeats):
        for name, program in built.items():
            for label, jobs in (("one", 1), ("two", 2)):
                summary = bench.campaign(executions, [], program, jobs=jobs)
                details[name][label].append(summary["executions_per_second"])
    return rate_ratios(details, "one", "two")


# The same campaign on fibers and on OS threads that pass a baton.
def fiber_vs_baton(bench):
    program = bench.instrumented("ping_pong")
    rates = {"fiber": [], "thread": []}
    steps = set()
    for _ in range(bench.repeats):
        for carrier in rates:
            summary = bench.campaign(60, ["--strategy", "random", "--carrier", carrier], program)
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
            options = ["--strategy", strategy, "--seed", seed, "--expect", "exit-code", "--no-shrink"]
            summary = bench.campaign(200, options, program, fails=True)
            schedule = pathlib.Path(summary["findings"][0]["schedule"])
            text = schedule.read_text()
            decisions = int(re.search(r"^decisions: (\d+)$", text, re.MULTILINE).group(1))
            details[f"{strategy} seed {seed}"] = {"bytes": len(text), "decisions": decisions,
                                                  "ratio": round(len(text) / decisions, 4)}
    return max(entry["ratio"] for entry in details.values()), details


# Runs a command; what it and its children took: processor seconds, wall seconds, and the largest of them in KB.
def usage(*words):
    script = ("import resource,subprocess,sys,time\n"
              "start=time.monotonic()\n"
              "code=subprocess.run(sys.argv[1:],stdin=subprocess.DEVNULL,stdout=subprocess.DEVNULL,"
              "stderr=subprocess.DEVNULL).returncode\n"
              "wall=time.monotonic()-start\n"
              "used=resource.getrusage(resource.RUSAGE_CHILDREN)\n"
              "print(code,used.ru_utime+used.ru_stime,wall,used.ru_maxrss)")
    done = subprocess.run([sys.executable, "-c", script, *map(str, words)], capture_output=True, text=True, check=True)
    code, processor, wall, kilobytes = done.stdout.split()
    if int(code) != 0:
        raise BenchmarkFailed(f"{' '.join(map(str, words))}\nexit code {code}")
    return float(processor), float(wall), int(kilobytes)


def race_programs(bench):
    for name in ("race_array", "race_map", "race_atomics", "race_tree"):
        source = HERE / "programs" / f"{name}.cpp"
        ours, theirs = bench.directory / f"{name}.ravel", bench.directory / f"{name}.tsan"
        bench.output("env", f"RAVEL_CXX={bench.compiler}", bench.ravel, "c++", "-std=c++20", "-O1", "-g", "-pthread",
                     source, "-o", ours)
        bench.output(bench.compiler, "-std=c++20", "-O1", "-g", "-pthread", "-fsanitize=thread", source, "-o", theirs)
        yield name, ours, theirs


# One execution under Ravel, the race detector on, over one run of the same source under g++'s ThreadSanitizer.
# `which`: 0 processor time, 1 wall time. Several executions share the start of one process, as they do in use; the
# campaign's own time is counted.
def race_ratio(bench, which):
    executions = 5
    details = {}
    for name, ours, theirs in race_programs(bench):
        pairs = []
        for _ in range(bench.repeats):
            control = usage(theirs)[which]
            out = bench.directory / "findings"
            measured = usage(bench.ravel, "run", "--jobs", 1, "--no-verify", "--quiet", "--strategy", "random",
                             "--executions", executions, "--max-steps", 1_000_000_000, "--timeout", "120s", "--out", out,
                             "--", ours)[which] / executions
            pairs.append((control, measured))
        details[name] = {"tsan": round(statistics.median(c for c, _ in pairs), 4),
                         "ravel": round(statistics.median(m for _, m in pairs), 4),
                         "ratio": round(statistics.median(m / c for c, m in pairs), 3)}
    return geometric_mean(entry["ratio"] for entry in details.values()), details


def race_cpu_vs_tsan(bench):
    return race_ratio(bench, 0)


def race_slowdown_vs_tsan(bench):
    return race_ratio(bench, 1)


# A really parallel run under `ravel noise`, without any noise, over one run of the same source under g++'s
# ThreadSanitizer. Both are slowdowns of the same native program, which therefore cancels out.
def noise_ratio(bench, record):
    runs = 5
    details = {}
    for name, ours, theirs in race_programs(bench):
        pairs = []
        for _ in range(bench.repeats):
            control = usage(theirs)[1]
            pairs.append((control, noise_seconds(bench, runs, record, ours) / runs))
        details[name] = {"tsan": round(statistics.median(c for c, _ in pairs), 4),
                         "ravel": round(statistics.median(m for _, m in pairs), 4),
                         "ratio": round(statistics.median(m / c for c, m in pairs), 3)}
    return geometric_mean(entry["ratio"] for entry in details.values()), details


def noise_seconds(bench, runs, record, *program, processors=None):
    command = [bench.ravel, "noise", "--quiet", "--runs", runs, "--noise", "sleep:0",
               *([] if record else ["--no-record"]), "--timeout", "120s", "--out", bench.directory / "findings", "--",
               *program]
    return usage(*on_processors(processors), *command)[1]


def on_processors(processors):
    return ["taskset", "-c", processors] if processors else []


def noise_overhead_vs_tsan(bench):
    return noise_ratio(bench, False)


def noise_record_vs_tsan(bench):
    return noise_ratio(bench, True)


# What a second processor gains under `ravel noise`, over what the native program gains.
def noise_parallel_efficiency(bench):
    runs = 5
    details = {}
    for name, ours, _ in race_programs(bench):
        plain = bench.native(name)
        gains = []
        for _ in range(bench.repeats):
            native = [sum(usage(*on_processors(p), plain)[1] for _ in range(runs)) for p in ("0", "0,1")]
            measured = [noise_seconds(bench, runs, False, ours, processors=p) for p in ("0", "0,1")]
            gains.append((native[0] / native[1], measured[0] / measured[1]))
        details[name] = {"native": round(statistics.median(n for n, _ in gains), 3),
                         "ravel": round(statistics.median(m for _, m in gains), 3),
                         "ratio": round(statistics.median(m / n for n, m in gains), 3)}
    return geometric_mean(entry["ratio"] for entry in details.values()), details


# Memory that an execution grows by, beyond the program's own, for every byte the program touches: a run that touches
# much minus one that touches little, so that everything of fixed size cancels out.
def shadow_bytes_per_byte(bench):
    program = bench.instrumented("shadow")
    few, many = 4, 36

    def kilobytes(megabytes):
        return usage(bench.ravel, "run", "--jobs", 1, "--no-verify", "--quiet", "--strategy", "sequential",
                     "--executions", 1, "--max-steps", 1_000_000_000, "--timeout", "120s", "--out",
                     bench.directory / "findings", "--", program, megabytes)[2]

    grown = kilobytes(many) - kilobytes(few)
    ratio = grown / 1024 / (many - few) - 1
    return ratio, {"megabytes": [few, many], "grown_kb": grown}


# Processor time of filling and copying long buffers in an execution over that of the plain build: many rounds minus few,
# so that start-up cancels out.
def bulk_over_native(bench):
    plain, ours = bench.native("bulk"), bench.instrumented("bulk")
    few, many = 2, 22
    run = [bench.ravel, "run", "--jobs", 1, "--no-verify", "--quiet", "--strategy", "sequential", "--executions", 1,
           "--timeout", "120s", "--out", bench.directory / "findings", "--", ours]
    pairs = []
    for _ in range(bench.repeats):
        native, measured = (usage(*command, many)[0] - usage(*command, few)[0] for command in ([plain], run))
        pairs.append((native, measured))
    return statistics.median(m / n for n, m in pairs), {
        "native": round(statistics.median(n for n, _ in pairs), 3),
        "ravel": round(statistics.median(m for _, m in pairs), 3)}


# Nanoseconds of one synchronisation operation with 256 tasks over that with 8.
def clock_cost_growth(bench):
    program = bench.instrumented("clock_growth")
    short, long = 30_000, 150_000

    def cost(tasks):
        few, many = (bench.campaign(5, ["--strategy", "random", "--timeout", "60s"], program, tasks, n)
                     for n in (short, long))
        return 1e9 * (many["seconds"] - few["seconds"]) / (many["steps"] - few["steps"])

    costs = {8: [], 256: []}
    for _ in range(bench.repeats):
        for tasks in costs:
            costs[tasks].append(cost(tasks))
    ratio = statistics.median(big / small for big, small in zip(costs[256], costs[8]))
    return ratio, {"ns_8": round(statistics.median(costs[8]), 1), "ns_256": round(statistics.median(costs[256]), 1)}


# `ravel weave` of race tests over a tree of ten thousand lines, start to end, over what the same Clang takes to look at
# the sources that the tests touch (-fsyntax-only). Both look at one file after the other.
def weave_over_parse(bench):
    clang = shutil.which("clang++-19") or shutil.which("/usr/lib/llvm-19/bin/clang++")
    if clang is None:
        raise BenchmarkFailed("it compares with clang++-19: install clang-19")
    tree = bench.directory / "weave_tree"
    shutil.rmtree(tree, ignore_errors=True)
    lines, touched = source_tree.write_tree(tree, bench.ravel.parent.parent / "include")
    pairs = []
    for _ in range(bench.repeats):
        parsed = [usage(clang, "-std=c++20", "-O1", "-pthread", "-fsyntax-only", source) for source in touched]
        woven = usage(bench.ravel, "weave", "--quiet", "--tests", tree / "races", "--compile-commands",
                      tree / "compile_commands.json", "--out", tree / "woven")
        pairs.append([(sum(one[which] for one in parsed), woven[which]) for which in (1, 0)])
    details = {"lines": lines, "files_touched": len(touched)}
    for which, label in enumerate(("wall", "processor")):
        details[label] = {"parse": round(statistics.median(pair[which][0] for pair in pairs), 2),
                          "weave": round(statistics.median(pair[which][1] for pair in pairs), 2),
                          "ratio": round(statistics.median(pair[which][1] / pair[which][0] for pair in pairs), 3)}
    return details["wall"]["ratio"], details


# Executions that `ravel futures` makes over the writes that shared reads turn out to see, on programs whose every schedule
# can be explored. Beside each: what the sources tell contains what was seen, and exhaustive search sees the same.
def futures_executions_over_terms(bench):
    rows = {name: futures_table.measure(bench.ravel, name, bench.directory / "futures" / name) for name in futures_table.NAMES}
    return sum(row["executions"] for row in rows.values()) / sum(row["feasible"] for row in rows.values()), rows


# The search alone, without compiling, in the mean of the ten subjects of tests/e2e/reproduce.
def reproduce_search_seconds(bench):
    rows = {}
    subjects = HERE.parent / "tests/e2e/reproduce/subjects"
    for folder in sorted(path for path in subjects.iterdir() if path.is_dir()):
        scratch = bench.directory / "reproduce" / folder.name
        scratch.mkdir(parents=True, exist_ok=True)
        # The stack of this one begins in the class of its writer.
        named = ["--class", "FileAppender"] if folder.name == "file_appender" else []
        summary = json.loads(bench.output(
            bench.ravel, "reproduce", "--json", "-", "--stack", folder / "crash.txt", "--header", folder / f"{folder.name}.h",
            "--source", folder / f"{folder.name}.cpp", "--out", scratch, "--repeat", 1, *named, "--", "-std=c++20"))
        rows[folder.name] = {key: summary[key] for key in ("seconds", "search_seconds", "tests_explored", "test_calls")}
    return statistics.mean(row["search_seconds"] for row in rows.values()), rows


BENCHMARKS = {  # name: (function, target, met when the number is at least / at most the target)
    "explore_rate_vs_native": (explore_rate_vs_native, 8.0, "at least"),
    "explore_rate_by_fork_vs_native": (explore_rate_by_fork_vs_native, 4.0, "at least"),
    "inprocess_rate": (inprocess_rate, 20_000, "at least"),
    "inprocess_over_fork": (inprocess_over_fork, 20.0, "at least"),
    "inprocess_ns_per_step": (inprocess_ns_per_step, 100.0, "at most"),
    "jobs_2_over_1": (jobs_2_over_1, 1.7, "at least"),
    "fiber_vs_baton": (fiber_vs_baton, 10.0, "at least"),
    "point_cost_1000_over_10_tasks": (point_cost_1000_over_10_tasks, 3.0, "at most"),
    "bytes_per_decision": (bytes_per_decision, 1.0, "at most"),
    "race_cpu_vs_tsan": (race_cpu_vs_tsan, 1.0, "at most"),
    "race_slowdown_vs_tsan": (race_slowdown_vs_tsan, 2.0, "at most"),
    "shadow_bytes_per_byte": (shadow_bytes_per_byte, 8.0, "at most"),
    "bulk_over_native": (bulk_over_native, 3.0, "at most"),
    "clock_cost_growth": (clock_cost_growth, 8.0, "at most"),
    "noise_overhead_vs_tsan": (noise_overhead_vs_tsan, 0.5, "at most"),
    "noise_record_vs_tsan": (noise_record_vs_tsan, 1.0, "at most"),
    "noise_parallel_efficiency": (noise_parallel_efficiency, 0.8, "at least"),
    "weave_over_parse": (weave_over_parse, 1.5, "at most"),
    "futures_executions_over_terms": (futures_executions_over_terms, 1.3, "at most"),
    "reproduce_search_seconds": (reproduce_search_seconds, 2.0, "at most"),
}


# Puts one number into the results and prints its line.
def enter(results, name, number, detail, target, relation):
    results[name] = round(number, 4)
    results.setdefault("details", {})[name] = detail
    met = number >= target if relation == "at least" else number <= target
    print(f"{name:<32}{number:>10.3f}   {relation} {target:g}{'' if met else '   NOT MET'}", flush=True)
    for label, entry in detail.items():
        print(f"    {label}: {json.dumps(entry)}", flush=True)


def write(out, results):
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(results, indent=2) + "\n")


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
    failed = []
    for name in options.names or BENCHMARKS:
        function, target, relation = BENCHMARKS[name]
        try:
            number, detail = function(bench)
        except (BenchmarkFailed, subprocess.CalledProcessError, SystemExit) as error:
            failed.append(name)
            print(f"{name:<32}{'FAILED':>10}   {error}", flush=True)
            continue
        enter(results, name, number, detail, target, relation)
        write(out, results)
    if failed:
        print(f"without a result: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
