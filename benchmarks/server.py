#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a real server, as Debian ships it, under `ravel noise`, driven over loopback by its own benchmark client.

  benchmarks/server.py --build build [--runs 50] [--requests 5000] [--port 7979]

The server is redis-server with four threads for input and output; the client is redis-benchmark, then redis-cli tells
the server to stop. Nothing is rebuilt. Prints how many runs failed, which must be none, and the requests a second of
the undisturbed server, of one under Ravel without noise, and of one with noise. Writes them into build/bench/server.json.
"""

import argparse
import json
import pathlib
import shutil
import socket
import statistics
import subprocess
import sys
import threading
import time

SERVER = ["redis-server", "--save", "", "--io-threads", "4", "--io-threads-do-reads", "yes", "--loglevel", "warning"]


class Client:
    """Drives one server after the other, each until it has been told to stop."""

    def __init__(self, port, requests):
        self.port = port
        self.requests = requests
        self.rates = []
        self.stopped = threading.Event()
        self.thread = threading.Thread(target=self.work)

    def answers(self):
        with socket.socket() as probe:
            probe.settimeout(0.2)
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def work(self):
        while not self.stopped.is_set():
            if not self.answers():
                time.sleep(0.02)
                continue
            done = subprocess.run(["redis-benchmark", "-p", str(self.port), "-n", str(self.requests), "-c", "20", "-t",
                                   "set,get,incr", "--csv"], capture_output=True, text=True, timeout=120)
            rates = [float(line.split(",")[1].strip('"')) for line in done.stdout.splitlines()[1:] if "," in line]
            if rates:
                self.rates.append(statistics.fmean(rates))
            subprocess.run(["redis-cli", "-p", str(self.port), "shutdown", "nosave"], capture_output=True, timeout=60)
            while self.answers() and not self.stopped.is_set():
                time.sleep(0.01)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.stopped.set()
        self.thread.join()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build"))
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--requests", type=int, default=5000)
    parser.add_argument("--port", type=int, default=7979)
    options = parser.parse_args()
    ravel = options.build / "bin/ravel"
    if not ravel.exists():
        parser.error(f"{ravel} is not built")
    for tool in ("redis-server", "redis-benchmark", "redis-cli"):
        if shutil.which(tool) is None:
            parser.error(f"{tool} is not installed (Debian: redis-server, redis-tools)")

    server = [shutil.which("redis-server"), *SERVER[1:], "--port", str(options.port)]
    out = options.build / "bench"
    out.mkdir(parents=True, exist_ok=True)
    control = max(3, options.runs // 10)
    results = {}

    def measure(label, runs, command):
        with Client(options.port, options.requests) as client:
            codes = [subprocess.run(one, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL).returncode
                     for one in command]
        results[label] = {"runs": runs, "requests_per_second": round(statistics.median(client.rates)),
                          "driven": len(client.rates), "codes": sorted(set(codes))}
        print(f"{label:<24}{runs:>5} runs {results[label]['requests_per_second']:>9} requests a second", flush=True)

    def noise(runs, *words):
        summary = out / "server-noise.json"
        return [str(word) for word in (ravel, "noise", "--quiet", "--runs", runs, "--timeout", "120s", "--out",
                                       out / "findings", "--json", summary, *words, "--", *server)]

    measure("native", control, [server] * control)
    measure("ravel, no noise", control, [noise(control, "--noise", "sleep:0", "--no-record")])
    measure("ravel, noise", options.runs, [noise(options.runs)])
    summary = json.loads((out / "server-noise.json").read_text())
    results["failures"] = summary["failures"]
    (out / "server.json").write_text(json.dumps(results, indent=2) + "\n")
    print(f"{summary['failures']} of {summary['runs']} runs with noise failed")
    return 0 if summary["failures"] == 0 and summary["runs"] == options.runs else 1


if __name__ == "__main__":
    sys.exit(main())
