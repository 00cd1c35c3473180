"""The law of syncing by arrival: an app that only asks for what is newer ends with all there is,
and what one app marks is so in every other app of its reader, and in no app of another reader."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count

import httpx
import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from newsloom.app import utc_now
from newsloom.kernel.ids import UserId
from newsloom.reading.values.reading import EventKind, ListQuery, Order, Rows

from .scene import LABEL, READ, READING_LIST, STARRED, Person, Scene, _person, document

DATABASES = ("sqlite", "postgres")
API = "/reader/api/0/"

NEW = count(1)
# Of each half. A long run: NEWSLOOM_TEST_SYNC_EXAMPLES=500; with NEWSLOOM_TEST_SYNC_STEPS=200 of
# long lives.
EXAMPLES = int(os.environ.get("NEWSLOOM_TEST_SYNC_EXAMPLES", "8"))
STEPS = int(os.environ.get("NEWSLOOM_TEST_SYNC_STEPS", "16"))

# What may happen next, each with a reader, a feed, and whether apps sync then.
ACTS = ("follow", "leave", "return", "publish", "poll", "split", "read", "tell", "tell")
BEGIN = (("follow", 0, 0), ("poll", 0, 0), ("follow", 1, 1), ("poll", 1, 1))
steps = st.lists(
    st.tuples(
        st.sampled_from(ACTS),
        st.integers(0, 1),
        st.integers(0, 2),
        st.sampled_from((True, True, False)),
    ),
    min_size=STEPS // 2,
    max_size=STEPS,
)


def client_of(scene: Scene) -> httpx.Client:
    """One for all apps, which sign in with each request."""
    return scene.clients[0] if scene.clients else scene.client()


@dataclass
class Fever:
    """An app that asks for items above the highest number it ever had, and drops those of feeds
    that are gone, as ReadYou does."""

    scene: Scene
    person: Person
    items: dict[int, tuple[int, str]] = field(default_factory=dict)  # to their feeds and links
    links: set[str] = field(default_factory=set)  # of all it was ever given
    since: int = 0

    def same_as(self, other: Fever) -> bool:
        """Nothing is missing, and nothing is there that is not. An article of a feed that was left
        and followed again between two visits has a second number."""
        return self.items.items() >= other.items.items() and set(self.items.values()) == set(
            other.items.values()
        )

    def ask(self, query: str):
        data = {"api_key": self.person.fever_key}
        return client_of(self.scene).post(f"/fever/?api&{query}", data=data).json()

    def tell(self, arrival: int, _article: int, kind: str) -> None:
        """Say that an article is read, unread, starred or not."""
        told = {"read": "read", "unread": "unread", "star": "saved", "unstar": "unsaved"}[kind]
        self.ask(f"mark=item&as={told}&id={arrival}")

    def states(self) -> tuple[set[int], set[int]]:
        """The arrival numbers of what is unread, and of what has a star."""
        unread, starred = (self.ask(name)[name] for name in ("unread_item_ids", "saved_item_ids"))
        return set(map(int, unread.split(",") if unread else ())), set(
            map(int, starred.split(",") if starred else ())
        )

    def sync(self) -> None:
        feeds = {one["id"] for one in self.ask("feeds")["feeds"]}
        self.items = {one: item for one, item in self.items.items() if item[0] in feeds}
        while found := self.ask(f"items&since_id={self.since}")["items"]:
            self.links |= {one["url"] for one in found}
            self.items |= {
                one["id"]: (one["feed_id"], one["url"]) for one in found if one["feed_id"] in feeds
            }
            self.since = max(one["id"] for one in found)


@dataclass
class Miniflux(Fever):
    """An app that asks for entries above the highest id it ever had, in parts of three."""

    def get(self, path: str, **query: object):
        headers = {"x-auth-token": self.person.secret}
        return client_of(self.scene).get(f"/v1/{path}", params=query, headers=headers).json()

    def tell(self, arrival: int, _article: int, kind: str) -> None:
        told = {"starred": kind == "star"} if "star" in kind else {"status": kind}
        headers = {"x-auth-token": self.person.secret}
        body = {"entry_ids": [arrival], **told}
        answer = client_of(self.scene).put("/v1/entries", json=body, headers=headers)
        assert answer.status_code == 204

    def states(self) -> tuple[set[int], set[int]]:
        unread, starred = (
            {one["id"] for one in self.get("entries", limit=0, **query)["entries"]}
            for query in ({"status": "unread"}, {"starred": "true"})
        )
        return unread, starred

    def sync(self) -> None:
        feeds = {one["id"] for one in self.get("feeds")}
        self.items = {one: item for one, item in self.items.items() if item[0] in feeds}
        query = {"order": "id", "limit": 3}
        while found := self.get("entries", after_entry_id=self.since, **query)["entries"]:
            self.links |= {one["url"] for one in found}
            self.items |= {
                one["id"]: (one["feed_id"], one["url"]) for one in found if one["feed_id"] in feeds
            }
            self.since = found[-1]["id"]


@dataclass
class GoogleReader:
    """An app that asks for items since its last visit, in whole seconds of its clock, and reads
    on by continuations."""

    scene: Scene
    person: Person
    items: dict[str, str] = field(default_factory=dict)
    links: set[str] = field(default_factory=set)
    since: int = 0
    page: int = 3

    def same_as(self, other: GoogleReader) -> bool:
        return self.items == other.items

    def get(self, path: str, **query: object):
        return client_of(self.scene).get(API + path, params=query, headers=self.person.auth).json()

    def tell(self, _arrival: int, article: int, kind: str) -> None:
        way = "r" if kind.startswith("un") else "a"
        data = {"i": str(article), way: STARRED if "star" in kind else READ}
        path = f"{API}edit-tag"
        assert client_of(self.scene).post(path, data=data, headers=self.person.auth).text == "OK"

    def states(self) -> tuple[set[int], set[int]]:
        """The same by the numbers of articles."""
        unread, starred = (
            {int(one["id"]) for one in self.get("stream/items/ids", n=10_000, **query)["itemRefs"]}
            for query in ({"s": READING_LIST, "xt": READ}, {"s": STARRED})
        )
        return unread, starred

    def sync(self) -> None:
        begun = int(utc_now().timestamp())
        feeds = {one["id"] for one in self.get("subscription/list")["subscriptions"]}
        self.items = {one: feed for one, feed in self.items.items() if feed in feeds}
        asked: dict[str, object] = {"ot": self.since, "n": self.page}
        while True:
            found = self.get("stream/contents", s=READING_LIST, **asked)
            self.links |= {one["canonical"][0]["href"] for one in found["items"]}
            of_feeds = {one["id"]: one["origin"]["streamId"] for one in found["items"]}
            self.items |= {one: feed for one, feed in of_feeds.items() if feed in feeds}
            if "continuation" not in found:
                break
            asked["c"] = found["continuation"]
        self.since = begun


@dataclass
class FluentReader(GoogleReader):
    """As Fluent: since the rounded time of its newest item, down to the last item it had."""

    last: str = ""

    def sync(self) -> None:
        feeds = {one["id"] for one in self.get("subscription/list")["subscriptions"]}
        self.items = {one: feed for one, feed in self.items.items() if feed in feeds}
        asked: dict[str, object] = {"n": self.page} | ({"ot": self.since} if self.last else {})
        new: list[dict] = []
        while True:
            found = self.get("stream/contents", **asked)
            self.links |= {one["canonical"][0]["href"] for one in found["items"]}
            for one in found["items"]:
                if one["id"] == self.last:
                    break
                new.append(one)
            else:
                if "continuation" in found:
                    asked["c"] = found["continuation"]
                    continue
            break
        if new:
            self.last = new[0]["id"]
            self.since = round(int(new[0]["crawlTimeMsec"]) / 1000)
        of_feeds = {one["id"]: one["origin"]["streamId"] for one in new}
        self.items |= {one: feed for one, feed in of_feeds.items() if feed in feeds}


@dataclass
class World:
    """Two readers nobody has seen before, three feeds of theirs, and each reader's apps."""

    scene: Scene
    people: list[Person] = field(default_factory=list)
    urls: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    apps: list[list[Fever | GoogleReader]] = field(default_factory=list)
    published: list[int] = field(default_factory=list)
    followed: list[set[str]] = field(default_factory=lambda: [set(), set()])
    told: int = 0

    @classmethod
    def made(cls, scene: Scene, apps: tuple[Callable, ...]) -> World:
        world = cls(scene)
        for _ in range(2):
            person = _person(scene.app, f"reader{next(NEW)}", None)
            world.people.append(person)
            world.apps.append([app(scene, person) for app in apps])
        for _ in range(3):
            name = f"feed{next(NEW)}"
            world.names.append(name)
            world.published.append(2)
            world.urls.append(scene.publish(name, 0, 1))
        return world

    def act(self, what: str, who: int, which: int) -> None:
        """One reader does something, which changes nothing for the other."""
        other = self.people[1 - who]
        before = self._states(other)
        getattr(self, what)(self.people[who].user, which)
        if what == "follow":
            self.followed[who].add(self.names[which])
        after = self._states(other)
        assert after == before or (what == "poll" and after.items() >= before.items()), what

    def _states(self, person: Person) -> dict[int, tuple[bool, bool]]:
        """Whether each of their articles is read, and has a star."""
        articles = [*self.scene.arrivals(person).values()]
        known = self.scene.app.store.syncing.known_articles(person.user, articles)
        return {one: (row.state.read, row.state.starred) for one, row in known.items()}

    def _feed(self, user: UserId, which: int):
        found = self.scene.app.store.lists.subscriptions(user)
        return next((one.feed_id for one in found if one.url == self.urls[which]), None)

    def follow(self, user: UserId, which: int) -> None:
        store = self.scene.app.store
        store.reading.subscribe(user, self.urls[which], self.scene.app.now())

    def leave(self, user: UserId, which: int) -> None:
        if (feed := self._feed(user, which)) is not None:
            self.scene.app.store.reading.unsubscribe(user, feed)

    def __getattr__(self, name: str):
        if name == "return":
            return self.follow_again
        raise AttributeError(name)

    def follow_again(self, user: UserId, _which: int) -> None:
        for one in self.scene.app.store.reading.left(user, self.scene.app.now()):
            self.scene.app.store.reading.follow_again(user, one.feed_id)

    def publish(self, _user: UserId, which: int) -> None:
        self.published[which] += 2
        name = self.names[which]
        numbers = range(self.published[which])
        # The same under two ids: one article, which a reader may split.
        text = document(name, numbers)
        for one in numbers:
            if one % 2:
                text = text.replace(f"{name}.example/{one}<", f"{name}.example/{one - 1}<")
                text = text.replace(f"{name} reports {one}<", f"{name} reports {one - 1}<")
                text = text.replace(f"in line {one}.", f"in line {one - 1}.")
        self.scene.publisher.puts(f"/{name}", text)

    def poll(self, user: UserId, which: int) -> None:
        if (feed := self._feed(user, which)) is not None:
            self.scene.poll([feed])

    def _articles(self, user: UserId) -> list[int]:
        query = ListQuery(order=Order.NEWEST, unread_only=False, limit=1_000, rows=Rows.ARTICLE)
        app = self.scene.app
        return [
            one.id for one in app.store.lists.page(user, query, app.now(), app.reader().half_lives)
        ]

    def split(self, user: UserId, which: int) -> None:
        app = self.scene.app
        for article in self._articles(user)[which : which + 1]:
            for copy in range(article, article + 3):
                app.store.duplicates.separate(user, copy, app.now())

    def read(self, user: UserId, which: int) -> None:
        articles = self._articles(user)[which::2]
        if articles:
            app = self.scene.app
            app.store.reading.mark(user, articles, EventKind.READ, app.now(), "test")

    def tell(self, user: UserId, which: int) -> None:
        """One of their apps marks an article."""
        who = [one.user for one in self.people].index(user)
        arrivals = list(self.scene.arrivals(self.people[who]).items())
        if arrivals:
            self.told += 1
            arrival, article = arrivals[(7 * self.told + which) % len(arrivals)]
            kind = ("read", "star", "unread", "unstar", "read")[self.told % 5]
            self.apps[who][which].tell(arrival, article, kind)

    def check_states(self) -> None:
        """What is unread or has a star is so in the store and in every app."""
        for person, apps in zip(self.people, self.apps, strict=True):
            arrivals, states = self.scene.arrivals(person), self._states(person)
            wanted = (
                {one for one, (read, _starred) in states.items() if not read},
                {one for one, (_read, starred) in states.items() if starred},
            )
            for app in apps:
                found = app.states()
                if isinstance(app, Fever):
                    found = tuple({arrivals[one] for one in some} for some in found)
                assert found == wanted, type(app)

    def sync(self) -> None:
        for apps in self.apps:
            for app in apps:
                app.sync()


