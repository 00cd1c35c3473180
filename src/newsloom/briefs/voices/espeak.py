"""eSpeak NG: the voice that is always there, in a process of its own
(briefs/voices/espeak_worker.py).

What it speaks has no control characters: the library takes some of them for commands.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from newsloom.briefs.ports import Speech
from newsloom.kernel.errors import SettingsError, VoiceError
from newsloom.kernel.settings import ReadingSettings
from newsloom.kernel.text.characters import plain
from newsloom.kernel.workers import child
from newsloom.kernel.workers.process import Process
from newsloom.kernel.workers.wire import Broken

MODULE = "newsloom.briefs.voices.espeak_worker"
RATE_OF_SAMPLES = 22_050
# eSpeak's own measure of speed, and its pitch (0 to 99). 175 and 50 are its defaults: news in them
# sounds hurried.
SPEED, PITCH = 165, 45
# What may be asked of its process: a sentence of 1,000 letters takes some 0.1 s and 40 MB.
_LIMITS = ReadingSettings(workers=1, seconds=10.0, megabytes=256)
MOST_CHARACTERS = 5_000

# The voice of a language where that is not the language's own name.
NAMES: Mapping[str, str] = {"zh": "cmn", "no": "nb", "pt": "pt-BR"}
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,30}(\+[A-Za-z0-9]{1,30})?")

# Words a minute of ordinary news, pauses included (characters a minute where a language has no
# spaces; see briefs/planning.py). `python scripts/measure_voices.py` makes this table.
PACE: Mapping[str, float] = {
    "en": 172,
    "de": 150,
    "fr": 178,
    "es": 146,
    "it": 150,
    "pt": 136,
    "nl": 141,
    "pl": 107,
    "ru": 139,
    "ko": 93,
    "ja": 105,
    "zh": 209,
}


@cache
def version() -> str:
    """Of the wheel that has the library, for the id."""
    from importlib import metadata

    return metadata.version("espeakng-loader")


@dataclass(slots=True)
class EspeakVoice:
    """A Voice. One process for as long as it lives; a sentence that ends the process is told, and
    the next one starts another."""

    language: str
    name: str = ""  # of eSpeak's, with a variant: "en-us+f3"; "": the language's usual one
    _process: Process | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        """Raises SettingsError for what cannot be a name."""
        self.name = self.name or NAMES.get(self.language, self.language)
        if not _NAME.fullmatch(self.name):
            raise SettingsError(f"{self.name!r} is not an eSpeak voice such as en-us+f3.")

    @property
    def voice_id(self) -> str:
        return f"espeak:{self.name}/{version()}/{SPEED}/{PITCH}"

    @property
    def at_once(self) -> int:
        return 1

    @property
    def words_per_minute(self) -> float:
        return PACE.get(self.language, 0.0)

    def speak(self, text: str) -> Speech:
        """Raises VoiceError when its process dies of the sentence, or has no such voice."""
        clean = " ".join(plain(text).split())[:MOST_CHARACTERS]
        with self._lock:
            samples = np.frombuffer(self._asked(clean.encode("utf-8", "replace")), np.int16)
        if not samples.any():
            raise VoiceError(f"eSpeak cannot speak {clean[:60]!r}.")
        return Speech(samples, RATE_OF_SAMPLES)

    def _asked(self, text: bytes) -> bytes:
        mine = self._process
        try:
            if mine is None:
                mine = self._process = Process(MODULE, _LIMITS)
            kind, said = mine.ask([self.name, SPEED, PITCH], text)
        except (Broken, OSError, ValueError) as error:
            words = f"eSpeak cannot be started: {error}." if mine is None else mine.death(error)
            self._end()
            raise VoiceError(words.replace("Reading it", "Speaking it")) from error
        if mine.ended:
            self._end()
        if kind != child.DONE:
            raise VoiceError(plain(said.decode("utf-8", "replace"))[:300] or "eSpeak failed.")
        return said[: len(said) // 2 * 2]

    def close(self) -> None:
        """End its process."""
        with self._lock:
            self._end()

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.end()
            self._process = None
