"""The files of a brief's sound: as loud as they should be, whole or not at all.

Each pass reads the sentences from disk, one at a time. The first passes find the gain: they measure
the loudness, then the loudness after limiting. The next pass writes the MP3, which is decoded and
measured, because encoding moves peaks, and written again if it misses the targets. The last pass
writes Opus.
"""

from __future__ import annotations

import errno
import hashlib
import logging
import math
import os
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from newsloom.briefs.sound import RATE
from newsloom.briefs.sound.loudness import Meter, decibels, envelope, limited
from newsloom.briefs.sound.mp3 import FRAME_BYTES, Mp3
from newsloom.briefs.sound.tags import About, comments, id3
from newsloom.kernel import files
from newsloom.kernel.errors import DiskFull, NewsloomError, UserError, VoiceError

if TYPE_CHECKING:
    from newsloom.briefs.sound.sentences import Samples

log = logging.getLogger(__name__)

LOUDNESS = -16.0  # LUFS, integrated: what podcasts have
PEAK = -1.0  # dBTP
TOLERANCE = 0.3  # LU
_ROUNDS = 4
_ENCODING = 0.25  # LU that speech loses when it is encoded as MP3; measured with eSpeak
# Of what is added, the limiter takes some away again.
_LIMITED = 1.6
_LARGEST_GAIN = 35.0  # dB: what is quieter is noise
_BLOCK = 2 * RATE
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
# Of Opus in libsndfile, where 0 is the highest rate: some 57 kbit/s. At 48 and below libopus models
# speech in another way, which takes it 2.3 times as long. 48,000 is its own rate of samples.
_OPUS_COMPRESSION, _OPUS_RATE = 0.8, 48_000

Pieces = Callable[[], Iterator["NDArray[np.int16]"]]  # all of the sound from the beginning


@dataclass(frozen=True, slots=True)
class Turned:
    """By how much sound is turned up, in dB, and below what it is kept, in dBTP."""

    gain: float
    ceiling: float = -2.0  # encoding adds some 0.5 dB

    def apply(self, piece: NDArray[np.int16]) -> Samples:
        """-1 to 1."""
        import numpy as np

        whole = piece.astype(np.float32) * np.float32(10 ** (self.gain / 20) / 32768)
        return limited(whole, 10 ** (self.ceiling / 20))


@dataclass(frozen=True, slots=True)
class Level:
    """How loud a file is when it is played: LUFS and dBTP."""

    loudness: float
    peak: float

    @property
    def as_wanted(self) -> bool:
        return abs(self.loudness - LOUDNESS) <= TOLERANCE and self.peak <= PEAK

    def better(self, turned: Turned) -> Turned:
        """What to try next."""
        over = max(self.peak - PEAK, 0.0)
        return replace(
            turned,
            gain=turned.gain + _LIMITED * (LOUDNESS - self.loudness),
            ceiling=turned.ceiling - (over + 0.2 if over else 0.0),
        )


def mp3(
    path: Path, pieces: Pieces, about: About, going: Callable[[], None]
) -> tuple[Turned, Level]:
    """Puts it there. `going` is called between passes, and may raise.

    Raises VoiceError where there is nothing to hear, NewsloomError when it cannot be written.
    """
    turned = _turned(pieces, going)
    part = _part(path)
    try:
        for _ in range(_ROUNDS):
            going()
            _encode(part, pieces, about, turned)
            level = measured(part)
            if level.as_wanted:
                break
            log.debug("a brief at %s is made again: %s", turned, level)
            turned = level.better(turned)
        part.replace(path)
    except OSError as error:
        raise _unwritable(path, error) from error
    finally:
        part.unlink(missing_ok=True)
    return turned, level


def opus(path: Path, pieces: Pieces, about: About, turned: Turned) -> bool:
    """Puts it there, if libsndfile can; it is no trouble to be without."""
    import soundfile

    from newsloom.briefs.sound.sentences import resampled

    if "OPUS" not in soundfile.available_subtypes("OGG"):
        return False
    part = _part(path)
    try:
        with open(part, "wb", opener=files.private):
            pass  # libsndfile would make it for everybody
        with soundfile.SoundFile(
            part, "w", _OPUS_RATE, 1, "OPUS", format="OGG", compression_level=_OPUS_COMPRESSION
        ) as out:
            for name, said in comments(about):
                setattr(out, name, said)
            for piece in pieces():
                out.write(resampled(turned.apply(piece), RATE, _OPUS_RATE))
        with part.open("rb") as written:
            os.fsync(written.fileno())
        part.replace(path)
    except (OSError, RuntimeError) as error:
        log.warning("a brief has no Opus: %s", error)
        return False
    finally:
        part.unlink(missing_ok=True)
    return True


def measured(path: Path) -> Level:
    """Of a file as it is played. Raises OSError when it cannot be read."""
    import soundfile

    class Onward(soundfile.SoundFile):  # type: ignore[misc] # it has no types
        """Read from beginning to end. soundfile seeks after each read of what can be sought, and
        mpg123 complains on standard error of each frame that it then meets in the middle."""

        def seekable(self) -> bool:
            return False

    meter, most = Meter(), 0.0
    try:
        with Onward(path) as sound:
            while len(piece := sound.read(_BLOCK, dtype="float32")):
                meter.add(piece)
                most = max(most, float(envelope(piece).max(initial=0.0)))
    except RuntimeError as error:
        raise OSError(str(error)) from error
    return Level(meter.integrated(), decibels(most))


def _turned(pieces: Pieces, going: Callable[[], None]) -> Turned:
    """The gain and limit with which the pieces reach LOUDNESS before they are encoded."""
    found = _loudness(pieces, Turned(0.0, math.inf))
    if found < LOUDNESS - _LARGEST_GAIN:
        raise VoiceError("The voice produced no audio.")
    turned = Turned(LOUDNESS - found)
    for _ in range(_ROUNDS - 1):
        going()
        level = Level(_loudness(pieces, turned) - _ENCODING, PEAK)
        if abs(level.loudness - LOUDNESS) <= TOLERANCE / 2:
            break
        turned = level.better(turned)
    return turned


def _loudness(pieces: Pieces, turned: Turned) -> float:
    meter = Meter()
    for piece in pieces():
        meter.add(turned.apply(piece))
    return meter.integrated()


def _encode(part: Path, pieces: Pieces, about: About, turned: Turned) -> None:
    import numpy as np

    encoder = Mp3()
    before = id3(about)
    with open(part, "wb", opener=files.private) as out:
        out.write(before + bytes(FRAME_BYTES))
        out.writelines(
            encoder.add(np.rint(turned.apply(piece) * 32767).astype(np.int16)) for piece in pieces()
        )
        out.write(encoder.finish())
        out.seek(len(before))
        out.write(encoder.info())
        out.flush()
        os.fsync(out.fileno())


def _unwritable(path: Path, error: BaseException) -> NewsloomError:
    """In words for the log; readers learn no path."""
    full = isinstance(error, OSError) and error.errno in _FULL
    why = error.strerror if isinstance(error, OSError) else None
    return (DiskFull if full else NewsloomError)(f"{path} cannot be written: {why or error}.")


def _part(path: Path) -> Path:
    return path.with_name(f".{path.name}.{os.getpid()}.part")


# Sentences as sound, kept by what is said and by which voice: made once, also after a kill.

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
        try:
            files.write(path, samples.astype("<i2").tobytes())
        except UserError as error:
            raise _unwritable(path, error.__cause__ or error) from error

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
