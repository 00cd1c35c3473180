"""Broken documents: intact articles are read, the cut one never, hostile ones are refused."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.feeds.parse import parse_feed
from newsloom.feeds.parse.feed_head import MOST_ARTICLES
from newsloom.feeds.values.published import Damage
from newsloom.kernel.errors import ParseError

from .builders import URL, numbered, rss, sample
from .dates import DATES

COUNT = 12
WHOLE = numbered(COUNT)
MIDDLE = f"{COUNT // 2} &amp; more</title>"
DAMAGED = COUNT // 2


def _replaced(old: str, new: str) -> Callable[[], bytes]:
    assert WHOLE.count(old) >= 1
    return lambda: WHOLE.replace(old, new, 1).encode()


DAMAGE = {
    "bare ampersand": _replaced(MIDDLE, f"{DAMAGED} & more</title>"),
    "bare less-than": _replaced(MIDDLE, f"{DAMAGED} < more</title>"),
    "control character": _replaced(MIDDLE, f"{DAMAGED} &amp;\x08 more</title>"),
    "NUL": _replaced(MIDDLE, f"{DAMAGED} &amp;\x00 more</title>"),
    "control character reference": _replaced(MIDDLE, f"{DAMAGED} &amp;&#8; more</title>"),
    "control character in CDATA": _replaced("numéro 6,", "numéro\x02 6,"),
    "bad UTF-8": lambda: WHOLE.encode().replace(b"6 &amp; more", b"6 &amp; m\xe9re", 1),
    "HTML entity": _replaced(MIDDLE, f"{DAMAGED}&nbsp;&eacute;</title>"),
    "unknown entity": _replaced(MIDDLE, f"{DAMAGED} &nonsense;</title>"),
    "missing close tag": _replaced(MIDDLE, f"{DAMAGED} &amp; more"),
    "missing close of an article": _replaced(
        "</item>\n<item><title>Régime 7", "<item><title>Régime 7"
    ),
    "stray close tag": _replaced(MIDDLE, f"{DAMAGED} &amp; more</b></title>"),
    "undeclared namespace": _replaced(MIDDLE, MIDDLE + "<who:knows>x</who:knows>"),
    "unquoted attribute": _replaced("<guid>", "<guid isPermaLink=true>"),
    "wrong declared encoding": _replaced('encoding="utf-8"', 'encoding="utf-16"'),
    "junk before": lambda: b"<br />\n<b>Warning</b>: include() failed\n" + WHOLE.encode(),
    "blank lines before": lambda: b"\n\n  " + WHOLE.encode(),
    "root tag not closed": _replaced('<rss version="2.0">', '<rss version="2.0'),
    "declared twice": lambda: b'<?xml version="1.0"?>\n' + WHOLE.encode(),
    "script after": lambda: WHOLE.encode() + b"<script>alert(1)</script>",
    "no end": lambda: WHOLE.encode().replace(b"</channel></rss>", b""),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE.keys())
def test_intact_articles_stay_exactly_as_they_were(damage: Callable[[], bytes]) -> None:
    whole = parse_feed(WHOLE.encode(), URL).articles
    feed = parse_feed(damage(), URL)
    broken_here = {DAMAGED, 0} if damage is DAMAGE["unquoted attribute"] else {DAMAGED}
    intact = [one for number, one in enumerate(whole) if number not in broken_here]
    assert [one for one in feed.articles if one in intact] == intact
    assert len(feed.articles) == COUNT


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE.keys())
def test_damage_is_said(damage: Callable[[], bytes]) -> None:
    harmless = {DAMAGE["blank lines before"]}
    assert bool(parse_feed(damage(), URL).problem) == (damage not in harmless)


KINDS = {
    "unknown entity": Damage.MENDED,
    "missing close tag": Damage.BROKEN,
    "missing close of an article": Damage.BROKEN,
    "stray close tag": Damage.BROKEN,
    "root tag not closed": Damage.BROKEN,
    "blank lines before": Damage.NONE,
    "no end": Damage.CUT,
}


@pytest.mark.parametrize("name", DAMAGE)
def test_what_may_be_missing_is_told_apart(name: str) -> None:
    assert parse_feed(DAMAGE[name](), URL).damage is KINDS.get(name, Damage.MENDED)


def test_a_sound_document_is_not_damaged() -> None:
    assert parse_feed(WHOLE.encode(), URL).damage is Damage.NONE
    many = parse_feed(numbered(MOST_ARTICLES + 1).encode(), URL)
    assert many.problem
    assert many.damage is Damage.NONE, "all of it came; that not all is kept is our doing"


@given(st.integers(min_value=0, max_value=len(WHOLE.encode())))
def test_a_document_without_its_end_is_cut_or_refused(where: int) -> None:
    """Whatever its Content-Length says: what does not end is not whole."""
    body = WHOLE.encode()
    whole = not body[where:].strip()
    with suppress(ParseError):
        assert (parse_feed(body[:where], URL).damage is Damage.CUT) is not whole


@given(st.integers(min_value=0, max_value=len(WHOLE.encode())))
def test_a_cut_document_gives_whole_articles_or_none(where: int) -> None:
    body = WHOLE.encode()
    whole = parse_feed(body, URL).articles
    closed = body[:where].count(b"</item")  # by then all inside it is whole
    try:
        found = parse_feed(body[:where], URL).articles
    except ParseError:
        assert closed == 0
    else:
        assert found == whole[:closed]


@given(st.integers(min_value=0, max_value=len(sample("atom10.xml"))))
def test_a_cut_atom_document_too(where: int) -> None:
    body = sample("atom10.xml")
    closed = body[:where].count(b"</entry")
    try:
        found = parse_feed(body[:where], URL).articles
    except ParseError:
        assert closed == 0
    else:
        assert found == parse_feed(body, URL).articles[:closed]


@pytest.mark.parametrize("cut", ["<rss:item><rss:title>b", "<rss:item", "<rss:item><rss:link/>"])
def test_a_cut_is_seen_behind_prefixes_like_the_name_of_the_root(cut: str) -> None:
    body = '<rss version="2.0" xmlns:rss="http://backend.userland.com/rss2"><rss:channel>'
    body += f"<rss:title>t</rss:title><rss:item><rss:title>a</rss:title></rss:item>{cut}"
    feed = parse_feed(body.encode(), URL)
    assert [one.title for one in feed.articles] == ["a"]
    assert "cut off" in feed.problem


def test_cut_json_is_refused() -> None:
    with pytest.raises(ParseError, match="broken or cut off"):
        parse_feed(sample("json11.json")[:400], URL)


JSON = (
    '{"version": "https://jsonfeed.org/version/1.1", "title": "Kiln", "items": ['
    '{"id": "1", "title": "A", "content_text": "first, }] // one"}, '
    '{"id": "2", "title": "B", "content_text": "second"}]}'
)


def test_json_that_is_nearly_json_is_mended() -> None:
    broken = {
        "raw line breaks": JSON.replace("first, ", "first,\n\t"),
        "trailing commas": JSON.replace("}]}", ",},],}"),
        "doubled commas": JSON.replace("}, {", "},, {"),
        "comments": JSON.replace('"items"', '// items\n/* of * the * feed */ "items"'),
        "byte order mark": "\ufeff" + JSON,
        "no comma between articles": JSON.replace("}, {", "}\n{"),
        "no comma between fields": JSON.replace('"A",', '"A"'),
        "escapes of other languages": JSON.replace("first", r"it\'s C:\d \u12 first"),
        "a script behind": JSON + "\n<script>track()</script>",
        "a bracket too many": JSON.replace("]}", "]]}"),
    }
    wrong = {
        name: found
        for name, text in broken.items()
        if (found := parse_feed(text.encode(), URL).articles)
        and [(one.guid, one.title) for one in found] != [("1", "A"), ("2", "B")]
    }
    assert wrong == {}
    assert parse_feed(broken["raw line breaks"].encode(), URL).damage is Damage.MENDED


def test_cut_json_has_its_whole_articles() -> None:
    start = JSON.index('"2"')
    wrong = [
        cut
        for cut in range(start, len(JSON) - 3)
        if (feed := parse_feed(JSON[:cut].encode(), URL))
        and ([one.guid for one in feed.articles], feed.damage) != (["1"], Damage.CUT)
    ]
    assert wrong == []


@given(st.text(alphabet='{}[]:,"\\/*\n a1', max_size=60))
def test_any_broken_json_is_read_or_refused(text: str) -> None:
    with suppress(ParseError):
        parse_feed(f'{{"version": "https://jsonfeed.org/version/1", {text}'.encode(), URL)


def test_broken_json_is_bounded() -> None:
    """Each of these is megabytes, and takes a quadratic or recursive reader minutes."""
    for text in ("/*" * 10**6, '"' + '\\"' * 10**6, "[{}," * 10**6, "/" * 10**6, '{"a":' * 10**6):
        with pytest.raises(ParseError):
            parse_feed(f'{{"items": [{text}'.encode(), URL)


ITEMS = "".join(
    f"<item><title>{one}</title><link>https://weather.test/{one}</link></item>" for one in "AB"
)


def test_what_is_broken_before_the_first_article_spoils_none() -> None:
    heads = (
        "<title>Fish & Chips</title>", "<title>Tide <b>tables</title>", "<title>No end", "<br>",
        "<title>a < b</title>", "</title>", "<image><url>https://weather.test/a.png</url>",
        "<![CDATA[ never closed", "<!-- never closed", "<?php never closed", "<title x=y>T</title>",
        "<description><p>open</description>", "<link>https://weather.test/?a=1&b=2</link>",
    )  # fmt: skip
    documents = [f"<rss version='2.0'><channel>{head}{ITEMS}</channel></rss>" for head in heads]
    documents += [f"{lost}{ITEMS}</channel></rss>" for lost in ("", "nel><title>x</title>", "\n")]
    wrong = [
        document[:80]
        for document in documents
        if [one.title for one in parse_feed(document.encode(), URL).articles] != ["A", "B"]
    ]
    assert wrong == []


@pytest.mark.parametrize(("date", "moment"), DATES)
def test_a_date_is_the_same_in_a_broken_article(date: str, moment: str) -> None:
    """Which feedparser reads: not by its own lights, nor by this machine's time zone."""
    item = "<title>a <i>b</title><pubDate>{}</pubDate>"
    (article,) = parse_feed(rss(item.format(date)).encode(), URL).articles
    assert article.published == datetime.fromisoformat(moment).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        pytest.param(b"", "empty", id="nothing"),
        pytest.param(b" \n\t\0", "empty", id="blank"),
        pytest.param(b"<!DOCTYPE html><html><body>Log in</body></html>", "HTML page", id="HTML"),
        pytest.param(b"<html><head></head><body><p>&nbsp;<br>", "HTML page", id="broken HTML"),
        pytest.param(
            b'<html xmlns="http://www.w3.org/1999/xhtml"><body/></html>', "HTML page", id="XHTML"
        ),
        pytest.param(b"No such feed.", "plain text", id="text"),
        pytest.param(b'{"error": "not found"}', "not a JSON Feed", id="JSON"),
        pytest.param(b"[1, 2]", "not a JSON Feed", id="JSON list"),
        pytest.param(b'{"items": [', "broken or cut off", id="cut JSON"),
        pytest.param(b'<opml version="2.0"><body/></opml>', "<opml>", id="OPML"),
        pytest.param(b"<urlset><url/></urlset>", "<urlset>", id="sitemap"),
        pytest.param(b"%PDF-1.7\n\xff\xfe", "is not a feed", id="PDF"),
        pytest.param(b"\x89PNG\r\n\x1a\n\x00\x00", "is not a feed", id="picture"),
        pytest.param(b"<<<<", "contains no feed", id="brackets"),
        pytest.param(b"Wants <rss><channel></i></channel></rss>", "no article", id="a ruin"),
        pytest.param(
            b"<html><body><pre>Try <rss version=2> here</pre></body>",
            "HTML page",
            id="a page on RSS",
        ),
    ],
)
def test_what_is_no_feed_is_refused_in_words(body: bytes, words: str) -> None:
    with pytest.raises(ParseError, match=words):
        parse_feed(body, URL)


