"""How a reader asks: who it says it is, what it sends, which validators it gives back."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable, Sequence
from datetime import timedelta
from threading import Event

from newsloom_lab.politeness.case import Case, Stage, gap, require, words_of
from newsloom_lab.politeness.feeds import HTML, RSS, Feed, page
from newsloom_lab.politeness.publisher import Answer, Exchange, RecordedRequest

ASIDE = ("/favicon.ico", "/robots.txt", "/apple-touch-icon.png")

# name/version (... a way to reach who runs it ...; N subscribers)
AGENT = re.compile(r"[^\s/()]+/\S+ .*(?:https?://|@).*; ?(\d+) subscribers?\b.*", re.DOTALL)
NAMED = re.compile(r"[^\s/()]+/\S+")

# Opaque, whatever they look like (RFC 9110, 8.8): ETag, Last-Modified.
VALIDATORS = (
    ('"plain"', "Tue, 17 Nov 2026 08:00:00 GMT"),
    ('W/"weak"', "Tue, 17 Nov 2026 08:00:01 GMT"),
    ("unquoted", "banana"),
    ('"with  two spaces"', "2026-11-17 08:00:00"),
    ('w/"MiXeD CaSe"', "tue, 17 nov 2026 8:0:0 gmt"),
    ('"a,b;c=\\"d\\""', "Tue, 17 Nov 2026 08:00:00 +0000"),
    ('"' + "x" * 300 + '"', "0"),
)


def p01(stage: Stage) -> str:
    feed = stage.feed("/feed.xml?format=rss")
    stage.follow(feed)
    stage.reader.poll()
    log = stage.publisher.requests()
    _only_plain(log)
    require(len(feed.requests) == 1, f"{len(feed.requests)} requests to subscribe", log)
    others = [one for one in log if one not in feed.requests and one.path not in ASIDE]
    require(not others, "other addresses were asked", others)
    require(len(stage.titles()) == 3, "the first answer's articles are not there", log)
    if "discovery" not in stage.reader.capabilities:
        return "one GET of the feed, as it was given"
    found = stage.feed("/found.xml")
    link = '<link rel="alternate" type="application/rss+xml" href="/found.xml">'
    home = stage.publisher.on(
        stage.publisher.url("/"), Answer(page("Home", "", link), 200, (HTML,))
    )
    mark = stage.publisher.mark
    stage.reader.subscribe(home)
    stage.reader.poll()
    log = stage.publisher.requests(since=mark)
    pages = stage.publisher.requests(home, mark)
    require(len(pages) <= 1 and len(found.requests) == 1, "more than one GET of page and feed", log)
    _only_plain(log)
    return "one GET of the feed; by its page one more, of the page"


def _only_plain(log: Sequence[RecordedRequest]) -> None:
    odd = [one for one in log if one.method != "GET"]
    require(not odd, f"{odd[0].method if odd else ''} was sent", odd)
    for name in ("Cookie", "Referer"):
        requests = [one for one in log if one.header(name)]
        require(not requests, f"{name} was sent", requests)


def p02(stage: Stage) -> str:
    feed = stage.feed("/feed.xml")
    stage.follow(feed)
    first = feed.requests[0]
    agent = first.header("User-Agent")
    require(NAMED.match(agent), f"no name/version: {agent!r}", feed.requests)
    count = AGENT.fullmatch(agent)
    require(count, f"no contact and number of subscribers: {agent!r}", feed.requests)
    accept = first.header("Accept")
    require(
        "rss" in accept or "atom" in accept, f"no feed type in Accept: {accept!r}", feed.requests
    )
    coding = first.header("Accept-Encoding")
    require("gzip" in coding, f"no gzip in Accept-Encoding: {coding!r}", feed.requests)
    if "users" in stage.reader.capabilities:
        for number in range(2):
            stage.reader.subscribe(feed.url, user=f"user {number}")
        agent = stage.next_request(feed, hours=50).header("User-Agent")
        count = AGENT.fullmatch(agent)
        require(count and count[1] == "3", f"three readers follow it: {agent!r}", feed.requests)
    return agent


def p03(stage: Stage) -> str:
    feeds = [
        stage.feed(f"/v{number}.xml", number, etag=etag, last_modified=modified)
        for number, (etag, modified) in enumerate(VALIDATORS)
    ]
    stage.follow(*feeds)
    stage.advance(hours=26, step=timedelta(hours=2))
    for feed in feeds:
        require(len(feed.requests) > 1, "it did not ask again in 26 hours", feed.requests)
        _sent(feed.requests[1], feed.etag, feed.last_modified)
    return f"{len(feeds)} pairs came back byte for byte, banana among them"


def _sent(request: RecordedRequest, etag: str, modified: str) -> None:
    for name, value in (("If-None-Match", etag), ("If-Modified-Since", modified)):
        text = request.header(name)
        require(text == value, f"{name} should be {value[:40]!r} and is {text[:40]!r}", [request])


def p04(stage: Stage) -> str:
    tag = stage.feed("/tag.xml", 0, etag='"only"')
    date = stage.feed("/date.xml", 1, etag="", last_modified="Tue, 17 Nov 2026 08:00:00 GMT")
    none = stage.feed("/none.xml", 2, etag="")
    stage.follow(tag, date, none)
    stage.advance(hours=52, step=timedelta(hours=1))
    for feed in (tag, date, none):
        require(len(feed.requests) > 1, "it did not ask again in 52 hours", feed.requests)
        _sent(feed.requests[1], feed.etag, feed.last_modified)
    waited = gap(none.requests[0], none.requests[1])
    require(
        waited >= timedelta(hours=24),
        f"without validators it asked again after {words_of(waited)}",
        none.requests[:2],
    )
    return f"what was given came back alone; without any it waited {words_of(waited)}"


def p05(stage: Stage) -> str:
    feed = stage.feed("/feed.xml", last_modified="Tue, 17 Nov 2026 08:00:00 GMT")
    stage.follow(feed)
    for number in range(2):
        feed.touch(f"touch-{number}")
        seen = stage.next_request(feed)
        again = stage.next_request(feed)
        require(seen.status == 200, "the touched feed was not sent", feed.requests)
        _sent(again, feed.etag, feed.last_modified)
        require(again.status == 304, "the feed was sent again", feed.requests)
    return "after every touch the new pair was sent"


def p06(stage: Stage) -> str:
    feed = stage.feed("/feed.xml", last_modified="Tue, 17 Nov 2026 08:00:00 GMT")
    stage.follow(feed)
    newer = (("ETag", '"of-the-304"'), ("Last-Modified", "Wed, 18 Nov 2026 12:30:00 GMT"))
    feed.answer = lambda request: Answer(b"", 304, newer) if request.conditional else None
    first = stage.next_request(feed)
    require(first.status == 304, "the second request was not conditional", feed.requests)
    _sent(stage.next_request(feed), newer[0][1], newer[1][1])
    return "what the 304 carried was sent next"


def p07(stage: Stage) -> str:
    feed = stage.feed("/feed.xml", last_modified="Tue, 17 Nov 2026 08:00:00 GMT")
    stage.follow(feed)
    feed.news("No more validators")
    feed.etag = feed.last_modified = ""
    stage.next_request(feed, hours=30)
    _sent(stage.next_request(feed, hours=60), "", "")
    return "validators that the server dropped were forgotten"


def p08(stage: Stage) -> str:
    said = (
        (("Expires", "0"),),
        (("Expires", "-1"),),
        (("Cache-Control", "no-cache"),),
        (("Cache-Control", "no-store, must-revalidate"), ("Pragma", "no-cache")),
    )
    feeds = [
        stage.feed(
            f"/e{number}.xml",
            number,
            headers=headers,
            last_modified="Tue, 17 Nov 2026 08:00:00 GMT",
        )
        for number, headers in enumerate(said)
    ]
    stage.follow(*feeds)
    stage.advance(hours=26, step=timedelta(hours=2))
    for feed, headers in zip(feeds, said, strict=True):
        require(len(feed.requests) > 1, f"with {headers[0]} it did not ask again", feed.requests)
        _sent(feed.requests[1], feed.etag, feed.last_modified)
    return "validators were kept and sent whatever the cache headers say"


def p09(stage: Stage) -> str:
    feed = stage.feed("/feed.xml")
    stage.follow(feed)
    before = stage.titles()
    feed.news("After the trouble")
    feed.body, feed.etag = b"<html><body>Fatal error in feed.php on line 3", '"of-the-trouble"'
    seen = stage.next_request(feed)
    require(stage.titles() == before, "the articles changed", feed.requests)
    feed.body = None
    after = stage.next_request(feed, hours=50)
    require(gap(seen, after) >= timedelta(hours=1), "it came back at once", feed.requests)
    text = after.header("If-None-Match")
    require(
        text != '"of-the-trouble"',
        "it sends the validator of what it could not read",
        feed.requests,
    )
    require("After the trouble" in stage.titles(), "the hidden article never came", feed.requests)
    return f"not kept; asked again after {words_of(gap(seen, after))}, and nothing was lost"


def p10(stage: Stage) -> str:
    feed = stage.feed("/feed.xml")
    stage.follow(feed)
    received = Event()
    unconditional = 0
    for number in range(6):
        feed.news(f"Written before kill {number}")
        stage.clock.jump(timedelta(hours=26))
        received.clear()
        feed.answer = _then(received, feed)
        mark = stage.publisher.mark
        stage.reader.poll_killed(received, timedelta(milliseconds=number * 15))
        feed.answer = lambda _asked: None
        require(received.wait(5), "it did not ask before it was to be killed", feed.requests)
        stage.reader.restart()
        stage.reader.poll()
        stage.advance(hours=26, step=timedelta(hours=2))
        bare = [one for one in feed.requests_since(mark)[1:] if not one.conditional]
        require(len(bare) <= 1, f"kill {number} cost {len(bare)} unconditional requests", bare)
        unconditional += len(bare)
    titles = stage.titles()
    twice = {one for one in titles if titles.count(one) > 1}
    require(not twice, f"stored twice: {sorted(twice)}", feed.requests)
    require(len(titles) == 9, f"{len(titles)} articles of 9 are there", feed.requests)
    return f"killed 6 times: nothing lost or doubled, {unconditional} unconditional requests more"


def _then(received: Event, feed: Feed) -> Callable[[RecordedRequest], Answer]:
    """The usual answer, told of when its last byte is sent."""

    def answer(_asked: RecordedRequest) -> Answer:
        document, etag = feed.document(), feed.etag

        async def send(exchange: Exchange) -> None:
            await exchange.head(200, RSS, ("ETag", etag), ("Content-Length", str(len(document))))
            await exchange.send(document)
            received.set()

        return Answer(raw=send)

    return answer


def p23(stage: Stage) -> str:
    feed = stage.feed("/feed.xml", headers=(("Set-Cookie", "who=you; Path=/; Max-Age=99999999"),))
    stage.follow(feed)
    target = stage.feed("/target.xml")
    stage.next_request(feed)
    feed.answer = lambda _asked: Answer(
        b"", 302, (("Location", target.url), ("Set-Cookie", "hop=1; Path=/"))
    )
    stage.next_request(feed)
    stage.next_request(feed)
    requests = [one for one in stage.publisher.log if one.header("Cookie")]
    require(not requests, "a cookie came back", requests)
    return "cookies of an answer and of a redirect stayed where they were set"


def p24(stage: Stage) -> str:
    ways: dict[str, tuple[str, Callable[[bytes], bytes]]] = {
        "gzip twice": ("gzip, gzip", lambda data: gzip.compress(gzip.compress(data))),
        "two headers": ("gzip", lambda data: gzip.compress(gzip.compress(data))),
        "zstd": ("zstd", lambda data: b"\x28\xb5\x2f\xfd" + gzip.compress(data)),
    }
    feeds = {}
    for host, (name, (coding, _)) in enumerate(ways.items()):
        feeds[name] = stage.feed(f"/c{host}.xml", host)
        more = (("Content-Encoding", "gzip"),) if name == "two headers" else ()
        feeds[name].headers = (("Content-Encoding", coding), *more)
    for feed in feeds.values():
        feed.headers, kept = (), feed.headers
        stage.follow(feed)
        feed.news(f"Coded oddly {feed.title}")
        feed.headers = kept
    for name, (_, code) in ways.items():
        feeds[name].body = code(feeds[name].document())
    stage.advance(hours=26, step=timedelta(hours=2))
    for name, feed in feeds.items():
        require(len(feed.requests) > 1, "it did not ask again", feed.requests)
        shown = any(title == feed.items[0].title for title in stage.titles())
        require(not shown, f"it took in an answer coded by {name}", feed.requests)
        waited = gap(*feed.requests[1:3]) if len(feed.requests) > 2 else timedelta(hours=24)
        require(waited >= timedelta(hours=1), f"{name}: asked again at once", feed.requests)
    return "stacked codings and those not offered were errors, and backed off"


CASES = (
    Case(
        "P01",
        "Subscribing costs one request, and says nothing it need not",
        "Newsloom; RFC 9110",
        p01,
    ),
    Case(
        "P02",
        "It says who it is, how to reach it, for how many it asks",
        "Open RSS; Feedly, Inoreader practice",
        p02,
    ),
    Case(
        "P03",
        "Validators come back byte for byte",
        "Rachel Kroll's feed score; RFC 9110, 8.8",
        p03,
        hosts=len(VALIDATORS),
    ),
    Case(
        "P04",
        "Only what was given is sent; without validators once a day",
        "Rachel Kroll's feed score",
        p04,
        hosts=3,
    ),
    Case("P05", "A touched feed is loaded once", "Rachel Kroll's feed score", p05),
    Case("P06", "A 304 may renew the validators", "RFC 9111, 3.2 and 4.3.4", p06),
    Case("P07", "Validators that are dropped are forgotten", "Rachel Kroll's feed score", p07),
    Case(
        "P08",
        "Cache headers do not cost the validators",
        "RFC 9111; a bug seen in a reader",
        p08,
        hosts=4,
    ),
    Case(
        "P09", "Requests a document again that it could not read", "Rachel Kroll's feed score", p09
    ),
    Case(
        "P10",
        "Killed between receiving and storing, nothing is lost or doubled",
        "Newsloom",
        p10,
        slow=True,
    ),
    Case("P23", "No cookie comes back", "Rachel Kroll's feed score", p23),
    Case("P24", "One coding, of those offered", "RFC 9110, 8.4; bomb advisories", p24, hosts=3),
)
