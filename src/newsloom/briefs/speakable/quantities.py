"""Numbers and what they count, of any language that has a `Locale`: money, units, ranges, versions.

A rule that knows less comes later: what money and units leave is a range, a version, a fraction,
and at last a plain number.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from newsloom.briefs.speakable.locale import Locale, Money, Noun
from newsloom.briefs.speakable.rules import Rule, any_of, of_digits

# Not inside another number or word: "v3", "1.2.3".
_BEFORE = r"(?<![\w.,])(?<![\d][-/:])"
_MINUS = r"(?:(?<![\w)\].,])[-–](?=\d))?"
_DASH = r"\s?[-–—]\s?"


@dataclass(frozen=True, slots=True)
class Quantities:
    """A language's numbers, said."""

    locale: Locale

    @property
    def number(self) -> str:
        """A pattern for a number as the language writes it, without its sign."""
        group, point = self.locale.group, self.locale.point
        return (
            rf"(?:\d{{1,3}}(?:{group}\d{{3}}){{1,5}}(?!\d)|\d{{1,{MOST_DIGITS}}})"
            rf"(?:{point}\d{{1,9}})?(?!\d)"
        )

    def parts(self, written: str) -> tuple[bool, str, str]:
        """Whether it is negative, its whole digits, its decimals."""
        negative = written[:1] in {"-", "–"}
        bare = written.lstrip("-–+")
        found = re.fullmatch(rf"(.*?)(?:{self.locale.point}(\d{{1,9}}))?", bare)
        whole, decimals = (found[1], found[2] or "") if found else (bare, "")
        if found and decimals and re.fullmatch(rf"\d{{1,3}}(?:{self.locale.group}\d{{3}})+", bare):
            whole, decimals = bare, ""
        return negative, re.sub(r"\D", "", whole) or "0", decimals

    def say(self, written: str, gender: str = "") -> str:
        """A number as it is written, in words."""
        locale = self.locale
        negative, whole, decimals = self.parts(written)
        if len(whole) > MOST_DIGITS or (len(whole) > 1 and whole[0] == "0"):
            said = one_by_one(whole, locale.code)
        else:
            said = locale.count(int(whole), "" if decimals else gender)
        if decimals:
            said = f"{said} {locale.point_word} {self._decimals(decimals)}"
        return f"{locale.minus} {said}" if negative else said

    def _decimals(self, decimals: str) -> str:
        if not self.locale.whole_decimals or len(decimals) > 2:
            return one_by_one(decimals, self.locale.code)
        zeros = len(decimals) - len(decimals.lstrip("0"))
        zero = [self.locale.count(0, "")] * min(zeros, len(decimals))
        rest = decimals.lstrip("0")
        return " ".join([*zero, self.locale.count(int(rest), "")] if rest else zero)

    def one(self, written: str) -> bool:
        """Whether it is exactly one."""
        _, whole, decimals = self.parts(written)
        return whole == "1" and not decimals

    def counted(self, written: str, noun: Noun, *, single: bool = False) -> str:
        """A number with what it counts; `single` keeps the noun so ("a ten-kilometre race")."""
        name = noun.one if single or self.one(written) else noun.many
        said = self.say(written, noun.gender)
        return said + name if name.startswith("-") else f"{said} {name}"

    def amount(self, written: str, money: Money, magnitude: Noun | None, *, single: bool) -> str:
        """A sum of money."""
        unit = money.unit.one if single else money.unit.many
        if magnitude:
            joined = self.locale.of_money
            if joined.endswith("e ") and unit[:1] in "aeiouyéè" and self.locale.code == "fr":
                joined = joined[:-2] + "'"
            return f"{self.counted(written, magnitude)} {joined}{unit}"
        _, whole, decimals = self.parts(written)
        if len(decimals) != 2 or single:
            return self.counted(written, money.unit, single=single)
        if not int(decimals):
            return self.counted(whole, money.unit)
        return self._with_cents(written[0] in "-–", whole, str(int(decimals)), money)

    def _with_cents(self, negative: bool, whole: str, cents: str, money: Money) -> str:
        noun = money.hundredth
        less = self.counted(cents, noun) if noun else self.say(cents)
        if noun and not int(whole):
            said = less
        else:
            said = self.locale.cents.format(unit=self.counted(whole, money.unit), cents=less)
        return f"{self.locale.minus} {said}" if negative else said


def rules(locale: Locale) -> tuple[Rule, ...]:
    """All that begins with a number or money, the most telling first."""
    q = Quantities(locale)
    return (*_codes(q), *_money(q), *_measured(q), *_bare(q))