LAUGHS = (
    '<!DOCTYPE rss [<!ENTITY a "ha">'
    + "".join(f'<!ENTITY {name} "{f"&{chr(ord(name) - 1)};" * 10}">' for name in "bcdefghijk")
    + "]>"
)  # fmt: skip
ITEM = "<title>x</title>"


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(LAUGHS + rss("<title>&k;</title>", declaration=""), id="billion laughs"),
        pytest.param(
            LAUGHS + rss('<link href="&k;"/>', declaration=""), id="billion laughs in an attribute"
        ),
        pytest.param(
            f'<!DOCTYPE rss [<!ENTITY a "{"A" * 50_000}">]>'
            + rss(f"<title>{'&a;' * 2_000}</title>", declaration=""),
            id="quadratic",
        ),
        pytest.param(rss(ITEM, "<a>" * 200_000), id="200,000 deep"),
        pytest.param(rss(ITEM, "<a>" * 300 + "</a>" * 300), id="300 deep and closed"),
        pytest.param(rss(ITEM, "& " * 200 + "<a>" * 5_000), id="deep behind a hundred mistakes"),
        pytest.param(rss(ITEM, f"<title>{'x' * 11_000_000}</title>"), id="text of 11 MB"),
        pytest.param(rss(ITEM, f"<![CDATA[{'x' * 11_000_000}]]>"), id="CDATA of 11 MB"),
        pytest.param(rss(ITEM, f'<a b="{"x" * 11_000_000}"/>'), id="attribute of 11 MB"),
    ],
)
def test_hostile_documents_are_refused_not_read_as_empty(body: str) -> None:
    with pytest.raises(ParseError, match="refused"):
        parse_feed(body.encode(), URL)


