"""What was sent, checked: names with values, from the address and the body alike. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from newsloom.kernel.db.columns import micros
from newsloom.kernel.db.columns import moment as from_micros
from newsloom.kernel.errors import UserError

# What fits both databases' columns and a JSON number that every client reads.
LARGEST = 2**63 - 1

# Names of labels and titles; feeds' addresses are no longer either.
LONGEST = 4_000

# Of numbers as they are typed: int() refuses more than 4,300 digits by itself.
_LONGEST_NUMBER = 40


class BadRequest(UserError):
    """That request could not be understood."""


@dataclass(frozen=True, slots=True)
class Fields:
    """Names with values, each name any number of times."""

    values: dict[str, list[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, pairs: Iterable[tuple[str, str]]) -> Fields:
        """Raises BadRequest for what neither database can hold."""
        found: dict[str, list[str]] = defaultdict(list)
        for name, value in pairs:
            if "\0" in value or "\0" in name:
                raise BadRequest("A value holds a NUL.")
            # A lone surrogate cannot be stored either.
            found[name].append(value.encode("utf-8", "replace").decode())
        return cls(dict(found))

    def __contains__(self, name: str) -> bool:
        return name in self.values

    def all(self, name: str) -> Sequence[str]:
        """Every value of a name that is not empty. Raises BadRequest when one is too long."""
        found = [one for one in self.values.get(name, ()) if one]
        if any(len(one) > LONGEST for one in found):
            raise BadRequest(f"{name} is longer than {LONGEST:,} characters.")
        return found

    def one(self, name: str, default: str = "") -> str:
        """The first value that is not empty."""
        return next(iter(self.all(name)), default)

    def whole(self, name: str, default: int | None = None, *, least: int = 0) -> int | None:
        """A whole number. Raises BadRequest."""
        text = self.one(name).strip()
        if not text:
            return default
        return number(text, name, least=least)


def number(text: str, name: str, *, least: int = 0) -> int:
    """A whole number of 64 bits. Raises BadRequest."""
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(text) <= _LONGEST_NUMBER):
        raise BadRequest(f"{name} is not a whole number: {text[:40]!r}.")
    found = int(text)
    if not least <= found <= LARGEST:
        raise BadRequest(f"{name} is not between {least} and {LARGEST}: {text[:40]}.")
    return found


# From which size on a time is not one of seconds any more, nor of thousandths, nor of millionths.
# 10^11 seconds are the year 5138.
WHOLE_SECONDS = 10**11
_UNITS = ((WHOLE_SECONDS, 1), (10**14, 10**3), (10**17, 10**6))


def moment(value: int, now: datetime) -> datetime:
    """A time in seconds, thousandths, millionths or billionths of them, by its size; never after
    `now`: programs say "everything" with the largest number there is."""
    parts = next((parts for end, parts in _UNITS if value < end), 10**9)
    given = value * 10**6 // parts
    return from_micros(min(given, micros(now)))


def seconds(at: datetime) -> int:
    """Whole seconds since 1970."""
    return micros(at) // 10**6
