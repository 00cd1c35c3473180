"""Which picture of a text stands for it in lists."""

from __future__ import annotations

import pytest

from newsloom.kernel.text.lead_picture import lead_picture

BASE = "https://paper.test/news/1"

CASES = {
    "none": ("<p>Words.</p>", ""),
    "first": (
        '<p><img src="https://paper.test/a.jpg"><img src="/b.jpg"></p>',
        "https://paper.test/a.jpg",
    ),
    "relative": ('<img alt="x" src="../pics/a.jpg?w=1&amp;h=2">', "https://paper.test/pics/a.jpg?w=1&h=2"),
    "single quotes": ("<IMG SRC='/a.jpg'>", "https://paper.test/a.jpg"),
    "no quotes": ("<img src=/a.jpg width=600>", "https://paper.test/a.jpg"),
    "counter": (
        '<img src="https://feeds.feedburner.com/~r/paper/~4/x"><img src="/b.jpg">',
        "https://paper.test/b.jpg",
    ),
    "a face": ('<img src="https://secure.gravatar.com/avatar/1"><p>By Ann</p>', ""),
    "small by what it says": ('<img src="/icon.png" width="16" height="16">', ""),
    "percent is no size": ('<img src="/a.jpg" width="100%">', "https://paper.test/a.jpg"),
    "in the address itself": ('<img src="data:image/png;base64,AAAA"><img src="/b.jpg">', "https://paper.test/b.jpg"),
    "not of the web": ('<img src="file:///etc/passwd"><img src="javascript:alert(1)">', ""),
    "lazy": ('<img src="/blank.gif" data-src="/a.jpg">', "https://paper.test/a.jpg"),
    "lazy set": ('<img data-srcset="/a.jpg 900w">', "https://paper.test/a.jpg"),
    "without scripts": ("<noscript><img src=/a.jpg></noscript>", "https://paper.test/a.jpg"),
    "placeholder": ('<img src="/assets/blank.gif"><img src=/b.jpg>', "https://paper.test/b.jpg"),
    "long placeholder": (
        '<img src="data:image/svg+xml;base64,' + "A" * 9_000 + '" data-src="/a.jpg">',
        "https://paper.test/a.jpg",
    ),
    "cut off": ('<p>' + "x" * 4_990 + '</p><img src="/abcdefgh.jpg">', ""),
    "far down": ("<p>" + "x" * 6_000 + '</p><img src="/a.jpg">', ""),
    "never closed": ('<img src="/a.jpg" ' + "a" * 100_000, ""),
    "broken address": ('<img src="http://[broken">', ""),
}  # fmt: skip


@pytest.mark.parametrize(("html", "address"), CASES.values(), ids=CASES)
def test_the_picture_of_a_text(html: str, address: str) -> None:
    assert lead_picture(html, BASE) == address
