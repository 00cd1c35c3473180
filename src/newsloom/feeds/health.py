"""How feeds are: reliability, states, moves, and whether one has changed hands. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from newsloom.duplicates.values import IncomingArticle
from newsloom.feeds.values.health import FeedIdentity, FeedState, HeldDocument, Moving
from newsloom.feeds.values.polling import (
    READ,
    DueFeed,
    FeedHealth,
    PastPoll,
    PollOutcome,
    PollTally,
    Reliability,
)
from newsloom.feeds.values.published import Damage, ParsedArticle, ParsedFeed
from newsloom.kernel.http.values import Failure, Reply
from newsloom.kernel.text.language import language
from newsloom.kernel.text.urls import shared_host

# What one poll says of how a feed is: its state, its address, whether it is kept apart. Pure.

# The issue: "after 3 flag unhealthy".
MOST_UNREADABLE = 3
# The ladder of waits (docs/work/decisions/fetching.md) has five rungs: a feed that failed on each
# has not answered for at least 41 hours.
MOST_FAILURES = 5
# One that only answers late is slow, not ill; ten polls without any answer in time are more than a
# fortnight of it.
MOST_TIMEOUTS = 10
# Documents that end too early, in a row: the first may have been an accident, and after three a
# reader is to be told, as of those that cannot be read.
MOST_CUT = MOST_UNREADABLE
# An answer that took this long came in time, but a third of our patience (30 s) was gone.
LATE = timedelta(seconds=10)

# Dates that cannot be: before the first feeds, or later than clocks and time zones put off.
EARLIEST_YEAR = 1990
MOST_AHEAD = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class Health:
    """What is to be recorded of a feed beside its articles."""

    state: FeedState
    moving: Moving | None = None  # where it permanently redirects to, not believed yet
    still: bool = False  # it does not: forget where it seemed to
    move_to: str = ""  # the address to store from now on
    move_because: str = ""
    held_because: str = ""  # begins a quarantine
    hold: HeldDocument | None = None  # kept whole, instead of its articles and its title
    misdated: int = 0  # articles without a date, or with one that cannot be
    identity: FeedIdentity | None = None  # who it is now; None: as before


def judged(
    due: DueFeed,
    reply: Reply,
    outcome: PollOutcome,
    feed: ParsedFeed | None,
    incoming: Sequence[IncomingArticle],
    known: int,
    now: datetime,
) -> Health:
    """How a feed is after a poll. `known`: how many of the incoming articles it has had already.

    Where `hold` is given, nothing of the document may be stored but the document itself.
    """
    if outcome is PollOutcome.GONE:
        return Health(FeedState.DEAD)
    if outcome not in READ:
        # Any answer but the feed itself breaks the row; none at all says nothing of where it is.
        return Health(_after_failure(due, reply, outcome), still=reply.status > 0)
    wrong = misdated(feed.articles, now) if feed else 0
    because = "" if feed is None or due.held else ownership_changed(due, feed, len(incoming), known)
    if due.held or because:
        hold = None if feed is None else held(reply, now)
        return Health(FeedState.HELD, still=True, held_because=because, hold=hold, misdated=wrong)
    address = moved(due, reply, now)
    return Health(
        state=FeedState.MOVED if address.to else _answered(due, reply, feed),
        moving=address.moving,
        still=address.still,
        move_to=address.to,
        move_because=address.because,
        misdated=wrong,
        identity=identity_of(feed) if feed and feed.articles else None,
    )


def held(reply: Reply, now: datetime) -> HeldDocument:
    """A document as it came."""
    return HeldDocument(now, reply.url, reply.header("content-type"), reply.body)


def misdated(articles: Sequence[ParsedArticle], now: datetime) -> int:
    """How many have no date, or one that cannot be."""
    return sum(not _plausible(one.published or one.updated, now) for one in articles)


def _plausible(said: datetime | None, now: datetime) -> bool:
    return said is not None and said.year >= EARLIEST_YEAR and said <= now + MOST_AHEAD


def _answered(due: DueFeed, reply: Reply, feed: ParsedFeed | None) -> FeedState:
    """How a feed is that answered."""
    if feed is not None and feed.damage is Damage.CUT:
        return FeedState.UNHEALTHY if due.damaged + 1 >= MOST_CUT else FeedState.SLOW
    late = reply.seconds >= LATE.total_seconds()
    return FeedState.SLOW if late else FeedState.HEALTHY


def _after_failure(due: DueFeed, reply: Reply, outcome: PollOutcome) -> FeedState:
    if due.held:
        return FeedState.HELD
    if outcome is PollOutcome.UNREADABLE:
        ill = due.unreadable + 1 >= MOST_UNREADABLE
    elif reply.failure is Failure.TIMEOUT:
        ill = due.failures + 1 >= MOST_TIMEOUTS
    else:
        ill = due.failures + 1 >= MOST_FAILURES
    return FeedState.UNHEALTHY if ill or due.state is FeedState.UNHEALTHY else FeedState.SLOW


__all__ = [
    "Health",
    "advice",
    "identity_of",
    "judged",
    "ownership_changed",
    "reason",
    "reliability",
    "tally",
    "target",
]


# Whether a feed's address is another's now. Pure.
# RFC 9110 lets an address be replaced after one 301. A captive portal, a wrong line in a server's
# configuration and a lapsed domain send 301 too, so it must be said again and again first.

# 302, 303 and 307 say where a feed is for now: they are followed and never remembered.
PERMANENT = frozenset({301, 308})

# Facts P18: "3 consecutive equal targets over >= 48 h". NewsBlur waits for ten redirects, which at
# an hour each is less than half a day.
LEAST_TIMES = 3
LEAST_SPAN = timedelta(hours=48)


@dataclass(frozen=True, slots=True)
class Moved:
    """What one readable answer says of a feed's address."""

    moving: Moving | None = None  # where it seems to go, so often by now
    still: bool = False  # it stays where it is
    to: str = ""  # believed
    because: str = ""


