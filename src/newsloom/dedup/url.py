"""Layer 2: the same address, in one feed or across feeds."""

from __future__ import annotations

from newsloom.dedup.agreement import agree
from newsloom.text.urls import is_article, is_section
from newsloom.types import Copy, Evidence


def keys(copy: Copy) -> frozenset[str]:
    """The canonical address, where it can be that of one article."""
    address = copy.canonical_url
    return frozenset((address,)) if is_article(address) else frozenset()


def compare(a: Copy, b: Copy) -> Evidence | None:
    """Evidence that two copies are one article.

    Within a feed, and for an address that may show another article tomorrow ("/podcast"), the text
    or the title must agree too.
    """
    address = a.canonical_url
    if address != b.canonical_url or not is_article(address):
        return None
    same = agree(a, b)
    if not same and (a.feed_id == b.feed_id or is_section(address)):
        return None
    return Evidence("url", 1.0, ", ".join(filter(None, (f"same address {address}", same))))
