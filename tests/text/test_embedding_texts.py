"""What encoders are given to read of articles and of hits of a search."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.ranking.encoder_text import (
    candidate_text,
    embedding_text,
    query_text,
)


@pytest.mark.parametrize(
    ("title", "source", "read"),
    [
        ("Fed holds rates - Reuters", "Reuters", "Fed holds rates Reuters"),
        ("Fed holds rates – reuters", "Reuters", "Fed holds rates Reuters"),
        ("Fed holds rates", "Reuters", "Fed holds rates Reuters"),
        # The search says whose it is by domain, the title by name.
        ("Fed holds rates - The New York Times", "nytimes.com", "Fed holds rates nytimes.com"),
        ("Fed holds rates | Ars Technica", "ars technica", "Fed holds rates ars technica"),
        # No publisher known anywhere, but it is what the search says.
        ("Bürgermeister tritt zurück - Kleine Post", "Kleine Post", None),
        # What only looks like one.
        ("Trump - Xi: the talks", "CNN", "Trump - Xi: the talks CNN"),
        ("A day in the life of Reuters", "Reuters", "A day in the life of Reuters Reuters"),
        ("- Reuters", "Reuters", "- Reuters Reuters"),
        ("Reuters", "Reuters", "Reuters Reuters"),
        ("Fed holds rates", "", "Fed holds rates"),
        ("", "Reuters", "Reuters"),
        ("", "", ""),
        ("Two\nlines \u200b here - BBC", "BBC", "Two lines here BBC"),
    ],
)
def test_a_hit_is_its_title_and_its_source_once(title: str, source: str, read: str | None) -> None:
    expected = "Bürgermeister tritt zurück Kleine Post" if read is None else read
    assert candidate_text(title, source) == expected


def test_what_is_looked_for_is_its_title_and_description() -> None:
    assert (
        query_text("Fed holds rates - Reuters", "It said\n so. ") == "Fed holds rates. It said so."
    )
    assert query_text("Fed holds rates", "") == "Fed holds rates"
    assert query_text("", "It said so.") == "It said so."


@given(st.text(max_size=3_000), st.text(max_size=3_000))
def test_any_text_makes_one_line_of_bounded_length(one: str, other: str) -> None:
    for read in (query_text(one, other), candidate_text(one, other)):
        assert "\n" not in read
        assert len(read) <= 2_010
    assert bool(embedding_text(one, other)) == bool(one or other)
