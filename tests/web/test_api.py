"""The JSON API as programs use it: with an app password, over the pages' own use cases."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from migrated import copied
from newsloom.accounts.values import KEY_LIFETIME, KeyedRequest, Role
from newsloom.api.pace import Pace
from newsloom.feeds.values.published import ParsedArticle
from newsloom.reading.values.reading import ListQuery, Order
from web.crowded import crowded
from web.digested import digested
from web.peopled import ANNA, BOB, SAME, Browser, Peopled, Program
from web.storied import storied
from web.world import NEWS, World, open_world

API = "/api/v1"


@pytest.fixture(scope="module")
def furnished_whole(furnished: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole")
    copied(furnished, folder)
    world = open_world(folder)
    crowded(world)
    digested(world)
    storied(world, world.named(NEWS[0]["title"]), world.named(NEWS[1]["title"]))
    world.store.close()
    return folder


@pytest.fixture
def people(furnished_whole: Path, tmp_path: Path) -> Iterator[Peopled]:
    copied(furnished_whole, tmp_path / "store")
    world = open_world(tmp_path / "store")
    made = Peopled(world)
    made.add(ANNA)
    yield made
    world.store.close()


@pytest.fixture
def world(people: Peopled) -> World:
    return people.world


@pytest.fixture
def anna(people: Peopled) -> Program:
    return people.program(people.world.user)


def problem(answer: Any, status: int) -> str:
    """The detail of an answer that is problem details (RFC 9457)."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    told = answer.json()
    assert told["status"] == status
    assert told["type"] == "about:blank"
    return told["detail"]


def pages(anna: Program, path: str, **parts: Any) -> list[int]:
    """A whole list, page by page."""
    query = "&".join(f"{name}={value}" for name, value in parts.items())
    found, after = [], ""
    while after is not None:
        page = anna.get(f"{API}{path}?{query}&after={after}").json()
        found += [one["id"] for one in page["items"]]
        after = page["next"]
    return found


# --- who asks ---


def test_an_app_password_shows_whose_reading_it_is(people: Peopled, anna: Program) -> None:
    bob = people.program(people.add(BOB))
    assert anna.get(f"{API}/me").json()["name"] == "anna"
    assert bob.get(f"{API}/me").json()["name"] == "bob"
    assert bob.get(f"{API}/articles?show=all").json()["items"] == []
    stranger = Browser(people.app)
    assert "Sign in" in problem(stranger.get(f"{API}/me"), 401)
    # Never "Basic": a browser would ask for a password, and add it to what any page sends.
    assert stranger.get(f"{API}/me").headers["www-authenticate"].startswith("Bearer")
    assert problem(Program(people.app, "wrong").get(f"{API}/me"), 401)
    assert stranger.get(f"{API}/openapi.json").status_code == 200
    # It opens no page, and administers nothing.
    assert anna.get("/feeds").status_code == 303
    named = base64.b64encode(f"anna:{anna.secret}".encode()).decode()
    for scheme, secret in (("Basic", named), ("basic", named), ("bearer", anna.secret)):
        answer = stranger.get(f"{API}/me", authorization=f"{scheme} {secret}")
        assert answer.json()["name"] == "anna"
    for shown in ("Basic !", "Basic " + base64.b64encode(b"bob:" + anna.secret.encode()).decode()):
        assert stranger.get(f"{API}/me", authorization=shown).status_code == 401


def test_what_is_of_all_readers_is_for_administrators(people: Peopled, anna: Program) -> None:
    """An app password administers nothing, whoever made it."""
    for method, path in (("GET", "/quality/publishers"), ("PUT", "/quality/publishers/a.example")):
        text = problem(anna.ask(method, API + path, {"rule": "block"}), 403)
        assert "Administrators" in text
    people.add(BOB, Role.ADMIN)
    assert people.browser(BOB).get(f"{API}/quality/publishers").json()["items"]


def test_guesses_are_slowed(people: Peopled) -> None:
    answers = [Program(people.app, f"guess {one}").get(f"{API}/me") for one in range(120)]
    assert {one.status_code for one in answers} == {401, 429}
    assert int(answers[-1].headers["retry-after"]) > 0
    assert "Too many" in problem(answers[-1], 429)


def test_a_program_that_asks_without_end_is_stopped_and_nobody_else(people: Peopled) -> None:
    anna, bob = people.program(people.world.user), people.program(people.add(BOB))
    now = [0.0]
    people.app.state.pace = Pace(3, lambda: now[0])
    assert [anna.get(f"{API}/me").status_code for _ in range(4)] == [200, 200, 200, 429]
    answer = anna.get(f"{API}/me")
    assert "Too many" in problem(answer, 429)
    assert answer.headers["retry-after"] == "20"
    assert bob.get(f"{API}/me").status_code == 200
    now[0] = 20.0
    assert [anna.get(f"{API}/me").status_code for _ in range(2)] == [200, 429]


