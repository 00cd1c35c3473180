"""When a reader asks: floors, hints, ladders, and what servers ask for."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import partial

from newsloom_lab.politeness.case import Case, Stage, gap, require, words_of
from newsloom_lab.politeness.feeds import rfc822
from newsloom_lab.politeness.publisher import Answer, Headers, RecordedRequest

HOUR = timedelta(hours=1)
FLOOR = timedelta(minutes=60)


def p11(stage: Stage) -> str:
    times = 1000 if stage.reader.quick else 20
    feed = stage.feed("/feed.xml")
    stage.follow(feed)
    first = feed.requests[0]
    until = first.at + timedelta(minutes=59)
    pause = (until - stage.clock.now()) / times
    for _ in range(times):
        stage.clock.jump(pause)
        stage.reader.restart()
        stage.reader.poll()
    require(
        len(feed.requests) == 1,
        f"{len(feed.requests) - 1} requests by {times} restarts",
        feed.requests,
    )
    again = stage.next_request(feed)
    require(gap(first, again) >= FLOOR, f"asked after {words_of(gap(first, again))}", feed.requests)
    for _ in range(4):
        earlier, again = again, stage.next_request(feed)
        waited = gap(earlier, again)
        require(waited >= FLOOR, f"asked after {words_of(waited)}", feed.requests)
    return f"{times} restarts cost no request; then after {words_of(gap(first, feed.requests[1]))}"


def p12(stage: Stage) -> str:
    feed = stage.feed("/feed.xml")
    stage.follow(feed)
    said = []
    for minutes in (1, 6, 7):  # at 1, 7 and 14 minutes
        stage.clock.jump(timedelta(minutes=minutes))
        said.append(stage.reader.refresh(feed.url))
    require(len(feed.requests) == 1, "asked by hand within 15 minutes", feed.requests)
    stage.clock.jump(timedelta(minutes=3))
    stage.reader.refresh(feed.url)
    require(len(feed.requests) == 2, "asked by hand after 17 minutes it did not ask", feed.requests)
    require(feed.requests[1].conditional, "by hand it asks unconditionally", feed.requests)
    stage.clock.jump(timedelta(minutes=2))
    stage.reader.refresh(feed.url)
    require(len(feed.requests) == 2, "asked by hand again within 15 minutes", feed.requests)
    words = next((one for one in said if one), "")
    return f"the same gate by hand{f': {words}' if words else ''}"


def p13(stage: Stage) -> str:
    day = rfc822(stage.clock.now() + timedelta(hours=30))
    rules: dict[str, tuple[Headers, float, float]] = {
        # what is said: not before, and again by (hours)
        "max-age": ((("Cache-Control", "max-age=14400"),), 4, 26),
        "less Age": ((("Cache-Control", "max-age=36000"), ("Age", "18000")), 5, 9.5),
        "beats a later Expires": ((("Cache-Control", "max-age=14400"), ("Expires", day)), 4, 26),
        "beats Expires: 0": ((("Cache-Control", "max-age=14400"), ("Expires", "0")), 4, 26),
        "no s-maxage": ((("Cache-Control", "max-age=7200, s-maxage=500000"),), 2, 26),
        "a year": ((("Cache-Control", "max-age=31536000"),), 24 * 6, 24 * 8),
    }
    feeds = {
        name: stage.feed(f"/m{host}.xml", host, headers=headers)
        for host, (name, (headers, _, _)) in enumerate(rules.items())
    }
    stage.follow(*feeds.values())
    stage.advance(hours=30, step=timedelta(minutes=30))
    stage.advance(days=7, step=timedelta(hours=6))
    for name, (headers, least, most) in rules.items():
        feed, said = feeds[name], "; ".join(": ".join(one) for one in headers)
        for earlier, later in list(zip(feed.requests, feed.requests[1:], strict=False))[:3]:
            what = "the 304" if earlier.status == 304 else "the 200"
            waited = gap(earlier, later)
            require(
                waited >= timedelta(hours=least),
                f"{said} on {what}: asked after {words_of(waited)}",
                (earlier, later),
            )
        require(len(feed.requests) > 1, f"{said}: never asked again in 8 days", feed.requests)
        waited = gap(*feed.requests[:2])
        require(
            waited <= timedelta(hours=most),
            f"{said}: waited {words_of(waited)}, not {least:g} h",
            feed.requests[:2],
        )
    return "max-age held on 200 and 304, less Age, before Expires, a year only a week"


def p14(stage: Stage) -> str:
    feeds = []
    for host, days in enumerate((-2, 2)):
        theirs = stage.clock.now() + timedelta(days=days)
        until = theirs + timedelta(hours=5)
        feed = stage.feed(
            f"/d{host}.xml", host, headers=(("Date", rfc822(theirs)), ("Expires", rfc822(until)))
        )
        feeds.append(feed)
    stage.follow(*feeds)
    for feed in feeds:
        feed.headers = ()
    stage.advance(hours=26, step=timedelta(minutes=30))
    said = "Expires 5 hours after its own Date"
    seen = [_waits(feed.requests, 5, 25, said) for feed in feeds]
    requests = []
    for host, days in enumerate((-2, 2)):
        feed = feeds[host]
        late = timedelta(days=days)
        feed.answer = _busy(stage, 503, partial(_by_their_clock, late))
        requests.append(stage.next_request(feed))
        feed.answer = lambda _asked: None
        again = stage.next_request(feed, hours=30)
        seen.append(_waits((requests[-1], again), 6, 28, "Retry-After 6 hours after its own Date"))
    return f"a server's clock two days wrong: waited {', '.join(map(words_of, seen))}"


def _by_their_clock(late: timedelta, now: datetime) -> Headers:
    until = now + late + timedelta(hours=6)
    return (("Date", rfc822(now + late)), ("Retry-After", rfc822(until)))


def _waits(requests: Sequence[RecordedRequest], least: float, most: float, said: str) -> timedelta:
    require(len(requests) > 1, f"{said}: never asked again", requests)
    waited = gap(requests[0], requests[1])
    require(
        waited >= timedelta(hours=least), f"{said}: asked after {words_of(waited)}", requests[:2]
    )
    require(waited <= timedelta(hours=most), f"{said}: waited {words_of(waited)}", requests[:2])
    return waited


def _busy(
    stage: Stage, status: int, headers: Callable[[datetime], Headers]
) -> Callable[[RecordedRequest], Answer]:
    return lambda _asked: Answer(b"busy", status, headers(stage.clock.now()))


def _come_back(say: Callable[[datetime], Sequence[str]], now: datetime) -> Headers:
    return tuple(("Retry-After", one) for one in say(now))


def p15(stage: Stage) -> str:
    month = timedelta(days=31)
    # What is said, relative to now; not before; nothing asks longer than 31 days.
    forms: dict[str, tuple[Callable[[datetime], Sequence[str]], timedelta]] = {
        "seconds": (lambda _now: ("7200",), 2 * HOUR),
        "a date": (lambda now: (rfc822(now + 3 * HOUR),), 3 * HOUR),
        "0": (lambda _now: ("0",), HOUR),
        "negative": (lambda _now: ("-100",), HOUR),
        "past": (lambda now: (rfc822(now - 3 * HOUR),), HOUR),
        "abc": (lambda _now: ("abc",), HOUR),
        "1e12": (lambda _now: ("1000000000000",), month),
        "two headers": (lambda _now: ("7200", "10800"), 3 * HOUR),
    }
    feeds = {name: stage.feed(f"/r{host}.xml", host) for host, name in enumerate(forms)}
    stage.follow(*feeds.values())
    for name, feed in feeds.items():
        feed.answer = _busy(stage, 429, partial(_come_back, forms[name][0]))
    stage.advance(hours=50, step=timedelta(minutes=30))
    stage.advance(days=34, step=timedelta(hours=6))
    for name, (_, least) in forms.items():
        busy = [one for one in feeds[name].requests if one.status == 429]
        require(busy, f"{name}: it never asked again", feeds[name].requests)
        for earlier, later in itertools.pairwise(busy):
            waited = gap(earlier, later)
            require(
                waited >= least,
                f"429 with Retry-After {name}: asked after {words_of(waited)}",
                (earlier, later),
            )
        require(len(busy) > 1, f"429 with Retry-After {name}: never asked again", busy)
    _ladder(feeds["abc"].requests)
    return "none of the eight forms was asked before its time; garbage climbs 1, 4, 12, 24 hours"


def _ladder(requests: Sequence[RecordedRequest]) -> None:
    busy = [one for one in requests if one.status == 429]
    for rung, hours in enumerate((1, 4, 12, 24)):
        if len(busy) > rung + 1:
            waited = gap(busy[rung], busy[rung + 1])
            require(
                waited >= timedelta(hours=hours),
                f"the {rung + 1}. 429 without a time was followed after {words_of(waited)}, "
                f"not {hours} h",
                busy[: rung + 2],
            )


def _always(said: Sequence[str], _now: datetime) -> Sequence[str]:
    return said


def p16(stage: Stage) -> str:
    rules = {502: 5, 503: 5, 504: 5, 403: 4}
    feeds = {status: stage.feed(f"/s{status}.xml", host) for host, status in enumerate(rules)}
    stage.follow(*feeds.values())
    for status, feed in feeds.items():
        said = () if status == 403 else ("18000",)
        feed.answer = _busy(stage, status, partial(_come_back, partial(_always, said)))
    stage.advance(hours=60, step=timedelta(minutes=30))
    for status, feed in feeds.items():
        requests = [one for one in feed.requests if one.status == status]
        require(len(requests) > 1, f"{status}: it never asked again", feed.requests)
        for earlier, later in itertools.pairwise(requests):
            waited = gap(earlier, later)
            require(
                waited >= timedelta(hours=rules[status]),
                f"{status}: asked after {words_of(waited)}",
                (earlier, later),
            )
    return "502, 503 and 504 waited as told, 403 four hours or more"


def p17(stage: Stage) -> str:
    busy = stage.feed("/feed.xml", "ann.tumble.example")
    near = stage.feed("/feed.xml", "bob.tumble.example")
    far = stage.feed("/feed.xml", "carol.example")
    stage.follow(busy, near, far)
    busy.answer = _busy(stage, 429, lambda _now: (("Retry-After", "43200"),))
    request = stage.next_request(busy)
    mark = stage.publisher.mark
    stage.until(request.at + timedelta(hours=11), timedelta(minutes=30))
    require(not busy.requests_since(mark), "the busy feed was requested", busy.requests)
    require(
        not near.requests_since(mark),
        "another feed of the host that said 429 was asked before its time",
        (request, *near.requests_since(mark)),
    )
    require(far.requests_since(mark), "a feed elsewhere waits too", far.requests)
    stage.advance(hours=30, step=timedelta(minutes=30))
    require(near.requests_since(mark), "the host is never asked again", near.requests)

    shop = [stage.feed(f"/f{number}.xml", "shop.example") for number in range(5)]
    stage.follow(*shop)
    shop[0].answer = _busy(stage, 503, lambda _now: (("Retry-After", "36000"),))
    request = stage.next_request(shop[0])
    mark = stage.publisher.mark
    stage.until(request.at + timedelta(hours=9), timedelta(minutes=30))
    require(shop[4].requests_since(mark), "one 503 stopped the whole host", shop[4].requests)
    for feed in shop[:3]:
        feed.answer = _busy(stage, 503, lambda _now: (("Retry-After", "86400"),))
    mark = stage.publisher.mark
    for _ in range(60):
        stage.advance(hours=1, step=timedelta(minutes=15))
        if all(any(one.status == 503 for one in f.requests_since(mark)) for f in shop[:3]):
            break
    mark = stage.publisher.mark
    stage.advance(hours=12, step=timedelta(minutes=30))
    require(
        not any(one.requests_since(mark) for one in shop),
        "three addresses of a host fail, and it still asks the others",
        stage.publisher.requests(since=mark),
    )
    return "429 rests the registrable domain, 503 its address, the host after three of them"


def p29(stage: Stage) -> str:
    sy = "<sy:updatePeriod>{}</sy:updatePeriod><sy:updateFrequency>{}</sy:updateFrequency>"
    rules = {
        "<ttl>1</ttl>": 1.0,
        "<ttl>300</ttl>": 5.0,
        sy.format("hourly", 60): 1.0,
        sy.format("daily", 2): 12.0,
    }
    feeds = {
        said: stage.feed(f"/t{host}.xml", host, channel=said) for host, said in enumerate(rules)
    }
    hours = "".join(f"<hour>{hour}</hour>" for hour in range(8))
    skips = stage.feed("/hours.xml", 4, channel=f"<skipHours>{hours}</skipHours>")
    days = "<skipDays><day>Saturday</day><day>Sunday</day></skipDays>"
    weekends = stage.feed("/days.xml", 5, channel=days)
    stage.follow(*feeds.values(), skips, weekends)
    stage.advance(days=5, step=timedelta(hours=1))
    for said, least in rules.items():
        feed = feeds[said]
        require(len(feed.requests) > 1, f"{said}: it never asked again", feed.requests)
        for earlier, later in zip(feed.requests, feed.requests[1:], strict=False):
            waited = gap(earlier, later)
            require(
                waited >= timedelta(hours=least),
                f"{said}: asked after {words_of(waited)}",
                (earlier, later),
            )
    night = [one for one in skips.requests[1:] if one.at.hour < 8]
    require(not night, "asked in an hour that skipHours names", night)
    rest = [one for one in weekends.requests[1:] if one.at.weekday() >= 5]
    require(not rest, "asked on a day that skipDays names", rest)
    require(len(skips.requests) > 1 and len(weekends.requests) > 1, "it never asked again")
    return "ttl, update periods, skipped hours and days lengthen the wait and never shorten it"


def p30(stage: Stage) -> str:
    feed = stage.feed("/feed.xml")
    stage.follow(feed)
    stage.advance(days=20, step=timedelta(hours=1))
    requests = feed.requests
    require(len(requests) > 2, "it stopped asking", requests)
    quiet = gap(*requests[-2:])
    require(
        timedelta(hours=20) <= quiet <= timedelta(hours=30),
        f"it polls a quiet feed every {words_of(quiet)}, after {len(requests)} requests",
        requests,
    )
    feed.news("At last some news")
    seen = stage.next_request(feed, hours=50)
    again = stage.next_request(feed, hours=50)
    soon = gap(seen, again)
    require(soon <= timedelta(minutes=75), f"after news it waited {words_of(soon)}", (seen, again))
    apart = f"{words_of(quiet)} apart; {words_of(soon)} after news"
    return f"{len(requests)} requests in 20 quiet days, {apart}"


def p31(stage: Stage) -> str:
    address = f"http://127.0.0.1:{stage.publisher.reset_port}/feed.xml"
    healthy = stage.feed("/feed.xml")
    stage.reader.subscribe_all([address, healthy.url])
    stage.reader.poll()
    if not stage.publisher.broken_off:
        stage.advance(hours=2, step=timedelta(minutes=15))
    else:
        stage.reader.poll()
    times = stage.publisher.broken_off
    require(times, "it never tried to connect")
    require(times <= 1, f"{times} connections in one cycle, none of which could be had")
    require(healthy.requests, "the feed beside it was not asked")
    return "one connection that failed, one attempt"


def p22(stage: Stage) -> str:
    gone = stage.feed("/gone.xml", 0)
    ladder = {
        status: stage.feed(f"/s{status}.xml", host)
        for host, status in ((1, 404), (2, 401), (3, 500))
    }
    stage.follow(gone, *ladder.values())
    kept = len(stage.titles())
    gone.status = 410
    stage.next_request(gone)
    for status, feed in ladder.items():
        feed.status = status
    mark = stage.publisher.mark
    stage.advance(days=30, step=timedelta(hours=1))
    again = gone.requests_since(mark)
    require(not again, f"asked {len(again)} times after 410", (*gone.requests[1:2], *again))
    require(len(stage.titles()) == kept, "articles were lost")
    for status, feed in ladder.items():
        requests = [one for one in feed.requests if one.status == status]
        require(len(requests) > 5, f"{status}: given up after {len(requests)} times", requests)
        waits = [gap(a, b) for a, b in itertools.pairwise(requests)]
        require(min(waits) >= FLOOR, f"{status}: asked after {words_of(min(waits))}", requests)
        require(
            max(waits[-3:]) >= timedelta(hours=20),
            f"{status} for 30 days: still asked every {words_of(max(waits[-3:]))}",
            requests,
        )
        require(
            max(waits) <= timedelta(hours=54), f"{status}: waited {words_of(max(waits))}", requests
        )
        feed.status = 200
    for status, feed in ladder.items():
        failed = [place for place, one in enumerate(feed.requests) if one.status == status]
        waited = gap(feed.requests[failed[-2]], feed.requests[failed[-1]])
        well = failed[-1] + 1  # the others may have taken so long that it was asked again since
        while len(feed.requests) < well + 2:
            stage.next_request(feed, hours=60)
        later = gap(feed.requests[well], feed.requests[well + 1])
        require(later < waited, f"{status}: no reset after success", feed.requests)
    if "told" in stage.reader.capabilities:
        shown = next((one for one in stage.reader.feeds() if one.url == gone.url), None)
        require(shown is not None and shown.problem, "the reader is not told that it is gone")
    return "410 was never asked again and told; 404, 401 and 500 climb to two days and recover"


CASES = (
    Case(
        "P11",
        "An hour between two requests, whatever is restarted",
        "Rachel Kroll's feed score",
        p11,
        frozenset({"schedule"}),
        slow=True,
    ),
    Case(
        "P12",
        "Asking by hand passes the same gate",
        "Rachel Kroll's feed score; Newsloom: 15 minutes",
        p12,
        frozenset({"refresh"}),
    ),
    Case("P13", "No request while the answer is fresh", "RFC 9111, 4.2; Open RSS", p13, hosts=6),
    Case(
        "P14",
        "Dates are read by the server's clock",
        "RFC 9110, 10.2.3; RFC 9111, 4.2",
        p14,
        hosts=2,
    ),
    Case(
        "P15",
        "Retry-After in every form",
        "RFC 9110, 10.2.3; Chris Siebenmann",
        p15,
        hosts=8,
        slow=True,
    ),
    Case(
        "P16",
        "Retry-After on 502, 503, 504; time after 403",
        "RFC 9110, 15.6.4; Unread Cloud's policy",
        p16,
        hosts=4,
    ),
    Case(
        "P17",
        "What one host says holds for that host",
        "FreshRSS 8925, CVE-2025-68148",
        p17,
        proxy=True,
    ),
    Case(
        "P22",
        "Gone is gone, failing is not",
        "RFC 9110, 15.5.11; Rachel Kroll's feed score",
        p22,
        hosts=4,
        slow=True,
    ),
    Case(
        "P29",
        "What the document says only lengthens",
        "RSS 2.0; RSS 1.0 syndication module",
        p29,
        hosts=6,
    ),
    Case(
        "P30",
        "A quiet feed is asked daily, news brings it back",
        "Inoreader and Feedly practice",
        p30,
    ),
    Case("P31", "No second attempt in the same cycle", "Newsloom", p31),
)
