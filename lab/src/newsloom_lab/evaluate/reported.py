"""Articles out of feeds that were polled for long, in stories as Newsloom would find them.

The stories are no gold: they are DBSCAN's topics, parted where nothing came for two days. But no
editor has picked them, so a story can have any number of articles at any time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path

from newsloom.articles.terms import terms
from newsloom.feeds.parse import parse_feed
from newsloom.kernel.errors import ParseError, UserError
from newsloom.kernel.text.html import to_text
from newsloom.ranking.measure.articles import LabelledArticle
from newsloom.topics.dbscan import NOISE, dbscan
from newsloom.topics.tfidf import matrix, shipped

# Nearer than the topics of a digest are (.6): over many months those run into each other. Among
# 15,079 articles the largest story still has 669; at .4 it has 581, and hardly any has two owners.
NEARER = 0.5

# A story is over when nothing came for so long.
PAUSE = timedelta(days=2)

LONGEST = 20_000  # characters of a text

# Articles that a feed's first polls brought may be older than what was seen of the others.
OLDEST = timedelta(days=3)


def read_stories(folder: Path) -> tuple[LabelledArticle, ...]:
    """The articles of a folder of folders of documents, each with a story; an article that is like
    none has one of its own. Raises UserError when there are none."""
    return tuple(_in_stories(read_polled(folder)))


def read_polled(folder: Path) -> list[LabelledArticle]:
    """The same articles without stories. Raises UserError when there are none."""
    folders = sorted(one for one in folder.iterdir() if one.is_dir()) if folder.is_dir() else []
    found = [one for feed in folders for one in _articles(feed)]
    if not found:
        raise UserError(f"{folder} holds no folders of feed documents.")
    return found


def _articles(folder: Path) -> Iterator[LabelledArticle]:
    """Each article as it was first seen."""
    seen: set[str] = set()
    for file in sorted(folder.glob("*.xml")):
        try:
            polled = datetime.strptime(file.name[:16], "%Y%m%dT%H%M%S%z")
            feed = parse_feed(file.read_bytes(), f"https://{folder.name}.example/")
        except (ValueError, ParseError):  # another file, or a poll that failed
            continue
        for one in feed.articles:
            fresh = one.published and polled - OLDEST <= one.published <= polled
            if one.url and one.url not in seen and fresh:
                yield LabelledArticle(
                    id=f"{folder.name} {len(seen)}",
                    title=one.title,
                    summary=to_text(one.summary, LONGEST) if one.content else "",
                    text=to_text(one.content or one.summary, LONGEST),
                    url=one.url,
                    published=one.published,
                    language=one.language or feed.language,
                )
            seen.add(one.url)


def _in_stories(articles: Sequence[LabelledArticle]) -> Iterator[LabelledArticle]:
    idf = shipped()
    rows = matrix(idf.weighted(terms(one.title, one.text, one.language)) for one in articles)
    topics: dict[int, list[LabelledArticle]] = {}
    for place, topic in enumerate(dbscan(rows, NEARER).tolist()):
        topics.setdefault(-1 - place if topic == NOISE else topic, []).append(articles[place])
    for topic, members in topics.items():
        members.sort(key=_date)
        part = 0
        yield replace(members[0], story=f"{topic}.{part}")
        for before, one in pairwise(members):
            part += _date(one) - _date(before) > PAUSE
            yield replace(one, story=f"{topic}.{part}")


def _date(article: LabelledArticle) -> datetime:
    assert article.published is not None
    return article.published
