"""Stories that a reader follows: their section in digests, and news of them by mail and webhook."""

from __future__ import annotations

import asyncio
import json
import threading
from dataclasses import replace
from datetime import timedelta

import pytest
from conftest import Whole
from test_digests_sent import listening
from told_stories import article, fed, number

from mail_server import Mailbox, mail_server
from newsloom.app import open_app
from newsloom.app.reader.folders import folders
from newsloom.briefs.service.briefing import briefing
from newsloom.briefs.values import BriefWish
from newsloom.digests.formats import FORMATS
from newsloom.digests.service import digests, schedules
from newsloom.digests.service.digesting import digesting
from newsloom.digests.values import ArchivedDigest, DigestKind
from newsloom.kernel.delivery.values import Target, Way
from newsloom.reading.values.reading import EventKind
from newsloom.stories.service import stories, threads
from newsloom.stories.values.pages import StoryId
from publisher import Publisher

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
ANN = Target(Way.MAIL, "ann@example.org")
FERRY = (
    "Ferry sinks off Port Lorne, dozens missing",
    "Dozens missing after ferry sinks near Port Lorne",
    "Rescuers search for missing after Port Lorne ferry sinks",
)
STRIKE = (
    "Baltavia rail workers begin strike over pay",
    "Trains halted as Baltavia rail workers strike over pay",
)
# Of the same event, with a number and a name that nobody told before.
NEW = "Port Lorne ferry sinks: 41 dead, captain Marek Dolan arrested"
NEWER = "Port Lorne ferry sinks: prosecutor Ilse Brandt charges captain over 63 deaths"


@pytest.fixture
def told(whole: Whole, publisher: Publisher) -> Whole:
    """Two events of three publishers, over two days; the first is followed."""
    whole.clock.stop()
    now = whole.clock()
    whole.follow(
        fed(publisher, "alpha", (FERRY[0], STRIKE[0]), now - DAY),
        fed(publisher, "beta", (FERRY[1], STRIKE[1]), now - DAY / 2),
        fed(publisher, "gamma", (FERRY[2],), now - DAY / 4),
    )
    whole.run()
    stories.set_subscription(whole.app.reader(), ferry(whole), stories.FOLLOWS)
    return whole


def ferry(whole: Whole) -> StoryId:
    return number(whole, FERRY[0])


def publish(whole: Whole, publisher: Publisher, name: str, title: str, more: str = "") -> None:
    """A new feed tells it, an hour later."""
    whole.clock.ahead += HOUR
    whole.follow(fed(publisher, name, (title,), whole.clock() - HOUR / 2, more))
    whole.run()
    assert number(whole, title) == ferry(whole)


def with_mail(whole: Whole, port: int, **digest: object) -> Whole:
    settings = whole.app.settings
    mail = replace(
        settings.mail, host="localhost", port=port, security="none", sender="news@example.org"
    )
    changed = replace(
        settings,
        fetch=replace(settings.fetch, private_hosts=(*settings.fetch.private_hosts, "127.0.0.1")),
        mail=mail,
        web=replace(settings.web, url="https://reader.example"),
        digest=replace(settings.digest, **digest),
    )
    return Whole(replace(whole.app, settings=changed), whole.clock)


def go(whole: Whole, after: timedelta = timedelta(0)) -> tuple[int, int]:
    """Made and sent, that much later."""
    whole.clock.ahead += after

    async def once() -> tuple[int, int]:
        async with whole.app.fetching() as fetcher:
            return await digesting(whole.app).once(fetcher)

    return asyncio.run(once())


def kept(whole: Whole) -> list[ArchivedDigest]:
    return list(whole.app.store.digests.newest_digests(whole.app.user, 50))


def test_a_digest_tells_what_came_of_followed_stories_once(
    told: Whole, publisher: Publisher
) -> None:
    reader, kind, begin = told.app.reader(), DigestKind.EVENING, told.clock() - 2 * DAY
    first = digests.composed(reader, kind, begin, told.clock(), "UTC")
    (story,) = first.digest.followed
    assert story.story == ferry(told)
    assert not story.developed, "the first digest tells it whole"
    others = {one.id for topic in first.digest.topics[1:] for one in (topic.lead, *topic.related)}
    assert others == {article(told, one) for one in STRIKE}, "and nowhere else"
    then = told.clock()
    publish(told, publisher, "delta", FERRY[0], "It sank.")
    again = digests.composed(reader, kind, then, told.clock(), "UTC", [first.memory])
    assert again.digest.topics == (), "nothing new was said"
    publish(told, publisher, "epsilon", NEW, "The coast guard confirmed 41 dead on Friday.")
    second = digests.composed(reader, kind, then, told.clock(), "UTC", [again.memory, first.memory])
    (story,) = second.digest.followed
    assert story.developed
    assert story.lead.title == NEW
    assert any("41" in one.text and one.new for one in story.summary)
    third = digests.composed(
        reader, kind, told.clock(), told.clock() + HOUR, "UTC", [second.memory, first.memory]
    )
    assert third.digest.topics == ()


