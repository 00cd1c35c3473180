"""Streams of the Google Reader API, on both databases: pages, filters, marks, isolation."""

from __future__ import annotations

from newsloom.app import utc_now
from newsloom.sync.greader.routes import ROWS

from .scene import HOUR, LABEL, READ, READING_LIST, STARRED, Scene

DATABASES = ("sqlite", "postgres")

API = "/reader/api/0/"
ROOTS = ("", "/api/greader.php")
LONG = "tag:google.com,2005:reader/item/"


def numbers(answer) -> list[int]:
    return [int(one["id"].rpartition("/")[2], 16) for one in answer.json()["items"]]


def refs(answer) -> list[int]:
    return [int(one["id"]) for one in answer.json()["itemRefs"]]


def test_ten_thousand_ids_and_no_more(scene: Scene):
    mine = scene.articles(scene.ann)
    many = [str(10**14 + n) for n in range(10_000 - len(mine))] + [str(one) for one in mine]
    with scene.client(scene.ann) as client:
        found = client.post(API + "stream/items/contents", data={"i": many}, timeout=60)
        assert numbers(found) == mine
        assert client.post(API + "edit-tag", data={"i": many, "a": READ}).text == "OK"
        assert scene.unread(scene.ann) == set()
        for path in ("stream/items/contents", "edit-tag"):
            assert client.post(API + path, data={"i": [*many, "5"], "a": READ}).status_code == 400
        long = "&".join(["i=1"] * 30_000)
        form = {"content-type": "application/x-www-form-urlencoded"}
        assert client.post(API + "edit-tag", content=long, headers=form).status_code == 400
        assert (
            client.post(API + "edit-tag", content="i=" + "1" * 5_000_000, headers=form).status_code
            == 413
        )


def test_pages_go_on_by_key_whatever_is_read_meanwhile(scene: Scene):
    mine = scene.articles(scene.ann)
    with scene.client(scene.ann) as client:
        for order in ("", "&r=o"):
            seen, more = [], ""
            while True:
                text = f"{API}stream/items/ids?s={READING_LIST}&xt={READ}&n=5{order}{more}"
                page = client.get(text)
                assert refs(page)
                seen += refs(page)
                client.post(API + "edit-tag", data={"i": refs(page), "a": READ})
                if "continuation" not in page.json():
                    break
                assert isinstance(page.json()["continuation"], str)
                more = f"&c={page.json()['continuation']}"
            assert seen == (mine if not order else mine[::-1])
            client.post(API + "edit-tag", data={"i": mine, "r": READ})
        # A page that is just full has no page after it.
        whole = client.get(f"{API}stream/items/ids?s={READING_LIST}&n={len(mine)}")
        assert "continuation" not in whole.json()
        assert len(refs(client.get(f"{API}stream/items/ids?s={READING_LIST}"))) == min(
            20, len(mine)
        )
        assert refs(client.get(f"{API}stream/items/ids")) == mine  # no stream is everything


def test_filters(scene: Scene):
    ann, mine = scene.ann, scene.articles(scene.ann)
    with scene.client(ann) as client:
        client.post(API + "edit-tag", data={"i": mine[:3], "a": READ})
        client.post(API + "edit-tag", data={"i": mine[2:5], "a": STARRED})

        def ids(query: str) -> list[int]:
            return refs(client.get(f"{API}stream/items/ids?n=100&{query}"))

        assert ids(f"s={STARRED}") == mine[2:5]
        assert ids(f"s={STARRED}&xt={READ}") == mine[3:5]
        assert ids(f"s={STARRED}&it={READ}") == mine[2:3]
        assert ids(f"s={READ}") == mine[:3]
        assert ids(f"xt={READ}&xt={STARRED}") == mine[5:]
        assert ids(f"s=user/{ann.user}/state/com.google/starred") == mine[2:5]
        assert ids("s=user/ann/state/com.google/kept-unread") == mine[3:]
        assert ids("s=user/-/state/com.google/broadcast") == []
        feeds = [ids(f"s=feed/{feed}") for feed in ann.feeds]
        assert sorted(one for feed in feeds for one in feed) == sorted(mine)
        assert ids(f"s={LABEL}Sea") == sorted([*feeds[0], *feeds[1]], reverse=True)
        assert ids(f"s={LABEL}Sea&xt=feed/{ann.feeds[0]}") == feeds[1]
        address = next(
            one.url for one in scene.app.reader().subscriptions() if one.feed_id == ann.feeds[2]
        )
        assert ids(f"s=feed/{address}") == feeds[2]
        assert ids(f"s={LABEL}Nothing") == []
        # By when they came, not by their dates, which are up to six hours ago.
        now = int(utc_now().timestamp())
        assert ids(f"ot={now - 60}") == mine
        assert ids(f"nt={now - 1800}") == []
        assert ids(f"ot={(now - 60) * 1_000_000}&nt={now + 60}") == mine
        count = client.get(f"{API}stream/items/count?s={READING_LIST}")
        assert count.text == str(len(mine))
        assert client.get(f"{API}stream/items/count?s={STARRED}&a=true").text.startswith("3#")
        # The path both ways, and the name of a state in a path.
        for path in (f"feed%2F{ann.feeds[0]}", f"feed/{ann.feeds[0]}"):
            assert numbers(client.get(f"{API}stream/contents/{path}?n=100")) == feeds[0]
        assert numbers(client.get(f"{API}stream/contents/{STARRED}")) == mine[2:5]
        assert numbers(client.get(f"{API}stream/contents?s={STARRED}")) == mine[2:5]


