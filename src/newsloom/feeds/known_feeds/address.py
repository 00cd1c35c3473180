"""An address in parts, and what its rules give. Pure; never raises."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from urllib.parse import parse_qs, quote, unquote, urlsplit

_LONGEST = 2_000


@dataclass(frozen=True, slots=True)
class KnownFeed:
    """A feed, and what it is beside the others of its page."""

    url: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class Address:
    """An address in parts."""

    origin: str  # scheme, host and port
    host: str  # in lower case, without www
    parts: tuple[str, ...]  # of the path, unescaped
    query: Mapping[str, str]
    raw_query: str

    def at(self, index: int) -> str:
        return self.parts[index] if index < len(self.parts) else ""


Feeds = tuple[KnownFeed, ...]


def address_of(url: str) -> Address | None:
    if len(url) > _LONGEST:
        return None
    try:
        split = urlsplit(url)
        host = (split.hostname or "").lower().rstrip(".").removeprefix("www.")
        origin = f"https://{split.netloc.rpartition('@')[2]}" if host else ""
    except ValueError:
        return None
    if split.scheme not in {"http", "https"} or not host:
        return None
    if split.scheme == "http":
        origin = origin.replace("https:", "http:", 1)
    query = {name: values[0] for name, values in parse_qs(split.query[:_LONGEST]).items()}
    return Address(
        origin=origin,
        host=host,
        parts=tuple(unquote(part) for part in split.path.split("/") if part),
        query=MappingProxyType(query),
        raw_query=split.query,
    )


_FEED = re.compile(r".*\.(?:rss|atom|xml|json)|feeds?|rss|atom|rdf", re.IGNORECASE)


def is_feed(address: Address) -> bool:
    """Whether the address is one of a feed already: it is asked as it stands."""
    return bool(address.parts) and _FEED.fullmatch(address.parts[-1]) is not None


def joined(origin: str, *parts: str) -> str:
    return "/".join([origin, *(quote(part, safe="@:+~!$&'()*,;=.-_") for part in parts)])


_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]{0,99}")


def is_name(part: str) -> bool:
    return _NAME.fullmatch(part) is not None
