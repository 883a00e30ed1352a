#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The table of docs/futures.md: for programs of the repository whose every schedule can be explored, how many writes the
sources tell for the shared reads, how many executions show, how many executions that took, and whether an exhaustive search
shows the same and the sources tell of all of it.

  python3 benchmarks/futures_table.py --build build
"""

import argparse
import json
import pathlib
import shutil
import subprocess
import sys

PROGRAMS = pathlib.Path(__file__).resolve().parent.parent / "tests/analysis/futures/programs"
NAMES = ["figure2", "figure2_initialised", "figure2_two_locks", "figure5", "figure5_repaired", "figure5_sleep_moved", "figure6",
         "figure6_decremented", "figure7", "figure7_two_locks", "atomics", "callables", "chains", "condition", "conditionals",
         "containers", "deferred", "elements", "exceptions", "exchanges", "fields", "futures_of_tasks", "handed_on", "handles",
         "heap_objects", "joins", "once", "own_copies", "own_section", "pointers", "pthreads", "raii_locks", "recursion",
         "references", "relaxed", "static_locals", "whole_objects"]
COLUMNS = ["program", "shared reads", "terms of the sources", "feasible", "executions", "executions for proofs",
           "same as exhaustive", "sources contain it"]


def output(*words):
    done = subprocess.run([str(w) for w in words], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(map(str, words))}\nexit code {done.returncode}\n{done.stdout[-3000:]}{done.stderr[-3000:]}")


def shown(table):
    return [(row["location"], row["object"], one["location"], one.get("in_terms")) for row in table["reads"]
            for one in row["definitions"] if one["status"] in ("seen", "forced")]


def measure(ravel, name, scratch):
    """One row, by column."""
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    source = PROGRAMS / f"{name}.cpp"
    binary = scratch / name
    static = scratch / "static.json"
    output(ravel, "c++", "-std=c++20", "-O1", "-g", "-pthread", source, "-o", binary)
    output(ravel, "analyze", "--futures", "--quiet", "--json", static, source, "--", "-std=c++20")
    tables = []
    for options in ([], ["--exhaustive", "--proof", 20000, "--terms", static]):
        out = scratch / "table.json"
        output(ravel, "futures", *options, "--time", "120s", "--quiet", "--json", out, "--out", scratch / "out", "--", binary)
        tables.append(json.loads(out.read_text()))
    found, every = (shown(table) for table in tables)
    terms = {(read["location"], read["object"], one["location"], one["initial"])
             for read in json.loads(static.read_text())["reads"] for one in read["definitions"]}
    complete = all(table["complete"] for table in tables)
    return dict(zip(COLUMNS, [name, len({one[:2] for one in found}), len(terms), len(found), tables[0]["executions"],
                              tables[0]["proof_executions"],
                              complete and {one[:3] for one in found} == {one[:3] for one in every},
                              all(one[3] for one in every)]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build"))
    build = parser.parse_args().build.resolve()

    def line(cells):
        words = ["yes" if cell is True else "no" if cell is False else str(cell) for cell in cells]
        print(f"| {' | '.join(words)} |", flush=True)

    line(COLUMNS)
    line(["---", *["---:"] * 5, "---", "---"])
    sums = dict.fromkeys(COLUMNS[1:6], 0)
    for name in NAMES:
        row = measure(build / "bin/ravel", name, build / "bench/futures" / name)
        line(row.values())
        for column in sums:
            sums[column] += row[column]
    line(["all", *sums.values(), "", ""])
    print(f"\nExecutions over feasible terms: {sums['executions'] / sums['feasible']:.3f}")


if __name__ == "__main__":
    main()
