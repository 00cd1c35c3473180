"""Days, months and years that a text names, by rules, in the larger languages of Europe.

Relative to nothing: "yesterday" stays "yesterday". Knows no calendar and no clock.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_MONTHS = (
    "january jan januar janvier enero gennaio janeiro januari stycznia styczeń января январь",
    "february feb februar février febrero febbraio fevereiro februari lutego luty февраля февраль",
    "march mar märz mars marzo março maart marca marzec марта март",
    "april apr avril abril aprile kwietnia kwiecień апреля апрель",
    "may mai mayo maggio maio mei maja maj мая май",
    "june jun juni juin junio giugno junho czerwca czerwiec июня июнь",
    "july jul juli juillet julio luglio julho lipca lipiec июля июль",
    "august aug août agosto augustus augusti sierpnia sierpień августа август",
    "september sept septembre septiembre settembre setembro września wrzesień сентября сентябрь",
    "october oct oktober octobre octubre ottobre outubro października październik октября октябрь",
    "november nov novembre noviembre novembro listopada listopad ноября ноябрь",
    "december dec dezember décembre diciembre dicembre dezembro grudnia grudzień декабря декабрь",
)
# Without the words that mean something else in a neighbour: French "hier" is German "here".
_DAYS = (
    "monday montag lundi lunes lunedì maandag poniedziałek понедельник",
    "tuesday dienstag mardi martes martedì dinsdag wtorek вторник",
    "wednesday mittwoch mercredi miércoles mercoledì woensdag środa среда среду",
    "thursday donnerstag jeudi jueves giovedì donderdag czwartek четверг",
    "friday freitag vendredi viernes venerdì vrijdag piątek пятница пятницу",
    "saturday samstag samedi sábado sabato zaterdag sobota суббота субботу",
    "sunday sonntag dimanche domingo domenica zondag niedziela воскресенье",
    "yesterday gestern ayer ieri ontem gisteren wczoraj вчера",
    "today heute aujourd'hui oggi hoje vandaag dzisiaj сегодня",
    "tomorrow demain domani amanhã jutro завтра",
)


def _table(rows: tuple[str, ...]) -> dict[str, str]:
    """Each word to the first of its row, which is English."""
    return {word: row.split()[0] for row in rows for word in row.split()}


_MONTH = _table(_MONTHS)
_DAY = _table(_DAYS)
_IN_ORDER = tuple(row.split()[0] for row in _MONTHS)

_WORD = re.compile(r"[^\W\d_](?:[^\W\d_]|'(?=h))*")
_NUMBER = r"(3[01]|[12]\d|0?[1-9])"
_YEAR = r"((?:19|20)\d\d)"
_NUMERIC = re.compile(
    rf"(?=\d)(?<![\w/.-])(?:{_YEAR}-(1[0-2]|0[1-9])-(3[01]|[12]\d|0[1-9])(?:T[\d:.]+Z?)?"
    rf"|{_NUMBER}\.(1[0-2]|0?[1-9])\.{_YEAR}|(?<=\b[Ii]n ){_YEAR})(?![\w-])"
)
# What may stand around the name of a month, which is quicker to find than any of this.
_BEFORE = re.compile(rf"(?<![\w/.-]){_NUMBER}(?:st|nd|rd|th|er|\.|º)?(?: de| of)? $")
_DAY_AFTER = re.compile(rf"\.? {_NUMBER}(?:st|nd|rd|th)?(?![\w-]|[,.:]\d)(?:,? {_YEAR}(?!\w))?")
_YEAR_AFTER = re.compile(rf"\.?(?:,| de)? {_YEAR}(?!\w)")
_AROUND = 16  # characters: "23rd of ", ". 23rd, 2021"

# Alone these are verbs, or too short to be sure of.
_UNSURE = frozenset(("march", "may", "marca", "avril"))
_LEAST_LETTERS = 5


@dataclass(frozen=True, slots=True, order=True)
class Date:
    """Where it stands, and what it says as "3 march 2021", "march 2021", "monday" or "2021"."""

    start: int
    end: int
    name: str


def dates(text: str) -> tuple[Date, ...]:
    """Those of a text in order; time linear in its length."""
    found = [_numeric(match) for match in _NUMERIC.finditer(text)]
    for match in _WORD.finditer(text):
        word = match.group().lower()
        if word in _DAY:
            found.append(Date(*match.span(), _DAY[word]))
        elif word in _MONTH and (date := _with_month(text, *match.span(), word)):
            found.append(date)
    return tuple(sorted(found))


def _with_month(text: str, start: int, end: int, word: str) -> Date | None:
    before = _BEFORE.search(text[max(start - _AROUND, 0) : start])
    after = text[end : end + _AROUND]
    day = year = ""
    if before is not None:
        day = before[1]
        start -= len(before[0])
        if (match := _YEAR_AFTER.match(after)) is not None:
            year = match[1]
            end += match.end()
    elif (match := _DAY_AFTER.match(after)) is not None:
        day, year = match[1], match[2] or ""
        end += match.end()
    elif (match := _YEAR_AFTER.match(after)) is not None:
        year = match[1]
        end += match.end()
    elif word in _UNSURE or len(word) < _LEAST_LETTERS or not text[start].isupper():
        return None
    return Date(start, end, _name(day, _MONTH[word], year))


def _numeric(match: re.Match[str]) -> Date:
    iso_year, iso_month, iso_day, day, month, year, alone = match.groups()
    if alone:
        return Date(*match.span(), alone)
    name = _IN_ORDER[int(iso_month or month) - 1]
    return Date(*match.span(), _name(iso_day or day, name, iso_year or year))


def _name(day: str, month: str, year: str) -> str:
    return " ".join(part for part in (day.lstrip("0"), month, year) if part)
