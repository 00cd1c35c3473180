"""What the shared rules of quantities ask of a language: a value of tables and small functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Noun:
    """What is counted: "kilometre", "kilometres"; `gender` is m, f or n where numbers heed it."""

    one: str
    many: str
    gender: str = "m"


@dataclass(frozen=True, slots=True)
class Money:
    """A currency; `hundredth` is "" where its cents are not said by name ("three euros fifty")."""

    unit: Noun
    hundredth: Noun | None = None


@dataclass(frozen=True, slots=True)
class Locale:
    """How a language writes and says numbers."""

    code: str  # as num2words knows it
    group: str  # a pattern: what stands between thousands
    point: str  # a pattern: what stands before decimals
    point_word: str
    whole_decimals: bool  # "virgule quatorze", not "point one four"
    count: Callable[[int, str], str]  # a number alone (""), or before a noun of a gender
    gender: Callable[[str], str]  # of a word that follows a number; "" where it is no noun
    minus: str
    plus: str
    to: str  # between the ends of a range
    dot: str  # in versions and addresses
    at: str
    units: Mapping[str, Noun]
    money: Mapping[str, Money]
    magnitudes: Mapping[str, Noun]  # "bn", "Mio.", and the full words, which stand before money
    short: Mapping[str, Noun]  # single letters, only right behind money's number: "$5m"
    of_money: str  # between "millones" and "dólares"
    cents: str  # of "{unit}" and "{cents}"
    version_dot: str  # between the parts of a version
    products: str  # words before a version: "Python 3.13"
    fraction: Callable[[int, int], str]  # "" where it is none
    score: Callable[[int, int], str]
    with_part: str = "{whole} {part}"  # "two and a half"
    exchange: str = (
        "Nasdaq NASDAQ NYSE LSE ASX TSX TSE KRX KOSPI XETRA Xetra FRA EPA BME HKEX SIX AMEX"
    )
    letters: Mapping[str, str] = field(default_factory=dict)  # names, where they are not "F.B.I"
