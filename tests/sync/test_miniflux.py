"""The Miniflux API as its clients use it: the client of Miniflux's own makers, and raw requests."""

from __future__ import annotations

from collections.abc import Callable

import miniflux
import pytest

from newsloom.kernel.settings import SyncSettings
from newsloom.reading.values.syncing import UNCATEGORIZED
from publisher import rss

from .scene import EACH, Person, Scene, _person

# On PostgreSQL in the ring of that name.
DATABASES = ("sqlite", "postgres")

PAGE = "<html><body><article><h1>About</h1>{}</article></body></html>"

SMART = ["For you", "Top stories", "Digest"]


def client(scene: Scene, person: Person) -> miniflux.Client:
    return miniflux.Client(scene.url, api_key=person.secret)


def ids(found: dict) -> list[int]:
    return [one["id"] for one in found["entries"]]


def test_it_authenticates_by_token_or_password(scene: Scene):
    ann = scene.ann
    for made in (client(scene, ann), miniflux.Client(scene.url, ann.name, ann.secret)):
        assert made.me() | {"id": ann.user, "username": "ann"} == made.me()
    # The first account takes over a user of another name.
    owner = scene.app.store.users.user("reader", scene.app.now())
    assert client(scene, _person(scene.app, "carla", owner)).me()["username"] == "carla"
    raw = scene.client()
    for headers in (
        {},
        {"x-auth-token": "wrong"},
        {"authorization": "Basic !"},
        {"authorization": f"Bearer {ann.secret}"},
        {"authorization": "Basic YW5uOndyb25n"},
    ):
        answer = raw.get("/v1/me", headers=headers)
        assert (answer.status_code, answer.json()) == (
            401,
            {"error_message": "access unauthorized"},
        )
    assert miniflux.Client(scene.url, "bob", ann.secret)
    with pytest.raises(miniflux.AccessUnauthorized):
        miniflux.Client(scene.url, "bob", ann.secret).me()
    assert SyncSettings().miniflux
    # Web pages of other sites are clients too, and send a token, never a cookie.
    answer = raw.options("/v1/entries", headers={"origin": "https://app.example"})
    assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (204, "*")


def test_every_order_filter_and_page(scene: Scene):
    made, store = client(scene, scene.ann), scene.arrivals(scene.ann)
    dated = {one: made.get_entry(one)["published_at"] for one in store}
    assert ids(made.get_entries()) == sorted(store, key=lambda one: (dated[one], one))
    assert ids(made.get_entries(order="id", direction="desc")) == sorted(store, reverse=True)
    paged = [
        one
        for offset in range(0, 3 * EACH, 5)
        for one in ids(made.get_entries(order="published_at", offset=offset, limit=5))
    ]
    assert paged == ids(made.get_entries())
    for order in ("changed_at", "status", "title", "author", "category_title", "category_id"):
        found = made.get_entries(order=order, direction="desc", limit=0)
        assert (found["total"], sorted(ids(found))) == (3 * EACH, sorted(store))
    middle = sorted(store)[7]
    assert set(ids(made.get_entries(after_entry_id=middle))) == {x for x in store if x > middle}
    assert set(ids(made.get_entries(before_entry_id=middle))) == {x for x in store if x < middle}
    harbour = scene.ann.feeds[0]
    of_feed = ids(made.get_feed_entries(harbour))
    assert len(of_feed) == EACH
    assert set(of_feed) == set(ids(made.get_entries(feed_id=harbour)))
    made.update_entries(of_feed[:2], "read")
    made.toggle_bookmark(of_feed[0])
    assert set(ids(made.get_entries(status="read"))) == set(of_feed[:2])
    assert made.get_entries(status=["read", "unread"])["total"] == 3 * EACH
    assert made.get_entries(status="removed")["total"] == 0
    assert ids(made.get_entries(starred=True)) == of_feed[:1]
    assert made.get_entries(starred="0")["total"] == 3 * EACH - 1
    assert ids(made.get_entries(order="changed_at"))[-2:] == of_feed[1::-1]
    now = made.get_entry(of_feed[0])["changed_at"]
    assert now >= dated[of_feed[0]]
    assert made.get_entries(after=1)["total"] == 3 * EACH
    assert made.get_entries(before=1, changed_after=1)["total"] == 0
    counted = made.get_feed_counters()
    assert (counted["reads"], counted["unreads"][str(harbour)]) == ({str(harbour): 2}, EACH - 2)
    listed = scene.client().get("/v1/entries/ids", headers={"x-auth-token": scene.ann.secret})
    assert listed.json() == {"total": 3 * EACH, "entry_ids": sorted(store, reverse=True)}


