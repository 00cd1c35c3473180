"""The Fever API: requests of its clients as their sources make them, and each sentence of it."""

from __future__ import annotations

import hashlib

from newsloom.app import utc_now
from newsloom.feeds.values.pages import SiteIcon
from newsloom.sync.mounts import mount_of
from newsloom.sync.services import Terms

from .scene import Scene

DATABASES = ("sqlite", "postgres")

FORM = {"content-type": "application/x-www-form-urlencoded"}


def ask(scene: Scene, query: str = "", body: str = "", path: str = "/fever/", key: str = ""):
    """As most do: the question in the address, the key in the body."""
    client = scene.client()
    sent = f"api_key={key or scene.ann.fever_key}{body}"
    return client.post(f"{path}?api{query}", content=sent, headers=FORM)


def test_the_key_is_the_md5_of_name_and_password(scene: Scene):
    ann = scene.ann
    key = hashlib.md5(f"{ann.name}:{ann.secret}".encode()).hexdigest()
    for path in ("/fever/", "/fever", "/api/fever.php", "/api/fever.php/"):
        found = ask(scene, path=path, key=key).json()
        assert (found["api_version"], found["auth"]) == (3, 1)
        assert found["last_refreshed_on_time"] > 10**9
    assert ask(scene, key=key.upper()).json()["auth"] == 1
    assert scene.client().get(f"/fever/?api&api_key={key}").json()["auth"] == 1
    for wrong in ("x", "0" * 32, key[:-1], key + "0", hashlib.md5(b"ann:wrong").hexdigest()):
        found = ask(scene, "&items&unread_item_ids", key=wrong)
        assert (found.status_code, found.json()) == (200, {"api_version": 3, "auth": 0})
    assert scene.client().get("/fever/?api&items").json() == {"api_version": 3, "auth": 0}
    assert scene.client(ann).get("/fever/?api&items").json()["auth"] == 0  # no other way in


def test_read_you(scene: Scene):
    """ReadYouApp/ReadYou, .../rss/provider/fever/FeverAPI.kt: all of a mark in the address"""
    ann, told = scene.ann, scene.arrivals(scene.ann)
    mine = list(told)
    assert ask(scene, "=&").json()["auth"] == 1
    groups = ask(scene, "=&groups").json()
    sea, rest = sorted(groups["groups"], key=lambda one: one["title"])
    assert (sea["title"], 0 < sea["id"] < 2**31) == ("Sea", True)
    members = {one["group_id"]: one["feed_ids"] for one in groups["feeds_groups"]}
    assert members[sea["id"]] == ",".join(map(str, sorted(ann.feeds[:2])))
    feeds = ask(scene, "=&feeds").json()
    assert {one["id"] for one in feeds["feeds"]} == set(ann.feeds)
    # ReadYou fails for a feed in no group: every feed is in one.
    assert (rest["title"], members[rest["id"]]) == ("Uncategorized", str(ann.feeds[2]))
    narrowed = ask(scene, f"=&items&group_ids={rest['id']}").json()["items"]
    assert {one["feed_id"] for one in narrowed} == {ann.feeds[2]}
    assert ask(scene, "=&favicons").json()["favicons"] == []
    assert ask(scene, "=&links").json()["links"] == []
    items = ask(scene, "=&items&since_id=0").json()
    assert items["total_items"] == len(mine)
    assert [one["id"] for one in items["items"]] == mine[::-1]
    first = items["items"][0]
    assert (first["is_read"], first["is_saved"]) == (0, 0)
    assert "Told of" in first["html"]
    assert "script" not in first["html"]
    unread = ask(scene, "=&unread_item_ids").json()["unread_item_ids"]
    assert {int(one) for one in unread.split(",")} == set(mine)
    assert ask(scene, "=&saved_item_ids").json()["saved_item_ids"] == ""

    found = ask(scene, f"=&mark=item&as=read&id={mine[0]}").json()
    assert str(mine[0]) not in found["unread_item_ids"].split(",")
    found = ask(scene, f"=&mark=item&as=saved&id={mine[0]}").json()
    assert found["saved_item_ids"] == str(mine[0])
    assert ask(scene, f"=&mark=item&as=saved&id={mine[0]}").json()["saved_item_ids"] == str(mine[0])
    assert scene.starred(ann) == {told[mine[0]]}
    assert ask(scene, f"=&mark=item&as=unsaved&id={mine[0]}").json()["saved_item_ids"] == ""
    found = ask(scene, f"=&mark=item&as=unread&id={mine[0]}").json()
    assert scene.unread(ann) == {told[int(one)] for one in found["unread_item_ids"].split(",")}
    # markGroup with thousandths of seconds, markFeed with the largest number there is (PR 399).
    now = int(utc_now().timestamp())
    ask(scene, f"=&mark=group&as=read&id={sea['id']}&before={(now - 3600) * 1000}")
    assert scene.unread(ann) == set(told.values())
    ask(scene, f"=&mark=feed&as=read&id={ann.feeds[0]}&before={2**63 - 1}")
    assert len(scene.unread(ann)) == len(mine) - 6
    ask(scene, f"=&mark=group&as=read&id={sea['id']}&before={(now + 60) * 1000}")
    assert len(scene.unread(ann)) == len(mine) - 12
    ask(scene, f"=&mark=group&as=read&id=0&before={now + 60}")
    assert scene.unread(ann) == set()
    assert scene.labels(ann) == []
    assert len(scene.unread(scene.bob)) == 12


