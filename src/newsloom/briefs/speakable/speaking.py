"""The steps from a written text to what is said, in order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from importlib import import_module

from newsloom.briefs.speakable import addresses, letters, own_words, scripts
from newsloom.briefs.speakable.cleaning import cleaned, folded
from newsloom.briefs.speakable.language import Language
from newsloom.briefs.speakable.numbers import in_words, known, one_by_one, value
from newsloom.briefs.speakable.rules import apply
from newsloom.briefs.speakable.tidying import tidied
from newsloom.briefs.values.pronouncing import Pronunciation
from newsloom.kernel.text.language import language as language_of

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
    words = cleaned(own_words.HELD.sub("", text))
    folds = tuple(
        Pronunciation(folded(one.written), one.spoken, language_of(one.language)) for one in own
    )
    words = own_words.held(words, code, folds)
    words = _by_rules(words, code, language) if code in LANGUAGES else _other(words, code)
    said = own_words.put_back(words, folds)
    return (_begun(said) if text.lstrip()[0].isupper() else said) or NOTHING


def _begun(said: str) -> str:
    """With the capital its text began with."""
    return said[:1].upper() + said[1:]


@lru_cache(maxsize=8)
def _rules(code: str) -> Language:
    found: Language = import_module(f"newsloom.briefs.speakable.{_MODULES[code]}").LANGUAGE
    return found


_MODULES = {"de": "german", "en": "english", "es": "spanish", "fr": "french", "ko": "korean"}


def _by_rules(words: str, code: str, tag: str) -> str:
    mine = _rules(code)
    words = addresses.said(words, mine.locale.dot, mine.locale.at).replace("_", " ")
    words = letters.quiet(words, mine.capitals)
    words = apply(mine.british if mine.british and _british(tag) else mine.rules, words)
    words = scripts.in_latin(words, korean=code == "ko")
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
    return "".join(_said(one, code) if _numeric(one) else one for one in words)


def _numeric(one: str) -> bool:
    return value(one) is not None


def _said(one: str, code: str) -> str:
    return f" {in_words(value(one) or 0, code)} "


def _other(words: str, code: str) -> str:
    """A language without rules: its numbers, where num2words knows them; cleaned, all else as it is."""
    words = addresses.said(words, ".", "@")
    if known(code):
        words = _NUMBER.sub(lambda found: _number(found[0], code), words)
    return tidied(words, {})


def _number(digits: str, code: str) -> str:
    if len(digits) > 1 and digits[0] == "0":
        return one_by_one(digits, code)
    return in_words(int(digits), code) or digits
