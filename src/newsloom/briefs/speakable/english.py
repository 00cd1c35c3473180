"""What English says how: dates, times, years, ordinals; then the tables of `english_words.py`."""

from __future__ import annotations

import re

from newsloom.briefs.speakable import english_words as words
from newsloom.briefs.speakable import letters, quantities
from newsloom.briefs.speakable.language import Language
from newsloom.briefs.speakable.locale import Locale
from newsloom.briefs.speakable.numbers_shared import abbreviations
from newsloom.briefs.speakable.quantities import in_words, roman
from newsloom.briefs.speakable.rules import Rule, any_of, of_digits, rule


def _count(number: int, _gender: str) -> str:
    return in_words(number, "en")


def _ordinal(number: int) -> str:
    return in_words(number, "en", "ordinal")


def _year(number: int) -> str:
    return in_words(number, "en", "year").replace("oh-", "oh ")


_PARTS = {2: "half", 4: "quarter"}


def _fraction(a: int, b: int) -> str:
    if (a, b) == (1, 2):
        return "a half"
    if a < b and (2 <= b <= 10 or b in {12, 16, 20, 32, 100}):
        part = _PARTS.get(b) or _ordinal(b)
        return f"{_count(a, '')} {part}{'' if a == 1 else 's'}"
    return f"{_count(a, '')} {_count(b, '')}"


def _score(a: int, b: int) -> str:
    return f"{_count(a, '')} to {_count(b, '')}"


LOCALE = Locale(
    version_dot="point", with_part="{whole} and {part}", code="en", group=",", point=r"\.", point_word="point", whole_decimals=False, count=_count,
    gender=lambda _word: "", minus="minus", plus="plus", to="to", dot="dot", at="at",
    units=words.UNITS, money=words.MONEY, magnitudes=words.MAGNITUDES, short=words.SHORT,
    of_money="", cents="{unit} and {cents}", fraction=_fraction, score=_score,
    products="Python|iOS|iPadOS|macOS|watchOS|Android|Windows|[Vv]ersion|Ubuntu|Debian|Fedora|Linux|"
    "kernel|Firefox|Chrome|Rust|Go|Node|Java|PHP|Ruby|Swift|Kotlin|PostgreSQL|Django|GNOME|Bluetooth|"
    "USB|GPT|Claude|Gemini|Llama|Opus|Sonnet",
)  # fmt: skip
_MONTH = any_of(words.MONTH_SHORT)


def _time(found: re.Match[str]) -> str:
    hour, minute = int(found["h"]), found["m"]
    half = (found["half"] or "").replace(".", "").replace(" ", "").upper()
    if not minute or int(minute) == 0:
        said = _count(hour, "") if half else _full_hour(hour)
    else:
        said = f"{_count(hour, '')} {'oh ' * (minute[0] == '0')}{_count(int(minute), '')}"
    zone = _ZONES.get(found["zone"] or "", "")
    end = (
        "."
        if not zone
        and found["half"]
        and found["half"].endswith(".")
        and found.end() == len(found.string)
        else ""
    )
    return said + (f" {half[0]}.M" if half else "") + (f" {zone}" if zone else "") + end


def _full_hour(hour: int) -> str:
    return f"{_count(hour, '')} o'clock" if 0 < hour < 13 else f"{_count(hour, '')} hundred hours"


_ZONES = {
    "ET": "Eastern time", "EST": "Eastern time", "EDT": "Eastern time", "PT": "Pacific time",
    "CT": "Central time", "MT": "Mountain time", "PST": "Pacific time", "PDT": "Pacific time",
    "GMT": "G.M.T", "UTC": "U.T.C", "BST": "B.S.T", "CET": "C.E.T", "KST": "Korean time",
}  # fmt: skip


def _date(day: int, month: int, year: str) -> str | None:
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return None
    return f"{words.MONTHS[month - 1]} {_ordinal(day)}" + (f", {_year(int(year))}" if year else "")


