"""Answers that break on the way, and text in encodings and characters made to confuse."""

from __future__ import annotations

import gzip
import itertools
import unicodedata
from datetime import timedelta

from newsloom_lab.politeness.case import Case, Stage, gap, require, words_of
from newsloom_lab.politeness.feeds import RSS, Item, rss
from newsloom_lab.politeness.publisher import Answer, Exchange, Raw

HOUR = timedelta(hours=1)


def f20(stage: Stage) -> str:
    ways: dict[str, Raw] = {
        "reset in the body": _reset,
        "wrong Content-Length": _short,
        "broken chunks": _chunks,
        "a flood of 1xx": _flood,
        "64 KB of headers": _many_headers,
        "cut gzip": _cut_gzip,
    }
    feeds = {name: stage.feed(f"/w{host}.xml", host) for host, name in enumerate(ways)}
    healthy = stage.feed("/healthy.xml", len(ways))
    stage.follow(*feeds.values(), healthy)
    before = sorted(stage.titles())
    for name, feed in feeds.items():
        answer = Answer(raw=ways[name])
        feed.answer = lambda _asked, answer=answer: answer  # type: ignore[misc]
    stalled = f"https://127.0.0.1:{stage.publisher.stall_port}/stalled.xml"
    stage.reader.subscribe_all([stalled])
    mark = stage.publisher.mark
    stage.advance(hours=26, step=timedelta(hours=13))
    stage.reader.unsubscribe(stalled)
    half = [one for one in stage.titles() if one not in before]
    require(not half, f"of broken answers {half[:3]} was stored")
    for name, feed in feeds.items():
        requests = feed.requests_since(mark)
        require(requests, f"{name}: it did not ask again", feed.requests)
        waits = [gap(a, b) for a, b in itertools.pairwise(requests)]
        # One more attempt a minute after silence is the usual courtesy to one's own line.
        soon = [one for one in waits[1:] if one < HOUR]
        require(
            not soon, f"{name}: asked again after {words_of(min(waits))}" if waits else "", requests
        )
        feed.answer = lambda _asked: None
        feed.news(f"Mended after {name}")
        stage.next_request(feed, hours=60)
    shown = stage.titles()
    for name, feed in feeds.items():
        require(f"Mended after {name}" in shown, f"{name}: it did not recover", feed.requests)
    return f"{len(ways)} broken answers and a silent handshake: nothing half was stored"


_CUT = rss("Broken", [Item(f"b{n}", f"Of a broken answer {n}") for n in range(50)])


