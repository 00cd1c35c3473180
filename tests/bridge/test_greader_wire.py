"""Answers of the Google Reader API: what is read of good ones, and that bad ones are refused."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.bridges import greader_wire as wire
from newsloom.kernel.errors import BridgeError

ITEM = {
    "id": "tag:google.com,2005:reader/item/00000000148b9369",
    "title": "Rain &amp; wind",
    "published": 1_700_000_000,
    "author": "A. Author",
    "canonical": [{"href": "https://example.org/a"}],
    "alternate": [{"href": "https://example.org/b", "type": "text/html"}],
    "summary": {"direction": "ltr", "content": "<p>Rain.</p>"},
    "categories": [
        "user/1/state/com.google/reading-list",
        "user/1/state/com.google/read",
        "user/1/label/Weather",
    ],
    "origin": {"streamId": "feed/42", "title": "Weather"},
    "enclosure": [{"href": "https://example.org/a.mp3", "type": "audio/mpeg", "length": 7}],
}


def items(**changes: Any) -> bytes:
    return json.dumps({"items": [{**ITEM, **changes}]}).encode()


def test_an_article_is_read_with_its_marks() -> None:
    (one,) = wire.entries(items())
    article = one.entry.article
    assert (one.entry.key, one.entry.feed, article.guid) == (0x148B9369, "feed/42", "344691561")
    assert (article.title, article.author) == ("Rain & wind", "A. Author")
    assert (article.url, article.content) == ("https://example.org/a", "<p>Rain.</p>")
    assert article.published == datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC)
    assert [(e.url, e.length) for e in article.enclosures] == [("https://example.org/a.mp3", 7)]
    assert (one.read, one.starred, one.labels) == (True, False, {"Weather"})


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"summary": {"content": "<p>Snow.</p>"}}, "content"),
        ({"title": "Snow"}, "title"),
        ({"canonical": [{"href": "https://example.org/c"}]}, "url"),
    ],
    ids=["text", "title", "address"],
)
def test_another_text_is_another_digest(changes: dict[str, Any], what: str) -> None:
    (first,), (second,) = wire.entries(items()), wire.entries(items(**changes))
    assert getattr(first.entry.article, what) != getattr(second.entry.article, what)
    assert first.entry.digest != second.entry.digest


def test_marks_are_no_part_of_the_digest() -> None:
    (read,), (unread,) = wire.entries(items()), wire.entries(items(categories=[]))
    assert (read.read, unread.read) == (True, False)
    assert read.entry.digest == unread.entry.digest


@pytest.mark.parametrize(
    "changes",
    [
        {"published": "yesterday"},
        {"published": 10**30},
        {"published": -5},
        {"published": True},
        {"author": None},
        {"canonical": None, "alternate": None},
        {"canonical": [{"href": "javascript:alert(1)"}], "alternate": []},
        {"enclosure": None},
        {"enclosure": [{"href": "file:///etc/passwd", "length": -1}]},
        {"summary": None},
        {"title": "\ud800 \x00half"},
    ],
    ids=lambda changes: "-".join(changes),
)
def test_what_is_missing_or_cannot_be_is_left_out(changes: dict[str, Any]) -> None:
    (one,) = wire.entries(items(**changes))
    article = one.entry.article
    assert article.url in {"", "https://example.org/a"}
    assert not article.enclosures or article.enclosures[0].url == "https://example.org/a.mp3"
    f"{article.title}{article.content}{article.author}".encode()


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>sign in</html>",
        b"[]",
        b"null",
        b"[" * 100_000,
        b'{"items": {}}',
        b'{"items": [3]}',
        b'{"items": [null]}',
        items(id=7),
        items(id="tag:google.com,2005:reader/item/ffffffffffffffff"),
        items(id="tag:google.com,2005:reader/item/xyz"),
        items(id="9" * 25),
        items(id="-4"),
        items(title=["a"]),
        items(origin=None),
        items(origin={"streamId": 4}),
        items(categories="read"),
        items(categories=[1]),
        items(summary={"content": 5}),
        items(alternate=["https://example.org/"]),
    ],
)
def test_answers_that_are_none_are_refused(body: bytes) -> None:
    with pytest.raises(BridgeError):
        wire.entries(body)


@given(st.integers(0, 2**63 - 1))
def test_every_key_comes_back_from_its_long_form(number: int) -> None:
    assert wire.key(wire.long_form(number)) == number
    assert wire.key(str(number)) == number


def test_keys_and_where_they_go_on() -> None:
    part = wire.keys(b'{"itemRefs": [{"id": "12345"}, {"id": "7"}], "continuation": "2"}')
    assert part == wire.Keys((12345, 7), "2")
    assert wire.keys(b'{"itemRefs": [{"id": "1"}], "continuation": 5}').continuation == "5"
    assert wire.keys(b'{"itemRefs": [{"id": "1"}]}').continuation == ""
    assert wire.keys(b'{"itemRefs": [], "continuation": "on"}') == wire.Keys((), "")
    assert wire.keys(b"{}") == wire.Keys((), "")


@pytest.mark.parametrize(
    "body",
    [
        b'{"itemRefs": "1"}',
        b'{"itemRefs": [{"id": 1}]}',
        b'{"itemRefs": [{"id": "1"}], "continuation": {}}',
        b'{"itemRefs": [{"id": "1"}], "continuation": true}',
    ],
)
def test_keys_that_are_none_are_refused(body: bytes) -> None:
    with pytest.raises(BridgeError):
        wire.keys(body)


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (b"SID=a\nLSID=null\nAuth=ann/8f\n", "ann/8f"),
        (b"Auth=a=b\r\n", "a=b"),
        (b'{"SID": "x", "Auth": "ann/8f"}', "ann/8f"),
    ],
)
def test_the_token_of_a_login(body: bytes, found: str) -> None:
    assert wire.login(body) == found


@pytest.mark.parametrize(
    "body", [b"", b"Error=BadAuthentication", b"Auth=", b'{"Auth": 3}', "Auth=é".encode()]
)
def test_a_login_without_a_token_is_refused(body: bytes) -> None:
    with pytest.raises(BridgeError):
        wire.login(body)


@pytest.mark.parametrize("body", [b"x" * 501, "Zoë".encode(), b"two\nlines"])
def test_a_token_that_cannot_be_sent_is_refused(body: bytes) -> None:
    with pytest.raises(BridgeError):
        wire.token(body)


def test_feeds_and_their_first_folder() -> None:
    rows = [
        {
            "id": "feed/42",
            "title": "A &amp; B",
            "categories": [{"id": "user/1/label/Tech", "label": "Tech"}, {"label": "Other"}],
            "htmlUrl": "https://example.org/",
        },
        {"id": "feed/43", "title": "C", "categories": [], "htmlUrl": None},
    ]
    first, second = wire.subscriptions(json.dumps({"subscriptions": rows}).encode())
    assert (first.key, first.title, first.category) == ("feed/42", "A & B", "Tech")
    assert (second.category, second.site_url) == ("", "")
