"""Ratings of domains as others made them: a CSV file with a domain and a score in each row."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from urllib.parse import urlsplit

from newsloom.importance.sources.naming import host_of
from newsloom.kernel.errors import UserError

LARGEST = 50_000_000
MISSING = frozenset(("", "na", "n/a", "nan", "null", "none"))


@dataclass(frozen=True, slots=True)
class Rated:
    """A domain and its score; higher is more reliable, on any scale."""

    domain: str
    score: float


@dataclass(frozen=True, slots=True)
class Ratings:
    """`unrated` rows had a domain without a score."""

    rated: tuple[Rated, ...]
    unrated: int = 0


def read_ratings(path: Path, column: str = "score") -> Ratings:
    """The columns `domain` and that of the score; others are left alone.

    A row that repeats another counts once. An address with a path rates a part of its site: the
    mean of such parts counts where no row rates the whole domain. Raises UserError, with the line,
    for a file that is not text, lacks a column, or has a row without a domain, a score that is no
    number, or two scores of one domain.
    """
    found: dict[str, tuple[float, int]] = {}
    parts: dict[str, list[float]] = {}
    unrated = 0
    for line, domain, score in _rows(path, column):
        host = host_of(domain) if len(domain) < 1_000 else ""
        if not host or "." not in host or host == ".":
            raise UserError(f"{path.name}, line {line}: {domain[:60]!r} is no domain.")
        if score.strip().lower() in MISSING:
            unrated += 1
            continue
        value = _number(score, path, line)
        if urlsplit(domain if "//" in domain else f"//{domain}").path.strip("/"):
            parts.setdefault(host, []).append(value)
            continue
        before = found.setdefault(host, (value, line))
        if before[0] != value:
            raise UserError(
                f"{path.name}, line {line}: {host} was rated {before[0]:g} in line {before[1]},"
                f" and {value:g} here."
            )
    for host, values in parts.items():
        found.setdefault(host, (sum(values) / len(values), 0))
    if not found:
        raise UserError(f"{path.name} rates no domain.")
    return Ratings(tuple(Rated(name, value) for name, (value, _line) in found.items()), unrated)


def _rows(path: Path, column: str) -> Iterator[tuple[int, str, str]]:
    """Line, domain and score of each row that is not empty."""
    reader = csv.reader(StringIO(_text(path), newline=""), strict=True)
    try:
        header = [one.strip().lower() for one in next(reader, [])]
        for name in ("domain", column.lower()):
            if header.count(name) != 1:
                text = ", ".join(header)[:200] or "none"
                raise UserError(f"{path.name} needs one column {name!r}; its columns: {text}.")
        places = header.index("domain"), header.index(column.lower())
        for row in reader:
            if not any(one.strip() for one in row):
                continue
            if len(row) <= max(places):
                raise UserError(
                    f"{path.name}, line {reader.line_num}: {len(row)} of {len(header)} columns."
                )
            yield reader.line_num, row[places[0]].strip(), row[places[1]]
    except csv.Error as error:
        raise UserError(f"{path.name}, line {reader.line_num}: {error}.") from error


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > LARGEST:
            raise UserError(f"{path.name} has more than {LARGEST // 1_000_000} MB.")
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise UserError(f"{path.name} is not UTF-8: byte {error.start}.") from error
    if "\0" in text:
        raise UserError(f"{path.name} is no text: it has NUL characters.")
    return text


def _number(text: str, path: Path, line: int) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise UserError(f"{path.name}, line {line}: {text[:40]!r} is no number.")
    return value
