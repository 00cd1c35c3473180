"""Words for ages, dates, sizes and counts, and what a publisher wrote made fit for a page. Pure."""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC, datetime, timedelta, tzinfo
from functools import lru_cache
from typing import Protocol
from urllib.parse import urlsplit

from newsloom.kernel.text.html import headline

# Longest title and excerpt put on a page. Real titles end below 300 characters; what is longer is
# an article in the wrong field.
TITLE_LENGTH = 300
EXCERPT_LENGTH = 400

# Combining marks kept in a row. Vietnamese needs two, Hebrew with accents three; a title with
# hundreds paints over its neighbours.
MARKS_IN_A_ROW = 4

# Below it Unicode has no combining mark.
FIRST_MARK = "\u0300"

_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,4}")
_MINUTE, _HOUR, _DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)

# Lengths of time from longest: (at least, one unit, name).
_SPANS = (
    (365 * _DAY, 365 * _DAY, "year"),
    (60 * _DAY, 30.44 * _DAY, "month"),
    (_DAY, _DAY, "day"),
    (_HOUR, _HOUR, "hour"),
)


def clean(text: str, length: int) -> str:
    """One line, without controls or towers of combining marks, cut at a whole letter."""
    # Most texts of most feeds: nothing to look at letter by letter.
    if len(text) <= length and text.isprintable() and (text.isascii() or max(text) < FIRST_MARK):
        # The only printable white space is the plain space.
        return " ".join(text.split()) if "  " in text else text.strip()
    return _cleaned(text, length)


class Titled(Protocol):
    """What a title can be made of."""

    @property
    def title(self) -> str: ...
    @property
    def excerpt(self) -> str: ...
    @property
    def image(self) -> str: ...


def title_of(listed: Titled) -> str:
    """A title to show on a page; of an article without one, its first words."""
    title = clean(listed.title, TITLE_LENGTH)
    if title:
        return title
    text = clean(listed.excerpt, EXCERPT_LENGTH)
    return headline("", text) or ("Picture" if listed.image else "Untitled")


@lru_cache(4_096)
def _cleaned(text: str, length: int) -> str:
    kept: list[str] = []
    marks = 0
    for char in text[: 4 * length]:
        category = unicodedata.category(char)
        marks = marks + 1 if category in {"Mn", "Me"} else 0
        if marks > MARKS_IN_A_ROW:
            continue
        kept.append(" " if category in {"Cc", "Zl", "Zp"} else char)
    line = " ".join("".join(kept).split())
    if len(line) <= length:
        return line
    cut = length
    while cut > 1 and unicodedata.category(line[cut]) in {"Mn", "Me", "Cf"}:
        cut -= 1
    return line[:cut].rstrip() + "…"


def web_address(url: str) -> str:
    """The address when it is one a browser may be sent to, else nothing."""
    try:
        parts = urlsplit(url.strip())
    except ValueError:
        return ""
    return url.strip() if parts.scheme in {"http", "https"} and parts.netloc else ""


def language(tag: str) -> str:
    """A language tag fit for an attribute, else nothing."""
    return tag if _LANGUAGE.fullmatch(tag) else ""


def span_words(span: timedelta) -> str:
    """A length of time, for a sentence."""
    for least, unit, name in _SPANS:
        if span >= least:
            count = round(span / unit)
            return f"{count} {name}" + ("s" if count != 1 else "")
    minutes = max(0, int(span / _MINUTE))
    return f"{minutes} minute" + ("s" if minutes != 1 else "")


# Of the articles that lists show; to write one takes as long as to show half a row.
@lru_cache(4_096)
def date_words(moment: datetime, zone: tzinfo | None = None) -> str:
    """A date a person reads, in a zone; UTC is said."""
    local = moment.astimezone(zone or UTC)
    return f"{local:%A, %-d %B %Y, %H:%M}{_said(local)}"


def clock_words(moment: datetime, zone: tzinfo | None = None) -> str:
    """A moment, short, in a zone; UTC is said."""
    local = moment.astimezone(zone or UTC)
    return f"{local:%Y-%m-%d %H:%M}{_said(local)}"


def _said(local: datetime) -> str:
    return " UTC" if local.tzname() == "UTC" else ""


def size_words(length: int | None) -> str:
    """A declared size; nothing when there is none."""
    if not length or length < 0:
        return ""
    if length < 1_000_000:
        return f"{max(1, round(length / 1_000))} kB"
    return f"{length / 1_000_000:.1f} MB"


def playing_time(seconds: int | None) -> str:
    """How long a recording is: "27:45", "1:02:03"; nothing when it is not known."""
    if not seconds:
        return ""
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def count_words(count: int, one: str, many: str = "") -> str:
    """`1 feed`, `12 feeds`."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def of_needed(count: int, needed: int, one: str) -> str:
    """`3 of 20 likes`; once there are enough, `28 likes`."""
    enough = count >= needed
    return count_words(count, one) if enough else f"{count} of {count_words(needed, one)}"


def initial(name: str) -> str:
    """The first letter or digit of a name, as a capital; "" when it has none."""
    letter = next((sign for sign in name[:200] if sign.isalnum()), "")
    return letter.upper()[:1]
