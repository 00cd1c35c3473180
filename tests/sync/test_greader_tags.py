"""Tags and reading later in the Google Reader API: labels that clients give to articles."""

from __future__ import annotations

import pytest

from newsloom.reading.service import annotating
from newsloom.reading.values.annotations import Tag

from .scene import LABEL, READ, STARRED, Scene

DATABASES = ("sqlite", "postgres")

API = "/reader/api/0/"


def names(client) -> dict[str, str | None]:
    return {one["id"]: one.get("type") for one in client.get(API + "tag/list").json()["tags"]}


def ids(client, stream: str) -> list[int]:
    found = client.get(API + "stream/items/ids", params={"s": stream, "n": 100}).json()
    return [int(one["id"]) for one in found["itemRefs"]]


def categories(client, article: int) -> list[str]:
    found = client.post(API + "stream/items/contents", data={"i": str(article)}).json()
    return found["items"][0]["categories"]


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("To cook", "To cook"),
        ("Lunden,Harbour", "Lunden Harbour"),
        (' Tides,  "low" ', "Tides low"),
    ],
)
def test_a_label_is_a_tag_without_the_signs_that_no_tag_has(scene: Scene, label: str, name: str):
    client, (a, *_) = scene.client(scene.ann), scene.articles(scene.ann)
    for change, there in (("a", True), ("r", False)):
        answer = client.post(API + "edit-tag", data={"i": str(a), change: LABEL + label})
        assert answer.status_code == 200
        assert (LABEL + name in categories(client, a)) is there
    client.post(API + "edit-tag", data={"i": str(a), "a": LABEL + name})
    assert ids(client, LABEL + label) == [a]
    client.post(API + "rename-tag", data={"s": LABEL + label, "dest": LABEL + "One, two"})
    assert LABEL + "One two" in categories(client, a)


@pytest.mark.parametrize("name", ["To cook", "Käse/Wein"])
def test_tags_are_labels_of_articles(scene: Scene, name: str):
    ann, client, bobs = scene.ann, scene.client(scene.ann), scene.client(scene.bob)
    a, b, *_ = scene.articles(ann)
    post = client.post
    answer = post(API + "edit-tag", data={"i": [str(a), str(b), "99999"], "a": LABEL + name})
    assert (answer.status_code, answer.text) == (200, "OK")
    assert names(client)[LABEL + name] == "tag"
    assert LABEL + name not in names(bobs)
    assert ids(client, LABEL + name) == [a, b]
    assert ids(bobs, LABEL + name) == []
    assert LABEL + name in categories(client, a)
    counts = client.get(API + "unread-count").json()["unreadcounts"]
    assert {one["id"]: one["count"] for one in counts}[LABEL + name] == 2
    # Any case is the same tag.
    post(API + "edit-tag", data={"i": str(b), "r": LABEL + name.upper()})
    assert ids(client, LABEL + name) == [a]
    renamed = {"s": LABEL + name, "dest": LABEL + "Other"}
    assert post(API + "rename-tag", data=renamed).text == "OK"
    annotations = scene.app.store.annotations
    assert annotations.tags(ann.user) == (Tag("Other", 1, 1),)
    # Names that mean something else are refused, and then nothing is done.
    for taken in ("Sea", "sea", "Like", "dislike", "For you", "x" * 61, ',"', ""):
        wrong = {"i": str(a), "a": [READ, LABEL + taken] if taken != "Like" else LABEL + "like"}
        assert post(API + "edit-tag", data=wrong).status_code == 400, taken
        assert not scene.state(ann, a).read
    wrong = {"s": LABEL + "Other", "dest": LABEL + "Sea"}
    assert post(API + "rename-tag", data=wrong).status_code == 400
    assert post(API + "disable-tag", data={"s": LABEL + "Other"}).text == "OK"
    assert annotations.tags(ann.user) == ()
    # One that was given on the pages and has the name of a category stays out of the API.
    annotations.add_tags(ann.user, [a], ["sea"], scene.app.now())
    assert LABEL + "sea" not in names(client)
    reader = scene.app.reader()
    assert annotating.added(reader, reader.article(a).listed).tags == ("sea",)


