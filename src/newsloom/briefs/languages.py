"""In which language a text is written, as far as its letters and commonest words say. Pure.

Feeds name none, or a wrong one: a text is spoken by the voice of its language.
"""

from __future__ import annotations

import re
from collections import Counter

from newsloom.kernel.text.language import language
from newsloom.kernel.text.stop_words import listed_languages, stop_words

# Letters that one language alone writes, or nearly.
_LETTERS = (
    ("ko", re.compile("[\uac00-\ud7af]")),
    ("ja", re.compile("[\u3040-\u30ff]")),
    ("zh", re.compile("[\u4e00-\u9fff]")),
    ("ar", re.compile("[\u0600-\u06ff]")),
    ("he", re.compile("[\u0590-\u05ff]")),
    ("el", re.compile("[\u0370-\u03ff]")),
    ("hi", re.compile("[\u0900-\u097f]")),
    ("th", re.compile("[\u0e00-\u0e7f]")),
)
_CYRILLIC, _LATIN = re.compile("[\u0400-\u04ff]"), re.compile("[A-Za-zÀ-ɏ]")
_WORD = re.compile(r"[^\W\d_]+")
LOOKED_AT = 2_000  # characters
LETTERS = 0.2  # of the letters
# Of all words so many are among the commonest of the language, and so many more than of another.
COMMON, LEAD = 0.15, 1.3
LEAST_WORDS = 12


def language_of(text: str, tag: str = "") -> str:
    """ISO 639-1; what the tag names where the text does not tell, "" where neither does."""
    head = text[:LOOKED_AT]
    letters = sum(map(str.isalpha, head))
    for name, signs in _LETTERS:
        if letters and len(signs.findall(head)) > LETTERS * letters:
            return language(tag) if name in ("ar", "zh") and language(tag) else name
    words = [one.casefold() for one in _WORD.findall(head)]
    named = language(tag)
    if len(words) < LEAST_WORDS or (named and named not in listed_languages()):
        return named
    found = Counter(
        {one: sum(word in stop_words(one) for word in words) for one in listed_languages()}
    )
    (first, most), (_second, next_most) = found.most_common(2)
    if most >= COMMON * len(words) and most >= LEAD * next_most:
        return first
    return named


def written_with(text: str, tongue: str) -> bool:
    """Whether a text has letters that its language is written with."""
    wide = dict(_LETTERS)
    if tongue in wide:
        return wide[tongue].search(text) is not None
    if tongue in ("ru", "uk", "bg", "sr", "be", "mk"):
        return _CYRILLIC.search(text) is not None
    return _LATIN.search(text) is not None
