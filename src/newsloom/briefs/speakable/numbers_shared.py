"""Rules that German, Spanish and French have alike, made from a language's tables."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from newsloom.briefs.speakable import letters
from newsloom.briefs.speakable.letters import Capitals
from newsloom.briefs.speakable.locale import Locale
from newsloom.briefs.speakable.rules import Rule, any_of, of_digits, rule


def tickers(locale: Locale) -> tuple[Rule, ...]:
    """ "NASDAQ: AAPL" and "$TSLA"."""
    names = locale.exchange.replace(" ", "|")
    return (
        rule("ticker", rf"\b({names}): ?([A-Z]{{1,6}})\b", lambda f: f"{f[1].capitalize()}, {'.'.join(f[2])}"),
        rule("cashtag", r"(?<!\w)\$([A-Z]{1,5})(?![\w$])", lambda f: ".".join(f[1])),
    )  # fmt: skip


def dates(date: Callable[[int, int, str], str]) -> tuple[Rule, ...]:
    """Dates of digits, the day first; `date` is given day, month and year or ""."""

    def iso(found: re.Match[str]) -> str:
        return _valid(found, int(found[3]), int(found[2]), found[1], date)

    def numeric(found: re.Match[str]) -> str:
        year = found[4] if len(found[4]) == 4 else f"20{found[4]}"
        return _valid(found, int(found[1]), int(found[3]), year, date)

    return (
        of_digits("ISO date", r"(?<![\w-])(\d{4})-(\d{2})-(\d{2})(?:T[\d:]{4,8}Z?)?(?![\w-])", iso),
        of_digits(
            "date", r"(?<![\w/.-])(\d{1,2})([/.])(\d{1,2})\2(\d{4}|\d\d)(?![\w/]|\.\d)", numeric
        ),
    )


def _valid(
    found: re.Match[str], day: int, month: int, year: str, date: Callable[[int, int, str], str]
) -> str:
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return found[0]
    return date(day, month, year)


def abbreviations(table: Mapping[str, str], name: str = "abbreviation", ahead: str = "") -> Rule:
    """Says abbreviations that `ahead` follows in full; a full stop that ends the text stays."""

    def say(found: re.Match[str]) -> str:
        ends = found[0].endswith(".") and found.end() == len(found.string.rstrip("\"')"))
        return table[found[0]] + ("." if ends else "")

    return rule(name, rf"(?<![\w.]){any_of(table)}(?!\w){ahead}", say)


def mixed(locale: Locale, capitals: Capitals) -> tuple[Rule, ...]:
    """Letters and digits in one word: "G7", "5G", "Covid-19", "A320neo"."""

    def say(found: re.Match[str]) -> str:
        return " ".join(part(one) for one in re.findall(r"[^\W\d_]+|\d+", found[0]))

    def part(one: str) -> str:
        if one.isdecimal():
            return (
                locale.count(int(one), "")
                if len(one) < 5 and (one == "0" or one[0] != "0")
                else " ".join(locale.count(int(c), "") for c in one)
            )
        return letters.said(one, capitals) if one.isupper() and len(one) > 1 else one

    return (
        of_digits("letters and digits", r"(?<![\w.,])(?=[A-Za-z0-9-]{0,24}[A-Za-z])(?:[A-Za-z]{1,14}-?\d{1,6}|\d{1,5}[A-Za-z]{1,5})(?:[A-Za-z]{1,6})?(?:-?\d{1,4})?(?!\w)", say),
    )  # fmt: skip


def day_and_month(
    months: dict[str, str], joined: str, day: Callable[[int], str], year: Callable[[int], str]
) -> Rule:
    """ "3 de mayo de 2026", "1er mai 2026"; `joined` stands between the parts."""
    of = rf"(?: {joined.strip()})?" if joined.strip() else ""

    def say(found: re.Match[str]) -> str:
        said = f"{day(int(found[1]))}{joined}{months[found[2].lower()]}"
        return said + (f"{joined}{year(int(found[3]))}" if found[3] else "")

    return of_digits(
        "day and month",
        rf"(?<![\w.,])(\d{{1,2}})(?:er|\.?º|\.)?{of} ({any_of(months)})(?!\w)\.?(?:(?:{of}|,) (\d{{4}})(?!\d))?",
        say,
        flags=re.IGNORECASE,
    )
