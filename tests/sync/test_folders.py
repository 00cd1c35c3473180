"""Folders that Newsloom fills, copies that are read together, and dates that tell the rank."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import insert

from newsloom.digests.values import (
    Digest,
    DigestArticle,
    DigestKind,
    DigestTopic,
    FeedReport,
    Memory,
    Schedule,
)
from newsloom.duplicates.store.cluster_rows import regroup
from newsloom.duplicates.store.tables import links
from newsloom.duplicates.values import Relation
from newsloom.kernel.ids import ArticleId, ScheduleId
from newsloom.ranking.values.models import Score
from newsloom.reading.values.reading import ListQuery
from newsloom.stories.values.pages import Membership, StoryChanges, StoryId, StoryWording
from publisher import Publisher

from .scene import LABEL, READ, Scene, furnish, opened, serving

DATABASES = ("sqlite", "postgres")

DAY = timedelta(days=1)
API = "/reader/api/0/"


def refs(answer) -> list[int]:
    return [int(one["id"]) for one in answer.json()["itemRefs"]]


def begin_story(scene: Scene, articles: list[int], title: str) -> StoryId:
    """A story of those articles."""
    store, now = scene.app.store, scene.app.now()
    story = StoryId(store.stories.last_story() + 1)
    members = tuple(Membership(ArticleId(one), story) for one in articles)
    changes = StoryChanges(store.stories.story_generation(), begun=((story, now),), members=members)
    store.stories.put_stories("m", "encoder@1", changes, now)
    store.stories.put_story_words([StoryWording(story, title, "by", "", "", len(articles))])
    return story


def test_for_you_is_the_best_unread(scene: Scene):
    ann, mine = scene.ann, scene.articles(scene.ann)
    with scene.client(ann) as client:
        for_you = f"{API}stream/items/ids?n=500&s={LABEL}For you"
        assert refs(client.get(for_you)) == mine
        assert (
            LABEL + "For you"
            in client.get(f"{API}stream/contents?n=1").json()["items"][0]["categories"]
        )
        client.post(API + "mark-all-as-read", data={"s": f"{LABEL}For you"})
        assert scene.unread(ann) == set()


def test_followed_stories_are_labels(scene: Scene):
    ann = scene.ann
    by_feed = {feed: [] for feed in ann.feeds}
    for one in scene.app.store.syncing.stream_articles(
        ann.user, scene.articles(ann), scene.app.now(), scene.app.reader().half_lives
    ):
        by_feed[one.listed.feed_id].append(one.listed.id)
    rows = [by_feed[ann.feeds[0]][0], by_feed[ann.feeds[1]][0], by_feed[ann.feeds[2]][0]]
    story = begin_story(scene, rows, "The storm / in the Tamar")
    scene.app.store.stories.set_story_subscription(ann.user, story, 1)
    name = LABEL + "The storm / in the Tamar"
    with scene.client(ann) as client:
        tags = client.get(API + "tag/list").json()["tags"]
        assert [one["type"] for one in tags if one["id"] == name] == ["tag"]
        assert sorted(refs(client.get(API + "stream/items/ids", params={"s": name}))) == sorted(
            rows
        )
        assert sorted(refs(client.get(f"{API}stream/items/ids?s={LABEL}Top stories"))) == sorted(
            rows
        )
        items = client.get(f"{API}stream/contents/{name}").json()["items"]
        assert all(name in one["categories"] for one in items)
        counts = client.get(API + "unread-count").json()["unreadcounts"]
        assert {one["id"]: one["count"] for one in counts}[name] == 3
    with scene.client(scene.bob) as client:
        assert "storm" not in client.get(API + "tag/list").text


def test_a_folder_makes_way_for_a_category_of_its_name(scene: Scene):
    ann = scene.ann
    with scene.client(ann) as client:
        edit = {"ac": "edit", "s": f"feed/{ann.feeds[0]}", "a": f"{LABEL}Digest"}
        assert client.post(API + "subscription/edit", data=edit).text == "OK"
        tags = {one["id"]: one.get("type") for one in client.get(API + "tag/list").json()["tags"]}
        assert tags[LABEL + "Digest"] == "folder"
        assert tags[LABEL + "Digest (2)"] == "tag"
        assert len(refs(client.get(f"{API}stream/items/ids?s={LABEL}Digest"))) == 6


def test_the_newest_digest_is_a_folder(scene: Scene):
    ann, store, now = scene.ann, scene.app.store, scene.app.now()
    lead, other, *_rest = scene.articles(ann)
    wanted = Schedule(ScheduleId(0), ann.user, DigestKind.MORNING, 420, 0, "UTC", (), now)
    schedule = replace(wanted, id=store.digests.add_schedule(wanted, []))
    for end, articles in ((now - DAY, (other,)), (now, (lead,))):
        topic = DigestTopic("key", "", digest_article(articles[0], now), (), (), 50.0, "Sea")
        made = Digest(
            DigestKind.MORNING, end - DAY, end, "UTC", "Morning", (topic,), (), (), FeedReport()
        )
        store.digests.put_digest(schedule, made, Memory(), now=now, ready=now, next_at=end + DAY)
        schedule = replace(schedule, next_at=end + DAY)
    with scene.client(ann) as client:
        assert refs(client.get(f"{API}stream/items/ids?s={LABEL}Digest")) == [lead]
    with scene.client(scene.bob) as client:
        assert refs(client.get(f"{API}stream/items/ids?s={LABEL}Digest")) == []


def digest_article(article: int, now: datetime) -> DigestArticle:
    return DigestArticle(
        ArticleId(article),
        "Title",
        "https://x.example/",
        "x.example",
        "X",
        "x",
        3,
        "Sea",
        "en",
        now,
        50.0,
    )


@pytest.fixture
def ranked(tmp_path: Path, publisher: Publisher) -> Iterator[Scene]:
    app = opened(tmp_path / "news.db", publisher, ranked_dates=True, for_you=5)
    with serving(furnish(app, publisher)) as one:
        yield one
    app.close()


def test_dates_tell_the_rank_where_that_is_wanted(ranked: Scene):
    ann, mine = ranked.ann, ranked.articles(ranked.ann)
    app = ranked.app
    scores = {one: 10 + (one * 37) % 80 for one in mine}
    rows = [Score(ArticleId(one), float(score), 1 + one % 5) for one, score in scores.items()]
    app.store.articles.put_scores(ann.user, "starting order", rows, app.reader().half_lives)
    with ranked.client(ann) as client:
        items = client.get(f"{API}stream/contents?n=100").json()["items"]
        page = app.store.lists.page(
            ann.user, ListQuery(limit=100), app.now(), app.reader().half_lives
        )
        values = sorted(items, key=lambda one: -one["published"])
        assert [int(one["id"].rpartition("/")[2], 16) for one in values] == [one.id for one in page]
        latest = max(one["published"] for one in items)
        assert latest <= app.now().timestamp()
        # When an article came stays true: apps ask by it for what is new.
        assert all(int(one["crawlTimeMsec"]) / 1000 > app.now().timestamp() - 600 for one in items)
        assert len(refs(client.get(f"{API}stream/items/ids?s={LABEL}For you"))) == 5


def test_own_dates_otherwise(scene: Scene):
    with scene.client(scene.ann) as client:
        items = client.get(f"{API}stream/contents?n=100").json()["items"]
    now = scene.app.now().timestamp()
    assert {round((now - one["published"]) / 3600) for one in items} == {1, 2, 3, 4, 5, 6}


def test_copies_are_read_together_as_on_the_pages(scene: Scene):
    ann = scene.ann
    one, other, *_rest = scene.articles(ann)
    row = {
        "article_id": max(one, other),
        "other_id": min(one, other),
        "relation": Relation.SAME_EVENT.value,
        "evidence": "[]",
        "at": scene.app.now(),
    }
    with scene.app.store.database.write() as connection:
        connection.execute(insert(links), [row])
        regroup(connection, [one, other])
    with scene.client(ann) as client:
        client.post(API + "edit-tag", data={"i": one, "a": READ})
    assert not {one, other} & scene.unread(ann)
    assert scene.labels(ann) == []