def test_json_nested_without_end_is_refused() -> None:
    with pytest.raises(ParseError, match="nested"):
        parse_feed(b'{"items": ' + b"[" * 200_000, URL)


def test_a_huge_body_is_refused_unread() -> None:
    with pytest.raises(ParseError, match="limit"):
        parse_feed(b" " * 64_000_001, URL)


@pytest.mark.parametrize(
    "doctype",
    [
        '<!DOCTYPE rss SYSTEM "{place}">',
        '<!DOCTYPE rss [<!ENTITY leak SYSTEM "{place}">]>',
        '<!DOCTYPE rss [<!ENTITY % outside SYSTEM "{place}"> %outside;]>',
    ],
    ids=["external subset", "external entity", "parameter entity"],
)
def test_nothing_outside_the_document_is_read(doctype: str, tmp_path: Path) -> None:
    secret = tmp_path / "secret.dtd"
    secret.write_text('<!ENTITY leak "the secret">')
    body = doctype.format(place=secret.as_uri()) + rss("<title>a &leak; b</title>", declaration="")
    assert parse_feed(body.encode(), URL).articles[0].title == "a &leak; b"


def test_entities_a_document_declares_for_itself_are_read() -> None:
    doctype = '<!DOCTYPE rss [<!ENTITY who "the mayor"><!ENTITY dash "&#8212;">]>'
    body = doctype + rss("<title>Said &who; &dash; twice</title>", declaration="")
    feed = parse_feed(body.encode(), URL)
    assert feed.articles[0].title == "Said the mayor — twice"
    assert feed.problem == ""


