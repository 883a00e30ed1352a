#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What each pruning contributes, as in Table 2 of paper 001: tests explored until the crash is reproduced, with all
prunings, with none, and with each alone (PS-Exception is always on, as in the paper), all without Ravel's order of tests,
which the paper does not have. Long; run by hand:

    RAVEL=build/bin/ravel tests/e2e/reproduce/prunings.py [--time 60s] [SUBJECT...]
"""

import sys
import tempfile

from subjects import PAPER, reproduce

RULES = ["PS-Stack", "PS-Redundant", "PS-Interfere", "PS-Interleave"]


def explored(subject, kept, time):
    """As text; "> N" when the time was up."""
    options = ["--repeat", "1", "--time", time, "--without", "order"]
    for rule in RULES:
        if rule not in kept:
            options += ["--without", rule]
    with tempfile.TemporaryDirectory() as directory:
        _, text, answer = reproduce(subject, directory, *options)
    if not answer:
        return text.strip().splitlines()[0]
    return f"{'' if answer['reproduced'] else '> '}{answer['tests_explored']}"


def main():
    words = sys.argv[1:]
    time = "60s"
    if words[:1] == ["--time"]:
        time = words[1]
        words = words[2:]
    print("| subject | all | none | " + " | ".join(RULES) + " |")
    print("|---|" + "---|" * (2 + len(RULES)))
    for subject in words or PAPER:
        cells = [explored(subject, kept, time) for kept in [RULES, [], *([rule] for rule in RULES)]]
        print(f"| {subject} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