def test_fluent(scene: Scene):
    """yang991178/fluent-reader, src/scripts/models/services/fever.ts: down from the largest number,
    and everything of a mark in the body"""
    ann, told = scene.ann, scene.arrivals(scene.ann)
    mine = list(told)
    found = ask(scene, f"&items&max_id={2**53 - 1}").json()
    assert [one["id"] for one in found["items"]] == mine
    assert ask(scene, f"&items&max_id={mine[-1]}").json()["items"] == []
    assert [one["id"] for one in ask(scene, "&items&max_id=0").json()["items"]] == mine
    ask(scene, body=f"&mark=item&as=read&id={mine[0]}")
    ask(scene, body=f"&mark=item&as=saved&id={mine[1]}")
    assert scene.unread(ann) == {told[one] for one in mine[1:]}
    assert scene.starred(ann) == {told[mine[1]]}
    found = ask(scene, "&unread_item_ids").json()
    assert isinstance(found["unread_item_ids"], str)
    ask(scene, body=f"&mark=feed&as=read&id={ann.feeds[2]}&before={int(utc_now().timestamp()) + 1}")
    assert len(scene.unread(ann)) <= len(mine) - 6


def test_fifty_at_a_time(scene: Scene):
    ann = scene.ann
    scene.publish("harbour", *range(70))
    scene.poll(ann.feeds[:1])
    mine = list(scene.arrivals(ann))
    assert len(mine) > 70
    up, since = [], 0
    while found := ask(scene, f"&items&since_id={since}").json()["items"]:
        assert len(found) <= 50
        up += [one["id"] for one in found]
        since = up[-1]
    assert up == mine[::-1]
    down, least = [], 2**31 - 1
    while found := ask(scene, f"&items&max_id={least}").json()["items"]:
        down += [one["id"] for one in found]
        least = down[-1]
    assert down == mine
    wanted = ",".join(map(str, [*mine[:49], 10**12, *mine[49:60]]))
    found = ask(scene, f"&items&with_ids={wanted}").json()["items"]
    assert {one["id"] for one in found} == set(mine[:49])
    assert ask(scene, "&items&with_ids=").json()["items"] == []
    several = ask(scene, f"&items&feed_ids={ann.feeds[2]}").json()["items"]
    assert {one["feed_id"] for one in several} == {ann.feeds[2]}


