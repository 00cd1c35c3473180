"""How long a story is active. Pure: times come as arguments.

The spans are those of seed 002 (seed_systems.md, section 3: active 3 days, cooling until 14). It
could revive nothing that was archived, though its documents said so; here an article joins an
archived story that is at most 90 days old, which makes it active again.
"""

from __future__ import annotations

from datetime import datetime, timedelta

ACTIVE = timedelta(days=3)
COOLING = timedelta(days=14)
REVIVABLE = timedelta(days=90)


def revivable(latest: datetime, dated: datetime) -> bool:
    """Whether an article may bring a story back that is quiet for longer."""
    return COOLING < dated - latest <= REVIVABLE