def moved(due: DueFeed, reply: Reply, now: datetime) -> Moved:
    """Called for answers that are a feed, or 304: the target was reached and can be read."""
    to = target(due.url, reply)
    if not to or to == due.declined:
        return Moved(still=True)
    same = due.moving is not None and due.moving.url == to
    before = due.moving if same else None
    moving = Moving(to, before.since, before.times + 1) if before else Moving(to, now)
    if moving.times < LEAST_TIMES or now - moving.since < LEAST_SPAN:
        return Moved(moving, still=False)
    statuses = " and ".join(sorted({str(one.status) for one in reply.redirects}))
    hours = (now - moving.since) // timedelta(hours=1)
    because = f"It redirected there permanently ({statuses}) {moving.times} times in {hours} hours."
    return Moved(to=to, because=because)


def target(url: str, reply: Reply) -> str:
    """Where every hop of the way was permanent and led elsewhere: that address; else "".

    Not where a name and a password stand in either address: the reader's would be lost, and a
    server's are none of ours to keep.
    """
    if not reply.redirects or any(one.status not in PERMANENT for one in reply.redirects):
        return ""
    if reply.url == url or _carries_secrets(url) or _carries_secrets(reply.url):
        return ""
    return reply.url


def _carries_secrets(url: str) -> bool:
    return "@" in urlsplit(url).netloc


# Whether a feed is another than it was: its domain may have changed hands. Pure.
# Four things tell who a feed is: its title, the host it is of, its language, its authors. Each says
# "the same", "another", or nothing where one of the two documents does not tell.
# docs/work/decisions/fetching.md has the measurements.

# Facts F27: "more than 90% new guids". Alone it means nothing: of 7,009 pairs of documents of one
# feed, the next to the two hundredth after, 4,136 have new articles only.
MOST_KNOWN = 0.1

# So many of the four must tell, and all that tell must say "another". With two, title and site,
# a feed that is renamed and moves to another home would be held. One language is no sign of one
# feed where its authors are told and are others: most of the web is English, and so is what takes
# lapsed domains.
LEAST_TOLD = 3

# Authors and hosts kept of a document: those of the most articles.
MOST_KEPT = 40

# Titles with this share of the shorter one's words are one title: "BBC News - Home", "BBC News".
SAME_WORDS = 0.5
_SAYS_NOTHING = frozenset(
    {"a", "and", "blog", "com", "feed", "for", "from", "home", "latest", "my", "net", "news"}
    | {"of", "online", "org", "rss", "s", "the", "top", "www"}
)


def identity_of(feed: ParsedFeed) -> FeedIdentity:
    """Who a document says its feed is, besides its title, site and language."""
    return FeedIdentity(
        _most(_words(one.author) for one in feed.articles),
        _most(shared_host(one.url) for one in feed.articles),
    )


def ownership_changed(due: DueFeed, feed: ParsedFeed, articles: int, known: int) -> str:
    """Why a document is likely another's than the feed's, in words; "" when it is not.

    `known` of the `articles` in it the feed has had already.
    """
    if due.identity is None or not articles or known > articles * MOST_KNOWN:
        return ""
    found = traits(due, feed)
    if found["language"] is False and found["authors"]:
        found["language"] = None
    lines = [name for name, another in found.items() if another is not None]
    if len(lines) < LEAST_TOLD or False in found.values():
        return ""
    *most, last = lines
    return (
        f"Another {', '.join(most)} and {last} than before, and {known or 'none'} of its "
        f"{articles} articles known."
    )


def traits(due: DueFeed, feed: ParsedFeed) -> dict[str, bool | None]:
    """Of each thing that tells who a feed is, whether it is another; None where it is not told."""
    before, now = due.identity or FeedIdentity(), identity_of(feed)
    return {
        "title": _another_title(due.title, feed.title),
        "site": _another_site(due, before, feed.site_url, now),
        "language": _another((language(due.language),), (language(feed.language),)),
        "authors": _another(before.authors, now.authors),
    }


def _another_title(before: str, now: str) -> bool | None:
    a, b = (frozenset(_words(one).split()) for one in (before, now))
    if not a or not b:
        return None
    a, b = (one - _SAYS_NOTHING or one for one in (a, b))
    return len(a & b) < SAME_WORDS * min(len(a), len(b))


