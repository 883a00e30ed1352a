# SPDX-License-Identifier: Apache-2.0
"""The ten subjects, after Table 1 of paper 001, the others, and one run of `ravel reproduce` on each. Used by reproduce_test.py
and prunings.py."""

import json
import os
import pathlib
import subprocess

DEADLOCKS = pathlib.Path(__file__).resolve().parent / "deadlocks"
THREE_THREADS = pathlib.Path(__file__).resolve().parent / "three_threads"
HANDLES = pathlib.Path(__file__).resolve().parent / "handles"  # C libraries
PUBLISHED = pathlib.Path(__file__).resolve().parent / "published"  # defects of published libraries, rebuilt
SUBJECTS = pathlib.Path(__file__).resolve().parent / "subjects"
RAVEL = pathlib.Path(os.environ.get("RAVEL", "build/bin/ravel")).resolve()

# Of the paper's Table 2: seconds, tests explored and calls, in the mean of five runs.
PAPER = {
    "per_user_pool": (63, 2, 4),
    "shared_pool": (42, 2, 4),
    "int_range": (13, 1, 4),
    "buffered_input": (15, 2, 5),
    "logger": (70, 3, 5),
    "pushback_reader": (7, 1, 4),
    "number_axis": (30, 1, 3),
    "xy_series": (107, 8, 6),
    "category": (25, 1, 5),
    "file_appender": (92, 5, 10),
}

# The stack of the appender's crash begins in the class of its writer, so the class has to be named.
OPTIONS = {
    "file_appender": ["--class", "FileAppender"],
    "kv_store": ["--handle", "kv_store"],
    "uplink": ["--handle", "uplink_t"],
    "connection_pool": ["--class", "ConnectionPool"],
    "lru_cache": ["--class", "lru11::Cache<std::string, std::string>"],
}


def reproduce(subject, directory, *options, folder=None):
    """Exit code, what was printed, and the JSON summary."""
    folder = folder or SUBJECTS / subject
    sources = [file for file in (folder / f"{subject}.cpp", folder / f"{subject}.c") if file.exists()]
    summary = pathlib.Path(directory) / "summary.json"
    words = [RAVEL, "reproduce", "--no-color", "--stack", folder / "crash.txt", "--header", folder / f"{subject}.h",
             *(word for source in sources for word in ("--source", source)), "--out", "out", "--json", summary,
             *OPTIONS.get(subject, []), *options, "--", "-std=c++20"]
    done = subprocess.run(list(map(str, words)), cwd=directory, capture_output=True, text=True, timeout=600)
    answer = json.loads(summary.read_text()) if summary.exists() else {}
    return done.returncode, done.stdout + done.stderr, answer
