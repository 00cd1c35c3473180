"""What a reader's rules did to an article, among the reasons for where it stands."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from newsloom.rules.actions import BY_NAME
from newsloom.store.lists.rank_key import UNSCORED_RELEVANCE
from newsloom.types import Reason

if TYPE_CHECKING:
    from newsloom.types import Listed, RuleDid, RuleEffect

_SIGNS = {"boost": 1, "lower": -1}


def without(listed: Listed, effect: RuleEffect | None) -> Listed:
    """As it would be listed without the points that rules give."""
    if effect is None or not effect.points:
        return listed
    return replace(listed, relevance=_base(effect))


def reasons(listed: Listed, effect: RuleEffect | None) -> tuple[Reason, ...]:
    """One for each thing that a rule did; their effects are what they changed of the score, which
    ends at 0 and 100."""
    if effect is None:
        return ()
    left = listed.relevance - _base(effect) if effect.points else 0.0
    told = []
    for did in effect.did:
        points = float(_SIGNS.get(did.action, 0) * int(did.value or 0)) if left else 0.0
        points = max(min(points, left), 0.0) if left > 0 else min(max(points, left), 0.0)
        left -= points
        told.append(Reason("rule", _words(did), points))
    return tuple(told)


def _base(effect: RuleEffect) -> float:
    return UNSCORED_RELEVANCE if effect.base is None else effect.base


def _words(did: RuleDid) -> str:
    kind = BY_NAME.get(did.action)
    past = kind.past if kind else did.action
    much = f" by {did.value}" if did.action in _SIGNS else ""
    names = f" {did.value}" if did.action == "tag" else ""
    above = " above all others" if did.action == "raise" else ""
    return f"{past}{much}{names}{above} by your rule “{did.name}”"
