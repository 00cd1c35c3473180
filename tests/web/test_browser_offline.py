"""Reading and marking with the server stopped, in a real Chromium with its service worker."""

from __future__ import annotations

import asyncio
import re
import signal
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect
from sqlalchemy import text

from migrated import copied
from newsloom.web.app import create_app
from ports import kept_port
from web.axe import violations
from web.chromium import PHONE, WIDE, serving
from web.keyboard import pick, press, row, toast, until, visit
from web.peopled import ANNA, BOB, Peopled
from web.restarted import Served, losing_relay
from web.world import World, open_world

pytestmark = pytest.mark.browser

MARKED = "SELECT article_id, kind FROM events WHERE kind <> 'opened' ORDER BY id"


@pytest.fixture
def server(furnished: Path, tmp_path: Path) -> Iterator[Served]:
    copied(furnished, tmp_path / "store")
    with kept_port() as port:
        served = Served(tmp_path / "store", port)
        served.start()
        yield served
        served.stop(signal.SIGKILL)


def events(folder: Path) -> list[tuple[int, str]]:
    """All that was ever done to articles, as the store has it."""
    world = open_world(folder)
    with closing(world.store), world.store.database.read() as connection:
        return [(row.article_id, row.kind) for row in connection.execute(text(MARKED))]


def begin(page: Any, url: str) -> None:
    """A page whose worker is there, with its first articles kept."""
    visit(page, url)
    page.locator("html[data-worker=yes]").wait_for(state="attached", timeout=30_000)


# What the worker answers to a question, by what is looked at in it.
ASKED = """new Promise((done) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => done(%s);
    navigator.serviceWorker.controller.postMessage({ about: "%s" }, [port2]);
})"""
KINDS = ASKED % ("data.kept.map((one) => one.kind)", "kept")
WAITING = ASKED % ("data.marks", "waiting")


def kept(page: Any) -> dict[str, int]:
    """How many pages of each kind the worker says it has."""
    kinds = page.evaluate(KINDS)
    return {kind: kinds.count(kind) for kind in kinds}


def article_of(page: Any, number: int) -> int:
    return int(row(page, number).get_attribute("data-id"))


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_lists_articles_and_marks_without_the_server(
    chromium: Any, server: Served, shots: Path, size: dict[str, int]
) -> None:
    context = chromium.new_context(viewport=size)
    page = context.new_page()
    begin(page, server.url + "/?show=all&order=newest")
    begin(page, server.url + "/")
    titles = page.locator(".row .open").all_inner_texts()
    ids = [article_of(page, number) for number in range(4)]
    until(page, lambda: kept(page).get("article", 0) >= 20)
    # Of the newest first: those of this list may come after them.
    saved = ASKED % ("data.kept.map((one) => one.url)", "kept")
    until(page, lambda: server.url + f"/articles/{ids[3]}" in page.evaluate(saved))

    server.stop()
    page.reload()
    expect(page.locator("#offline")).to_contain_text("Offline. Saved copy from")
    assert page.locator(".row .open").all_inner_texts() == titles
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    page.screenshot(path=shots / f"offline-list-{size['width']}.png")

    # Marked by keys, and shown so at once: the third thing is taken back.
    for number, key in enumerate("lsd"):
        press(page, "j", key)
        expect(row(page, number)).to_have_class(re.compile(r"\bwaits\b"))
        toast(page, "Saved here until you are online")
    press(page, "u")
    toast(page, "Undone")
    expect(page.locator("#offline")).to_contain_text("2 unsent changes")
    assert row(page, 0).locator(".mark.like").get_attribute("aria-pressed") == "true"
    assert row(page, 2).get_attribute("data-read") == "0"
    page.screenshot(path=shots / f"offline-marked-{size['width']}.png")

    # An article, opened by key and read; opening it is a mark too.
    press(page, "j", "Enter")
    page.wait_for_url("**/articles/*")
    expect(page.locator("#text")).to_contain_text(titles[3])
    expect(page.locator("#offline")).to_contain_text("3 unsent changes")
    page.screenshot(path=shots / f"offline-article-{size['width']}.png")
    press(page, "Escape")
    page.locator("#rows").wait_for()
    expect(row(page, 3)).to_have_attribute("data-read", "1")

    # What was never opened is not there, and what is stands in a list.
    page.goto(server.url + "/?show=starred")
    expect(page.locator("#lists li")).to_have_count(2)
    assert page.locator("#articles li").count() >= 20
    assert violations(page) == []
    page.screenshot(path=shots / f"offline-kept-{size['width']}.png")
    page.goto(server.url + "/")
    pick(page, row(page, 0), "Why it ranks here")
    toast(page, "Offline: not saved")
    expect(page.locator("#toast .bad")).to_have_count(0)

    server.start()
    expect(page.locator("#offline")).to_contain_text("Back online", timeout=60_000)
    toast(page, "3 changes sent")
    page.locator("#offline a").click()
    expect(page.locator("#offline")).to_have_count(0)
    begin(page, server.url + "/?show=all&order=newest")
    expect(page.locator("#offline")).to_have_count(0)
    context.close()
    assert events(server.folder) == [(ids[0], "like"), (ids[1], "star"), (ids[3], "read")]


