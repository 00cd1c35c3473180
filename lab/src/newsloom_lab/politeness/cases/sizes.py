"""Answers that are too large, too slow, too deep: what one hostile feed may cost."""

from __future__ import annotations

import asyncio
import itertools
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import timedelta
from functools import partial

from newsloom_lab.politeness import usage
from newsloom_lab.politeness.case import Case, ReaderFailed, Stage, gap, require, words_of
from newsloom_lab.politeness.feeds import RSS, Feed, rss
from newsloom_lab.politeness.publisher import Answer, Exchange, Raw, RecordedRequest

MEGABYTE = 1_000_000
CHUNK = b"All work and no play makes a feed a dull feed to read. " * 1000

# What a connection may hold that the reader never took: both ends' buffers.
BUFFERS = 12 * MEGABYTE
MOST_BYTES = 15 * MEGABYTE
MOST_MEMORY = 64.0  # MB beside what an ordinary poll takes
MOST_SECONDS = 45.0  # real ones of a reader that is not in this process, for a deadline of 30


def _endless(most: int, *headers: tuple[str, str], seconds: float = 60.0) -> Raw:
    """A document that begins well and goes on for so many bytes."""

    async def send(exchange: Exchange) -> None:
        await exchange.head(200, RSS, *headers)
        await exchange.send(
            b"<rss version='2.0'><channel><title>Long</title><item><title>a</title>"
        )
        await exchange.send(b"<description>")
        until = time.monotonic() + seconds
        while exchange.request.sent < most and time.monotonic() < until:
            await exchange.send(CHUNK)

    return send


def _ordinary(stage: Stage, feed: Feed) -> float:
    """Memory of a poll with nothing odd in it."""
    with usage.Watch() as watch:
        stage.follow(feed)
        feed.news("Nothing odd")
        stage.next_request(feed)
    return watch.peak_mb


def f16(stage: Stage) -> str:
    feeds = [stage.feed(f"/big{host}.xml", host) for host in range(2)]
    healthy = stage.feed("/healthy.xml", 2)
    usual = _ordinary(stage, healthy)
    stage.follow(*feeds)
    size = 100 * MEGABYTE
    said = Answer(raw=_endless(size, ("Content-Length", str(size))))
    untold = Answer(raw=_endless(size, ("Connection", "close")))
    for feed, answer in zip(feeds, (said, untold), strict=True):
        feed.answer = lambda _asked, answer=answer: answer  # type: ignore[misc]
    before = stage.titles()
    with usage.Watch() as watch:
        requests = [stage.next_request(feed, hours=30) for feed in feeds]
    for one in requests:
        require(
            one.sent <= MOST_BYTES + BUFFERS, f"it took {one.sent / MEGABYTE:.0f} MB of 100", [one]
        )
    more = watch.peak_mb - usual
    require(more < MOST_MEMORY, f"{more:.0f} MB of memory for it", requests)
    require(stage.titles() == before, "half an article was stored", requests)
    again = stage.next_request(feeds[0], hours=30)
    waited = gap(requests[0], again)
    require(waited >= timedelta(hours=1), f"asked again after {words_of(waited)}", requests)
    taken = max(one.sent for one in requests) / MEGABYTE
    return f"stopped after {taken:.0f} MB, {max(more, 0):.0f} MB of memory more than usual"


