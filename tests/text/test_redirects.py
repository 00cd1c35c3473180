"""Forwarding addresses: a table of every kind, the laws, and the public lists where they are."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from newsloom.kernel.text.redirects import (
    DEEPEST,
    FORWARDERS,
    RULES,
    SEALED,
    forwards,
    is_sealed,
    target,
)
from newsloom.kernel.text.urls import LONGEST, canonical, is_http

STORY = "https://news.example.com/2026/11/a-story?id=5&page=2"
SAFE = quote(STORY, safe="")
BARE = "https://news.example.com/2026/11/a-story"
OLD_NEWS = (
    "CBMiKGh0dHBzOi8vbmV3cy5leGFtcGxlLmNvbS8yMDI2LzExL2Etc3RvcnnSASxodHRwczovL25ld3MuZXhhbXBsZS5j"
    "b20vMjAyNi8xMS9hLXN0b3J5P2FtcA"
)
NEW_NEWS = (
    "https://news.google.com/rss/articles/CBMiVkFVX3lxTE4zaGU2bTY2ZGkzdTRkSkJ0cFpsTGlDUjkxU2FBRURaT"
    "WU0c3QzVWZ1MHZZNkZ5Vzk1ZVBnTDFHY2R6ZmdCUkpUTUJsS1pqQTlCRzlzbHV3?oc=5"
)


def encoded(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


MANDRILL = encoded(json.dumps({"p": json.dumps({"url": STORY})}))

LONGER = f"https://news.example.com/{'a-long-story/' * 30}"


def news_id(address: str, kind: int = 19) -> str:
    """As Google wrote them: a kind, the address after its length, and no AMP form."""
    length = len(address)
    sizes = bytes([length]) if length < 128 else bytes([length & 127 | 128, length >> 7])
    raw = bytes([8, kind, 34]) + sizes + address.encode() + b"\xd2\x01\x00"
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


LEADS_TO = {
    "Google News, a long address": (
        f"https://news.google.com/rss/articles/{news_id(LONGER)}?oc=5",
        LONGER,
    ),
    "Google News, another kind": (f"https://news.google.com/articles/{news_id(BARE, 32)}", BARE),
    "Google News, older ids": (f"https://news.google.com/rss/articles/{OLD_NEWS}?oc=5", BARE),
    "Google News, page": (f"https://news.google.com/articles/{OLD_NEWS}?hl=en-US&gl=US", BARE),
    "Google News, read": (f"https://news.google.com/read/{OLD_NEWS}", BARE),
    "Google News, oldest": (f"https://news.google.com/__i/rss/rd/articles/{OLD_NEWS}?oc=5", BARE),
    "Google News, a link": (f"http://news.google.com/news/url?sa=T&url={SAFE}&usg=AFQ", STORY),
    "Google search": (f"https://www.google.com/url?q={SAFE}&sa=U&ved=2ah", STORY),
    "Google of a country": (f"https://www.google.co.uk/url?sa=t&url={SAFE}&usg=A", STORY),
    "Google Alerts": (f"https://www.google.com/url?rct=j&sa=t&url={BARE}&ct=ga&cd=CAI", BARE),
    "Google advertisement": (f"https://www.google.com/aclk?sa=L&adurl={SAFE}", STORY),
    "Google translation, host": (
        "https://news-example-com.translate.goog/2026/11/a-story?_x_tr_sl=auto&_x_tr_tl=en",
        BARE,
    ),
    "Google translation, dashes": (
        "https://my--news-example-com.translate.goog/a?b=1&_x_tr_tl=en",
        "https://my-news.example.com/a?b=1",
    ),
    "Google translation, prefixed": (
        "https://1-en--us-example-com.translate.goog/a?_x_tr_enc=1",
        "https://en-us.example.com/a",
    ),
    "Google translation, punycode": (
        "https://0-bcher--kva-example.translate.goog/?_x_tr_enc=0&_x_tr_sch=http",
        "http://xn--bcher-kva.example/",
    ),
    "Google translation, page": (f"https://translate.google.com/translate?sl=de&u={SAFE}", STORY),
    "Bing News": (f"http://www.bing.com/news/apiclick.aspx?ref=FexRss&url={SAFE}&c=12", STORY),
    "Bing": (f"https://www.bing.com/ck/a?!&&p=81cd&u=a1{encoded(STORY)}&ntb=1", STORY),
    "Yahoo search": (
        f"https://r.search.yahoo.com/_ylt=A0;_ylu=Y2/RV=2/RE=16/RO=10/RU={SAFE}/RK=2/RS=rH-",
        STORY,
    ),
    "Yahoo of a country": (f"https://uk.search.yahoo.com/RV=2/RU={SAFE}/RK=0", STORY),
    "Yahoo News": (
        "http://us.rd.yahoo.com/dailynews/rss/SIG=11r/*http%3A/news.example.com/a?b=1&c=2",
        "http://news.example.com/a?b=1&c=2",
    ),
    "DuckDuckGo": (f"https://duckduckgo.com/l/?uddg={SAFE}&rut=abc", STORY),
    "Yandex": (f"https://yandex.ru/clck/jsredir?from=x&url={SAFE}", STORY),
    "Yandex Turbo": (
        "https://rbc-ru.turbopages.org/rbc.ru/s/society/1",
        "https://rbc.ru/society/1",
    ),
    "Pocket": (f"https://getpocket.com/redirect?url={SAFE}&h=1", STORY),
    "Facebook": (f"https://l.facebook.com/l.php?u={SAFE}&h=AT0", STORY),
    "Facebook, escaped ampersands": (f"https://lm.facebook.com/l.php?h=A&amp;u={SAFE}", STORY),
    "Instagram": (f"https://l.instagram.com/?u={SAFE}&e=AT", STORY),
    "LinkedIn": (f"https://www.linkedin.com/redir/redirect?url={SAFE}&urlhash=x", STORY),
    "LinkedIn, warning": (f"https://www.linkedin.com/safety/go?url={SAFE}", STORY),
    "Reddit": (f"https://out.reddit.com/t3_abc?url={SAFE}&token=x", STORY),
    "Reddit mail": (f"https://click.redditmail.com/CL0/{SAFE}/1/0100", STORY),
    "Tumblr": (f"https://t.umblr.com/redirect?z={SAFE}&t=abc", STORY),
    "YouTube": (f"https://www.youtube.com/redirect?event=video&q={SAFE}", STORY),
    "YouTube, short": (
        "https://youtu.be/dQw4w9WgXcQ?t=3",
        "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
    ),
    "YouTube, shared": (
        "https://www.youtube.com/attribution_link?a=x&u=%2Fwatch%3Fv%3DdQw4w9WgXcQ",
        "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
    ),
    "Steam": (f"https://steamcommunity.com/linkfilter/?url={SAFE}", STORY),
    "Steam, bare": (f"https://steamcommunity.com/linkfilter/?{BARE}", BARE),
    "VK": (f"https://vk.com/away.php?to={SAFE}&cc_key=", STORY),
    "Telegram": (f"https://t.me/share/url?url={SAFE}&text=x", STORY),
    "Twitter": (f"https://twitter.com/intent/tweet?text=x&url={SAFE}", STORY),
    "Disqus": (f"https://disq.us/url?url={SAFE}%3AkF2xYzAbCdEfGh&cuid=1", STORY),
    "Medium": (f"https://medium.com/r/?url={SAFE}", STORY),
    "Slack": (f"https://slack-redir.net/link?url={SAFE}", STORY),
    "href.li": (f"https://href.li/?{BARE}", BARE),
    "Mozilla": (f"https://outgoing.prod.mozaws.net/v1/{'a' * 64}/{SAFE}", STORY),
    "Outlook": (f"https://nam02.safelinks.protection.outlook.com/?url={SAFE}&data=04", STORY),
    "Proofpoint 1": (f"https://urldefense.proofpoint.com/v1/url?u={SAFE}&k=oIv", STORY),
    "Proofpoint 2": (
        "https://urldefense.proofpoint.com/v2/url?u=https-3A__news.example.com_a-2Db-3Fc-3D1&d=D",
        "https://news.example.com/a-b?c=1",
    ),
    "Proofpoint 3": (
        "https://urldefense.com/v3/__https://news.example.com/a*b?c=1__;Iw!!x!y$",
        "https://news.example.com/a#b?c=1",
    ),
    "Proofpoint 3, a run": (
        "https://urldefense.com/v3/__https://news.example.com/a**Ab__;w6TDtg!!x!y$",
        "https://news.example.com/aäöb",
    ),
    "Cisco": (f"https://secure-web.cisco.com/1ab-x/{SAFE}", STORY),
    "Amazon mail": (f"https://abc.r.eu-west-1.awstrack.me/L0/{SAFE}/1/01", STORY),
    "Substack": (f"https://substack.com/redirect/2/{encoded(json.dumps({'e': STORY}))}", STORY),
    "GovDelivery": (f"https://lnks.gd/l/eyJh.{encoded(json.dumps({'url': STORY}))}.sig/s/1", STORY),
    "Customer.io": (
        f"https://e.customeriomail.com/e/c/{encoded(json.dumps({'href': STORY}))}/07",
        STORY,
    ),
    "Mandrill": (f"https://mandrillapp.com/track/click/1/news?p={MANDRILL}", STORY),
    "ActiveCampaign": (
        f"https://x.lt.acemlna.com/Prod/link-tracker?redirectUrl={encoded(STORY)}&sig=1",
        STORY,
    ),
    "PR Newswire": (f"https://c212.net/c/link/?t=0&l=en&o=3&u={SAFE}&a=x", STORY),
    "Business Wire": (f"https://cts.businesswire.com/ct/CT?id=smartlink&url={SAFE}", STORY),
    "Wayback Machine": (f"https://web.archive.org/web/20260101000000/{STORY}", STORY),
    "Wayback Machine, as it was": (f"http://web.archive.org/web/20260101id_/{BARE}", BARE),
    "archive.today": (f"https://archive.ph/2024.01.02-120000/{STORY}", STORY),
    "archive.today, newest": (f"https://archive.is/newest/{STORY}", STORY),
    "12ft": (f"https://12ft.io/{STORY}", STORY),
    "partner links": (f"https://go.skimresources.com/?id=1&xs=1&url={SAFE}", STORY),
    "partner links, numbered": (f"https://shop.abcde.net/c/12/34/56?u={SAFE}", STORY),
    "Awin": (f"https://www.awin1.com/cread.php?awinmid=1&ued={SAFE}", STORY),
    "without a scheme": (
        "https://www.shareasale.com/r.cfm?b=1&urllink=news.example.com%2Fa",
        "http://news.example.com/a",
    ),
    "escaped four times": (
        f"https://www.google.com/url?q={quote(quote(quote(SAFE, safe=''), safe=''), safe='')}",
        STORY,
    ),
    "escaped twice": (f"https://www.google.com/url?q={quote(SAFE, safe='')}", STORY),
    "bare, with a query of its own": (
        "http://news.google.com/news/url?sa=T&url=http://example.com/apps?pid=1&sid=2",
        "http://example.com/apps?pid=1&sid=2",
    ),
    "one within another": (
        f"https://l.facebook.com/l.php?u={quote(f'https://www.google.com/url?q={SAFE}', safe='')}",
        STORY,
    ),
    "a forwarder that says nothing": (
        "https://l.facebook.com/l.php?u=https%3A%2F%2Ft.co%2Fabc",
        "https://t.co/abc",
    ),
}

ITSELF = {
    "an article": STORY,
    "one with an address in its query": f"https://news.example.com/share?url={SAFE}",
    "a search": f"https://www.google.com/search?q={SAFE}",
    "Google News, newer ids": NEW_NEWS,
    "Google News, no id": "https://news.google.com/rss/articles/x",
    "Google News, an id of letters": f"https://news.google.com/articles/{encoded('abc')}",
    "Google News, a length without end": (
        f"https://news.google.com/articles/{encoded(chr(8) + chr(19) + chr(34))}"
    ),
    "Google News, a length too long": (
        "https://news.google.com/articles/"
        + base64.urlsafe_b64encode(b'\x08\x13"' + b"\xff" * 9).decode()
    ),
    "a script": "https://www.google.com/url?q=javascript:alert(1)",
    "data": "https://l.facebook.com/l.php?u=data%3Atext%2Fhtml%2Cx",
    "a path": "https://www.google.com/url?q=%2Fsearch%3Fq%3Dx",
    "no host": "https://www.google.com/url?q=https%3A%2F%2F",
    "line breaks": "https://www.google.com/url?q=https%3A%2F%2Fa.example%0A%2F",
    "nothing": "https://www.google.com/url?q=",
    "another host": f"https://google.com.evil.example/url?q={SAFE}",
    "another path": f"https://www.youtube.com/watch?v=1&q={SAFE}",
    "archive.today, a page": "https://archive.ph/AbCdE",
    "Proofpoint without an end": "https://urldefense.com/v3/__https://a.example/",
    "no web address": "mailto:a@example.com?url=https://b.example/",
    "empty": "",
    "too long": f"https://www.google.com/url?q={SAFE}&x={'x' * LONGEST}",
    "too deep": "https://href.li/?" * (DEEPEST + 1) + BARE,
}


@pytest.mark.parametrize(("url", "leads_to"), LEADS_TO.values(), ids=LEADS_TO.keys())
def test_a_forwarding_address_says_where_it_leads(url: str, leads_to: str) -> None:
    assert target(url) == leads_to


@pytest.mark.parametrize("url", ITSELF.values(), ids=ITSELF.keys())
def test_any_other_leads_to_itself(url: str) -> None:
    assert target(url) == url


ASKED = {
    "t.co": "https://t.co/AbC",
    "bit.ly": "http://bit.ly/2AbC",
    "with www": "https://www.bit.ly/2AbC",
    "a paper's own": "https://nyti.ms/3abc",
    "Feedburner": "http://feedproxy.google.com/~r/Feed/~3/BZmODHC7dVY/a-story",
    "Feedburner, a paper's host": "http://feeds.example.com/~r/Feed/~3/BZmODHC7dVY/",
    "Feedburner, two names": "http://rss.example.com/~r/rss/edition/~3/x/",
    "Substack": "https://substack.com/redirect/f28899b5-8283-4255?j=eyJ1",
}
NOT_ASKED = {
    "an article": STORY,
    "a host alone": "https://t.co/",
    "a host that ends alike": "https://reddit.co/abc",
    "another path": "https://substack.com/@someone",
    "a feed of Feedburner": "http://feeds.feedburner.com/Feed",
    "Google News": NEW_NEWS,
    "too long": f"https://t.co/{'x' * LONGEST}",
    "nothing": "",
}


@pytest.mark.parametrize("url", ASKED.values(), ids=ASKED.keys())
def test_a_host_that_forwards_is_known(url: str) -> None:
    assert forwards(url)
    assert target(url) == url


@pytest.mark.parametrize("url", NOT_ASKED.values(), ids=NOT_ASKED.keys())
def test_no_other_is_asked(url: str) -> None:
    assert not forwards(url)


def test_the_newer_google_news_says_nothing() -> None:
    assert is_sealed(NEW_NEWS)
    assert not is_sealed("https://news.google.com/")
    assert not is_sealed(STORY)


def test_the_tables_are_in_order() -> None:
    hosts = [host for rule in RULES for host in rule.hosts.split()]
    assert all(re.fullmatch(r"\*|[a-z0-9-]+(\.[a-z0-9-]+)*(\.\*)?", host) for host in hosts)
    assert len(set(FORWARDERS)) == len(FORWARDERS)
    assert all(entry == entry.lower() and "." in entry for entry in (*FORWARDERS, *SEALED))


_SHELLS = st.sampled_from(
    [
        "https://www.google.com/url?q=",
        "https://l.facebook.com/l.php?u=",
        "https://href.li/?",
        "https://web.archive.org/web/2026/",
        "https://us.rd.yahoo.com/*",
        "https://www.bing.com/ck/a?u=a1",
        "https://news.google.com/rss/articles/",
        "https://urldefense.com/v3/__",
        "https://x-y.translate.goog/",
        "https://lnks.gd/l/a.",
    ]
)
_INSIDE = st.one_of(
    st.text(max_size=60),
    st.sampled_from([STORY, SAFE, encoded(STORY), NEW_NEWS, "__;Kw!", "%68%74tp%3A%2F%2Fa.b"]),
    st.binary(max_size=40).map(lambda raw: base64.urlsafe_b64encode(raw).decode()),
)


@st.composite
def nested(draw: st.DrawFn) -> str:
    url = draw(_INSIDE)
    for _ in range(draw(st.integers(0, 8))):
        url = draw(_SHELLS) + (quote(url, safe="") if draw(st.booleans()) else url)
    return url


@given(nested())
@example("https://href.li/?https://href.li/?")
@example("https://www.google.com/url?q=%ff%fe")
@example("https://www.google.com/url?q=https://\ud800.example/")
@example(f"https://urldefense.com/v3/__{'*' * 2000}__;{'A' * 2000}!")
@example("https://www.google.com/url?q=https://[broken")
def test_it_ends_and_says_the_same_twice(url: str) -> None:
    found = target(url)
    assert target(found) == found
    assert found == url or is_http(found)
    assert len(found) <= max(len(url), LONGEST)
    assert canonical(canonical(found)) == canonical(found)
    forwards(found)
    is_sealed(found)


HOSTILE = {
    "slashes": "https://us.rd.yahoo.com/" + "*/" * 50_000,
    "parameters": "https://www.google.com/url?" + "q=&" * 33_000,
    "escapes": "https://www.google.com/url?q=" + "%25" * 33_000,
    "base64": "https://news.google.com/rss/articles/" + "A" * 100_000,
    "within the bound, slashes": "https://us.rd.yahoo.com/" + "*/" * 4_000,
    "within the bound, stars": "https://urldefense.com/v3/__" + "*" * 4_000 + "__;!",
    "within the bound, paths": "https://isolate.menlosecurity.com/" + "a/" * 4_000,
}


@pytest.mark.parametrize("url", HOSTILE.values(), ids=HOSTILE.keys())
def test_long_addresses_end_too(url: str) -> None:
    assert target(target(url)) == target(url)


def test_what_the_public_lists_redirect_is_an_address_or_left_alone(shared: Path) -> None:
    rules = json.loads(
        (shared / "data" / "urls" / "brave" / "debounce.json").read_text(encoding="utf-8")
    )
    asked = read = 0
    for rule in rules:
        if rule["action"] != "redirect" or rule.get("prepend_scheme"):
            continue
        for pattern in rule["include"]:
            start = pattern.replace("*://", "https://").replace("//*.", "//www.")
            start = start.replace("/c/*", "/c/1/2/3").replace("*", "x")
            joint = "" if start.endswith("?") else "&" if "?" in start else "?"
            found = target(f"{start}{joint}{rule['param']}={SAFE}")
            asked += 1
            read += found == STORY
            assert found == STORY or not found.startswith("https://news.example.com")
    # Shops and advertisers make the rest, whose links no article has for its own.
    assert asked > 100
    assert read / asked > 0.7


def test_no_address_of_a_real_article_or_feed_is_taken_for_another(shared: Path) -> None:
    pattern = re.compile(rb"""(?:xmlUrl|htmlUrl)\s*=\s*["'](https?://[^"'<>\s]+)["']""")
    found = {
        url.decode("utf-8", "replace").replace("&amp;", "&")
        for file in (shared / "data" / "opml").rglob("*")
        if file.is_file()
        for url in pattern.findall(file.read_bytes())
    }
    assert len(found) > 5_000
    assert {url for url in found if target(url) != url} == set()