def test_a_change_needs_more_than_a_cookie(people: Peopled, anna: Program) -> None:
    """A browser adds its cookie to what any page sends; an app password it does not."""
    browser = people.browser(ANNA)
    one = browser.get(f"{API}/articles?show=all&limit=1").json()["items"][0]["id"]
    path, star = f"{API}/articles/{one}/marks", {"mark": "star"}
    elsewhere = {"sec-fetch-site": "cross-site", "origin": "https://evil.example"}
    for headers in (elsewhere, {"origin": "https://evil.example"}, {"content-type": "text/plain"}):
        answer = browser.ask("POST", path, content=json.dumps(star), headers=headers)
        assert "Not authorised" in problem(answer, 403)
    assert browser.ask("POST", path, json=star, headers=SAME).status_code == 200
    basic = base64.b64encode(f"anna:{anna.secret}".encode()).decode()
    stranger = Browser(people.app)
    values = {**elsewhere, "authorization": f"Basic {basic}"}
    assert problem(stranger.ask("POST", path, json=star, headers=values), 403)
    # A browser never sends this by itself: whatever sends it was given it.
    assert anna.ask("POST", path, star, headers=elsewhere).status_code == 200
    for origin in ("https://evil.example", "null"):
        answer = stranger.ask("OPTIONS", path, headers={"origin": origin})
        assert "access-control-allow-origin" not in answer.headers


# --- lists ---


def test_pages_are_the_list_whatever_comes_and_is_read_meanwhile(
    people: Peopled, anna: Program
) -> None:
    world = people.world
    for order in Order:
        query = ListQuery(order=order, unread_only=False, limit=1_000)
        expected = [one.id for one in world.reader().listing(query).rows]
        assert pages(anna, "/articles", show="all", order=order.value, limit=7) == expected
    expected = pages(anna, "/articles", limit=200)
    assert len(expected) > 20
    first = anna.get(f"{API}/articles?limit=5").json()
    feed = world.feed("https://late.example/feed.xml", "Late")
    world.put(feed, ParsedArticle(guid="late", url="https://late.example/1", title="Late news"))
    for one in expected[:12]:
        assert anna.post(f"{API}/articles/{one}/marks", {"mark": "read"}).json()["changed"] == 1
    found, after = [one["id"] for one in first["items"]], first["next"]
    while after is not None:
        page = anna.get(f"{API}/articles?limit=5&after={after}").json()
        found, after = found + [one["id"] for one in page["items"]], page["next"]
    assert found == expected


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("articles?limit=0", "query.limit"),
        ("articles?limit=201", "query.limit"),
        ("articles?nothing=1", "query.nothing"),
        ("articles?order=best", "query.order"),
        ("articles?feed=99999999999999999999", "query.feed"),
        ("articles?category=%00", "query.category"),
        ("articles?since=2026-11-20", "query.since"),
        ("articles?language=%21%21", "no language"),
        ("articles?after=AAAA", "no page of this list"),
        ("articles?since=0001-01-01T00:00:00%2B14:00", "outside the calendar"),
        ("search?q=score:x", "not a score"),
        ("search", "query.q"),
        ("digests/now?kind=ad%20hoc", "Give `since`"),
    ],
)
def test_what_cannot_be_asked_for_is_told(anna: Program, text: str, said: str) -> None:
    answer = anna.get(f"{API}/{text}")
    problem(answer, 400)
    assert said in answer.text


def test_a_cursor_is_of_its_list_alone(anna: Program) -> None:
    after = anna.get(f"{API}/articles?limit=2&show=all").json()["next"]
    again = anna.get(f"{API}/articles?limit=9&show=all&after={after}")
    assert len(again.json()["items"]) == 9
    for other in ("order=newest&show=all", "show=unread", "show=all&rows=article"):
        problem(anna.get(f"{API}/articles?{other}&after={after}"), 400)
    problem(anna.get(f"{API}/search?q=tide&after={after}"), 400)


def test_a_search_has_pages_too(anna: Program) -> None:
    whole = anna.get(f"{API}/search?q=article&sort=newest&limit=200").json()
    assert whole["count"] == len(whole["items"]) > 20
    assert pages(anna, "/search", q="article", sort="newest", limit=9) == [
        one["id"] for one in whole["items"]
    ]