def test_a_mark_whose_answer_is_lost_is_done_once(chromium: Any, server: Served) -> None:
    """The server is killed after it has committed the mark; the same mark is sent again later."""
    context = chromium.new_context(viewport=WIDE)
    page = context.new_page()
    with losing_relay(server) as (url, armed):
        begin(page, url + "/")
        first, second = article_of(page, 0), article_of(page, 1)
        armed.set()
        press(page, "j", "l")
        toast(page, "Saved here until you are online")
        assert events(server.folder) == [(first, "like")]
        press(page, "j")
        for pressed, words in (("s", "Starred"), ("u", "Undone"), ("s", "Starred")):
            press(page, pressed)
            toast(page, words)
        expect(page.locator("#offline")).to_contain_text("2 unsent changes")
        page.close()  # what waits is with the browser, not with the page
        server.start()
        page = context.new_page()
        begin(page, url + "/")
        until(page, lambda: page.evaluate(WAITING) == 0)
        if page.locator("html[data-kept]").count():  # a saved copy: the server began slowly
            page.locator("#offline a").click()
        expect(page.locator("#offline")).to_have_count(0, timeout=30_000)
        server.stop()
        assert events(server.folder) == [(first, "like"), (second, "star")]
    context.close()


def test_no_mark_waits_once_the_server_has_answered(chromium: Any, world: World) -> None:
    """The server answers a mark after the page has asked the worker what waits."""
    app = create_app(world.reader())

    async def slow(scope: Any, receive: Any, send: Any) -> None:
        if scope.get("path", "").endswith("/opened"):
            await asyncio.sleep(0.3)
        await app(scope, receive, send)

    page = chromium.new_page(viewport=WIDE)
    with serving(world, slow) as url:
        begin(page, url + "/?show=all")
        links = page.locator(".row .open").evaluate_all("all => all.map((one) => one.href)")
        for link in links[:5]:
            with page.expect_response("**/opened"):
                page.goto(link)
            page.locator("html[data-worker=yes]").wait_for(state="attached", timeout=30_000)
            expect(page.locator("#offline")).to_have_count(0)
            assert page.evaluate(WAITING) == 0
    page.close()


def sign_in(page: Any, url: str, who: tuple[str, str]) -> None:
    page.goto(url + "/sign-in")
    page.get_by_label("Name").fill(who[0])
    page.get_by_label("Password").fill(who[1])
    page.keyboard.press("Enter")
    page.wait_for_url(url + "/")
    page.locator("html[data-worker=yes]").wait_for(state="attached", timeout=30_000)


CACHED = "caches.keys().then((names) => names.filter((name) => name.includes('pages')).length)"


def test_nobody_sees_what_another_read_or_sends_their_marks(chromium: Any, world: World) -> None:
    context = chromium.new_context(viewport=WIDE)
    page = context.new_page()
    peopled = Peopled(world)
    peopled.add(ANNA)
    peopled.add(BOB)
    with serving(world, peopled.app) as url:
        sign_in(page, url, ANNA)
        visit(page, url + "/?show=all")
        until(page, lambda: kept(page).get("article", 0) >= 5)

        # Her session ends elsewhere; a mark she makes waits, and the page to sign in says so.
        world.store.accounts.end_sessions(world.user)
        press(page, "j", "l")
        page.wait_for_url("**/sign-in")
        expect(page.locator("#waiting")).to_contain_text("1 unsent change in this browser")
        assert violations(page) == []
        assert page.evaluate(CACHED) == 0

        # Somebody else signs in: the mark is dropped, with a word.
        sign_in(page, url, BOB)
        toast(page, "1 change of another account")
        assert page.locator("#rows .row").count() == 0
        asked = page.request.post(
            url + "/offline/marks", form={"reader": "0", "marks": "[]"}, headers={"referer": url}
        )
        assert asked.status == 409

        # Signing out leaves nothing to see, with or without a server.
        page.goto(url + "/account")
        page.get_by_role("button", name="Sign out").click()
        page.wait_for_url("**/sign-in")
        until(page, lambda: page.evaluate(CACHED) == 0)
        sign_in(page, url, ANNA)
        assert page.evaluate(CACHED) == 1
        visit(page, url + "/account")
        page.get_by_role("button", name="Sign out").click()
        page.wait_for_url("**/sign-in")
        until(page, lambda: page.evaluate(CACHED) == 0)
    with pytest.raises(Exception, match="ERR_CONNECTION_REFUSED"):
        page.goto(url + "/")
    context.close()
    assert not any(world.store.accounts.everything_of(world.user)["sent_marks"])


def test_it_can_be_installed(chromium: Any, world: World) -> None:
    """What Chromium asks of an app: a manifest it can read, icons it can have, a worker."""
    context = chromium.new_context(viewport=PHONE)
    page = context.new_page()
    with serving(world) as url:
        begin(page, url + "/")
        session = context.new_cdp_session(page)
        told = session.send("Page.getAppManifest")
        assert told["errors"] == []
        assert told["url"] == url + "/manifest.webmanifest"
        # A context of a test has no profile, which is all that may stand in the way.
        found = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
        assert [one["errorId"] for one in found if one["errorId"] != "in-incognito"] == []
        scope = page.evaluate("navigator.serviceWorker.ready.then((one) => one.scope)")
        assert scope == url + "/"
        visit(page, url + "/share?text=Look%20https://example.org/a")
        assert page.get_by_label("URL of a site or feed").input_value() == "https://example.org/a"
    context.close()
