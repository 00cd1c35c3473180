"""What a rule may do to an article. A further kind is a row of ACTIONS. Pure.

An action adds to what the rules before it made of the article; what a mute comes to with others is
decided in decide.py.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from newsloom.kernel.errors import UserError
from newsloom.reading import tag_names as tags
from newsloom.rules.values import RuleAction, RuleOutcome

# Points of relevance, which has 100.
MOST_POINTS = 100
USUAL_POINTS = 20


class Needs(StrEnum):
    """What an action takes beside its name."""

    NOTHING = "nothing"
    POINTS = "points"
    NAMES = "names"


@dataclass(frozen=True, slots=True)
class ActionKind:
    """A thing to do, as it is called, shown and done."""

    name: str
    label: str
    short: str
    past: str  # of an article that it was done to
    needs: Needs
    done: Callable[[RuleOutcome, str], RuleOutcome]


def _setting(**changes: Any) -> Callable[[RuleOutcome, str], RuleOutcome]:
    return lambda outcome, _value: replace(outcome, **changes)


def _boosted(outcome: RuleOutcome, value: str) -> RuleOutcome:
    return replace(outcome, points=min(MOST_POINTS, outcome.points + int(value)))


def _lowered(outcome: RuleOutcome, value: str) -> RuleOutcome:
    return replace(outcome, points=max(-MOST_POINTS, outcome.points - int(value)))


def _tagged(outcome: RuleOutcome, value: str) -> RuleOutcome:
    found: dict[str, str] = {}
    for name in (*outcome.tags, *tags.names(value)):
        found.setdefault(tags.key(name), name)
    return replace(outcome, tags=tuple(found.values()))


ACTIONS = (
    ActionKind("mute", "Mute", "mute", "muted", Needs.NOTHING, _setting(muted=True)),
    ActionKind("boost", "Boost by points", "boost by", "boosted", Needs.POINTS, _boosted),
    ActionKind("lower", "Lower by points", "lower by", "lowered", Needs.POINTS, _lowered),
    ActionKind(
        "raise", "Raise above all others", "raise", "raised", Needs.NOTHING, _setting(raised=True)
    ),
    ActionKind("star", "Star", "star", "starred", Needs.NOTHING, _setting(starred=True)),
    ActionKind("tag", "Tag", "tag", "tagged", Needs.NAMES, _tagged),
    ActionKind("read", "Mark read", "mark read", "marked read", Needs.NOTHING, _setting(read=True)),
    ActionKind("notify", "Notify me", "notify", "notified", Needs.NOTHING, _setting(notify=True)),
)
BY_NAME = {one.name: one for one in ACTIONS}


def checked(action: RuleAction) -> RuleAction:
    """An action as it may be kept. Raises UserError with words for one that cannot be."""
    kind = BY_NAME.get(action.kind)
    if kind is None:
        raise UserError(f"{action.kind!r:.40} is not an action. Use one of {', '.join(BY_NAME)}.")
    return RuleAction(action.kind, _CHECKS[kind.needs](kind, action.value))


def _points(kind: ActionKind, value: str) -> str:
    text = value.strip() or str(USUAL_POINTS)
    if not (text.isascii() and text.isdecimal()) or not 1 <= int(text[:9]) <= MOST_POINTS:
        raise UserError(f"{kind.label}: a whole number from 1 to {MOST_POINTS}, not {text!r:.20}.")
    return str(int(text))


def _names(kind: ActionKind, value: str) -> str:
    try:
        found = tags.names(value)
    except ValueError as error:
        raise UserError(f"{kind.label}: {error}") from error
    if not found:
        raise UserError(f"{kind.label}: a tag needs a name.")
    return ", ".join(found)


_CHECKS: dict[Needs, Callable[[ActionKind, str], str]] = {
    Needs.NOTHING: lambda _kind, _value: "",
    Needs.POINTS: _points,
    Needs.NAMES: _names,
}