def f17(stage: Stage) -> str:
    healthy = stage.feed("/healthy.xml", 1)
    usual = _ordinary(stage, healthy)
    feed = stage.feed("/many.xml", 0)
    stage.follow(feed)
    feed.body = _many(100_000)
    feed.touch("many")
    healthy.news("Beside the giant")
    with usage.Watch() as watch:
        stage.next_request(feed, hours=30)
        text = _problem(stage, feed)
        stage.advance(hours=3, step=timedelta(hours=1))
    more = watch.peak_mb - usual
    require(more <= 400, f"{more:.0f} MB of memory", feed.requests)
    require(watch.cpu_seconds <= 15, f"{watch.cpu_seconds:.0f} s of processor", feed.requests)
    titles = stage.titles()
    require("Beside the giant" in titles, "the feed beside it waits", healthy.requests)
    shown = [one for one in titles if one.startswith("One of many")]
    require(shown, "nothing of it is shown", feed.requests)
    if "told" in stage.reader.capabilities:
        require(len(shown) <= 1000, f"{len(shown)} articles of one poll", feed.requests)
        require(
            "One of many 99999 " in " ".join(f"{one} " for one in shown),
            "not the newest",
            feed.requests,
        )
        require(text, "the reader is not told that not all was kept", feed.requests)
    return (
        f"{len(feed.body) / MEGABYTE:.0f} MB with 100,000 articles: {len(shown)} kept, "
        f"{watch.cpu_seconds:.0f} s of processor, {max(more, 0):.0f} MB"
    )


def _problem(stage: Stage, feed: Feed) -> str:
    """What the reader says of a feed; nothing where it has no place to."""
    if "told" not in stage.reader.capabilities:
        return ""
    return next(one.problem for one in stage.reader.feeds() if one.url == feed.url)


def _many(count: int) -> bytes:
    rows = "".join(
        f"<item><title>One of many {number}</title><guid>many-{number}</guid>"
        f"<link>http://many.example/{number}</link>"
        f"<description>Article {number} of a feed that has far too many of them.</description>"
        "</item>\n"
        for number in range(count)
    )
    return f"<rss version='2.0'><channel><title>Many</title>{rows}</channel></rss>".encode()


def f18(stage: Stage) -> str:
    feed, healthy = stage.feed("/endless.xml", 0), stage.feed("/healthy.xml", 1)
    stage.follow(feed, healthy)
    before = stage.titles()
    slowly = Answer(raw=_dripping(CHUNK[:2000], 0.02))
    feed.answer = lambda _asked: slowly
    seen, seconds = _timed(stage, lambda: stage.next_request(feed, hours=30))
    require(stage.titles() == before, "half an article was stored", [seen])
    healthy.news("Beside the endless one")
    stage.next_request(healthy, hours=30)
    require(
        "Beside the endless one" in stage.titles(), "the feed beside it waits", healthy.requests
    )
    return f"given up after {seconds:.0f} s"


def _timed(stage: Stage, work: Callable[[], RecordedRequest]) -> tuple[RecordedRequest, float]:
    """Seconds of the reader's own that it held a connection; requires an end to it."""
    seen = work()
    speed = stage.reader.speed
    until = time.monotonic() + MOST_SECONDS / speed
    while not seen.ended and time.monotonic() < until:
        time.sleep(0.05)
    held = ((seen.ended or time.monotonic()) - seen.began) * speed
    require(held <= MOST_SECONDS, f"it held on for {held:.0f} s", [seen])
    return seen, held


def _dripping(data: bytes, pause: float) -> Raw:
    """A body that goes on for ever, a little at a time."""

    async def send(exchange: Exchange) -> None:
        await exchange.head(200, RSS)
        await exchange.send(b"<rss version='2.0'><channel><title>Slow</title><item><title>half")
        while True:
            await exchange.send(data)
            await asyncio.sleep(pause)

    return send


def _slow_head(pause: float) -> Raw:
    """Headers, a byte at a time."""

    async def send(exchange: Exchange) -> None:
        exchange.request.status = 200
        for sign in _endless_header():
            await exchange.send(sign)
            await asyncio.sleep(pause)

    return send


def _endless_header() -> Iterator[bytes]:
    yield from (bytes([one]) for one in b"HTTP/1.1 200 OK\r\nX-Slow: ")
    yield from itertools.repeat(b"a")


