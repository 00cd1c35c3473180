"""Content depth: what is counted of a text, and that it cannot be bought."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.importance.score import EXCERPT, depth, shape
from newsloom.importance.values import SourceKind, TextShape

PLAIN = "word " * 400


def rated(html: str, text: str = PLAIN, kind: SourceKind | None = None) -> float:
    return depth(shape(html, text, "paper.example"), kind)


@pytest.mark.parametrize(
    ("html", "counted"),
    [
        pytest.param("", {}, id="nothing"),
        pytest.param("<table><tr></tr></table>", {"tables": 1}, id="a table"),
        pytest.param("<ul><li>a<li>b</ul>", {"lists": 1}, id="a list"),
        pytest.param("<ul><li>a</ul>", {}, id="a list of one"),
        pytest.param("<h2>a</h2><h3>b</h3><h1>c</h1>", {"headings": 2}, id="headings but a title"),
        pytest.param('<a href="https://law.example/1">x</a>', {"citations": 1}, id="a citation"),
        pytest.param(
            '<a href="https://law.example/1"></a><a href="https://law.example/2"></a>',
            {"citations": 1},
            id="one site once",
        ),
        pytest.param(
            '<a href="https://paper.example/1"></a><a href="https://www.paper.example/2"></a>',
            {},
            id="its own site",
        ),
        pytest.param("<blockquote>so</blockquote>", {"citations": 1}, id="a quotation"),
    ],
)
def test_what_is_counted(html, counted):
    assert shape(html, "", "paper.example") == TextShape(**counted)


@pytest.mark.parametrize(
    ("text", "words", "numbers"),
    [
        pytest.param("Twelve of 40 voted, 3.5% more", 6, 2, id="numbers"),
        pytest.param("東京で地震がありました", 5, 0, id="written without spaces"),
        pytest.param("", 0, 0, id="nothing"),
    ],
)
def test_words_and_numbers(text, words, numbers):
    found = shape("", text, "")
    assert (found.words, found.numbers) == (pytest.approx(words, abs=1), numbers)


def test_a_text_without_words_is_as_deep_as_the_usual_excerpt():
    assert rated("<table></table>" * 1_000, "") == EXCERPT


def test_a_thousand_tables_are_worth_three():
    assert rated("<table></table>" * 1_000) == rated("<table></table>" * 3)
    links = "".join(f'<a href="https://a{one}.example/"></a>' for one in range(1_000))
    assert rated(links) <= rated("") + 12.5


def test_a_headline_with_a_table_is_not_deep():
    assert rated("<table></table>" * 9, "Big news today") == EXCERPT


def test_a_wire_report_is_judged_as_one():
    text = "word " * 500
    assert rated("", text, SourceKind.WIRE) > rated("", text, SourceKind.JOURNAL)


@given(
    counted=st.builds(TextShape, *([st.integers(0, 10**6)] * 6)),
    kind=st.none() | st.sampled_from(SourceKind),
)
def test_depth_is_between_0_and_100(counted, kind):
    assert 0 <= depth(counted, kind) <= 100


@given(words=st.integers(1, 5_000), more=st.integers(1, 5_000))
def test_longer_is_never_shallower(words, more):
    assert depth(TextShape(words + more)) >= depth(TextShape(words))


@pytest.mark.parametrize(
    "html",
    [
        pytest.param("<a " * 70_000, id="openings"),
        pytest.param("<a href=" * 25_000, id="addresses without an end"),
        pytest.param("<a href='https://" + "x" * 200_000, id="one long address"),
        pytest.param("1" * 200_000, id="one long number"),
        pytest.param("1," * 100_000, id="one long list of digits"),
    ],
)
def test_hostile_texts_are_counted(html):
    assert shape(html, html, "paper.example").tables == 0
