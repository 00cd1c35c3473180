"""Sentences as sound, kept by what is said and by which voice: made once, also after a kill."""

from __future__ import annotations

import hashlib
import logging
import os
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from newsloom.kernel import files
from newsloom.kernel.errors import NewsloomError

log = logging.getLogger(__name__)

# Changes when the same speech would be kept otherwise, as with another rate.
FORM = "1"
_SUFFIX = ".pcm"  # 16 bits, little-endian, mono, of sound.RATE, without silence around
# After a day a brief is done, or has been given up.
UNUSED_SECONDS = 86_400.0


@dataclass(frozen=True, slots=True)
class SpokenSentences:
    """A folder of them. Each is there whole or not at all."""

    folder: Path

    def key(self, spoken: str, voice_id: str) -> str:
        said = f"{FORM}\0{voice_id}\0{spoken}".encode("utf-8", "replace")
        return hashlib.sha256(said).hexdigest()[:40]

    def length(self, key: str) -> int:
        """In samples; 0: it is not there."""
        try:
            path = self._path(key)
            size = path.stat().st_size // 2
            os.utime(path)  # it is used: see remove_unused
        except OSError:
            return 0
        return size

    def read(self, key: str) -> NDArray[np.int16]:
        """Raises NewsloomError when it is gone."""
        try:
            return np.fromfile(self._path(key), "<i2")
        except OSError as error:
            raise NewsloomError(f"A sentence of a brief is gone: {error.strerror}.") from error

    def put(self, key: str, samples: NDArray[np.int16]) -> None:
        """Raises NewsloomError in words when it cannot be written."""
        path = self._path(key)
        make_folder(path.parent)
        files.write(path, samples.astype("<i2").tobytes())

    def remove_unused(self) -> int:
        """Those that no brief has used for a day: how many."""
        return remove_older(self.folder, "*", UNUSED_SECONDS)

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}{_SUFFIX}"


def make_folder(folder: Path) -> None:
    """Raises NewsloomError in words."""
    try:
        files.private_folder(folder)
    except OSError as error:
        raise NewsloomError(f"{folder} cannot be made: {error.strerror or error}.") from error


def remove_older(folder: Path, pattern: str, seconds: float) -> int:
    """Files by the time of their last use, which the disk's own clock tells: how many went."""
    removed = 0
    before = time.time() - seconds  # noqa: TID251 - compared with the times of files, which are its
    for path in folder.glob(pattern) if folder.is_dir() else ():
        with suppress(OSError):
            if path.is_file() and path.stat().st_mtime < before:
                path.unlink()
                removed += 1
    return removed
