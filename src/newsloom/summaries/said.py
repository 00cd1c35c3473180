"""What a sentence says, in a form that can be compared: words, numbers and names."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from newsloom.kernel.text.language import language
from newsloom.kernel.text.stop_words import function_words, stop_words

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_WRITTEN = re.compile(r"[^\W\d_]+(?:[-'’.][^\W\d_]+)*")
# In scripts without blanks two characters stand for a word, as in duplicates/words.py.
_WIDE = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+"
)
_NUMBER = re.compile(r"(?<![A-Za-zÀ-ÿ0-9.])\d+(?:[.,'’\u00a0\u202f ]\d{3})*(?:[.,]\d+)?(?!\d)")
_THOUSANDS = re.compile(r"[.,'’\u00a0\u202f ](?=\d{3}(?!\d))")
_SCALE = re.compile(
    r"\s?(thousand|tausend|k|million(?:s|en)?|millones|m|mio|billion|bn|b|milliard(?:s|en)?|mrd"
    r"|trillion|tn)\b\.?",
    re.IGNORECASE,
)
_SCALES = {"t": 1e3, "k": 1e3, "m": 1e6, "b": 1e9, "mrd": 1e9, "milliard": 1e9, "trillion": 1e12}
_NAMES_OF_NUMBERS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    " sixteen seventeen eighteen nineteen"
)
_IN_WORDS = {
    word: number
    for number, word in enumerate(_NAMES_OF_NUMBERS.split())
    if number > 1  # "one" is a pronoun
} | {
    "twenty": 20,
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
    "sixty": 60,
    "seventy": 70,
    "eighty": 80,
    "ninety": 90,
    "hundred": 100,
    "dozen": 12,
}
_UNITS = {word: n for word, n in _IN_WORDS.items() if n < 10} | {"one": 1}
# Words of time and of telling: a new one of these is no news.
_NO_NEWS = frozenset(
    """
    monday tuesday wednesday thursday friday saturday sunday january february march april may june
    july august september october november december today yesterday tomorrow morning afternoon
    evening night day week month year hour minute say said says told tell report reported
    according officials official spokesman spokeswoman spokesperson statement announce announced
    confirm confirmed add added news agency percent per cent mr mrs ms
    """.split()  # noqa: SIM905
)
# A sentence is new by its words alone when so many, and such a share of them, were never said; with
# a number or a name that was never said, when so many were. Fitted on the cases in
# tests/digest/test_memory.py.
NEW_WORDS, NEW_SHARE = 4, 0.5
FEW_WORDS, FEW_SHARE = 2, 0.25
_SUFFIXES = (
    "ational ations ation ingly ments ment ings ies ing ers ied ion ed es er ly s e y".split()  # noqa: SIM905
)


@dataclass(frozen=True, slots=True)
class Said:
    words: frozenset[str]  # stems without stop words
    numbers: frozenset[float]
    names: frozenset[str]  # stems of what is written with a capital

    def __or__(self, other: Said) -> Said:
        return Said(
            self.words | other.words, self.numbers | other.numbers, self.names | other.names
        )

    def beyond(self, known: Said) -> int:
        """How many of its words and numbers are not known."""
        return len(self.words - known.words) + len(self.numbers - known.numbers)


NOTHING = Said(frozenset(), frozenset(), frozenset())


def is_new(says: Said, known: Said) -> bool:
    """Whether a sentence says what was not known."""
    fresh = len(says.words - known.words)
    share = fresh / max(len(says.words), 1)
    if fresh >= NEW_WORDS and share >= NEW_SHARE:
        return True
    named = (says.numbers - known.numbers) or (says.names - known.names - known.words)
    return bool(named) and fresh >= FEW_WORDS and share >= FEW_SHARE


@lru_cache(maxsize=20_000)
def said(sentence: str, tongue: str = "") -> Said:
    """Of one sentence or title. `tongue` is a language tag; none is taken as English."""
    text = unicodedata.normalize("NFKC", sentence)
    stops = stop_words(language(tongue))
    words: set[str] = set()
    names: set[str] = set()
    for found in _WORD.finditer(text):
        word = found[0].replace("’", "'").removesuffix("'s")
        small = word.casefold()
        if _WIDE.search(small):
            continue
        if small in stops or small in _NO_NEWS or small in _IN_WORDS or len(small) < 2:
            continue
        words.add(stem(small))
        if word[0].isupper() and not _begins(text, found.start()):
            names.add(stem(small))
    words |= _pairs(text)
    return Said(frozenset(words), frozenset(numbers(text)), frozenset(names))


def written(sentence: str, tongue: str = "") -> frozenset[str]:
    """Its words as they are written, "fighter-bomber" as one, without those that every sentence
    has. They tell better than stems which sentences are of the same matter."""
    text = unicodedata.normalize("NFKC", sentence).casefold().replace("’", "'")
    few = function_words(language(tongue))
    words = (word for word in _WRITTEN.findall(_WIDE.sub(" ", text)) if len(word) > 1)
    return frozenset(word for word in words if word not in few) | _pairs(text)


def _pairs(text: str) -> frozenset[str]:
    return frozenset(
        wide[at : at + 2] for wide in _WIDE.findall(text) for at in range(max(len(wide) - 1, 1))
    )


def _begins(text: str, place: int) -> bool:
    before = text[:place].rstrip(" \"'“‘«([")
    return not before or before[-1] in ".!?:;…"


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """A word without its English ending, at most eight letters: enough to compare by."""
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            word = word.removesuffix(suffix)
            break
    return word[:8]


def numbers(text: str) -> set[float]:
    """Every number, in figures or English words; "1.5 million" is 1500000, "12,000" is 12000."""
    return {value for value, _begin, _end in placed_numbers(text)}


def placed_numbers(text: str) -> list[tuple[float, int, int]]:
    """Each with where it begins and ends."""
    found = [_figure(text, match) for match in _NUMBER.finditer(text) if len(match[0]) <= 24]
    before = ""
    for match in _WORD.finditer(text):
        word = match[0].casefold()
        if word in _IN_WORDS and not (word in _UNITS and before in _IN_WORDS):
            value, end = _worded(text, word, match.end())
            found.append((value, match.start(), end))
        before = word if word in _IN_WORDS else ""
    return sorted(found, key=lambda one: one[1])


def _figure(text: str, match: re.Match[str]) -> tuple[float, int, int]:
    digits = _THOUSANDS.sub("", match[0]).replace(",", ".").rstrip(".")
    value, end = float(digits), match.end()
    if scale := _SCALE.match(text, end):
        name = scale[1].casefold()
        named = (one for one in ("mrd", "milliard", "trillion") if name.startswith(one))
        usual = 1e12 if name == "tn" else _SCALES[name[0]]
        times = next((_SCALES[one] for one in named), usual)
        value, end = value * times, scale.end()
    return value, match.start(), end


def _worded(text: str, word: str, end: int) -> tuple[float, int]:
    value = float(_IN_WORDS[word])
    following = re.compile(r"[- ]([a-z]+)", re.IGNORECASE).match(text, end)
    if following and value in range(20, 100) and following[1].casefold() in _UNITS:
        value += _UNITS[following[1].casefold()]
        end = following.end()
    if scale := re.compile(r"\s(hundred|thousand|million|billion)\b").match(text, end):
        value *= {"h": 1e2, "t": 1e3, "m": 1e6, "b": 1e9}[scale[1][0]]
        end = scale.end()
    return value, end


def length(text: str) -> int:
    """Words of a text; two characters count as one in scripts without blanks."""
    wide = sum(map(len, _WIDE.findall(text)))
    return len(_WIDE.sub(" ", text).split()) + (wide + 1) // 2
