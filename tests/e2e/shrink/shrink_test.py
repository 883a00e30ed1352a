#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Finds the bug of planted.cpp among hundreds of switches, shrinks its schedule, and compares the result with what was
planted: exactly so many preemptions, within five seconds of processor time, a cause on the planted counter, the same
finding on replay. Also what `ravel run` saves by itself must be no longer than what it found."""

import argparse
import json
import pathlib
import resource
import shutil
import subprocess
import sys
import time

LIMIT = 5.0  # seconds for one shrinking
SWITCHES = 100  # at least this many in what is shrunk
NOISE = 30


def fail(text):
    print(text)
    sys.exit(1)


def ravel(options, *words, codes=(1,)):
    done = subprocess.run([str(options.ravel), *map(str, words)], capture_output=True, text=True, timeout=200)
    if done.returncode not in codes:
        fail(f"ravel {' '.join(map(str, words))}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def switches(schedule):
    """Runs of tasks in a schedule, counted in its steps as replay prints them."""
    tasks = [line.split()[1] for line in schedule.splitlines() if line.split() and line.split()[0].isdigit()]
    return sum(1 for a, b in zip(tasks, tasks[1:]) if a != b)


def check_cause(cause, source):
    """The pair in the JSON: two tasks, both on the planted counter, both with a stack that ends on its lines."""
    if cause is None or cause["first"]["task"] == cause["second"]["task"] or not cause["passes_otherwise"]:
        fail(f"no cause by two tasks: {json.dumps(cause)}")
    lines = source.read_text().splitlines()
    for part in (cause["first"], cause["second"]):
        frame = part["frames"][0]
        at = lines[frame["line"] - 1] if pathlib.Path(frame["file"]).name == source.name else ""
        if "counter" not in part["object"] or "counter" not in at:
            fail(f"the cause is not on the planted counter: {json.dumps(part)}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ravel", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--preemptions", type=int, required=True)
    parser.add_argument("source", type=pathlib.Path)
    options = parser.parse_args()
    shutil.rmtree(options.work, ignore_errors=True)
    options.work.mkdir(parents=True)
    program = options.work / "planted"
    ravel(options, "c++", "-std=c++17", "-g", "-pthread", options.source, "-o", program, codes=(0,))

    # Noise: search until the failing execution has many switches. How often tasks are switched follows from the seed.
    schedule = None
    for seed in range(1, 200):
        out = options.work / f"found-{seed}"
        ravel(options, "run", "--no-shrink", "--strategy", "random", "--seed", seed, "--jobs", 1, "--out", out,
              "--expect", "assertion", "--", program, options.preemptions, NOISE, codes=(0, 1))
        found = out / "1-assertion.ravel"
        if found.exists() and switches(ravel(options, "replay", found, "--trace")) >= SWITCHES:
            schedule = found
            break
    if schedule is None:
        fail(f"no failing execution with {SWITCHES} switches")

    short = options.work / "short.ravel"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    told = ravel(options, "shrink", schedule, "--out", short)
    wall = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"{told}{wall:.2f} s, {used:.2f} s of processor time")
    if f"became {options.preemptions}," not in told:
        fail(f"expected {options.preemptions} preemptions")
    # Wall-clock time if nothing else runs, processor time if the machine is busy.
    if min(wall, used) > LIMIT:
        fail(f"took more than {LIMIT} s")

    report = ravel(options, "replay", short)
    if f"{options.preemptions} preemption" not in report:
        fail(f"the schedule that was written has another number of preemptions\n{report}")
    story = ravel(options, "explain", short, "--no-color")
    for mark in ("(1)", "(2)"):
        line = next((line for line in story.splitlines() if line.strip().startswith(mark) and ": " in line), "")
        if "counter" not in line:
            fail(f"the cause {mark} is not on the planted counter\n{story}")

    # A campaign does the same by itself, within a smaller budget that counts the clock: on a busy machine it shrinks
    # less, but never to nothing that matters.
    summary = options.work / "run.json"
    ravel(options, "run", "--strategy", "random", "--jobs", 1, "--out", options.work / "run", "--json", summary,
          "--expect", "assertion", "--", program, options.preemptions, NOISE, codes=(0,))
    finding = json.loads(summary.read_text())["findings"][0]
    few = range(options.preemptions, SWITCHES // 2)
    if not finding["replayed"] or finding["preemptions"] not in few:
        fail(f"ravel run saved {finding['preemptions']} preemptions, replayed: {finding['replayed']}")
    check_cause(finding["cause"], options.source)


main()
