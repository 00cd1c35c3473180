"""How the language model does, in words: for the page, the doctor and the report of a run. Pure."""

from __future__ import annotations

from datetime import datetime, timedelta

from newsloom.app.purposes import PURPOSES
from newsloom.kernel.settings import LanguageModelSettings
from newsloom.llm.breaker import rests
from newsloom.llm.budget import day_of
from newsloom.llm.values import CallTotals, ServiceState, ServiceStatus
from newsloom.ranking.purposes import SENSITIVITY

# Used answers that are letter by letter alike in a row (llm/store/calls.py compares as many).
ALL_ALIKE = 30


def status(
    state: ServiceState, request: CallTotals, settings: LanguageModelSettings, now: datetime
) -> ServiceStatus:
    """One sentence; `asked` is what the questions about sensitivity came to in a day."""
    # One failure happens; one after which it wants to be left alone is a state.
    if state.failures > 1 or (state.failures and rests(state, now)):
        return ServiceStatus(False, f"{state.name} fails ({state.problem}), {_again(state, now)}")
    if request.alike >= ALL_ALIKE:
        return ServiceStatus(False, f"{state.name} gives every article the same rating")
    spent_today = state.tokens if state.day == day_of(now) else 0
    limit = settings.daily_tokens
    of = f" of {limit:,}" if limit else ""
    words = (
        f"{state.name}: {request.used:,} articles rated in the last day, "
        f"{spent_today:,}{of} tokens today"
    )
    kept = int(limit * sum(one.share for one in PURPOSES if one is not SENSITIVITY))
    spent = bool(limit) and spent_today + settings.context_tokens + kept > limit
    if spent:
        words += "; the built-in model is used until midnight UTC"
    return ServiceStatus(True, f"{words}; {state.problem}" if state.problem else words, spent)


def _again(state: ServiceState, now: datetime) -> str:
    stands_in = "the built-in model is used"
    if state.open_until is None or state.open_until <= now:
        return stands_in
    minutes = -(-(state.open_until - now) // timedelta(minutes=1))
    return f"{stands_in}; retry in {minutes} min"
