"""The store as hubs and what is agreed with them see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Protocol

from newsloom.types import Announced, Delivery, FeedId, MostDeliveries, Push, PushState


class PushStore(Protocol):
    """Subscriptions at hubs, one a feed, and what hubs delivered."""

    def pushes(self, feeds: Sequence[FeedId] | None = None) -> Mapping[FeedId, Push]:
        """How things stand with the hubs of these feeds, or of all; absent: nothing agreed."""

    def push(self, token: str) -> Push | None:
        """The one that a hub calls by this token."""

    def announced(self, base: str, limit: int) -> tuple[Announced, ...]:
        """Followed feeds that name a hub and have no row for it, its topic and this base."""

    def begin_pushes(
        self,
        pushes: Sequence[Push],
        announced: Sequence[Announced],
        now: datetime,
        floor: timedelta,
    ) -> int:
        """Put rows, each in place of the one its Announced names; how many were put.

        One whose feed has another row by now is left out: another process was faster. Where a hub
        told so far, the feed goes back to its polls.
        """

    def end_pushes(self, now: datetime, floor: timedelta) -> int:
        """What nobody follows, what is dead and what names no hub any more is to be ended.

        What a hub never agreed to is dropped, and so are deliveries that nobody waits for.
        """

    def drop_pushes(self, now: datetime, floor: timedelta) -> int:
        """Forget all that is agreed with hubs: they cannot reach this machine any more."""

    def claim_pushes(
        self, now: datetime, until: datetime, limit: int, per_hub: int
    ) -> tuple[Push, ...]:
        """Hubs to ask now, the longest due first; as they were, but for `asked_at` and `tries`.

        No row is given to two: it is due again `until`.
        """

    def settle_push(
        self,
        push: Push,
        *,
        state: PushState,
        next_at: datetime,
        problem: str = "",
        awaits: bool = True,
    ) -> bool:
        """What the hub answered, unless it has called back since it was asked."""

    def confirm_push(self, token: str, at: datetime, until: datetime, next_at: datetime) -> bool:
        """The hub called back and tells from now on; False when nothing was asked of it."""

    def forget_push(self, token: str) -> bool:
        """Nothing is agreed any more; False when it was not to end."""

    def fall_back(
        self,
        feeds: Sequence[FeedId],
        *,
        now: datetime,
        floor: timedelta,
        state: PushState,
        problem: str | None = None,
        next_at: datetime | None = None,
    ) -> int:
        """These hubs tell no more, and their feeds go back to the polls they would have had.

        Without `problem` and `next_at` it stays what was wrong, and when the hub is asked again.
        """

    def fallen(self, now: datetime, patience: timedelta) -> tuple[Push, ...]:
        """Active ones whose lease is over, or whose hub was silent about news for so long."""

    def deliver(self, delivery: Delivery, most: MostDeliveries) -> bool:
        """Keep what a hub sent until it is taken in; False when there is too much of it.

        The same bytes as one that waits already are kept once.
        """

    def waiting_deliveries(self, limit: int) -> tuple[tuple[int, FeedId], ...]:
        """The ids of those not taken in, the oldest first."""

    def delivery(self, number: int) -> Delivery | None: ...

    def taken_in(
        self, delivery: Delivery, *, ignored: bool, now: datetime, floor: timedelta
    ) -> None:
        """It needs to be kept no more. One that was ignored makes a poll of its feed due."""

    def refuse_push(self, feed: FeedId, now: datetime, floor: timedelta) -> None:
        """Count a forgery, and make a poll due: the hub may have news that it cannot sign."""
