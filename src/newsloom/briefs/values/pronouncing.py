"""Values about how words are said aloud."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pronunciation:
    """How a reader wants some words said."""

    written: str  # whole words, as they stand in the news; capitals do not matter
    spoken: str  # what is given to the voice instead, as it is
    language: str = ""  # of the texts it is for, "en"; "": any
