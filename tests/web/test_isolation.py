"""Every route, asked by another person with the numbers, addresses and cursors of the first."""

from __future__ import annotations

import html
import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from sqlalchemy import select

from migrated import copied
from newsloom.accounts.store.persons import of_person
from newsloom.articles.store.tables import articles
from newsloom.briefs.podcast import PREFIX
from newsloom.feeds.store.tables import feeds
from newsloom.kernel.ids import UserId
from newsloom.reading.service import cursors
from newsloom.reading.values.reading import ListQuery
from newsloom.store.tables import metadata
from newsloom.web.api_access import is_api
from newsloom.web.app import ROOMS
from newsloom.web.auth import OPEN
from web.crowded import crowded
from web.digested import LEAVE_TOKEN, digested
from web.peopled import ANNA, BOB, SAME, Browser, Peopled
from web.spoken import briefed
from web.storied import storied
from web.test_browser_icons import give_icons
from web.world import NEWS, open_world

NOBODYS = 987_654_321
ROUTES = [
    (method, route.path)
    for room in ROOMS
    for route in room.router.routes
    for method in sorted(route.methods - {"HEAD"})
]
READS = [path for method, path in ROUTES if method == "GET"]
CHANGES = [(method, path) for method, path in ROUTES if method != "GET"]

# Answered by what the address itself proves, whoever sends it.
BY_SECRET = {
    "/digest/feed/{token}",
    "/digest/leave/{token}",
    "/podcasts/{token}/feed.xml",
    "/podcasts/{token}/cover.png",
    *(f"/podcasts/{{token}}/{{number}}.{kind}" for kind in ("vtt", "html", "json", "{kind}")),
}

# Ends the session that asks, or takes the throttle's attempts.
LAST = ("/sign-out", "/sign-in", "/account/password", "/account/remove")


