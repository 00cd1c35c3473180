"""Layer 2: the same address, in one feed or across feeds.

An address that a feed claims proves nothing by itself: any feed can link to any page.
"""

from __future__ import annotations

from newsloom.duplicates.agreement import agree
from newsloom.duplicates.values import Copy, Evidence
from newsloom.kernel.text.urls import is_article, is_section, shared_host


def keys(copy: Copy) -> frozenset[str]:
    """The canonical address, where it can be that of one article."""
    address = copy.canonical_url
    return frozenset((address,)) if is_article(address) else frozenset()


def compare(a: Copy, b: Copy) -> Evidence | None:
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
