"""How many articles there are around a day. Dates only."""

from __future__ import annotations

import math
from collections import Counter

# Days to either side.
WINDOW = 14


class Crowd:
    """Counts articles by day."""

    def __init__(self) -> None:
        self._of_day: Counter[int] = Counter()
        self._undated = self._all = 0

    def add(self, day: float) -> None:
        """One more, of a day since 1970; nan: undated."""
        self._count(day, 1)

    def discard(self, day: float) -> None:
        """One less."""
        self._count(day, -1)

    def around(self, day: float) -> int:
        """Articles of at most WINDOW days before or after, and the undated ones; all, of nan."""
        if math.isnan(day):
            return self._all
        first = int(day) - WINDOW
        return self._undated + sum(self._of_day[one] for one in range(first, first + 2 * WINDOW))

    def _count(self, day: float, many: int) -> None:
        self._all += many
        if math.isnan(day):
            self._undated += many
        else:
            self._of_day[int(day)] += many
