"""What the sanitiser lets through, judged on its parsed output and not on its text."""

from __future__ import annotations

import html as entities
import re
from html.parser import HTMLParser
from pathlib import Path

import lxml.html
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from newsloom.text.html import LIMITS, sanitize

BASE = "https://news.test/2026/story"
PAYLOADS = (Path(__file__).parent / "xss_payloads.txt").read_text(encoding="utf-8").splitlines()


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ELEMENTS = words(
    "a abbr address article aside audio b bdi bdo big blockquote br caption center cite code col "
    "colgroup dd del details dfn div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header "
    "hgroup hr i img ins kbd li mark ol p pre q rp rt ruby s samp section small source span strike "
    "strong sub summary sup table tbody td tfoot th thead time tr tt u ul var video wbr"
)
ATTRIBUTES = words(
    "alt colspan controls datetime decoding dir height href hreflang lang loading open poster "
    "preload referrerpolicy rel reversed rowspan scope span src start target title type value "
    "width"
)
ADDRESSES = ("href", "src", "poster")
SAFE_ADDRESS = re.compile(r"(?:https?://[^/\s]|mailto:)[^\t\n\r]*", re.IGNORECASE)


class Tags(HTMLParser):
    """Every tag and attribute a second, independent parser sees."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str]]] = []

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, {name: value or "" for name, value in attrs}))

    def handle_comment(self, data):
        self.found.append(("a comment", {}))

    def handle_decl(self, decl):
        self.found.append(("a declaration", {}))

    def handle_pi(self, data):
        self.found.append(("an instruction", {}))


def tags(html: str) -> list[tuple[str, dict[str, str]]]:
    reader = Tags()
    reader.feed(html)
    reader.close()
    tree = lxml.html.fragment_fromstring(html, create_parent="div") if html.strip() else ()
    return reader.found + [
        (str(one.tag), dict(one.attrib)) for element in tree for one in element.iter()
    ]


def assert_harmless(html: str) -> None:
    for name, attributes in tags(html):
        assert name in ELEMENTS, html
        assert attributes.keys() <= ATTRIBUTES, html
        for address in ADDRESSES:
            if address in attributes:
                assert SAFE_ADDRESS.fullmatch(attributes[address]), html
        if name == "a":
            assert attributes["rel"] == "noopener noreferrer nofollow", html
            assert attributes["target"] == "_blank", html
        if name == "img":
            assert attributes["referrerpolicy"] == "no-referrer", html
            assert attributes["loading"] == "lazy", html
        if name in {"audio", "video"}:
            assert attributes["preload"] == "none", html
            assert "controls" in attributes, html


def test_the_corpus_is_large():
    assert len(set(PAYLOADS)) == len(PAYLOADS) >= 190


@pytest.mark.parametrize("payload", PAYLOADS)
@pytest.mark.parametrize("place", ["{}", "<p>{}</p>", "<div title='{}'>x</div>", "<td>a{}b<p>c"])
def test_nothing_runs(payload, place):
    clean = sanitize(place.format(payload), BASE)
    assert_harmless(clean)
    # Nor does anything appear when what was written out is read again, as a browser does.
    assert_harmless(sanitize(clean, BASE))


def test_all_payloads_together():
    assert_harmless(sanitize("\n".join(PAYLOADS), BASE))
    assert_harmless(sanitize("".join(reversed(PAYLOADS)), BASE))


# A wide space stands for a space inside a part.
PARTS = (
    "< > \" ' = / ` & ; ! - ? <svg <math <style <script <table <td <p <a\u3000href= <img\u3000src= "
    "<!-- --> </ <![CDATA[ ]]> <noscript <title <select <form <mtext <mglyph <foreignObject "
    "<template <iframe\u3000src= javascript: onerror=alert(1) style=x srcdoc= &lt; &#x3c; &quot; "
    "text https://e.test \u3000 \x00"
)
parts = st.sampled_from(PARTS.split(" ")).map(lambda part: part.replace("\u3000", " "))


@settings(max_examples=300)
@given(st.lists(parts, max_size=24).map("".join))
def test_no_arrangement_of_parts_runs(html):
    assert_harmless(sanitize(html, BASE))


KEPT = {
    "paragraphs": "<p>One <b>bold</b> and <em>soft</em> word.</p>",
    "lists": "<ul><li>a</li></ul><ol><li>b</li></ol>",
    "tables": '<table><tbody><tr><td colspan="2">a</td></tr></tbody></table>',
    "code": "<pre><code>if a &lt; b:\n    pass</code></pre>",
    "quotes": "<blockquote><p>said</p></blockquote>",
    "direction and language": '<p dir="rtl" lang="he">שלום</p>',
    "ruby": "<ruby>漢<rt>kan</rt></ruby>",
    "time": '<time datetime="2026-11-21">today</time>',
}


@pytest.mark.parametrize("html", KEPT.values(), ids=KEPT.keys())
def test_what_articles_are_made_of_stays(html):
    assert sanitize(html, BASE) == html


def only(html: str) -> tuple[str, dict[str, str]]:
    reader = Tags()
    reader.feed(sanitize(html, BASE))
    (found,) = reader.found
    return found


@pytest.mark.parametrize(
    ("written", "absolute"),
    [
        ("other", "https://news.test/2026/other"),
        ("/a?b=1&amp;c=2", "https://news.test/a?b=1&c=2"),
        ("//cdn.test/a", "https://cdn.test/a"),
        ("#note", "https://news.test/2026/story#note"),
        ("https://e.test/a", "https://e.test/a"),
        ("mailto:desk@news.test", "mailto:desk@news.test"),
    ],
)
def test_links_are_absolute(written, absolute):
    assert only(f'<a href="{written}">x</a>')[1]["href"] == absolute


def test_without_a_base_relative_links_lead_nowhere():
    assert "href" not in sanitize('<a href="/a">x</a>', "")
    assert "src" not in sanitize('<img src="a.png">', "")


def test_pictures_are_lazy_and_tell_nothing():
    name, attributes = only('<img src="/a.png" srcset="b.png 2x" alt="A loom" width="90" id=x>')
    assert name == "img"
    assert attributes == {
        "src": "https://news.test/a.png",
        "alt": "A loom",
        "width": "90",
        "loading": "lazy",
        "decoding": "async",
        "referrerpolicy": "no-referrer",
    }


def test_players_wait_to_be_started():
    name, attributes = only('<video src="/a.mp4" autoplay loop onplay=x></video>')
    assert name == "video"
    assert attributes == {"src": "https://news.test/a.mp4", "controls": "", "preload": "none"}


def test_the_same_html_comes_out_every_time() -> None:
    """Attributes in one order: nothing differs between two processes, or two views of a page."""
    html = "<img src=/a.png alt=a><video src=/a.mp4></video><audio src=/a.mp3></audio>"
    assert len({sanitize(html, "https://news.test/") for _ in range(100)}) == 1


def test_words_that_look_like_what_is_added_stay_words() -> None:
    code = 'preload="none"> referrerpolicy="no-referrer">'
    clean = sanitize(f"<p title='{code}'>{entities.escape(code)}</p>", "https://news.test/")
    assert entities.unescape(clean) == f'<p title="{code}">{code}</p>'


def test_an_embedded_frame_becomes_a_link():
    clean = sanitize('<p>Watch:</p><iframe width=9 src="//www.tube.test/embed/1"></iframe>', BASE)
    assert 'href="https://www.tube.test/embed/1"' in clean
    assert "Embedded: tube.test" in clean
    assert "iframe" not in clean


def test_control_characters_are_gone():
    assert sanitize("a\x00b\x08c\x1b[31m&#1;\ud800\uffffd\ne", BASE) == "abc[31md\ne"


TOO_MUCH = {
    "nesting": ("<div>" * 100_000 + "the words", "nested too deeply"),
    "nesting that pretends to close": (
        "<div><object></div></object>" * 5_000 + "the words",
        "nested too deeply",
    ),
    "formatting reopened in every paragraph": (
        "<p>" + "".join(f"<b a={n}>" for n in range(200)) + "<p>x" * 3_000 + "the words",
        "nested too deeply",
    ),
    "attributes": (
        "<a " + " ".join(f"x{n}=1" for n in range(50_000)) + ">the words",
        "overloaded with attributes",
    ),
    "attributes without values": ("<a " + "x " * 50_000 + ">the words", "overloaded"),
    "attributes parted by slashes": ("<a" + "/x" * 50_000 + ">the words", "overloaded"),
    "five megabytes": ("<p>the words" * 450_000, "too large"),
}


@pytest.mark.parametrize(("html", "problem"), TOO_MUCH.values(), ids=TOO_MUCH.keys())
def test_too_much_is_shown_as_text_and_says_so(html, problem):
    clean = sanitize(html, BASE)
    assert clean.startswith("<p><em>Shown as plain text: its HTML is ")
    assert problem in clean[:100]
    assert "the words" in clean
    assert_harmless(clean[:5_000])


HOSTILE_WITHIN_LIMITS = {
    "frames in a quoted value": '<p title="' + "<iframe " * 110_000 + '">the words',
    "frames": "<iframe src=//e.test></iframe>" * 30_000 + "the words",
    "open brackets": "<" * 999_000 + "the words",
    "open comments": "<!--" * 240_000 + "the words",
    "paragraphs in lists": "<li><p>" * 140_000 + "the words",
    "closing tags": "</b>" * 240_000 + "the words",
    "entities": "&amp" * 240_000 + "the words",
}


@pytest.mark.parametrize("html", HOSTILE_WITHIN_LIMITS.values(), ids=HOSTILE_WITHIN_LIMITS.keys())
@pytest.mark.timeout(20)
def test_hostile_but_within_limits_is_cleaned(html):
    assert not sanitize(html, BASE).startswith("<p><em>Shown as plain")


def test_plain_text_is_escaped():
    clean = sanitize("<div>" * 300 + "1 &lt; 2 &lt;script&gt;alert(1)&lt;/script&gt;", BASE)
    assert "<p>1 &lt; 2 &lt;script&gt;alert(1)&lt;/script&gt;</p>" in clean


def test_as_much_as_is_allowed_is_cleaned():
    deep = "<div>" * LIMITS.depth + "x" + "</div>" * LIMITS.depth
    assert sanitize(deep, BASE) == deep
    # Ends by itself, so it never nests, however often it comes unclosed.
    assert sanitize("<p>a<br>" * 20_000, BASE).startswith("<p>a<br></p>")
    assert sanitize("x" * LIMITS.characters, BASE) == "x" * LIMITS.characters
    long_words = '<img src="/a.png" alt="' + "word " * 200 + '">'
    assert "Shown as plain" not in sanitize(long_words, BASE)
