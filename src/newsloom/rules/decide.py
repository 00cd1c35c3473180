"""What a reader's rules come to for an article. Pure: facts in, an outcome out.

Rules are asked in the reader's order, and each that matches adds what it does; after one marked
"last" that matches no other is asked. Then:

- mute wins over everything: a muted article is in no list, so nothing else is done to it, and it
  is kept with the first rule that muted it;
- an article that the reader took back from the muted ones is never muted again;
- points add up, within -100 and 100; raising wins over points, for its place is above all others;
- a notification is of what came after the rule was made or changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from newsloom.kernel.errors import UserError
from newsloom.rules.actions import BY_NAME, checked
from newsloom.rules.conditions import Test, asks
from newsloom.rules.seen import Seen
from newsloom.rules.values import Rule, RuleDid, RuleFacts, RuleMatch, RuleOutcome

# Of one reader, and of one rule.
MOST_RULES, MOST_CONDITIONS, MOST_ACTIONS = 500, 20, 8
LONGEST_NAME = 80


@dataclass(frozen=True, slots=True)
class Ready:
    """A rule whose conditions can be asked."""

    rule: Rule
    tests: tuple[Test, ...]

    def matches(self, seen: Seen) -> bool:
        answers = (test(seen) for test in self.tests)
        return all(answers) if self.rule.match is RuleMatch.ALL else any(answers)


def valid(rule: Rule) -> Rule:
    """A rule as it may be kept. Raises UserError with words for one that cannot be."""
    name = " ".join(rule.name.replace("\0", " ").split())
    if not name:
        raise UserError("A rule needs a name.")
    if not rule.conditions:
        raise UserError("A rule needs a condition.")
    if not rule.actions:
        raise UserError("A rule needs an action.")
    if len(rule.conditions) > MOST_CONDITIONS:
        raise UserError(f"A rule can have at most {MOST_CONDITIONS} conditions.")
    if len(rule.actions) > MOST_ACTIONS:
        raise UserError(f"A rule can have at most {MOST_ACTIONS} actions.")
    for one in rule.conditions:
        asks(one)
    return replace(rule, name=name[:LONGEST_NAME], actions=tuple(map(checked, rule.actions)))


def ready(rules: Sequence[Rule]) -> tuple[Ready, ...]:
    """Those that are on, in their order; one with a problem is left out."""
    return tuple(
        Ready(rule, tuple(map(asks, rule.conditions)))
        for rule in rules
        if rule.enabled and not problem(rule)
    )


def problem(rule: Rule) -> str:
    """Why a rule is never applied: another version stored conditions that this one does not
    accept. "" for a rule that works."""
    try:
        for one in rule.conditions:
            asks(one)
    except UserError as error:
        return str(error)
    return ""


def decide(rules: Sequence[Ready], facts: RuleFacts) -> RuleOutcome:
    """What is done to one article."""
    seen, outcome = Seen(facts), RuleOutcome()
    for one in rules:
        if one.matches(seen):
            outcome = _with(outcome, one.rule, facts)
            if one.rule.last:
                break
    if outcome.muted:
        first = next(one for one in outcome.did if one.action == "mute")
        return RuleOutcome(muted=True, did=(first,))
    return outcome


def _with(outcome: RuleOutcome, rule: Rule, facts: RuleFacts) -> RuleOutcome:
    for action in rule.actions:
        kind = BY_NAME.get(action.kind)
        if kind is None or not _holds(action.kind, rule, facts):
            continue
        outcome = kind.done(outcome, action.value)
        did = RuleDid(rule.id, rule.name, action.kind, action.value)
        outcome = replace(outcome, did=(*outcome.did, did))
    return outcome


def _holds(action: str, rule: Rule, facts: RuleFacts) -> bool:
    if action == "mute":
        return not facts.spared
    if action == "notify":
        return rule.since is None or facts.seen >= rule.since
    return True
