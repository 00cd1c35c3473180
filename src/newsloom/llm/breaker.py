"""How a service does after a call: when it is left alone, and for how long. Pure."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from newsloom.llm.values import OK, Completion, ServiceState

# Facts on reliability, section 4: five failures rest a server for five minutes.
FAILURES = 5
REST = timedelta(minutes=5)
LONGEST_REST = timedelta(days=1)


def after(state: ServiceState, completion: Completion, model: str, now: datetime) -> ServiceState:
    """The state after a call; an answer that cannot be used is a failure too."""
    if completion.verdict == OK:
        other = completion.answered_by
        odd = f"it reports the model {other}" if other and other != model else ""
        return replace(state, ok_at=now, failures=0, open_until=None, problem=odd)
    failures = state.failures + 1
    rest = min(completion.wait or timedelta(0), LONGEST_REST)
    if failures >= FAILURES:
        rest = max(rest, REST)
    _kind, _, words = completion.verdict.partition(": ")
    return replace(
        state,
        failed_at=now,
        failures=failures,
        open_until=now + rest if rest else None,
        problem=words,
    )


def rests(state: ServiceState, now: datetime) -> bool:
    """Whether it is not to be asked now."""
    return state.open_until is not None and now < state.open_until