async def _reset(exchange: Exchange) -> None:
    await exchange.head(200, RSS, ("Content-Length", str(len(_CUT))))
    await exchange.send(_CUT[: len(_CUT) // 2])
    exchange.reset()


async def _short(exchange: Exchange) -> None:
    await exchange.head(200, RSS, ("Content-Length", str(len(_CUT) + 5000)))
    await exchange.send(_CUT)


async def _chunks(exchange: Exchange) -> None:
    await exchange.head(200, RSS, ("Transfer-Encoding", "chunked"))
    await exchange.send(b"%x\r\n" % len(_CUT) + _CUT + b"\r\nzz\r\nno chunk\r\n0\r\n\r\n")


async def _flood(exchange: Exchange) -> None:
    exchange.request.status = 103
    for _ in range(20_000):
        await exchange.send(b"HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n")


async def _many_headers(exchange: Exchange) -> None:
    await exchange.head(500, *((f"X-Long-{n}", "a" * 1000) for n in range(64)))


async def _cut_gzip(exchange: Exchange) -> None:
    packed = gzip.compress(_CUT)[:-40]
    headers = (("Content-Encoding", "gzip"), ("Content-Length", str(len(packed))))
    await exchange.head(200, RSS, *headers)
    await exchange.send(packed)


def f21(stage: Stage) -> str:
    feed = stage.feed("/feed.xml")
    stage.follow(feed)
    before = set(stage.titles())
    for number in range(3):
        feed.news(f"Whole title number {number} with several words", text="And a text. " * 20)
    whole = {one.title for one in feed.items} | before
    document = feed.document()
    cuts = _cuts(document, 20 if stage.reader.quick else 2)
    for place in cuts:
        feed.body = document[:place]
        feed.touch(f"cut-{place}")
        stage.clock.jump(timedelta(days=3))
        mark = stage.publisher.mark
        stage.reader.poll()
        if not feed.requests_since(mark):
            stage.next_request(feed, hours=60)
        titles = set(stage.titles())
        require(
            titles <= whole, f"half a title was stored: {sorted(titles - whole)}", feed.requests
        )
        require(before <= titles, "articles went", feed.requests)
    feed.body = None
    feed.touch("whole")
    stage.clock.jump(timedelta(days=3))
    stage.next_request(feed, hours=60)
    require(set(stage.titles()) == whole, "the whole document was not taken", feed.requests)
    return f"{len(cuts)} cuts: no half article, none lost"


def _cuts(document: bytes, spread: int) -> list[int]:
    """Where it hurts: in the parts of its first article and behind it; and evenly."""
    start = document.index(b"<item>")
    words = (b"Whole title", b"</title>", b"isPermaLink", b"And a text", b"</item>", b"<item>")
    places = [document.index(one, start + 1) + len(one) for one in words]
    evenly = [start + (len(document) - start) * n // spread for n in range(spread)]
    return [*places, *evenly]


def _encoded(title: str, declared: str, encoding: str) -> bytes:
    head = f'<?xml version="1.0" encoding="{declared}"?>' if declared else ""
    body = (
        f"{head}<rss version='2.0'><channel><title>F</title><item><guid>{declared}{encoding}</guid>"
        f"<title>{title}</title><description>{title}</description></item></channel></rss>"
    )
    return body.encode(encoding)


def f22(stage: Stage) -> str:
    plain = ("Content-Type", "application/rss+xml")
    latin = ("Content-Type", "text/xml; charset=iso-8859-1")
    ways = {
        "UTF-16 without BOM": (
            _encoded("Überflüssig 漢字", "utf-16", "utf-16-le"),
            plain,
            "Überflüssig 漢字",
        ),
        "windows-1252 called UTF-8": (
            _encoded("Café “déjà vu”", "utf-8", "cp1252"),
            plain,
            "Café “déjà vu”",
        ),
        "GB18030": (_encoded("中文新闻𠮷", "gb18030", "gb18030"), plain, "中文新闻𠮷"),
        "BOM against both": (
            b"\xef\xbb\xbf" + _encoded("Žluťoučký kůň", "windows-1251", "utf-8"),
            latin,
            "Žluťoučký kůň",
        ),
        "UTF-8 undeclared": (_encoded("Ελληνικά νέα", "", "utf-8"), plain, "Ελληνικά νέα"),
    }
    feeds = {}
    for host, (name, (body, kind, _)) in enumerate(ways.items()):
        feeds[name] = stage.feed(f"/e{host}.xml", host, headers=(kind,))
        feeds[name].body = body
    seven = stage.feed(
        "/seven.xml", len(ways), headers=(("Content-Type", "text/xml; charset=utf-7"),)
    )
    seven.body = _encoded("+ADw-script+AD4-alert(1)", "utf-7", "ascii")
    stage.reader.subscribe_all([one.url for one in (*feeds.values(), seven)])
    stage.reader.poll()
    stage.advance(hours=3, step=HOUR)
    shown = stage.reader.articles()
    titles = [one.title for one in shown]
    for name, (_, _, title) in ways.items():
        require(title in titles, f"{name}: {title!r} is not among {titles}", feeds[name].requests)
    script = [one for one in titles if "<script" in one]
    require(not script, "UTF-7 was read as UTF-7", seven.requests)
    return f"{len(ways)} encodings read right, UTF-7 never"


HARD = {
    "bidi": "Left \u202eright\u202c and \u2066isolated\u2069",
    "zero width": "Zero\u200bwidth\u200dhere\ufeff",
    "combining": "Z" + "\u0301" * 10_000,
    "family": "Family \U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466 at home",
    "noncharacter": "Non\ufdd0character",
    "astral": "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 \U0001f600",
}
WRONG = {
    "NUL": b"Title with \x00 NUL",
    "C0": b"Title with \x01\x08\x1f control",
    "NUL by number": b"Title with &#0; NUL",
    "surrogate by number": b"Half &#xD800; a character",
    "surrogate in bytes": b"Half \xed\xa0\x80 a character",
}


def f23(stage: Stage) -> str:
    good = stage.feed("/good.xml", 0)
    good.items = [
        Item(f"hard-{place}", title, f"{good.url}/{place}", f"About {name}.")
        for place, (name, title) in enumerate(HARD.items())
    ]
    feeds = []
    for host, (name, title) in enumerate(WRONG.items(), start=1):
        feed = stage.feed(f"/wrong{host}.xml", host)
        marked = rss("Wrong", [Item(f"wrong-{host}", "PLACE", f"{feed.url}/1", f"About {name}.")])
        feed.body = marked.replace(b"PLACE", title)
        feeds.append(feed)
    stage.reader.subscribe_all([one.url for one in (good, *feeds)])
    stage.reader.poll()
    stage.advance(hours=3, step=HOUR)
    shown = stage.reader.articles()
    titles = [one.title for one in shown]
    count = sum(one.feed == good.url for one in shown)
    require(count == len(HARD), f"{count} of {len(HARD)} odd titles are shown", good.requests)
    bad = [one for one in titles if any(_is_bad(sign) for sign in one)]
    require(not bad, f"control characters are shown: {bad[:2]!r}", good.requests)
    longest = max(map(len, titles))
    require(longest <= 5000, f"a title of {longest} characters is shown", good.requests)
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"
    require(any(family in one for one in titles), "a family was parted", good.requests)
    good.news("After the odd ones")
    stage.next_request(good, hours=50)
    require("After the odd ones" in stage.titles(), "the reader no longer works", good.requests)
    return f"{len(HARD)} odd titles shown, of {len(WRONG)} wrong ones nothing that harms"


def _is_bad(sign: str) -> bool:
    return unicodedata.category(sign) in {"Cc", "Cs"} and sign not in "\t\n"


CASES = (
    Case("F20", "Answers that break on the way", "Newsloom", f20, hosts=7, slow=True),
    Case("F21", "Documents cut anywhere", "feedparser shows half a title", f21, slow=True),
    Case("F22", "Encodings that contradict one another", "RFC 7303; WHATWG encoding", f22, hosts=6),
    Case("F23", "Characters that harm", "PostgreSQL refuses NUL; bidi spoofing", f23, hosts=6),
)