def test_mark_all_counts_when_articles_came(scene: Scene):
    ann, mine = scene.ann, set(scene.articles(scene.ann))
    now = int(utc_now().timestamp())
    with scene.client(ann) as client:
        for ts in (
            now - 3_600,
            (now - 3_600) * 10**3,
            (now - 3_600) * 10**6,
            (now - 3_600) * 10**9,
            0,
        ):
            assert (
                client.post(API + "mark-all-as-read", data={"s": READING_LIST, "ts": ts}).text
                == "OK"
            )
            assert scene.unread(ann) == mine
        for stream, left in (
            (f"feed/{ann.feeds[0]}", 12),
            (f"{LABEL}Sea", 6),
            (READING_LIST, 0),
        ):
            for ts in ((now + 60) * 10**6, 2**63 - 1):
                assert (
                    client.post(API + "mark-all-as-read", data={"s": stream, "ts": ts}).text == "OK"
                )
            assert len(scene.unread(ann)) == left
    assert len(scene.unread(scene.bob)) == len(scene.articles(scene.bob))


def test_one_reader_sees_and_changes_nothing_of_another(scene: Scene):
    """Every row of the API as Ann, for what is Bob's alone."""
    ann, bob = scene.ann, scene.bob
    his = [one for one in scene.articles(bob) if one not in scene.articles(ann)]
    bees = bob.feeds[1]
    assert his
    before = [scene.state(bob, one) for one in scene.articles(bob)]
    secret = ("bees reports", "Told of bees", "bees.example", "/bees")
    with scene.client(ann) as client:
        for row in ROWS:
            for stream in (
                f"feed/{bees}",
                f"{LABEL}Secret",
                f"user/{bob.user}/state/com.google/reading-list",
            ):
                data = {
                    "i": his,
                    "a": [READ, STARRED, f"{LABEL}Like"],
                    "s": stream,
                    "ac": "edit",
                    "t": "Mine",
                    "dest": f"{LABEL}X",
                }
                if "edit" in row.path:
                    data |= {"a": [READ]} if row.path == "edit-tag" else {"a": f"{LABEL}X"}
                query = {"s": stream, "n": 100}
                rest = stream if row.path.endswith("/") else ""
                for found in (
                    client.get(API + row.path + rest, params=query),
                    client.post(API + row.path + rest, data=data),
                ):
                    assert found.status_code in (200, 400, 404, 405), row
                    assert not any(word in found.text for word in secret), (row, found.text)
        for path in ("tag/list", "subscription/list", "subscription/export", "unread-count"):
            text = client.get(API + path).text
            assert not any(word in text for word in (*secret, "Secret", f"feed/{bees}")), path
        found = client.post(API + "stream/items/contents", data={"i": his})
        assert found.json()["items"] == []
        assert (
            client.post(
                API + "subscription/edit", data={"ac": "unsubscribe", "s": f"feed/{bees}"}
            ).text
            == "OK"
        )
        client.post(API + "mark-all-as-read", data={"s": f"feed/{bees}"})
    assert [scene.state(bob, one) for one in scene.articles(bob)] == before
    followed = {one.feed_id: one for one in scene.app.store.lists.subscriptions(bob.user)}
    assert (followed[bees].category, followed[bees].title) == ("Secret", "bees")


def test_what_others_brought_before_comes_when_the_feed_is_followed(scene: Scene):
    """An app that asks for what came since its last visit must not miss a feed's earlier articles,
    which other readers have had for long."""
    ann, bob = scene.ann, scene.bob
    url = next(
        one.url
        for one in scene.app.store.lists.subscriptions(bob.user)
        if one.feed_id == bob.feeds[1]
    )
    since = scene.app.now() + HOUR
    scene.app.store.reading.subscribe(ann.user, url, since)
    with scene.client(ann) as client:
        came = {
            one["id"]: int(one["timestampUsec"])
            for one in client.get(f"{API}stream/items/ids?n=100").json()["itemRefs"]
        }
    new = [one for one in came.values() if one >= since.timestamp() * 10**6 - 1]
    assert len(new) == 6