def test_an_answer_that_is_there_already_is_not_sent_again(anna: Program) -> None:
    answer = anna.get(f"{API}/feeds")
    again = anna.get(f"{API}/feeds", **{"if-none-match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert anna.get(f"{API}/feeds", **{"if-none-match": '"other"'}).status_code == 200


# --- one article ---


def test_an_article_whole(world: World, anna: Program) -> None:
    first = world.named(NEWS[0]["title"])
    found = anna.get(f"{API}/articles/{first}").json()
    assert found["title"] == NEWS[0]["title"]
    assert "<p>" in found["html"]
    assert "<p>" not in found["text"]
    assert found["copies"]
    assert found["reports"][0]["evidence"]
    assert found["part_of"]["title"] == "The tide tables"
    why = anna.get(f"{API}/articles/{first}/why").json()
    assert why["relevance"] == pytest.approx(50 + sum(one["effect"] for one in why["reasons"]))
    related = anna.get(f"{API}/articles/{first}/related?days=90").json()["items"]
    assert related
    assert first not in {one["article"]["id"] for one in related}
    problem(anna.get(f"{API}/articles/999999"), 404)
    problem(anna.get(f"{API}/articles/0"), 404)


# --- marks ---


def test_marks_are_as_on_the_pages_and_a_request_may_be_sent_twice(
    world: World, anna: Program
) -> None:
    unread = anna.get(f"{API}/articles?limit=200").json()["items"]
    one, other, third = [each for each in unread if not (each["starred"] or each["rating"])][:3]
    path = f"{API}/articles/{one['id']}/marks"
    for mark, shown in (
        ("read", ("read", True)),
        ("unread", ("read", False)),
        ("star", ("starred", True)),
        ("unstar", ("starred", False)),
        ("like", ("rating", 1)),
        ("dislike", ("rating", -1)),
        ("unrate", ("rating", 0)),
    ):
        assert anna.post(path, {"mark": mark}).json()["changed"] == 1
        assert anna.post(path, {"mark": mark}).json()["changed"] == 0
        assert anna.get(f"{API}/articles/{one['id']}").json()[shown[0]] == shown[1]
    both = {"mark": "star", "articles": [other["id"], third["id"], 987_654]}
    assert anna.post(f"{API}/marks", both).json() == {"changed": 2, "unknown": [987_654]}
    assert anna.post(f"{API}/marks", both).json()["changed"] == 0
    undone = anna.post(f"{API}/undo").json()
    assert {each["id"] for each in undone["articles"]} == {other["id"], third["id"]}
    assert not anna.get(f"{API}/articles/{other['id']}").json()["starred"]
    problem(anna.post(f"{API}/articles/987654/marks", {"mark": "like"}), 404)
    problem(anna.post(f"{API}/marks", {"mark": "like", "articles": []}), 400)
    problem(anna.post(f"{API}/marks", {"mark": "skip", "articles": [1]}), 400)
    problem(anna.post(f"{API}/marks", {"mark": "like", "articles": [1] * 10_001}), 400)
    many = anna.ask("POST", f"{API}/marks", content=b"[" + b"1," * 600_000)
    assert "larger than" in problem(many, 413)


def test_a_list_is_marked_read_as_it_was_shown(world: World, anna: Program) -> None:
    page = anna.get(f"{API}/articles?category=Science&limit=2").json()
    feed = world.feed("https://late.example/feed.xml", "Late", "Science")
    world.put(feed, ParsedArticle(guid="late", url="https://late.example/1", title="Late news"))
    said = {"category": "Science", "as_of": page["as_of"]}
    assert anna.post(f"{API}/marks/all", said).json()["changed"] > 2
    left = anna.get(f"{API}/articles?category=Science").json()["items"]
    assert [one["title"] for one in left] == ["Late news"]
    assert anna.post(f"{API}/marks/all", said).json()["changed"] == 0
    problem(anna.post(f"{API}/marks/all", {"as_of": "AAAA"}), 400)


def test_a_request_with_a_key_is_done_once(world: World, anna: Program) -> None:
    def ask(key: str, name: str, kind: str = "title") -> Any:
        rule = {"name": name, "conditions": [{"kind": kind, "value": "sea"}]}
        body = rule | {"actions": [{"kind": "star"}]}
        return anna.ask("POST", f"{API}/rules", body, headers={"idempotency-key": key})

    first, again = ask("one", "Sea"), ask("one", "Sea")
    assert (again.status_code, again.json()) == (201, first.json())
    assert again.headers["idempotency-replayed"] == "true"
    assert "Another request" in problem(ask("one", "Ocean"), 422)
    assert ask("two", "Sea").json()["id"] != first.json()["id"]
    # What failed is done when it is sent again; what was never answered is not.
    problem(ask("three", "Pond", "x"), 400)
    assert ask("three", "Lake").status_code == 201
    sent = world.store.accounts.everything_of(world.user)["idempotency_keys"]
    killed = next(one for one in sent if one["key"] == "three")
    wanted = KeyedRequest(world.user, "three", killed["request"])
    world.store.accounts.put_keyed_answer(wanted, None)
    world.store.accounts.claim_key(wanted, world.now)
    assert "still running" in problem(ask("three", "Lake"), 409)
    problem(ask("x" * 201, "Pond"), 400)
    kept = [one["name"] for one in anna.get(f"{API}/rules").json()["items"]]
    assert [kept.count(one) for one in ("Sea", "Ocean", "Lake", "Pond")] == [2, 0, 1, 0]
    late = world.now + KEY_LIFETIME * 2
    assert world.store.accounts.claim_key(KeyedRequest(world.user, "one", ""), late) is None


# --- the rest ---


def test_a_wrong_method_says_which_are_right(anna: Program) -> None:
    wrong = anna.ask("PUT", f"{API}/me")
    assert (wrong.status_code, wrong.headers["allow"]) == (405, "GET")


def test_a_time_is_no_number(anna: Program) -> None:
    """Pydantic takes 0.5 for half a second after 1970."""
    for wrong in ("0.5", "0", "-1", "1700000000", "1e3"):
        assert problem(anna.get(f"{API}/articles?since={wrong}"), 400), wrong
    assert anna.get(f"{API}/articles?since=2026-11-20T06:00:00Z").status_code == 200


def test_a_flag_is_no_number(anna: Program) -> None:
    """Pydantic takes true for 1, and 1 for true."""
    for method, path, wrong, said in (
        ("PATCH", "rules/1", {"place": True}, "place: Input should be a valid integer"),
        ("PATCH", "rules/1", {"enabled": 1}, "enabled: Input should be a valid boolean"),
        ("POST", "marks", {"articles": [1, True], "mark": "read"}, "articles.1: Input should be"),
    ):
        answer = anna.ask(method, f"{API}/{path}", json=wrong)
        assert problem(answer, 400) == "The request is invalid."
        (found,) = answer.json()["errors"]
        assert f"{found['where']}: {found['what']}".startswith(f"body.{said}")


def test_deleting_what_is_deleted_already_succeeds(anna: Program) -> None:
    """A program whose answer got lost asks again."""
    paths = anna.get(f"{API}/openapi.json").json()["paths"]
    deletes = [re.sub(r"{.*?}", "999999", one) for one, ways in paths.items() if "delete" in ways]
    assert len(deletes) >= 4
    assert [one for one in deletes if anna.ask("DELETE", one).status_code != 204] == []


def test_feeds_are_named_filed_left_and_followed_again(anna: Program) -> None:
    feeds = anna.get(f"{API}/feeds").json()["items"]
    feed = next(one for one in feeds if one["category"] == "Science")
    path = f"{API}/feeds/{feed['id']}"
    changed = anna.ask("PATCH", path, {"title": "Moss", "category": "Green"}).json()
    assert (changed["title"], changed["category"]) == ("Moss", "Green")
    assert anna.ask("PATCH", path, {"full_text": True}).json()["title"] == "Moss"
    renamed = anna.post(f"{API}/categories/rename", {"name": "Green", "to": "Science"}).json()
    assert renamed == {"count": 1}
    assert anna.ask("DELETE", path).status_code == 204
    problem(anna.get(path), 404)
    left = anna.get(f"{API}/feeds/left").json()["items"]
    assert feed["id"] in {one["id"] for one in left}
    assert anna.post(f"{path}/return").status_code == 204
    assert anna.get(path).json()["title"] == "Moss"
    opml = anna.get(f"{API}/opml")
    assert opml.headers["content-type"].startswith("text/x-opml")
    assert "Moss" in opml.text
    headers = {"content-type": "text/x-opml"}
    sent = opml.content.replace(b"https://field.example", b"https://other.example")
    imported = anna.ask("POST", f"{API}/opml", content=sent, headers=headers)
    assert imported.json() == {"count": 1, "left_out": []}
    assert "larger" in problem(
        anna.ask("POST", f"{API}/opml", content=b" " * 16_000_001, headers=headers), 413
    )


def test_stories_and_digests(anna: Program) -> None:
    shown = anna.get(f"{API}/stories").json()["items"]
    story = next(one for one in shown if one["title"] == "The tide tables")
    path = f"{API}/stories/{story['id']}"
    whole = anna.get(path).json()
    assert len(whole["members"]) == story["articles"]
    assert anna.ask("PUT", f"{path}/subscription", {"subscription": "mute"}).status_code == 204
    assert story["id"] not in {one["id"] for one in anna.get(f"{API}/stories").json()["items"]}
    muted = anna.get(f"{API}/stories?muted=true").json()["items"]
    assert "mute" in {one["subscription"] for one in muted}
    assert anna.post(f"{path}/looked").status_code == 204
    assert anna.get(path).json()["new"] == 0
    anna.post(f"{path}/read")
    assert all(one["read"] for one in anna.get(path).json()["members"])
    problem(anna.get(f"{API}/stories/999"), 404)
    first = anna.get(f"{API}/digests?limit=1").json()
    second = anna.get(f"{API}/digests?limit=1&after={first['next']}").json()
    assert second["next"] is None
    digest = anna.get(f"{API}/digests/{second['items'][0]['id']}").json()
    assert digest["top"][0]["lead"]["title"]
    now = anna.get(f"{API}/digests/now?since=2026-11-01T00:00:00Z").json()
    assert now["kind"] == "ad hoc"
    assert now["id"] is None


def test_saved_lists_interests_and_preferences(anna: Program) -> None:
    wanted = {"name": "Science, all", "filter": {"category": "Science", "show": "all"}}
    made = anna.post(f"{API}/saved-lists", wanted).json()
    assert made["filter"]["category"] == "Science"
    path = f"{API}/saved-lists/{made['id']}"
    assert pages(anna, f"/saved-lists/{made['id']}/articles", limit=3) == pages(
        anna, "/articles", category="Science", show="all", limit=3
    )
    assert anna.ask("PATCH", path, {"name": "Science"}).json()["name"] == "Science"
    search = anna.post(f"{API}/saved-lists", {"name": "Tides", "q": "tide", "sort": "newest"})
    found = anna.get(f"{API}/saved-lists/{search.json()['id']}/articles").json()
    assert [one["id"] for one in found["items"]] == pages(anna, "/search", q="tide", sort="newest")
    assert anna.ask("DELETE", path).status_code == 204
    problem(anna.get(f"{path}/articles"), 404)
    interest = anna.post(f"{API}/interests", {"text": "glaciers"}).json()
    assert anna.ask("DELETE", f"{API}/interests/{interest['id']}").status_code == 204
    chosen = anna.ask("PUT", f"{API}/preferences/look", {"value": "cards"}).json()["items"]
    assert next(one["value"] for one in chosen if one["name"] == "look") == "cards"
    problem(anna.ask("PUT", f"{API}/preferences/look", {"value": "wild"}), 400)
    problem(anna.ask("PUT", f"{API}/preferences/nothing", {"value": "wild"}), 404)
    counts = anna.get(f"{API}/counts").json()
    assert counts["unread"] == len(pages(anna, "/articles", limit=200))


def test_what_somebody_else_has_is_nobodys(people: Peopled, anna: Program) -> None:
    """Beside test_isolation.py: numbers and cursors of another in what is sent."""
    bob = people.program(people.add(BOB))
    page = anna.get(f"{API}/articles?show=all&limit=5").json()
    ids = [one["id"] for one in page["items"]]
    before = people.world.store.accounts.everything_of(people.world.user)["states"]
    assert bob.post(f"{API}/marks", {"mark": "star", "articles": ids}).json() == {
        "changed": 0,
        "unknown": sorted(ids),
    }
    body = {"show": "all", "as_of": page["as_of"]}
    assert bob.post(f"{API}/marks/all", body).json()["changed"] == 0
    assert bob.get(f"{API}/articles?show=all&after={page['next']}").json()["items"] == []
    assert people.world.store.accounts.everything_of(people.world.user)["states"] == before


def test_the_page_about_it_tells_every_operation(people: Peopled) -> None:
    browser = people.browser(ANNA)
    document = browser.get(f"{API}/openapi.json").json()
    page = browser.get("/api/docs").text
    for path, methods in document["paths"].items():
        for method, told in methods.items():
            assert f"{method.upper()} {path}" in page
            assert told["operationId"] in page
            assert told["summary"]
    for name, shape in document["components"]["schemas"].items():
        assert f'id="shape-{name}"' in page
        for field in shape.get("properties", {}).values():
            assert field.get("description"), (name, field)
    assert "api/docs" in browser.get("/help").text
