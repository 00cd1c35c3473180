"""Take the pictures of docs/first-walk.md: the built-in sample in a real Chromium.

    python scripts/take_screenshots.py docs/screenshots

Needs Chromium at /usr/bin/chromium. Starts its own Newsloom on a store that is thrown away; the
network is not used, so the sample is shown.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

PORT = 8797
HOME = f"http://127.0.0.1:{PORT}"
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
LIKED = ("Quadrant", "Circuit & Signal", "Stack Frame", "Highwater")
DISLIKED = ("Touchline", "The Northern Ledger", "The Lantern", "Table & Pulse")


@contextmanager
def newsloom() -> Iterator[None]:
    """`newsloom serve --starter` on an empty store, until the block ends."""
    with tempfile.TemporaryDirectory() as place:
        environment = {
            **os.environ,
            "NEWSLOOM_STORE_PATH": str(Path(place) / "newsloom.db"),
            # Nothing listens there: the well-known feeds do not answer, so the sample is shown.
            "NEWSLOOM_FETCH_PROXY": "http://127.0.0.1:9",
        }
        program = Path(sys.executable).with_name("newsloom")
        command = [str(program), "serve", "--starter", "--port", str(PORT)]
        with subprocess.Popen(command, env=environment) as server:
            try:
                _wait(("127.0.0.1", PORT))
                time.sleep(25)  # the first pass, with the encoder
                yield
            finally:
                server.terminate()


def _wait(address: tuple[str, int]) -> None:
    for _ in range(120):
        try:
            socket.create_connection(address, timeout=1).close()
        except OSError:
            time.sleep(0.5)
        else:
            return
    raise SystemExit(f"{address} did not answer")


def take(folder: Path) -> None:
    """All pictures, in the order of the walk."""
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path="/usr/bin/chromium", args=ARGUMENTS)
        page = browser.new_page(viewport={"width": 1280, "height": 860})
        _shoot(page, "/", folder / "first-list.png")
        page.goto(f"{HOME}/interests")
        for words in ("space and astronomy", "programming languages"):
            page.fill("#interest", words)
            page.press("#interest", "Enter")
            page.wait_for_load_state()
        _shoot(page, "/interests", folder / "interests.png")
        _label(page)
        time.sleep(15)  # the pass that follows trains and ranks again
        _shoot(page, "/", folder / "list-light.png")
        page.locator("article, li.row, .row").first.wait_for()
        first = page.locator("a[href*='/articles/']").first.get_attribute("href") or "/"
        number = first.split("/articles/")[1].split("/")[0].split("?")[0]
        _shoot(page, f"/articles/{number}", folder / "article.png")
        _shoot(page, f"/articles/{number}/why", folder / "why.png")
        page.goto(f"{HOME}/model")
        page.get_by_role("button", name="Measure").click()
        page.wait_for_timeout(10_000)
        _shoot(page, "/model", folder / "model.png")
        _shoot(page, "/feeds", folder / "feeds.png")
        _shoot(page, "/search?q=ice", folder / "search.png")
        _cluster(page, folder / "cluster.png")
        _shoot(page, "/digest?kind=weekly", folder / "digest-light.png")
        _stories(page, folder, "light")
        dark = browser.new_page(viewport={"width": 1280, "height": 860}, color_scheme="dark")
        _shoot(dark, "/", folder / "list-dark.png")
        _shoot(dark, "/digest?kind=weekly", folder / "digest-dark.png")
        phone = browser.new_page(viewport={"width": 360, "height": 740})
        _shoot(phone, "/digest?kind=weekly", folder / "digest-phone.png")
        in_the_dark = browser.new_page(viewport={"width": 360, "height": 740}, color_scheme="dark")
        _shoot(in_the_dark, "/digest?kind=weekly", folder / "digest-phone-dark.png")
        _stories(in_the_dark, folder, "phone-dark")
        _shoot(phone, "/", folder / "list-phone.png")
        _shoot(phone, f"/articles/{number}", folder / "article-phone.png")
        browser.close()


def _shoot(page: Page, path: str, file: Path) -> None:
    page.goto(HOME + path)
    page.wait_for_timeout(700)
    page.screenshot(path=str(file))


def _stories(page: Page, folder: Path, kind: str) -> None:
    """What goes on, and the first story of it."""
    _shoot(page, "/stories", folder / f"stories-{kind}.png")
    page.locator("main.stories li a").first.click()
    page.wait_for_timeout(700)
    page.screenshot(path=str(folder / f"story-{kind}.png"))


def _cluster(page: Page, file: Path) -> None:
    """The wire story of the sample opened, with what ties its copies together."""
    page.goto(f"{HOME}/search?q=cable")
    page.locator(".sources").first.locator("xpath=ancestor::article").locator("h2 a").click()
    page.locator("#related summary").click()
    page.wait_for_timeout(700)
    page.screenshot(path=str(file))


def _label(page: Page) -> None:
    """Like and dislike articles through the pages' own form, as a reader would."""
    articles = page.request.get(f"{HOME}/api/articles?limit=200").json()
    rows = articles["articles"] if isinstance(articles, dict) else articles
    for kind, feeds in (("like", LIKED), ("dislike", DISLIKED)):
        chosen = [one["id"] for one in rows if one["feed_title"] in feeds][::2][:24]
        for number in chosen:
            page.request.post(
                f"{HOME}/articles/{number}/marks",
                form={"kind": kind},
                headers={"Origin": HOME},
            )


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    with newsloom():
        take(target)
