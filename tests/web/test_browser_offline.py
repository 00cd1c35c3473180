"""Reading and marking with the server stopped, in a real Chromium with its service worker."""

from __future__ import annotations

import re
import shutil
import signal
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect
from sqlalchemy import text

from ports import kept_port
from web.axe import violations
from web.chromium import PHONE, WIDE, serving
from web.keyboard import press, row, toast, until, visit
from web.peopled import ANNA, BOB, Peopled
from web.restarted import Served, losing_relay
from web.world import World, open_world

pytestmark = pytest.mark.browser

MARKED = "SELECT article_id, kind FROM events WHERE kind <> 'opened' ORDER BY id"


@pytest.fixture
def server(furnished: Path, tmp_path: Path) -> Iterator[Served]:
    shutil.copytree(furnished, tmp_path / "store")
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


def kept(page: Any) -> dict[str, int]:
    """How many pages of each kind the worker says it has."""
    asked = """() => new Promise((done) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = ({ data }) => done(data.kept.map((one) => one.kind));
        navigator.serviceWorker.controller.postMessage({ about: "kept" }, [port2]);
    })"""
    kinds = page.evaluate(asked)
    return {kind: kinds.count(kind) for kind in kinds}


def article_of(page: Any, number: int) -> int:
    return int(row(page, number).get_attribute("data-id"))


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_lists_articles_and_marks_without_the_server(
    chromium: Any, server: Served, shots: Path, size: dict[str, int]
) -> None:
    context = chromium.new_context(viewport=size, service_workers="allow")
    page = context.new_page()
    begin(page, server.url + "/?show=all&order=newest")
    begin(page, server.url + "/")
    until(page, lambda: kept(page).get("article", 0) >= 20)
    titles = page.locator(".row .open").all_inner_texts()
    ids = [article_of(page, number) for number in range(4)]

    server.stop()
    page.reload()
    expect(page.locator("#offline")).to_contain_text("Offline: shown as of")
    assert page.locator(".row .open").all_inner_texts() == titles
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    page.screenshot(path=shots / f"offline-list-{size['width']}.png")

    # Marked by keys, and shown so at once: the third thing is taken back.
    for number, key in enumerate("lsd"):
        press(page, "j", key)
        expect(row(page, number)).to_have_class(re.compile(r"\bwaits\b"))
        toast(page, "It is sent when Newsloom answers")
    press(page, "u")
    toast(page, "Taken back")
    expect(page.locator("#offline")).to_contain_text("2 marks wait")
    assert row(page, 0).locator(".mark.like").get_attribute("aria-pressed") == "true"
    assert row(page, 2).get_attribute("data-read") == "0"
    page.screenshot(path=shots / f"offline-marked-{size['width']}.png")

    # An article, opened by key and read; opening it is a mark too.
    press(page, "j", "Enter")
    page.wait_for_url("**/articles/*")
    frame = page.frame_locator("#text").locator("article")
    expect(frame).to_contain_text(titles[3])
    expect(page.locator("#offline")).to_contain_text("3 marks wait")
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

    server.start()
    expect(page.locator("#offline")).to_contain_text("answers again", timeout=60_000)
    toast(page, "3 marks sent")
    page.locator("#offline a").click()
    expect(page.locator("#offline")).to_have_count(0)
    begin(page, server.url + "/?show=all&order=newest")
    expect(page.locator("#offline")).to_have_count(0)
    context.close()
    assert events(server.folder) == [(ids[0], "like"), (ids[1], "star"), (ids[3], "read")]
