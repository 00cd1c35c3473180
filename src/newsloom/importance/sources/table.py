"""The shipped table: who publishes, by domain. Read once; a row is parsed when it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib import resources

from newsloom.importance.sources.naming import names, registered
from newsloom.importance.values import Source, SourceKind

COLUMNS = ("domain", "tier", "owner", "country", "kind", "reason")
FILE = "sources.tsv"


def row_of(domain: str) -> Source | None:
    """The row of a host or of the nearest of its parents that has one."""
    lines = _lines()
    for name in names(domain):
        if name in lines:
            return parsed(lines[name])
    return None


@lru_cache(maxsize=16_384)
def source_of(domain: str) -> str:
    """The name under which a host, or the host of a web address, is counted; "" for none.

    It is what somebody registered, or a name below that which has a row of its own.
    """
    lines = _lines()
    return next((name for name in names(domain) if name in lines), registered(domain))


def rows() -> tuple[Source, ...]:
    """All rows, as they stand in the file."""
    return tuple(parsed(line) for line in _lines().values())


def parsed(line: str) -> Source:
    """A line of the table as a value. Raises ValueError for what is none."""
    fields = line.split("\t")
    if len(fields) != len(COLUMNS):
        raise ValueError(f"{len(fields)} fields instead of {len(COLUMNS)}: {line!r:.100}")
    domain, tier, owner, country, kind, reason = (one.strip() for one in fields)
    if tier not in {"1", "2", "3", "4", "5"}:
        raise ValueError(f"no tier is {tier!r:.20}: {line!r:.100}")
    return Source(domain, int(tier), owner, country, SourceKind(kind), reason)


@lru_cache(maxsize=1)
def _lines() -> Mapping[str, str]:
    traversable = resources.files("newsloom.importance.sources") / "data" / FILE
    lines = traversable.read_text(encoding="utf-8").splitlines()
    return {
        line.partition("\t")[0]: line for line in lines[1:] if line and not line.startswith("#")
    }