def test_all_at_once_and_odd_values(scene: Scene):
    mine = scene.articles(scene.ann)
    everything = "&groups&feeds&favicons&items&links&unread_item_ids&saved_item_ids"
    found = ask(scene, everything).json()
    assert set(everything[1:].split("&")) <= set(found)
    for wrong in (
        "&items&since_id=abc",
        "&items&with_ids=1,x",
        "&mark=item&as=read&id=x",
        "&mark=item&as=read",
        "&mark=item&as=liked&id=1",
        "&mark=page&as=read&id=1",
        "&mark=feed&as=saved&id=1",
        "&mark=item&as=read&id=1&before=soon",
        "&items&since_id=%00",
        "&mark=item&as=read&id=" + ",".join(["1"] * 1_001),
        "&items&max_id=" + "9" * 41,
    ):
        found = ask(scene, wrong)
        assert (found.status_code, 5 < len(found.text) < 300) == (400, True), wrong
    for beyond in ("9" * 39, str(2**63), "-5", "0"):
        assert ask(scene, f"&mark=item&as=read&id={beyond}").status_code == 200
        assert ask(scene, f"&items&since_id={beyond}").status_code == 200
    assert scene.unread(scene.ann) == set(mine)


def test_one_reader_sees_and_changes_nothing_of_another(scene: Scene):
    ann, bob = scene.ann, scene.bob
    his = [one for one in scene.articles(bob) if one not in scene.articles(ann)]
    secret = next(
        one["id"]
        for one in ask(scene, "&groups", key=bob.fever_key).json()["groups"]
        if one["title"] == "Secret"
    )
    ids = ",".join(str(one) for one, article in scene.arrivals(bob).items() if article in his)
    for query in (
        f"&items&feed_ids={bob.feeds[1]}",
        f"&items&group_ids={secret}",
    ):
        assert ask(scene, query).json()["items"] == []
    # A number is the reader's own: the same may be another article of somebody else.
    found = ask(scene, f"&items&with_ids={ids}").json()["items"]
    assert not [one for one in found if one["feed_id"] not in ann.feeds]
    for query in (
        f"&mark=item&as=read&id={ids}",
        f"&mark=item&as=saved&id={ids}",
        f"&mark=feed&as=read&id={bob.feeds[1]}",
        f"&mark=group&as=read&id={secret}",
        "&mark=group&as=read&id=0",
        "&mark=group&as=read&id=-1",
    ):
        assert ask(scene, query).json()["auth"] == 1
    assert scene.unread(bob) == set(scene.articles(bob))
    assert scene.starred(bob) == set()


def test_pictures_of_sites_without_data_in_front(scene: Scene):
    picture = SiteIcon(
        "harbour.example",
        "https://harbour.example/favicon.ico",
        scene.app.now(),
        type="image/png",
        tag="t",
        body=b"\x89PNG",
    )
    scene.app.store.sites.put_icons([picture])
    found = ask(scene, "&feeds&favicons").json()
    feed = next(one for one in found["feeds"] if one["title"] == "harbour")
    assert found["favicons"] == [{"id": feed["favicon_id"], "data": "image/png;base64,iVBORw=="}]


def test_guesses_are_slowed(scene: Scene):
    # As many as a slow machine needs: each second allows one more.
    answers = (ask(scene, key=f"{n:032x}") for n in range(300))
    slowed = next((one for one in answers if one.status_code == 429), None)
    assert slowed is not None
    assert slowed.json() == {"api_version": 3, "auth": 0}
    assert ask(scene).json()["auth"] == 1


def test_it_can_be_switched_off():
    off = Terms(greader=False, fever=False)
    for path in ("/fever/", "/api/fever.php", "/reader/api/0/token", "/api/greader.php/x"):
        assert mount_of(path, Terms()) is not None
        assert mount_of(path, off) is None
    assert mount_of("/feverish", Terms()) is None
