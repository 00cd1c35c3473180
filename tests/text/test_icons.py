"""Where a site's icon may be, and what bytes may be shown as one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.feeds.site_icons import home_of, icon_addresses, site_key
from newsloom.kernel.text.pictures import LONGEST_SIDE, TYPES, picture_type
from pictures import avif, gif, ico, jpeg, lossless, lossy, png, webp

MAKERS = {
    "image/png": png,
    "image/gif": gif,
    "image/jpeg": jpeg,
    "image/webp": webp,
    "image/x-icon": ico,
    "image/avif": avif,
}


def test_every_type_has_a_maker():
    assert set(MAKERS) == TYPES


@pytest.mark.parametrize(
    ("kind", "make"), [*MAKERS.items(), ("image/webp", lossless), ("image/webp", lossy)]
)
def test_pictures(kind, make):
    assert picture_type(make()) == kind
    assert picture_type(make(180, 180)) == kind
    assert picture_type(make(LONGEST_SIDE, 1)) == kind


@pytest.mark.parametrize(
    "make", [*MAKERS.values(), lossless, lossy], ids=lambda make: make.__name__
)
def test_a_small_file_that_claims_to_be_huge(make):
    assert picture_type(make(LONGEST_SIDE + 1, 16)) == ""
    assert picture_type(make(16, LONGEST_SIDE + 1)) == ""


def test_a_huge_picture_inside_an_icon():
    assert picture_type(ico(inside=png())) == "image/x-icon"
    assert picture_type(ico(inside=png(60_000, 60_000))) == ""


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
        b"<?xml version='1.0'?><svg/>",
        b"<!doctype html><title>404</title>",
        b"\x89PNG\r\n\x1a\n",
        png()[:20],
        b"\0\0\1\0\0\0",
        b"\0\0\1\0\xff\xff" + b"\0" * 100,
        b"\xff\xd8\xff",
        b"\xff\xd8\xff" + b"\xff" * 50_000,
        b"RIFF\0\0\0\0WEBPABCD" + b"\0" * 40,
        b"\0\0\0\x1cftypheic" + b"\0" * 40,
        b"%PDF-1.7",
        b"BM" + b"\0" * 60,
        png(0, 16),
    ],
)
def test_what_is_no_picture_to_show(body):
    assert picture_type(body) == ""


@given(
    st.sampled_from([make() for make in MAKERS.values()]),
    st.binary(max_size=60),
    st.integers(0, 60),
)
def test_no_bytes_raise(begin, more, cut):
    assert picture_type(begin[:cut] + more) in {"", *TYPES}


@pytest.mark.parametrize(
    ("home", "key"),
    [
        ("https://www.example.org/blog/", "example.org"),
        ("http://example.org", "example.org"),
        ("https://ann.blogspot.com/x", "ann.blogspot.com"),
        ("http://127.0.0.1:8000/", "127.0.0.1:8000"),
        ("https://m.example.org/", "example.org"),
        ("urn:x", ""),
        ("http://[::1", ""),
        ("", ""),
    ],
)
def test_sites(home, key):
    assert site_key(home) == key


def test_a_feed_without_a_home_page_is_at_home_where_it_is():
    assert home_of("https://x.test/feed", "") == "https://x.test/feed"
    assert home_of("https://feeds.test/1", "https://x.test/") == "https://x.test/"
    assert home_of("https://x.test/feed", "javascript:alert(1)") == "https://x.test/feed"


@pytest.mark.parametrize(
    ("images", "addresses"),
    [
        ([], ["/favicon.ico"]),
        (["https://x.test/icon.png"], ["/icon.png", "/favicon.ico"]),
        (["https://x.test/logo.png"], ["/favicon.ico", "/logo.png"]),
        (["https://cdn.test/icon.png"], ["/favicon.ico"]),
        (["https://www.x.test/favicon.ico"], ["https://www.x.test/favicon.ico", "/favicon.ico"]),
        (["", "javascript:1", "data:image/png;base64,x"], ["/favicon.ico"]),
        (
            ["https://x.test/a.png", "https://x.test/b-icon.png"],
            ["/b-icon.png", "/favicon.ico", "/a.png"],
        ),
    ],
)
def test_where_an_icon_may_be(images, addresses):
    expected = [one if one.startswith("http") else f"https://x.test{one}" for one in addresses]
    assert list(icon_addresses("https://x.test/blog/", images)) == expected


def test_a_feed_without_a_site_has_no_icon():
    assert icon_addresses("newsloom:imported", ["https://x.test/icon.png"]) == ()