def _iso(found: re.Match[str]) -> str:
    return _date(int(found[3]), int(found[2]), found[1]) or found[0]


def _numeric(*, british: bool) -> Rule:
    def say(found: re.Match[str]) -> str:
        first, second = int(found[1]), int(found[2])
        day, month = (first, second) if british or first > 12 else (second, first)
        year = found[3] if len(found[3]) == 4 else f"20{found[3]}"
        return _date(day, month, year) or found[0]

    return of_digits(
        "date", r"(?<![\w/.])(\d{1,2})[/.](\d{1,2})[/.](\d{4}|\d\d)(?![\w/]|\.\d)", say
    )


def _month_day(found: re.Match[str]) -> str:
    month = words.MONTH_SHORT[found[1]]
    last = f" to {_ordinal(int(found[3]))}" if found[3] else ""
    return f"{month} {_ordinal(int(found[2]))}{last}" + (
        f", {_year(int(found[4]))}" if found[4] else ""
    )


def _day_month(found: re.Match[str]) -> str:
    month = words.MONTH_SHORT[found[3]]
    last = f" to {_ordinal(int(found[2]))}" if found[2] else ""
    the = "" if found.string[: found.start()].endswith("the ") else "the "
    return f"{the}{_ordinal(int(found[1]))}{last} of {month}" + (
        f" {_year(int(found[4]))}" if found[4] else ""
    )


def _decade(found: re.Match[str]) -> str:
    digits = found[1]
    if len(digits) == 4:
        century = digits[:2]
        said = _count(int(century), "") if century != "20" or digits[2] != "0" else ""
        if not said:
            return "two thousands"
        tens = digits[2:]
        return f"{said} {'hundreds' if tens == '00' else _tens(tens)}"
    return _tens(digits)


def _tens(digits: str) -> str:
    said = _count(int(digits), "")
    return said[:-1] + "ies" if said.endswith("y") else said + "s"


_COUNTED = re.compile(
    r" (?:people|men|women|children|troops|soldiers|jobs|workers|homes|dead|of|more)\b"
)


def _maybe_year(found: re.Match[str]) -> str:
    year, number = found[1], int(found[1])
    before = found.string[max(found.start() - 12, 0) : found.start()]
    after = found.string[found.end() : found.end() + 12]
    dated = _DATED.search(before) is not None
    if _COUNTED.match(after) and not dated:
        return _count(number, "")
    if number < 1100 and not dated:
        return _count(number, "")
    plural = re.match(r" [a-z]+s\b", after)
    return _count(number, "") if number % 100 == 0 and plural and not dated else _year(int(year))


_DATED = re.compile(
    r"\b(?:in|since|by|until|of|from|early|late|mid|before|after|during|to|and|the) $",
    re.IGNORECASE,
)


def _season(found: re.Match[str]) -> str:
    first, second = found[1], found[2]
    if len(second) == 2:
        second = first[:2] + second
    return f"{_year(int(first))} to {_year(int(second))}"


def _mixed(found: re.Match[str]) -> str:
    parts = re.findall(r"[^\W\d_]+|\d+|\.", found[0])
    return " ".join(_digits(one) if one.isdecimal() else _letters(one) for one in parts)


def _letters(one: str) -> str:
    if one == ".":
        return "point"
    return letters.said(one, words.CAPITALS) if one.isupper() and len(one) > 1 else one


def _digits(one: str) -> str:
    if one == "2" or len(one) < 3:
        return (
            _count(int(one), "") if one[0] != "0" or one == "0" else " ".join(_zero(c) for c in one)
        )
    if len(one) == 3 and one[0] != "0":
        if one.endswith("00"):
            return _count(int(one), "")
        return f"{_count(int(one[0]), '')} {'oh ' * (one[1] == '0')}{_count(int(one[1:]), '')}"
    if len(one) == 4 and one[0] != "0":
        return _count(int(one), "") if one.endswith("000") else _year(int(one))
    return " ".join(_zero(c) for c in one)


