"""The day's tokens, and each purpose's share of them. Pure.

What holds: tokens spent and the unused shares never come to more than the limit, so a purpose finds
its share whenever its questions come. A share is lent only late in the day and only by a purpose
that has nothing to ask; what no share covers is for whoever comes first.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date, datetime

from newsloom.llm.values import Spent

# The hour (UTC, as days are counted) from which purposes without a question lend what is left of
# their shares. Most of a day's articles have come by then, and a backlog still gets three hours.
LENT_FROM = 21


@dataclass(frozen=True, slots=True)
class Budget:
    """Tokens of one day; `limit` 0: there is none."""

    limit: int
    shares: Mapping[str, float]  # purpose to its part of the limit, 0..1; together 1 at most

    def allows(
        self, spent: Spent, purpose: str, tokens: int, lent: Collection[str] = frozenset()
    ) -> bool:
        """Whether a purpose may reserve tokens; `lent` names purposes that lend their shares."""
        if not self.limit:
            return True
        held_back = sum(
            max(int(share * self.limit) - spent.by_purpose.get(name, 0), 0)
            for name, share in self.shares.items()
            if name != purpose and name not in lent
        )
        return spent.total + tokens + held_back <= self.limit


def lenders(idle: Collection[str], now: datetime) -> frozenset[str]:
    """Those of the purposes with nothing to ask that lend their shares now."""
    return frozenset(idle) if now.hour >= LENT_FROM else frozenset()


def allot(
    places: int, shares: Mapping[str, float], waiting: Mapping[str, int]
) -> Mapping[str, int]:
    """How many questions of each purpose a round takes; both mappings in order of priority.

    A round is shared as the tokens are: each has its share if it can use it, and what is left goes
    to the first that has questions waiting. So a backlog keeps no other purpose waiting.
    """
    given = {name: min(count, int(places * shares[name])) for name, count in waiting.items()}
    left = places - sum(given.values())
    for name, count in waiting.items():
        more = min(count - given[name], left)
        given[name] += more
        left -= more
    return given


def day_of(now: datetime) -> int:
    """Days since 1970 (UTC)."""
    return now.toordinal() - date(1970, 1, 1).toordinal()
