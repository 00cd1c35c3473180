"""Rules as wired: a feed is polled, rules do what they say to its articles once, and take it
back."""

from __future__ import annotations

import asyncio
import json
import re
from dataclasses import replace
from datetime import timedelta

import pytest
from conftest import Whole
from test_digests_sent import listening
from told_stories import article, fed

from newsloom.app.reader import explaining
from newsloom.digests.service import schedules
from newsloom.digests.service.digesting import digesting
from newsloom.digests.values import DigestKind
from newsloom.kernel.delivery.values import Target, Way
from newsloom.kernel.errors import UserError
from newsloom.reading.values.reading import EventKind, Listed, ListQuery, Rows
from newsloom.rules.service import rules
from newsloom.rules.values import Rule, RuleAction, RuleCondition, RuleMatch
from publisher import Publisher

HOUR = timedelta(hours=1)
QUIZ, URGENT, TIDE, RELEASE, PLAIN, OLD, KEPT = (
    "A quiz for the weekend",
    "Urgent: the river bill is voted on",
    "Harbour pilots redraw the tide table",
    "Press release: a new bottle",
    "Moss beds recover on the north slope",
    "Ferry timetable for the autumn",
    "A scheduler that forgets",
)
TITLES = (QUIZ, URGENT, TIDE, RELEASE, PLAIN, OLD, KEPT)


def rule(name: str, word: str, *actions: tuple[str, str]) -> Rule:
    acts = tuple(RuleAction(kind, value) for kind, value in actions)
    return Rule(name, RuleMatch.ALL, (RuleCondition("title", word),), acts)


RULES = (
    rule("No quizzes", "quiz", ("mute", "")),
    rule("First of all", "urgent", ("raise", "")),
    rule("The sea", "tide", ("boost", "30"), ("notify", ""), ("tag", "Sea, tides")),
    rule("Less of these", "release", ("lower", "40"), ("notify", "")),
    rule("Not for me", "ferry", ("read", "")),
    rule("Keep", "scheduler", ("star", "")),
)


def unread(whole: Whole) -> list[str]:
    return [one.title for one in listed(whole, unread_only=True)]


def listed(whole: Whole, **query: object) -> tuple[Listed, ...]:
    reader = replace(whole.app.reader(), rows=Rows.ARTICLE, diversification=None)
    return reader.page(ListQuery(**{"unread_only": False, "limit": 100, **query}))


def state(whole: Whole, title: str) -> Listed:
    return next(one for one in listed(whole) if one.title == title)


def why(whole: Whole, title: str) -> dict[str, float]:
    found = explaining.why(whole.app.reader(), article(whole, title))
    assert sum(one.effect for one in found.reasons) == pytest.approx(
        found.listed.relevance - 50, abs=0.01
    )
    return {one.text: one.effect for one in found.reasons if one.kind == "rule"}


def publish(publisher: Publisher, whole: Whole, titles: tuple[str, ...], name: str = "a") -> str:
    return fed(publisher, name, titles, whole.clock() - HOUR)


def items(publisher: Publisher, when: str, *rows: tuple[str, str, str]) -> str:
    """A feed of articles with title, link and tag."""
    line = "".join(
        f"<item><title>{title}</title><link>{link}</link><category>{tag}</category>"
        f"<description>About {at} boats.</description><pubDate>{when}</pubDate></item>"
        for at, (title, link, tag) in enumerate(rows)
    )
    text = f"<rss version='2.0'><channel><title>Shop</title><language>en</language>{line}"
    return publisher.puts("/shop", f"{text}</channel></rss>")


