"""Characters that break others: what a title keeps of them, in XML and in JSON."""

from __future__ import annotations

import json

import pytest

from newsloom.feeds.parse import parse_feed
from newsloom.feeds.values.published import ParsedArticle

from .builders import URL, titled

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
KEPT = {
    "right-to-left override": "abc\u202edef",
    "zero width": "a\u200bb\ufeffc",
    "soft hyphen": "hy\u00adphen",
    "family of emoji": f"a {FAMILY} b",
    "a thousand combining marks": "e" + "\u0301" * 1_000,
    "noncharacter of the middle": "a\ufdd0b",
    "private use": "a\ue000b",
    "beyond the first plane": "\U00020000\U0001f600",
    "mixed scripts": "Новости ニュース خبر news",
    "line separator inside": "a\u2028b",
}
GONE = {
    "NUL": ("a\0b", "ab"),
    "C0": ("a\x01\x08\x0b\x1fb", "ab"),
    "escape": ("a\x1b[31mb", "a[31mb"),
    "DEL": ("a\x7fb", "ab"),
}


def only(body: bytes) -> ParsedArticle:
    return parse_feed(body, URL).articles[0]


def in_json(title: str) -> bytes:
    feed = {"version": "https://jsonfeed.org/version/1.1", "items": [{"id": "1", "title": title}]}
    return json.dumps(feed).encode()


@pytest.mark.parametrize("title", KEPT.values(), ids=KEPT.keys())
def test_what_may_be_kept_is(title: str) -> None:
    expected = " ".join(title.split())
    assert only(titled(title)).title == expected
    assert only(in_json(title)).title == expected


@pytest.mark.parametrize(("title", "expected"), GONE.values(), ids=GONE.keys())
def test_what_no_database_takes_goes(title: str, expected: str) -> None:
    assert only(titled(title)).title == expected
    assert only(in_json(title)).title == expected


def test_halves_of_characters_go() -> None:
    assert only(in_json("a\ud800b\udc00c")).title == "abc"
    assert only(titled("a&#xD800;b")).title in {"ab", "a\ufffdb"}


def test_noncharacters_that_xml_forbids_go() -> None:
    assert only(titled("a\ufffeb\uffffc")).title == "abc"


def test_ten_thousand_marks_are_cut_to_a_line() -> None:
    assert only(titled("e" + "\u0301" * 10_000)).title == "e" + "\u0301" * 3_999