class Scene:
    """Anna reads a world with everything in it; Bob has an account, and nothing."""

    def __init__(self, world: Any) -> None:
        self.world = world
        self.peopled = Peopled(world)
        self.peopled.add(ANNA)
        self.bob = self.peopled.add(BOB)
        anna = self.peopled.browser(ANNA, address="192.0.2.77")
        anna.post("/account/app-passwords", {"name": "Annas secret tablet"})
        anna.post("/interests", {"text": "glacier forecasting"})
        anna.post("/admin/invitations")
        anna.post("/digest/feed", {"do": "new"})
        first = world.listed()[0].id
        anna.post(f"/articles/{first}/tags", {"add": "Annas secret tag"})
        anna.post(f"/articles/{first}/note", {"note": "Annas secret note"})
        anna.post("/lists", {"at": "q=tide&page=search", "name": "Annas secret list"})
        quote = anna.get(f"/articles/{first}/words").text.partition('data-start="0">')[2]
        words = html.unescape(quote.partition("<")[0]).strip()
        made = {"quote": words, "note": "Annas secret words"}
        assert anna.post(f"/articles/{first}/highlights", made).status_code == 303
        give_icons(world)
        self.secrets = self._secrets(anna)
        self.rows: dict[str, Sequence[Any]] = {}
        self.watch()

    def _secrets(self, anna: Browser) -> dict[str, str]:
        """What only Anna has, by what it is."""
        with self.world.store.database.read() as connection:
            found = {row.title: "title" for row in connection.execute(select(articles.c.title))}
            found |= {row.url: "article's address" for row in connection.execute(select(articles))}
            for row in connection.execute(select(feeds)):
                found |= {row.title: "feed", row.url: "feed's address"}
        mine = self.world.store.accounts.everything_of(self.world.user)
        found |= {row["category"]: "category" for row in mine["subscriptions"]}
        found |= {row["text"]: "interest" for row in mine["interests"]}
        found |= {row["name"]: "rule" for row in mine["rules"]}
        found |= {row["title"]: "digest" for row in mine["digests"] if "Anna" in row["title"]}
        found |= {"Annas secret tablet": "app password", "192.0.2.77": "address"}
        secret = ("tag", "note", "list", "words", "name")
        found |= {f"Annas secret {one}": one for one in secret}
        token = self.world.store.digests.feed_token(self.world.user, "digests")
        podcast = self.world.store.digests.feed_token(self.world.user, PREFIX + "en")
        found |= dict.fromkeys((token, podcast, LEAVE_TOKEN), "secret address")
        found |= {row["title"]: "brief" for row in mine["briefs"]}
        # The page of interests has an example that Anna happened to take.
        examples = "open source, sailing, the energy transition"
        return {
            words: what for words, what in found.items() if len(words) > 7 and words not in examples
        }

    def numbers(self) -> list[int]:
        """The first and the last number of each kind of thing that is Anna's."""
        kinds: dict[tuple[str, str], set[int]] = defaultdict(set)
        for table, rows in self.world.store.accounts.everything_of(self.world.user).items():
            for name, value in (pair for row in rows for pair in row.items()):
                if (name == "id" or name.endswith("_id")) and isinstance(value, int):
                    kinds[table, name].add(value)
        ends = {end for one in kinds.values() for end in (min(one), max(one))}
        return sorted(ends - {self.bob})

    def watch(self) -> None:
        """Note each table that is written to."""
        with self.world.store.database.write() as connection:
            connection.exec_driver_sql("CREATE TABLE touched (name TEXT)")
            for name in sorted(metadata.tables):
                for what in ("INSERT", "UPDATE", "DELETE"):
                    connection.exec_driver_sql(
                        f"CREATE TRIGGER touched_{name}_{what} AFTER {what} ON {name}"
                        f" BEGIN INSERT INTO touched VALUES ('{name}'); END"
                    )
                connection.exec_driver_sql("INSERT INTO touched VALUES (?)", (name,))

    def changed(self) -> set[str]:
        """The tables that are not as they were the last time, but for what signing in changes."""
        found = set()
        with self.world.store.database.write() as connection:
            touched = connection.exec_driver_sql("SELECT DISTINCT name FROM touched").all()
            for (name,) in touched:
                rows = connection.execute(metadata.tables[name].select()).all()
                if self.rows.get(name) != rows:
                    self.rows[name] = rows
                    found.add(name)
            connection.exec_driver_sql("DELETE FROM touched")
        return found - {"sessions", "sign_ins", "sign_in_failures"}

    def browser(self) -> Browser:
        return self.peopled.browser(BOB, address="203.0.113.1")

    def leaks(self, body: str) -> set[str]:
        plain = html.unescape(body)
        return {f"{what}: {words}" for words, what in self.secrets.items() if words in plain}