SHOP = (
    ("Ropes and sails", "https://shop.example/deals/1", "Promocja"),
    ("It’s here", "https://shop.example/sponsored/2?id=7", "#Promocja"),
    ("E‑mail lists closed", "https://blog.shop.example/news/dealsofday", "Łódź"),
    ("Nothing to buy", "https://other.example/deals/4", "News"),
)
# A condition, and the articles that it is so for.
MET = {
    ("path", "shop.example/deals"): {0},
    ("path", "/deals"): {0, 3},
    ("path", "sponsored"): {1},
    ("path", "/deals*, /news/deals*"): {0, 2, 3},
    ("link-pattern", r"\?id=\d"): {1},
    ("tag", "promocja"): {0, 1},
    ("tag", "lodz"): {2},
    ("language", "en"): {0, 1, 2, 3},
    ("language", "pl"): set(),
    ("title", "it's"): {1},
    ("title", "e-mail"): {2},
    ("title", "email"): {2},
    ("domain", "shop.example"): {0, 1, 2},
}
REFUSED = {
    ("domain", "shop.example/deals"): "make the condition path=shop.example/deals",
    ("path", "/deals?id=3"): "more than a path",
    ("tag", "a*b"): "star",
    ("language", "Klingon"): "is not a language",
    ("feed", "77"): "none of your feeds",
}


def test_what_conditions_are_so_for(whole: Whole, publisher: Publisher) -> None:
    when = (whole.clock() - HOUR).strftime("%a, %d %b %Y %H:%M:%S GMT")
    whole.run(whole.follow(items(publisher, when, *SHOP)))
    reader = whole.app.reader()
    titles = [title for title, _, _ in SHOP]
    made = {one: rule("x", "x", ("star", "")) for one in (*MET, *REFUSED)}
    made = {one: replace(it, conditions=(RuleCondition(*one),)) for one, it in made.items()}
    met = {
        one: {titles.index(it.title) for it in rules.tried(reader, made[one]).named} for one in MET
    }
    assert met == MET
    for one, words in REFUSED.items():
        with pytest.raises(UserError, match=re.escape(words)):
            rules.save(reader, made[one])


def send(whole: Whole, after: timedelta = timedelta(0)) -> tuple[int, int]:
    whole.clock.ahead += after

    async def once() -> tuple[int, int]:
        async with whole.app.fetching() as fetcher:
            return await digesting(whole.app).once(fetcher)

    return asyncio.run(once())


