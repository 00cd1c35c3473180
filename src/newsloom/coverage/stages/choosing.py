"""Which articles are searched for by themselves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from newsloom.kernel.ids import ArticleId, UserId
from newsloom.store import Store

# What was reported earlier has been reported on, and news searches have forgotten it.
NOT_OLDER = timedelta(days=2)
DAY = timedelta(days=1)

# (reader, how many at most): the most important articles of the last days, the first first.
Important = Callable[[UserId, int], Sequence[ArticleId]]


@dataclass(frozen=True, slots=True)
class Chooser:
    """One way to choose; `because` is told to readers."""

    because: str
    choose: Callable[[Choosing, UserId, int], Sequence[ArticleId]]


@dataclass(frozen=True, slots=True)
class Choosing:
    """The first step."""

    store: Store
    now: Callable[[], datetime]
    important: Important
    per_day: int

    def run(self) -> int:
        """Choose for every reader who wants it; how many articles."""
        chosen = 0
        for user in self.store.coverage.coverage_readers():
            for one in CHOOSERS:
                chosen += self._choose(one, user)
        return chosen

    def _choose(self, chooser: Chooser, user: UserId) -> int:
        now = self.now()
        left = self.per_day - self.store.coverage.chosen_since(user, chooser.because, now - DAY)
        if left <= 0:
            return 0
        found = chooser.choose(self, user, self.per_day)
        # Of those found some were chosen before; only new ones count.
        new = [one for one in found if self.store.coverage.coverage_search(one) is None][:left]
        return len(self.store.coverage.choose_coverage(user, new, chooser.because, now))


def _important(choosing: Choosing, user: UserId, most: int) -> Sequence[ArticleId]:
    return choosing.important(user, most)


# To choose the articles of followed stories, add a row.
CHOOSERS = (Chooser("important", _important),)
