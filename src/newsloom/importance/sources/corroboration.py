"""Who reported an event beside whom, and who was first. Takes the articles of a cluster. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from urllib.parse import parse_qsl, urlsplit

from newsloom.importance.sources.authority import known_tier, owner_of
from newsloom.kernel.text.urls import is_tracking

# A source speaks for another if the table or a rule puts it into one of these tiers: made-up
# domains that report each other speak for nobody.
LEAST_TIER = 3

# Members of one cluster that are compared with each other; larger ones are their first so many.
MOST_MEMBERS = 200


@dataclass(frozen=True, slots=True)
class Member:
    """An article of a cluster."""

    source: str
    text: int  # equal for those that say the same
    agency: str  # whose wire copy it is
    seen: int  # when it was first seen here, in any unit


@dataclass(slots=True)
class Counts:
    """Of one source: articles that others report too, and those of them it had first."""

    corroborated: int = 0
    followed: int = 0


def count(members: Iterable[Member], counts: dict[str, Counts]) -> None:
    """Add what the articles of one cluster say of their sources."""
    those = sorted(members, key=lambda one: one.seen)[:MOST_MEMBERS]
    known = [one for one in those if _speaks(one.source)]
    if not known:
        return
    for one in those:
        others = _independent(one, known)
        if others:
            found = counts.setdefault(one.source, Counts())
            found.corroborated += 1
            found.followed += one.seen < min(other.seen for other in others)


def _independent(one: Member, known: Sequence[Member]) -> list[Member]:
    """Those of another owner, with a text of their own, not from the same wire."""
    owner = owner_of(one.source)
    return [
        other
        for other in known
        if other.text != one.text
        and owner_of(other.source) != owner
        and not (one.agency and other.agency == one.agency)
    ]


def _speaks(source: str) -> bool:
    known = known_tier(source)
    return known is not None and known.tier <= LEAST_TIER


MOST_LINKS = 100
_LINK = re.compile(
    r"""(?:href|src)\s{0,3}=\s{0,3}["']?(https?://[^"'\s<>]{1,2000})""", re.IGNORECASE
)
# Hosts of pixels and advertisements, as feeds carry them.
_HOSTS = (
    "doubleclick.net",
    "feedads.g.doubleclick.net",
    "googlesyndication.com",
    "google-analytics.com",
    "scorecardresearch.com",
    "pixel.wp.com",
    "stats.wordpress.com",
    "feeds.feedburner.com",
    "feedsportal.com",
    "taboola.com",
    "outbrain.com",
    "adclick.g.doubleclick.net",
    "list-manage.com",
)


def marked(documents: Iterable[str]) -> tuple[int, int]:
    """How many links there are in documents, and how many of them track or advertise."""
    links = bad = 0
    for document in documents:
        for match in islice(_LINK.finditer(document), MOST_LINKS):
            links += 1
            bad += _tracks(match[1].replace("&amp;", "&"))
    return links, bad


def _tracks(link: str) -> bool:
    try:
        parts = urlsplit(link)
        host = parts.hostname or ""
        pairs = parse_qsl(parts.query, max_num_fields=50)
    except ValueError:
        return False
    return any(host == one or host.endswith(f".{one}") for one in _HOSTS) or any(
        is_tracking(name, value) for name, value in pairs
    )


# Looks for what publishers write in six languages; words of readers or quotes may be taken for it.

# Where publishers put it; what stands between is of the news.
EDGE = 1_500  # characters, markup with them

_TITLES = (
    "correction:", "corrected:", "retraction:", "retracted:", "clarification:", "erratum",
    "korrektur:", "berichtigung:", "rectificatif", "fe de errores", "rettelse:",
)  # fmt: skip
_WORDS = (
    "this article has been corrected", "this story has been corrected",
    "this article was corrected on", "this story was corrected", "this article was amended on",
    "earlier version of this article", "earlier version of this story",
    "previous version of this article", "previous version of this story",
    "has been retracted", "correction appended",
    "in einer früheren version", "eine frühere version dieses",
    "une version précédente de cet", "una versión anterior de est",
)  # fmt: skip


def corrected(title: str, text: str) -> bool:
    """By its title, or by the beginning or the end of its text."""
    if title.strip().lower().startswith(_TITLES):
        return True
    edges = text if len(text) <= 4 * EDGE else f"{text[: 2 * EDGE]} {text[-2 * EDGE :]}"
    lower = edges.lower()
    return any(words in lower for words in _WORDS)
