"""Signs that are no words: said, or made a pause, or left out. The end of every language's rules."""

from __future__ import annotations

import re
from collections.abc import Mapping

# Brackets and dashes are pauses; a quotation is heard without its marks.
_PAUSES = re.compile(
    r"\s?[()\[\]{}]+\s?|\s[-–—]+(?=\s|$)|\s?[—–]+\s?|\s?[|•·→←↔⇒▪]+\s?|(?<=\w)\.{2,}(?=\s)|…"
)
_MUTE = re.compile(
    r"[\"*_\\^`©®™¶†‡#°~<>=§@¿¡²³$€£¥%&+′″⟨⟩↩∪∩±]|(?<!\w)'|'(?!\w)|(?<=\s)[-/]+(?=\s|$)|^[-/]+"
)
_SLASH = re.compile(r"/+")
_STOPS = re.compile(r"\s?[,;:]?\s?([.!?])(?:\s?[.!?,;:])*")
_COMMAS = re.compile(r"\s?[,;:](?:\s?[,;:])+")
_BEFORE = re.compile(r"\s+(?=[,;:.!?](?:\s|$))")
_SPACES = re.compile(r" {2,}")
_EDGES = re.compile(r"^[\s,;:.!?]+|[\s,;:]+$")
_STOP_IN_WORD = re.compile(r"(?<=\w)([.])(?=\w)")


def tidied(text: str, signs: Mapping[str, str]) -> str:
    """The text with its signs said by a language's words, single spaces and marks."""
    for sign, word in signs.items():
        if sign in text:
            text = text.replace(sign, f" {word} ")
    if text.isalpha():
        return text
    text = _PAUSES.sub(", ", text)
    text = _MUTE.sub(" ", text)
    text = _SLASH.sub(" ", text)
    text = _SPACES.sub(" ", text)
    text = _STOP_IN_WORD.sub("\0", text)
    text = _STOPS.sub(r"\1 ", text).replace("\0", ".")
    text = _COMMAS.sub(",", text)
    return _EDGES.sub("", _SPACES.sub(" ", _BEFORE.sub("", text)))
