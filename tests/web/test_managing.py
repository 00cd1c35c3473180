"""The table of feeds, what is done to many at once, categories, and where a newcomer begins."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from newsloom.feeds.schedule import Held
from newsloom.feeds.service import arranging
from newsloom.kernel.ids import FeedId
from newsloom.reading.values.reading import EventKind, ListQuery
from web.conftest import Visitor
from web.world import NO_FEED_ACTIONS, NOW, World, open_world


def order(world: World) -> list[tuple[str, str]]:
    return [(one.category, one.title) for one in world.reader().subscriptions()]


def names(page: str) -> list[str]:
    table = page[page.index('<table class="feeds">') : page.index("</table>")]
    found = re.findall(r'<a href="/feeds/\d+"><bdi>(.*?)</bdi>', table)
    return [html.unescape(one) for one in found]


def where(answer) -> str:
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


def some(world: World, *titles: str) -> list[str]:
    known = {one.title: one.feed_id for one in world.reader().subscriptions()}
    return [str(known[title]) for title in titles]


def test_feeds_are_found_and_sorted(world: World, visitor: Visitor) -> None:
    every = [one.title for one in world.reader().subscriptions() if one.category]
    shown = names(visitor.get("/feeds").text)
    assert shown[: len(every)] == every
    assert names(visitor.get("/feeds?q=kernel+TECH").text) == ["Kernel & Root"]
    assert names(visitor.get("/feeds?q=kernel.example").text) == ["Kernel & Root"]
    assert "No matching feeds" in visitor.get("/feeds?q=zzz").text
    by_name = names(visitor.get("/feeds?sort=name").text)
    assert by_name == sorted(by_name, key=str.casefold)
    assert names(visitor.get("/feeds?sort=name&back=1").text) == by_name[::-1]
    unread = {one.title: one.unread for one in world.reader().subscriptions()}
    page = visitor.get("/feeds?sort=unread").text
    assert 'aria-sort="ascending"' in page
    counts = [unread[one] for one in names(page)]
    assert counts == sorted(counts, reverse=True)
    assert names(visitor.get("/feeds?sort=health").text)[0] == "Quiet Ridge Observatory"
    assert names(visitor.get("/feeds?sort=newest").text)[0] == "Quiet Ridge Observatory"
    for way in ("category", "weekly", "read", "nonsense"):
        assert len(names(visitor.get(f"/feeds?sort={way}").text)) == len(unread)
    chosen = visitor.get("/feeds?chosen=1&q=kernel").text
    assert chosen.count(" checked>") == 1


def test_many_are_moved_read_and_left_in_one_step(world: World, visitor: Visitor) -> None:
    reader = world.reader()
    feeds = some(world, "Kernel & Root", "Agence Nord", "The Meridian Post")
    form = {"do": "file", "category": " New\x00 place ", "feed": feeds, "q": "e", "sort": "name"}
    assert where(visitor.post("/feeds/bulk", form)) == "/feeds?q=e&sort=name&did=filed&n=3"
    assert {one for one in order(world) if one[0] == "New place"} == {
        ("New place", "Agence Nord"),
        ("New place", "Kernel & Root"),
        ("New place", "The Meridian Post"),
    }
    unread = len(world.store.reading.unread_of(world.user, [FeedId(int(one)) for one in feeds]))
    there = where(visitor.post("/feeds/bulk", {"do": "read", "feed": feeds}))
    assert there == f"/feeds?did=read&n={unread - 1}", "two are one row"
    assert "Undo" in visitor.get(there).text
    assert sum(one.unread for one in reader.subscriptions() if str(one.feed_id) in feeds) == 0
    assert {one.kind for one in reader.undo("test")} == {EventKind.BULK_READ}
    before = reader.subscriptions(), reader.page(ListQuery(limit=200))
    there = where(visitor.post("/feeds/bulk", {"do": "leave", "feed": feeds}))
    page = visitor.get(there).text
    assert "Feeds unfollowed." in page
    assert len(reader.subscriptions()) == len(before[0]) - 3
    back = re.search(r'action="(/feeds/left/\d+/return)"', page)
    assert back is not None
    assert where(visitor.post(back[1])) == "/feeds?did=returnedall"
    assert (reader.subscriptions(), reader.page(ListQuery(limit=200))) == before
    assert visitor.post(back[1]).status_code == 404
    assert visitor.post(f"/feeds/left/{2**63 - 1}/return").status_code == 404


@pytest.mark.parametrize(
    "form",
    [
        {"do": "leave"},
        {"do": "leave", "feed": ["999"]},
        {"do": "nothing", "feed": ["1"]},
        {"do": "file", "feed": ["1"], "category": "x" * 201},
        {"do": "read", "feed": ["one"]},
        {"do": "up", "feed": ["9" * 40]},
    ],
)
def test_what_cannot_be_done_to_feeds_changes_nothing(
    world: World, visitor: Visitor, form: dict[str, object]
) -> None:
    before = order(world)
    assert visitor.post("/feeds/bulk", form).status_code in (400, 404)
    assert order(world) == before


def test_others_have_an_order_of_their_own(world: World) -> None:
    """Nothing that one reader does to feeds changes another's."""
    other = World(world.store, world.store.users.user("other", NOW), NOW)
    other.store.reading.subscribe_all(
        other.user, [(one.url, "", "Mine") for one in world.reader().subscriptions()], NOW
    )
    before = world.reader().subscriptions(), arranging.shelves(world.reader(), ())
    visitor = Visitor(other)
    feeds = [str(one.feed_id) for one in other.reader().subscriptions()]
    for do in ("file", "up", "down", "read", "leave"):
        visitor.post("/feeds/bulk", {"do": do, "feed": feeds[:3], "category": "Theirs"})
    visitor.post("/categories", {"name": "Empty"})
    visitor.post("/categories/order", {"name": "Mine", "do": "up"})
    visitor.post("/categories/rename", {"old": "Mine", "new": "Science"})
    assert (world.reader().subscriptions(), arranging.shelves(world.reader(), ())) == before
    # At the same moment as the other reader.
    at = world.store.reading.unsubscribe_all(world.user, [before[0][0].feed_id])
    micros = round(at.timestamp() * 1_000_000)
    assert visitor.post(f"/feeds/left/{micros}/return").status_code == 303
    assert len(world.reader().subscriptions()) == len(before[0]) - 1
    assert visitor.post(f"/feeds/left/{micros}/return").status_code == 404