@pytest.mark.parametrize("newest_last", [False, True], ids=["newest first", "newest last"])
def test_too_many_articles_are_cut_to_the_newest_and_said(newest_last: bool) -> None:
    days = [date(2000, 1, 1) + timedelta(number) for number in range(MOST_ARTICLES + 1)]
    items = [f"<guid>{number}</guid><pubDate>{day}</pubDate>" for number, day in enumerate(days)]
    feed = parse_feed(rss(*(items if newest_last else reversed(items))).encode(), URL)
    assert len(feed.articles) == MOST_ARTICLES
    assert f"{MOST_ARTICLES + 1:,} articles" in feed.problem
    assert "0" not in {one.guid for one in feed.articles}


def test_texts_hold_nothing_a_database_refuses() -> None:
    text = '{"version": "https://jsonfeed.org/version/1.1", "items": [{"id": "a\\u0000", "title": '
    text += '"b\\ud800\\u0001", "content_html": "c\\u0000\\udfff", "tags": ["d\\u0002"]}]}'
    article = parse_feed(text.encode(), URL).articles[0]
    assert (article.guid, article.title, article.content, article.categories) == (
        "a", "b", "c", ("d",),
    )  # fmt: skip


def test_elements_named_like_what_feedparser_keeps() -> None:
    names = ["authors", "author_detail", "tags", "links", "content", "title_detail", "image"]
    names += ["media_thumbnail", "published_parsed", "summary_detail", "enclosures", "id"]
    inside = "".join(f"<{name}>x</{name}><{name} a='b'/>" for name in names)
    body = rss("<title>first</title>", f"<title>second{inside}")
    assert len(parse_feed(body.encode(), URL).articles) == 2