def f19(stage: Stage) -> str:
    pause = 1.0 / stage.reader.speed
    heads, bodies = stage.feed("/head.xml", 0), stage.feed("/body.xml", 1)
    healthy = [stage.feed(f"/healthy{host}.xml", host) for host in range(2, 7)]
    count = 500 if stage.reader.quick else 0
    crowd = [stage.feed(f"/slow{n}.xml", 7 + n) for n in range(count)]
    stage.reader.subscribe_all([one.url for one in (heads, bodies, *healthy, *crowd)])
    stage.advance(hours=3, step=timedelta(hours=1))
    head, body = Answer(raw=_slow_head(pause)), Answer(raw=_dripping(b"a", pause))
    heads.answer = lambda _asked: head
    bodies.answer = lambda _asked: body
    seconds = [
        _timed(stage, partial(stage.next_request, feed, hours=30))[1] for feed in (heads, bodies)
    ]
    for place, feed in enumerate(crowd):
        feed.answer = heads.answer if place % 2 else bodies.answer
    words = f"given up after {seconds[0]:.0f} and {seconds[1]:.0f} s"
    if not crowd:
        return words
    # The first time nobody can know them; from then on they must not stand before others.
    stage.clock.jump(timedelta(hours=30))
    stage.reader.poll()
    for feed in healthy:
        feed.news("Among the slow")
    mark = stage.publisher.mark
    stage.clock.jump(timedelta(hours=30))  # all of them due at once
    start = time.monotonic()
    stage.reader.poll()
    took = (time.monotonic() - start) * stage.reader.speed
    waits = sorted(
        (one.requests_since(mark)[0].began - start) * stage.reader.speed for one in healthy
    )
    require(waits[-1] < 60, f"beside {count} slow servers a feed waited {waits[-1]:.0f} s")
    return (
        f"{words}; beside {count} such servers others wait {waits[-1]:.0f} s ({took:.0f} s in all)"
    )


def f24(stage: Stage) -> str:
    ways = {
        "one line of 50 MB": b"<rss version='2.0'><channel><title>" + b"a" * (50 * MEGABYTE),
        "one line of 14 MB": b"<rss version='2.0'><channel><title>" + b"a" * (14 * MEGABYTE),
        "100,000 deep": b"<rss><channel>" + b"<a>" * 100_000,
        "deep HTML": _html_item("<div>" * 100_000),
        "200,000 attributes": b"<rss " + b" ".join(b'a%d="x"' % n for n in range(200_000)) + b">",
        "attributes in HTML": _html_item(f"<p {' '.join(f'a{n}=x' for n in range(200_000))}>"),
        "a million entities": _html_item("&amp;amp;" * 1_000_000),
        "10,000 namespaces": b"<rss "
        + b" ".join(b'xmlns:n%d="u:%d"' % (n, n) for n in range(10_000))
        + b"><channel><title>N</title></channel></rss>",
        "billion laughs": _laughs(),
        "5 MB of <": b"<" * (5 * MEGABYTE),
    }
    feeds = {name: stage.feed(f"/f{host}.xml", host) for host, name in enumerate(ways)}
    healthy = stage.feed("/healthy.xml", len(ways))
    stage.follow(*feeds.values(), healthy)
    seen = []
    for name, feed in feeds.items():
        feed.body = ways[name]
        feed.touch("hostile")
        mark = stage.publisher.mark
        with usage.Watch() as watch:
            stage.clock.jump(timedelta(hours=30))
            stage.reader.poll()
        if not feed.requests_since(mark):
            stage.next_request(feed, hours=50)
        seen.append(watch.cpu_seconds)
        require(
            watch.cpu_seconds <= 8, f"{name}: {watch.cpu_seconds:.1f} s of processor", feed.requests
        )
    healthy.news("Alive")
    stage.next_request(healthy, hours=50)
    require("Alive" in stage.titles(), "the reader no longer works", healthy.requests)
    words = f"{len(ways)} hostile documents, {max(seen):.1f} s of processor at most"
    if "loop" in stage.reader.capabilities:
        late = stage.reader.longest_wait()
        require(late < 0.05, f"the loop was {late * 1000:.0f} ms late", ())
        words += f", the loop {late * 1000:.0f} ms late"
    return words


