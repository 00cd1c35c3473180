"""A folder on a file system of a few bytes, for commands that meet a full disk. Needs no rights."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

_MOUNT = 'mount -t tmpfs -o size=4k tmpfs "$0" && echo mounted && read _'


@dataclass(frozen=True)
class SmallDisk:
    """Where only commands that are run here find it."""

    process: int  # whose mounts they see
    folder: Path

    @property
    def files(self) -> Path:
        """The folder as anybody sees it."""
        return Path(f"/proc/{self.process}/root{self.folder}")

    @property
    def used(self) -> int:
        """Bytes, of whole blocks."""
        found = os.statvfs(self.files)
        return (found.f_blocks - found.f_bfree) * found.f_frsize

    def resize(self, size: int) -> None:
        """From now on it has so many bytes."""
        self._run(["mount", "-o", f"remount,size={size}", str(self.folder)], None)

    def newsloom(
        self, *words: str, environment: Mapping[str, str]
    ) -> subprocess.CompletedProcess[str]:
        """What a command came to."""
        return self._run([sys.executable, "-m", "newsloom", *words], environment)

    def _run(
        self, command: list[str], environment: Mapping[str, str] | None
    ) -> subprocess.CompletedProcess[str]:
        inside = ["nsenter", "-t", str(self.process), "-U", "-m", "--preserve-credentials"]
        line = [*inside, *command]
        return subprocess.run(line, env=environment, capture_output=True, text=True, check=False)


@contextmanager
def small_disk(folder: Path) -> Iterator[SmallDisk]:
    """In place of a folder; skips the test where such a thing cannot be had."""
    folder.mkdir(parents=True, exist_ok=True)
    line = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", _MOUNT, str(folder)]
    try:
        process = subprocess.Popen(
            line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
    except FileNotFoundError:
        pytest.skip("needs unshare and nsenter of util-linux")
    with process:
        if process.stdout is None or process.stdout.readline() != "mounted\n":
            said = process.stderr.read().strip() if process.stderr else ""
            pytest.skip(f"no small file system can be mounted here: {said}")
        try:
            yield SmallDisk(process.pid, folder)
        finally:
            process.terminate()
