"""Labelled articles from a file taken in, and a reader's own given out.

They pass the same duplicate layers as a feed's. Reads and writes no file.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import chain

from newsloom.bridges.store.importing import OpenImport
from newsloom.bridges.values import Mark
from newsloom.duplicates import judge_document, prepare
from newsloom.duplicates.values import Action, IncomingArticle
from newsloom.feeds.values.published import ParsedArticle, ParsedFeed
from newsloom.kernel.ids import ArticleId, FeedId, UserId
from newsloom.kernel.text.headlines import normal_title
from newsloom.ranking.values.models import BroughtIn, Label, LabelledCopy
from newsloom.reading.values.reading import EventKind
from newsloom.store import Aggregates, Store

VIA = "import"

_Line = tuple[LabelledCopy, FeedId, IncomingArticle]


def bring_in(
    store: Store, user: UserId, copies: Sequence[LabelledCopy], now: datetime
) -> BroughtIn:
    """Take in articles and labels, all or none. Doing it again changes nothing."""
    given = {
        (one.kind, one.at, normal_title(one.article.title)) for one in store.models.labels(user)
    }
    fresh = [one for one in copies if not _known(one, given)]
    wanted = sum(len(one.marks) for one in copies)
    with store.bridges.importing(user) as opened:
        added, labels = _all_of(opened, fresh, now)
    return BroughtIn(articles=added, labels=labels, known=wanted - labels)


def take_in_lines(
    tx: Aggregates, user: UserId, copies: Sequence[LabelledCopy], now: datetime
) -> BroughtIn:
    """Take in articles with the labels they have, in a unit of work of others. What is here already
    is not stored again, and no label is given twice."""
    with tx.bridges.importing(user) as opened:
        added, labels = _all_of(opened, copies, now)
    wanted = sum(len(one.marks) for one in copies)
    return BroughtIn(articles=added, labels=labels, known=wanted - labels)


def _all_of(opened: OpenImport, copies: Sequence[LabelledCopy], now: datetime) -> tuple[int, int]:
    """How many articles and how many labels are new."""
    marks: list[Mark] = []
    added = 0
    feeds = opened.feeds({one.source: None for one in copies}, now)
    waiting = [_line(one, feeds[one.source], now) for one in copies]
    while waiting:
        batch, waiting = _apart(waiting)
        found, new = _take_in(opened, batch, now)
        marks += found
        added += new
    return added, opened.label(marks, VIA)


def _known(copy: LabelledCopy, given: set[tuple[EventKind, datetime, str]]) -> bool:
    """Whether exactly this was said of an article of this title: no address need tell them."""
    title = normal_title(copy.article.title)
    return bool(title) and all((kind, at, title) in given for kind, at in copy.marks)


def _line(copy: LabelledCopy, feed: FeedId, now: datetime) -> _Line:
    document = ParsedFeed(format="articles file", articles=(copy.article,))
    (incoming,) = prepare(document, feed, now)
    return copy, feed, incoming


def _apart(lines: Sequence[_Line]) -> tuple[list[_Line], list[_Line]]:
    """Lines no two of which could be one article, and the rest, to be judged after those."""
    seen: set[tuple[str, str]] = set()
    batch: list[_Line] = []
    rest: list[_Line] = []
    for line in lines:
        keys = set(line[2].keys)
        (rest if keys & seen else batch).append(line)
        seen |= keys
    return batch, rest


def _take_in(opened: OpenImport, lines: Sequence[_Line], now: datetime) -> tuple[list[Mark], int]:
    """Judge and store lines that are apart; their marks, and how many articles are new."""
    candidates = opened.candidates({key for _copy, _feed, one in lines for key in one.keys})
    by_feed: dict[FeedId, list[_Line]] = {}
    for line in lines:
        by_feed.setdefault(line[1], []).append(line)
    judged = [
        one
        for members in by_feed.values()
        for one in judge_document([incoming for _copy, _feed, incoming in members], candidates)
    ]
    ids = opened.take_in(judged, now)
    marks = [
        Mark(article, kind, min(at, now))
        for (copy, _feed, _incoming), article in zip(chain(*by_feed.values()), ids, strict=True)
        for kind, at in copy.marks
    ]
    return marks, sum(one.judgement.action is Action.NEW for one in judged)


def given_out(store: Store, user: UserId) -> tuple[LabelledCopy, ...]:
    """What the reader labelled and what stands of it, in the order of the labels."""
    by_article: dict[ArticleId, list[Label]] = {}
    for one in store.models.labels(user):
        by_article.setdefault(one.article.id, []).append(one)
    found = store.bridges.whole(list(by_article))
    copies = [_copy(*found[article], labels) for article, labels in by_article.items()]
    return tuple(sorted(copies, key=lambda one: (one.marks[-1][1], one.article.guid)))


def _copy(article: ParsedArticle, source: str, labels: Iterable[Label]) -> LabelledCopy:
    return LabelledCopy(
        article._replace(guid=article.guid or _id(article)),
        source,
        tuple((one.kind, one.at) for one in labels),
    )


def _id(article: ParsedArticle) -> str:
    """The same for the same article in any store, as far as can be."""
    named = article.url or f"{article.title} {article.published}"
    return hashlib.blake2b(named.encode(), digest_size=8).hexdigest()
