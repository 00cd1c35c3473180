"""Where a reader goes: redirects of every kind, circles, other origins, other schemes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from newsloom_lab.politeness.case import Case, Stage, gap, not_applicable, require, words_of
from newsloom_lab.politeness.feeds import HTML, Feed, page
from newsloom_lab.politeness.publisher import Answer, RecordedRequest

HOP = 5  # redirects that anyone should follow


def _redirect(feed: Feed, target: str, status: int = 301) -> None:
    feed.answer = lambda _asked: Answer(b"", status, (("Location", target),))


def p18(stage: Stage) -> str:
    target = stage.feed("/new.xml", 1)
    old = stage.feed("/old.xml", 0)
    target.items = list(old.items)
    stage.follow(old)
    count = len(stage.titles())
    _redirect(old, target.url)
    first = stage.next_request(old)
    stage.until(first.at + timedelta(hours=47), timedelta(hours=1))
    mark = stage.publisher.mark
    require(
        len(old.requests) > 2, "it no longer asks the old address within two days", old.requests
    )
    stage.advance(days=4, step=timedelta(hours=1))
    requests = old.requests_since(mark)
    mark = stage.publisher.mark
    stage.advance(days=3, step=timedelta(hours=1))
    still = old.requests_since(mark)
    require(not still, "a week of 301 and 304 later it still asks the old address", still)
    require(target.requests_since(mark), "it asks neither address any more", requests)
    require(len(stage.titles()) == count, "articles were doubled or lost", target.requests[-4:])
    target.news("Written at the new address")
    stage.next_request(target, hours=50)
    require(
        "Written at the new address" in stage.titles(), "its news does not come", target.requests
    )
    if "moves" in stage.reader.capabilities:
        require(old.url in stage.reader.moved(target.url), "the old address was not kept")
        stage.reader.undo_move(target.url)
        mark = stage.publisher.mark
        stage.advance(days=2)
        require(old.requests_since(mark), "the move was taken back and yet stays", old.requests)
    return _only_feeds_are_moved_to(stage)


def _only_feeds_are_moved_to(stage: Stage) -> str:
    bad = stage.publisher.on(
        stage.publisher.url("/page", 1), Answer(page("For sale"), 200, (HTML,))
    )
    lured = stage.feed("/lured.xml", 0)
    inside = stage.feed("/inside.xml", 0)
    stage.follow(lured, inside)
    _redirect(lured, bad)
    _redirect(inside, "http://169.254.169.254/latest/meta-data/")
    stage.advance(days=9, step=timedelta(hours=2))
    for feed in (lured, inside):
        feed.answer = lambda _asked: None
        mark = stage.publisher.mark
        stage.advance(days=3, step=timedelta(hours=2))
        require(feed.requests_since(mark), "an address that is no feed was believed", feed.requests)
    return "the new address was believed after two days, no page and no inner address ever"


def p19(stage: Stage) -> str:
    feeds = []
    for host, status in enumerate((302, 303, 307)):
        target = stage.feed(f"/target{status}.xml", host + 3)
        feed = stage.feed(f"/f{status}.xml", host)
        _redirect(feed, target.url, status)
        feeds.append((feed, target))
        stage.reader.subscribe(feed.url)  # redirected from the beginning
    stage.reader.poll()
    stage.advance(days=6, step=timedelta(hours=1))
    mark = stage.publisher.mark
    stage.advance(days=2, step=timedelta(hours=1))
    for feed, target in feeds:
        requests, through = feed.requests_since(mark), target.requests_since(mark)
        require(requests, "the temporary address became the feed's", through)
        require(through, "the redirect was not followed", requests)
    return "302, 303 and 307 were followed for eight days and never kept"


def p20(stage: Stage) -> str:
    first = stage.feed("/first.xml", 1, etag='"of-the-first"')
    second = stage.feed("/second.xml", 2, etag='"of-the-second"')
    second.items = list(first.items)
    feed = stage.feed("/feed.xml", 0)
    _redirect(feed, first.url, 302)
    stage.follow(feed)
    stage.next_request(feed)
    _redirect(feed, second.url, 302)
    mark = stage.publisher.mark
    stage.next_request(feed)
    foreign = [
        one
        for one in stage.publisher.requests(since=mark)
        if one.path != "/first.xml" and "of-the-first" in one.header("If-None-Match")
    ]
    require(not foreign, "a validator was shown to another address", foreign)
    _keeps_secrets(stage)
    if stage.publisher.tls_port:
        _stays_secure(stage)
    return "validators, passwords and https stayed where they belong"


def _keeps_secrets(stage: Stage) -> None:
    private = stage.feed("/private.xml", 0)
    other = stage.feed("/other.xml", 1)
    _redirect(private, other.url, 302)
    url = private.url.replace("http://", "http://ann:secret@")
    stage.reader.subscribe_all([url])
    stage.reader.poll()
    stage.advance(hours=3)
    requests = [one for one in other.requests if one.header("Authorization")]
    require(not requests, "a password was sent to another origin", requests)


def _stays_secure(stage: Stage) -> None:
    secure = stage.feed("/secure.xml", scheme="https")
    plain = stage.feed("/plain.xml", 0)
    stage.reader.subscribe(secure.url)
    stage.reader.poll()
    if not secure.requests:
        not_applicable("it cannot be told to trust the suite's own authority")
    _redirect(secure, plain.url, 302)
    stage.next_request(secure)
    stage.advance(days=1)
    require(not plain.requests, "it followed https to http", plain.requests)


def p21(stage: Stage) -> str:
    feed = stage.feed("/feed.xml", 0)
    chain = stage.feed("/chain.xml", 1)
    stage.follow(feed, chain)
    pair = stage.feed("/pair.xml", 0)
    _redirect(feed, pair.url, 302)
    _redirect(pair, feed.url, 302)
    links = [stage.feed(f"/link{number}.xml", 1) for number in range(9)]
    for one, following in zip((chain, *links), links, strict=False):
        _redirect(one, following.url, 302)
    mark = stage.publisher.mark
    stage.next_request(feed)
    circle = _first_cycle(feed, pair, since=mark)
    require(len(circle) <= HOP + 1, f"{len(circle)} requests in a circle", circle)
    stage.next_request(chain)
    log = _first_cycle(chain, *links, since=mark)
    require(len(log) <= HOP + 1, f"{len(log)} requests along a chain", log)
    again = stage.next_request(feed, hours=30)
    waited = gap(circle[0], again)
    require(waited >= timedelta(hours=1), f"it came back after {words_of(waited)}", circle)
    return (
        f"{len(circle)} requests in the circle, {len(log)} along the chain, then {words_of(waited)}"
    )


def _first_cycle(*feeds: Feed, since: int) -> Sequence[RecordedRequest]:
    """The requests for the feeds within ten minutes of the first of them."""
    log = sorted(
        (one for feed in feeds for one in feed.requests_since(since)), key=lambda one: one.number
    )
    return [one for one in log if gap(log[0], one) < timedelta(minutes=10)]


CASES = (
    Case(
        "P18",
        "A permanent redirect is believed after agreement, and only to a feed",
        "RFC 9110, 15.4.2; NewsBlur's ten times",
        p18,
        hosts=2,
        slow=True,
    ),
    Case(
        "P19",
        "A temporary redirect is followed and never kept",
        "RFC 9110, 15.4.3; Miniflux 1387",
        p19,
        hosts=6,
    ),
    Case(
        "P20",
        "Nothing meant for one address reaches another",
        "Chris Siebenmann; RFC 9110, 15.4",
        p20,
        hosts=3,
        tls=True,
    ),
    Case("P21", "Circles and long chains end after five hops", "RFC 9110, 15.4", p21, hosts=2),
)