def test_reading_later_is_a_label(scene: Scene):
    ann, client = scene.ann, scene.client(scene.ann)
    a = scene.articles(ann)[0]
    later = LABEL + "Read later"
    learned = scene.labels(ann)
    assert names(client)[later] == "tag"
    client.post(API + "edit-tag", data={"i": str(a), "a": later})
    assert scene.state(ann, a).later
    assert ids(client, later) == [a]
    assert later in categories(client, a)
    client.post(API + "mark-all-as-read", data={"s": "user/-/state/com.google/reading-list"})
    assert ids(client, later) == [a]
    client.post(API + "edit-tag", data={"i": str(a), "r": later})
    assert ids(client, later) == []
    assert scene.labels(ann) == learned


def test_every_feed_is_in_a_folder(scene: Scene):
    """As in FreshRSS: feeds without a category are in "Uncategorized", whose articles it has."""
    ann, client = scene.ann, scene.client(scene.ann)
    sea, rest = LABEL + "Sea", LABEL + "Uncategorized"
    parish = f"feed/{ann.feeds[2]}"

    def folders() -> dict[str, list[str]]:
        found = client.get(API + "subscription/list").json()["subscriptions"]
        return {one["id"]: [each["id"] for each in one["categories"]] for one in found}

    assert names(client)[rest] == "folder"
    assert folders()[parish] == [rest]
    inside = ids(client, rest)
    assert len(inside) == 6
    assert rest in categories(client, inside[0])
    counts = client.get(API + "unread-count").json()["unreadcounts"]
    assert {one["id"]: one["count"] for one in counts}[rest] == 6

    def edit(**how: str) -> dict[str, list[str]]:
        wanted = {"ac": "edit", "s": parish, **how}
        assert client.post(API + "subscription/edit", data=wanted).text == "OK"
        return folders()

    def stored() -> str:
        found = scene.app.reader().subscriptions()
        return next(one.category for one in found if one.feed_id == ann.feeds[2])

    assert edit(a=sea, r=rest)[parish] == [sea]
    assert edit(a=rest, r=sea)[parish] == [rest]
    assert stored() == ""
    assert client.post(API + "rename-tag", data={"s": rest, "dest": LABEL + "Land"}).text == "OK"
    assert stored() == "Land"
    assert rest not in names(client)
    # A category that somebody calls so is the same folder.
    assert edit(a=LABEL + "Land")[parish] == [LABEL + "Land"]
    scene.app.reader().edit(ann.feeds[0], category="Uncategorized")
    scene.app.reader().edit(ann.feeds[2], category="")
    assert len(ids(client, rest)) == 12
    assert client.post(API + "mark-all-as-read", data={"s": rest}).text == "OK"
    assert len(scene.unread(ann)) == 6


def test_what_is_undone_already_can_be_undone(scene: Scene):
    """NetNewsWire and ReadYou unsubscribe from each feed of a folder, then remove the folder."""
    ann, client = scene.ann, scene.client(scene.ann)
    first = scene.articles(ann)[0]
    undone = [
        *(
            ("subscription/edit", {"ac": "unsubscribe", "s": f"feed/{one}"})
            for one in (*ann.feeds, 999)
        ),
        *(("disable-tag", {"s": LABEL + name}) for name in ("Sea", "Uncategorized", "Nothing")),
        *(
            ("edit-tag", {"i": str(first), "r": one})
            for one in (STARRED, READ, LABEL + "Like", LABEL + "Read later", LABEL + "Nothing")
        ),
    ]
    answers = [
        (path, data, found.status_code, found.text)
        for path, data in (*undone, *undone)
        if (found := client.post(API + path, data=data)).text != "OK"
    ]
    assert answers == []
    assert scene.subscribed(ann) == set()