@pytest.fixture(scope="module")
def scene(furnished: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    folder = tmp_path_factory.mktemp("isolated")
    copied(furnished, folder)
    opened = open_world(folder)
    crowded(opened)
    digested(opened)
    storied(opened, opened.named(NEWS[0]["title"]), opened.named(NEWS[1]["title"]))
    briefed(opened, folder / "sound")
    # Everybody may pick a topic that is called as this category was.
    opened.store.reading.rename_category(opened.user, "Technology", "Annas machines")
    yield Scene(opened)
    opened.store.close()


def filled(path: str, number: int) -> str:
    return re.sub(r"\{\w+\}", str(number), path)


def as_of_nothing(answer: Any, nobodys: Any, number: int) -> bool:
    """Whether an answer is what a number that nothing has would get, but for the number."""
    expected = nobodys.text.replace(str(NOBODYS), str(number))
    return (answer.status_code, answer.text) == (nobodys.status_code, expected)


def test_anna_sees_what_bob_must_not(scene: Scene) -> None:
    """Or the tests below would pass for want of anything to leak."""
    anna = scene.peopled.browser(ANNA)
    shown: set[str] = set()
    for path in (
        "/",
        "/?show=all",
        "/highlights",
        "/feeds",
        "/you",
        "/digest",
        "/briefs",
        "/briefs/settings",
        "/notifications",
        "/stories",
        "/account",
        "/rules",
    ):
        shown |= scene.leaks(anna.get(path).text)
    assert {one.partition(":")[0] for one in shown} >= {
        "title", "feed", "category", "interest", "app password", "address", "tag", "note",
        "list", "words", "rule", "name", "brief",
    }  # fmt: skip
    assert len(scene.numbers()) > 6
    assert {anna.get(f"/icons/{number}").status_code for number in range(1, 9)} == {200, 404}


def test_no_page_shows_another_what_somebody_reads(scene: Scene) -> None:
    bob, numbers, offenders = scene.browser(), scene.numbers(), []
    for path in READS:
        nobodys = bob.get(filled(path, NOBODYS))
        if leaks := scene.leaks(nobodys.text):
            offenders.append((path, NOBODYS, nobodys.status_code, leaks))
        for number in numbers if "{" in path else ():
            answer = bob.get(filled(path, number))
            if not as_of_nothing(answer, nobodys, number):
                offenders.append((path, number, answer.status_code, scene.leaks(answer.text)))
    assert offenders == []
    assert bob.get("/account").status_code == 200, "nothing ended the session"


QUERIES = (
    "feed={feed}",
    "feed={feed}&show=all&order=newest",
    "category={category}&show=all",
    "show=all&cluster={article}",
    "q={word}",
    "q={word}&sort=newest",
    "domain={domain}",
    "at=page%3Dlist%26feed%3D{feed}%26show%3Dall",
    "show=all&after={after}",
    "show=all&offset=1",
    "since=the+day+before+yesterday",
    "kind=weekly",
    "did=removed&n={feed}",
    "state=archived",
)


def test_no_query_shows_another_what_somebody_reads(scene: Scene) -> None:
    bob, anna = scene.browser(), scene.peopled.browser(ANNA)
    listed = anna.get("/api/v1/articles?show=all&limit=10").json()
    query = ListQuery(unread_only=False, limit=10)
    end = scene.peopled.reader_of(scene.world.user).listing(query).after
    given = {
        "feed": listed["items"][0]["feed_id"],
        "article": listed["items"][0]["id"],
        "category": "Harbour news",
        "word": quote("tide"),
        "domain": "meridian.example",
        "after": quote(cursors.written(end)),
    }
    offenders = []
    for path in READS:
        for query in QUERIES if "{" not in path else ():
            body = bob.get(f"{path}?{query.format(**given)}").text
            leaks = {
                one for one in scene.leaks(body) if not one.endswith(("tide", given["domain"]))
            }
            if leaks:
                offenders.append((path, query, leaks))
    assert offenders == []
    assert bob.get("/account").status_code == 200, "nothing ended the session"


def test_whether_anybody_follows_a_source_is_not_told(scene: Scene) -> None:
    bob = scene.browser()
    for domain in ("meridian.example", "example.org"):
        assert bob.get(f"/sources?domain={domain}").status_code == 200
    known, unknown = (
        bob.get(f"/sources?domain={one}").text.replace(one, "D")
        for one in ("meridian.example", "unknown1.example")
    )
    assert known == unknown


def rows_of(scene: Scene, user: UserId, names: Collection[str]) -> dict[str, Sequence[Any]]:
    """The rows of a person in those tables."""
    with scene.world.store.database.read() as connection:
        return {
            table.name: connection.execute(select(table).where(mine), {"user": user}).all()
            for table, mine in of_person(alone=True)
            if table.name in names
        }


FORM = {
    "at": "page=list&feed=1&show=all",
    "shown": "1:10,2:10,3:10",
    "kind": "like",
    "ids": "1,2,3",
    "id": "1",
    "article": "1",
    "other": "2",
    "story": "1",
    "into": "1",
    "stand": "followed",
    "do": "part",
    "rule": "block",
    "domain": "meridian.example",
    "role": "admin",
    "name": "anna",
    "password": "a wrong password",
    "old": "a wrong password",
    "new": "another long password",
    "days": "1",
    "minutes": "60",
    "on": "yes",
    "url": "https://meridian.example/feed.xml",
    "marks": "[]",
}


# What programs send, by the last part of the address; the numbers are put in.
BODIES: dict[str, dict[str, Any]] = {
    "all": {"as_of": "MTAwLTEwMA", "show": "all"},
    "rename": {"name": "Harbour news", "to": "Mine"},
    "subscription": {"subscription": "mute"},
    "saved-lists": {"name": "Mine", "q": "tide"},
    "interests": {"text": "sailing"},
    "feeds": {"url": "https://meridian.example/feed.xml"},
}


def sent(browser: Browser, method: str, path: str, number: int) -> Any:
    """A change, as a page or a program sends it."""
    if not is_api(path):
        form = FORM | dict.fromkeys(("article", "ids", "id"), str(number))
        return browser.post(filled(path, number), form)
    body = BODIES.get(path.rpartition("/")[2], {"mark": "like", "articles": [number]})
    if path.endswith("}/marks"):
        body = {"mark": "like"}
    elif path.endswith("{number}"):
        body = {"title": "Taken"} if "feeds" in path else {"name": "Taken"}
    return browser.ask(method, filled(path, number), json=body, headers=SAME)


def test_nothing_of_somebody_changes_by_another(scene: Scene) -> None:
    found, offenders = scene.numbers(), []
    scene.changed()
    annas, held = (rows_of(scene, one, metadata.tables) for one in (scene.world.user, scene.bob))
    for method, path in CHANGES:
        if path in LAST:
            continue
        bob = scene.browser()
        held |= rows_of(scene, scene.bob, {"sessions"})
        own = {getattr(row, "id", None) for rows in held.values() for row in rows}
        every = ("{" in path or path == "/api/v1/marks") and path not in BY_SECRET
        nobodys = sent(bob, method, path, NOBODYS)
        for number in (NOBODYS, *found) if every else (NOBODYS,):
            answer = sent(bob, method, path, number)
            leaks = scene.leaks(answer.text)
            alike = number in {NOBODYS, *own} or as_of_nothing(answer, nobodys, number)
            if leaks or not alike:
                offenders.append((method, path, number, leaks, answer.text))
        if changed := scene.changed():
            before, held = held, held | rows_of(scene, scene.bob, changed)
            taken = {name for name in changed if not (before.get(name) or held.get(name))}
            now = rows_of(scene, scene.world.user, changed)
            taken |= {name for name, rows in now.items() if rows != annas[name]}
            if taken:
                offenders.append((method, path, taken))
    assert offenders == []
    assert all(annas[name] for name in ("subscriptions", "events", "states", "interests"))


def test_what_ends_a_session_ends_ones_own(scene: Scene) -> None:
    anna = scene.peopled.browser(ANNA)
    scene.changed()
    for path in LAST:
        answer = scene.browser().post(path, FORM)
        found = (scene.leaks(answer.text), scene.changed(), anna.get("/help").status_code)
        assert found == (set(), set(), 200), path


def test_nobody_gets_anything_without_signing_in(scene: Scene) -> None:
    """A route that is new is closed, unless somebody opened it."""
    stranger, offenders = Browser(scene.peopled.app, address="203.0.113.200"), []
    form = FORM | {"name": ""}
    scene.changed()
    for method, path in ROUTES:
        for number in (1, 2, NOBODYS):
            text = filled(path, number)
            answer = (
                stranger.get(text)
                if method == "GET"
                else stranger.ask(method, text, data=form, headers=SAME)
            )
            opened = any(
                text == one or (one.endswith("/") and text.startswith(one)) for one in OPEN
            )
            if scene.leaks(answer.text) or not (opened or answer.status_code in {303, 401}):
                offenders.append((method, text, answer.status_code))
        if changed := scene.changed():
            offenders.append((method, path, changed))
    assert offenders == []


def test_every_row_of_anna_is_still_there(scene: Scene) -> None:
    """After all of the above, she sees what she saw."""
    found = scene.leaks(scene.peopled.browser(ANNA).get("/?show=all").text)
    assert len(found) > 20
    assert {table.name for table, _mine in of_person()} >= {"states", "events", "digests"}
