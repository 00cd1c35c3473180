"""Articles saved to services elsewhere: as `serve` is started, and when something fails."""

from __future__ import annotations

import asyncio
import json
import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

import loopback
from cli.serving import served
from newsloom.app import App, open_app, utc_now
from newsloom.kernel.errors import NotFound
from newsloom.kernel.settings import Settings
from newsloom.reading.values.reading import EventKind, ListQuery, Order
from newsloom.sharing.service import sharing as use
from newsloom.sharing.service.sending import calling_services, sharing
from newsloom.sharing.values import ShareServiceId

SAME = {"sec-fetch-site": "same-origin"}
SECRET = "t0ken of nobody else"


@dataclass
class Shelf:
    """A Wallabag and a Readeck on loopback, and what they were asked."""

    url: str = ""
    asked: list[tuple[str, str, str]] = field(default_factory=list)  # path, authorization, body
    statuses: dict[str, int] = field(default_factory=dict)

    @property
    def host(self) -> str:
        return self.url.removeprefix("http://")

    def saved(self) -> list[str]:
        return [json.loads(body)["url"] for _path, _by, body in self.asked if body[:1] == "{"]


@contextmanager
def shelves() -> Iterator[Shelf]:
    shelf = Shelf()

    class Handler(loopback.Handler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"])).decode()
            shelf.asked.append((self.path, self.headers.get("authorization", ""), body))
            self.send_response(shelf.statuses.get(self.path, 200))
            answer = b'{"access_token": "for an hour"}' if "oauth" in self.path else b"{}"
            self.send_header("content-length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

    with loopback.answering(Handler) as port:
        shelf.url = f"http://127.0.0.1:{port}"
        yield shelf


@pytest.fixture
def shelf() -> Iterator[Shelf]:
    with shelves() as made:
        yield made


@pytest.fixture
def path(sampled: Path, tmp_path: Path) -> Path:
    shutil.copy(sampled, tmp_path / "news.db")
    return tmp_path / "news.db"


def opened(path: Path, *hosts: str, ahead: timedelta = timedelta()) -> App:
    settings = Settings()
    settings = replace(
        settings,
        store=replace(settings.store, path=path),
        fetch=replace(settings.fetch, private_hosts=hosts),
    )
    return open_app(settings, lambda: utc_now() + ahead)


def newest(app: App, count: int) -> list[Any]:
    query = ListQuery(order=Order.NEWEST, unread_only=False, limit=count)
    return list(app.reader().page(query))


def once(app: App) -> int:
    async def sending() -> int:
        async with calling_services(app) as caller:
            return await sharing(app).once(caller)

    return asyncio.run(sending())


def test_as_serve_is_started(path: Path, shelf: Shelf) -> None:
    """Added on a page, saved from an article and by starring, told on the page; no secret shown."""
    app = opened(path)
    one, two, three = newest(app, 3)
    app.close()
    with (
        served(path, NEWSLOOM_FETCH_PRIVATE_HOSTS=shelf.host) as url,
        httpx.Client(base_url=url, headers=SAME, follow_redirects=True, timeout=60) as browser,
    ):
        typed = {"kind": "readeck", "url": shelf.url, "token": SECRET, "called": "Shelf"}
        assert "Shelf" in browser.post("/sharing", data=typed).text
        assert "Save to <bdi>Shelf</bdi>" in browser.get(f"/articles/{one.id}/share").text
        browser.post(f"/articles/{one.id}/share", data={"service": "1"})
        wait_for(lambda: shelf.saved() == [one.url])
        assert shelf.asked[0][:2] == ("/api/bookmarks", f"Bearer {SECRET}")
        assert "saves your stars" in browser.post("/sharing/1/stars", data={"wanted": "yes"}).text
        browser.post(f"/articles/{two.id}/marks", data={"kind": "star"})
        browser.post(f"/articles/{three.id}/marks", data={"kind": "star"})
        browser.post(f"/articles/{three.id}/marks", data={"kind": "unstar"})
        wait_for(lambda: len(shelf.saved()) == 2)
        page = browser.get("/sharing").text
        assert SECRET not in page
        assert page.count(", saved") == 2
        export = browser.get("/account/export").content
        assert SECRET.encode() not in export
        feed = browser.post("/sharing/published").text.split("<code>")[1].split("</code>")[0]
        atom = httpx.get(feed, timeout=60).text
        assert two.url.replace("&", "&amp;") in atom
        assert one.url.replace("&", "&amp;") not in atom
        browser.post("/sharing/published/end")
        assert httpx.get(feed, timeout=60).status_code == 404
    assert shelf.saved() == [one.url, two.url]


def wait_for(there: Any, seconds: float = 60.0) -> None:
    until = time.monotonic() + seconds
    while not there():
        assert time.monotonic() < until
        time.sleep(0.1)


def test_a_service_on_a_private_network_is_asked_only_if_the_settings_name_it(
    path: Path, shelf: Shelf
) -> None:
    """A reader among several must not reach what only the server can."""
    app = opened(path)
    (one,) = newest(app, 1)
    use.added(app.reader(), "webhook", "", {"url": shelf.url + "/x"})
    use.save(app.reader(), 1, one.id)
    assert once(app) == 0
    (state,) = use.last(app.reader())
    assert "loopback" in state.error
    assert shelf.asked == []
    app.close()


def test_a_service_that_is_down_is_asked_again_and_one_that_refuses_is_not(
    path: Path, shelf: Shelf
) -> None:
    app = opened(path, shelf.host)
    reader = app.reader()
    one, two = newest(app, 2)
    wallabag = {
        "url": shelf.url, "client": "c", "client_secret": "s", "user": "ann", "password": "p",
    }  # fmt: skip
    use.added(reader, "wallabag", "Mine", wallabag)
    use.save(reader, 1, one.id)
    shelf.statuses["/api/entries.json"] = 503
    assert once(app) == 0
    (state,) = use.last(reader)
    assert (state.state, state.error) == ("waiting", "it returned status 503")
    shelf.statuses.clear()
    assert once(app) == 0, "not before its time"
    app.close()
    app = opened(path, shelf.host, ahead=timedelta(minutes=4))
    assert once(app) == 1
    assert [by for _path, by, _body in shelf.asked] == ["", "Bearer for an hour"] * 2
    use.save(app.reader(), 1, two.id)
    shelf.statuses["/oauth/v2/token"] = 401
    assert once(app) == 0
    assert use.last(app.reader())[0].state == "failed"
    shelf.statuses.clear()
    use.save(app.reader(), 1, two.id)
    assert once(app) == 1
    app.close()


def test_what_is_starred_is_saved_once_whatever_processes_do(path: Path, shelf: Shelf) -> None:
    """Two that look at the same time, and one that ended while it sent."""
    app = opened(path, shelf.host)
    reader = app.reader()
    listed = newest(app, 8)
    reader.mark([listed[0].id], EventKind.STAR, "web")
    use.added(reader, "readeck", "", {"url": shelf.url, "token": "t"})
    use.save_stars(reader, 1, wanted=True)
    reader.mark([one.id for one in listed[1:]], EventKind.STAR, "fever")
    reader.mark([listed[7].id], EventKind.STAR, "ttrss")
    later = [opened(path, shelf.host, ahead=timedelta(seconds=5)) for _two in range(2)]
    threads = [threading.Thread(target=once, args=(one,)) for one in later]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert sorted(shelf.saved()) == sorted(one.url for one in listed[1:])
    assert once(later[0]) == 0
    for one in (app, *later):
        one.close()


def test_another_persons_services_are_out_of_reach(path: Path, shelf: Shelf) -> None:
    app = opened(path, shelf.host)
    use.added(app.reader(), "readeck", "", {"url": shelf.url, "token": "t"})
    bob = replace(app, user=app.store.users.user("bob", utc_now())).reader()
    assert use.share_services(bob) == ()
    (one,) = newest(app, 1)
    assert not app.store.sharing.ask_share(bob.user, ShareServiceId(1), one.id, utc_now())
    with pytest.raises(NotFound):
        use.delete(bob, 1)
    with pytest.raises(NotFound):
        use.save_stars(bob, 1, wanted=True)
    assert len(use.share_services(app.reader())) == 1
    app.close()