def test_the_stories_of_a_followed_thread_are_one_entry(told: Whole, publisher: Publisher) -> None:
    reader, stored = told.app.reader(), told.app.store.stories
    stories.set_subscription(reader, ferry(told), 0)
    strike, thread = number(told, STRIKE[0]), stored.story(ferry(told), told.app.user).thread
    stored.move_stories(told.app.user, [strike], thread, told.clock())
    threads.set_subscription(reader, thread, threads.FOLLOWS)
    first = digests.composed(
        reader, DigestKind.EVENING, told.clock() - 2 * DAY, told.clock(), "UTC"
    )
    (topic,) = first.digest.followed
    assert (topic.page, topic.story, topic.thread) == (f"/threads/{thread}", 0, thread)
    assert {one.id for one in (topic.lead, *topic.related)} == {
        article(told, one) for one in (*FERRY, *STRIKE)
    }
    assert topic.label == stories.view(reader, ferry(told)).line.title, "by its largest story"
    made = folders(reader, 10, ())
    assert [set(one.articles) for one in made if one.name == topic.label] == [
        {article(told, one) for one in (*FERRY, *STRIKE)}
    ]
    assert not any(one.name in STRIKE for one in made)
    assert threads.view(reader, thread).events[0].changed, "the first event whole"
    then = told.clock()
    publish(told, publisher, "epsilon", NEW)
    again = digests.composed(reader, DigestKind.EVENING, then, told.clock(), "UTC", [first.memory])
    (topic,) = again.digest.followed
    assert (topic.thread, topic.lead.title, topic.developed) == (thread, NEW, True)


def test_every_format_has_the_section_with_a_link(told: Whole) -> None:
    settings = told.app.settings
    web = replace(settings.web, url="https://reader.example/")
    reader = replace(told.app, settings=replace(settings, web=web)).reader()
    made = digests.compose(reader, DigestKind.WEEKLY, None, told.clock(), "UTC")
    for form in FORMATS:
        text = form.render(made)
        assert f"https://reader.example/story/{ferry(told)}" in text
        if form.name != "json":
            assert text.lower().index("stories you follow") < text.lower().index("top stories")
    whole = json.loads(FORMATS[-1].render(made))
    assert whole["followed"][0]["page"].endswith(f"/story/{ferry(told)}")
    stories.set_subscription(reader, ferry(told), 0)
    without = digests.compose(reader, DigestKind.WEEKLY, None, told.clock(), "UTC")
    assert not any("tories you follow" in form.render(without) for form in FORMATS)


def test_what_was_muted_or_disliked_is_in_no_digest_and_no_brief(
    told: Whole, publisher: Publisher
) -> None:
    more = "The union of the growers said that warm nights in May had helped the blossoms a lot."
    apples = "Growers in the valley expect a record harvest of apples this autumn"
    told.follow(fed(publisher, "delta", (apples,), told.clock() - HOUR, more))
    told.run()
    reader = told.app.reader()
    stories.set_subscription(reader, ferry(told), stories.MUTED)
    reader.mark([article(told, STRIKE[0])], EventKind.DISLIKE, "test")
    begin, now = told.clock() - 2 * DAY, told.clock()
    digest = digests.composed(reader, DigestKind.EVENING, begin, now, "UTC").digest
    assert {one.lead.title for one in digest.topics} == {STRIKE[1], apples}
    (brief,) = briefing(told.app).composed(told.app.user, BriefWish(minutes=3), "UTC", now)
    assert {one.title for one in brief.script.articles} <= {STRIKE[1], apples}
    assert more in {one.text for one in brief.script.lines}


def test_nothing_is_sent_before_it_is_chosen(told: Whole, publisher: Publisher) -> None:
    publish(told, publisher, "delta", NEW)
    assert go(told) == (0, 0)
    assert told.app.store.stories.followed_news(told.app.user) == 1
    stories.look(told.app.reader(), ferry(told))
    assert told.app.store.stories.followed_news(told.app.user) == 0


