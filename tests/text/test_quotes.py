"""Words of a text: found again after it has changed, and marked in its HTML with nothing lost."""

from __future__ import annotations

import re
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.kernel.text.html import sanitize
from newsloom.reading import quotes
from newsloom.reading.values.annotations import Selector

HTML = (
    "<p>The  <b>warm</b> water of the&nbsp;gulf &amp; its <a href='https://x.test/?a=1&b=2'>wind"
    "</a>s.</p><ul><li>Warm water</li><li>cold wa\u00adter</li></ul><img src='https://x.test/i.png'"
    " alt='a > b'><p>warm water again</p>"
)


def clean(html=HTML):
    return sanitize(html, "https://x.test/")


def test_the_text_is_what_a_reader_sees():
    found = quotes.passage(clean())
    assert found.text == (
        "The warm water of the gulf & its winds. Warm water cold water warm water again"
    )
    lines = [found.text[start:] for start in found.lines]
    assert [line.split()[0] for line in lines if line] == ["The", "Warm", "cold", "warm"]


@pytest.mark.parametrize(
    ("wanted", "start"),
    [
        (Selector("warm water"), 4),
        (Selector("warm water", "", " again"), 62),
        (Selector("warm water", "cold water ", ""), 62),
        (Selector("warm water", start=70), 62),
        (Selector("gulf & its winds"), 22),
        (Selector("nothing of it"), None),
        (Selector(""), None),
        # The words were changed; those around them were not.
        (Selector("warm seas", "The ", " of the gulf"), None),
        (Selector("hot air", "The warm water ", " & its winds."), 15),
        (Selector("x", "The warm water ", "warm water again"), None),
    ],
)
def test_words_are_found_by_what_they_are_and_what_stands_around_them(wanted, start):
    found = quotes.find(quotes.passage(clean()).text, wanted)
    assert (found and found[0]) == start


@given(st.text(max_size=60), st.integers(0, 200), st.integers(1, 80), st.text(max_size=40))
def test_a_highlight_outlasts_what_is_added_before_and_behind(before, start, length, behind):
    text = " ".join(f"word{number} of the text" for number in range(12))
    start = min(start, len(text) - 1)
    end = min(start + length, len(text))
    wanted = quotes.selector(text, start, end)
    changed = f"{before} {text} {behind}"
    place = quotes.find(changed, wanted)
    assert place is not None
    assert changed[slice(*place)] == text[start:end]


def test_marks_are_put_around_words_and_change_nothing_else():
    html = clean()
    found = quotes.passage(html)
    place = quotes.find(found.text, Selector("water of the gulf & its winds"))
    marked = quotes.marked(html, found, {7: (*place, 'say "so" <b>')})
    assert re.sub(r"</?mark[^>]*>", "", marked) == html
    assert marked.count('id="h7"') == 1
    words = "".join(re.findall(r"<mark[^>]*>([^<]*)</mark>", marked))
    assert unescape(words) == "water of the\u00a0gulf & its winds"
    assert 'title="say &quot;so&quot; &lt;b&gt;"' in marked
    assert sanitize(marked, "https://x.test/").count("<mark") == marked.count("<mark")


@given(
    st.lists(
        st.sampled_from(
            ["<p>", "</p>", "<b>", "</b>", "<td>", "&lt;", " ", "é", "ab", "\n", "<br>"]
        )
    ),
    st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=4),
)
def test_marking_never_breaks_the_html(parts, chosen):
    html = clean("".join(parts))
    found = quotes.passage(html)
    length = len(found.text)
    spans = {
        number: (min(pair), min(max(pair), length), "")
        for number, pair in enumerate(chosen, start=1)
        if min(pair) < min(max(pair), length)
    }
    marked = quotes.marked(html, found, spans)
    assert re.sub(r"</?mark[^>]*>", "", marked) == html
    again = quotes.passage(marked)
    assert again.text == found.text
    places = {number: span[:2] for number, span in spans.items()}
    words = "".join(part.text for one in quotes.paragraphs(found, places) for part in one.parts)
    assert words.split() == found.text.split()