def test_marks_are_those_of_the_pages(scene: Scene):
    made, store = client(scene, scene.ann), scene.arrivals(scene.ann)
    one, other, third = ids(made.get_feed_entries(scene.ann.feeds[0]))[:3]
    made.update_entries([one, other], "read")
    made.update_entries([other], "unread")
    made.save_entry(third)
    raw = scene.client()
    raw.headers["x-auth-token"] = scene.ann.secret
    for body in ({"starred": True}, {"rating": 1}, {"rating": -1, "status": "read"}):
        answer = raw.put("/v1/entries", json={"entry_ids": [third], **body})
        assert (answer.status_code, answer.content) == (204, b"")
    state = scene.state(scene.ann, store[third])
    assert (state.read, state.starred, state.rating, state.later) == (True, True, -1, True)
    assert [scene.state(scene.ann, store[x]).read for x in (one, other)] == [True, False]
    made.mark_feed_entries_as_read(scene.ann.feeds[0])
    sea = next(x for x in made.get_categories() if x["title"] == "Sea")
    made.mark_category_entries_as_read(sea["id"])
    assert made.get_entries(status="unread")["total"] == EACH
    made.mark_user_entries_as_read(scene.ann.user)
    assert not scene.unread(scene.ann)
    assert scene.unread(scene.bob) == set(scene.articles(scene.bob))


def test_feeds_and_categories(scene: Scene):
    made = client(scene, scene.ann)
    titles = [one["title"] for one in made.get_categories()]
    assert titles == [UNCATEGORIZED, "Sea", *SMART]
    fresh = made.create_category("Fresh air")
    late = scene.publish("late")
    feed = made.create_feed(late, category_id=fresh["id"])
    assert made.get_feed(feed)["category"] == fresh
    assert made.get_feed_entries(feed)["total"] == EACH
    renamed = made.update_category(fresh["id"], "Sea air")
    assert [one["id"] for one in made.get_category_feeds(renamed["id"])] == [feed]
    changed = made.update_feed(feed, title="Later", category_id=_of(made, "Sea"), crawler=True)
    assert (changed["title"], changed["category"]["title"]) == ("Later", "Sea")
    assert changed["crawler"]
    made.delete_feed(feed)
    # A category stays until it is removed, also while it has no feeds; its feeds stay then.
    made.update_feed(
        scene.ann.feeds[2], category_id=_of(made, made.create_category("Inland")["title"])
    )
    made.delete_feed(scene.ann.feeds[2])
    assert _of(made, "Inland")
    for title in ("Inland", "Sea air", "Sea"):
        made.delete_category(_of(made, title))
    assert [one["title"] for one in made.get_categories()] == [UNCATEGORIZED, *SMART]
    assert len(made.get_feeds()) == 2
    counted = scene.client().get(
        "/v1/categories?counts=true", headers={"x-auth-token": scene.ann.secret}
    )
    assert counted.json()[0] | {"feed_count": 2, "total_unread": 2 * EACH} == counted.json()[0]
    assert made.discover(late)[0]["url"] == late
    assert b"harbour" in made.export().encode()
    outline = f'<opml version="2.0"><body><outline type="rss" xmlUrl="{late}"/></body></opml>'
    made.import_feeds(outline)
    assert late in scene.subscribed(scene.ann)


def _of(made: miniflux.Client, title: str) -> int:
    return next(one["id"] for one in made.get_categories() if one["title"] == title)


def test_an_entry_whole(scene: Scene):
    made = client(scene, scene.ann)
    entry = made.get_entries(limit=1, direction="desc")["entries"][0]
    assert made.get_entry(entry["id"]) == entry
    assert made.get_feed_entry(entry["feed_id"], entry["id"]) == entry
    assert made.get_category_entry(entry["feed"]["category"]["id"], entry["id"]) == entry
    assert "script" not in entry["content"]
    (file,) = entry["enclosures"]
    assert made.get_enclosure(file["id"]) == file
    for seconds in (90, 30):
        made.update_enclosure(file["id"], seconds)
        heard = made.get_entry(entry["id"])["enclosures"]
        assert heard == [file | {"media_progression": seconds}]
    assert not any(
        file["media_progression"]
        for one in client(scene, scene.bob).get_entries()["entries"]
        for file in one["enclosures"]
    )
    assert (file["mime_type"], file["size"]) == ("audio/mpeg", 5)


