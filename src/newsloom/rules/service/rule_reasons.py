"""What a reader's rules did to an article, among the reasons for where it stands."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from newsloom.ranking.rank_key import UNSCORED_RELEVANCE
from newsloom.ranking.values.models import Reason
from newsloom.rules.actions import BY_NAME

if TYPE_CHECKING:
    from newsloom.reading.values.reading import Listed
    from newsloom.rules.values import RuleDid, RuleEffect

_SIGNS = {"boost": 1, "lower": -1}


def without(listed: Listed, effect: RuleEffect | None) -> Listed:
    """As it would be listed without the points that rules give."""
    if effect is None or not effect.points:
        return listed
    return replace(listed, relevance=_base(effect))


def reasons(listed: Listed, effect: RuleEffect | None) -> tuple[Reason, ...]:
    """One for each thing that a rule did. Their effects are what they changed of the score: it
    ends at 0 and 100, so the last that gave points may have changed it by fewer."""
    if effect is None:
        return ()
    points = [_SIGNS[one.action] * float(one.value) for one in effect.did if one.action in _SIGNS]
    if points and effect.points:
        points[-1] = listed.relevance - _base(effect) - sum(points[:-1])
    given = iter(points if effect.points else ())
    return tuple(
        Reason("rule", _words(one), next(given, 0.0) if one.action in _SIGNS else 0.0)
        for one in effect.did
    )


def _base(effect: RuleEffect) -> float:
    return UNSCORED_RELEVANCE if effect.base is None else effect.base


def _words(did: RuleDid) -> str:
    kind = BY_NAME.get(did.action)
    past = kind.past if kind else did.action
    much = f" by {did.value}" if did.action in _SIGNS else ""
    names = f" {did.value}" if did.action == "tag" else ""
    above = " above all others" if did.action == "raise" else ""
    return f"{past}{much}{names}{above} by your rule “{did.name}”"
