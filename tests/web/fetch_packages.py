#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Copies web/ into the build folder and installs there what its lock file pins; nothing is fetched when it is there
already."""

import pathlib
import shutil
import subprocess
import sys


def main():
    source, target = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    target.mkdir(parents=True, exist_ok=True)
    lock = (source / "package-lock.json").read_bytes()
    stamp = target / "installed-lock.json"
    if stamp.exists() and stamp.read_bytes() == lock:
        return 0
    for name in ("package.json", "package-lock.json"):
        shutil.copy(source / name, target / name)
    if shutil.which("npm") is None:
        sys.exit("npm is not installed; ./dev check installs it")
    ran = subprocess.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel", "error"], cwd=target,
                         stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if ran.returncode != 0:
        sys.exit(f"npm could not install what web/package-lock.json names; it needs the network once\n{ran.stderr}")
    stamp.write_bytes(lock)
    return 0


sys.exit(main())
