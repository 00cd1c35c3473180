"""A reader's rules: made, changed, tried out on last week, and carried elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from newsloom.kernel.errors import NotFound, UserError
from newsloom.kernel.ids import ArticleId
from newsloom.kernel.text.html import headline
from newsloom.kernel.text.urls import without_password
from newsloom.ranking.rank_key import UNSCORED_RELEVANCE
from newsloom.ranking.values.models import Reason
from newsloom.rules import written
from newsloom.rules.actions import BY_NAME
from newsloom.rules.decide import MOST_RULES, decide, ready, valid
from newsloom.rules.values import Rule, RuleAction, RuleCondition, RuleId, RuleMatch, Ruling
from newsloom.rules.words import folded

if TYPE_CHECKING:
    from newsloom.app.reader import Reader
    from newsloom.reading.values.reading import Listed, Subscription
    from newsloom.rules.values import MutedArticle, RuleDid, RuleEffect, RuleFacts, RuleSet

# What a change of the rules is applied to: what is unread and not older.
REAPPLIED = timedelta(days=30)
# What a rule is tried out on: so much of the past, its newest articles, and how many are named.
TRIED, MOST_TRIED, MOST_NAMED = timedelta(days=7), 20_000, 50
# How long who changed a rule waits for it to be applied; the next pass does the rest.
PATIENCE = 2.0
BATCH = 500

_GONE = "There is no such rule."
_CHANGED = "Your rules were changed elsewhere. Reload and try again."


@dataclass(frozen=True, slots=True)
class Tried:
    """What a rule would have done."""

    looked: int  # articles of the last days
    matched: int
    named: tuple[RuleFacts, ...]  # the newest of those that matched
    cut: bool = False  # there were more articles than are looked at


def rule_set(reader: Reader) -> RuleSet:
    """All rules, in order."""
    return reader.store.rules.rules(reader.user)


def rule(reader: Reader, number: int) -> Rule:
    """Raises NotFound."""
    return _of(rule_set(reader), number)


def checked(reader: Reader, rule: Rule) -> Rule:
    """A rule as it may be kept: feeds by their numbers. Raises UserError."""
    feeds = reader.subscriptions()
    return valid(replace(rule, conditions=tuple(_by_number(feeds, it) for it in rule.conditions)))


def save(reader: Reader, rule: Rule) -> RuleId:
    """Keep a new rule, last of all, or one with a number as it is now. Raises UserError."""
    rule = replace(checked(reader, rule), since=reader.now())
    rules = rule_set(reader)
    if rule.id:
        _of(rules, rule.id)
        wanted = tuple(rule if it.id == rule.id else it for it in rules.rules)
    else:
        wanted = _more(rules.rules, (rule,))
    made = _put(reader, rules, wanted)
    return rule.id or made.rules[-1].id


def switch(reader: Reader, number: int, *, on: bool) -> None:
    """Raises NotFound."""

    def switched(it: Rule) -> Rule:
        return replace(it, enabled=on, since=reader.now()) if it.id == number else it

    rules = rule_set(reader)
    _of(rules, number)
    _put(reader, rules, tuple(map(switched, rules.rules)))


def move(reader: Reader, number: int, by: int) -> None:
    """So many places up (below zero) or down, to the ends at most. Raises NotFound."""
    rules = rule_set(reader)
    moved = _of(rules, number)
    others = [it for it in rules.rules if it.id != number]
    place = max(0, min(len(others), rules.rules.index(moved) + by))
    _put(reader, rules, (*others[:place], moved, *others[place:]))


def delete(reader: Reader, number: int) -> None:
    """Raises NotFound."""
    rules = rule_set(reader)
    _of(rules, number)
    _put(reader, rules, tuple(it for it in rules.rules if it.id != number))


def tried(reader: Reader, rule: Rule) -> Tried:
    """What a rule, by itself, would have done to what came in the last days. Raises UserError."""
    (asked,) = ready([replace(checked(reader, rule), enabled=True, since=None)])
    since = reader.now() - TRIED
    ids = reader.store.rules.articles_lately(reader.user, since, MOST_TRIED + 1)
    found: list[RuleFacts] = []
    looked = ids[:MOST_TRIED]
    for start in range(0, len(looked), BATCH):
        facts = reader.store.rules.rule_facts(reader.user, looked[start : start + BATCH])
        found += [it for it in facts if decide((asked,), replace(it, spared=False)).did]
    named = [replace(one, title=headline(one.title, one.text)) for one in found[:MOST_NAMED]]
    return Tried(len(looked), len(found), tuple(named), len(ids) > MOST_TRIED)


def suggested(reader: Reader, article: ArticleId) -> Rule:
    """A rule to begin with, of an article: its feed, its author, its title. Raises NotFound."""
    facts = reader.store.rules.rule_facts(reader.user, [article])
    if not facts or not reader.listed([article]):
        raise NotFound(f"There is no article {article} in your feeds.")
    rule_facts = facts[0]
    feed, author = str(rule_facts.feeds[0]) if rule_facts.feeds else "", rule_facts.author.strip()
    conditions = (
        *([RuleCondition("feed", feed)] if feed else []),
        *([RuleCondition("author", author.replace(",", " "))] if author else []),
        RuleCondition("title", rule_facts.title.replace(",", " ")),
    )
    return Rule("", RuleMatch.ALL, conditions, (RuleAction("mute"),))


def exported(reader: Reader) -> str:
    """All of them as JSON. A feed is its address, which means the same elsewhere, without its
    password."""
    addresses = {str(it.feed_id): without_password(it.url) for it in reader.subscriptions()}

    def portable(it: RuleCondition) -> RuleCondition:
        if it.kind != "feed":
            return it
        return replace(
            it, value=", ".join(addresses.get(n.strip(), n) for n in it.value.split(","))
        )

    rules = rule_set(reader).rules
    return written.exported(
        [replace(it, conditions=tuple(map(portable, it.conditions))) for it in rules]
    )


def imported(reader: Reader, text: str) -> int:
    """Add the rules of a file behind those there are, all or none; how many. Raises UserError."""
    feeds = reader.subscriptions()
    new = written.imported(text, lambda it: _by_number(feeds, it))
    if new:
        rules = rule_set(reader)
        _put(reader, rules, _more(rules.rules, [replace(it, since=reader.now()) for it in new]))
    return len(new)


def muted(reader: Reader, offset: int = 0, limit: int = 50) -> tuple[MutedArticle, ...]:
    """What rules keep out of the lists, the newest first."""
    return reader.store.rules.muted(reader.user, limit, offset)


def unmute(reader: Reader, article: ArticleId) -> None:
    """Back into the lists; no rule mutes it again. Raises NotFound."""
    if not reader.store.rules.unmute(reader.user, article, reader.now()):
        raise NotFound(f"Article {article} is not muted.")
    apply(reader)


def apply(reader: Reader, clock: Callable[[], float] = time.monotonic) -> int:
    """Look at what waits for the rules now, for as long as somebody may wait; how many articles.

    The stage does the same in every pass; whoever comes first, each outcome is kept once.
    """
    done, end = 0, clock() + PATIENCE
    while clock() < end:
        ids = reader.store.rules.rules_waiting(reader.user, BATCH)
        if not ids:
            break
        rules = rule_set(reader)
        asked = ready(rules.rules)
        facts = reader.store.rules.rule_facts(reader.user, ids)
        rulings = [Ruling(it.article, decide(asked, it)) for it in facts]
        done += reader.store.rules.put_rulings(
            reader.user, rules.version, ids, rulings, reader.now()
        ).stored
    return done


def in_words(feeds: Sequence[Subscription], condition: RuleCondition) -> str:
    """The value of a condition, with the names of feeds."""
    if condition.kind != "feed":
        return condition.value
    names = {str(it.feed_id): it.title or it.url for it in feeds}
    told = (number.strip() for number in condition.value.split(","))
    return ", ".join(names.get(number, f"feed {number}(unfollowed)") for number in told)


def _put(reader: Reader, before: RuleSet, wanted: Sequence[Rule]) -> RuleSet:
    now = reader.now()
    made = reader.store.rules.put_rules(reader.user, wanted, before.version, now, now - REAPPLIED)
    if made is None:
        raise UserError(_CHANGED)
    apply(reader)
    reader.on_change()
    return made


def _more(rules: Sequence[Rule], new: Sequence[Rule]) -> tuple[Rule, ...]:
    if len(rules) + len(new) > MOST_RULES:
        raise UserError(f"You can have at most {MOST_RULES} rules.")
    return (*rules, *new)


def _of(rules: RuleSet, number: int) -> Rule:
    found = next((it for it in rules.rules if it.id == number), None)
    if found is None:
        raise NotFound(_GONE)
    return found


def _by_number(feeds: Sequence[Subscription], condition: RuleCondition) -> RuleCondition:
    """The same condition, with the numbers of feeds that were written by name or address."""
    if condition.kind != "feed":
        return condition
    value = condition.value.strip()
    whole = _called(feeds, value)
    parts = [value] if len(whole) == 1 else [one.strip() for one in value.split(",")]
    return replace(condition, value=", ".join(_number(feeds, one) for one in parts if one))


def _number(feeds: Sequence[Subscription], written: str) -> str:
    if written in {str(it.feed_id) for it in feeds}:
        return written
    met = _called(feeds, written)
    if len(met) != 1:
        how = "none" if not met else f"{len(met)}"
        raise UserError(
            f"Feed is: {how} of your feeds is called {written!r:.60}. Write its name as the "
            "sidebar has it, its number or its address."
        )
    return met.pop()


def _called(feeds: Sequence[Subscription], written: str) -> set[str]:
    wanted = folded(written)
    return {
        str(it.feed_id)
        for it in feeds
        if wanted in (folded(it.title), folded(it.url), folded(without_password(it.url)))
    }


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
