"""Feeds in every state there is, in a furnished world: what their pages have to show."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from newsloom.feeds.values.health import FeedState, HeldDocument
from newsloom.feeds.values.polling import PollOutcome, PollPlan
from newsloom.kernel.ids import FeedId
from publisher import rss
from web.world import World

HOUR = timedelta(hours=1)
MOVED, HELD, DEAD, ILL, SLOW = (FeedId(number) for number in range(1, 6))

# A fortnight of one feed: news, nothing, an error, something that was no feed.
FORTNIGHT = "nssnssfnsssnnsusssnsfsnsnssnsssnsnsnsn"
OUTCOMES = {
    "n": PollOutcome.CHANGED,
    "s": PollOutcome.UNCHANGED,
    "f": PollOutcome.FAILED,
    "u": PollOutcome.UNREADABLE,
}
WORDS = {"f": "the server answered 503 Service Unavailable", "u": "The document is an HTML page."}


def unwell(world: World) -> World:
    """Let every feed become what its name says; the world's clock goes on meanwhile."""
    for place, letter in enumerate(FORTNIGHT):
        later = replace(world, now=world.now - (len(FORTNIGHT) - place) * 9 * HOUR)
        later.polled(
            MOVED,
            outcome=OUTCOMES[letter],
            problem=WORDS.get(letter, ""),
            status={"s": 304, "f": 503}.get(letter, 200),
            seen=24 if letter == "n" else 0,
            misdated=2 if letter == "n" else 0,
            plan=PollPlan(later.now + 9 * HOUR, 9 * HOUR, "it had no news"),
        )
    world.polled(
        MOVED,
        state=FeedState.MOVED,
        move_to="https://new.example/a/rather/long/address/of/a/feed.xml",
        move_because="It redirected there permanently (301) 3 times in 50 hours.",
    )
    for hours in (30, 6):
        earlier = replace(world, now=world.now - hours * HOUR)
        held(earlier, f"Bonus of the day, and {hours} more ways to win", "Spin and win")
    world.polled(DEAD, outcome=PollOutcome.GONE, state=FeedState.DEAD, plan=GONE, status=410)
    for _ in range(3):
        world.polled(ILL, problem=WORDS["u"], outcome=OUTCOMES["u"], state=FeedState.UNHEALTHY)
    world.polled(SLOW, problem="the server did not answer in 30 seconds", state=FeedState.SLOW)
    return world


GONE = PollPlan(None, HOUR, "discontinued (410)")


def held(world: World, *titles: str) -> None:
    """A document of the feed in quarantine."""
    articles = [(title, f"https://casino.example/{len(title)}", title) for title in titles]
    body = rss("Spins and Bonuses", *articles).encode()
    world.polled(
        HELD,
        outcome=PollOutcome.UNCHANGED,
        state=FeedState.HELD,
        held_because="Another title, site and authors than before, and none of its 2 articles "
        "known.",
        hold=HeldDocument(world.now, "https://quay.example/feed", "text/xml", body),
    )
