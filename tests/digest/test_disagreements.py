"""Which numbers of two publishers are told to differ: of the same harm, counted on the same day."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from newsloom.digests.values import DigestArticle
from newsloom.kernel.ids import ArticleId
from newsloom.summaries.disagreements import disagreements
from newsloom.summaries.ranking import candidates

NOON = datetime(2026, 11, 18, 12, tzinfo=UTC)
LEAD = "At least 12 people were killed by the flood at Rotterdam on Friday, police said."


def article(number: int, text: str, hours: int = 0) -> DigestArticle:
    return DigestArticle(
        id=ArticleId(number),
        title="",
        url="",
        source=f"paper{number}.example",
        publisher=f"Paper {number}",
        owner=f"Owner {number}",
        tier=3,
        category="",
        language="en",
        published=NOON + timedelta(hours=hours),
        importance=50.0,
        text=text,
    )


def told(*texts: str, hours: int = 0) -> list[str]:
    articles = [article(place, text, hours * place) for place, text in enumerate(texts)]
    return [one.text for one in disagreements(candidates(articles))]


@pytest.mark.parametrize(
    "other",
    [
        "The flood at Rotterdam on Friday killed 15 people, the mayor said.",
        "The death toll rose to 17 on Friday after the flood at Rotterdam, police said.",
        "Police said the flood at Rotterdam left nine people dead on Friday.",
    ],
)
def test_two_tolls_of_one_event_are_named_with_their_publishers(other: str) -> None:
    (line,) = told(LEAD, other)
    assert line.startswith("Sources differ: “At least 12 people were killed")
    assert "(Paper 0)" in line
    assert "(Paper 1)" in line


@pytest.mark.parametrize(
    "other",
    [
        "The flood at Rotterdam on Friday killed 12 people, the mayor said.",  # the same
        "The flood at Rotterdam on Friday killed more than 11 people, police said.",  # a round one
        "The flood at Rotterdam on Friday killed a dozen people, the mayor said.",
        "The flood at Rotterdam killed 15 people including the driver, police said on Friday.",
        "The flood at Rotterdam could have killed 15 people on Friday, police said.",
        "Most of the people whom the flood killed at Rotterdam, 15, were there on Friday.",
        "The flood at Rotterdam in 1953 killed 15 people on Friday, police said.",
        "The flood at Rotterdam on Friday was 15 metres high, people of the police said.",
        "The police of Rotterdam said that on Friday 15 people were hurt in the flood.",
        "Fifteen people died when a train left its rails near Milan, officials said.",
        "The flood at Rotterdam on Friday killed 150 people, the mayor said.",  # too far apart
    ],
)
def test_what_is_not_the_same_count_is_no_difference(other: str) -> None:
    assert told(LEAD, other) == []


def test_a_toll_that_rose_on_another_day_is_no_difference() -> None:
    other = "The flood at Rotterdam on Friday killed 15 people, the mayor said."
    assert told(LEAD, other, hours=20) != []
    assert told(LEAD, other, hours=30) == []