def test_news_is_mailed_once_and_can_be_ended(told: Whole, publisher: Publisher) -> None:
    box = Mailbox()
    with mail_server(box) as port:
        whole = with_mail(told, port)
        schedules.send_news(whole.app.reader(), DigestKind.STORIES, "UTC", [ANN])
        assert go(whole) == (0, 0), "what was there when it was asked for is no news"
        publish(whole, publisher, "delta", NEW)
        assert go(whole) == (1, 1)
        assert go(whole, 3 * HOUR) == (0, 0)
        publish(whole, publisher, "epsilon", NEWER)
        assert go(whole) == (1, 1)
        first, second = box.taken
        assert first["Subject"].startswith("News of: ")
        plain = first.get_body(("plain",)).get_content()
        assert f"https://reader.example/story/{ferry(whole)}" in plain
        assert "41 dead" in plain
        assert "feeds polled" not in plain
        assert "41 dead" not in second.get_body(("plain",)).get_content()
        token = first["List-Unsubscribe"].rpartition("/")[2].rstrip(">")
        assert whole.app.store.digests.unsubscribe(token) == ANN
        publish(whole, publisher, "zeta", "Port Lorne ferry sinks: owner Aldo Fenn flees to Malta")
        assert go(whole, 3 * HOUR) == (0, 0)
        assert schedules.news_schedule(whole.app.reader(), DigestKind.STORIES) is None


def test_each_article_is_no_news(told: Whole, publisher: Publisher) -> None:
    """One more source of three, with what is known, is none; with the second more it is."""
    schedules.send_news(told.app.reader(), DigestKind.STORIES, "UTC", [ANN])
    publish(told, publisher, "delta", FERRY[1])
    assert go(told) == (0, 0)
    publish(told, publisher, "epsilon", FERRY[2])
    assert go(told)[0] == 1
    (one,) = kept(told)
    assert one.digest.followed[0].new_sources == 2


def test_what_comes_in_the_quiet_time_is_told_together(told: Whole, publisher: Publisher) -> None:
    with listening([200, 200]) as (port, bodies):
        hook = Target(Way.WEBHOOK, f"http://127.0.0.1:{port}/hook")
        whole = with_mail(told, 9, story_quiet_minutes=300.0)
        schedules.send_news(whole.app.reader(), DigestKind.STORIES, "UTC", [hook])
        publish(whole, publisher, "delta", NEW)
        assert go(whole) == (1, 1)
        for name, title in (("epsilon", NEWER), ("zeta", "Port Lorne ferry sinks: 77 rescued")):
            publish(whole, publisher, name, title)
            assert go(whole) == (0, 0)
        assert go(whole, 4 * HOUR) == (1, 1)
    told_of = [one["title"] for one in _articles(json.loads(bodies[-1]))]
    assert set(told_of) == {NEWER, "Port Lorne ferry sinks: 77 rescued"}


def _articles(whole: dict) -> list[dict]:
    return [one for topic in whole["followed"] for one in (topic["lead"], *topic["related"])]


def test_no_more_than_so_many_a_day(told: Whole, publisher: Publisher) -> None:
    whole = with_mail(told, 9, story_quiet_minutes=0.0, story_news_a_day=1)
    schedules.send_news(whole.app.reader(), DigestKind.STORIES, "UTC", [ANN])
    publish(whole, publisher, "delta", NEW)
    assert go(whole)[0] == 1
    publish(whole, publisher, "epsilon", NEWER)
    assert go(whole, 2 * HOUR)[0] == 0
    assert go(whole, DAY)[0] == 1, "it was not lost"


def test_a_story_nobody_follows_any_more_is_not_told(told: Whole, publisher: Publisher) -> None:
    schedules.send_news(told.app.reader(), DigestKind.STORIES, "UTC", [ANN])
    publish(told, publisher, "delta", NEW)
    stories.set_subscription(told.app.reader(), ferry(told), stories.MUTED)
    assert go(told) == (0, 0)


def test_two_processes_tell_each_once(told: Whole, publisher: Publisher) -> None:
    box = Mailbox()
    with mail_server(box) as port:
        whole = with_mail(told, port)
        receivers = [Target(Way.MAIL, f"reader{at}@example.org") for at in range(8)]
        schedules.send_news(whole.app.reader(), DigestKind.STORIES, "UTC", receivers)
        publish(whole, publisher, "delta", NEW)
        other = open_app(whole.app.settings, whole.clock)
        try:
            counts: list[tuple[int, int]] = []
            both = (whole, Whole(other, whole.clock))
            threads = [
                threading.Thread(target=lambda one=one: counts.append(go(one))) for one in both
            ]
            for one in threads:
                one.start()
            for one in threads:
                one.join()
        finally:
            other.close()
        counts.append(go(whole))
    assert sum(made for made, _sent in counts) == 1
    assert sorted(box.receivers) == sorted(one.to for one in receivers)
