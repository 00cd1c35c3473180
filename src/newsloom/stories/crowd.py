"""How many articles there are around a day. Dates only."""

from __future__ import annotations

import math
from collections import Counter

# Days to either side.
WINDOW = 14


class Crowd:
    """Counts articles around each day; told apart by days, not by hours."""

    def __init__(self) -> None:
        self._around: Counter[int] = Counter()
        self._undated = self._all = 0

    def add(self, day: float) -> None:
        """One more, of a day since 1970; nan: undated."""
        self._count(day, 1)

    def discard(self, day: float) -> None:
        """One less."""
        self._count(day, -1)

    def around(self, day: float) -> int:
        """Articles of at most WINDOW days before or after, and the undated ones; all, of nan."""
        return self._all if math.isnan(day) else self._undated + self._around[int(day)]

    def _count(self, day: float, many: int) -> None:
        self._all += many
        if math.isnan(day):
            self._undated += many
            return
        around = self._around
        for one in range(int(day) - WINDOW, int(day) + WINDOW + 1):
            around[one] += many
