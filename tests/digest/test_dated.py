"""Summaries of digests, whose sentences name days by the day that the digest is read on."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from newsloom.digests.select import digest
from newsloom.digests.values import DigestArticle, DigestGroup, DigestKind, FeedReport
from newsloom.kernel.ids import ArticleId
from newsloom.summaries.dated import dated, written_days

NOON = datetime(2026, 11, 18, 12, tzinfo=UTC)  # a Wednesday
TEXT = (
    "The city opened its new bridge to the north on Monday. "
    "The mayor said yesterday that the bridge had cost forty million euros."
)


def test_a_digest_read_on_the_next_day_names_weekdays() -> None:
    lead = DigestArticle(
        id=ArticleId(1),
        title="The city opens its bridge",
        url="https://bbc.co.uk/a",
        source="bbc.co.uk",
        publisher="BBC",
        owner="BBC",
        tier=2,
        category="",
        language="en",
        published=NOON,
        importance=80.0,
        text=TEXT,
    )
    group = DigestGroup("1", "", lead.id, (lead,))
    for days, end in ((1, "on Tuesday that the bridge"), (8, "on Tuesday 17 November that the")):
        at = NOON + timedelta(days=days)
        made = digest([group], DigestKind.EVENING, NOON, at, "Europe/Berlin", FeedReport())
        told = [one.text for one in made.topics[0].summary]
        shown = [one.text for one in dated(made).topics[0].summary]
        assert "yesterday" in told[-1]  # what is remembered is what the article says
        assert end in shown[-1]
        assert ("on Monday 16 November." in shown[0]) is (days == 8)
        assert [one.articles for one in made.topics[0].summary] == [
            one.articles for one in dated(made).topics[0].summary
        ]


@pytest.mark.parametrize(
    ("hour", "country", "days"),
    [
        (12, "US", [18]),
        (2, "US", [17]),  # the evening before, everywhere in America
        (6, "US", [17, 18]),
        (21, "DE", [18]),
        (23, "DE", [19]),  # in winter it is midnight there
        (20, "NZ", [19]),
        (12, "", [18]),
        (20, "", [18, 19]),
        (0, "US", [17, 18]),  # midnight is often a date without a time
    ],
)
def test_the_day_of_writing_is_that_of_the_place(hour: int, country: str, days: list[int]) -> None:
    at = datetime(2026, 11, 18, hour, 30 if hour else 0, tzinfo=UTC)
    assert written_days(at, country) == tuple(date(2026, 11, day) for day in days)
