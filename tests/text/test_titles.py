"""Titles and texts reduced: what is the same, what is not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.kernel.text.headlines import content_hash, normal_title
from newsloom.kernel.text.html import visible
from newsloom.kernel.text.language import language


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("A Story", "a story"),
        ("A story!", "A – story"),
        ("“Quoted” words", '"Quoted" words'),
        ("Straße", "STRASSE"),
        ("Cafe\u0301", "Café"),
        ("Ｆｕｌｌ width", "Full width"),
        ("soft\u00adhyphen", "softhyphen"),
        ("  spaces \n all over ", "spaces all over"),
        ("don’t", "don't"),
        ("under_score", "under score"),
    ],
)
def test_same_title(one, other):
    assert normal_title(one) == normal_title(other) != ""


@pytest.mark.parametrize(
    ("one", "other"),
    [("Episode 12", "Episode 13"), ("???", "!!!"), ("🎉", "🔥"), ("C", "C++ news"), ("a", "")],
)
def test_other_title(one, other):
    assert normal_title(one) != normal_title(other)


@given(st.text(max_size=80))
def test_normal_titles_are_normal(text):
    assert normal_title(normal_title(text)) == normal_title(text)


BODY = "<p>The mayor said 12 people came.</p>"
NOISE = {
    "white space": "<p>The  mayor\nsaid 12 people\tcame.</p>\n",
    "markup": "<div><b>The mayor</b> said 12 people came.</div>",
    "attributes": '<p class="x" data-time="1763700000">The mayor said 12 people came.</p>',
    "advertising parameters": (
        '<p>The mayor <a href="https://e.com/a?utm_source=2">said</a> 12 people came.</p>'
    ),
    "pictures": '<p>The mayor said 12 people came.<img src="pixel.gif?r=9817"></p>',
    "comments": "<!-- cached 12:04:11 --><p>The mayor said 12 people came.</p>",
    "scripts": "<script>var t=17</script><p>The mayor said 12 people came.</p>",
    "entities": "<p>The mayor said &#49;2 people came&#46;</p>",
    "invisible characters": "<p>The may\u00ador said 12 people came.\u200b</p>",
}
CHANGES = {
    "a word": "<p>The mayor thought 12 people came.</p>",
    "a figure": "<p>The mayor said 13 people came.</p>",
    "a sign": "<p>The mayor said 12 people came?</p>",
    "a case": "<p>The Mayor said 12 people came.</p>",
    "a sentence more": "<p>The mayor said 12 people came.</p><p>More follows.</p>",
}


def hashed(html: str, title: str = "A title") -> str:
    return content_hash(title, visible(html))


@pytest.mark.parametrize("html", NOISE.values(), ids=NOISE.keys())
def test_noise_is_no_revision(html):
    assert hashed(html) == hashed(BODY)


@pytest.mark.parametrize("html", CHANGES.values(), ids=CHANGES.keys())
def test_a_change_is_a_revision(html):
    assert hashed(html) != hashed(BODY)


def test_the_title_counts_and_stays_apart_from_the_text():
    assert hashed(BODY, "Another title") != hashed(BODY)
    assert hashed("b", "a") != hashed("", "ab") != hashed("ab", "")


@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        ("en-US", "en"),
        ("EN_gb", "en"),
        ("en", "en"),
        ("eng", "en"),
        ("zh-Hant-TW", "zh"),
        ("pt-BR", "pt"),
        ("iw", "he"),
        ("fil-PH", "fil"),
        (" de ", "de"),
        ("und", ""),
        ("mul", ""),
        ("", ""),
        ("English", ""),
        ("en us", ""),
        ("x-klingon", ""),
        ("-" * 10_000, ""),
    ],
)
def test_language_tags(tag, expected):
    assert language(tag) == expected
