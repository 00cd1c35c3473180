"""The steps from a written text to what is said, in order."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib import import_module

from newsloom.briefs.speakable import cleaning, letters
from newsloom.briefs.speakable.cleaning import cleaned, folded
from newsloom.briefs.speakable.language import Language
from newsloom.briefs.speakable.quantities import in_words, known, one_by_one, value
from newsloom.briefs.speakable.rules import apply
from newsloom.briefs.values import Pronunciation
from newsloom.kernel.text.language import language as language_of

# A reader's own pronunciations: found first, said as they are, rewritten by nothing.
#
# Each is held in the text by one character of a private plane, which no rule knows, and put back at
# the end.

_FIRST = 0xF0000
_MOST = 0xFFFD  # characters of the plane
HELD = re.compile("[\U000f0000-\U000ffffd]")


@lru_cache(maxsize=16)
def _pattern(written: tuple[str, ...]) -> re.Pattern[str]:
    longest = sorted(written, key=lambda one: (-len(one), one))
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest))})(?!\w)", re.IGNORECASE)


@lru_cache(maxsize=16)
def _table(
    own: tuple[Pronunciation, ...], language: str
) -> tuple[re.Pattern[str], dict[str, int]] | None:
    """What finds them, and the place of each in the list; the first of two for one word holds."""
    places: dict[str, int] = {}
    for place, one in enumerate(own[:_MOST]):
        written = " ".join(one.written.split()).casefold()
        if written and one.language in {"", language} and not HELD.search(written):
            places.setdefault(written, place)
    return (_pattern(tuple(places)), places) if places else None


def held(text: str, language: str, own: Sequence[Pronunciation]) -> str:
    """The text with a character of the private plane for each of the reader's words."""
    table = _table(tuple(own), language) if own else None
    if table is None:
        return text
    pattern, places = table
    return pattern.sub(lambda found: _character(places.get(found[0].casefold()), found[0]), text)


def _character(place: int | None, written: str) -> str:
    return written if place is None else chr(_FIRST + place)


def put_back(text: str, own: Sequence[Pronunciation]) -> str:
    """The text with the reader's pronunciations where they were held."""
    return HELD.sub(lambda found: _spoken(own, ord(found[0]) - _FIRST), text) if own else text


def _spoken(own: Sequence[Pronunciation], place: int) -> str:
    return " ".join(own[place].spoken.split()) if place < len(own) else ""


# Signs that are no words: said, or made a pause, or left out. The end of every language's rules.

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


# Letters that a voice of a language would spell out by name ("Cyrillic em"), romanised.
#
# Measured by eSpeak NG's phonemes: a voice of a language in Latin script names each Cyrillic, Greek
# or Arabic letter, or says nothing. A voice of Korean reads Latin words as English does.

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


def _romanised(found: re.Match[str]) -> str:
    from anyascii import anyascii

    # It begins each syllable of Chinese and Korean with a capital: "SeoUl".
    written = anyascii(found[0])
    return written.capitalize() if written[:1].isupper() else written


# The languages with rules of their own, each a module with `LANGUAGE`.
LANGUAGES = ("de", "en", "es", "fr", "ko")
# Said where nothing of a text can be: a pause, for a voice must be given something.
NOTHING = "."
_NUMBER = re.compile(r"(?<![\w.,])\d{1,15}(?![\w]|[.,]\d)")


def spoken(text: str, language: str, own: Sequence[Pronunciation] = ()) -> str:
    """The words to say; see `newsloom.briefs.speakable.speakable`."""
    if not text.strip():
        return ""
    code = language_of(language)
    # The planes that hold a reader's words are nobody's characters.
    words = cleaned(HELD.sub("", text))
    folds = tuple(
        Pronunciation(folded(one.written), one.spoken, language_of(one.language)) for one in own
    )
    words = held(words, code, folds)
    words = _by_rules(words, code, language) if code in LANGUAGES else _other(words, code)
    said = put_back(words, folds)
    if text.lstrip()[0].isupper():
        said = said[:1].upper() + said[1:]
    return said or NOTHING


@lru_cache(maxsize=8)
def _rules(code: str) -> Language:
    found: Language = import_module(f"newsloom.briefs.speakable.{_MODULES[code]}").LANGUAGE
    return found


_MODULES = {"de": "german", "en": "english", "es": "spanish", "fr": "french", "ko": "korean"}


def _by_rules(words: str, code: str, tag: str) -> str:
    mine = _rules(code)
    words = cleaning.said(words, mine.locale.dot, mine.locale.at).replace("_", " ")
    words = letters.quiet(words, mine.capitals)
    words = apply(mine.british if mine.british and _british(tag) else mine.rules, words)
    if not words.isascii():
        # Other scripts in Latin letters; in Korean, Hangul and hanja stay.
        words = (_NOT_KOREAN if code == "ko" else _OTHERS).sub(_romanised, words)
    return tidied(_no_digit(words, code), mine.signs)


def _british(tag: str) -> bool:
    """Whether days come before months."""
    return tag.upper().replace("_", "-").partition("-")[2][:2] in {
        "GB",
        "IE",
        "AU",
        "NZ",
        "IN",
        "ZA",
    }


def _no_digit(words: str, code: str) -> str:
    """Digits of other scripts, and whatever the rules left."""
    if words.isascii() and not any("0" <= one <= "9" for one in words):
        return words
    return "".join(
        one if value(one) is None else f" {in_words(value(one) or 0, code)} " for one in words
    )


def _other(words: str, code: str) -> str:
    """A language without rules: its numbers, where num2words knows them; cleaned, all else as it is."""
    words = cleaning.said(words, ".", "@")
    if known(code):
        words = _NUMBER.sub(lambda found: _number(found[0], code), words)
    return tidied(words, {})


def _number(digits: str, code: str) -> str:
    if len(digits) > 1 and digits[0] == "0":
        return one_by_one(digits, code)
    return in_words(int(digits), code) or digits
