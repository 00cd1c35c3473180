"""Take the pictures of docs/use/start.md: a newcomer's way in a real Chromium.

    python scripts/take_screenshots.py docs/screenshots
    python scripts/take_screenshots.py docs/screenshots briefs    only those of docs/use/briefs.md

Needs Chromium at /usr/bin/chromium. Starts its own Newsloom on an empty store that is thrown away.
The network is not used: the feeds are the built-in sample's, served on loopback.
"""

from __future__ import annotations

import asyncio
import io
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from newsloom.app import utc_now
from newsloom.sample.server import SampleServer

PORT = 8797
SAMPLE_PORT = PORT + 2
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
def sample_feeds() -> Iterator[SampleServer]:
    """The sample's site on loopback, until the block ends."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    server = SampleServer(now=utc_now, port=SAMPLE_PORT)
    asyncio.run_coroutine_threadsafe(server.__aenter__(), loop).result()
    try:
        yield server
    finally:
        asyncio.run_coroutine_threadsafe(server.__aexit__(None, None, None), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()


@contextmanager
def newsloom(feeds: SampleServer) -> Iterator[None]:
    """`newsloom serve` on an empty store, until the block ends."""
    with tempfile.TemporaryDirectory() as place:
        environment = {
            **os.environ,
            "NEWSLOOM_STORE_PATH": str(Path(place) / "newsloom.db"),
            "NEWSLOOM_BRIEF_FOLDER": str(Path(place) / "briefs"),
            "NEWSLOOM_FETCH_PRIVATE_HOSTS": ",".join(feeds.hosts),
            "NEWSLOOM_FETCH_HOST_SECONDS": "0",
        }
        command = [sys.executable, "-m", "newsloom", "serve", "--port", str(PORT)]
        with subprocess.Popen(command, env=environment) as server:
            try:
                _wait(("127.0.0.1", PORT))
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


def begin(page: Page, feeds: SampleServer, folder: Path) -> None:
    """From the empty page to the first articles."""
    _shoot(page, "/", folder / "empty-page.png")
    for topic in ("Technology", "Science", "Space"):
        page.get_by_role("checkbox", name=topic).check()
    page.get_by_role("button", name="Follow topics").scroll_into_view_if_needed()
    _keep(page, folder / "topics.png")
    page.set_input_files(
        "#file", {"name": "feeds.opml", "mimeType": "text/x-opml", "buffer": feeds.opml()}
    )
    page.locator("form.opml button").click()
    page.locator("#news progress, #rows .row").first.wait_for()
    _keep(page, folder / "arriving.png")
    time.sleep(25)  # the first pass, with the encoder


def take(folder: Path, feeds: SampleServer) -> None:
    """All pictures, in the order of the walk."""
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path="/usr/bin/chromium", args=ARGUMENTS)
        page = browser.new_page(viewport={"width": 1280, "height": 860})
        phone = browser.new_page(viewport={"width": 360, "height": 740})
        begin(page, feeds, folder)
        _shoot(page, "/", folder / "first-list.png")
        page.locator("#tour-end").click()
        page.goto(f"{HOME}/you")
        for words in ("space and astronomy", "programming languages"):
            page.fill("#interest", words)
            page.press("#interest", "Enter")
            page.wait_for_load_state()
        _shoot(page, "/you", folder / "interests.png")
        _label(page)
        time.sleep(15)  # the pass that follows trains and ranks again
        _shoot(page, "/", folder / "list-light.png")
        page.locator("article, li.row, .row").first.wait_for()
        first = page.locator("a[href*='/articles/']").first.get_attribute("href") or "/"
        number = first.split("/articles/")[1].split("/")[0].split("?")[0]
        _shoot(page, f"/articles/{number}", folder / "article.png")
        _shoot(page, f"/articles/{number}/why", folder / "why.png")
        page.goto(f"{HOME}/you")
        page.get_by_text("How your ranking was learned").click()
        page.get_by_role("button", name="Evaluate").click()
        page.wait_for_timeout(10_000)
        page.get_by_text("How your ranking was learned").click()
        page.get_by_text("How your ranking was learned").scroll_into_view_if_needed()
        _keep(page, folder / "model.png")
        _shoot(page, "/feeds", folder / "feeds.png")
        _shoot(page, "/search?q=ice", folder / "search.png")
        _cluster(page, folder / "cluster.png")
        _shoot(page, "/digest?kind=weekly", folder / "digest-light.png")
        _stories(page, folder)
        dark = browser.new_page(viewport={"width": 1280, "height": 860}, color_scheme="dark")
        _shoot(dark, "/", folder / "list-dark.png")
        _shoot(phone, "/", folder / "list-phone.png")
        _shoot(phone, f"/articles/{number}", folder / "article-phone.png")
        browser.close()


def take_briefs(folder: Path, feeds: SampleServer) -> None:
    """A brief of the sample, spoken by eSpeak NG, while it plays."""
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path="/usr/bin/chromium", args=ARGUMENTS)
        page = browser.new_page(viewport={"width": 1280, "height": 860})
        page.goto(f"{HOME}/feeds")
        page.set_input_files(
            "#file", {"name": "feeds.opml", "mimeType": "text/x-opml", "buffer": feeds.opml()}
        )
        page.locator("form[action='/feeds/import'] button").click()
        time.sleep(40)  # the first pass, with the encoder
        page.goto(f"{HOME}/briefs")
        page.get_by_label("Minutes").select_option("5")
        page.get_by_role("button", name="Create").click()
        page.locator(".brief-list .listen").first.wait_for(timeout=120_000)
        page.locator(".brief-list li:not(:has(.state))").first.wait_for(timeout=120_000)
        page.locator(".brief-list .listen").first.click()
        address = page.url
        _listen(page, address, folder / "brief-light.png")
        _shoot(page, "/briefs", folder / "briefs.png")
        browser.close()


def _listen(page: Page, address: str, file: Path) -> None:
    page.goto(address)
    page.locator(".transcript section").nth(1).locator(".spoken").nth(1).click()
    page.wait_for_timeout(1_500)
    page.locator(".sentence.current summary").first.click()
    page.wait_for_timeout(300)
    _keep(page, file)
    page.keyboard.press(" ")
    page.wait_for_timeout(300)


def _shoot(page: Page, path: str, file: Path) -> None:
    page.goto(HOME + path)
    page.wait_for_timeout(700)
    _keep(page, file)


def _keep(page: Page, file: Path) -> None:
    """What is seen now, in 256 colours: a third of the bytes, and no eye sees it."""
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    picture.quantize(256, dither=Image.Dither.NONE).save(file, optimize=True)


def _stories(page: Page, folder: Path) -> None:
    """What goes on, and the first story of it."""
    _shoot(page, "/stories", folder / "stories-light.png")
    page.locator("main.stories li a").first.click()
    page.wait_for_timeout(700)
    _keep(page, folder / "story-light.png")


def _cluster(page: Page, file: Path) -> None:
    """The wire story of the sample opened, with what ties its copies together."""
    page.goto(f"{HOME}/search?q=cable")
    page.locator(".sources").first.locator("xpath=ancestor::article").locator("h2 a").click()
    page.locator("#related summary").click()
    page.wait_for_timeout(700)
    _keep(page, file)


def _label(page: Page) -> None:
    """Like and dislike articles through the pages' own form, as a reader would."""
    rows = page.request.get(f"{HOME}/api/v1/articles?limit=200").json()["items"]
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
    with sample_feeds() as served, newsloom(served):
        (take_briefs if sys.argv[2:] == ["briefs"] else take)(target, served)
