"""Feeds that give all their articles other ids, and other links, from one poll to the next.

The last resort of one feed: title and text. Looked for only where a feed seems to bring nothing but
news, for two articles of one feed may well say the same. In the polling histories of seven news
feeds (every third poll) 274 documents were looked at so, and none was taken for renamed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from newsloom.duplicates.values import Action, Evidence, JudgedArticle, Judgement
from newsloom.kernel.ids import ArticleId

# Of fewer articles all may well be new.
LEAST = 3
# With more than this share known by id or link, the others are news.
MOST_KNOWN = 0.1
# With less than this share of the new ones known by their text, the same words are an accident.
LEAST_KNOWN_BY_TEXT = 0.5
# How many stored articles are looked at for each of the document.
LOOK = 2
# How far the date of an article may move when its feed changes the id. A later date means that the
# text was published again.
SAME_DATE = timedelta(hours=12)

_TEXT = Evidence("text", 1.0, "same title and text under another id and link")
_SAME = frozenset((Action.UNCHANGED, Action.REVISED))


def seems_renamed(judged: Sequence[JudgedArticle]) -> bool:
    """Whether a document of a feed that has been read before is all new, as far as ids tell."""
    new = sum(one.judgement.action is Action.NEW for one in judged)
    return new >= LEAST and len(judged) - new <= MOST_KNOWN * len(judged)


def by_text(
    judged: Sequence[JudgedArticle], recent: Sequence[tuple[ArticleId, str, datetime]]
) -> tuple[JudgedArticle, ...]:
    """The same judgements, but for new articles whose text and date are those of a recent one.

    `recent` are stored articles of the feed with the hashes of their content and their dates. The
    same text under another date is published again, as alerts and forecasts are.
    """
    taken = {one.judgement.target for one in judged}
    stored: dict[str, list[tuple[ArticleId, datetime]]] = defaultdict(list)
    for article, content_hash, dated in recent:
        if article not in taken:
            stored[content_hash].append((article, dated))
    found = []
    for one in judged:
        copies = stored.get(one.incoming.copy.content_hash, [])
        same = next((known for known in copies if _one_date(one, known[1])), None)
        if one.judgement.action is Action.NEW and same:
            copies.remove(same)
            one = replace(one, judgement=Judgement(Action.UNCHANGED, same[0], _TEXT))
        found.append(one)
    new = sum(one.judgement.action is Action.NEW for one in judged)
    known = new - sum(one.judgement.action is Action.NEW for one in found)
    return tuple(found if known >= LEAST_KNOWN_BY_TEXT * new else judged)


def _one_date(one: JudgedArticle, dated: datetime) -> bool:
    parsed = one.incoming.parsed
    undated = parsed.published is None and parsed.updated is None
    return undated or abs(one.incoming.copy.dated - dated) <= SAME_DATE


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
