#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Memory on the stack of main is called by the name of the variable in every part of a report, the report says where
the tasks were created, and a replay on either carrier says the same, byte for byte. Lines are found by their text.
Memory of a call that is over is not called by that call's names."""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent

# Kind of finding, names that must be reported, what is said about them, how the lines begin that create T1 and T2.
CASES = {
    "race": ("data-race", ["`cache.size`", "bytes of cache.size"],
             [("Cache cache;", r"The memory is the local variable cache of main\(\) \(Cache\), 4 bytes at\s+offset \d+ "
               r"of \d+, declared at\s+race\.cpp:{line}\.")], ["std::thread first", "std::thread second"]),
    "deadlock": ("deadlock", ["`account.lock`", "holds account.lock", "waits for journal, held by"],
                 [("Account account;", r"account\.lock is in the local variable account of main\(\) \(Account\), "
                   r"declared at deadlock\.cpp:{line}\n"),
                  ("std::mutex journal;", r"journal is the local variable journal of main\(\) \(std::mutex\), "
                   r"declared at deadlock\.cpp:{line}\n")], ["std::thread first", "std::thread second"]),
    "gone": ("data-race", ["bytes of a local variable of T0"], [], []),
}


def run(words, codes):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=250, cwd=HERE,
                          stdin=subprocess.DEVNULL)
    if done.returncode not in codes:
        sys.exit(f"{' '.join(map(str, words))}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ravel", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--flags", default="-O0")
    parser.add_argument("--plain", action="store_true", help="build without instrumentation")
    parser.add_argument("case", choices=sorted(CASES))
    options = parser.parse_args()
    ravel = options.ravel.resolve()
    work = options.work.resolve()
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    program = work / "program"
    kind, names, variables, creators = CASES[options.case]
    lines = (HERE / f"{options.case}.cpp").read_text().splitlines()

    def line_of(text):
        return next(number for number, line in enumerate(lines, 1) if line.strip().startswith(text))

    os.environ["RAVEL_CXX"] = options.compiler
    build = [options.compiler] if options.plain else [ravel, "c++"]
    run([*build, "-std=c++17", "-g", *options.flags.split(), "-pthread", f"{options.case}.cpp", "-o", program], (0,))
    # The same report with and without an explanation before it: shrinking repeats executions in other ways.
    for shrink in ("--shrink", "--no-shrink"):
        out = work / shrink.strip("-")
        report = run([ravel, "run", shrink, "--jobs", 1, "--no-color", "--out", out, "--json", out / "report.json",
                      "--", program], (1,))
        story = names if shrink == "--shrink" else [name for name in names if "`" not in name and "lock " not in name]
        for name in story:
            if name not in report:
                sys.exit(f"'{name}' is not in the report\n{report}")
        for text, pattern in variables:
            if not re.search(pattern.format(line=line_of(text)), report):
                sys.exit(f"'{pattern}' (line {line_of(text)}) is not in the report\n{report}")
        for task, text in enumerate(creators, 1):
            place = f"T{task} was created by T0 at {options.case}.cpp:{line_of(text)}\n"
            if place not in report:
                sys.exit(f"'{place}' is not in the report\n{report}")
        wrong = ["seed"] if options.case == "gone" else ["on the stack of", "a local variable of", "mutex M1", "V1"]
        for word in wrong:
            if word in report:
                sys.exit(f"'{word}' is in the report\n{report}")
        finding = json.loads((out / "report.json").read_text())["findings"][0]
        if finding["kind"] != kind or not finding["replayed"]:
            sys.exit(f"the finding is not a replayed {kind}\n{report}")
        for created in finding["created"]:
            frames = [frame["function"] for frame in created["created_at"]]
            if options.case != "gone" and created["task"] != 0 and frames != ["main"]:
                sys.exit(f"the task was created by {frames}, not by main\n{report}")
        replays = {run([ravel, "replay", finding["schedule"], "--no-color", "--carrier", carrier], (1,))
                   for carrier in ("fiber", "thread", "fiber")}
        if len(replays) != 1:
            sys.exit("replays differ:\n" + "\n".join(replays))
        for name in names:
            if "`" not in name and "lock " not in name and name not in next(iter(replays)):
                sys.exit(f"'{name}' is not in the replay\n{next(iter(replays))}")


main()
