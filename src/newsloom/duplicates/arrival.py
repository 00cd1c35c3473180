"""The layers that judge an article as it arrives, by what the feed says of it. Decides nothing.

Apart from the layers of texts, so that what reads feeds need not load what compares texts.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from newsloom.duplicates.values import Copy, Evidence
from newsloom.kernel.text.headlines import normal_title
from newsloom.kernel.text.urls import is_article, is_section, shared_host


# Whether two copies say the same, which an id or an address cannot prove.
def agree(a: Copy, b: Copy) -> str:
    """ "same text" or "same title"; "" when neither."""
    if a.content_hash == b.content_hash:
        return "same text"
    title = normal_title(a.title)
    return "same title" if title and title == normal_title(b.title) else ""


# Layer 1: the same id within one feed. Ids of different feeds say nothing about each other.

# An id that returns with another title, another text and a date this much later names a new
# article. Without the time this would part real revisions: of 717 changes of a title under one
# id, five kept no word of it within five hours ("Watch live: ..." to "Government reveals ...").
REUSED_AFTER = timedelta(hours=12)
# A link with a number in it is the permanent address of one article. Publishers rewrite explainers
# under such a link for months: without this rule 100 of the 717 changes would be new articles.
_NUMBERED = re.compile(r"\d{5}")
# Another title has less than this share of the shorter one's words. Of 5,151 ids that a feed reused
# for another article, 29% counted as revisions when one common word was enough, now 0.6%; the 717
# real changes of a title under one id are judged as before.
SAME_WORDS = 0.4


def _guid_keys(copy: Copy) -> frozenset[str]:
    """The feed and the id, whatever its case."""
    return frozenset((f"{copy.feed_id} {copy.guid.casefold()}",)) if copy.guid else frozenset()


def compare_guids(a: Copy, b: Copy) -> Evidence | None:
    """Evidence that two copies are one article of one feed."""
    if a.feed_id != b.feed_id or not a.guid or a.guid.casefold() != b.guid.casefold():
        return None
    if a.guid == b.guid:
        return None if _reused(a, b) else Evidence("guid", 1.0, "same id in the feed")
    # Ids that differ only in case may be two ids ("aB3x" and "Ab3X" of a link shortener).
    same = "same link" if a.canonical_url and a.canonical_url == b.canonical_url else agree(a, b)
    return Evidence("guid", 0.99, f"same id but for its case, {same}") if same else None


def _reused(a: Copy, b: Copy) -> bool:
    return (
        abs(a.dated - b.dated) > REUSED_AFTER
        and (a.canonical_url != b.canonical_url or not _NUMBERED.search(a.url))
        and not agree(a, b)
        and not _alike_words(set(normal_title(a.title).split()), set(normal_title(b.title).split()))
    )


def _alike_words(a: set[str], b: set[str]) -> bool:
    return bool(a and b) and len(a & b) >= SAME_WORDS * min(len(a), len(b))


# Layer 2: the same address, in one feed or across feeds. An address that a feed claims proves
# nothing by itself: any feed can link to any page.


def _url_keys(copy: Copy) -> frozenset[str]:
    """The canonical address, where it can be that of one article."""
    address = copy.canonical_url
    return frozenset((address,)) if is_article(address) else frozenset()


def compare_urls(a: Copy, b: Copy) -> Evidence | None:
    """Evidence that two copies are one article.

    The text or the title must agree too, unless the address belongs to the publisher of both feeds
    and is not a page that changes its content, such as "/podcast".
    """
    address = a.canonical_url
    if address != b.canonical_url or not is_article(address):
        return None
    same = agree(a, b)
    if not same and (a.feed_id == b.feed_id or is_section(address) or not one_publisher(a, b)):
        return None
    return Evidence("url", 1.0, ", ".join(filter(None, (f"same address {address}", same))))


def one_publisher(a: Copy, b: Copy) -> bool:
    """Whether whoever serves both feeds also serves the address that both articles claim."""
    return a.publisher == b.publisher != "" and shared_host(a.canonical_url) == a.publisher


@dataclass(frozen=True, slots=True)
class Layer:
    """Judges an article as it arrives, by what the feed says of it."""

    name: str
    keys: Callable[[Copy], frozenset[str]]  # where to look for candidates
    compare: Callable[[Copy, Copy], Evidence | None]


ARRIVAL = (
    Layer("guid", _guid_keys, compare_guids),
    Layer("url", _url_keys, compare_urls),
)


def keys(copy: Copy) -> tuple[tuple[str, str], ...]:
    """All (layer, key) of a copy."""
    return tuple((layer.name, key) for layer in ARRIVAL for key in sorted(layer.keys(copy)))
