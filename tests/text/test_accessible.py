"""What publishers leave out for those who listen, added; what they wrote stays."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_sanitize import ATTRIBUTES, BASE, ELEMENTS, Tags

from newsloom.kernel.text.accessible import accessible
from newsloom.kernel.text.html import sanitize, to_text

PAYLOADS = (Path(__file__).parent / "xss_payloads.txt").read_text(encoding="utf-8").splitlines()

LINK = 'target="_blank" rel="noopener noreferrer nofollow"'


def shown(html: str) -> str:
    return accessible(sanitize(html, BASE))


@pytest.mark.parametrize(
    ("html", "levels"),
    [
        pytest.param("<h1>A</h1><h2>B</h2>", "23", id="below the title of the article"),
        pytest.param("<h4>A</h4><h6>B</h6><h4>C</h4>", "232", id="no level left out"),
        pytest.param("<h2>A</h2><h3>B</h3><h3>C</h3><h2>D</h2>", "2332", id="in order already"),
        pytest.param("<h3>A</h3><h1>B</h1><h2>C</h2>", "223", id="the highest comes late"),
        pytest.param("<h1>A</h1><h2></h2><h3> <br> </h3><h3>B</h3>", "23", id="without empty ones"),
        pytest.param(
            "<h1>1</h1><h2>2</h2><h3>3</h3><h4>4</h4><h5>5</h5><h6>6</h6>", "234566", id="many"
        ),
        pytest.param("<h1><div><h2>B</h2></div></h1>", "23", id="one in another"),
    ],
)
def test_headings_follow_one_another(html: str, levels: str) -> None:
    seen = Tags()
    seen.feed(shown(html))
    assert "".join(tag[1] for tag, _attributes in seen.found if tag[0] == "h") == levels
    assert shown(html).count("<h") == shown(html).count("</h")


@pytest.mark.parametrize(
    ("html", "part"),
    [
        pytest.param('<img src="/a.png">', 'alt="" src', id="nothing said"),
        pytest.param('<img src="/a.png" alt="A quay">', ' alt="A quay"', id="said"),
        pytest.param('<img src="/a.png" title="A > quay">', 'alt="A', id="said in the title"),
        pytest.param('<img src="/a.png" alt="">', ' alt=""', id="said to be nothing"),
    ],
)
def test_pictures_say_what_the_publisher_said_or_nothing(html: str, part: str) -> None:
    assert part in shown(html)
    assert shown(html).count("alt=") == 1


@pytest.mark.parametrize(
    ("html", "kept"),
    [
        pytest.param(
            '<a href="/x">words</a>', f'<a href="https://news.test/x" {LINK}>words</a>', id="words"
        ),
        pytest.param('a <a href="/x"> </a>b', "a  b", id="nothing"),
        pytest.param(
            '<a href="https://www.other.test/x"><img src="/a.png"></a>',
            ' aria-label="other.test"',
            id="a picture",
        ),
        pytest.param(
            '<a href="/x"><img src="/a.png" alt="A quay"></a>', "A quay", id="a picture that says"
        ),
        pytest.param(
            '<a href="/x" title="A quay"><img src="/a.png"></a>', 'title="A quay"', id="a title"
        ),
    ],
)
def test_links_have_a_name(html: str, kept: str) -> None:
    assert kept in shown(html)
    assert ("aria-label" in shown(html)) is ("aria-label" in kept)


def test_landmarks_and_head_cells() -> None:
    assert shown("<aside><p>Beside</p></aside>") == '<div role="note"><p>Beside</p></div>'
    assert "<td></td><th>Price</th>" in shown("<table><tr><th></th><th>Price</th></tr></table>")


def test_what_scrolls_can_be_scrolled_by_keys() -> None:
    assert '<pre tabindex="0">' in shown("<pre>long</pre>")
    assert '<table tabindex="0">' in shown("<table><tr><td>wide</td></tr></table>")


PARTS = st.sampled_from(
    ["<h1>", "</h1>", "<h3 title='a>b'>", "</h3>", "<a href='/x'>", "</a>", "<img src='/p.png'>",
     "<p>", "</p>", "<aside>", "</aside>", "<th>", "<table><tr>", "</table>", "words", " ", "<br>",
     "<b>", "</b>", '<img alt="&quot;>" src=a>', "<a>", "<div>", "</div>", "&lt;a&gt;"]
)  # fmt: skip


@given(st.lists(PARTS, max_size=30).map("".join))
def test_no_word_is_lost_and_every_tag_is_closed(html: str) -> None:
    clean = sanitize(html, BASE)
    done = accessible(clean)
    assert to_text(done, 10_000).split() == to_text(clean, 10_000).split()
    for tag in ("a", "h2", "h3", "div", "th", "td"):
        assert len(re.findall(rf"<{tag}\b", done)) == done.count(f"</{tag}>")


@pytest.mark.parametrize("payload", PAYLOADS)
def test_nothing_dangerous_is_made_of_what_was_clean(payload: str) -> None:
    seen = Tags()
    seen.feed(shown(payload))
    for tag, attributes in seen.found:
        assert tag in ELEMENTS
        assert attributes.keys() <= {*ATTRIBUTES, "role", "aria-label", "tabindex"}
