"""Names of one sentence in the others of its document."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.articles.entities.finder import KINDS, Span
from newsloom.articles.entities.model import throughout


def names(document, found):
    return [
        [(" ".join(words[one.start : one.end]), one.kind) for one in spans]
        for words, spans in zip(document, throughout(document, found), strict=True)
    ]


@pytest.mark.parametrize(
    ("sentences", "found", "expected"),
    [
        pytest.param(
            ["Acme Foods rose", "buy Acme Foods now"],
            [[Span(0, 2, "organisation")], []],
            [[("Acme Foods", "organisation")], [("Acme Foods", "organisation")]],
            id="found once, there twice",
        ),
        pytest.param(
            ["Acme rose", "Acme fell", "in Acme"],
            [[Span(0, 1, "organisation")], [Span(0, 1, "organisation")], [Span(1, 2, "place")]],
            [[("Acme", "organisation")], [("Acme", "organisation")], [("Acme", "organisation")]],
            id="what most say",
        ),
        pytest.param(
            ["Acme rose", "in Acme", "at Acme"],
            [[Span(0, 1, "organisation")], [Span(1, 2, "place")], []],
            [[("Acme", "organisation")], [("Acme", "place")], []],
            id="two minds",
        ),
        pytest.param(
            ["US rose", "let US go"],
            [[Span(0, 1, "place")], []],
            [[("US", "place")], []],
            id="short words stand for themselves",
        ),
        pytest.param(
            ["Bank of Acme rose", "in Acme"],
            [[Span(0, 3, "organisation")], [Span(1, 2, "place")]],
            [[("Bank of Acme", "organisation")], [("Acme", "place")]],
            id="a part of a name is not it",
        ),
        pytest.param(
            ["Ann Day spoke", "then Day left"],
            [[Span(0, 2, "person")], []],
            [[("Ann Day", "person")], [("Day", "person")]],
            id="a last name",
        ),
        pytest.param([""], [[]], [[]], id="nothing"),
    ],
)
def test_a_wording_is_one_name_in_a_document(sentences, found, expected):
    assert names([one.split() for one in sentences], found) == expected


@given(
    st.lists(st.lists(st.sampled_from(["A", "Bc", "Def", "of", "x"]), max_size=8), max_size=4),
    st.data(),
)
def test_names_never_lie_on_one_another(document, data):
    found = []
    for words in document:
        cuts = sorted(data.draw(st.sets(st.integers(0, len(words)), max_size=6)))
        found.append(
            [
                Span(start, end, data.draw(st.sampled_from(KINDS[:3])))
                for start, end in zip(cuts[::2], cuts[1::2], strict=False)
            ]
        )
    for words, spans in zip(document, throughout(document, found), strict=True):
        places = [place for one in spans for place in range(one.start, one.end)]
        assert len(set(places)) == len(places)
        assert all(0 <= place < len(words) for place in places)
