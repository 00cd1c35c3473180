"""Take the pictures of docs/use/start.md: a newcomer's way in a real Chromium.

    python scripts/take_screenshots.py docs/screenshots
    python scripts/take_screenshots.py docs/screenshots briefs    only those of docs/use/briefs.md
    python scripts/take_screenshots.py docs/screenshots tasks     only those of docs/use/tasks.md,
                                                                  and the table of what is pressed

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
from playwright.sync_api import Locator, Page, sync_playwright

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


class Hand:
    """What a person does on a page: what is pressed and what is filled in are counted."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.presses = self.fields = 0

    def press(self, what: Locator) -> None:
        self.presses += 1
        what.click()
        self.page.wait_for_timeout(700)

    def link(self, name: str) -> None:
        self.press(self.page.get_by_role("link", name=name, exact=True).first)

    def button(self, name: str) -> None:
        self.press(self.page.get_by_role("button", name=name, exact=True).first)

    def fill(self, label: str, text: str) -> None:
        self.fields += 1
        self.page.get_by_label(label).fill(text)


def take_tasks(folder: Path, feeds: SampleServer) -> None:
    """Ten things that a newcomer does first, each from the list; a line of the table for each."""
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path="/usr/bin/chromium", args=ARGUMENTS)
        wide = browser.new_page(viewport={"width": 1280, "height": 860})
        phone = browser.new_page(viewport={"width": 360, "height": 740}, has_touch=True)

        def task(words: str, *, page: Page = wide) -> Hand:
            page.goto(HOME)
            page.locator("html[data-ready]").wait_for(state="attached")
            hands.append((words, Hand(page)))
            return hands[-1][1]

        hands: list[tuple[str, Hand]] = []
        hand = task("Import the feeds of another reader")
        with wide.expect_file_chooser() as chosen:
            hand.press(wide.locator("#file"))
        chosen.value.set_files(
            {"name": "feeds.opml", "mimeType": "text/x-opml", "buffer": feeds.opml()}
        )
        hand.button("Import")
        time.sleep(40)  # the first pass, with the encoder

        task("Find the digest").link("Digest")

        hand = task("Mute a word")
        hand.link("Settings")
        hand.link("Rules")
        hand.fill("Mute articles with a word in the title or text", "quiz, horoscope")
        hand.button("Mute")
        _keep(wide, folder / "task-mute.png")

        hand = task("Follow a story")
        hand.link("Stories")
        hand.press(wide.locator("main.stories .cards a.name").first)
        hand.button("Follow")

        hand = task("Play the brief, on a phone", page=phone)
        hand.link("Brief")
        hand.button("Create")
        phone.locator(".brief-list li:not(:has(.state)) .listen").first.wait_for(timeout=120_000)
        hand.press(phone.locator(".brief-list .listen").first)
        hand.button("Play")
        _keep(phone, folder / "task-brief-phone.png")

        hand = task("Undo a wrong like")
        wide.keyboard.press("j")
        wide.keyboard.press("l")
        hand.button("Undo")

        hand = task("See why an article is there")
        wide.locator("#rows > .row").first.hover()
        hand.press(wide.locator("#rows > .row").first.locator(".acts-menu"))
        hand.press(wide.get_by_role("menuitem", name="Why it ranks here"))
        wide.locator("#rows details.why[open] li, #rows details.why[open] p").first.wait_for()
        wide.wait_for_timeout(1_500)
        _keep(wide, folder / "task-why.png")

        hand = task("Read offline, on a phone", page=phone)
        phone.wait_for_timeout(20_000)  # what is kept ahead arrives
        phone.context.set_offline(True)
        hand.press(phone.locator("#rows .open").nth(2))
        _keep(phone, folder / "task-offline-phone.png")
        phone.context.set_offline(False)

        hand = task("Share an article")
        hand.press(wide.locator("#rows .open").first)
        hand.press(wide.locator("#share > summary"))

        hand = task("Add a second person")
        hand.link("Settings")
        hand.link("Account")
        hand.fill("Name", "anna")
        hand.fill("Password", "a long password of anna")
        hand.button("Create account")
        hand.button("Invite a reader")
        _keep(wide, folder / "task-person.png")

        print("| task | presses | fields |\n|---|---|---|")
        for words, hand in hands:
            print(f"| {words} | {hand.presses} | {hand.fields or ''} |")
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
        which = {"briefs": take_briefs, "tasks": take_tasks}.get("".join(sys.argv[2:]), take)
        which(target, served)
