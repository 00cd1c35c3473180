"""Addresses under which pictures of others are served, and HTML that names them."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.kernel.text.html import sanitize
from newsloom.kernel.text.picture_addresses import (
    LONGEST,
    PATH,
    address,
    signed,
    through_us,
    without_pictures,
)

KEY = b"k" * 32
URLS = st.text(min_size=1, max_size=300).map(lambda rest: f"https://paper.test/{rest}")


def parts(made: str) -> tuple[str, str, str]:
    split = urlsplit(made)
    kind, given_signature = split.path.removeprefix(PATH + "/").split("/")
    return kind, given_signature, parse_qs(split.query, keep_blank_values=True)["url"][0]


@given(URLS)
def test_an_address_says_which_picture_and_that_we_gave_it(url: str) -> None:
    kind, mac, named = parts(address(KEY, url))
    assert (kind, named) == ("whole", url)
    assert signed(KEY, url, mac)
    assert not signed(b"another key", url, mac)
    assert not signed(KEY, url + "x", mac)


def test_there_is_none_for_what_is_no_picture_of_the_web() -> None:
    assert address(KEY, "data:image/png;base64,AAAA") == ""
    assert address(KEY, "file:///etc/passwd") == ""
    assert address(KEY, "https://paper.test/" + "x" * LONGEST) == ""


@pytest.mark.parametrize("mac", ["", "x", "é", "\ud800", "A" * 5_000])
def test_what_was_never_given_is_refused(mac: str) -> None:
    assert not signed(KEY, "https://paper.test/a.jpg", mac)


def test_pictures_of_an_article_are_asked_of_us_and_films_are_not() -> None:
    html = sanitize(
        '<p><img src="/a.jpg?x=1&amp;y=&quot;2" alt="A > B"></p>'
        '<video src="/film.mp4" poster="/still.jpg"></video><a href="/a.jpg">see</a>',
        "https://paper.test/1",
    )
    shown = through_us(html, KEY)
    assert shown.count(f'"{PATH}/whole/') == 2
    assert 'src="https://paper.test/film.mp4"' in shown
    assert 'href="https://paper.test/a.jpg"' in shown
    assert "paper.test/a.jpg?x" not in shown
    assert through_us(shown, KEY) == shown


def test_pictures_as_links() -> None:
    html = sanitize('<img src="/a.jpg" alt="A ship"><img src="/b.jpg">', "https://paper.test/1")
    shown = without_pictures(html)
    assert "<img" not in shown
    assert '<a href="https://paper.test/a.jpg"' in shown
    assert ">A ship</a>" in shown
    assert ">Picture</a>" in shown
