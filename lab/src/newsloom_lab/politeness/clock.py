"""The clock of a case: it stands still, is set by hand, and can flow faster than the world.

Knows no reader. A rule that takes an hour is kept for an hour of this clock.
"""

from __future__ import annotations

import asyncio
import selectors
import time
from datetime import UTC, datetime, timedelta

# A Wednesday noon, away from the ends of days, months and years.
NOON = datetime(2026, 11, 18, 12, 0, tzinfo=UTC)


class CaseClock:
    """What time it is in a case. With `speed` it flows, so many of its seconds in a real one."""

    def __init__(self, start: datetime = NOON, speed: float = 0.0) -> None:
        self.speed = speed
        self.set(start)

    def now(self) -> datetime:
        return reading(self._base, self.speed, self._since)

    @property
    def shared(self) -> tuple[datetime, float, float]:
        """What another process of this machine needs to have the same clock: see `reading`."""
        return self._base, self.speed, self._since

    def set(self, moment: datetime) -> None:
        self._base = moment
        self._since = time.monotonic()

    def jump(self, span: timedelta) -> None:
        self.set(self.now() + span)

    def reach(self, moment: datetime) -> None:
        """Go on to a moment, unless it has been."""
        if self.now() < moment:
            self.set(moment)


def reading(base: datetime, speed: float, since: float) -> datetime:
    """A clock that said `base` when the machine's monotonic one said `since`, and flows so fast."""
    return base + timedelta(seconds=speed * (time.monotonic() - since))


class FastLoop(asyncio.SelectorEventLoop):
    """An event loop whose seconds are shorter: what waits a second in it waits 1/speed of one."""

    def __init__(self, speed: float) -> None:
        self._speed = speed
        self._began = time.monotonic()
        super().__init__(_FastSelector(speed))

    def time(self) -> float:
        return self._began + (time.monotonic() - self._began) * self._speed


class _FastSelector(selectors.DefaultSelector):
    """Waits as long as a fast loop means."""

    def __init__(self, speed: float) -> None:
        super().__init__()
        self._speed = speed

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        short = timeout / self._speed if timeout is not None and timeout > 0 else timeout
        found: list[tuple[selectors.SelectorKey, int]] = super().select(short)
        return found
