"""Sentences of articles, with the days they name as days of the reader's. Pure.

An article says "yesterday" of the place it was written at, and only the moment is known. The table
of sources has the country of most; of others any place between California and Sydney may be it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from newsloom.digests.values import Digest, DigestArticle, DigestTopic
from newsloom.importance.sources.table import row_of
from newsloom.kernel.text.relative_days import resolved

# Hours from UTC, the least and the most of a year.
_ANYWHERE = (-8, 11)
_HOURS = {
    country: (least, most)
    for countries, least, most in (
        ("GB IE PT", 0, 1),
        ("NG DE FR IT ES AT CH NL BE LU DK NO SE PL CZ SK HU SI HR RS", 1, 2),
        ("ZA FI EE LV LT UA RO BG GR IL EG LB", 2, 3),
        ("TR RU BY KE SA QA IR AE", 3, 4),
        ("PK IN LK BD", 5, 6),
        ("TH VN ID", 7, 8),
        ("CN HK TW SG MY PH", 8, 8),
        ("JP KR", 9, 9),
        ("AU", 8, 11),
        ("NZ", 12, 13),
        ("BR AR CL UY", -4, -3),
        ("MX CO PE EC", -7, -5),
        ("US CA", -8, -3),
    )
    for country in countries.split()
}


def dated(digest: Digest) -> Digest:
    """The digest, whose summaries name days by the day it ends on."""
    read = day_of(digest)

    def each(topics: Iterable[DigestTopic]) -> tuple[DigestTopic, ...]:
        return tuple(dated_topic(one, read) for one in topics)

    return replace(
        digest,
        top=each(digest.top),
        for_you=each(digest.for_you),
        noteworthy=each(digest.noteworthy),
        followed=each(digest.followed),
    )


def day_of(digest: Digest) -> date:
    """The day it ends on, where its reader is."""
    return digest.end.astimezone(ZoneInfo(digest.zone)).date()


def dated_topic(topic: DigestTopic, read: date) -> DigestTopic:
    """A topic as it is read on a day."""
    articles = {one.id: one for one in (topic.lead, *topic.related)}
    return replace(
        topic,
        summary=tuple(
            replace(one, text=in_days(one.text, articles[one.articles[0]], read))
            if one.articles and one.articles[0] in articles and not one.disagrees
            else one
            for one in topic.summary
        ),
    )


def in_days(sentence: str, article: DigestArticle, read: date, tongue: str = "") -> str:
    """A sentence of an article as it is read on a day; `tongue` is its language, where known."""
    written = written_days(article.published, _country(article.source))
    return resolved(sentence, tongue or article.language, written, read)


def written_days(published: datetime, country: str) -> tuple[date, ...]:
    """The days it may have been where something was published; a midnight is often none."""
    if published.time() == time(0):
        return (published.date() - timedelta(days=1), published.date())
    local = (published + timedelta(hours=one) for one in _HOURS.get(country, _ANYWHERE))
    return tuple(sorted({one.date() for one in local}))


@lru_cache(maxsize=4_096)
def _country(source: str) -> str:
    row = row_of(source)
    return row.country if row is not None else ""
