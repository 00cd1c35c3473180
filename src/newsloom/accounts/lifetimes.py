"""How long sessions, invitations and the audit last; how exactly times of use are kept. Pure."""

from __future__ import annotations

from datetime import datetime, timedelta

# A session ends when it is not used for a month, and after half a year in any case.
SESSION_IDLE = timedelta(days=30)
SESSION_LONGEST = timedelta(days=180)

INVITATION = timedelta(days=7)

# How long a sign-in at a provider stands for a password given again.
RECENT = timedelta(minutes=10)

AUDIT = timedelta(days=90)

# A reader who has not been here for so long has no articles scored until they return.
AWAY = timedelta(days=14)

# When a session or an app password was last used is kept by the quarter of an hour: a write for
# every request would be most of the writing, and tell when somebody read to the second.
COARSE = timedelta(minutes=15)


def alive(seen_at: datetime, ends_at: datetime, now: datetime) -> bool:
    """Whether a session still counts."""
    return now < min(seen_at + SESSION_IDLE + COARSE, ends_at)


def worth_noting(last: datetime | None, now: datetime) -> bool:
    """Whether a use is to be written down after the last that was."""
    return last is None or now - last >= COARSE
