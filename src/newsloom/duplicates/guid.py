"""Layer 1: the same id within one feed. Ids of different feeds say nothing about each other."""

from __future__ import annotations

import re
from datetime import timedelta

from newsloom.duplicates.agreement import agree
from newsloom.duplicates.values import Copy, Evidence
from newsloom.kernel.text.headlines import normal_title

# An id that returns with another title, another text and a date this much later names a new
# article. Without the time this would part real revisions: of 717 changes of a title under one
# id, five kept no word of it within five hours ("Watch live: ..." to "Government reveals ...").
REUSED_AFTER = timedelta(hours=12)
# A link with a number in it is the permanent address of one article. Publishers rewrite explainers
# under such a link for months: without this rule 100 of the 717 changes would be new articles.
_NUMBERED = re.compile(r"\d{5}")
# Another title has less than this share of the shorter one's words. When one common word was enough
# to be the same, 29% of 5,151 ids given to another article of their feed were held to be revisions;
# now 0.6%, and the 717 real changes of a title under one id are judged as before.
SAME_WORDS = 0.4


def keys(copy: Copy) -> frozenset[str]:
    """The feed and the id, whatever its case."""
    return frozenset((f"{copy.feed_id} {copy.guid.casefold()}",)) if copy.guid else frozenset()


def compare(a: Copy, b: Copy) -> Evidence | None:
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
        and not _alike(set(normal_title(a.title).split()), set(normal_title(b.title).split()))
    )


def _alike(a: set[str], b: set[str]) -> bool:
    return bool(a and b) and len(a & b) >= SAME_WORDS * min(len(a), len(b))