def test_half_a_character_in_hiding_does_not_break_the_reader() -> None:
    """Behind what looks like a comment, libxml2 once let such a reference into the tree."""
    body = rss("<title>first</title>", "<title y='<!--'>a &#55296; b --> c</title>")
    assert [one.title for one in parse_feed(body.encode(), URL).articles] == [
        "first", "a \ufffd b --> c",
    ]  # fmt: skip


@pytest.mark.parametrize("inside", ["&nbsp;", "<title>a&nbsp;b</title>", "<b>&nbsp;</b>"])
def test_an_entity_in_a_feed_of_an_unknown_namespace(inside: str) -> None:
    """Declared where nobody looks, so that it stays what it is in the tree."""
    entry = f"<entry><id>1</id>{inside}</entry>"
    body = f"<!DOCTYPE feed SYSTEM 'x'><feed xmlns='urn:x'>&nbsp;{entry}</feed>"
    assert [one.guid for one in parse_feed(body.encode(), URL).articles] == ["1"]


def test_half_a_character_in_the_name_of_the_root() -> None:
    body = rss("<title>a</title>").replace("<rss ", '<rss xmlns="http://x.test/&#xD800;" ')
    assert [one.title for one in parse_feed(body.encode(), URL).articles] == ["a"]


_FRAGMENTS = [
    b"<rss>", b"<channel>", b"<item>", b"</item>", b"<title>", b"</title>", b"<![CDATA[", b"]]>",
    b"&amp;", b"&", b"<", b">", b"\x00", b"\xff", b"<?xml version='1.0' encoding='utf-16'?>",
    b"<feed xmlns='http://www.w3.org/2005/Atom'>", b"<entry>", b"</rss>", b"<!DOCTYPE a [", b"]>",
    b"<link href='http://[x'/>", b"<pubDate>31 Feb</pubDate>", b"<!--", b"-->", b" xml:base='::'",
    b"<content type='xhtml'><div>", b"</content>", b'{"items": [', b"}]", b"<rdf:RDF>", b"\n", b"x",
    b"<media:content url='a'>", b"&#0;", b"&#x110000;", b"<!ENTITY a 'b'>", b"\xef\xbb\xbf",
]  # fmt: skip


def _is_storable(text: str) -> bool:
    return re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]", text) is None


@given(st.binary(max_size=300) | st.lists(st.sampled_from(_FRAGMENTS), max_size=25).map(b"".join))
def test_any_bytes_are_a_feed_or_a_parse_error(body: bytes) -> None:
    with suppress(ParseError):
        feed = parse_feed(body, URL)
        texts = [feed.title, feed.description, feed.problem]
        for one in feed.articles:
            texts += [one.guid, one.url, one.title, one.author, one.summary, one.content]
            texts += one.categories
        assert all(map(_is_storable, texts))


@given(st.text(max_size=40), st.text(max_size=40))
def test_any_content_type_and_url(content_type: str, url: str) -> None:
    assert len(parse_feed(WHOLE.encode(), url, content_type=content_type).articles) == COUNT
