"""Rows that one process works on: held for a while, free again when it is over or its process is
gone."""

from __future__ import annotations

from datetime import datetime

from newsloom.store import owners


def free(held_by: str, held_until: datetime | None, now: datetime) -> bool:
    """Whether a row may be taken."""
    return not held_by or held_until is None or held_until <= now or not owners.alive(held_by)
