"""Calls of `store.rules`; those of them that only read."""

from __future__ import annotations

from newsloom.rules.values import Rule, RuleAction, RuleCondition, RuleMatch, RuleOutcome, Ruling
from newsloom.work.values import Lease, StageKey, WorkKey
from store.builders import NOW

from .made import ONE, USER

RULE = Rule("no quizzes", RuleMatch.ALL, (RuleCondition("title", "quiz"),), (RuleAction("mute"),))
_KEY = StageKey("rules", "rules@1", scope=USER)
LEASE = Lease(_KEY, WorkKey(1, 1), WorkKey(9, 9), (ONE,), "token", "owner")

CALLS = {
    "rules": lambda s: s.rules.rules(USER),
    "put_rules": lambda s: s.rules.put_rules(USER, [RULE], 0, NOW, NOW),
    "waiting_readers": lambda s: s.rules.waiting_readers(),
    "leased_rules": lambda s: s.rules.leased_rules(LEASE, 1),
    "rules_waiting": lambda s: s.rules.rules_waiting(USER, 1),
    "rule_facts": lambda s: s.rules.rule_facts(USER, [ONE]),
    "articles_lately": lambda s: s.rules.articles_lately(USER, NOW, 1),
    "rule_effects": lambda s: s.rules.rule_effects(USER, [ONE]),
    "put_rulings": lambda s: s.rules.put_rulings(
        USER, 1, [ONE], [Ruling(ONE, RuleOutcome(points=5))], NOW
    ),
    "muted": lambda s: s.rules.muted(USER, 1),
    "muted_count": lambda s: s.rules.muted_count(USER),
    "unmute": lambda s: s.rules.unmute(USER, ONE, NOW),
    "rule_news": lambda s: s.rules.rule_news(USER, NOW, 1),
    "drop_rule_news": lambda s: s.rules.drop_rule_news(USER, NOW),
}
READS = {
    "rules",
    "leased_rules",
    "waiting_readers",
    "rules_waiting",
    "rule_facts",
    "articles_lately",
    "rule_effects",
    "muted",
    "muted_count",
    "rule_news",
}