def _codes(q: Quantities) -> tuple[Rule, ...]:
    """What looks like numbers and is none: telephones, addresses of machines, long codes."""

    def by_digits(found: re.Match[str]) -> str:
        groups = re.findall(r"\d{1,20}", found[0])
        plus = f"{q.locale.plus} " if found[0].startswith("+") else ""
        return plus + ", ".join(one_by_one(one, q.locale.code) for one in groups)

    def versions(found: re.Match[str]) -> str:
        parts = (q.say(one) for one in found[0].lstrip("vV").split("."))
        return f" {q.locale.version_dot} ".join(parts)

    def product(found: re.Match[str]) -> str:
        dotted = f" {q.locale.version_dot} "
        return f"{found[1]} {dotted.join(q.say(one) for one in found[2].split('.'))}"

    return (
        of_digits("too long", rf"\d{{{MOST_DIGITS + 1},}}+", by_digits),
        of_digits("telephone abroad", r"(?<!\w)\+\d{1,3}(?:[ -]?\(?\d{2,5}\)?){2,5}(?!\w)", by_digits),
        of_digits("telephone", r"(?<![\w-])(?:\(\d{3}\) ?|1?-?\d{3}-)\d{3}-\d{4}(?![\w-])", by_digits),
        of_digits("telephone of a town", r"(?<![\w-])(?:555-\d{4}|\d{3}-0\d{3})(?![\w-])", by_digits),
        of_digits("telephone in pairs", r"(?<![\w.])0\d(?:([ .])\d{2})(?:\1\d{2}){3}(?!\w)", by_digits),
        of_digits("product and version", rf"\b({q.locale.products}) v?(\d{{1,4}}\.\d{{1,4}})(?![\w%])(?!\.\d)", product),
        of_digits("version", rf"(?<![\w.,])(?!\d{{1,3}}(?:{q.locale.group}\d{{3}}){{2,4}}(?!\d))[vV]?\d{{1,4}}(?:\.\d{{1,4}}){{2,4}}(?![\w,]|\.\d)", versions),
        of_digits("v and version", r"(?<![\w.,])[vV]\d{1,4}(?:\.\d{1,4})?(?![\w,]|\.\d)", versions),
    )  # fmt: skip


def _money(q: Quantities) -> tuple[Rule, ...]:
    locale = q.locale
    named = {**locale.magnitudes, **locale.short}
    marks = any_of(locale.money)
    first = rf"(?<![\w.,])(?P<sign>[-–+]?)(?P<mark>{marks}) ?"
    short = rf"(?:[ -]?(?P<size>{any_of(named)})(?![\w]))?"

    def prefixed(found: re.Match[str]) -> str:
        money, size = locale.money[found["mark"]], found["size"]
        single = _single(found) and locale.code == "en"
        sign = "-" if found["sign"] in {"-", "–"} and found["sign"] else ""
        return q.amount(sign + found["n"], money, named.get(size or ""), single=single)

    def range_of(found: re.Match[str]) -> str:
        # The first end is said; the money goes on to the second, which the next rule says.
        size = found["size"]
        low = q.counted(found["a"], named[size]) if size and size != found["last"] else None
        return f"{low or q.say(found['a'])} {locale.to} {found['mark']}{found['n']}"

    def suffixed(found: re.Match[str]) -> str:
        money, size = locale.money[found["mark"]], found["size"]
        return q.amount(
            found["n"], money, named.get(size or ""), single=q.one(found["n"]) and not size
        )

    n = q.number
    last = rf"(?=(?:[ -]?(?P<last>{any_of(named)})(?!\w))?)"
    return (
        of_digits(
            "range of money",
            rf"(?<![\w.,])(?P<mark>{marks}) ?(?P<a>{n}){short}{_DASH}(?:{marks})?(?P<n>{n}){last}",
            range_of,
        ),
        of_digits("money before", rf"{first}(?P<n>{_MINUS}{n}){short}", prefixed),
        of_digits(
            "range before money",
            rf"{_BEFORE}(?P<a>{n}){_DASH}(?P<b>{n})(?= ?(?:{any_of(locale.magnitudes)}(?!\w) ?)?(?:{marks}))",
            lambda found: f"{q.say(found['a'])} {locale.to} {found['b']}",
        ),
        of_digits(
            "money behind",
            rf"{_BEFORE}(?P<n>{_MINUS}{n})(?: ?(?P<size>{any_of(locale.magnitudes)}))?[ -]?(?P<mark>{marks})(?![\w])",
            suffixed,
        ),
    )  # fmt: skip


