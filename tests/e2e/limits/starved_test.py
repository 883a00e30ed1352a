#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The time limit of an execution that does not get the processor. One that runs is nudged at half the limit and killed at
the limit. Starved by other processes, it gets the limit again instead, but not for ever: after four times the limit it is
a timeout.

The program (starved.cpp) loops until a file appears. It is starved by busy processes on the only processor it may use,
each in a session of its own, since some kernels share out the processor by session.
"""
import argparse
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

LIMIT = 2.0
ANSWERS = 10.0  # at most, until the program has said where it is stuck; each answer needs the processor as well
RIVALS = 6


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ravel", required=True)
    parser.add_argument("--program", required=True)
    options = parser.parse_args()
    failures = []
    with tempfile.TemporaryDirectory() as work:
        for carrier in ("fiber", "thread"):
            one_campaign(options, pathlib.Path(work), carrier, "starved for a while", failures)
        for name in ("running", "starved"):
            one_campaign(options, pathlib.Path(work), "fiber", name, failures)
    return 1 if failures else 0


def one_campaign(options, work, carrier, name, failures):
    here = work / f"{name} {carrier}".replace(" ", "_")
    here.mkdir()
    started, go, report_file = here / "started", here / "go", here / "report.json"
    processor = min(os.sched_getaffinity(0))
    rivals = [Rival(processor) for _ in range(0 if name == "running" else RIVALS)]
    process = subprocess.Popen(
        [options.ravel, "run", "--jobs", "1", "--executions", "1", "--no-verify", "--no-shrink", "--no-color",
         "--files", "shared", "--carrier", carrier, "--timeout", f"{LIMIT:.0f}s", "--json", report_file,
         "--out", here / "findings", "--", options.program, started, go], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        while not started.exists():
            if process.poll() is not None:
                sys.exit(f"the program did not start: {process.stdout.read()}")
            time.sleep(0.002)
        began = time.monotonic()
        target = int(started.read_text())
        if rivals:
            confine(target, {processor})
        for rival in rivals:
            rival.go_on()
        if name == "starved for a while":
            time.sleep(max(0.0, began + 2.5 * LIMIT - time.monotonic()))
            go.touch()
            stop(rivals)
            confine(target, os.sched_getaffinity(0))
        # Executions after the first one only repeat what was found.
        while pathlib.Path(f"/proc/{target}").exists() and time.monotonic() < began + 20 * LIMIT:
            time.sleep(0.01)
        took = time.monotonic() - began
        stop(rivals)
        output = process.communicate(timeout=20 * LIMIT)[0]
    finally:
        stop(rivals)
        if process.poll() is None:
            process.kill()
    report = json.loads(report_file.read_text())
    kinds = [finding["kind"] for finding in report["findings"]]
    nudged = "does not see into" in output
    print(f"{name}, {carrier}: {took / LIMIT:.2f} limits, found {kinds}{', nudged' if nudged else ''}")

    def expect(what, holds):
        if not holds:
            failures.append(what)
            print(f"FAILED {name}, {carrier}: {what}\n{output}")

    if name == "starved for a while":
        expect("it is neither timed out nor nudged, and ends", kinds == [] and not nudged)
    else:
        expect("a timeout", kinds == ["timeout"])
    if name == "starved":
        expect("after four limits", 3.9 * LIMIT < took < 4 * LIMIT + ANSWERS + 2 * LIMIT)


def confine(target, processors):
    try:
        for thread in os.listdir(f"/proc/{target}/task"):
            os.sched_setaffinity(int(thread), processors)
            os.setpriority(os.PRIO_PROCESS, int(thread), 19)
    except (FileNotFoundError, ProcessLookupError):
        pass  # it has ended; the results tell whether it should have


class Rival:
    """A busy process on one processor, which waits for its signal."""

    def __init__(self, processor):
        self.process = subprocess.Popen([sys.executable, "-c", "while True: pass"], start_new_session=True)
        os.sched_setaffinity(self.process.pid, {processor})
        nice = max(10, os.getpriority(os.PRIO_PROCESS, 0))  # other tests come first
        os.setpriority(os.PRIO_PROCESS, self.process.pid, nice)
        self.process.send_signal(signal.SIGSTOP)

    def go_on(self):
        self.process.send_signal(signal.SIGCONT)

    def stop(self):
        self.process.kill()
        self.process.wait()


def stop(rivals):
    while rivals:
        rivals.pop().stop()


if __name__ == "__main__":
    sys.exit(main())
