"""Plain text of HTML: what is kept, where lines break, and that no input is too much."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.kernel.text.characters import plain, without_controls
from newsloom.kernel.text.html import excerpt, to_text, visible

TEXTS = {
    "plain": ("Just words.", "Just words."),
    "paragraphs": ("<p>One.</p><p>Two.</p>", "One.\nTwo."),
    "line break": ("One<br/>two<BR>three", "One\ntwo\nthree"),
    "inline tags stand inside words": ("<b>W</b>ord and <i>w</i>ord", "Word and word"),
    "cells stand apart": ("<tr><td>1</td><td>2</td></tr><tr><td>3</td></tr>", "1 2\n3"),
    "pictures stand apart": ("one<img src=x>two", "one two"),
    "white space": ("  a \n\t b\xa0 c  ", "a b c"),
    "list": ("<ul><li>a<li>b</ul>c", "a\nb\nc"),
    "named entities": ("Fish &amp; chips &lt;3 caf&eacute;", "Fish & chips <3 café"),
    "numeric entities": ("&#8220;a&#x201d; &#233;", "“a” é"),
    "entities of controls": ("a&#0;b&#x1;c&#xD800;", "a\ufffdbc\ufffd"),
    "an entity of thousands of digits": (f"a&#{'9' * 5_000};b", "a\ufffdb"),
    "escaped tags are text": ("&lt;p&gt;", "<p>"),
    "less than": ("1 < 2 and 3 <4", "1 < 2 and 3 <4"),
    "hidden by its style": ('a<i style="color:red; DISPLAY : none">b<i>c</i>d</i>e', "ae"),
    "hidden by size": ("a<i style='font-size:0px'>b</i><i style='font-size:0.8em'>c</i>", "ac"),
    "hidden by opacity": ('a<i style="opacity:.0">b</i><i style="opacity:0.5">c</i>', "ac"),
    "hidden by attribute": ("a<i hidden>b</i><i hidden=''>c</i>d", "ad"),
    "hidden paragraph without an end": ('<p style="display:none">a<p>b', "b"),
    "hidden element without an end": ('a<div style="visibility:hidden">b', "a"),
    "a hidden picture hides no words": ('a<img style="display:none">b<input hidden>c', "a bc"),
    "a class named hidden": ('a<i class="x hidden y" title=" hidden ">b</i>', "ab"),
    "comment": ("a<!-- <p>hidden</p> -->b", "ab"),
    "empty comments": ("a<!-->b<!--->c<!---->d", "abcd"),
    "comment without an end": ("a<!-- b", "a"),
    "comment of older pages": ("a<!--[if mso]>x<![endif]-->b", "ab"),
    "declaration and instruction": ("<!DOCTYPE html><?xml x?>a", "a"),
    "script": ("a<script>if (a < b) c('</p>')</script>b", "ab"),
    "script in capitals": ("a<SCRIPT type=x>b</Script >c", "ac"),
    "script without an end": ("a<script>b", "a"),
    "script in a comment": ("a<!-- <script> -->b", "ab"),
    "script in an attribute": ('a<img alt="<script>">b', "a b"),
    "style": ("a<style>p{}</style>b", "ab"),
    "svg": ("a<svg><title>x</title><path d='M0'/></svg>b", "ab"),
    "frame closed at once": ("a<iframe src=x />b<iframe></iframe>c", "abc"),
    "frame without an end": ("a<iframe>b", "ab"),
    "player": ("a<video src=x>Your browser is old.</video>b", "ab"),
    "page": ("<html><head><title>T</title></head><body>a</body></html>", "a"),
    "header is not head": ("<header>a</header>b", "a\nb"),
    "angle in a quoted value": ('<a title="a > b" href=x>c</a>', "c"),
    "tags in a quoted value": ('<div data-x="<p>no</p>">yes</div>', "yes"),
    "stray apostrophe in a tag": ("<p it's>a</p>b", "a\nb"),
    "cut inside a tag": ('a <img src="http://e.te', "a"),
    "cut inside an entity": ("a &am", "a &am"),
    "soft hyphens and zero widths": ("lo\xadom \u200bnews\ufeff", "loom news"),
    "direction overrides": ("a\u202eb\u2066c", "abc"),
    "emoji stay whole": ("👩\u200d💻 👍🏽", "👩\u200d💻 👍🏽"),
    "joiners of letters stay": ("می\u200cخواهم", "می\u200cخواهم"),
    "lone surrogates": ("a\ud800b", "ab"),
    "NUL": ("a\x00b", "ab"),
    "nothing": ("", ""),
    "only markup": ("<p><img src=x></p>", ""),
}


@pytest.mark.parametrize(("html", "text"), TEXTS.values(), ids=TEXTS.keys())
def test_plain_text(html, text):
    assert to_text(html, 10_000) == text
    assert visible(html) == "".join(text.split())


def test_the_limit_is_kept_and_what_is_given_is_the_beginning():
    html = "<p>Some words in a paragraph, with a <a href='/long/address'>link</a>.</p>\n" * 5_000
    whole = to_text(html, 10**7)
    for limit in (0, 1, 10, 599, 600, 100_000):
        text = to_text(html, limit)
        assert len(text) <= limit
        assert whole.startswith(text)
        assert len(text) >= limit - 1


def test_text_behind_much_markup_is_found():
    assert to_text("<img src='" + "x" * 500_000 + "'>the words", 100) == "the words"
    assert to_text("<script>" + "x" * 500_000 + "</script>the words", 100) == "the words"
    assert to_text("<!--" + "x" * 500_000 + "-->the words", 100) == "the words"


@pytest.mark.parametrize("limit", [-1, 0])
def test_no_text_is_wanted(limit):
    assert to_text("<p>words</p>", limit) == ""


HOSTILE = {
    "hidden in hidden": '<div style="display:none">' * 20_000,
    "opaque by thousands of zeros": f'<b style="opacity:{"0" * 50_000}x">',
    "depth": "<div>" * 100_000,
    "open brackets": "<" * 5_000_000,
    "attributes": "<a " + "x=1 " * 50_000 + ">",
    "unclosed quotes": "<a b='" * 800_000,
    "alternating quotes": "<a b='c\"" * 600_000,
    "comments": "<!--" * 1_000_000,
    "scripts": "<script>" * 150_000,
    "frames that never close": "<iframe>x" * 125_000,
    "pictures": "<svg></svg>" * 100_000,
    "digits": "&#" + "9" * 5_000_000,
    "ampersands": "&" * 5_000_000,
    "paragraphs": "<p>Hello &amp; bye" * 280_000,
    "one line": "word " * 1_000_000,
}


@pytest.mark.parametrize("html", HOSTILE.values(), ids=HOSTILE.keys())
@pytest.mark.timeout(20)
def test_hostile_html_is_read_once(html):
    assert len(to_text(html, 1_000)) <= 1_000
    assert "<script" not in visible(html)


@given(st.text(max_size=200), st.integers(0, 60))
def test_any_text(text, limit):
    shown = to_text(text, limit)
    assert len(shown) <= limit
    assert without_controls(shown) == shown
    assert len(excerpt(text, limit)) <= limit
    visible(f"<p title={text}")


EXCERPTS = {
    "short enough": ("A few words.", 12, "A few words."),
    "between words": ("One two three four", 10, "One two…"),
    "no punctuation before the sign": ("One, two, three", 9, "One, two…"),
    "lines are joined": ("One\n\ntwo", 20, "One two"),
    "a word too long": ("Donaudampfschifffahrt", 8, "Donauda…"),
    "no spaces": ("新しい記事がここにある", 6, "新しい記事…"),
    "accents stay with their letter": ("e\u0301" * 10, 6, "e\u0301e\u0301…"),
    "emoji stay whole": ("👍🏽👍🏽👍🏽", 4, "👍🏽…"),
    "no room": ("Words", 0, ""),
    "room for the sign alone": ("Words", 1, ""),
}


@pytest.mark.parametrize(("text", "length", "cut"), EXCERPTS.values(), ids=EXCERPTS.keys())
def test_excerpts(text, length, cut):
    assert excerpt(text, length) == cut


def test_plain_keeps_all_that_is_seen():
    assert (
        plain("Ünïcode – 新聞 العربية 🏳\ufe0f\u200d🌈") == "Ünïcode – 新聞 العربية 🏳\ufe0f\u200d🌈"
    )
    assert plain("a\u00adb\u200bc\U000e0041") == "abc"
