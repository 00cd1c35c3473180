"""Clocks that jump, and dates that cannot be."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta

from newsloom_lab.politeness.case import Case, Stage, require
from newsloom_lab.politeness.feeds import Item, rfc822

EPOCH = datetime(1970, 1, 1, 0, 5, tzinfo=UTC)
DAY = timedelta(days=1)


def f10(stage: Stage) -> str:
    feeds = [stage.feed(f"/feed{number}.xml", number) for number in range(10)]
    stage.follow(*feeds)
    stage.advance(hours=30, step=timedelta(hours=1))
    right = stage.clock.now()
    jumps = {
        "a year on": right + 365 * DAY,
        "a year back": right - 365 * DAY,
        "an hour on": right + timedelta(hours=1),
        "an hour back": right - timedelta(hours=1),
        "in 1970": EPOCH,
    }
    for words, moment in jumps.items():
        for where, there in ((words, moment), (f"back from {words}", right)):
            stage.clock.set(there)
            mark = stage.publisher.mark
            for _ in range(5):
                stage.reader.poll()
                stage.clock.jump(timedelta(minutes=1))
            log = [one for one in stage.publisher.requests(since=mark) if "feed" in one.path]
            times = Counter(one.host for one in log)
            worst = max(times.values(), default=0)
            require(worst <= 1, f"{where}: a feed was asked {worst} times in five minutes", log)
            mark = stage.publisher.mark
            stage.advance(hours=49, step=timedelta(hours=1))
            for feed in feeds:
                require(
                    feed.requests_since(mark), f"{where}: a feed sleeps for two days", feed.requests
                )
        right = stage.clock.now()
    return f"{len(jumps)} jumps there and back: no feed asked twice, none asleep for two days"


def f11(stage: Stage) -> str:
    now = stage.clock.now()
    dates = {
        "1970": "Thu, 01 Jan 1970 00:00:00 GMT",
        "year 0000": "Sat, 01 Jan 0000 00:00:00 GMT",
        "year 9999": "Fri, 31 Dec 9999 23:59:59 GMT",
        "in 400 days": rfc822(now + 400 * DAY),
        "none": "",
        "no such zone": "Tue, 17 Nov 2026 08:00:00 XYZZY",
        "second 60": "Tue, 17 Nov 2026 23:59:60 GMT",
        "German": "Di, 17 Nov 2026 08:00:00 +0100",
        "Chinese": "2026年11月17日 08:00",
        "month 13": "2026-13-45T25:61:61Z",
        "huge": "9" * 400,
    }
    feed = stage.feed("/feed.xml")
    feed.items = [
        Item(f"odd-{place}", f"Dated {name}", f"{feed.url}/{place}", f"Of {name}.", date)
        for place, (name, date) in enumerate(dates.items())
    ]
    stage.follow(feed)
    stage.advance(hours=26, step=timedelta(hours=1))
    shown = stage.reader.articles()
    lost = {f"Dated {name}" for name in dates} - {one.title for one in shown}
    require(
        not lost, f"articles with odd dates are missing: {', '.join(sorted(lost))}", feed.requests
    )
    ahead = [one for one in shown if one.published and one.published > stage.clock.now() + DAY]
    require(
        not ahead,
        f"shown as of {ahead[0].published if ahead else ''}, in the future",
        feed.requests,
    )
    fresh = feed.news("The newest of all", date=rfc822(stage.clock.now()))
    stage.next_request(feed, hours=50)
    stage.advance(days=2, step=timedelta(hours=6))
    later = feed.news("Newer still", date=rfc822(stage.clock.now()))
    stage.next_request(feed, hours=50)
    titles = stage.titles()
    require(later.title in titles and fresh.title in titles, "later articles are missing")
    if "order" in stage.reader.capabilities:
        require(
            titles.index(later.title) == 0,
            f"{titles[0]!r} stands before what is new",
            feed.requests,
        )
    return f"{len(dates)} odd dates: all shown, none in the future, none above what is new"


CASES = (
    Case(
        "F10",
        "The clock jumps, and no feed is stormed or forgotten",
        "Newsloom",
        f10,
        frozenset({"schedule"}),
        hosts=10,
        slow=True,
    ),
    Case("F11", "Dates from 1970 to 9999, none, and no dates at all", "Newsloom", f11),
)
