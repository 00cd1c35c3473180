"""How far a whole-history job is, in words."""

from __future__ import annotations

from datetime import timedelta

from newsloom.engines.jobs.values import HistoryJob, JobState


def progress_words(one: HistoryJob) -> str:
    """Units done, how fast, and how long it takes still."""
    of = f" of {one.total:,}" if one.total else ""
    parts = [f"{one.done + one.refused:,}{of}"]
    if one.rate and one.state is JobState.RUNNING:
        parts.append(f"{one.rate:,.1f} a second")
    if left := left_words(one):
        parts.append(f"{left} left")
    return ", ".join(parts)


def left_words(one: HistoryJob) -> str:
    """The time left; nothing where it is unknown."""
    left = one.left
    if left is None or one.state is not JobState.RUNNING:
        return ""
    if left < timedelta(minutes=2):
        return f"{left.total_seconds():.0f} s"
    if left < timedelta(hours=2):
        return f"{left / timedelta(minutes=1):.0f} min"
    return f"{left / timedelta(hours=1):.1f} h"
