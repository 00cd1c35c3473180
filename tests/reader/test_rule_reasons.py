"""What rules did, among the reasons: it adds up to what they changed, whatever their order."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from itertools import permutations
from typing import Any, cast

import pytest

from newsloom.kernel.ids import ArticleId, FeedId
from newsloom.reading.values.reading import Listed
from newsloom.rules.service import rules
from newsloom.rules.values import RuleDid, RuleEffect, RuleId

DID = tuple(
    RuleDid(RuleId(1), "mine", action, value)
    for action, value in (("tag", "Sea, b"), ("boost", "30"), ("lower", "10"), ("raise", ""))
)


def listed(relevance: float) -> Listed:
    known = {"id": ArticleId(1), "feed_id": FeedId(1), "relevance": relevance}
    fields = {
        name: known.get(name, datetime(2026, 1, 1, tzinfo=UTC) if name == "dated" else "")
        for name in Listed.__dataclass_fields__
    }
    return Listed(**cast(Any, fields))


@pytest.mark.parametrize("base", [None, 0.0, 50.0, 95.0, 100.0])
def test_what_rules_changed_adds_up(base: float | None) -> None:
    plain = 50.0 if base is None else base
    now = listed(min(100.0, plain + 20))
    for order in permutations(DID):
        effect = RuleEffect(20, raised=True, base=base, did=order)
        found = rules.reasons(now, effect)
        assert sum(one.effect for one in found) == pytest.approx(now.relevance - plain)
        assert [one.kind for one in found] == ["rule"] * 4
        assert rules.without(now, effect).relevance == plain
    without = replace(effect, points=0, did=DID[:1])
    assert [one.effect for one in rules.reasons(now, without)] == [0.0]
    assert rules.reasons(now, None) == ()
