"""Letters that a voice of a language would spell out by name ("Cyrillic em"), romanised.

Measured by eSpeak NG's phonemes: a voice of a language in Latin script names each Cyrillic, Greek
or Arabic letter, or says nothing. A voice of Korean reads Latin words as English does.
"""

from __future__ import annotations

import re

# Runs of letters of other scripts than Latin; with spaces between none, so a word at a time. Signs
# above letters (combining marks) belong to them.
_OTHERS = re.compile(
    "[\u0370-\u1dff\u1f00-\u1fff\u2c00-\u2dff\u2e80-\ud7ff\uf900-\ufaff\ufb1d-\ufdff\ufe70-\ufefc"
    "\U00010000-\U0001efff\U00020000-\U0003ffff]+"
)
# The same without Hangul and Chinese characters, which Korean news is written in.
_NOT_KOREAN = re.compile(
    "[\u0370-\u10ff\u1200-\u1dff\u1f00-\u1fff\u2c00-\u2dff\u3040-\u30ff\ufb1d-\ufdff\ufe70-\ufefc"
    "\U00010000-\U0001efff]+"
)


def in_latin(text: str, *, korean: bool = False) -> str:
    """The text with other scripts in Latin letters; in Korean, Hangul and hanja stay."""
    if text.isascii():
        return text
    return (_NOT_KOREAN if korean else _OTHERS).sub(_romanised, text)


def _romanised(found: re.Match[str]) -> str:
    from anyascii import anyascii

    # It begins each syllable of Chinese and Korean with a capital: "SeoUl".
    written = anyascii(found[0])
    return written.capitalize() if written[:1].isupper() else written
