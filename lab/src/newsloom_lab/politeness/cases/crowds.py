"""Many feeds, many readers, much time: what a host sees of it all."""

from __future__ import annotations

import asyncio
import itertools
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from datetime import timedelta
from html import escape

from newsloom_lab.politeness.case import Case, Stage, gap, require, words_of
from newsloom_lab.politeness.feeds import RSS, Feed
from newsloom_lab.politeness.publisher import Answer, Exchange, RecordedRequest

ICON = bytes.fromhex("89504e470d0a1a0a0000000d4948445200000001000000010806000000") + b"\0" * 16


def p25(stage: Stage) -> str:
    feeds = [stage.feed(f"/feed{number}.xml", number) for number in range(3)]
    for host in (0, 1):
        icon = Answer(ICON, 200, (("Content-Type", "image/png"), ("ETag", f'"icon{host}"')))
        stage.publisher.on(stage.publisher.url("/favicon.ico", host), icon)  # the third has none
    stage.follow(*feeds)
    stage.reader.poll()
    mark = stage.publisher.mark
    stage.reader.icons(1000)
    log = stage.publisher.requests(since=mark)
    require(not log, f"1000 views of the page made {len(log)} requests", log)
    icons = [one for one in stage.publisher.log if "icon" in one.path]
    sites = Counter(one.host for one in icons)
    require(icons, "it fetched no icon")
    require(max(sites.values()) <= 1, "a site was asked twice for its icon", icons)
    for _ in range(6):
        stage.advance(days=1)
        stage.reader.poll()
        stage.reader.icons(10)
    icons = [one for one in stage.publisher.log if "icon" in one.path]
    sites = Counter(one.host for one in icons)
    require(max(sites.values()) <= 1, "a site was asked again within a week", icons)
    stage.advance(days=3)
    stage.reader.poll()
    again = [one for one in stage.publisher.log if "icon" in one.path][len(icons) :]
    odd = [one for one in again if one.host != feeds[2].requests[0].host and not one.conditional]
    require(not odd, "the icon was loaded again unconditionally", odd)
    return f"{len(icons)} requests for icons of three sites in a week, none by 1000 views"


def p26(stage: Stage) -> str:
    hosts = len(stage.publisher.hosts)
    feeds = [stage.feed(f"/feed{number}.xml", number % hosts) for number in range(1000)]
    stage.reader.subscribe_all([one.url for one in feeds])
    stage.advance(hours=4, step=timedelta(hours=1))
    never = [one for one in feeds if not one.requests]
    require(not never, f"{len(never)} of 1000 feeds were never asked in four hours")
    stage.clock.jump(timedelta(hours=72))
    mark = stage.publisher.mark
    began = stage.clock.now()
    stage.reader.poll()
    stage.until(began + timedelta(minutes=50), timedelta(minutes=50))
    log = stage.publisher.requests(since=mark)
    times = Counter((one.host, one.path) for one in log)
    require(len(times) == 1000, f"{len(times)} of 1000 feeds were asked within 50 minutes")
    twice = [one for one in log if times[one.host, one.path] > 1]
    require(not twice, "a feed was asked twice", twice)
    return f"1000 feeds once each: {_manners(stage, log)}"


def _manners(stage: Stage, log: Sequence[RecordedRequest], *, at_once: bool = False) -> str:
    """Requires the limits of a host and of all; what was seen, in words.

    Unless all is of one moment, `at_once`, the time that a case let pass counts too.
    """
    speed = stage.reader.speed
    most = _most_at_once(log)
    require(most <= 32, f"{most} requests under way at once", log)
    hosts: dict[str, list[RecordedRequest]] = defaultdict(list)
    for one in sorted(log, key=lambda one: one.began):
        hosts[one.host].append(one)
    closest = timedelta(days=1)
    for requests in hosts.values():
        together = _most_at_once(requests)
        require(together <= 1, f"{together} requests of one host under way at once", requests)
        for earlier, later in itertools.pairwise(requests):
            apart = timedelta(seconds=(later.began - earlier.began) * speed)
            passed = timedelta(0) if at_once else gap(earlier, later)
            closest = min(closest, max(apart, passed))
            require(
                closest >= timedelta(seconds=1),
                f"two requests of one host {closest.total_seconds():.2f} s apart",
                (earlier, later),
            )
    return f"{most} at once at most, {closest.total_seconds():.1f} s between those of a host"


