"""Rules as JSON: how they are kept, and how they are carried to another server. Pure.

A file is anybody's: what is read is checked as if it were typed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from newsloom.kernel.errors import UserError
from newsloom.kernel.text.characters import without_controls
from newsloom.rules.decide import MOST_RULES, valid
from newsloom.rules.values import Rule, RuleAction, RuleCondition, RuleDid, RuleId, RuleMatch

T = TypeVar("T")
VERSION = 1
LONGEST_FILE = 2_000_000


def body(rule: Rule) -> dict[str, Any]:
    """What of a rule is kept beside its name, place and switch."""
    return {
        "match": str(rule.match),
        "conditions": [
            {"kind": one.kind, "value": one.value, **({"not": True} if one.negated else {})}
            for one in rule.conditions
        ],
        "actions": [
            {"kind": one.kind, **({"value": one.value} if one.value else {})}
            for one in rule.actions
        ],
        "last": rule.last,
    }


def rule_of(name: str, enabled: bool, data: Mapping[str, Any]) -> Rule:
    """A rule of what `body` gave."""
    return Rule(
        name=name,
        match=RuleMatch(data["match"]),
        conditions=tuple(
            RuleCondition(one["kind"], one["value"], bool(one.get("not")))
            for one in data["conditions"]
        ),
        actions=tuple(RuleAction(one["kind"], one.get("value", "")) for one in data["actions"]),
        last=bool(data["last"]),
        enabled=enabled,
    )


def did_values(did: Sequence[RuleDid]) -> list[list[Any]]:
    """What rules did, as it is kept."""
    return [[one.rule, one.name, one.action, one.value] for one in did]


def did_of(kept: Sequence[Sequence[Any]]) -> tuple[RuleDid, ...]:
    return tuple(RuleDid(RuleId(rule), name, act, value) for rule, name, act, value in kept)


def exported(rules: Sequence[Rule]) -> str:
    """A file of rules. A feed in it is as the conditions have it."""
    rows = [{"name": one.name, "enabled": one.enabled, **body(one)} for one in rules]
    return json.dumps({"newsloom_rules": VERSION, "rules": rows}, ensure_ascii=False, indent=2)


def imported(
    text: str, condition: Callable[[RuleCondition], RuleCondition] = lambda one: one
) -> tuple[Rule, ...]:
    """The rules of a file, all of them or none; `condition` makes one of its the reader's.

    Raises UserError with words that say where the trouble is.
    """
    if len(text) > LONGEST_FILE:
        raise UserError(f"A rules file can have at most {LONGEST_FILE:,} characters.")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UserError(f"The file is not JSON: {error!s:.100}.") from error
    if not isinstance(found, dict) or found.get("newsloom_rules") != VERSION:
        raise UserError(f'A rules file starts with {{"newsloom_rules": {VERSION}, ...}}.')
    rows = found.get("rules")
    if not isinstance(rows, list) or len(rows) > MOST_RULES:
        raise UserError(f'"rules" must be a list of at most {MOST_RULES} rules.')
    return tuple(_one(number, row, condition) for number, row in enumerate(rows, start=1))


def _one(number: int, row: object, condition: Callable[[RuleCondition], RuleCondition]) -> Rule:
    try:
        read = _read(_is(row, dict, "a rule"))
        return valid(replace(read, conditions=tuple(map(condition, read.conditions))))
    except UserError as error:
        raise UserError(f"Rule {number}: {error}") from error


def _read(row: Mapping[str, Any]) -> Rule:
    match = row.get("match", "all")
    if match not in ("all", "any"):
        raise UserError(f'"match" must be "all" or "any", not {match!r:.40}.')
    return Rule(
        name=without_controls(_is(row.get("name", ""), str, '"name"')),
        match=RuleMatch(match),
        conditions=tuple(
            RuleCondition(
                _is(one.get("kind"), str, 'the "kind" of a condition'),
                _text(one.get("value", "")),
                _is(one.get("not", False), bool, '"not"'),
            )
            for one in _rows(row, "conditions")
        ),
        actions=tuple(
            RuleAction(
                _is(one.get("kind"), str, 'the "kind" of an action'), _text(one.get("value", ""))
            )
            for one in _rows(row, "actions")
        ),
        last=_is(row.get("last", False), bool, '"last"'),
        enabled=_is(row.get("enabled", True), bool, '"enabled"'),
    )


def _rows(row: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    found = _is(row.get(name, []), list, f'"{name}"')
    return [_is(one, dict, f'what stands in "{name}"') for one in found]


def _text(value: object) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return without_controls(_is(value, str, '"value"'))


_NAMES = {dict: "an object", list: "a list", str: "a text", bool: "true or false"}


def _is(value: object, kind: type[T], what: str) -> T:
    if not isinstance(value, kind):
        raise UserError(f"{what} must be {_NAMES[kind]}, not {value!r:.40}.")
    return value
