"""Lines of an articles file as copies that can be taken in. Reads no file."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from html import escape

from newsloom.feeds.parse.plain import one_line, storable
from newsloom.feeds.values.published import ParsedArticle
from newsloom.kernel.text.urls import host
from newsloom.ranking.measure.articles import LabelledArticle, article, object_of
from newsloom.ranking.values.labelled import LabelledCopy
from newsloom.reading.values.reading import EventKind

# What a label of the file is as an event.
KINDS: Mapping[str, EventKind] = {
    "like": EventKind.LIKE,
    "dislike": EventKind.DISLIKE,
    "read": EventKind.FINISHED,
    "skip": EventKind.SKIPPED,
}

# Longer texts are cut: no article is, and models read the first few hundred words.
LONGEST_TEXT = 1_000_000


def line_as_copy(line: bytes, place: str, now: datetime) -> LabelledCopy:
    """One line of a file. Raises UserError naming the place."""
    return copy_of(article(object_of(line, place), place), now)


def copy_of(one: LabelledArticle, now: datetime) -> LabelledCopy:
    """An article with what was said of it, no later than now."""
    url = one.url.strip() if one.url.strip().lower().startswith(("http://", "https://")) else ""
    source = one_line(one.source) or host(url) or "elsewhere"
    article = ParsedArticle(
        guid=storable(one.id),
        url=storable(url),
        title=one_line(one.title),
        summary=_html(one.summary),
        content=_html(one.text),
        published=one.published,
        language=one_line(one.language)[:32],
    )
    return LabelledCopy(article, source[:200], _marks(one, now))


def _marks(one: LabelledArticle, now: datetime) -> tuple[tuple[EventKind, datetime], ...]:
    at = min(one.labelled_at or one.published or now, now)
    star = min(one.starred_at, now) if one.starred_at else None
    stars = ((EventKind.STAR, star),) if star else ()
    # A star alone is written as a like of the same moment, so that every reader of the file, also
    # one that knows no stars, takes it for what it is.
    if not one.label or (one.label == "like" and star == at):
        return stars
    return ((KINDS[one.label], at), *stars)


def _html(text: str) -> str:
    lines = storable(text[:LONGEST_TEXT]).split("\n")
    return "".join(f"<p>{escape(line)}</p>" for line in lines if line.strip())
