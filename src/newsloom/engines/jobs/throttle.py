"""How long a job rests after a step. Pure."""

from __future__ import annotations

# Less of the time would be as good as paused.
LEAST_SHARE = 0.01


def rest(units: int, seconds: float, *, pace: float, share: float) -> float:
    """Seconds, so that no more than `pace` units a second are done (0: no limit) and no more than
    `share` of the time is worked."""
    share = min(max(share, LEAST_SHARE), 1.0)
    by_share = seconds * (1 - share) / share
    by_pace = units / pace - seconds if pace > 0 else 0.0
    return max(by_share, by_pace, 0.0)
