"""A development set of huge stories out of polled feeds: titles of a week or so about one event,
told by words of the title and the first sentences. Weak gold, made for want of any other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from newsloom.ranking.measure.articles import LabelledArticle
from newsloom_lab.evaluate.reported import read_polled

# Characters of a text that may name the event.
HEAD = 300


@dataclass(frozen=True, slots=True)
class Running:
    """An event of 2020: its first and last day, and what its reports say."""

    name: str
    first: str
    last: str
    words: str


EVENTS = (
    Running("george floyd", "2020-05-25", "2020-06-03", r"floyd|minneapolis"),
    Running("beirut", "2020-08-04", "2020-08-11", r"beirut|lebanon|lebanese"),
    Running("belarus", "2020-08-09", "2020-08-19", r"belarus|lukashenko"),
    Running("christchurch sentence", "2020-08-22", "2020-08-29", r"tarrant|mosque"),
    Running("cummings", "2020-05-22", "2020-05-29", r"cummings"),
    Running("abs-cbn", "2020-05-05", "2020-05-10", r"abs-cbn"),
    Running("judith collins", "2020-07-13", "2020-07-20", r"judith collins|muller"),
    Running("tiktok", "2020-08-01", "2020-08-09", r"tiktok"),
    Running("navalny", "2020-08-20", "2020-08-30", r"navalny"),
    Running("hong kong law", "2020-06-29", "2020-07-06", r"hong kong"),
)


def load(folder: Path) -> tuple[LabelledArticle, ...]:
    """Titles of the events, by date. Raises UserError where there are no polled feeds."""
    found = (replace(one, text="", summary="", story=story) for one, story in _articles(folder))
    return tuple(sorted(found, key=lambda one: (str(one.published), one.id)))


def _articles(folder: Path) -> Iterator[tuple[LabelledArticle, str]]:
    for article in read_polled(folder):
        events = _events(article)
        if len(events) == 1:
            yield article, events[0]


def _events(article: LabelledArticle) -> Sequence[str]:
    day = str(article.published)[:10]
    text = f"{article.title}. {article.body[:HEAD]}".lower()
    return [
        one.name for one in EVENTS if one.first <= day <= one.last and re.search(one.words, text)
    ]
