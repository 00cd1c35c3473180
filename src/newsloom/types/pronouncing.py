"""How a reader wants words to be spoken."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pronunciation:
    """A word or name, and what is said in its place."""

    written: str
    spoken: str
    language: str = ""  # ISO 639-1; "": any
