"""Each reader's observed delays, looked at once a day. Decides nothing: ranking/learning/delays.py
does.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import datetime, timedelta

from newsloom.kernel.ids import UserId
from newsloom.ranking.learning.delays import Delays, observed
from newsloom.store import Store

# Long enough for 20 reads of a weekly feed's neighbours, short enough to follow a change of habits.
LOOKED_BACK = timedelta(days=120)


class ObservedDelays:
    """Thread-safe; one per process. Off, it says nothing of any feed."""

    def __init__(self, store: Store, now: Callable[[], datetime], *, on: bool) -> None:
        self._store = store
        self._now = now
        self._on = on
        self._lock = threading.Lock()
        self._cached: dict[UserId, tuple[datetime, Delays]] = {}

    def of(self, user: UserId) -> Delays:
        """What held at the last midnight (UTC): the same all day, in every process.

        Were it asked of the present moment, two processes would take turns in scoring all anew.
        """
        if not self._on:
            return Delays()
        midnight = self._now().replace(hour=0, minute=0, second=0, microsecond=0)
        with self._lock:
            kept = self._cached.get(user)
            if kept is None or kept[0] != midnight:
                readings = self._store.models.readings(user, midnight - LOOKED_BACK, midnight)
                kept = self._cached[user] = (midnight, observed(readings, midnight))
            return kept[1]
