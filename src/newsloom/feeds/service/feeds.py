"""How the reader's feeds are, and what they can do about it: moves, quarantine, floors, alerts."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from newsloom.feeds import health
from newsloom.feeds.schedule import Held
from newsloom.feeds.values.health import FeedState
from newsloom.feeds.values.polling import FeedHealth, Move, PastPoll, Reliability
from newsloom.kernel.errors import NotFound, UserError
from newsloom.kernel.ids import FeedId

if TYPE_CHECKING:
    from newsloom.app.reader import Reader

# However much of a hurry a reader is in: Open RSS and FreshRSS know no shorter floor either.
LEAST_FLOOR = timedelta(minutes=15)
MOST_FLOOR = timedelta(days=7)

# What a reader is told of without asking. A slow feed asks nothing of anybody.
TOLD = (FeedState.HELD, FeedState.DEAD, FeedState.UNHEALTHY, FeedState.MOVED)

_ORDER = {state: place for place, state in enumerate((*TOLD, FeedState.SLOW, FeedState.HEALTHY))}


@dataclass(frozen=True, slots=True)
class Condition:
    """One feed, how it is, why, and what can be done."""

    feed: FeedHealth
    reliability: Reliability
    because: str
    advice: str
    hub: str = ""  # how it stands with its hub, in words; empty: it has none

    @property
    def alert(self) -> bool:
        """Whether the reader is to be told, and has not said that they know."""
        return self.feed.state in TOLD and not self.feed.seen


@dataclass(frozen=True, slots=True)
class Refreshed:
    """What came of asking for all feeds by hand."""

    asked: int  # due now
    held: tuple[Held, ...] = ()  # why the others are not, one each
    feeds: tuple[FeedId, ...] = ()  # those that are due now


@dataclass(frozen=True, slots=True)
class Feeds:
    """One reader's feeds. Methods may be called from any thread."""

    reader: Reader

    def conditions(self) -> tuple[Condition, ...]:
        """Every feed, those first that need the reader most; else by category and title."""
        known = self.reader.store.feeds.health(self.reader.user)
        hubs = self.reader.feed_actions.hubs([one.feed_id for one in known])
        found = [_condition(one, hubs.get(one.feed_id, "")) for one in known]
        return tuple(sorted(found, key=_urgency))

    def alerts(self) -> tuple[Condition, ...]:
        """Those the reader is to be told of."""
        store, user = self.reader.store.feeds, self.reader.user
        unseen = store.unseen_health(user, TOLD)
        if not unseen:
            return ()
        found = [_condition(one) for one in store.health(user, unseen)]
        return tuple(sorted((one for one in found if one.alert), key=_urgency))

    def condition(self, feed: FeedId) -> Condition:
        """One feed. Raises NotFound."""
        for one in self.reader.store.feeds.health(self.reader.user, [feed]):
            return _condition(one, self.reader.feed_actions.hubs([feed]).get(feed, ""))
        raise NotFound(f"You do not follow feed {feed}.")

    def polls(self, feed: FeedId) -> tuple[PastPoll, ...]:
        """The polls that are remembered, the newest first."""
        return self.reader.store.feeds.past_polls(self.reader.user, feed)

    def moves(self, feed: FeedId | None = None) -> tuple[Move, ...]:
        """Addresses given up for others, of one feed and what became part of it, or of all."""
        found = self.reader.store.feeds.moves(self.reader.user)
        return tuple(one for one in found if feed in {None, one.feed_id, one.merged_id})

    def take_back_move(self, number: int) -> Move:
        """The address as it was, for good. Raises NotFound, or UserError where it cannot be."""
        move = next((one for one in self.moves() if one.id == number), None)
        if move is None:
            raise NotFound(f"None of your feeds has a move {number}.")
        if move.undone_at is not None:
            raise UserError(f"Move {number} is already undone.")
        if not self.reader.store.feeds.take_back_move(self.reader.user, number, self.reader.now()):
            raise UserError(
                f"Move {number} cannot be undone: the feed moved again, or another feed uses "
                f"{move.from_url} now."
            )
        self.reader.on_change()
        return move

    def see(self, feed: FeedId | None = None) -> None:
        """Wave away the alerts of one feed, or of all. Raises NotFound."""
        if feed is not None:
            self.condition(feed)
        self.reader.store.feeds.see_health(self.reader.user, feed, self.reader.now())

    def set_floor(self, feed: FeedId, floor: timedelta | None) -> None:
        """The least time between two polls of a feed; None: as the settings say.

        Raises NotFound, and UserError for what is too often or too seldom.
        """
        found = self.condition(feed).feed
        if floor is not None and not LEAST_FLOOR <= floor <= MOST_FLOOR:
            raise UserError("The interval must be between 15 minutes and a week.")
        sooner = None
        if floor is not None and found.polled_at is not None and not found.failures:
            sooner = max(found.polled_at + floor, self.reader.now())
        self.reader.store.feeds.set_floor(feed, floor, sooner)
        self.reader.on_change()

    def refresh(self, feed: FeedId) -> Held | None:
        """Have a feed asked at once, with the next pass; what keeps it from that, if anything.

        Raises NotFound, and UserError for one that is not asked any more.
        """
        found = self.condition(feed).feed
        if found.next_poll_at is None:
            raise UserError(f"Feed {feed} is no longer fetched.")
        held = self.reader.feed_actions.refresh([feed])[feed]
        if held is None:
            self.reader.on_change()
        return held

    def refresh_all(self, chosen: Collection[FeedId] | None = None) -> Refreshed:
        """The same for every feed that is asked at all, or for those of them that are chosen."""
        feed_ids = [
            one.feed_id
            for one in self.reader.store.feeds.health(self.reader.user)
            if one.next_poll_at and (chosen is None or one.feed_id in chosen)
        ]
        held = self.reader.feed_actions.refresh(feed_ids) if feed_ids else {}
        found = _refreshed(held)
        if found.asked:
            self.reader.on_change()
        return found

    def would_refresh(self, known: Sequence[Condition]) -> Refreshed:
        """What would come of asking for all of those now; asks none."""
        feed_ids = [one.feed.feed_id for one in known if one.feed.next_poll_at]
        return _refreshed(self.reader.feed_actions.waiting(feed_ids) if feed_ids else {})

    async def release(self, feed: FeedId) -> int:
        """Say that a feed in quarantine is the feed it was; how much news came in by that.

        Raises NotFound, and UserError when it is in none.
        """
        self._held(feed)
        news = await self.reader.feed_actions.admit(feed)
        self.reader.on_change()
        return news

    async def headlines(self, feed: FeedId) -> tuple[str, ...]:
        """What the documents that are held tell of, the newest first, each once."""
        self.condition(feed)
        return await self.reader.feed_actions.headlines(feed)

    def keep_out(self, feed: FeedId) -> None:
        """Say that a feed in quarantine is another's now: it is not asked any more."""
        verdict = self._held(feed).verdict
        if verdict is None or verdict.same:
            self.reader.store.feeds.keep_out(feed, self.reader.now())

    def take_back_verdict(self, feed: FeedId) -> None:
        """In quarantine again, as before the last word on it. Raises NotFound, UserError."""
        self.condition(feed)
        if not self.reader.store.feeds.take_back_verdict(feed, self.reader.now()):
            raise UserError(f"There is nothing to undo for feed {feed}.")
        self.reader.on_change()

    def _held(self, feed: FeedId) -> FeedHealth:
        found = self.condition(feed).feed
        if found.state is not FeedState.HELD:
            raise UserError(f"Feed {feed} is not in quarantine.")
        return found


def _refreshed(held: Mapping[FeedId, Held | None]) -> Refreshed:
    due = tuple(feed for feed, why in held.items() if why is None)
    return Refreshed(len(due), tuple(why for why in held.values() if why is not None), due)


def _condition(one: FeedHealth, hub: str = "") -> Condition:
    return Condition(
        one, health.reliability(one.tally), health.reason(one), health.advice(one), hub
    )


def _urgency(one: Condition) -> tuple[bool, int, str, str, int]:
    feed = one.feed
    return (
        not one.alert,
        _ORDER[feed.state],
        feed.category.casefold(),
        feed.title.casefold(),
        feed.feed_id,
    )
