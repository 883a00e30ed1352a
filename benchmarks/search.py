#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures how many schedules each strategy needs to the first failure of each program in benchmarks/search/.

  benchmarks/search.py --build build [--quick] [--programs REGEX] [--strategies LIST] [--svg FILE]

Prints the table program x strategy -> mean schedules to the first failure, and found/seeds where that is not all.
A campaign that finds nothing counts as the limit of executions in the mean, also one that the clock cut short before
the limit ("~"). A single strategy that finds nothing with its first --hopeless seeds is not tried with the others (0/3);
auto always is. dfs and dpor draw nothing at random, so one campaign stands for all seeds. Programs with a line "// SIZES: a b c" are one row for each size, which is their argument.

Only failures count (an assertion, a crash, a deadlock): the race detector is off, and atomics show one order, so that
the order of tasks is all that is searched.

Writes the table into search.json beside --out, and into --out, whose other keys stay as they are:
  search_auto_over_best  geometric mean of auto's mean over the best single strategy's mean, over the programs that some
                         single strategy finds with at least half of the seeds
  search_many_threads    the larger of auto's means on "setters 100" and "two_stage 100"
"""

import argparse
import concurrent.futures
import json
import math
import pathlib
import re
import shutil
import statistics
import sys
import tempfile

import run
import search_picture

SOURCES = run.HERE / "search"
WITHOUT_CHANCE = ("dfs", "dpor")
MANY_THREADS = ("setters 100", "two_stage 100")


class Row:
    def __init__(self, source, size):
        self.source = source
        self.arguments = [size] if size else []
        self.name = " ".join([source.stem, *self.arguments])


def rows(pattern):
    found = []
    for source in sorted(SOURCES.glob("*.cpp")):
        sizes = re.search(r"^// SIZES: (.*)$", source.read_text(), re.MULTILINE)
        found += [Row(source, size) for size in (sizes.group(1).split() if sizes else [None])]
    return [row for row in found if re.search(pattern, row.name)]


class Search:
    def __init__(self, options):
        self.bench = run.Bench(options.build, 1)
        if not self.bench.ravel.exists():
            sys.exit(f"{self.bench.ravel} is not built")
        self.bench.directory /= "search"
        self.bench.directory.mkdir(exist_ok=True)
        self.limit = options.executions
        self.seeds = range(1, options.seeds + 1)
        self.hopeless = options.hopeless
        self.time = options.time
        # The tool says itself what it can do: strategies come and go.
        usage = self.bench.output(self.bench.ravel, "run", "--help")
        known = re.search(r"--strategy (\S+)", usage).group(1).split("|")
        self.strategies = options.strategies.split(",") if options.strategies else [
            name for name in known if name != "sequential"]
        for name in self.strategies:
            if name not in known:
                sys.exit(f"no strategy {name}; there are {', '.join(known)}")
        # Only the number of the failing execution is wanted.
        self.plain = ["--no-shrink"] if "--no-shrink" in usage else []

    def build(self, source):
        binary = self.bench.directory / f"{source.stem}.ravel"
        fresh = max(source.stat().st_mtime, self.bench.ravel.stat().st_mtime)
        if not binary.exists() or binary.stat().st_mtime < fresh:
            self.bench.instrumented(source.stem, "search")
        return binary

    # Schedules to the first failure, or None, and whether the clock ended the campaign.
    def campaign(self, row, strategy, seed):
        scratch = pathlib.Path(tempfile.mkdtemp(dir=self.bench.directory))
        try:
            summary = self.bench.campaign(
                self.limit, ["--strategy", strategy, "--seed", seed, "--time", f"{self.time}s", "--memory-model", "sc",
                             "--no-races", *self.plain],
                self.bench.directory / f"{row.source.stem}.ravel", *row.arguments, fails=True, codes=(0, 1),
                scratch=scratch)
        finally:
            shutil.rmtree(scratch)
        first = min((finding["first_execution"] for finding in summary["findings"]), default=None)
        ended = summary["executions"] >= self.limit or summary["complete"]
        return {"first": first, "cut": first is None and not ended,
                "kind": summary["findings"][0]["kind"] if first else None}

    def cell(self, row, strategy):
        campaigns = []
        for seed in self.seeds if strategy not in WITHOUT_CHANCE else self.seeds[:1]:
            campaigns.append(self.campaign(row, strategy, seed))
            nothing = not any(campaign["first"] for campaign in campaigns)
            if strategy != "auto" and nothing and len(campaigns) == self.hopeless:
                break
        firsts = [campaign["first"] for campaign in campaigns]
        return {"mean": round(statistics.fmean(first or self.limit for first in firsts), 2),
                "found": sum(first is not None for first in firsts),
                "tried": len(firsts),
                "cut": sum(campaign["cut"] for campaign in campaigns),
                "kinds": sorted({campaign["kind"] for campaign in campaigns if campaign["kind"]}),
                "first": firsts}

    # {row name: {strategy: cell}}; prints each row when it is complete.
    def table(self, chosen, processes):
        width = max(len(row.name) for row in chosen) + 2
        with concurrent.futures.ThreadPoolExecutor(processes) as pool:
            list(pool.map(self.build, {row.source for row in chosen}))
            print(" " * width + "".join(f"{name:>18}" for name in self.strategies))
            keys = [(row, strategy) for row in chosen for strategy in self.strategies]
            results = pool.map(lambda key: self.cell(*key), keys)
            cells = {}
            for row in chosen:
                cells[row.name] = {strategy: next(results) for strategy in self.strategies}
                print(f"{row.name:<{width}}" + "".join(
                    f"{self.text(cells[row.name][strategy]):>18}" for strategy in self.strategies), flush=True)
        return cells

    @staticmethod
    def text(cell):
        mark = "~" if cell["cut"] else ""
        found = "" if cell["found"] == cell["tried"] else f" {cell['found']}/{cell['tried']}"
        return f"{mark}{cell['mean']:.1f}{found}"


def auto_over_best(table, seeds, total):
    ratios = {}
    missed = []
    for name, cells in table.items():
        single = [cell for strategy, cell in cells.items() if strategy != "auto" and 2 * cell["found"] >= cell["tried"]]
        if single:
            ratios[name] = cells["auto"]["mean"] / min(cell["mean"] for cell in single)
            if cells["auto"]["found"] < seeds:
                missed.append(name)
    if not ratios:
        return None, {}
    worst = sorted(ratios, key=ratios.get, reverse=True)[:5]
    return math.exp(statistics.fmean(map(math.log, ratios.values()))), {
        "programs": len(ratios), "of": total, "seeds": seeds,
        "nobody_finds": [name for name in table if name not in ratios], "auto_does_not_always_find": missed,
        "worst": {name: round(ratios[name], 2) for name in worst}}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build"))
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--quick", action="store_true", help="5 seeds")
    parser.add_argument("--executions", type=int, default=10_000, help="limit of one campaign")
    parser.add_argument("--time", type=int, default=60, help="seconds, limit of one campaign")
    parser.add_argument("--hopeless", type=int, default=3, metavar="N",
                        help="seeds without a find after which a single strategy is given up")
    parser.add_argument("--programs", default="", metavar="REGEX", help="rows whose name matches")
    parser.add_argument("--strategies", metavar="LIST", help="with commas; all but sequential unless told")
    parser.add_argument("--jobs-parallel", type=int, default=2, metavar="N", help="campaigns at a time")
    parser.add_argument("--svg", type=pathlib.Path, metavar="FILE", help="draw the table")
    options = parser.parse_args()
    if options.quick:
        options.seeds = 5
    out = options.out or options.build / "bench/results.json"
    chosen = rows(options.programs)
    if not chosen:
        parser.error(f"no program matches {options.programs}")

    search = Search(options)
    table = search.table(chosen, options.jobs_parallel)
    document = {"executions": options.executions, "seconds": options.time, "seeds": options.seeds,
                "strategies": search.strategies, "table": table}
    run.write(out.parent / "search.json", document)
    if options.svg:
        search_picture.draw(document, options.svg)

    results = json.loads(out.read_text()) if out.exists() else {}
    print()
    if "auto" in search.strategies:
        number, detail = auto_over_best(table, options.seeds, len(rows("")))
        if number is not None:
            run.enter(results, "search_auto_over_best", number, detail, 2.0, "at most")
        if all(name in table for name in MANY_THREADS):
            means = {name: table[name]["auto"]["mean"] for name in MANY_THREADS}
            run.enter(results, "search_many_threads", max(means.values()), means, 60.0, "at most")
    run.write(out, results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