@pytest.mark.parametrize(
    ("apps", "acts"),
    [
        ((Fever, Miniflux, GoogleReader), ACTS),
        ((FluentReader,), ("follow", "publish", "poll", "read")),
    ],
    ids=["any", "fluent"],
)
@pytest.mark.parametrize("start", [1, 2])  # two halves, so that each ends soon on a slow machine
def test_asking_for_what_is_newer_is_enough(scene: Scene, apps, acts, start: int):
    @seed(start)
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        phases=(Phase.generate,),  # each step asks a server: to shrink takes minutes
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    )
    @given(steps)
    def law(script):
        world = World.made(scene, apps)
        for what, who, which, synced in [*((*one, True) for one in BEGIN), *script]:
            if what in acts:
                world.act(what, who, which)
            if synced:
                world.sync()
        world.sync()
        world.check_states()
        for person, mine, names in zip(world.people, world.apps, world.followed, strict=True):
            for app in mine:
                afresh = type(app)(scene, person)
                afresh.sync()
                assert {httpx.URL(one).host.partition(".")[0] for one in app.links} <= names
                assert app.same_as(afresh), (type(app), app.items, afresh.items)

    law()


def test_two_accounts_a_folder_removed_and_a_feed_added_again(scene: Scene):
    """NetNewsWire and ReadYou remove a folder feed by feed, then the folder; a feed of it that
    another reader kept is added again. All apps of both readers have what the server has."""
    ann, bob, client = scene.ann, scene.bob, client_of(scene)
    apps = [
        app(scene, one)
        for one in (ann, bob)
        for app in (Fever, Miniflux, GoogleReader, FluentReader)
    ]

    def agree() -> None:
        for app in apps:
            app.sync()
            afresh = type(app)(scene, app.person)
            afresh.sync()
            assert app.same_as(afresh), (type(app), app.person.name, app.items, afresh.items)

    def post(path: str, **data: str) -> str:
        return client.post(API + path, data=data, headers=ann.auth).text

    agree()
    for feed in ann.feeds[:2]:
        assert post("subscription/edit", ac="unsubscribe", s=f"feed/{feed}") == "OK"
    assert post("disable-tag", s=LABEL + "Sea") == "OK"
    agree()
    url = scene.publish("harbour", *range(9))
    scene.poll(ann.feeds[:1])
    agree()
    assert '"numResults":1' in post("subscription/quickadd", quickadd=url)
    agree()
    fever = next(app for app in apps if isinstance(app, Fever))
    assert len([feed for feed, _url in fever.items.values() if feed == ann.feeds[0]]) == 9
