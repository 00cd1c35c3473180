"""Language tags: the language itself of a BCP 47 tag. Detects nothing."""

from __future__ import annotations

import re

# RFC 5646: two or three letters name a language; longer names are reserved or a mistake.
_LANGUAGE = re.compile(r"\s*([a-z]{2,3})(?:[-_][a-z0-9]{1,8})*\s*", re.IGNORECASE)

# Codes in use that were replaced, and codes that say "none in particular".
_NOW = {"iw": "he", "in": "id", "ji": "yi", "jw": "jv", "mo": "ro", "und": "", "mul": "", "zxx": ""}
_TWO_LETTERS = {
    "eng": "en", "deu": "de", "ger": "de", "fra": "fr", "fre": "fr", "spa": "es", "ita": "it",
    "por": "pt", "nld": "nl", "dut": "nl", "rus": "ru", "jpn": "ja", "zho": "zh", "chi": "zh",
    "ara": "ar", "kor": "ko", "pol": "pl", "swe": "sv", "tur": "tr", "ukr": "uk",
}  # fmt: skip


def language(tag: str) -> str:
    """ "en-US", "EN_gb" and "eng" are "en"; "" for what names no language."""
    found = _LANGUAGE.fullmatch(tag[:64])
    if found is None:
        return ""
    code = found[1].lower()
    return _NOW.get(code, _TWO_LETTERS.get(code, code))
