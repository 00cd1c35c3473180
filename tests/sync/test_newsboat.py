"""Debian's newsboat, unmodified, in a terminal of its own: it logs in, lists, reads, stars, marks
all, and after each the store is as it should be.

`feedhq` is its Google Reader mode before 2.24, which reads Atom; `freshrss` the one since. No mode
has a way to add or remove a feed on the server. `miniflux` speaks the Miniflux API. Those for The
Old Reader and Inoreader have the addresses of those services in the program.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from newsloom.reading.values.reading import EventKind

from . import newsboat
from .newsboat import (
    CONTROL_E,
    ENTER,
    MINUTE,
    cached,
    configured,
    picture,
    running,
    unread_ids,
    version,
)
from .scene import LABEL, READ, Person, Scene

pytestmark = pytest.mark.sync


@pytest.fixture(params=["feedhq", "freshrss", "miniflux"])
def mode(request: pytest.FixtureRequest) -> str:
    if shutil.which("newsboat") is None:
        pytest.skip("needs newsboat: apt-get install newsboat")
    if request.param == "freshrss" and version() < (2, 24):
        pytest.skip(f"newsboat {version()} has no mode for FreshRSS")
    return request.param


def test_a_wrong_password_is_refused(scene: Scene, tmp_path: Path, mode: str):
    nobody = Person(scene.ann.user, "ann", "wrong")
    command = configured(tmp_path, mode, scene, nobody)
    found = newsboat.reload(command, tmp_path)
    # For Miniflux it says the same of every answer without feeds.
    words = "haven't configured any feeds" if mode == "miniflux" else "uthentication failed"
    assert words in found


def test_log_in_list_read_star_mark_all(scene: Scene, tmp_path: Path, mode: str):
    ann = scene.ann
    mine = set(scene.articles(ann))
    with running(configured(tmp_path, mode, scene, ann), tmp_path) as newsboat:
        newsboat.shows("harbour")
        newsboat.keys("R")  # reload all
        newsboat.until(lambda: cached(tmp_path) == len(mine), "not all articles came")
        newsboat.shows("(6/6)")
        assert scene.unread(ann) == mine

        newsboat.keys(ENTER)  # the first feed
        newsboat.shows("reports 0")
        newsboat.keys(ENTER)  # its first article, which is read with the next key
        newsboat.shows("Told of")
        newsboat.keys(CONTROL_E)
        newsboat.until(lambda: len(scene.unread(ann)) == len(mine) - 1, "nothing was read")
        (read,) = mine - scene.unread(ann)
        newsboat.shows("Flags")
        newsboat.keys("s" + ENTER)
        starred = set() if mode == "miniflux" else {read}
        newsboat.until(lambda: scene.starred(ann) == starred, "nothing was starred")
        newsboat.keys("N")  # unread again, and back to the feed
        newsboat.until(lambda: scene.unread(ann) == mine, "it was not made unread")
        newsboat.keys("q")
        newsboat.keys("A")  # the feed read
        newsboat.until(lambda: len(scene.unread(ann)) == len(mine) - 6, "the feed was not read")
        newsboat.keys("q")
    picture(configured(tmp_path, mode, scene, ann), tmp_path / "shown", "clients-newsboat.png")
    assert len(scene.labels(ann)) == len(starred)  # the star; what was read in bulk teaches nothing
    assert scene.unread(scene.bob) == set(scene.articles(scene.bob))


def test_what_is_read_on_the_pages_is_read_there(scene: Scene, tmp_path: Path, mode: str):
    ann = scene.ann
    reader = scene.app.reader()
    one, *rest = scene.articles(ann)
    reader.mark([one], EventKind.READ, "web")
    with running(configured(tmp_path, mode, scene, ann), tmp_path) as newsboat:
        newsboat.shows("harbour")
        newsboat.keys("R")
        newsboat.until(lambda: cached(tmp_path) == len(rest) + 1, "not all articles came")
        newsboat.until(lambda: cached(tmp_path, unread=True) == len(rest), "it is unread there")


def test_two_accounts_with_a_shared_feed(scene: Scene, tmp_path: Path, mode: str):
    """A folder removed as NetNewsWire does it, and a feed of it added again that another reader
    kept: after each, both readers' newsboat has what the server has for them."""
    ann, bob, harbour = scene.ann, scene.bob, scene.ann.feeds[0]
    client, api = scene.client(ann), "/reader/api/0/"

    def fetched(person: Person) -> set[int]:
        home = tmp_path / person.name
        home.mkdir(exist_ok=True)
        subprocess.run(
            [*configured(home, mode, scene, person), "-x", "reload"],
            capture_output=True,
            timeout=MINUTE,
            env={"PATH": os.environ["PATH"], "HOME": str(home), "TERM": "xterm"},
            check=True,
        )
        if mode != "miniflux":
            return unread_ids(home)
        known = scene.arrivals(person)
        return {known[one] for one in unread_ids(home, 10) if one in known}

    def agree() -> None:
        assert fetched(bob) == scene.unread(bob)
        assert fetched(ann) - of_left == scene.unread(ann)

    def edit(**how: str) -> None:
        assert client.post(api + "subscription/edit", data=how).text == "OK"

    of_left: set[int] = set()  # newsboat keeps what it had of a feed that is gone
    agree()
    of_left |= scene.unread(ann)
    for feed in ann.feeds[:2]:
        edit(ac="unsubscribe", s=f"feed/{feed}")
    assert client.post(api + "disable-tag", data={"s": LABEL + "Sea"}).text == "OK"
    of_left -= scene.unread(ann)
    agree()
    assert len(scene.unread(ann)) == 6
    url = scene.publish("harbour", *range(9))
    scene.poll([harbour])
    assert client.post(api + "subscription/quickadd", data={"quickadd": url}).json()["numResults"]
    edit(ac="edit", s=f"feed/{harbour}", a=LABEL + "Sea")
    of_left -= scene.unread(ann)
    agree()
    assert (len(scene.unread(ann)), len(scene.unread(bob))) == (6 + 9, 9 + 6)
    read = min(scene.unread(ann) & scene.unread(bob))
    found = scene.client(bob).post(api + "edit-tag", data={"i": str(read), "a": READ})
    assert found.text == "OK"
    agree()
    assert read in scene.unread(ann)
