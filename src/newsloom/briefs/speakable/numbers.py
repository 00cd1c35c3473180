"""Numbers as words: num2words, and what it gets wrong. Raises nothing.

Mended here (num2words 0.5.14): what it refuses (Spanish from 10**27, Korean ordinals over 99) is
said digit by digit; English commas; Spanish "veintiuno mil"; "null Komma fünf" and the like are
said by each language's own rule of decimals, as is every Korean number.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

# A number with more digits is a code: nobody counts in quadrillions in the news.
MOST_DIGITS = 15


@lru_cache(maxsize=4096)
def in_words(number: int, language: str, kind: str = "cardinal") -> str:
    """By num2words; "" where it cannot."""
    # It imports all of its languages: 20 ms.
    from num2words import num2words

    try:
        said = num2words(number, lang=language, to=kind)
    except Exception:  # noqa: BLE001 - whatever it trips over, the caller has another way to say it
        return ""
    said = " ".join(str(said).replace(",", "").split())
    # Some of its languages leave a number they do not know as it is.
    return "" if any(one.isdigit() for one in said) else said


@lru_cache(maxsize=8)
def known(language: str) -> bool:
    """Whether num2words says numbers of this language."""
    return bool(language) and in_words(1, language) != ""


def value(character: str) -> int | None:
    """Of a digit of any script: 3 of "٣" and "³"; None for other characters."""
    found = unicodedata.digit(character, None)
    return None if found is None else int(found)


def one_by_one(digits: str, language: str) -> str:
    """ "one two three": codes, long numbers, what stands behind a point."""
    return " ".join(in_words(int(one), language) or one for one in digits if one.isdecimal())


# The value of each letter of a Roman numeral.
_ROMAN = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}


def roman(numeral: str) -> int:
    """14 of "XIV"."""
    values = [_ROMAN[one] for one in numeral]
    following = [*values[1:], 0]
    return sum(-a if a < b else a for a, b in zip(values, following, strict=True))
