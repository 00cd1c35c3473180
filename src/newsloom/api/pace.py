"""How many requests one person may send: enough for any program, too few to hurt others."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Hashable

# As many as a program can use that marks a list of articles one by one; a loop that has gone wrong
# sends that in seconds.
MOST_A_MINUTE = 3_000
_MINUTE = 60.0


class Pace:
    """A bucket for each person, which fills again within a minute."""

    def __init__(
        self,
        most: int = MOST_A_MINUTE,
        clock: Callable[[], float] = time.monotonic,
        among: Callable[[], int] = lambda: 1,
    ) -> None:
        """`among` is how many processes share the requests: each allows its part of them."""
        self._whole = most
        self._among = among
        self._clock = clock
        self._lock = threading.Lock()
        self._left: dict[Hashable, tuple[float, float]] = {}  # how many, and when that was

    def wait(self, who: Hashable) -> int:
        """Seconds until the next request may come; 0: this one may, and is counted."""
        most = self._whole / max(self._among(), 1)
        rate = most / _MINUTE
        with self._lock:
            now = self._clock()
            left, at = self._left.get(who, (most, now))
            left = min(left + (now - at) * rate, most)
            allowed = left >= 1
            self._left[who] = (left - 1 if allowed else left, now)
        return 0 if allowed else math.ceil((1 - left) / rate)
