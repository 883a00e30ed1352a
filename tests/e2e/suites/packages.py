# SPDX-License-Identifier: Apache-2.0
"""Packages of the npm registry, fetched into the build folder: pinned by version and by the digest npm publishes."""

import base64
import fcntl
import hashlib
import shutil
import subprocess
import tarfile


class Unavailable(Exception):
    """A package could not be had; the text says why and what to do."""


class Package:
    def __init__(self, name, version, integrity):
        self.name, self.version, self.integrity = name, version, integrity

    def __str__(self):
        return f"{self.name}@{self.version}"

    def unpacked(self, directory):
        """The folder with the package's files below `directory`; fetched unless it is there already. Several processes
        may ask at once: suites share packages."""
        directory.mkdir(parents=True, exist_ok=True)
        with open(directory / f"{self.name}-{self.version}.lock", "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            folder = directory / f"{self.name}-{self.version}"
            if not folder.exists():
                self.unpack(directory, folder)
            return folder

    def unpack(self, directory, folder):
        fresh = directory / f"{folder.name}.fresh"
        shutil.rmtree(fresh, ignore_errors=True)
        with tarfile.open(self.fetched(directory)) as archive:
            archive.extractall(fresh, filter="data") if hasattr(tarfile, "data_filter") else archive.extractall(fresh)
        (fresh / "package").rename(folder)

    def fetched(self, directory):
        archive = directory / f"{self.name}-{self.version}.tgz"
        if not archive.exists():
            self.fetch(directory)
        algorithm, _, expected = self.integrity.partition("-")
        digest = base64.b64encode(hashlib.new(algorithm, archive.read_bytes()).digest()).decode()
        if digest != expected:
            archive.unlink()
            raise Unavailable(f"{self} is not what was pinned: its {algorithm} is {digest}, not {expected}")
        return archive

    def fetch(self, directory):
        if shutil.which("npm") is None:
            raise Unavailable(f"this test takes {self} from the npm registry, and npm is not installed: "
                              "./dev check installs it")
        ran = subprocess.run(["npm", "pack", "--loglevel", "error", "--fetch-retries", "1",
                              "--fetch-retry-mintimeout", "1000", "--fetch-timeout", "60000",
                              str(self)], cwd=directory, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if ran.returncode != 0:
            why = (ran.stderr or "no reason given").strip().splitlines()[0]
            raise Unavailable(f"this test takes {self} from the npm registry, and npm could not fetch it ({why}). "
                              f"It needs the network once; then the package stays in {directory}")
