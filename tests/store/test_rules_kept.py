"""What rules did, as it is kept: once, by the rules of now, and taken back whole."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from newsloom.ranking.values.models import Score
from newsloom.reading.values.reading import EventKind, ListQuery
from newsloom.rules.decide import decide, ready
from newsloom.rules.values import (
    Rule,
    RuleAction,
    RuleCondition,
    RuleDid,
    RuleId,
    RuleMatch,
    RuleOutcome,
    Ruling,
)

from .builders import HALF_LIVES, NOW, add, article, publish, read_texts, revised

LONG_AGO = NOW - timedelta(days=365)
MUTED = RuleOutcome(muted=True, did=(RuleDid(RuleId(1), "no a", "mute"),))
BOOSTED = RuleOutcome(points=30, did=(RuleDid(RuleId(1), "more a", "boost", "30"),))
TOLD = (*BOOSTED.did, RuleDid(RuleId(1), "more a", "notify"))
RULE = Rule("all", RuleMatch.ALL, (RuleCondition("longer", "1"),), (RuleAction("mute"),))


def put(store, reader, outcome, *ids):
    version = store.rules.rules(reader).version
    rulings = [Ruling(one, outcome) for one in ids]
    return store.rules.put_rulings(reader, version, ids, rulings, NOW).stored


def change(store, reader, *rules):
    version = store.rules.rules(reader).version
    return store.rules.put_rules(reader, rules, version, NOW, LONG_AGO)


def shown(store, reader):
    page = store.lists.page(reader, ListQuery(unread_only=False), NOW, HALF_LIVES)
    return [(one.id, round(one.relevance, 6), one.state) for one in page]


@pytest.fixture
def ids(store, reader, feed):
    """Four articles, scored, that rules are to look at."""
    change(store, reader, RULE)
    found = add(store, feed, *"abcd")
    read_texts(store)
    scores = [Score(one, 50.0 + one, 2) for one in found]
    store.articles.put_scores(reader, "made", scores, HALF_LIVES)
    assert set(store.rules.rules_waiting(reader, 9)) == set(found)
    return found


def test_an_outcome_is_kept_once(store, reader, ids):
    assert put(store, reader, BOOSTED, *ids[:2]) == 2
    after = shown(store, reader)
    assert put(store, reader, BOOSTED, *ids[:2]) == 0
    assert shown(store, reader) == after
    assert {one: points for one, points, _ in after}[ids[0]] == pytest.approx(80.0 + ids[0])


def test_an_outcome_of_rules_that_changed_meanwhile_is_not_kept(store, reader, ids):
    version = store.rules.rules(reader).version
    change(store, reader, RULE)
    before = shown(store, reader)
    rulings = [Ruling(one, MUTED) for one in ids]
    assert store.rules.put_rulings(reader, version, ids, rulings, NOW).stored == 0
    assert shown(store, reader) == before
    assert len(store.rules.rules_waiting(reader, 9)) == 4
    assert store.rules.put_rules(reader, [RULE], version, NOW, LONG_AGO) is None


@pytest.mark.parametrize(
    "outcome",
    [
        MUTED,
        BOOSTED,
        replace(BOOSTED, points=-100),
        replace(BOOSTED, points=100, raised=True),
        replace(BOOSTED, read=True, starred=True, tags=("Sea", "b"), notify=True, did=TOLD),
    ],
    ids=["muted", "boosted", "lowered", "raised", "marked"],
)
def test_everything_is_taken_back_by_a_change_of_the_rules(store, reader, ids, outcome):
    store.reading.mark(reader, ids[3:], EventKind.LIKE, NOW, "test")
    before = shown(store, reader)
    put(store, reader, outcome, *ids)
    assert shown(store, reader) != before
    assert {one: state for one, _, state in shown(store, reader)}[ids[3]].rating == 1
    change(store, reader)
    put(store, reader, RuleOutcome(), *store.rules.rules_waiting(reader, 9))
    assert shown(store, reader) == before
    assert store.rules.muted_count(reader) == 0
    assert store.annotations.tags(reader) == ()
    assert {one.article.id for one in store.models.labels(reader)} == {ids[3]}


def test_what_the_reader_did_since_stays_theirs(store, reader, ids):
    one = ids[0]
    put(store, reader, replace(BOOSTED, points=0, read=True, starred=True), *ids)
    later = NOW + timedelta(minutes=1)
    store.reading.mark(reader, [one], EventKind.LIKE, later, "test")
    change(store, reader)
    put(store, reader, RuleOutcome(), *store.rules.rules_waiting(reader, 9))
    states = {number: state for number, _, state in shown(store, reader)}
    assert (states[one].read, states[one].starred, states[one].rating) == (True, True, 1)
    assert (states[ids[1]].read, states[ids[1]].starred) == (False, False)


def test_scores_that_come_later_have_the_points_in_them(store, reader, ids):
    put(store, reader, replace(BOOSTED, raised=True), *ids[:1])
    scores = [Score(one, 40.0, 3) for one in ids]
    store.articles.put_scores(reader, "again", scores, HALF_LIVES)
    page = store.lists.page(reader, ListQuery(), NOW, HALF_LIVES)
    assert (page[0].id, page[0].relevance) == (ids[0], 70.0)
    assert store.rules.rule_effects(reader, ids)[ids[0]].base == 40.0
    store.users.set_half_lives(reader, (9.0, 8.0, 7.0, 6.0, 5.0), HALF_LIVES)
    assert store.lists.page(reader, ListQuery(), NOW, HALF_LIVES)[0].id == ids[0]


def test_what_is_muted_stays_so_whatever_comes(store, reader, feed, ids, subscribe):
    put(store, reader, MUTED, *ids)
    assert shown(store, reader) == []
    assert store.lists.unread(reader) == 0
    publish(store, feed, revised(article(feed, "a", title="changed"), of=ids[0]))
    read_texts(store)
    assert shown(store, reader) == []
    assert store.rules.rules_waiting(reader, 9) == (ids[0],), "its text is another"
    assert store.rules.unmute(reader, ids[1], NOW)
    assert not store.rules.unmute(reader, ids[1], NOW)
    facts = store.rules.rule_facts(reader, [ids[1]])
    assert decide(ready([RULE]), facts[0]) == RuleOutcome()
    assert [one for one, _, _ in shown(store, reader)] == [ids[1]]
    store.reading.unsubscribe(reader, feed)
    assert store.rules.muted(reader, 9) == ()


def test_one_reader_knows_nothing_of_anothers(store, reader, feed, ids, subscribe):
    other = store.users.user("other", NOW)
    subscribe("first", user=other)
    put(store, reader, MUTED, *ids)
    assert len(shown(store, other)) == 4
    assert store.rules.rules(other).rules == ()
    assert store.rules.rules_waiting(other, 9) == ()
    taken = replace(store.rules.rules(reader).rules[0], name="taken")
    store.rules.put_rules(other, [taken], 0, NOW, LONG_AGO)
    assert store.rules.rules(reader).rules[0].name == "all", "a number of somebody else's"
    assert not store.rules.unmute(other, ids[0], NOW)
