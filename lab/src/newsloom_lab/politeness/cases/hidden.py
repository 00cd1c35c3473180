"""Answers that would hide a feed behind "304 Not Modified" for ever, once they are believed."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from newsloom_lab.politeness.case import Case, Stage, gap, require, words_of
from newsloom_lab.politeness.feeds import RSS, Feed
from newsloom_lab.politeness.publisher import Answer, Exchange, Raw, RecordedRequest

ARTICLES = 20

# What comes instead of the document, and the Content-Length that is said to be its length.
Damaged = Callable[[bytes], tuple[bytes, int]]


def _quarter(document: bytes) -> bytes:
    return document[: len(document) // 4]


def _unclosed(document: bytes) -> bytes:
    """Without the ends of its first five articles."""
    return document.replace(b"</description>", b"", 5).replace(b"</item>", b"", 5)


WAYS: dict[str, Damaged] = {
    "cut, and framed so": lambda whole: (_quarter(whole), len(_quarter(whole))),
    "shorter than its Content-Length": lambda whole: (_quarter(whole), len(whole)),
    "longer than its Content-Length": lambda whole: (whole, len(_quarter(whole))),
    "with elements that never end": lambda whole: (_unclosed(whole), len(_unclosed(whole))),
}


def _sends(document: bytes, damage: Damaged, etag: str) -> Answer:
    body, length = damage(document)

    async def send(exchange: Exchange) -> None:
        await exchange.head(200, RSS, ("ETag", etag), ("Content-Length", str(length)))
        await exchange.send(body)

    raw: Raw = send
    return Answer(raw=raw)


def _damaged(feed: Feed, damage: Damaged, times: int) -> Callable[[RecordedRequest], Answer | None]:
    """The first so many answers; then those of a server with nothing wrong, which says 304 to the
    tag of what it sent."""

    def answer(request: RecordedRequest) -> Answer | None:
        if request.conditional or len(feed.requests) > times:
            return None
        return _sends(feed.document(), damage, feed.etag)

    return answer


def p36(stage: Stage) -> str:
    feeds = {
        name: stage.feed(f"/d{host}.xml", host, articles=ARTICLES) for host, name in enumerate(WAYS)
    }
    always = stage.feed("/always.xml", len(WAYS), articles=ARTICLES)
    always.answer = _damaged(always, WAYS["cut, and framed so"], 10**6)
    for name, feed in feeds.items():
        feed.answer = _damaged(feed, WAYS[name], 1)
    stage.reader.subscribe_all([one.url for one in (*feeds.values(), always)])
    stage.reader.poll()
    values = _problems(stage)
    stage.advance(hours=50, step=timedelta(hours=1))
    shown = stage.titles()
    for name, feed in feeds.items():
        require(len(feed.requests) > 1, f"{name}: it never asked again", feed.requests)
        require(
            not feed.requests[1].conditional,
            f"{name}: it sends the validator of what it did not have whole",
            feed.requests[:2],
        )
        waited = gap(*feed.requests[:2])
        require(
            waited >= timedelta(hours=1), f"{name}: asked after {words_of(waited)}", feed.requests
        )
        have = sum(one.title in shown for one in feed.items)
        require(
            have == ARTICLES, f"{name}: {have} of {ARTICLES} articles in 50 hours", feed.requests
        )
        # A reader that takes validators from its second document on fails P03, and not this too.
        bare = [one for one in feed.requests[3:] if not one.conditional]
        require(not bare, f"{name}: whole again, it is asked for unconditionally", bare)
    if "told" in stage.reader.capabilities:
        missing = [name for name, feed in feeds.items() if not values.get(feed.url)]
        require(not missing, f"{', '.join(missing)}: the reader is not told", ())
    return f"{_of_one_that_is_always_cut(stage, always)}; {len(WAYS)} others were had whole"


def _problems(stage: Stage) -> dict[str, str]:
    """What the reader says is wrong, by feed; nothing where it has no place to."""
    if "told" not in stage.reader.capabilities:
        return {}
    return {one.url: one.problem for one in stage.reader.feeds()}


def _of_one_that_is_always_cut(stage: Stage, feed: Feed) -> str:
    """It is never asked conditionally, and so once a day in the end."""
    stage.advance(days=6, step=timedelta(hours=1))
    requests = [one for one in feed.requests if one.conditional]
    require(not requests, "it sends the validator of half a document", requests)
    require(len(feed.requests) > 3, "always cut: it stopped asking", feed.requests)
    waited = gap(*feed.requests[-2:])
    require(
        waited >= timedelta(hours=24),
        f"always cut: asked for whole every {words_of(waited)}",
        feed.requests,
    )
    return f"one that is always cut is asked for every {words_of(waited)}"


def p37(stage: Stage) -> str:
    first = stage.feed("/first.xml", 0, articles=ARTICLES)
    later = stage.feed("/later.xml", 1, etag="")
    nothing = Answer(b"", 304, (("ETag", '"z"'),))
    first.answer = lambda request: nothing if request.number == first.requests[0].number else None
    # As an import does: to be refused at once would be no answer to the case.
    stage.reader.subscribe_all([first.url, later.url])
    stage.reader.poll()
    values = _problems(stage)
    later.news("Written before the odd answer")
    later.etag = '"z"'
    later.answer = lambda query: None if query.conditional else nothing
    stage.next_request(later, hours=30)
    later.answer = lambda _asked: None
    stage.advance(hours=60, step=timedelta(hours=1))
    shown = stage.titles()
    for feed, odd in ((first, 0), (later, 1)):
        answered, again = feed.requests[odd], feed.requests[odd + 1 : odd + 2]
        require(answered.status == 304, "the odd answer was never given", feed.requests)
        require(again, "it never asked again", feed.requests)
        require(
            not again[0].conditional, "it believes a 304 that it had not asked for", feed.requests
        )
        waited = gap(answered, again[0])
        require(
            waited >= timedelta(hours=1), f"asked again after {words_of(waited)}", feed.requests
        )
        have = sum(one.title in shown for one in feed.items)
        require(have == len(feed.items), f"{have} of {len(feed.items)} articles", feed.requests)
    if "told" in stage.reader.capabilities:
        require(values.get(first.url), "the empty feed is not reported", ())
    return f"a 304 out of nowhere is a failure: {ARTICLES} of {ARTICLES} articles with the next"


CASES = (
    Case(
        "P36",
        "What came damaged is asked for whole",
        "Newsloom; RFC 9112, 8",
        p36,
        hosts=len(WAYS) + 1,
    ),
    Case(
        "P37",
        "A 304 is no answer to an unconditional request",
        "RFC 9110, 15.4.5",
        p37,
        hosts=2,
    ),
)