def _most_at_once(log: Sequence[RecordedRequest]) -> int:
    moments = [(one.began, 1) for one in log] + [(one.ended or one.began, -1) for one in log]
    at_once = most = 0
    for _, step in sorted(moments):
        at_once += step
        most = max(most, at_once)
    return most


def p27(stage: Stage) -> str:
    feeds = [stage.feed(f"/feed{number}.xml") for number in range(500)]
    rows = "".join(
        f'<outline type="rss" text="{escape(one.title)}" xmlUrl="{escape(one.url)}"/>'
        for one in feeds
    )
    began = stage.clock.now()
    stage.reader.import_opml(f'<opml version="2.0"><body>{rows}</body></opml>'.encode())
    stage.reader.poll()
    stage.until(began + timedelta(minutes=59), timedelta(minutes=1))
    log = [one for one in stage.publisher.log if one.path.startswith("/feed")]
    times = Counter(one.path for one in log)
    require(len(times) == 500, f"{len(times)} of 500 feeds were asked in the first hour")
    require(max(times.values()) == 1, "a feed was asked twice in the first hour", log)
    seen = _manners(stage, log)
    spread = log[-1].at - log[0].at
    require(spread >= timedelta(minutes=10), f"500 requests in {words_of(spread)}", log)
    return f"500 feeds of one host within {words_of(spread)}: {seen}"


def p38(stage: Stage) -> str:
    feeds = [stage.feed(f"/feed{number}.xml") for number in range(14)]
    for number, feed in enumerate(feeds):
        seconds = 1.0 if number % 2 else 0.1
        feed.answer = _slowly(feed, seconds / stage.reader.speed)
    stage.reader.subscribe_all([one.url for one in feeds])
    mark = stage.publisher.mark
    stage.reader.poll_together()
    log = stage.publisher.requests(since=mark)
    require(log, "neither process asked anything")
    seen = _manners(stage, log, at_once=True)
    stage.advance(minutes=50, step=timedelta(minutes=10))
    never = [one for one in feeds if not one.requests]
    require(not never, f"{len(never)} of {len(feeds)} feeds were never asked in 50 minutes")
    times = Counter(one.path for one in stage.publisher.requests(since=mark))
    require(max(times.values()) == 1, "a feed was asked twice", log)
    return f"{len(feeds)} feeds of one host by two processes: {seen}"


def _slowly(feed: Feed, seconds: float) -> Callable[[RecordedRequest], Answer]:
    """An answer that takes as long."""

    def answer(_asked: RecordedRequest) -> Answer:
        body = feed.document()

        async def send(exchange: Exchange) -> None:
            await asyncio.sleep(seconds)
            await exchange.head(200, RSS, ("ETag", feed.etag), ("Content-Length", str(len(body))))
            await exchange.send(body)

        return Answer(raw=send)

    return answer


def p28(stage: Stage) -> str:
    feed = stage.feed("/feed.xml")
    for number in range(100):
        stage.reader.subscribe(feed.url, user=f"user {number}")
    stage.reader.poll()
    stage.advance(days=3, step=timedelta(hours=1))
    requests = feed.requests
    waits = [gap(a, b) for a, b in itertools.pairwise(requests)]
    require(waits, "it never asked again", requests)
    require(
        min(waits) >= timedelta(hours=1),
        f"100 readers: asked {len(requests)} times, as soon as after {words_of(min(waits))}",
        requests,
    )
    return f"{len(requests)} requests in three days for 100 readers"


def p32(stage: Stage) -> str:
    feed = stage.feed("/feed.xml")
    stage.follow(feed)
    if "users" in stage.reader.capabilities:
        stage.reader.subscribe(feed.url, user="another")
        stage.reader.unsubscribe(feed.url)
        stage.next_request(feed, hours=50)
        stage.reader.unsubscribe(feed.url, user="another")
    else:
        stage.reader.unsubscribe(feed.url)
    mark = stage.publisher.mark
    stage.advance(days=4, step=timedelta(hours=2))
    require(not feed.requests_since(mark), "it asks for a feed nobody follows", feed.requests)
    return "no request once the last reader left"


# What publishers do, by feed: hours between news, how they say what is unchanged.
HABITS = (
    (6, True, True),
    (24, True, False),
    (72, False, True),
    (168, True, True),
    (1000, True, True),
)