def _another_site(
    due: DueFeed, before: FeedIdentity, new_site: str, now: FeedIdentity
) -> bool | None:
    """By its own address, and by where its articles are: one host in common is the same.

    Unless that is the host the feed is at: who takes a domain has it too, so it tells nothing.
    """
    sites = {shared_host(due.site_url)} - {""}, {shared_host(new_site)} - {""}
    hosts = set(before.hosts), set(now.hosts)
    told = [a.isdisjoint(b) for a, b in (sites, hosts) if a and b]
    common = (sites[0] & sites[1]) | (hosts[0] & hosts[1])
    if not told or (common and common <= {due.host}):
        return None
    return all(told)


def _another(before: Iterable[str], now: Iterable[str]) -> bool | None:
    """Whether nothing is left of what was told; what is told no more is another too."""
    a, b = ({one for one in names if one} for names in (before, now))
    return a.isdisjoint(b) if a else None


def _words(text: str) -> str:
    spaced = "".join(char if char.isalnum() else " " for char in text[:500].casefold())
    return " ".join(spaced.split())


def _most(names: Iterable[str]) -> tuple[str, ...]:
    counted = Counter(one for one in names if one)
    return tuple(sorted(name for name, _times in counted.most_common(MOST_KEPT)))


# Why a feed is in its state, and what its reader may do, in words. Pure.

# A poll at which nothing was readable or reachable, and what a reader can make of that.
_ADVICE = {
    FeedState.HEALTHY: "",
    FeedState.SLOW: "wait: Newsloom tries again later",
    FeedState.UNHEALTHY: "look for another feed on the site, or unfollow this one",
    FeedState.MOVED: "undo the move if the old address is right",
    FeedState.HELD: "approve or block it",
    FeedState.DEAD: "unfollow it; its articles stay",
}


def reason(one: FeedHealth) -> str:
    """Why it is in its state; "" when it is healthy."""
    if one.state is FeedState.DEAD:
        return "The publisher has discontinued this feed (410). It is no longer fetched."
    if one.state is FeedState.HELD:
        kept_out = one.verdict is not None and not one.verdict.same
        held = one.held_because or "It may have a new owner."
        return f"{held} You blocked it." if kept_out else held
    if one.state is FeedState.MOVED:
        return _moved(one)
    if one.failures:
        return f"{_times(one)}: {one.problem.rstrip('. ') or 'nobody knows why'}."
    if one.damage is Damage.CUT:
        times = "document was" if one.damaged == 1 else f"{one.damaged} documents were"
        return f"Its last {times} cut off: {one.problem or 'some articles may be missing'}."
    if one.state is FeedState.SLOW:
        return "The last response was slow."
    return ""


def advice(one: FeedHealth) -> str:
    """What its reader can do; "" when nothing is to be done."""
    if one.state is FeedState.HELD and one.verdict is not None and not one.verdict.same:
        return "unblock it"
    return _ADVICE[one.state]


def _moved(one: FeedHealth) -> str:
    if one.moved is None:
        return "It has moved."
    if one.moved.merged_id is not None:
        return f"The feed at {one.moved.from_url} moved here and was merged into it."
    return f"It moved from {one.moved.from_url}."


def _times(one: FeedHealth) -> str:
    unread = one.unreadable if one.unreadable == one.failures else 0
    if one.failures == 1:
        return "The last response was unreadable" if unread else "The last fetch failed"
    what = "be read" if unread else "be fetched"
    return f"It could not {what} {one.failures} times in a row"


# A feed that does not answer shows nothing at all, broken XML is usually read all the same, and an
# article with a wrong date only stands in the wrong place. The weights are our judgement.
UPTIME, VALID, DATED = 50, 30, 20

ANSWERED = frozenset({PollOutcome.CHANGED, PollOutcome.UNCHANGED, PollOutcome.UNREADABLE})


def tally(polls: Iterable[PastPoll]) -> PollTally:
    """What polls come to. A "nothing new" and the same bytes again are answers without a document
    to judge; a document read in spite of its damage is not sound."""
    polls = tuple(polls)
    read = [one for one in polls if one.articles or one.outcome is PollOutcome.UNREADABLE]
    return PollTally(
        polls=len(polls),
        answered=sum(one.outcome in ANSWERED for one in polls),
        documents=len(read),
        sound=sum(not one.problem for one in read),
        articles=sum(one.articles for one in read),
        misdated=sum(one.misdated for one in read),
    )


def reliability(known: PollTally) -> Reliability:
    """The score and its parts; what there is no evidence of counts neither way."""
    if not known.polls:
        return Reliability(None)
    uptime = known.answered / known.polls
    valid = known.sound / known.documents if known.documents else None
    dated = 1 - known.misdated / known.articles if known.articles else None
    parts = ((UPTIME, uptime), (VALID, valid), (DATED, dated))
    told = [(weight, share) for weight, share in parts if share is not None]
    score = sum(weight * share for weight, share in told) / sum(weight for weight, _share in told)
    return Reliability(round(100 * score), uptime, valid, dated, known.polls)
