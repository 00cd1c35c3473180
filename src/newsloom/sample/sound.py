"""The sound of the sample's podcast: one soft note of a second for each episode. Pure."""

from __future__ import annotations

import io
import math
import wave
import zlib
from functools import lru_cache

SOUND_TYPE = "audio/wav"
_RATE = 8_000  # samples a second, one byte each
_HEADER_BYTES = 44
SOUND_BYTES = _HEADER_BYTES + _RATE

# Five notes that sound well after each other: A minor pentatonic from 220 Hz.
_NOTES = (220.0, 261.63, 293.66, 329.63, 392.0)


@lru_cache(maxsize=16)
def sound(name: str) -> bytes:
    """The note of an episode, as a WAV file of SOUND_BYTES bytes."""
    pitch = _NOTES[zlib.crc32(name.encode()) % len(_NOTES)]
    samples = bytes(
        128 + round(90 * math.exp(-3 * step / _RATE) * math.sin(math.tau * pitch * step / _RATE))
        for step in range(_RATE)
    )
    file = io.BytesIO()
    with wave.open(file, "wb") as writer:
        writer.setnchannels(1)
        writer.setsampwidth(1)
        writer.setframerate(_RATE)
        writer.writeframes(samples)
    return file.getvalue()
