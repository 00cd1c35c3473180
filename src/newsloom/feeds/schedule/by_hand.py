"""Whether a feed may be asked now because a person wants it: one gate for page, command and API.

Pure. Asking by hand is always conditional (the poll is the same), never sooner after the last
request than the settings say, and never before the time a server asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from newsloom.feeds.values.polling import Pause

# A clock that was set back leaves requests in the future, which are no reason to wait; by more than
# summer time and a wrong zone do.
CLOCK_SLACK = timedelta(hours=3)


@dataclass(frozen=True, slots=True)
class Held:
    """Why a feed is not asked now, and until when."""

    until: datetime
    because: str  # for a person; the time is not in it


def by_hand(
    polled_at: datetime | None,
    not_before: datetime | None,
    pause: Pause | None,
    now: datetime,
    least: timedelta,
) -> Held | None:
    """None: it may be asked. `least` is the shortest time between two requests by hand."""
    reasons = []
    if polled_at is not None and polled_at <= now + CLOCK_SLACK:
        reasons.append(Held(polled_at + least, "it was fetched a moment ago"))
    if not_before is not None:
        reasons.append(Held(not_before, "its server asked to wait"))
    if pause is not None:
        reasons.append(Held(pause.until, pause.because))
    return max((one for one in reasons if one.until > now), key=lambda one: one.until, default=None)
