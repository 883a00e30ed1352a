#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Finds a planted bug, and compares what `ravel explain` says about it with tests/golden/explain-KIND.txt. Apart from
the golden file, the operations marked (1) and (2) must be the planted pair: so an approved file cannot hide a wrong
cause. The other reports of the same finding must fit together (report_formats.py). With RAVEL_APPROVE=1 (./dev approve)
the file is rewritten."""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

import report_formats

ROOT = pathlib.Path(__file__).resolve().parents[3]
PROGRAMS = ROOT / "tests" / "programs"

# The program, and the two operations whose order decides: words of the source line of each, in any order.
PLANTED = {
    "abort": ("buggy/abort/closed_twice.cpp", {"if (open_now", "open_now"}),
    "assertion": ("buggy/assertion/lost_update.cpp", {"hits"}),
    "data-race": ("buggy/data-race/wrong_mutex.cpp", {"balance"}),
    "deadlock": ("buggy/deadlock/lock_order_two.cpp", {"first(from.mutex)"}),
    "double-free": ("buggy/double-free/two_owners.cpp", {"unique_ptr", "work.store"}),
    "livelock": ("buggy/livelock/both_insist.cpp", {"wants[self].store", "wants[1 - self].load"}),
    "lock-misuse": ("buggy/lock-misuse/unlock_foreign.cpp", {"busy"}),
    "lost-wakeup": ("buggy/lost-wakeup/flag_without_lock.cpp", {"changed.wait", "changed.notify_all"}),
    "signal": ("buggy/signal/null_on_shutdown.cpp", {"current.load", "current.store"}),
    "uncaught-exception": ("buggy/uncaught-exception/throw_in_thread.cpp", {"settings.at"}),
    "use-after-free": ("buggy/use-after-free/early_drop.cpp", {"references.fetch_sub"}),
}


# Executions of a loop without end are as long as they are allowed to be.
EXTRA = {"livelock": ["--max-steps", 100000]}


def run(words, codes, cwd):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=250, cwd=cwd,
                          stdin=subprocess.DEVNULL)
    if done.returncode not in codes:
        sys.exit(f"{' '.join(map(str, words))}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def cause_lines(story, source):
    """Source lines of the innermost frames of (1) and (2)."""
    lines = source.read_text().splitlines()
    found = []
    for block in re.findall(r"^  \([12]\) T\d+: .*\n    #0 .*?:(\d+)$", story, re.MULTILINE):
        found.append(lines[int(block) - 1].strip())
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ravel", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("kind", choices=sorted(PLANTED))
    options = parser.parse_args()
    options.ravel = options.ravel.resolve()
    options.work = options.work.resolve()
    name, planted = PLANTED[options.kind]
    source = PROGRAMS / name
    shutil.rmtree(options.work, ignore_errors=True)
    options.work.mkdir(parents=True)
    program = options.work / "program"
    os.environ["RAVEL_CXX"] = "g++"
    # From the programs' folder, so that paths are short and the same on every machine.
    run([options.ravel, "c++", "-std=c++20", "-g", "-pthread", name, "-o", program], (0,), PROGRAMS)
    # What is found follows from the seed; shrinking it here, with time enough, does not depend on the clock.
    run([options.ravel, "run", "--no-shrink", "--strategy", "random", "--jobs", 1, "--expect", options.kind, "--out",
         options.work, *EXTRA.get(options.kind, []), "--", program], (0,), PROGRAMS)
    schedules = sorted(options.work.glob(f"*-{options.kind}.ravel"))
    if not schedules:
        sys.exit(f"no schedule of a {options.kind} was saved")
    reports = {name: options.work / f"report.{name}" for name in ("json", "html", "sarif", "junit", "perfetto")}
    wanted = [word for name, path in reports.items() for word in (f"--{name}", path)]
    story = run([options.ravel, "explain", schedules[0], "--no-color", "--time", "60s", *wanted], (1,), PROGRAMS)
    report_formats.check_json(reports["json"], options.kind)
    report_formats.check_html(reports["html"])
    report_formats.check_sarif(reports["sarif"], options.kind)
    report_formats.check_junit(reports["junit"], options.kind)
    report_formats.check_perfetto(reports["perfetto"])

    lines = story.splitlines()
    if len(lines) > 60:
        sys.exit(f"{len(lines)} lines are more than 60\n{story}")
    for line in lines:
        if len(line) > 100:
            sys.exit(f"more than 100 columns: {line}\n{story}")
    causes = cause_lines(story, source)
    # A cause that another task had not reached yet has only one place.
    if not causes or (len(causes) != 2 and options.kind != "uncaught-exception"):
        sys.exit(f"no cause with two places\n{story}")
    for words in planted:
        if not any(words in line for line in causes):
            sys.exit(f"the cause is on {causes}, none of which has '{words}'\n{story}")
    for line in causes:
        if not any(words in line for words in planted):
            sys.exit(f"the cause is on '{line}', which has none of {planted}\n{story}")

    golden = ROOT / "tests" / "golden" / f"explain-{options.kind}.txt"
    if os.environ.get("RAVEL_APPROVE") == "1":
        golden.write_text(story)
        return
    if not golden.exists():
        sys.exit(f"{golden} is missing; ./dev approve writes it\n{story}")
    if golden.read_text() != story:
        sys.exit(f"differs from {golden}; if the change is meant, ./dev approve\n{story}")


main()
