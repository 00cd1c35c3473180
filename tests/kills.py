"""How many times the crash ring kills: `make crash` all of them, the landing check a share."""

from __future__ import annotations

import os

SHARE = float(os.environ.get("CRASH_SHARE", "1"))
FEWEST = 10


def kill_count(whole: int) -> int:
    """So many of a test's kills, ten at least."""
    return max(round(whole * SHARE), min(whole, FEWEST))