def p35(stage: Stage) -> str:
    days, count = (14, 100) if stage.reader.quick else (4, 20)
    feeds = []
    for number in range(count):
        _, etag, modified = HABITS[number % len(HABITS)]
        feeds.append(
            stage.feed(
                f"/feed{number}.xml",
                number,
                articles=20,
                etag='"first"' if etag else "",
                last_modified="Tue, 17 Nov 2026 08:00:00 GMT" if modified else "",
                headers=(("Set-Cookie", "seen=1"),),
            )
        )
    stage.reader.subscribe_all([one.url for one in feeds])
    for hour in range(24 * days):
        for number, feed in enumerate(feeds):
            every = HABITS[number % len(HABITS)][0]
            if hour and (hour + number) % every == 0:
                feed.news(f"News of hour {hour}")
                feed.items = feed.items[:20]
        _an_hour(stage)
    return _days(stage, feeds, days)


def _an_hour(stage: Stage) -> None:
    """A quick reader looks every half hour, which saves thousands of passes for one feed."""
    if not stage.reader.quick:
        stage.advance(hours=1, step=timedelta(hours=1))
        return
    for _ in range(2):
        stage.clock.jump(timedelta(minutes=30))
        stage.reader.poll()


def _days(stage: Stage, feeds: Sequence[Feed], days: int) -> str:
    log = [one for feed in feeds for one in feed.requests]
    bare = [one for one in log if not one.conditional]
    require(len(bare) == len(feeds), f"{len(bare)} unconditional requests of {len(feeds)}", bare)
    cookies = [one for one in log if one.header("Cookie")]
    require(not cookies, f"{len(cookies)} cookies", cookies)
    soon = [
        later
        for feed in feeds
        for earlier, later in zip(feed.requests, feed.requests[1:], strict=False)
        if gap(earlier, later) < timedelta(hours=1)
    ]
    require(not soon, f"{len(soon)} requests within an hour of the last", soon)
    wasted = [one for feed in feeds for one in _repeated(feed)]
    require(not wasted, f"{len(wasted)} answers sent whole again", wasted)
    sent = sum(one.sent for one in stage.publisher.log)
    whole = sum(len(feed.document()) for feed in feeds) * 24 * days
    require(
        sent * 20 <= whole,
        f"{sent / 1e6:.1f} MB: 1/{whole / sent:.0f} of what unconditional requests would be",
    )
    return (
        f"{len(log)} requests in {days} days for {len(feeds)} feeds, {sent / 1e6:.1f} MB: "
        f"1/{whole / sent:.0f} of a reader that asks hourly and unconditionally"
    )


def _repeated(feed: Feed) -> Sequence[RecordedRequest]:
    """Whole answers to requests whose validators were not the last ones given."""
    given, bad = None, []
    for one in feed.requests:
        text = one.header("If-None-Match") or one.header("If-Modified-Since")
        if given is not None and text == given and one.status == 200:
            given = text
        if not one.conditional and given is not None:
            bad.append(one)
        given = text or given or ""
    return bad


CASES = (
    Case(
        "P25",
        "Icons once a week, never for showing a page",
        "Feeder 582: 320 requests in 40 s",
        p25,
        frozenset({"icons"}),
        hosts=3,
    ),
    Case(
        "P26",
        "After three days down, no burst",
        "Newsloom; Rachel Kroll",
        p26,
        hosts=10,
        flows=True,
        speed=25.0,
        slow=True,
    ),
    Case(
        "P27",
        "An import of 500 feeds of one host takes its time",
        "Newsloom",
        p27,
        frozenset({"opml", "schedule"}),
        flows=True,
        speed=40.0,
        slow=True,
    ),
    Case(
        "P28",
        "A hundred readers cost what one does",
        "Miniflux polls once for each",
        p28,
        frozenset({"users"}),
    ),
    Case(
        "P32",
        "What nobody follows is not asked for",
        "Rachel Kroll's feed score",
        p32,
        frozenset({"unsubscribe"}),
    ),
    Case(
        "P38",
        "Two processes of a reader ask a host as one",
        "Newsloom; Rachel Kroll's feed score",
        p38,
        frozenset({"processes"}),
        flows=True,
        speed=10.0,
        slow=True,
    ),
    Case(
        "P35",
        "Two weeks of a hundred feeds",
        "Rachel Kroll's feed score",
        p35,
        hosts=100,
        slow=True,
    ),
)