def _zero(digit: str) -> str:
    return "zero" if digit == "0" else _count(int(digit), "")


def _regnal(found: re.Match[str]) -> str:
    return f"{found[1]} the {_ordinal(roman(found[2])).capitalize()}"


def _numeral(found: re.Match[str]) -> str:
    return f"{found[1]} {_count(roman(found[2]), '').capitalize()}"


_PARTY = {"D": "Democrat", "R": "Republican", "I": "Independent"}
_FIRST = (
    rule("party", r"\(([DRI])-([A-Z][a-z.]{2,12}|[A-Z]\.?[A-Z]\.?)\)", lambda f: f", {_PARTY[f[1]]} of {f[2]}, "),
    rule("ticker", rf"\b({LOCALE.exchange.replace(' ', '|')}): ?([A-Z]{{1,6}})\b",
         lambda f: f"{letters.said(f[1], words.CAPITALS) if f[1].isupper() else f[1]}, {'.'.join(f[2])}"),
    rule("letters and letters", r"\b([A-Z]{1,3})&([A-Z]{1,3})(?!\w)", lambda f: f"{'.'.join(f[1])} and {'.'.join(f[2])}"),
    rule("cashtag", r"(?<!\w)\$([A-Z]{1,5})(?![\w$])", lambda f: ".".join(f[1])),
    of_digits("o'clock", rf"(?<![\w.,:])(?P<h>[01]?\d|2[0-4])(?:[:.](?P<m>[0-5]\d))? ?(?P<half>[ap]\.? ?m\b\.?|[AP]\.?M\b\.?)(?: (?P<zone>{any_of(_ZONES)})\b)?", _time),
    of_digits("time", rf"(?<![\w.,:-])(?P<h>[01]?\d|2[0-4]):(?P<m>[0-5]\d)(?::00)?(?P<half>)(?: (?P<zone>{any_of(_ZONES)})\b)?(?![\w:]|-\d)", _time),
    of_digits("ISO date", r"(?<![\w-])(\d{4})-(\d{2})-(\d{2})(?:T[\d:]{4,8}Z?)?(?![\w-])", _iso),
    of_digits("month and day", rf"\b({_MONTH})\b\.? (\d{{1,2}})(?:st|nd|rd|th)?(?: ?[-–] ?(\d{{1,2}}))?(?:,? (\d{{4}})(?!\d))?(?![\w%:]|[,.]\d)", _month_day),
    of_digits("day and month", rf"(?<![\w.,])(\d{{1,2}})(?:st|nd|rd|th)?(?: ?[-–] ?(\d{{1,2}}))?(?: of)? ({_MONTH})\b\.?(?:,? (\d{{4}})(?!\d))?", _day_month),
    of_digits("month and year", rf"\b({_MONTH})\.? (?=\d{{4}}\b)", lambda f: words.MONTH_SHORT[f[1]] + " "),
    of_digits("decade", r"(?<![\w.,])'?(\d{3}0|\d0)'?s(?!\w)", _decade),
    of_digits("always", r"(?<!\w)24/7(?!\w)", "twenty-four seven"),
    of_digits("short year", r"(?<!\w)'(\d\d)(?!\w)", lambda f: _year(1900 + int(f[1])).removeprefix("nineteen ")),
    of_digits("number sign", r"(?<!\w)(?:[Nn]o\.|#|№) ?(?=\d)", "number "),
    of_digits("numbers sign", r"(?<!\w)[Nn]os\. ?(?=\d)", "numbers "),
    of_digits("page", r"(?<!\w)(pp?|vol|fig|Fig|Vol|ch|Sec|sec)\. ?(?=\d)", lambda f: _BOOK[f[1].lower()]),
    of_digits("section", r"§ ?(?=\d)", "section "),
    of_digits("seasons", r"(?<![\w.,/$€£-])((?:1[5-9]|20)\d\d)[-–/]((?:1[5-9]|20)?\d\d)(?![\w%]|[-–/.,]\d)", _season),
    of_digits("ordinal", r"(?<![\w.,])(\d{1,3}(?:,\d{3}){0,4})(?:st|nd|rd|th)(?!\w)", lambda f: _ordinal(int(f[1].replace(",", "")))),
    of_digits("aircraft", r"\b(Boeing|Airbus|Flight|Route|Highway|Interstate|Peugeot|Porsche|Room|RTX|GTX|Radeon) (\d{2,4})(?![\w,.]*\d)", lambda f: f"{f[1]} {_digits(f[2])}"),
    of_digits("signs", r"(?<=\d) ?([x×]) ?(?=\d)", " times "),
    of_digits("times", r"(?<![\w.,])(\d{1,4}(?:\.\d{1,2})?)[x×](?!\w)", r"\1 times"),
    of_digits("more or less", r"(?<!\w)[~≈] ?(?=[\d$€£])", "about "),
    of_digits("at most", r"(<|>|≤|≥) ?(?=[\d$€£])", lambda f: _THAN[f[1]]),
    of_digits("and more", r"(?<=\d)\+(?!\w)", " plus"),
    of_digits("between businesses", r"\b([BCPG])2([BCPG])\b", r"\1 to \2"),
)  # fmt: skip
_BOOK: dict[str, str] = {
    "p": "page ",
    "pp": "pages ",
    "vol": "volume ",
    "fig": "figure ",
    "ch": "chapter ",
    "sec": "section ",
}
_THAN: dict[str, str] = {"<": "less than ", ">": "more than ", "≤": "at most ", "≥": "at least "}
_NUMBERS = (
    of_digits("year", r"(?<![\w.,$€£/-])((?:1\d|20)\d\d)(?![\w%/]|[.,]\d)", _maybe_year),
    of_digits("letters and digits", r"(?<![\w.,])(?=[A-Za-z0-9-]{0,24}[A-Za-z])(?:[A-Za-z]{1,14}-?\d{1,6}|\d{1,5}[A-Za-z]{1,5})(?:[A-Za-z]{1,6})?(?:-?\d{1,4})?(?:\.\d{1,2})?(?!\w)", _mixed),
)  # fmt: skip
_LAST = (
    abbreviations(words.TITLES, "title", r"(?= [A-Z\U000f0000-\U000ffffd])"),
    abbreviations(words.ABBREVIATIONS),
    rule("numbered ruler", rf"\b({'|'.join(words.REGNAL)}) ([IVX]{{1,5}})(?![\w.])", _regnal),
    rule("numbered part", rf"\b({words.ROMAN_HEADS}) ([IVXLC]{{1,7}})(?!\w)", _numeral),
    rule("numeral", r"(?<=[a-z]) (II|III|IV|VI{1,3}|IX|XI{1,3}|XIV|XV)(?!\w)", lambda f: " " + _count(roman(f[1]), "").capitalize()),
    *letters.rules(words.CAPITALS),
)  # fmt: skip


def _rules(*, british: bool) -> tuple[Rule, ...]:
    numbers = quantities.rules(LOCALE)
    return (
        *_FIRST, _numeric(british=british), *numbers, *_NUMBERS,
        *quantities.plain(LOCALE), *_LAST, *quantities.leftover(LOCALE),
    )  # fmt: skip


_SIGNS = {
    "×": "times",
    "&": "and",
    "+": "plus",
    "±": "plus or minus",
    "=": "equals",
    "@": "at",
    "%": "percent",
    "§": "section",
    "€": "euros",
    "£": "pounds",
    "°": "degrees",
    "~": "about",
}
LANGUAGE = Language(LOCALE, words.CAPITALS, _rules(british=False), _SIGNS, _rules(british=True))
