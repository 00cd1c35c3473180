"""How far the first fetch of feeds is. Pure: feeds in, counts out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from newsloom.reading.values.reading import Subscription
from newsloom.web.list_view import ListView


@dataclass(frozen=True, slots=True)
class Fetching:
    """Feeds that are asked for at all, and what came of asking them for the first time."""

    of: int = 0
    done: int = 0
    failed: int = 0  # of those done, the ones that brought nothing and could not be read

    @property
    def under_way(self) -> bool:
        return self.done < self.of

    @property
    def hopeless(self) -> bool:
        """Whether every one was asked and none could be read."""
        return self.of > 0 and self.failed == self.of


def fetching(feeds: Iterable[Subscription]) -> Fetching:
    """What was imported or comes over a bridge is not asked for."""
    subscriptions = [one for one in feeds if one.polled_at or one.next_poll_at]
    done = [one for one in subscriptions if one.polled_at]
    failed = [one for one in done if (one.failures or one.dead) and not one.articles]
    return Fetching(len(subscriptions), len(done), len(failed))


def listed(view: ListView, subscriptions: Sequence[Subscription]) -> list[Subscription]:
    """The feeds whose articles a list can have."""
    return [
        one
        for one in subscriptions
        if view.feed in {None, one.feed_id} and view.category in {None, one.category}
    ]
