"""Which titles are HTML: one row per way that real feeds write them."""

from __future__ import annotations

import pytest

from newsloom.feeds.parse import parse_feed

from .builders import URL, atom_titled, titled


@pytest.mark.parametrize(
    ("written", "read"),
    [
        pytest.param("R&amp;D at AT&amp;T", "R&D at AT&T", id="plain, escaped once"),
        pytest.param("R&amp;amp;D", "R&D", id="escaped twice"),
        pytest.param("caf&amp;eacute; &amp;#8212; &amp;#x2019;", "café — ’", id="HTML entities"),
        pytest.param("don&amp;#146;t", "don’t", id="Windows' apostrophe as a reference"),
        pytest.param("don&#146;t", "don’t", id="Windows' apostrophe as a character"),
        pytest.param("&lt;b&gt;Bold&lt;/b&gt; claim", "Bold claim", id="formatting"),
        pytest.param("<![CDATA[<i>A</i> &amp; B]]>", "A & B", id="HTML in CDATA"),
        pytest.param("One&lt;br/&gt;two", "One two", id="line break"),
        pytest.param("How &lt;video&gt; works", "How <video> works", id="a lone tag is a topic"),
        pytest.param("vector&lt;int&gt; &amp;lt;3", "vector<int> <3", id="code"),
        pytest.param("&lt;a href='/x'&gt;Link&lt;/a&gt;", "Link", id="link"),
        pytest.param("5 &lt; 6 &gt; 4", "5 < 6 > 4", id="arithmetic"),
        pytest.param("AT&amp;T &amp;copy=1", "AT&T &copy=1", id="no semicolon, no entity"),
        pytest.param("  two\n\t words&#160;", "two words", id="white space"),
        pytest.param("cafÃ© â\x80\x99".replace("â\x80\x99", ""), "café", id="encoded twice"),
        pytest.param("&lt;script&gt;", "<script>", id="not formatting"),
        pytest.param(
            "a&#8206;b &#128105;&#8205;&#128187;", "a\u200eb 👩‍💻", id="marks that join stay"
        ),
        pytest.param(
            "Bounds on &lt;math&gt;&lt;msub&gt;&lt;mi&gt;x&lt;/mi&gt;&lt;mn&gt;2&lt;/mn&gt;"
            "&lt;/msub&gt;&lt;mo&gt;&amp;lt;&lt;/mo&gt;&lt;mn&gt;1&lt;/mn&gt;&lt;/math&gt; found",
            "Bounds on x_2<1 found",
            id="formula",
        ),
        pytest.param(
            "&lt;mml:math&gt;&lt;mml:mi&gt;x&lt;/mml:mi&gt;&lt;/mml:math&gt;-rays",
            "x -rays",
            id="formula with prefixes",
        ),
        pytest.param("How &lt;math&gt; works", "How <math> works", id="a formula's tag is a topic"),
        pytest.param("", "", id="empty"),
    ],
)
def test_rss_titles_may_be_html(written: str, read: str) -> None:
    assert parse_feed(titled(written), URL).articles[0].title == read


@pytest.mark.parametrize(
    ("kind", "written", "read"),
    [
        pytest.param("text", "1 &lt; 2 &amp;amp; 3", "1 < 2 &amp; 3", id="text is text"),
        pytest.param("html", "1 &amp;lt; 2 &lt;em&gt;now&lt;/em&gt;", "1 < 2 now", id="html"),
        pytest.param("html", "a&lt;p&gt;b&lt;/p&gt;c", "a b c", id="blocks part words"),
        pytest.param("html", "x&lt;style&gt;b{}&lt;/style&gt;y", "x y", id="style has no words"),
        pytest.param(
            "xhtml",
            '<div xmlns="http://www.w3.org/1999/xhtml">1 &lt; <b>2</b></div>',
            "1 < 2",
            id="xhtml",
        ),
    ],
)
def test_atom_titles_say_what_they_are(kind: str, written: str, read: str) -> None:
    assert parse_feed(atom_titled(written, kind), URL).articles[0].title == read


def test_a_title_is_cut_before_it_costs_anything() -> None:
    title = parse_feed(titled("&lt;b " * 100_000), URL).articles[0].title
    assert len(title) <= 4_000
