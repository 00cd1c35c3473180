"""Subscription lists: hostile ones are harmless, broken ones are read, ours round-trip."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.feeds.parse import OutlineFeed, read_opml, write_opml
from newsloom.feeds.parse.opml import MOST_FEEDS, read_outline
from newsloom.kernel.errors import ParseError
from newsloom.kernel.ids import FeedId
from newsloom.reading.values.reading import Subscription


def opml(body: str, before: str = '<?xml version="1.0" encoding="UTF-8"?>') -> bytes:
    return f'{before}<opml version="2.0"><head/><body>{body}</body></opml>'.encode()


def outline(url: str, title: str = "t") -> str:
    return f'<outline type="rss" text="{title}" xmlUrl="{url}"/>'


def test_a_folder_whose_name_has_a_slash_keeps_its_name() -> None:
    folder = f'<outline text="a/b nested">{outline("https://a.test/f")}</outline>'
    (one,) = read_opml(opml(folder))
    assert one.category == "a/b nested"


def test_nested_folders_are_one_category() -> None:
    body = (
        '<outline text="News"><outline text="Local/City">'
        + outline("https://a.test/f", "A &amp; B")
        + "</outline>"
        + outline("https://b.test/f")
        + "</outline>"
        + '<outline title="C" text="c" xmlurl="http://c.test/f" category="/Tech/Web,other"/>'
    )
    assert read_opml(opml(body)) == (
        OutlineFeed("https://a.test/f", "A & B", "News/Local/City"),
        OutlineFeed("https://b.test/f", "t", "News"),
        OutlineFeed("http://c.test/f", "C", "Tech/Web"),
    )


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)", "file:///etc/passwd", "data:text/xml,x", "ftp://a.test/f", "/feed",
        "http://", "http://[x/", "https://a.test/a b", "", f"https://a.test/{'x' * 5_000}",
    ],
)  # fmt: skip
def test_addresses_that_are_no_web_feeds_are_dropped(url: str) -> None:
    kept = outline("https://kept.test/")
    assert [one.url for one in read_opml(opml(outline(url) + kept))] == ["https://kept.test/"]


@pytest.mark.parametrize(
    ("written", "read"),
    [("feed://a.test/f", "http://a.test/f"), ("feed:https://a.test/f", "https://a.test/f")],
)
def test_the_feed_scheme_is_read(written: str, read: str) -> None:
    assert read_opml(opml(outline(written)))[0].url == read


def test_each_outline_is_a_feed_or_left_out_with_a_reason() -> None:
    """Addresses under other names and in other spellings; what is none is named."""
    listed = read_outline(
        opml(
            "<outline text='a' xmlUrl='HTTPS://A.TEST/Feed'/>"
            "<outline text='b' type='rss' url='https://b.test/feed'/>"
            "<outline text='c' URL='https://c.test/feed'/>"
            "<outline text='d' xmlUrl='https://d.test/feed#force_feed'/>"
            "<outline text='e' xmlUrl='feed://E.test:8080/feed'/>"
            "<outline text='f' xmlUrl='https://Me:PassWord@F.test/Feed?A=B'/>"
            "<outline text='g' type='rss' htmlUrl='https://g.test/'/>"
            "<outline text='Sea/Land'><outline text='h' xmlUrl='https://h.test/f'/></outline>"
            "<outline text='i' type='link' url='https://i.test/page'/>"
            "<outline text='j' type='include' url='https://j.test/list.opml'/>"
            "<outline text='k' xmlUrl='https://a.test/Feed'/>"
            "<outline text='l' xmlUrl='javascript:alert(1)'/>"
            "<outline text='m'/>"
            "<outline text='n' xmlUrl='' htmlUrl='mailto:x@n.test'/>"
        )
    )
    assert [one.url for one in listed.feeds] == [
        "https://a.test/Feed",
        "https://b.test/feed",
        "https://c.test/feed",
        "https://d.test/feed",
        "http://e.test:8080/feed",
        "https://Me:PassWord@f.test/Feed?A=B",
        "https://h.test/f",
    ]
    assert listed.feeds[-1].category == "Sea/Land"
    assert listed.pages == (OutlineFeed("https://g.test/", "g"),)
    reasons = {one.title: one.reason for one in listed.left_out}
    assert sorted(reasons) == ["i", "j", "k", "l", "m", "n"]
    assert all(reasons.values())
    assert len(set(reasons.values())) == 5  # of m and n the same


def test_a_feed_is_listed_once() -> None:
    twice = outline("https://a.test/", "first") + outline("https://a.test/", "second")
    assert read_opml(opml(twice)) == (OutlineFeed("https://a.test/", "first"),)


def test_lists_without_end_are_refused_whole() -> None:
    """Half of a list would be taken for all of it."""
    feeds = [outline(f"https://a.test/{number}") for number in range(MOST_FEEDS + 1)]
    assert len(read_opml(opml("".join(feeds[1:])))) == MOST_FEEDS
    with pytest.raises(ParseError, match="more than 10,000 feeds"):
        read_opml(opml("".join(feeds)))
    with pytest.raises(ParseError, match="more than 100,000 outlines"):
        read_opml(opml("<outline/>" * 1_000_000 + outline("https://late.test/")))
    with pytest.raises(ParseError, match="16,000,000 are the limit"):
        read_opml(opml("<outline text='a'/>" * 1_000_000))


@pytest.mark.parametrize("end", [-3, -9, -14, -30, -60])
def test_a_list_that_ends_in_the_middle_is_refused(end: int) -> None:
    whole = opml(outline("https://a.test/") + outline("https://b.test/"))
    with pytest.raises(ParseError, match="is incomplete"):
        read_opml(whole[:end])


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "windows-1251", "koi8-r", "shift_jis"])
def test_encodings(encoding: str) -> None:
    words = "日本" if encoding == "shift_jis" else "Новости"
    said = encoding.removesuffix("-sig")
    text = opml(outline("https://a.test/", words), f'<?xml version="1.0" encoding="{said}"?>')
    assert read_opml(text.decode().encode(encoding)) == (OutlineFeed("https://a.test/", words),)


def test_what_other_readers_put_beside_a_feed_is_left_out() -> None:
    """FreshRSS takes options of curl from a list, which was used to get around its guard."""
    options = (
        'xmlns:frss="https://freshrss.org/opml" frss:CURLOPT_PROXY="127.0.0.1:1" '
        'frss:CURLOPT_PROXYTYPE="-1" frss:CURLOPT_COOKIE="a=b" frss:cssFullContent="*" '
        'frss:opmlUrl="http://127.0.0.1/" onclick="x()" url="http://127.0.0.1/"'
    )
    listed = f'<outline type="rss" text="t" xmlUrl="https://a.test/" {options}/>'
    assert read_opml(opml(listed)) == (OutlineFeed("https://a.test/", "t"),)


def test_laughs_are_not_multiplied() -> None:
    lines = ['<!ENTITY a0 "ha">']
    lines += [f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 12)]
    before = f"<!DOCTYPE opml [{''.join(lines)}]>"
    with suppress(ParseError):
        [feed] = read_opml(opml(outline("https://a.test/", "&a11;"), before))
        assert len(feed.title) <= 200


def test_deep_folders_stop_at_eight() -> None:
    body = '<outline text="f">' * 60 + outline("https://a.test/") + "</outline>" * 60
    assert read_opml(opml(body))[0].category == "/".join("f" * 8)


def test_nesting_without_end_is_refused() -> None:
    with pytest.raises(ParseError):
        read_opml(opml('<outline text="f">' * 100_000))


def test_a_title_of_a_megabyte_is_cut() -> None:
    assert len(read_opml(opml(outline("https://a.test/", "x" * 1_000_000)))[0].title) == 200


def test_entities_of_a_list_open_nothing(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("the secret")
    before = f'<!DOCTYPE opml [<!ENTITY x SYSTEM "{secret.as_uri()}"><!ENTITY y "why">]>'
    body = '<outline text="&x;">' + outline("https://a.test/", "&y;") + "</outline>"
    feeds = read_opml(opml(body, before))
    assert feeds == (OutlineFeed("https://a.test/", "why", "&x;"),)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(opml(outline("https://a.test/?x=1&y=2")), id="bare ampersand"),
        pytest.param(b"\n\n" + opml(outline("https://a.test/?x=1&amp;y=2")), id="lines before"),
        pytest.param(
            opml('<outline text="News & more">' + outline("https://a.test/?x=1&amp;y=2")),
            id="folder not closed",
        ),
        pytest.param(opml(outline("https://a.test/?x=1&amp;y=2")) + b"<!-- more", id="junk after"),
        pytest.param(
            opml(outline("https://a.test/?x=1&amp;y=2", "t\xa0")).replace("\xa0".encode(), b"\xa0"),
            id="bad UTF-8",
        ),
    ],
)
def test_broken_lists_are_read(body: bytes) -> None:
    assert [one.url for one in read_opml(body)] == ["https://a.test/?x=1&y=2"]


@pytest.mark.parametrize(
    "body", [b"", b"hello", b"<rss/>", b"<html><body/></html>", b"{}", b"\x00\x01"]
)
def test_what_is_no_list_is_refused(body: bytes) -> None:
    with pytest.raises(ParseError, match="not an OPML"):
        read_opml(body)


def subscription(url: str, title: str, category: str) -> Subscription:
    return Subscription(FeedId(1), url, title, category)


# Letters of several scripts and what XML must escape; "/" parts folders.
_PLAIN = st.text("abcé漢字Ω👩 &<>\"'-", min_size=1, max_size=8).map(
    lambda text: " ".join(text.split()) or "x"
)
_CATEGORY = st.lists(_PLAIN, max_size=4).map("/".join)
_FEEDS = st.lists(
    st.builds(
        subscription,
        st.integers(0, 99).map(lambda number: f"https://a.test/f?n={number}&x=<y>"),
        _PLAIN,
        _CATEGORY,
    ),
    unique_by=lambda one: one.url,
    max_size=12,
)


@given(_FEEDS)
def test_lists_round_trip(subscriptions: list[Subscription]) -> None:
    written = write_opml(subscriptions)
    assert {(one.url, one.title, one.category) for one in read_opml(written)} == {
        (one.url, one.title, one.category) for one in subscriptions
    }
    assert write_opml(reversed(subscriptions)) == written


def test_an_address_is_written_as_it_is() -> None:
    """A title in these letters would be mended: they are "ɫ" in UTF-8, taken for Latin-1."""
    one = Subscription(FeedId(1), "http://b.test/É«", "T", "")
    assert [feed.url for feed in read_opml(write_opml([one]))] == [one.url]


@given(st.binary(max_size=200))
def test_any_bytes_are_a_list_or_a_parse_error(body: bytes) -> None:
    with suppress(ParseError):
        assert isinstance(read_opml(body), tuple)


def test_real_lists(shared: Path) -> None:
    files = sorted((shared / "data" / "opml").rglob("*.opml"))
    assert len(files) > 10
    feeds = 0
    for file in files:
        try:
            feeds += len(read_opml(file.read_bytes()))
        except ParseError:
            assert "testcases" in file.parts  # the validator's lists that are meant to be wrong
    assert feeds > 5_000