def test_the_order_is_kept_and_given_back(world: World, visitor: Visitor) -> None:
    alphabetical = order(world)
    last = some(world, "Wochenblatt Technik")
    where(visitor.post("/feeds/bulk", {"do": "up", "feed": last}))
    where(visitor.post("/feeds/bulk", {"do": "up", "feed": last}))
    technology = [title for category, title in order(world) if category == "Technology"]
    assert technology == ["Wochenblatt Technik", "Compiler Weekly", "Kernel & Root"]
    where(visitor.post("/categories/order", {"name": "World", "do": "up"}))
    dragged = {"feed": last[0], "category": "World", "before": some(world, "Agence Nord")[0]}
    answer = visitor.htmx("/feeds/order", dragged)
    assert answer.status_code == 204
    where(visitor.post("/feeds/order", {"feed": last[0], "category": "World"}))
    tree = visitor.get("/feeds/beside").text
    assert re.findall(r'data-category="(.*?)"', tree) == ["Science", "World", "Technology"]
    assert [title for category, title in order(world) if category == "World"][-1] == (
        "Wochenblatt Technik"
    )
    exported = visitor.get("/feeds/export").text
    places = [exported.index(f'text="{one}"') for one in ("Science", "World", "Technology")]
    assert places == sorted(places)
    assert visitor.post("/feeds/order", {"feed": "1", "category": "Nope"}).status_code == 404
    assert visitor.post("/feeds/order", {"feed": "999", "category": ""}).status_code == 404
    assert visitor.post("/categories/order", {"name": "Nope", "do": "up"}).status_code == 404
    where(visitor.post("/feeds/bulk", {"do": "file", "feed": last, "category": "Technology"}))
    where(visitor.post("/feeds/alphabetical"))
    assert order(world) == alphabetical


def test_categories_are_made_renamed_merged_and_deleted(world: World, visitor: Visitor) -> None:
    where(visitor.post("/categories", {"name": "  Later \n "}))
    assert visitor.post("/categories", {"name": " "}).status_code == 400
    page = visitor.get("/feeds").text
    assert '<li data-category="Later">' in page
    where(visitor.post("/categories/rename", {"old": "Later", "new": "Sooner"}))
    where(visitor.post("/lists", {"at": "category=World&show=all", "name": "Mine"}))
    response = visitor.post("/categories/rename", {"old": "World", "new": "Science"})
    assert response.status_code == 200
    assert "Merge" in response.text
    assert ("World", "Agence Nord") in order(world)
    form = {"old": "World", "new": "Science", "merge": "1"}
    where(visitor.post("/categories/rename", form))
    assert "World" not in {category for category, _title in order(world)}
    assert visitor.post("/categories/rename", form).status_code == 404
    (kept,) = world.store.users.saved_lists(world.user)
    assert kept.place == "show=all&category=Science"
    where(visitor.post("/categories/drop", {"name": "Science"}))
    assert ("", "Agence Nord") in order(world)
    before = order(world)
    there = where(visitor.post("/categories/drop", {"name": "Technology", "leave": "1"}))
    assert len(order(world)) == len(before) - 3
    back = re.search(r'action="(/feeds/left/\d+/return)"', visitor.get(there).text)
    assert back is not None
    where(visitor.post(back[1]))
    assert order(world) == before
    where(visitor.post("/categories/drop", {"name": "Sooner", "leave": "1"}))
    assert visitor.post("/categories/drop", {"name": "Sooner"}).status_code == 404


