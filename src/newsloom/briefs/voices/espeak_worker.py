"""The task "espeak": a sentence as sound, by eSpeak NG. Only its own workers import this.

Asked with the voice, its speed and its pitch, the sentence as the body; answers with samples. The
library is C and is given text from the network: in a process of its own, a crash or a hang of it
costs one sentence. It opens the dictionary of a language when a sentence first needs it, also of a
second one within a sentence, so this worker may read files; it can write none.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

from newsloom.kernel.errors import ParseError

__all__ = ["FILES", "answer", "get_ready"]

FILES = 32
RATE = 22_050  # the library's own; it has no other
# Ten minutes: no sentence of a person is as long, and a looping one is ended by it.
MOST_BYTES = 2 * RATE * 600

# From speak_lib.h.
_RETRIEVAL, _DONT_EXIT = 1, 0x8000
_CHARACTERS, _UTF8 = 1, 1
_RATE, _PITCH = 1, 3
_Callback = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.c_void_p
)


class Library:
    """eSpeak NG, initialised once in a process."""

    def __init__(self) -> None:
        import espeakng_loader

        self._library = ctypes.CDLL(espeakng_loader.get_library_path())
        data = str(espeakng_loader.get_data_path()).encode()
        rate = self._library.espeak_Initialize(_RETRIEVAL, 0, data, _DONT_EXIT)
        if rate != RATE:
            raise OSError("eSpeak NG cannot find its data.")
        self._sound = bytearray()
        self._heard = _Callback(self._take)  # kept: the library holds no reference
        self._library.espeak_SetSynthCallback(self._heard)

    def speak(self, text: bytes, voice: str, rate: int, pitch: int) -> bytes:
        """Samples of 16 bits, in the machine's order."""
        if self._library.espeak_SetVoiceByName(voice.encode()) != 0:
            raise ParseError(f"eSpeak has no voice {voice}.")
        self._library.espeak_SetParameter(_RATE, rate, 0)
        self._library.espeak_SetParameter(_PITCH, pitch, 0)
        self._sound.clear()
        size = ctypes.c_size_t(len(text) + 1)
        said = self._library.espeak_Synth(text, size, 0, _CHARACTERS, 0, _UTF8, None, None)
        if said != 0 or self._library.espeak_Synchronize() != 0:
            raise ParseError("eSpeak failed.")
        return bytes(self._sound)

    def _take(self, samples: Any, count: int, _events: int) -> int:
        """Gives what is not 0 to make the library stop."""
        if samples and count > 0:
            self._sound += ctypes.string_at(samples, 2 * count)
        return int(len(self._sound) > MOST_BYTES)


@cache
def _library() -> Library:
    return Library()


def get_ready() -> None:
    """Load the library and its common data."""
    _library().speak(b"Ready.", "en", 170, 50)


def answer(asked: Any, body: bytes) -> bytes:
    """Raises ParseError, in words, where there is no such voice."""
    voice, rate, pitch = asked
    return _library().speak(body, voice, rate, pitch)
