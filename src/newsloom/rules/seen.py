"""An article as conditions look at it: what is folded is folded once, and only if asked for."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from newsloom.kernel.errors import UserError
from newsloom.kernel.text import hosts
from newsloom.kernel.text.folding import fold
from newsloom.rules.words import folded, searched

if TYPE_CHECKING:
    from newsloom.rules.values import RuleFacts


# Links of articles, and the domains and paths that a condition asks for.


class Link(NamedTuple):
    """A link by its parts; host in ASCII without "www.", path folded."""

    host: str
    path: str  # "/news/4"
    more: str = ""  # query and fragment; user and port too


class Path(NamedTuple):
    """The path of a rule. It matches links whose path contains these segments in this order."""

    host: str  # "": any
    segments: re.Pattern[str]

    def leads_to(self, link: Link) -> bool:
        below = link.host == self.host or link.host.endswith(f".{self.host}")
        return (not self.host or below) and self.segments.search(link.path) is not None


def link(address: str) -> Link:
    """A link of an article."""
    return parted(address) if "://" in address else Link("", "/")


def parted(written: str) -> Link:
    """An address, with or without its scheme."""
    whole = written.strip().partition("://")[2] or written.strip()
    address = re.split(r"[?#]", whole, maxsplit=1)[0]
    authority, slash, path = address.partition("/")
    host = hosts.named(authority)
    plain = re.fullmatch(r"[^@:\[\]]*", authority) is not None
    more = whole[len(address) :] + ("" if plain else authority)
    return Link(host.removeprefix("www."), fold(unquote(slash + path)) or "/", more)


def is_domain(host: str) -> bool:
    return re.fullmatch(r"(?:[a-z0-9_-]+\.)+[a-z0-9-]+", host) is not None


def path(written: str) -> Path:
    """After a slash or a domain from the beginning of a link's path, else anywhere between two
    slashes; a star at the end lets the last segment go on. Raises UserError."""
    _, scheme, rest = written.strip().rpartition("://")
    whole = parted(rest)
    first, slash, _ = rest.partition("/")
    with_domain = bool(scheme or (slash and "." in first and is_domain(whole.host)))
    found = whole if with_domain else parted(f"/{rest.lstrip('/')}")
    if with_domain and not is_domain(found.host):
        raise UserError(f"{written!r:.60} has no domain before its path.")
    if found.more:
        raise UserError(
            f"{written!r:.60} is more than a path. Only the part before ? and # is compared; use "
            f"link-pattern to match the whole link."
        )
    segments = found.path.strip("/").removesuffix("*")
    if not segments or "*" in segments:
        raise UserError(
            f"{written!r:.60} is not a path. Use for example /deals, sponsored or /2026/sport*."
        )
    start = "^/" if with_domain or rest.startswith("/") else "/"
    end = "" if found.path.endswith("*") else "(?:/|$)"
    return Path(found.host, re.compile(f"{start}{re.escape(segments)}{end}"))


class Seen:
    """The facts of one article, prepared."""

    def __init__(self, facts: RuleFacts) -> None:
        self.facts = facts

    @cached_property
    def title(self) -> str:
        return searched(self.facts.title)

    @cached_property
    def both(self) -> str:
        """Title and text."""
        return f"{self.title}\n{searched(self.facts.text)}"

    @cached_property
    def author(self) -> str:
        return searched(self.facts.author)

    @cached_property
    def tags(self) -> frozenset[str]:
        return frozenset(folded(one.lstrip("# ")) for one in self.facts.tags)

    @cached_property
    def links(self) -> tuple[Link, ...]:
        return tuple(map(link, self.facts.links))

    @cached_property
    def whole(self) -> str:
        """As it is written, for patterns."""
        return f"{self.facts.title}\n{self.facts.text}"
