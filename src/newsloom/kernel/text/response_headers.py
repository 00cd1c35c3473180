"""What response headers say about when to come back. Pure, and never raises.

Dates are read relative to the response's own Date, so a server whose clock is days wrong still
says what it means.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

Headers = Iterable[tuple[str, str]]  # names in lower case

# RFC 9111 lets a cache keep nothing longer than it can still check; a feed that says "a year"
# means its files, and would be lost.
LONGEST_FRESH = timedelta(days=7)

# The longest wait that a server's word is taken for; lemon24/reader caps there too.
LONGEST_RETRY = timedelta(days=31)

# All that this module reads.
TIMING = frozenset({"age", "cache-control", "date", "expires", "retry-after"})

_SECONDS = re.compile(r"[0-9]+")
_DIRECTIVE = re.compile(r"""\s*([^\s=,"]+)\s*(?:=\s*("[^"]*"|[^,"]*))?\s*(?:,|$)""")
_LONGEST_VALUE = 4096
_LONGEST_DATE = 64


def retry_after(headers: Headers, received: datetime) -> timedelta | None:
    """How long the server asks to be left alone; the longest, when it says several things.

    None when it says nothing that can be understood: not a number, a negative one, no date.
    """
    headers = tuple(headers)
    values = _values(headers, "retry-after")
    said = _date(headers, received) if values else received
    waits = []
    for value in values:
        if _SECONDS.fullmatch(value):
            waits.append(_seconds(value, LONGEST_RETRY))
        elif until := http_date(value):
            waits.append(max(timedelta(0), min(until - said, LONGEST_RETRY)))
    return max(waits, default=None)


def fresh_for(headers: Headers, received: datetime) -> timedelta | None:
    """How long the server holds its answer to be good: Cache-Control, else Expires, less Age.

    None when it says nothing, or that the answer is stale at once. s-maxage is for shared caches,
    which Newsloom is not.
    """
    headers = tuple(headers)
    directives = _directives(_values(headers, "cache-control"))
    if "no-cache" in directives or "no-store" in directives:
        return None
    if "max-age" in directives:
        lifetime = _max_age(directives["max-age"])
    else:
        # "0" and "-1" are common and mean: stale already.
        expires = next(iter(_values(headers, "expires")), "")
        until = http_date(expires)
        lifetime = None if until is None else until - _date(headers, received)
    if lifetime is None:
        return None
    age = next((v for v in _values(headers, "age") if _SECONDS.fullmatch(v)), "0")
    left = min(lifetime - _seconds(age, timedelta(days=3650)), LONGEST_FRESH)
    return left if left > timedelta(0) else None


def max_age(headers: Headers) -> timedelta | None:
    """Cache-Control's max-age as it stands, whatever the answer's age; None when it is not said or
    not meant."""
    directives = _directives(_values(headers, "cache-control"))
    if "no-cache" in directives or "no-store" in directives or "max-age" not in directives:
        return None
    return _max_age(directives["max-age"])


def http_date(text: str) -> datetime | None:
    """A date in any of HTTP's three forms (RFC 9110), in UTC; None when it is none."""
    if len(text) > _LONGEST_DATE:
        return None
    try:
        date = parsedate_to_datetime(text)
        return date.replace(tzinfo=UTC) if date.tzinfo is None else date.astimezone(UTC)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def _max_age(value: str) -> timedelta | None:
    text = value.strip().strip('"')
    # Ten years, so that an Age of some days still leaves more than the cap.
    return _seconds(text, timedelta(days=3650)) if _SECONDS.fullmatch(text) else None


def _date(headers: Headers, received: datetime) -> datetime:
    """When the server says it is, else when the answer came."""
    return next((d for v in _values(headers, "date") if (d := http_date(v))), received)


def _values(headers: Headers, name: str) -> list[str]:
    return [value.strip() for key, value in headers if key == name]


def _directives(values: Iterable[str]) -> dict[str, str]:
    """Cache-Control as name to value. Of two of a name the first counts (RFC 9111, 4.2.1)."""
    found: dict[str, str] = {}
    for value in values:
        for name, argument in _DIRECTIVE.findall(value[:_LONGEST_VALUE]):
            found.setdefault(name.lower(), argument)
    return found


def _seconds(digits: str, most: timedelta) -> timedelta:
    # Longer than any cap, and int() refuses thousands of digits.
    return min(timedelta(seconds=int(digits)), most) if len(digits) <= 12 else most


# What Link headers say (RFC 8288).

# Servers refuse header lines longer than this; what is behind it is nobody's link.
_LONGEST = 16_384
_MOST_LINKS = 200

_GAP = re.compile(r"[\s,]*+")
_TARGET = re.compile(r"<([^<>]*+)>")
_QUOTED = r'"(?:[^"\\]|\\.)*+(?:"|$)'
_PARAMETER = re.compile(
    rf'\s*+;\s*+([^\s=;,"<>]*+)(?:\s*+=\s*+({_QUOTED}|[^\s;,"]*+))?+', re.DOTALL
)
_REST = re.compile(rf'(?:[^,"]|{_QUOTED})*+,?+', re.DOTALL)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class HeaderLink:
    """One link of a response, as written."""

    target: str
    relations: frozenset[str]  # in lower case
    anchor: str = ""  # set: it is a link of another document than the response
    type: str = ""
    title: str = ""


def links(values: Iterable[str]) -> Iterator[HeaderLink]:
    """The links in the values of a Link header, in order."""
    found = 0
    for value in values:
        value = value[:_LONGEST]
        place = 0
        while place < len(value) and found < _MOST_LINKS:
            gap = _GAP.match(value, place)
            place = gap.end() if gap else place
            target = _TARGET.match(value, place)
            if target:
                found += 1
                said, place = _parameters(value, target.end())
                yield HeaderLink(
                    target[1].strip(),
                    frozenset(said.get("rel", "").lower().split()),
                    said.get("anchor", ""),
                    said.get("type", ""),
                    said.get("title", ""),
                )
            rest = _REST.match(value, place)
            place = max(rest.end() if rest else place, place + 1)


def _parameters(value: str, place: int) -> tuple[dict[str, str], int]:
    """Those behind a target, of two of a name the first, and where they end."""
    said: dict[str, str] = {}
    while match := _PARAMETER.match(value, place):
        name, argument = match[1].lower(), match[2] or ""
        if argument.startswith('"'):
            argument = _ESCAPE.sub(r"\1", argument[1:].removesuffix('"'))
        said.setdefault(name, argument)
        place = match.end()
    return said, place
