"""What Link headers say (RFC 8288). Pure, linear in their length, and never raises."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

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