def test_the_text_of_a_page_is_fetched_once(scene: Scene):
    publisher, made = scene.publisher, client(scene, scene.ann)
    told = "".join(
        f"<p>Witness{n} saw boat{n} before pier{n}, as reporter{n} wrote in letter{n} to aunt{n}, "
        f"who showed neighbour{n} what sailor{n} had sent by post{n} from island{n}.</p>"
        for n in range(12)
    )
    links = {
        "good": publisher.puts("/good.html", PAGE.format(told), Content_Type="text/html"),
        "short": publisher.puts("/short.html", PAGE.format("Hi."), Content_Type="text/html"),
        "gone": f"{publisher.url}/gone.html",
        "private": publisher.puts("/private/1.html", PAGE.format(told), Content_Type="text/html"),
    }
    publisher.puts("/robots.txt", "User-agent: *\nDisallow: /private/")
    items = [(name, link, f"About {name}") for name, link in links.items()]
    feed = made.create_feed(publisher.puts("/linked", rss("linked", *items)))
    entries = {one["url"]: one["id"] for one in made.get_feed_entries(feed)["entries"]}
    for _again in range(2):
        text = made.fetch_entry_content(entries[links["good"]])
        assert "island11" in text["content"]
        assert text["reading_time"] >= 1
        for name, words in (("gone", "404"), ("private", "robots.txt"), ("short", "no article")):
            with pytest.raises(miniflux.BadRequest, match=words):
                made.fetch_entry_content(entries[links[name]])
    # Miniflutt sends the text back to be kept; none but that is taken.
    assert made.update_entry(entries[links["good"]], content=text["content"])["content"]
    with pytest.raises(miniflux.AccessForbidden):
        made.update_entry(entries[links["good"]], content="Mine.")
    asked = [path for path, _headers in publisher.asked]
    paths = ("/good.html", "/gone.html", "/short.html", "/private/1.html")
    assert [asked.count(one) for one in paths] == [1, 1, 1, 0]
    # A feed that has full texts shows it from now on.
    made.update_feed(feed, crawler=True)
    assert "island11" in made.get_entry(entries[links["good"]])["content"]


def test_what_is_wrong_is_told_in_its_form_and_changes_nothing(scene: Scene):
    made = client(scene, scene.ann)
    unread = scene.unread(scene.ann)
    bees, entry = scene.bob.feeds[1], min(scene.arrivals(scene.ann))
    first = made.get_categories()[0]["id"]
    bad: list[tuple[type[Exception], Callable[[], object]]] = [
        (miniflux.ResourceNotFound, lambda: made.get_feed(bees)),
        (miniflux.ResourceNotFound, lambda: made.get_feed_entries(bees)),
        (miniflux.ResourceNotFound, lambda: made.delete_feed(bees)),
        (miniflux.ResourceNotFound, lambda: made.get_icon_by_feed_id(bees)),
        (miniflux.ResourceNotFound, lambda: made.get_entry(10**9)),
        (miniflux.ResourceNotFound, lambda: made.get_feed_entry(bees, entry)),
        (miniflux.ResourceNotFound, lambda: made.get_enclosure(entry * 1000 + 9)),
        (miniflux.ResourceNotFound, lambda: made.get_category_feeds(7)),
        (miniflux.ResourceNotFound, lambda: made.mark_user_entries_as_read(scene.bob.user)),
        (miniflux.AccessForbidden, made.get_users),
        (miniflux.AccessForbidden, made.get_api_keys),
        (miniflux.AccessForbidden, made.flush_history),
        (miniflux.AccessForbidden, lambda: made.update_entry(entry, title="x")),
        (miniflux.ClientError, lambda: made.fetch_entry_content(entry)),
        (miniflux.BadRequest, lambda: made.update_enclosure(entry * 1000 + 1, -1)),
        (miniflux.ResourceNotFound, lambda: made.update_enclosure(entry * 1000 + 9, 1)),
        (miniflux.BadRequest, lambda: made.get_entries(order="score")),
        (miniflux.BadRequest, lambda: made.get_entries(direction="up")),
        (miniflux.BadRequest, lambda: made.get_entries(status="gone")),
        (miniflux.BadRequest, lambda: made.get_entries(limit=-1)),
        (miniflux.BadRequest, lambda: made.get_entries(feed_id=bees)),
        (miniflux.BadRequest, lambda: made.get_entries(category_id=7)),
        (miniflux.BadRequest, lambda: made.update_entries([], "read")),
        (miniflux.BadRequest, lambda: made.update_entries([entry], "removed")),
        (miniflux.BadRequest, lambda: made.update_entries([entry, "2"], "read")),
        (miniflux.BadRequest, lambda: made.create_category(" ")),
        (miniflux.BadRequest, lambda: made.create_category("Sea")),
        (miniflux.BadRequest, lambda: made.update_category(first, "Sea")),
        (miniflux.BadRequest, lambda: made.delete_category(_of(made, "Digest"))),
        (miniflux.BadRequest, lambda: made.create_feed(made.get_feeds()[0]["feed_url"])),
        (miniflux.BadRequest, lambda: made.create_feed("")),
        (miniflux.BadRequest, lambda: made.update_feed(scene.ann.feeds[0], feed_url="http://x/")),
        (miniflux.BadRequest, lambda: made.import_feeds("<opml>")),
    ]
    for error, ask in bad:
        with pytest.raises(error) as told:
            ask()
        assert told.value.get_error_reason()
    raw = scene.client()
    raw.headers["x-auth-token"] = scene.ann.secret
    for body in ("", "[]", "{", '{"entry_ids": 1}', '{"entry_ids": [1], "rating": 2}'):
        assert raw.put("/v1/entries", content=body).status_code == 400
    assert raw.get("/v1/nothing").json() == {"error_message": "resource not found"}
    answer = raw.delete("/v1/me")
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET")
    # Entries of others are passed over: a client may name what was left since.
    assert raw.put("/v1/entries", json={"entry_ids": [10**9], "status": "read"}).is_success
    assert scene.unread(scene.ann) == unread
