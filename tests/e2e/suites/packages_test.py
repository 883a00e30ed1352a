#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Several test processes that need one package at once, as ctest -j starts them: one fetches it, all get it.

  packages_test.py WORK_FOLDER"""

import base64
import hashlib
import multiprocessing
import os
import pathlib
import shutil
import sys
import tarfile
import tempfile
import unittest

from packages import Package, Unavailable

PROCESSES = 6
FILES = 300
# Instead of npm: slow, and the archive grows while others could look at it.
NPM = """#!/bin/sh
echo once >> "$FAKE_NPM_CALLS"
head -c 1000 "$FAKE_NPM_ARCHIVE" > thing-1.0.0.tgz
sleep 0.3
cat "$FAKE_NPM_ARCHIVE" > thing-1.0.0.tgz
"""


def ask(package, directory, start, answers):
    start.wait()
    try:
        answers.put(len(list(package.unpacked(directory).iterdir())))
    except Exception as problem:  # whatever it is: the parent says which
        answers.put(repr(problem))


class PackagesTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=WORK))
        self.addCleanup(shutil.rmtree, self.folder)
        sources = self.folder / "package"
        sources.mkdir()
        for number in range(FILES):
            (sources / f"{number}.cc").write_text(f"int variable_{number};\n")
        archive = self.folder / "published.tgz"
        with tarfile.open(archive, "w:gz") as writer:
            writer.add(sources, "package")
        digest = base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode()
        self.package = Package("thing", "1.0.0", f"sha512-{digest}")
        self.packages = self.folder / "packages"
        tools = self.folder / "tools"
        tools.mkdir()
        (tools / "npm").write_text(NPM)
        (tools / "npm").chmod(0o755)
        self.calls = self.folder / "calls"
        os.environ.update(PATH=f"{tools}:{SEARCH_PATH}", FAKE_NPM_CALLS=str(self.calls), FAKE_NPM_ARCHIVE=str(archive))

    def test_processes_that_ask_at_once_all_get_the_package(self):
        start, answers = multiprocessing.Event(), multiprocessing.Queue()
        processes = [multiprocessing.Process(target=ask, args=(self.package, self.packages, start, answers))
                     for _ in range(PROCESSES)]
        for process in processes:
            process.start()
        start.set()
        self.assertEqual([answers.get(timeout=60) for _ in processes], [FILES] * PROCESSES)
        for process in processes:
            process.join()
        self.assertEqual(self.calls.read_text(), "once\n")

    def test_a_package_that_is_not_what_was_pinned_is_refused(self):
        self.package.integrity = "sha512-" + base64.b64encode(bytes(64)).decode()
        with self.assertRaisesRegex(Unavailable, "thing@1.0.0 is not what was pinned"):
            self.package.unpacked(self.packages)
        self.assertFalse((self.packages / "thing-1.0.0").exists())


if __name__ == "__main__":
    WORK = pathlib.Path(sys.argv.pop(1))
    WORK.mkdir(parents=True, exist_ok=True)
    SEARCH_PATH = os.environ["PATH"]
    unittest.main()
