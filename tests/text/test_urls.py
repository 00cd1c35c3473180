"""Canonical URLs: our table, the laws, and the public vectors where they are at hand."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from newsloom.kernel.text.urls import (
    LONGEST,
    canonical,
    host,
    is_article,
    is_http,
    is_section,
    join,
    source,
)

A = "https://example.com/2026/11/a-story"

SAME = {
    "as it is": A,
    "http": "http://example.com/2026/11/a-story",
    "no scheme": "//example.com/2026/11/a-story",
    "scheme and host in capitals": "HTTPS://EXAMPLE.COM/2026/11/a-story",
    "www": "https://www.example.com/2026/11/a-story",
    "numbered www": "https://www2.example.com/2026/11/a-story",
    "mobile host": "https://m.example.com/2026/11/a-story",
    "mobile host, long": "https://mobile.example.com/2026/11/a-story",
    "www and mobile": "https://www.m.example.com/2026/11/a-story",
    "amp host": "https://amp.example.com/2026/11/a-story",
    "port of https": "https://example.com:443/2026/11/a-story",
    "port of http": "http://example.com:80/2026/11/a-story",
    "port of the other scheme": "http://example.com:443/2026/11/a-story",
    "empty port": "https://example.com:/2026/11/a-story",
    "port with zeros": "https://example.com:0443/2026/11/a-story",
    "dot at the end of the host": "https://example.com./2026/11/a-story",
    "user": "https://reader:secret@example.com/2026/11/a-story",
    "trailing slash": "https://example.com/2026/11/a-story/",
    "trailing slashes": "https://example.com/2026/11/a-story//",
    "doubled slashes": "https://example.com//2026/11//a-story",
    "backslashes": "https:\\\\example.com\\2026\\11\\a-story",
    "one slash after the scheme": "https:/example.com/2026/11/a-story",
    "spaces around": "  https://example.com/2026/11/a-story\n",
    "line break inside": "https://example.com/2026/11/\r\na-story",
    "tab inside": "https://exa\tmple.com/2026/11/a-story",
    "fragment": f"{A}#comments",
    "text fragment": f"{A}#:~:text=some%20words",
    "empty fragment": f"{A}#",
    "empty query": f"{A}?",
    "empty parameters": f"{A}?&&",
    "utm": f"{A}?utm_source=rss&utm_medium=feed&utm_campaign=x",
    "utm in capitals": f"{A}?UTM_Source=rss",
    "utm escaped twice": f"{A}?utm_source=rss&amp;utm_medium=feed&#038;utm_campaign=x",
    "BBC": f"{A}?at_medium=RSS&at_campaign=KARANGA",
    "Guardian, New York Times": f"{A}?CMP=rss&smid=nytcore-ios-share&partner=rss&emc=rss",
    "DW, CSM, Al Jazeera": f"{A}?maca=en-rss-en-all-1573-rdf&icid=rss&traffic_source=rss",
    "Facebook, Google, Microsoft": f"{A}?fbclid=IwAR0&gclid=CjwK&msclkid=d3f&gad_source=1",
    "mail": f"{A}?mc_cid=1&mc_eid=2&mkt_tok=3&_hsenc=4&_hsmi=5&ck_subscriber_id=6",
    "Matomo": f"{A}?pk_campaign=x&mtm_source=y&piwik_kwd=z",
    "referrer": f"{A}?ref=hackernoon.com",
    "source=rss": f"{A}?source=rss&from=rss&src=rss",
    "shared on WordPress": f"{A}?share=twitter",
    "Java session": f"{A};jsessionid=1A530637289A03B07199A44E8D531427",
    "PHP session": f"{A}?PHPSESSID=298zf09hf012fh2",
    "ASP.NET session": "https://example.com/(S(lit3py55t21z5v55vlm25s55))/2026/11/a-story",
    "forum session": f"{A}?sid=0123456789abcdef0123456789abcdef",
    "amp at the end": f"{A}/amp",
    "amp and a slash": f"{A}/amp/",
    "amp at the beginning": "https://example.com/amp/2026/11/a-story",
    "amp=1": f"{A}?amp=1",
    "amp": f"{A}?amp",
    "outputType=amp": f"{A}?outputType=amp",
    "amp analytics": f"{A}?amp_js_v=0.1&usqp=mq331",
    "Google's viewer": "https://www.google.com/amp/s/www.example.com/2026/11/a-story/amp/",
    "Google's viewer, in a country": "https://google.co.uk/amp/s/example.com/2026/11/a-story",
    "Google's cache": "https://www-example-com.cdn.ampproject.org/c/s/www.example.com/2026/11/a-story",
    "Google's cache, of http": "https://cdn.ampproject.org/v/example.com/2026/11/a-story?amp_js_v=1",
    "index page": f"{A}/index.html",
    "index page of PHP": f"{A}/index.php",
    "default page": f"{A}/Default.aspx",
    "a dot segment": "https://example.com/2026/./11/a-story",
    "two dots": "https://example.com/2026/10/../11/a-story",
    "two dots, escaped": "https://example.com/2026/10/%2E%2e/11/a-story",
    "letters escaped": "https://example.com/2026/11/%61-st%6Fry",
    "hyphen escaped": "https://example.com/2026/11/a%2Dstory",
    "mobile view of Blogger": f"{A}?m=1",
    "print view": f"{A}?print=true",
    "reply link": f"{A}?replytocom=123",
}

EQUAL = {
    "order of parameters": ("https://e.com/s?b=2&a=1", "https://e.com/s?a=1&b=2"),
    "parameter twice": ("https://e.com/s?a=1&a=1", "https://e.com/s?a=1"),
    "parameter without value": ("https://e.com/s?12345=", "https://e.com/s?12345"),
    "escapes in capitals": ("https://e.com/%c3%a9", "https://e.com/%C3%A9"),
    "letters of other scripts": ("https://e.com/é", "https://e.com/%C3%A9"),
    "in the query": ("https://e.com/s?q=é", "https://e.com/s?q=%c3%a9"),
    "space": ("https://e.com/a b", "https://e.com/a%20b"),
    "apostrophe": ("https://e.com/it's", "https://e.com/it%27s"),
    "stray percent": ("https://e.com/100%", "https://e.com/100%25"),
    "stray percent before letters": ("https://e.com/100%zz", "https://e.com/100%25zz"),
    "IDN": ("https://bücher.example/a", "https://xn--bcher-kva.example/a"),
    "IDN in capitals": ("https://BÜCHER.example/a", "https://xn--bcher-kva.example/a"),
    "IDN, escaped": ("https://b%C3%BCcher.example/a", "https://bücher.example/a"),
    "IDN, wide letters": ("https://ｅｘａｍｐｌｅ.com/a", "https://example.com/a"),
    "emoji host": ("https://i❤.ws/a", "https://xn--i-7iq.ws/a"),
    "Wikipedia's mobile host": (
        "https://en.m.wikipedia.org/wiki/Loom",
        "https://en.wikipedia.org/wiki/Loom",
    ),
    "amp.html": ("https://e.com/a.amp.html", "https://e.com/a.html"),
    ".amp": ("https://e.com/a.amp", "https://e.com/a"),
    "IPv4 in hexadecimal": ("http://0x7f.1/a", "http://127.0.0.1/a"),
    "IPv6": ("http://[2001:DB8:0:0::1]/a", "http://[2001:db8::1]/a"),
    "home page": ("https://e.com", "http://www.e.com/index.html?utm_source=x"),
    "feature of YouTube": (
        "https://youtube.com/watch?v=f8O3XMrC8hg&feature=youtu.be",
        "https://www.youtube.com/watch?v=f8O3XMrC8hg",
    ),
}

DISTINCT = {
    "path": ("https://e.com/a", "https://e.com/b"),
    "case of the path": ("https://youtu.be/aBc", "https://youtu.be/abc"),
    "host": ("https://a.e.com/x", "https://b.e.com/x"),
    "port": ("https://e.com:8080/x", "https://e.com/x"),
    "WordPress id": ("https://e.com/?p=123", "https://e.com/?p=124"),
    "id": ("https://e.com/story.php?id=1", "https://e.com/story.php?id=2"),
    "storyId": ("https://e.com/s?storyId=1004", "https://e.com/s?storyId=1005"),
    "story": ("https://e.com/s?story=one", "https://e.com/s?story=two"),
    "objectid": ("https://e.com/a.cfm?c_id=2&objectid=1", "https://e.com/a.cfm?c_id=2&objectid=2"),
    "bare number": ("https://e.com/s?1", "https://e.com/s?2"),
    "YouTube": ("https://youtube.com/watch?v=aaa", "https://youtube.com/watch?v=bbb"),
    "Slashdot's sid": (
        "https://e.com/article.pl?sid=24/1/2",
        "https://e.com/article.pl?sid=24/1/3",
    ),
    "cid": ("https://e.com/s?cid=100", "https://e.com/s?cid=200"),
    "numbered ref": ("https://e.com/s?ref=100", "https://e.com/s?ref=200"),
    "m as a month": ("https://e.com/archive?m=202610", "https://e.com/archive?m=202611"),
    "source that chooses": ("https://e.com/s?source=ap", "https://e.com/s?source=afp"),
    "from that chooses": ("https://e.com/s?from=20", "https://e.com/s?from=40"),
    "hash-bang route": ("https://e.com/#!/a", "https://e.com/#!/b"),
    "escaped slash": ("https://e.com/a%2Fb", "https://e.com/a/b"),
    "escaped ampersand": ("https://e.com/s?q=a%26b=c", "https://e.com/s?q=a&b=c"),
    "escaped question mark": ("https://e.com/a%3Fb", "https://e.com/a?b"),
    "own name under co.uk": ("https://m.co.uk/a", "https://co.uk/a"),
    "own name under a top level": ("https://mobile.de/a", "https://de/a"),
    "amp in a word": ("https://e.com/camp", "https://e.com/c"),
    "amp as a page": ("https://e.com/amp", "https://e.com/"),
    "index with a story behind": ("https://e.com/index.php/2026/a", "https://e.com/2026/a"),
    "parameter after a path": ("https://e.com/a?page=2", "https://e.com/a"),
}

NOTHING = {
    "empty": "",
    "white space": " \n ",
    "words": "not a link",
    "no host": "https://",
    "no host, a path": "https:///",
    "relative": "/2026/11/a-story",
    "host alone": "example.com/a",
    "mail": "mailto:editor@example.com",
    "script": "javascript:alert(1)",
    "data": "data:text/html,hello",
    "file": "file:///etc/passwd",
    "urn": "urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
    "tag": "tag:example.com,2026:story-1",
    "magnet": "magnet:?xt=urn:btih:c12fe",
    "space in the host": "https://exa mple.com/a",
    "broken IPv6": "https://[broken/a",
    "no number as port": "https://example.com:http/a",
    "port too large": "https://example.com:99999/a",
    "four-part number too large": "https://1.2.3.400/a",
    "too long": f"https://example.com/{'a' * LONGEST}",
    "longer when escaped": f"https://example.com/{'é' * (LONGEST // 4)}",
    "host too long": f"https://{'a' * 300}.com/a",
}


@pytest.mark.parametrize("url", SAME.values(), ids=SAME.keys())
def test_one_article_has_one_form(url):
    assert canonical(url) == A


@pytest.mark.parametrize(("one", "other"), EQUAL.values(), ids=EQUAL.keys())
def test_equal(one, other):
    assert canonical(one) == canonical(other) != ""


@pytest.mark.parametrize(("one", "other"), DISTINCT.values(), ids=DISTINCT.keys())
def test_distinct_articles_stay_distinct(one, other):
    assert "" != canonical(one) != canonical(other) != ""


@pytest.mark.parametrize("url", NOTHING.values(), ids=NOTHING.keys())
def test_nothing_to_compare(url):
    assert canonical(url) == ""


slug = st.from_regex(r"[a-z0-9][a-z0-9-]{0,20}[a-z0-9]", fullmatch=True).filter(
    lambda text: text not in {"amp", "index"}
)
parameter = st.tuples(
    st.sampled_from(("p", "id", "story", "v", "objectid", "page")), st.integers(1, 10**9)
)
tracking = st.sampled_from(
    ("utm_source=rss", "fbclid=IwAR", "gclid=1", "at_medium=RSS", "mc_cid=a", "ref=rss", "amp=1")
)


@st.composite
def article_urls(draw):
    path = "/".join(draw(st.lists(slug, min_size=1, max_size=4)))
    query = "&".join(f"{name}={value}" for name, value in draw(st.lists(parameter, max_size=2)))
    return f"https://news.example.{draw(st.sampled_from(('com', 'co.uk', 'de')))}/{path}", query


@given(article_urls(), st.lists(tracking, max_size=3), st.data())
def test_variants_are_one(article, added, data):
    address, query = article
    scheme = data.draw(st.sampled_from(("https://", "http://", "https://www.", "https://m.")))
    tail = data.draw(st.sampled_from(("", "/", "/amp", "/amp/", "/index.html")))
    pairs = data.draw(st.permutations([*filter(None, query.split("&")), *added]))
    variant = f"{address.replace('https://', scheme)}{tail}?{'&'.join(pairs)}#top"
    assert canonical(variant) == canonical(f"{address}?{query}") != ""


@given(article_urls(), article_urls())
def test_different_paths_and_ids_are_different(one, other):
    def key(article):
        return article[0], frozenset(filter(None, article[1].split("&")))

    forms = [canonical(f"{address}?{query}") for address, query in (one, other)]
    assert (forms[0] == forms[1]) == (key(one) == key(other))


PIECES = (
    "http: https: / // \\ . .. %2e %2E %41 %zz % %25 amp .amp .amp.html index.html ? & = # #! ; ( )"
    " m. www. amp. google.com/amp/s/ cdn.ampproject.org/c/s/ : :80 @ [ ] é ß ı \u0130 \ud800 \x00"
    " \t 0x7f.1 1 com e a b p=1 utm_x=1 amp; ref="
)


@given(
    st.one_of(
        st.text(max_size=60), st.lists(st.sampled_from(PIECES.split(" ")), max_size=14).map("".join)
    )
)
@example("http://e.com/%%341")
@example("http://e.com/a/amp/amp/index.html/amp")
@example("http://en.m.m.e.com/a")
@example("http://google.com/amp/s/google.com/amp/s/e.com/a")
@example("http://e.com/;jsessionid=1;jsessionid=2/amp")
@example("http://e.com/.amp")
@example("http://e.com/a/..AMP")
@example("http://e.com/?\ud800")
@example("http://cdn.ampproject.org//0.0")
def test_total_and_idempotent(text):
    for url in (text, f"https://{text}", f"https://example.com/{text}"):
        once = canonical(url)
        assert canonical(once) == once
        assert once == "" or re.fullmatch(r"https://[!-~]+", once)


def test_hosts_and_sources():
    assert host("http://www.BBC.co.uk:80/news") == "bbc.co.uk"
    assert host("https://www.de/a") == "www.de"
    assert host("no address") == ""
    assert source("https://news.bbc.co.uk/a") == "bbc.co.uk"
    assert source("https://feeds.example.com/a") == "example.com"
    assert source("https://somebody.github.io/a") == "somebody.github.io"
    assert source("https://www.example.test.museum/a") == "test.museum"
    assert source("http://127.0.0.1:8000/a") == "127.0.0.1"
    assert source("http://localhost:8000/a") == "localhost"
    assert source("http://[::1]/a") == "[::1]"
    assert source("") == ""


def test_web_addresses():
    assert is_http("https://example.com/a")
    assert is_http("HTTP://example.com")
    assert not any(map(is_http, ("", "ftp://e.com/a", "javascript:1", "https://", "//e.com/a")))


@pytest.mark.parametrize(
    ("reference", "absolute"),
    [
        ("/a", "https://e.com/a"),
        ("a", "https://e.com/x/a"),
        ("//other.org/a", "https://other.org/a"),
        ("#note", "https://e.com/x/page#note"),
        (" ht\ntp://e.org/ ", "http://e.org/"),
        ("javascript:alert(1)", ""),
        ("java\nscript:alert(1)", ""),
        ("data:text/html,x", ""),
        ("http://[broken", ""),
    ],
)
def test_joining(reference, absolute):
    assert join("https://e.com/x/page", reference) == absolute


def test_which_addresses_name_an_article():
    assert is_article("https://e.com/a")
    assert is_article("https://e.com/?p=1")
    assert is_article("https://e.com/#!/a")
    assert not any(map(is_article, ("", "https://e.com/", "https://e.com/#!", "https://e.com/#!/")))
    assert is_section("https://e.com/podcast")
    assert not any(
        map(is_section, ("https://e.com/a-story", "https://e.com/a/b", "https://e.com/p?id=1"))
    )


# --- public vectors ---


def whatwg(shared: Path):
    for name in ("wpt_via_ada", "rust_url", "urlcanon"):
        for case in json.loads((shared / "data/urls" / name / "urltestdata.json").read_text()):
            if isinstance(case, dict) and re.match(
                r"[\x00-\x20]*https?:[/\\]{2}", case["input"], re.IGNORECASE
            ):
                yield case


def test_whatwg_addresses(shared):
    pairs = [(case["input"], case.get("href") or "") for case in whatwg(shared)]
    pairs = [(written, href) for written, href in pairs if href.startswith("http")]
    assert [pair for pair in pairs if canonical(pair[0]) != canonical(pair[1])] == []
    # The rest are hosts that no article has: dots alone, or !"$&'()*+,-.;=_`{}~
    assert sum(canonical(written) != "" for written, _ in pairs) > 0.95 * len(pairs) > 400


def test_what_browsers_refuse_is_nothing(shared):
    refused = [case["input"] for case in whatwg(shared) if case.get("failure")]
    taken = [url for url in refused if canonical(url)]
    assert len(refused) > 400
    # Punycode that decodes to nothing is not looked into: such a host can have no article.
    assert all("xn--" in url.lower() for url in taken), taken


@pytest.mark.parametrize(
    ("file", "least"), [("aggressive", 20), ("semantic_precise", 60), ("supplemental_whatwg", 30)]
)
def test_urlcanon(shared, file, least):
    """Its canonical form of an address has our form of that address.

    Not where it decodes escapes of escapes, or folds the case of parameters (ids have case); and
    some of its inputs are bytes of UTF-8 shown as Latin-1.
    """
    cases = json.loads((shared / f"data/urls/urlcanon/{file}.json").read_text())
    alike = [
        (canonical(written), canonical(expected), written)
        for written, expected in cases.items()
        if re.match(r"\s*https?://", written) and written.isascii() and canonical(written)
        if "%25" not in written and "%%" not in written and "B=3" not in written
    ]
    assert len(alike) > least
    assert [case for case in alike if case[0].lower() != case[1].lower()] == []


def test_every_vector_is_idempotent(shared):
    for file in (shared / "data/urls").glob("*/*.json"):
        for text in set(re.findall(r'"((?:https?|HTTPS?):[^"\\]{1,500})"', file.read_text())):
            assert canonical(canonical(text)) == canonical(text)