def test_programs_see_the_same_order(world: World, visitor: Visitor) -> None:
    from newsloom.sync.fever.questions import groups
    from newsloom.sync.greader.items import subscription_list

    reader = world.reader()
    plain = subscription_list(reader.subscriptions(), {})["subscriptions"]
    assert plain[0]["sortid"] == f"{reader.subscriptions()[0].feed_id:08X}"
    arranging.place_category(reader, "World", "Science")
    placed = subscription_list(reader.subscriptions(), {})["subscriptions"]
    assert [one["sortid"] for one in placed] == sorted(one["sortid"] for one in placed)
    names = [name for name in groups(reader.subscriptions()).values() if name]
    assert names == ["World", "Science", "Technology"]


def test_two_thousand_feeds_are_one_quick_step_each(tmp_path: Path) -> None:
    world = open_world(tmp_path)
    wanted = [(f"https://{n}.example/f", f"Feed {n}", f"Kind {n % 40}") for n in range(2_000)]
    world.store.reading.subscribe_all(world.user, wanted, NOW)
    visitor = Visitor(world)
    page = visitor.get("/feeds")
    assert len(names(page.text)) == 2_000
    assert page.num_bytes_downloaded < 300_000
    feeds = [str(one.feed_id) for one in world.reader().subscriptions()]
    where(visitor.post("/feeds/bulk", {"do": "file", "feed": feeds, "category": "One"}))
    assert {category for category, _title in order(world)} == {"One"}
    there = where(visitor.post("/feeds/bulk", {"do": "leave", "feed": feeds}))
    assert order(world) == []
    moment = there.split("n=")[1]
    where(visitor.post(f"/feeds/left/{moment}/return"))
    assert len(order(world)) == 2_000
    world.store.close()


# --- where a newcomer begins ---


def test_topics_are_picked_on_the_empty_page(empty: World) -> None:
    visitor = Visitor(empty)
    page = visitor.get("/", **{"accept-language": "de-CH, fr;q=0.8"}).text
    chosen = re.findall(r'name="language" value="(\w+)" checked', page)
    assert chosen == ["de", "fr"]
    assert 'action="/feeds/import"' in page
    assert 'name="at" value="page=list"' in page, "an imported list leads to the articles"
    form = {"topic": ["World", "Science"], "language": ["en", "de"]}
    there = where(visitor.post("/begin", form))
    followed = empty.reader().subscriptions()
    assert there == f"/?did=imported&n={len(followed)}"
    assert {one.category for one in followed} == {"World", "Science"}
    assert {"BBC World", "Tagesschau", "Nature"} <= {one.title for one in followed}
    assert all(one.next_poll_at == empty.now for one in followed), "they are due at once"
    again = visitor.post("/begin", form)
    assert where(again) == "/?did=imported"
    for nothing in ({}, {"topic": ["World"]}, {"topic": ["Space"], "language": ["de"]}):
        refused = visitor.post("/begin", nothing)
        assert refused.status_code == 400
        assert "Choose a topic" in refused.text


def test_it_is_told_how_many_are_asked_and_why_others_wait(world: World) -> None:
    feeds = [one.feed_id for one in world.reader().subscriptions() if one.next_poll_at]
    busy = Held(NOW + timedelta(hours=2), "its server asked to wait")
    held: dict[FeedId, Held | None] = dict.fromkeys(feeds)
    held |= {feeds[0]: busy, feeds[1]: Held(NOW + timedelta(minutes=5), busy.because)}
    actions = replace(
        NO_FEED_ACTIONS,
        refresh=lambda feed_ids: {one: held[one] for one in feed_ids},
        waiting=lambda ids: {one: held[one] for one in ids},
    )
    visitor = Visitor(world, replace(world.reader(), feed_actions=actions))
    page = visitor.get("/feeds").text
    assert f"{len(feeds) - 2} ready, 2 waiting" in page
    assert "2 feeds: its server asked to wait, until" in page
    assert "09:35 UTC" in page
    assert "11:30 UTC" in page
    assert "Refreshing:" not in page
    world.now += timedelta(seconds=1)
    there = where(visitor.post("/feeds/refresh"))
    assert there == f"/feeds?did=askedsome&n={len(feeds) - 2}"
    page = visitor.get(there).text
    assert f"<strong>0 of {len(feeds) - 2}</strong>" in page
    assert 'hx-get="/feeds/asked"' in page
    world.now += timedelta(seconds=3)
    for feed in feeds[2:4]:
        world.store.feeds.hasten([feed], world.now, asked_before=world.now)
        world.polled(feed)
    assert f"<strong>2 of {len(feeds) - 2}</strong>" in visitor.get("/feeds/asked").text
    where(visitor.post("/feeds/bulk", {"do": "refresh", "feed": [str(one) for one in feeds[:3]]}))
    world.now += timedelta(seconds=3)
    world.store.feeds.hasten(feeds[2:3], world.now, asked_before=world.now)
    world.polled(feeds[2])
    done = visitor.get("/feeds/asked").text
    assert "Refreshed 1 feed" in done
    assert "hx-get" not in done
    world.now += timedelta(hours=1)
    assert "answered" not in visitor.get("/feeds").text, "what was long ago is not told"