def test_rules_do_what_they_say_and_take_it_back(whole: Whole, publisher: Publisher) -> None:
    whole.clock.stop()
    reader = whole.app.reader()
    other = whole.app.store.users.user("other", whole.clock())
    (feed,) = whole.follow(publish(publisher, whole, TITLES))
    whole.app.store.reading.subscribe(other, publisher.url + "/a", whole.clock())
    numbers = [rules.save(reader, one) for one in RULES]
    with listening([200, 200]) as (port, bodies):
        private = (*whole.app.settings.fetch.private_hosts, "127.0.0.1")
        fetch = replace(whole.app.settings.fetch, private_hosts=private)
        whole = Whole(
            replace(whole.app, settings=replace(whole.app.settings, fetch=fetch)), whole.clock
        )
        hook = Target(Way.WEBHOOK, f"http://127.0.0.1:{port}/told")
        schedules.send_news(reader, DigestKind.RULES, "Europe/Berlin", [hook])
        report = whole.run([feed])
        assert next(one.done for one in report.stages if one.stage == "rules") == len(TITLES)

        # Lists, counts, and the list of what is muted.
        assert unread(whole)[0] == URGENT
        assert set(unread(whole)) == {URGENT, TIDE, RELEASE, PLAIN, KEPT}
        assert whole.app.store.lists.unread(whole.app.user, Rows.ARTICLE) == 5
        (hidden,) = rules.muted(reader)
        assert (hidden.title, hidden.rule_name) == (QUIZ, "No quizzes")
        assert state(whole, TIDE).relevance > state(whole, PLAIN).relevance
        assert unread(whole)[-1] == RELEASE

        # What each did is told, adds up, and has taught nothing.
        (points,) = [points for words, points in why(whole, TIDE).items() if "by 30" in words]
        assert points == pytest.approx(30) or state(whole, TIDE).relevance == 100
        assert any("raised above all others" in one for one in why(whole, URGENT))
        assert min(why(whole, RELEASE).values()) < 0
        assert state(whole, OLD).state.read
        assert state(whole, KEPT).state.starred
        assert whole.app.store.models.labels(whole.app.user) == ()
        assert reader.undo("test") == (), "nobody saw it happen"
        tags = whole.app.store.annotations.tags_of(whole.app.user, [article(whole, TIDE)])
        assert tags == {article(whole, TIDE): ("Sea", "tides")}

        # Another person's lists know nothing of it.
        theirs = whole.app.store.lists.unread(other, Rows.ARTICLE)
        assert theirs == len(TITLES)
        assert whole.app.store.rules.muted(other, 9) == ()

        # One message of both, once.
        assert send(whole) == (1, 1)
        assert send(whole, HOUR) == (0, 0)
        rows = [one["lead"]["title"] for one in json.loads(bodies[0])["top"]]
        assert sorted(rows) == sorted((TIDE, RELEASE))

        # Nothing is done twice by another pass, nor by a change of another rule.
        reader.mark([article(whole, OLD)], EventKind.UNREAD, "test")
        publish(publisher, whole, (*TITLES, "The tide comes late"))
        whole.clock.ahead += HOUR
        report = whole.run([feed])
        assert next(one.done for one in report.stages if one.stage == "rules") == 1
        rules.switch(reader, numbers[1], on=False)
        assert OLD in unread(whole), "what the reader takes back stays so"
        assert unread(whole)[0] != URGENT
        assert send(whole, 6 * HOUR) == (1, 1)
        rows = [one["lead"]["title"] for one in json.loads(bodies[1])["top"]]
        assert rows == ["The tide comes late"]

    # A rule that goes takes back what it did, but for what is the reader's.
    before = state(whole, TIDE).relevance
    for number in numbers:
        rules.delete(reader, number)
    assert QUIZ in unread(whole)
    assert rules.muted(reader) == ()
    assert state(whole, TIDE).relevance < before
    assert not state(whole, KEPT).state.starred
    assert why(whole, TIDE) == {}
    assert whole.app.store.annotations.tags_of(whole.app.user, [article(whole, TIDE)]) == {}
    whole.run([])  # which scores what was muted
    positions = {one.title: one.relevance for one in listed(whole)}
    whole.run([])
    assert {one.title: one.relevance for one in listed(whole)} == pytest.approx(positions, abs=0.01)


def test_a_preview_says_what_would_have_happened_and_changes_nothing(
    whole: Whole, publisher: Publisher
) -> None:
    whole.follow(publish(publisher, whole, TITLES))
    whole.run()
    reader = whole.app.reader()
    found = rules.tried(reader, RULES[0])
    assert (found.looked, found.matched) == (len(TITLES), 1)
    assert [one.title for one in found.named] == [QUIZ]
    assert rules.rule_set(reader).rules == ()
    assert QUIZ in unread(whole)
    rules.save(reader, RULES[0])
    assert rules.tried(reader, RULES[0]).matched == 1, "also what is muted by now"
    assert QUIZ not in unread(whole), "at once, without a pass"
    rules.unmute(reader, rules.muted(reader)[0].article)
    whole.run([])
    assert QUIZ in unread(whole), "and no pass mutes it again"


def test_rules_go_elsewhere_as_a_file(whole: Whole, publisher: Publisher) -> None:
    (feed,) = whole.follow(publish(publisher, whole, TITLES))
    whole.run()
    reader = whole.app.reader()
    title = reader.subscriptions()[0].title
    made = replace(RULES[0], conditions=(RuleCondition("feed", title),))
    rules.save(reader, made)
    assert rules.rule_set(reader).rules[0].conditions == (RuleCondition("feed", str(feed)),)
    text = rules.exported(reader)
    assert publisher.url in text
    assert rules.imported(reader, text) == 1
    one, other = rules.rule_set(reader).rules
    assert replace(other, id=one.id, since=one.since) == one