def _html_item(text: str) -> bytes:
    feed = rss("Hostile", [])
    item = (
        f"<item><title>Hostile</title><guid>h</guid><description><![CDATA[{text}]]></description>"
    )
    return feed.replace(b"</channel>", item.encode() + b"</item></channel>")


def _laughs() -> bytes:
    rows = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    head = f'<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY l0 "ha">{rows}]>'
    return f"{head}<rss version='2.0'><channel><title>&l9;</title></channel></rss>".encode()


def f25(stage: Stage) -> str:
    heavy, healthy = stage.feed("/heavy.xml", 0), stage.feed("/healthy.xml", 1)
    hungry = stage.feed("/hungry.xml", 2)
    stage.follow(heavy, healthy, hungry)
    before = sorted(stage.titles())
    heavy.body = _many(40_000)
    hungry.body = b"<rss version='2.0'><channel><title>H</title>" + b"<a/>" * 3_400_000
    for feed in (heavy, hungry):
        feed.touch("hostile")
    healthy.news("Beside the one that dies")
    stage.clock.jump(timedelta(hours=30))
    mark = stage.publisher.mark
    killed = _killing(stage, heavy, mark)
    require(killed, "no process that reads was there to be killed")
    require(hungry.requests_since(mark), "the hungry feed was not asked", hungry.requests)
    titles = stage.titles()
    require("Beside the one that dies" in titles, "the feed beside it failed too", healthy.requests)
    kept = [one for one in titles if not one.startswith(("Beside", "One of many"))]
    require(sorted(kept) == before, "articles went", healthy.requests)
    heavy.body = hungry.body = None
    heavy.news("Recovered")
    stage.next_request(heavy, hours=60)
    require("Recovered" in stage.titles(), "it did not come back", heavy.requests)
    return f"killed {killed} while reading, starved another: the other feeds were read"


def _killing(stage: Stage, feed: Feed, mark: int) -> int:
    """Poll, and kill every process below this one a moment after the feed was sent."""
    killed: list[int] = []

    def kill() -> None:
        until = time.monotonic() + 10
        while time.monotonic() < until and not over.is_set():
            if any(one.ended for one in feed.requests_since(mark)):
                time.sleep(0.05)
                for pid in tuple(usage.tree())[1:]:
                    with suppress(ProcessLookupError, PermissionError):
                        os.kill(pid, signal.SIGKILL)
                        killed.append(pid)
                return
            time.sleep(0.005)

    over = threading.Event()
    thread = threading.Thread(target=kill, daemon=True)
    thread.start()
    try:
        stage.reader.poll()
    except ReaderFailed as error:
        require(False, f"it failed with its worker: {error}")
    finally:
        over.set()
        thread.join()
    return len(killed)


RAISED = (("fetch.max_megabytes", 40.0),)
LEAN = (("reading.megabytes", 256),)

CASES = (
    Case("F16", "A feed of 100 MB", "Newsloom: 15 MB, 64 MB of memory", f16, hosts=3, speed=10.0),
    Case(
        "F17",
        "A feed of 100,000 articles",
        "Newsloom",
        f17,
        hosts=2,
        speed=1.0,
        settings=RAISED,
        slow=True,
    ),
    Case("F18", "A body without an end", "Newsloom: 30 seconds for all of it", f18, hosts=2),
    Case(
        "F19",
        "A byte a second, from one server and from 500",
        "Newsloom: 30 seconds for all of it",
        f19,
        hosts=507,
        speed=50.0,
        slow=True,
    ),
    Case(
        "F24",
        "Documents made to hurt what reads them",
        "libxml2's and sanitisers' advisories",
        f24,
        hosts=11,
        speed=1.0,
        slow=True,
    ),
    Case(
        "F25",
        "What reads a document dies",
        "Newsloom",
        f25,
        frozenset({"workers"}),
        hosts=3,
        speed=1.0,
        settings=LEAN,
        slow=True,
    ),
)
