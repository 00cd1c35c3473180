"""The terms of an article: its title and its first 200 words, as stems.

What Snowball knows is stemmed in its language; other words are taken as they are printed. Of
Japanese and Chinese words, pairs of letters are terms;
docs/work/decisions/parsing.md has what was measured.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from newsloom.kernel.text.language import language as code
from newsloom.kernel.text.segments import segmented
from newsloom.kernel.text.stop_words import stop_words

# Words of the text that speak; seed 001. A title says it twice.
WORDS = 200
TITLE_WEIGHT = 2

# Characters that are looked at, and letters that a term may have.
_TEXT_LIMIT, _TITLE_LIMIT = 6_000, 500
LONGEST = 40

# Snowball's names for the languages that feeds say they are in.
STEMMED: Mapping[str, str] = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german",
    "el": "greek", "en": "english", "eo": "esperanto", "es": "spanish", "et": "estonian",
    "eu": "basque", "fa": "persian", "fi": "finnish", "fr": "french", "ga": "irish",
    "hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian", "it": "italian",
    "lt": "lithuanian", "nb": "norwegian", "ne": "nepali", "nl": "dutch", "nn": "norwegian",
    "no": "norwegian", "pl": "polish", "pt": "portuguese", "ro": "romanian", "ru": "russian",
    "sr": "serbian", "st": "sesotho", "sv": "swedish", "ta": "tamil", "tr": "turkish",
    "yi": "yiddish",
}  # fmt: skip

# Chinese, Japanese, Thai, Lao, Khmer and Burmese stand without spaces.
_UNSPACED = (
    "\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
)
_TOKEN = re.compile(rf"[{_UNSPACED}]+|[^\W_{_UNSPACED}]+(?:['’][^\W_]+)*")
_IS_UNSPACED = re.compile(rf"[{_UNSPACED}]")
_THAI = re.compile("[\u0e00-\u0e7f]")
# Addresses, mail addresses and handles, and what a publisher's software puts in brackets
# ("[brightcove id=5]"), are no words: they tie whatever one publisher wrote.
_NO_WORDS = re.compile(
    r"\b(?:https?://|www\.)\S+|\S+@\S+\.\w+|(?<!\w)@\w+|\[/?[a-z][\w-]{2,}(?:\s[^\]]*=[^\]]*)?\]",
    re.IGNORECASE,
)
# "l'élection", "dell'Italia"
_ELIDING = frozenset(("ca", "fr", "it"))
_ELISION = re.compile(r"^[^\W\d]{1,5}['’](?=\w\w)")
_POSSESSIVE = re.compile(r"['’](?:s|re|ve|ll|d|m|t)$")


def terms(title: str, text: str, language: str = "") -> Counter[str]:
    """How often each term is in an article; words of the title count twice.

    `language` is a tag such as "en-GB"; "" is taken for English.
    """
    found: Counter[str] = Counter()
    for term, _word in _terms(title[:_TITLE_LIMIT], language):
        found[term] += TITLE_WEIGHT
    for place, (term, _word) in enumerate(_terms(text[:_TEXT_LIMIT], language)):
        if place >= WORDS:
            break
        found[term] += 1
    return found


def printed(text: str, language: str = "") -> Iterator[tuple[str, str]]:
    """Each term of a text with the word that it was printed as."""
    return _terms(text[:_TEXT_LIMIT], language)


def first_words(text: str, language: str = "") -> dict[str, str]:
    """For each term of a text the first word that it was printed as."""
    found: dict[str, str] = {}
    for term, word in printed(text, language):
        found.setdefault(term, word)
    return found


def _terms(text: str, language: str) -> Iterator[tuple[str, str]]:
    tongue = code(language)
    stem, stops = _stem_of(tongue or "en"), stop_words(tongue)
    shown = _NO_WORDS.sub(" ", unicodedata.normalize("NFKC", text))
    for match in _TOKEN.finditer(shown):
        word = match[0]
        if _IS_UNSPACED.match(word):
            yield from _unspaced(word, tongue, stops)
            continue
        if tongue in _ELIDING:
            word = _ELISION.sub("", word)
        lower = _POSSESSIVE.sub("", word.lower())
        if len(lower) < 2 or len(lower) > LONGEST or lower in stops or lower.isdigit():
            continue
        stemmed = stem(lower)
        if stemmed not in stops:
            yield stemmed, word


def _unspaced(run: str, tongue: str, stops: frozenset[str]) -> Iterator[tuple[str, str]]:
    found = segmented(run, tongue)
    for word in (run,) if found is None else found:
        if word not in stops and (found is None or len(word) <= LONGEST):
            for term in (word,) if found and _THAI.match(word) else _pairs(word):
                if term not in stops:
                    yield term, word[:LONGEST]


def _pairs(word: str) -> list[str]:
    return [word[place : place + 2] for place in range(max(len(word) - 1, 1))]


_thread = threading.local()


def _stem_of(language: str) -> Callable[[str], str]:
    """A stemmer may not be used by two threads."""
    known: dict[str, Callable[[str], str]] = _thread.__dict__.setdefault("known", {})
    if language not in known:
        known[language] = _stemmer(language)
    return known[language]


def _stemmer(language: str) -> Callable[[str], str]:
    name = STEMMED.get(language)
    if name is None:
        return lambda word: word
    import Stemmer  # a tenth of a second that few commands need

    stemmer: Any = Stemmer.Stemmer(name)

    def stem(word: str) -> str:
        return str(stemmer.stemWord(word))

    return lru_cache(maxsize=20_000)(stem)
