"""What speaks, and what translates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Speech:
    """One sentence as sound: mono samples, -32768 to 32767, shape (n,), and how many a second."""

    samples: NDArray[np.int16]
    rate: int


RATES = (8_000, 96_000)  # samples a second: what may come, at least and at most


class Voice(Protocol):
    """Sentences to sound, in one language."""

    @property
    def voice_id(self) -> str:
        """Changes whenever the sound of any sentence could; sentences are cached under it."""

    @property
    def language(self) -> str:
        """ISO 639-1."""

    @property
    def words_per_minute(self) -> float:
        """Of ordinary news, measured with this voice; 0: not known."""

    @property
    def at_once(self) -> int:
        """How many threads may call `speak` at once; with 1, the caller's alone."""

    def speak(self, text: str) -> Speech:
        """The sound of a sentence made speakable. Raises VoiceError: absent, away, or refusing."""

    def close(self) -> None:
        """End what it holds, such as a process, and try no more of what is under way."""


class Translator(Protocol):
    """Sentences in one language to sentences in another."""

    @property
    def translator_id(self) -> str: ...

    def languages(self) -> frozenset[tuple[str, str]] | None:
        """From and to; None: any pair may be asked for."""

    def translate(self, sentences: Sequence[str], source: str, target: str) -> list[str]:
        """One for each, in order. Raises TranslationError."""
