"""Addresses as real feeds mistype them, and addresses that only look like it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.kernel.text.slips import meant


@pytest.mark.parametrize(
    ("written", "address"),
    [
        # a scheme that there is not
        ("hhttp://x.example/a", "http://x.example/a"),
        ("htp://x.example/a", "http://x.example/a"),
        ("ttp://x.example/a", "http://x.example/a"),
        ("htttp://x.example/a", "http://x.example/a"),
        ("httpp://x.example/a", "http://x.example/a"),
        ("hthttp://x.example/a", "http://x.example/a"),
        ("hptt://x.example/a", "http://x.example/a"),
        ("ttps://x.example/a", "https://x.example/a"),
        ("hhttps://x.example/a", "https://x.example/a"),
        ("HTTP://x.example/a", "http://x.example/a"),
        # slashes and colons
        ("http:/x.example/a", "http://x.example/a"),
        ("https:/bücher.example:8080/a", "https://bücher.example:8080/a"),
        ("http//x.example/a", "http://x.example/a"),
        ("https//x.example/a", "https://x.example/a"),
        ("http:///x.example/a", "http://x.example/a"),
        ("http:////x.example/a", "http://x.example/a"),
        ("http;//x.example/a", "http://x.example/a"),
        ("http: //x.example/a", "http://x.example/a"),
        ("http:// x.example/a", "http://x.example/a"),
        (r"http:\\x.example\a", "http://x.example/a"),
        # twice: the last is the one that was pasted
        ("http://http://x.example/a", "http://x.example/a"),
        ("http://https://x.example/a", "https://x.example/a"),
        ("https://http//x.example/a", "http://x.example/a"),
        ("http://http:/x.example/a", "http://x.example/a"),
        # none at all
        ("www.x.example/a", "http://www.x.example/a"),
        ("WWW.x.example", "http://WWW.x.example"),
        # escaped once more than the document needs
        ("https://x.example/?a=1&amp;b=2", "https://x.example/?a=1&b=2"),
        ("https://x.example/?a=1&amp;amp;b=2", "https://x.example/?a=1&b=2"),
        ("https://x.example/?a=1&#038;b=2", "https://x.example/?a=1&b=2"),
        # a page of the same site
        ("http:/2011/a", "/2011/a"),
        ("http:/index.html", "/index.html"),
    ],
)
def test_slips(written: str, address: str) -> None:
    assert meant(written) == address
    assert meant(address) == address


@pytest.mark.parametrize(
    "address",
    [
        "",
        "http://x.example/a",
        "https://x.example/a?u=http://y.example/&b=2",
        "https://web.example/2020/http://y.example/",
        "http://http/a",
        "http://http:8080/a",
        "http://ttp.example/a",
        "http://www.x.example/a",
        "https://x.example/AT&T",
        "ftp://x.example/a",
        "tftp://x.example/a",
        "mailto:a@x.example",
        "javascript:alert(1)",
        "tag:x.example,2011:1",
        "//x.example/a",
        "/a//b",
        "a/http://x.example",
        "http",
        "https.html",
        "http/x.example",
        "ftp//x",
        "www.html/a",
        "www.x",
        "www",
        "?http://x.example",
        "#http://x.example",
    ],
)
def test_what_is_no_slip_stays(address: str) -> None:
    assert meant(address) == address


@given(st.text("htps:;/\\ w.xé&am1#", max_size=60) | st.text(max_size=60))
def test_any_text_is_taken(text: str) -> None:
    found = meant(text)
    assert len(found) <= len(text) + len("https://")
    assert "javascript" not in found or "javascript" in text


@pytest.mark.parametrize("part", ["http://", "ht", "t", "www.", "a.", "&amp;", "http:/", "\\"])
def test_long_ones_take_no_time(part: str) -> None:
    """A test that hangs is stopped by its time limit."""
    meant(part * 20_000)
    meant("http:/" + part * 20_000)
    meant("www." + part * 20_000)
