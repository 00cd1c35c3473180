"""What the pages do, programs do: each form has an operation of the API, or a reason for none."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from migrated import copied
from newsloom.api.document import operations
from newsloom.web.app import ROOMS
from web.peopled import ANNA, Peopled, Program
from web.world import NEWS, World, open_world

API = "/api/v1"

# What a page posts to, by what stands first in its path, and the operations that do the same.
# Several forms of a page are one operation, and the other way round.
DONE_BY = {
    "/articles/{number}/coverage": "POST /articles/{number}/coverage",
    "/articles/{number}/finished": "",  # a page that reports what it showed
    "/articles/{number}/highlights": "POST /articles/{number}/highlights",
    "/articles/{number}/marks": "POST /articles/{number}/marks",
    "/articles/{number}/note": "PUT /articles/{number}/note",
    "/articles/{number}/opened": "",
    "/articles/{number}/rejoin": "DELETE /articles/{number}/split",
    "/articles/{number}/share": "POST /articles/{number}/shares",
    "/articles/{number}/split": "POST /articles/{number}/split",
    "/articles/{number}/tags": "POST /articles/{number}/tags",
    "/begin": "POST /feeds",
    "/briefs": "POST /briefs",
    "/briefs/podcast": "POST /briefs/podcasts/{language}",
    "/briefs/pronunciations": "PUT /pronunciations",
    "/briefs/pronunciations/drop": "DELETE /pronunciations/{written}",
    "/briefs/schedules": "POST /briefs/schedules",
    "/briefs/schedules/{number}/drop": "DELETE /briefs/schedules/{number}",
    "/briefs/{number}/again": "POST /briefs/{number}/sound",
    "/briefs/{number}/drop": "DELETE /briefs/{number}",
    "/briefs/{number}/heard": "PUT /briefs/{number}/heard",
    "/briefs/{number}/marks": "POST /marks",
    "/categories": "POST /categories",
    "/categories/drop": "POST /categories/rename",
    "/categories/order": "PUT /categories/order",
    "/categories/rename": "POST /categories/rename",
    "/coverage/switch": "PUT /coverage",
    "/coverage/{number}/reject": "DELETE /coverage/reports/{number}",
    "/digest/feed": "POST /digests/feed",
    "/digest/schedules": "POST /digests/schedules",
    "/digest/schedules/{number}/drop": "DELETE /digests/schedules/{number}",
    "/digest/{number}/marks": "POST /marks",
    "/digest/{number}/read": "POST /marks",
    "/feeds": "POST /feeds",
    "/feeds/alphabetical": "DELETE /feeds/order",
    "/feeds/bulk": "PATCH /feeds/{number}",
    "/feeds/import": "POST /opml",
    "/feeds/left/{moment}/return": "POST /feeds/{number}/return",
    "/feeds/moves/{move}/undo": "POST /feeds/moves/{number}/undo",
    "/feeds/order": "PUT /feeds/order",
    "/feeds/refresh": "POST /feeds/refresh",
    "/feeds/seen": "POST /feeds/{number}/seen",
    "/feeds/{number}/edit": "PATCH /feeds/{number}",
    "/feeds/{number}/floor": "PATCH /feeds/{number}",
    "/feeds/{number}/full-text": "PATCH /feeds/{number}",
    "/feeds/{number}/keep-out": "POST /feeds/{number}/quarantine",
    "/feeds/{number}/let-in": "POST /feeds/{number}/quarantine",
    "/feeds/{number}/refresh": "POST /feeds/{number}/refresh",
    "/feeds/{number}/remove": "DELETE /feeds/{number}",
    "/feeds/{number}/return": "POST /feeds/{number}/return",
    "/feeds/{number}/seen": "POST /feeds/{number}/seen",
    "/feeds/{number}/take-back": "DELETE /feeds/{number}/quarantine",
    "/highlights/{number}/drop": "DELETE /highlights/{number}",
    "/highlights/{number}/note": "PUT /highlights/{number}/note",
    "/interests": "POST /interests",
    "/interests/pace": "PUT /pace",
    "/interests/topics": "PUT /topics/{term}",
    "/interests/{number}/remove": "DELETE /interests/{number}",
    "/lists": "POST /saved-lists",
    "/lists/{number}/address": "POST /saved-lists/{number}/feed",
    "/lists/{number}/drop": "DELETE /saved-lists/{number}",
    "/lists/{number}/rename": "PATCH /saved-lists/{number}",
    "/look": "PUT /preferences/{name}",
    "/marks": "POST /marks",
    "/marks/above": "POST /marks",
    "/marks/all": "POST /marks/all",
    "/marks/passed": "POST /marks",
    "/model/back": "POST /model/back",
    "/model/forget": "POST /forgotten",
    "/model/half-lives": "PUT /half-lives",
    "/model/measure": "POST /model/measure",
    "/model/remember/{number}": "DELETE /forgotten/{number}",
    "/model/train": "POST /model/train",
    "/offline/marks": "POST /marks",
    "/preferences": "PUT /preferences/{name}",
    "/quality": "PUT /quality/publishers/{domain}",
    "/rules/edit": "POST /rules",
    "/rules/import": "POST /rules/import",
    "/rules/muted/{number}/back": "DELETE /rules/muted/{number}",
    "/rules/{number}/drop": "DELETE /rules/{number}",
    "/rules/{number}/move": "PATCH /rules/{number}",
    "/rules/{number}/switch": "PATCH /rules/{number}",
    "/sharing": "POST /share-services",
    "/sharing/published": "POST /saved-lists/{number}/feed",
    "/sharing/published/end": "DELETE /saved-lists/{number}/feed",
    "/sharing/{number}/drop": "DELETE /share-services/{number}",
    "/sharing/{number}/stars": "PATCH /share-services/{number}",
    "/sources/tier": "PUT /sources/{domain}",
    "/story/{number}/looked": "POST /stories/{number}/looked",
    "/story/{number}/merge": "POST /stories/{number}/merge",
    "/story/{number}/part": "PUT /articles/{number}/story",
    "/story/{number}/read": "POST /stories/{number}/read",
    "/story/{number}/seen": "",
    "/story/{number}/subscription": "PUT /stories/{number}/subscription",
    "/tags/drop": "DELETE /tags/{name}",
    "/tags/rename": "PATCH /tags/{name}",
    "/tags/these": "POST /articles/{number}/tags",
    "/threads/undo": "POST /threads/corrections/{number}/undo",
    "/threads/{number}/merge": "POST /threads/{number}/merge",
    "/threads/{number}/split": "POST /threads/{number}/split",
    "/threads/{number}/subscription": "PUT /threads/{number}/subscription",
    "/undo": "POST /undo",
}
# Each kind of notification has operations of its own.
NOTIFICATIONS = "/notifications/{kind}"
# An app password neither changes who signs in nor administers; a browser's own look and the words
# of a voice have nothing to do with programs; hubs and links in mails know no account.
ONLY_PAGES = (
    "/account/",
    "/admin/",
    "/sign-in",
    "/sign-out",
    "/invited/",
    "/keys",
    "/theme",
    "/tour",
    "/pulse",
    "/rows",
    "/briefs/hear",
    "/push/",
    "/digest/leave/",
)


def test_every_form_has_an_operation() -> None:
    posted = {
        route.path
        for room in ROOMS
        for route in room.router.routes
        if "POST" in route.methods and not route.path.startswith(API)
    }
    known = {f"{one.method} {one.path}".removeprefix(API) for one in operations()}
    known |= {f"{one.method} {one.path.removeprefix(API)}" for one in operations()}
    left = {one for one in posted if not one.startswith(ONLY_PAGES)} - {NOTIFICATIONS}
    assert sorted(left ^ DONE_BY.keys()) == []
    assert sorted({one for one in DONE_BY.values() if one} - known) == []


@pytest.fixture
def world(furnished: Path, tmp_path: Path) -> Iterator[World]:
    copied(furnished, tmp_path / "store")
    made = open_world(tmp_path / "store")
    yield made
    made.store.close()


@pytest.fixture
def anna(world: World) -> Program:
    people = Peopled(world)
    people.add(ANNA)
    return people.program(world.user)


def test_highlights_and_tags(world: World, anna: Program) -> None:
    article = world.named(NEWS[0]["title"])
    words = " ".join(world.reader().article(article).listed.excerpt.split()[:4])
    made = anna.ask("POST", f"{API}/articles/{article}/highlights", {"quote": words, "note": "So."})
    assert (made.status_code, made.json()["exact"], made.json()["note"]) == (201, words, "So.")
    number = made.json()["id"]
    assert anna.ask("PUT", f"{API}/highlights/{number}/note", {"note": "No."}).status_code == 204
    assert anna.get(f"{API}/notes").json()["items"][0]["highlights"][0]["note"] == "No."
    nowhere = {"quote": "words that are in no article"}
    assert anna.ask("POST", f"{API}/articles/{article}/highlights", nowhere).status_code == 400
    for _twice in range(2):
        assert anna.ask("DELETE", f"{API}/highlights/{number}").status_code == 204
    assert anna.get(f"{API}/notes").json()["items"] == []
    anna.ask("POST", f"{API}/articles/{article}/tags", {"tags": ["sea", "tides"]})
    assert anna.ask("PATCH", f"{API}/tags/sea", {"name": "coast"}).json() == {"name": "coast"}
    assert anna.ask("DELETE", f"{API}/tags/tides").status_code == 204
    assert [one["name"] for one in anna.get(f"{API}/tags").json()["items"]] == ["coast"]
    assert anna.ask("PATCH", f"{API}/tags/none", {"name": "x"}).status_code == 404


def test_the_feed_of_a_saved_list(anna: Program) -> None:
    number = anna.ask("POST", f"{API}/saved-lists", {"name": "All"}).json()["id"]
    place = f"{API}/saved-lists/{number}/feed"
    assert anna.get(place).json() == {"atom": "", "json_feed": ""}
    made = anna.ask("POST", place, {}).json()
    assert anna.get(place).json() == made
    assert b"<feed" in anna.get(urlsplit(made["atom"]).path).content
    assert anna.ask("DELETE", place).status_code == 204
    assert anna.get(urlsplit(made["atom"]).path).status_code == 404


def test_categories_and_feeds_in_an_order_of_ones_own(anna: Program) -> None:
    def names() -> list[str]:
        return [one["name"] for one in anna.get(f"{API}/categories").json()["items"] if one["name"]]

    def feeds() -> list[int]:
        return [one["id"] for one in anna.get(f"{API}/feeds").json()["items"]]

    assert anna.ask("POST", f"{API}/categories", {"name": " New  one "}).json()["name"] == "New one"
    first = feeds()
    order = {"feeds": first[:3], "category": "New one"}
    assert anna.ask("PUT", f"{API}/feeds/order", order).status_code == 204
    last = names()[::-1]
    assert anna.ask("PUT", f"{API}/categories/order", {"names": last}).status_code == 204
    assert names() == last
    found = anna.get(f"{API}/categories").json()["items"]
    assert next(one for one in found if one["name"] == "New one")["feeds"] == sorted(first[:3])
    order = {"feeds": first[2::-1], "category": "New one"}
    anna.ask("PUT", f"{API}/feeds/order", order)
    assert [one for one in feeds() if one in first[:3]] == first[2::-1]
    assert anna.ask("DELETE", f"{API}/feeds/order").status_code == 204
    assert names() == sorted(last, key=str.casefold)
    for path, body in (("categories/order", {"names": ["None"]}), ("feeds/order", {"feeds": [99]})):
        assert anna.ask("PUT", f"{API}/{path}", body).status_code == 404


def test_share_services(world: World, anna: Program) -> None:
    kinds = {one["kind"] for one in anna.get(f"{API}/share-services").json()["kinds"]}
    assert "linkding" in kinds
    bad = {"kind": "linkding", "fields": {}}
    assert anna.ask("POST", f"{API}/share-services", bad).status_code == 400
    fields = {"url": "https://links.example", "token": "hidden"}
    made = anna.ask("POST", f"{API}/share-services", {"kind": "linkding", "fields": fields})
    assert made.status_code == 201
    assert "hidden" not in anna.get(f"{API}/share-services").text
    number, article = made.json()["id"], world.named(NEWS[0]["title"])
    shared = anna.ask("POST", f"{API}/articles/{article}/shares", {"service": number})
    assert shared.json()["items"][0]["state"] == "waiting"
    assert anna.get(f"{API}/shares").json() == shared.json()
    place = f"{API}/share-services/{number}"
    assert anna.ask("PATCH", place, {"stars": True}).status_code == 204
    assert anna.get(f"{API}/share-services").json()["items"][0]["stars"]
    assert anna.ask("DELETE", place).status_code == 204
    assert anna.ask("POST", f"{API}/articles/{article}/shares", {"service": number}).is_error


def test_the_model_and_pronunciations(anna: Program) -> None:
    found = anna.get(f"{API}/model").json()
    assert (found["running"], found["failed"]) == ("", False)
    # A process that only reads has no model to work on.
    for step in ("train", "measure", "back"):
        assert anna.ask("POST", f"{API}/model/{step}", {}).status_code in (202, 404)
    place, word = f"{API}/pronunciations", {"written": "Łódź", "spoken": "Woodge", "language": ""}
    assert anna.ask("PUT", place, word).status_code == 204
    assert anna.get(place).json()["items"] == [word]
    assert anna.ask("PUT", place, word | {"language": "xxx"}).status_code == 400
    assert anna.ask("DELETE", f"{place}/Łódź").status_code == 204
    assert anna.get(place).json()["items"] == []
