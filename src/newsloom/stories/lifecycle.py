"""How long a story is active. Pure: times come as arguments.

The spans are those of seed 002 (seed_systems.md, section 3: active 3 days, cooling until 14). It
could revive nothing that was archived, though its documents said so; here an article joins an
archived story that is at most 90 days old, which makes it active again.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from newsloom.stories.values.pages import StoryState

ACTIVE = timedelta(days=3)
COOLING = timedelta(days=14)
REVIVABLE = timedelta(days=90)


def state_at(latest: datetime, now: datetime) -> StoryState:
    """The state of a story whose last article is dated `latest`. A date to come counts as now."""
    quiet = now - latest
    if quiet <= ACTIVE:
        return StoryState.ACTIVE
    return StoryState.COOLING if quiet <= COOLING else StoryState.ARCHIVED


def in_reach(began: datetime, latest: datetime, dated: datetime) -> bool:
    """Whether a story is near enough in time to be judged like any other: by the date of the
    article, not by the clock, so that a late article meets the stories of its own day."""
    return began - COOLING <= dated <= latest + COOLING


def revivable(latest: datetime, dated: datetime) -> bool:
    """Whether an article may bring a story back that is quiet for longer."""
    return COOLING < dated - latest <= REVIVABLE
