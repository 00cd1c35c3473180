"""Feeds that give all their articles other ids, and other links, from one poll to the next.

The last resort of one feed: title and text. Looked for only where a feed seems to bring nothing but
news, for two articles of one feed may well say the same. In the polling histories of seven news
feeds (every third poll) 274 documents were looked at so, and none was taken for renamed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from newsloom.types import Action, ArticleId, Evidence, JudgedArticle, Judgement

# Of fewer articles all may well be new.
LEAST = 3
# With more than this share known by id or link, the others are news.
MOST_KNOWN = 0.1
# With less than this share of the new ones known by their text, the same words are an accident.
LEAST_KNOWN_BY_TEXT = 0.5
# How many stored articles are looked at for each of the document.
LOOK = 2

_TEXT = Evidence("text", 1.0, "same title and text under another id and link")
_SAME = frozenset((Action.UNCHANGED, Action.REVISED))


def seems_renamed(judged: Sequence[JudgedArticle]) -> bool:
    """Whether a document of a feed that has been read before is all new, as far as ids tell."""
    new = sum(one.judgement.action is Action.NEW for one in judged)
    return new >= LEAST and len(judged) - new <= MOST_KNOWN * len(judged)


def by_text(
    judged: Sequence[JudgedArticle], recent: Sequence[tuple[ArticleId, str]]
) -> tuple[JudgedArticle, ...]:
    """The same judgements, but for new articles whose text is that of a recent one of the feed.

    `recent` are stored articles with the hashes of their content.
    """
    taken = {one.judgement.target for one in judged}
    stored: dict[str, list[ArticleId]] = defaultdict(list)
    for article, content_hash in recent:
        if article not in taken:
            stored[content_hash].append(article)
    found = []
    for one in judged:
        same = stored.get(one.incoming.copy.content_hash)
        if one.judgement.action is Action.NEW and same:
            one = replace(one, judgement=Judgement(Action.UNCHANGED, same.pop(), _TEXT))
        found.append(one)
    new = sum(one.judgement.action is Action.NEW for one in judged)
    known = new - sum(one.judgement.action is Action.NEW for one in found)
    return tuple(found if known >= LEAST_KNOWN_BY_TEXT * new else judged)


def renaming(judged: Sequence[JudgedArticle]) -> str:
    """What is wrong with the ids of a document, in words; "" when nothing is."""
    other = sum(
        one.judgement.action in _SAME
        and one.judgement.evidence is not None
        and one.judgement.evidence.layer != "guid"
        for one in judged
    )
    if other < LEAST or other < len(judged) / 2:
        return ""
    return (
        f"{other} of its {len(judged)} articles have other ids than before; they are known by "
        "their links, or by title and text"
    )
