"""What articles tell of themselves: corrections, tracking marks; and who reported beside whom."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.importance.sources.corroboration import (
    EDGE,
    MOST_LINKS,
    Counts,
    Member,
    corrected,
    count,
    marked,
)


@pytest.mark.parametrize(
    ("title", "text", "said"),
    [
        pytest.param("Correction: of the tides", "", True, id="the title"),
        pytest.param(" CORRECTED: tides", "", True, id="in capitals"),
        pytest.param("Course correction: needed", "", False, id="elsewhere in the title"),
        pytest.param("", "An earlier version of this story said ten.", True, id="the text"),
        pytest.param("", "In einer früheren Version hieß es zehn.", True, id="in German"),
        pytest.param(
            "", "x" * 9 * EDGE + " This article was amended on 2 May.", True, id="the end"
        ),
        pytest.param(
            "",
            "x" * 9 * EDGE + " This article has been corrected " + "x" * 9 * EDGE,
            False,
            id="in the middle, as a quote",
        ),
        pytest.param("Ministers correct a mistake", "It was corrected.", False, id="of others"),
    ],
)
def test_a_correction_is_what_a_publisher_says_of_itself(title, text, said):
    assert corrected(title, text) is said


@pytest.mark.parametrize(
    ("document", "found"),
    [
        ('<a href="https://a.example/1">', (1, 0)),
        ('<a href="https://a.example/1?utm_source=b&amp;x=1">', (1, 1)),
        ("<img src='https://ad.doubleclick.net/x'>", (1, 1)),
        ('<a href="https://notdoubleclick.net/x">', (1, 0)),
        ('<a href="/relative?utm_source=b">', (0, 0)),
        ('<a href="https://[broken?utm_source=b">', (1, 0)),
        ('<a href="https://a.example/">' * 1_000, (MOST_LINKS, 0)),
        ("href=" * 100_000, (0, 0)),
        ("", (0, 0)),
    ],
)
def test_links_that_track(document, found):
    assert marked([document]) == found


def members(*those: tuple[str, int, str, int]) -> dict[str, Counts]:
    counts: dict[str, Counts] = {}
    count([Member(*one) for one in those], counts)
    return counts


@pytest.mark.parametrize(
    ("those", "told"),
    [
        pytest.param([("x.example", 1, "", 1), ("reuters.com", 2, "", 2)], (1, 1), id="first"),
        pytest.param([("x.example", 1, "", 2), ("reuters.com", 2, "", 1)], (1, 0), id="after"),
        pytest.param([("x.example", 1, "", 1), ("reuters.com", 2, "", 1)], (1, 0), id="at once"),
        pytest.param([("x.example", 1, "", 1), ("reuters.com", 1, "", 2)], (0, 0), id="one text"),
        pytest.param([("x.example", 1, "AP", 1), ("bbc.com", 2, "AP", 2)], (0, 0), id="one wire"),
        pytest.param([("x.example", 1, "", 1), ("y.example", 2, "", 2)], (0, 0), id="unknown"),
        pytest.param([("x.example", 1, "", 1), ("infowars.com", 2, "", 2)], (0, 0), id="tier 5"),
        pytest.param(
            [("x.example", 1, "", 1), *((f"d{n}.example", n, "", n) for n in range(2, 32))],
            (0, 0),
            id="thirty domains made up",
        ),
    ],
)
def test_only_known_and_independent_sources_speak_for_one(those, told):
    found = members(*those).get("x.example", Counts())
    assert (found.corroborated, found.followed) == told


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["x.example", "bbc.com", "bbc.co.uk", "reuters.com", "y.example"]),
            st.integers(0, 3),
            st.sampled_from(["", "AP"]),
            st.integers(0, 5),
        ),
        max_size=12,
    )
)
def test_nobody_is_first_with_what_no_other_has(those):
    for source, found in members(*those).items():
        assert found.followed <= found.corroborated <= sum(one[0] == source for one in those)
