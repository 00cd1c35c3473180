"""Articles that a reader's rules look at in a second of processor time: deciding alone, and the
whole stage.

Articles and rules are made up. Of ten rules, six look for words, two for a pattern, one for a
domain, one for a language; they mute, boost, lower and tag.
"""

from __future__ import annotations

import time
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from newsloom.kernel.ids import ArticleId, FeedId, UserId
from newsloom.reading.store.states import add_those
from newsloom.rules.decide import decide, ready
from newsloom.rules.stage import by_rules
from newsloom.rules.values import Rule, RuleAction, RuleCondition, RuleMatch
from newsloom.store import Store, open_store
from newsloom.work.service import Leases
from newsloom_lab.bench.dedup import fill

NOW = datetime(2026, 11, 20, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class RulesBench:
    """What rules took."""

    articles: int
    rules: int
    characters: float  # of text, on average
    touched: int  # articles that a rule did something to
    decided_per_second: float  # facts in, outcomes out
    stage_per_second: float  # read, decided, kept
    idle_seconds: float  # a pass with nothing to look at


def run(articles: int, rules: int) -> RulesBench:
    """Made in a folder of its own."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "news.db"
        fill(path, articles)
        with closing(open_store(path, now=lambda: NOW)) as store:
            return _measured(store, articles, rules)


def _measured(store: Store, articles: int, count: int) -> RulesBench:
    user = store.users.users()[0][0]
    ids = [ArticleId(one) for one in range(1, articles + 1)]
    words = [one.title.split()[-1] for one in store.articles.texts(ids[:: max(articles // 50, 1)])]
    made = [rule(number, words) for number in range(count)]
    store.rules.put_rules(user, made, 0, NOW, NOW)
    with store.database.write() as connection:
        for feed in store.lists.subscriptions(user):
            add_those(connection, FeedId(feed.feed_id), ids, NOW)
    facts = store.rules.rule_facts(user, ids)
    asked = ready(store.rules.rules(user).rules)
    begun = time.process_time()
    outcomes = [decide(asked, one) for one in facts]
    decided = time.process_time() - begun
    staged, idle = _stage(store, user), _stage(store, user)
    return RulesBench(
        articles=articles,
        rules=count,
        characters=sum(len(one.text) for one in facts) / max(len(facts), 1),
        touched=sum(bool(one.did) for one in outcomes),
        decided_per_second=articles / decided,
        stage_per_second=articles / staged,
        idle_seconds=idle,
    )


def _stage(store: Store, user: UserId) -> float:
    begun = time.process_time()
    leases = Leases(store, lambda: NOW)
    while by_rules(store, leases, [user], lambda: NOW):
        pass
    seconds = time.process_time() - begun
    leases.close()
    return seconds


def rule(number: int, words: list[str]) -> Rule:
    """One of many, by its number."""
    word = words[number % len(words)]
    conditions = {
        6: RuleCondition("pattern", rf"{word}\w* \d+ (of|from) [a-z]+{number}"),
        7: RuleCondition("title-pattern", rf"^{word} .*{number}$"),
        8: RuleCondition("domain", f"news-{number}.test"),
        9: RuleCondition("language", ("de", "fr", "ja")[number % 3]),
    }
    usual = RuleCondition("words", f"{word} {number}, phrase number {number}, {word}{number}*")
    actions = (("mute", ""), ("boost", "10"), ("lower", "10"), ("tag", f"tag {number}"))
    kind, value = actions[number % 4]
    rule_condition = conditions.get(number % 10, usual)
    return Rule(f"Rule {number}", RuleMatch.ALL, (rule_condition,), (RuleAction(kind, value),))