def _single(found: re.Match[str]) -> bool:
    """Of English: whether a sum stands before a noun, as in "a $5 million deal"."""
    before = found.string[max(found.start() - 4, 0) : found.start()].lower()
    article = re.search(r"(?<!\w)(?:a|an) $", before) is not None
    return (
        article and re.match(r"[ -][a-z]", found.string[found.end() : found.end() + 2]) is not None
    )


def _measured(q: Quantities) -> tuple[Rule, ...]:
    locale, n = q.locale, q.number
    units = rf"(?P<unit>{any_of(locale.units)})(?![\w²³])"

    def measured(found: re.Match[str]) -> str:
        noun = locale.units[found["unit"]]
        single = found["between"] == "-" and locale.code == "en"
        return _plus(found, q) + q.counted(found["n"], noun, single=single)

    def ranged(found: re.Match[str]) -> str:
        return f"{q.say(found['a'], _gender(found['tail'], locale))} {locale.to} {found['b']}"

    tail = any_of((*locale.units, *locale.magnitudes, *locale.money))

    def both(found: re.Match[str]) -> str:
        first, second = int(found[1]), int(found[3])
        if found[2] == ":" or first >= second:
            return locale.score(first, second)
        return f"{q.say(found[1])} {locale.to} {q.say(found[3])}"

    return (
        of_digits("score", r"(?<![\w.,/:-])(\d{1,3})([-–:])(\d{1,3})(?![\w/%°]|[.,:-]\d)(?! ?[€$£])" + rf"(?! ?{tail}(?!\w))", both),
        of_digits("range", rf"{_BEFORE}(?P<a>{_MINUS}{n})(?: ?(?:%|°[CF]?))?{_DASH}(?P<b>{n})(?P<tail>)(?![-–/]\d)", ranged),
        of_digits("measured", rf"{_BEFORE}(?P<sign>\+?)(?P<n>{_MINUS}{n})(?P<between>[ -]?){units}", measured),
        of_digits("millions", rf"{_BEFORE}(?P<n>{_MINUS}{n}) ?(?P<size>{any_of(locale.magnitudes)})(?!\w)", lambda found: q.counted(found["n"], locale.magnitudes[found["size"]])),
    )  # fmt: skip


def _plus(found: re.Match[str], q: Quantities) -> str:
    return f"{q.locale.plus} " if found["sign"] else ""


def _gender(word: str, locale: Locale) -> str:
    return locale.gender(word) if word else ""


def _bare(q: Quantities) -> tuple[Rule, ...]:
    locale = q.locale

    def fraction(found: re.Match[str]) -> str:
        said = locale.fraction(int(found["a"]), int(found["b"]))
        if not found["whole"]:
            return said
        return locale.with_part.format(whole=q.say(found["whole"].strip()), part=said)

    return (
        of_digits(
            "fraction",
            r"(?<![\w.,/])(?P<whole>\d{1,4} )?(?P<a>\d{1,3})/(?P<b>\d{1,4})(?![\w/])",
            fraction,
        ),
    )


def plain(locale: Locale) -> tuple[Rule, ...]:
    """What is left: numbers that count a word or nothing, and digits among letters."""
    q = Quantities(locale)

    def number(found: re.Match[str]) -> str:
        return _plus(found, q) + q.say(found["n"], _gender(found["next"] or "", locale))

    return (
        of_digits(
            "number",
            rf"{_BEFORE}(?P<sign>\+?)(?P<n>{_MINUS}{q.number})(?:(?= (?P<next>[^\W\d_]{{1,30}})))?(?![\w])",
            number,
        ),
    )


def leftover(locale: Locale) -> tuple[Rule, ...]:
    """Digits that no other rule said, apart from the letters beside them."""
    q = Quantities(locale)

    def say(found: re.Match[str]) -> str:
        said = q.say(found[0])
        before = found.string[found.start() - 1 : found.start()]
        after = found.string[found.end() : found.end() + 1]
        return f"{' ' * before.isalpha()}{said}{' ' * after.isalpha()}"

    return (
        of_digits("decimal among others", r"(?<=\d)[.,:/](?=\d)", f" {locale.dot} "),
        of_digits("digits", r"\d{1,15}", say),
    )  # fmt: skip


# Mended here (num2words 0.5.14): what it refuses (Spanish from 10**27, Korean ordinals over 99) is
# said digit by digit; English commas; Spanish "veintiuno mil"; "null Komma fünf" and the like are
# said by each language's own rule of decimals, as is every Korean number.

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
