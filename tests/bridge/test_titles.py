"""Titles marked and restored, whatever publishers write."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.bridges.ttrss import titles

WRITTEN = st.text(st.characters(exclude_characters=titles.SEAM, exclude_categories=["Cs"]))
LIKE_OURS = st.sampled_from(
    ["[2024] in review", "[85] title (TS: 4)", "[7]", "(TS: 5)", "", " ", "[85] ", "a\n[1] b"]
)
MARKS = st.builds(
    lambda points, rating: f"{points} {rating}" if rating else str(points),
    st.integers(0, 100),
    st.integers(0, 5),
)


@given(WRITTEN | LIKE_OURS, MARKS)
def test_what_was_marked_is_restored_exactly(written, mark):
    assert titles.parse(titles.marked(written, mark)) == (written, mark)


@given(WRITTEN | LIKE_OURS)
def test_what_was_not_marked_is_left_alone(written):
    assert titles.parse(written) == (written, "")
    assert titles.marked(written, "") == written


@pytest.mark.parametrize(
    ("mark", "seen"),
    [
        pytest.param("85 4", "[85] A title (TS: 4)", id="both"),
        pytest.param("7", "[7] A title", id="not-judged"),
        pytest.param("", "A title", id="none"),
    ],
)
def test_how_it_looks(mark, seen):
    assert titles.marked("A title", mark).replace(titles.SEAM, "") == seen
