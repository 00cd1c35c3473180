"""Pictures in a real Chromium, of `newsloom serve` as anyone starts it: asked of us alone."""

from __future__ import annotations

import io
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from migrated import store_url
from publisher import Publisher, publishing
from web.chromium import PHONE, WIDE
from web.keyboard import until, visit

pytestmark = pytest.mark.browser


def photograph(colour: str, size: tuple[int, int] = (1200, 800)) -> bytes:
    made = io.BytesIO()
    Image.new("RGB", size, colour).save(made, "JPEG")
    return made.getvalue()


def item(number: int, html: str) -> str:
    escaped = html.replace("&", "&amp;").replace("<", "&lt;")
    return (
        f"<item><guid isPermaLink='false'>{number}</guid>"
        f"<title>{NAMES[number]}</title><description>{escaped}</description></item>"
    )


NAMES = (
    "Tide tables for the northern harbours",
    "A choir sings in an empty reservoir",
    "Bakers count their flour before winter",
)


@pytest.fixture
def publisher() -> Iterator[Publisher]:
    with publishing() as publisher:
        publisher.puts("/one.jpg", photograph("teal"), Content_Type="image/jpeg")
        svg = "<svg xmlns='http://www.w3.org/2000/svg' width='90' height='60'></svg>"
        publisher.puts("/drawn.svg", svg, Content_Type="image/svg+xml")
        feed = "".join(
            (
                item(0, f"<img src='{publisher.url}/one.jpg' alt='One'><p>Words.</p>"
                        f"<img src='{publisher.url}/drawn.svg' alt='Drawn'>"),
                item(1, f"<img src='{publisher.url}/gone.jpg'><p>Words of the second.</p>"),
                item(2, "<p>Words without any picture.</p>"),
            )
        )  # fmt: skip
        publisher.puts(
            "/feed", f"<rss version='2.0'><channel><title>Pictures</title>{feed}</channel></rss>"
        )
        yield publisher


@contextmanager
def served(folder: Path, publisher: Publisher, *more: str, **settings: str) -> Iterator[str]:
    """The address of a server that follows `/feed`, and `more` of the publisher's feeds."""
    environment = {
        **os.environ,
        "HOME": str(folder),
        "NEWSLOOM_STORE_PATH": str(folder / "news.db"),
        "NEWSLOOM_STORE_URL": store_url(folder / "news.db"),
        "NEWSLOOM_PAGES_PICTURE_FOLDER": str(folder / "pictures"),
        "NEWSLOOM_PAGES_ICONS": "false",
        "NEWSLOOM_FETCH_PRIVATE_HOSTS": publisher.host,
        **settings,
    }
    newsloom = [sys.executable, "-m", "newsloom"]
    for path in ("/feed", *more):
        add = [*newsloom, "add", publisher.url + path]
        subprocess.run(add, env=environment, check=True, capture_output=True)
    process = subprocess.Popen(
        [*newsloom, "serve", "--port", "0"], env=environment, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    try:
        yield next(
            found[1]
            for line in process.stdout
            if (found := re.search(r"is ready: (http://\S+)/", line))
        )
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)


@pytest.fixture(params=[WIDE, PHONE], ids=["wide", "phone"])
def page(request: pytest.FixtureRequest, chromium: Any) -> Iterator[Any]:
    context = chromium.new_context(viewport=request.param)
    page = context.new_page()
    yield page
    context.close()


def widths(frame: Any) -> list[int]:
    return frame.locator("img").evaluate_all("all => all.map(one => one.naturalWidth)")


def test_pictures_come_from_us(page: Any, publisher: Publisher, tmp_path: Path) -> None:
    with served(tmp_path, publisher) as home:
        requests: list[str] = []
        page.on("request", lambda request: requests.append(request.url))
        visit(page, home + "/")
        row = page.locator(".row", has_text=NAMES[0])
        until(page, lambda: row.locator(".thumbnail").evaluate("one => one.naturalWidth") == 320)
        # One that cannot be had leaves no hole.
        until(
            page, lambda: page.locator(".row", has_text=NAMES[1]).locator(".thumbnail").count() == 0
        )
        assert page.locator(".row", has_text=NAMES[2]).locator(".thumbnail").count() == 0
        width = page.viewport_size["width"]
        for look in ("compact", "cards", "magazine", "list"):
            visit(page, home + "/preferences")
            page.select_option("select[name=look]", look)
            page.get_by_role("button", name="Save").click()
            visit(page, home + "/")
            assert page.evaluate("document.documentElement.dataset.look") == look
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            # What stays at the top covers all that goes by below it.
            top, rows = (page.locator(one).bounding_box() for one in (".top", "#rows"))
            assert top["x"] <= rows["x"]
            assert top["x"] + top["width"] >= rows["x"] + rows["width"]
        page.get_by_role("link", name=NAMES[0]).click()
        page.wait_for_url(re.compile("/articles/"))
        frame = page.locator("#text")
        until(page, lambda: widths(frame) == [1200, 90])
        assert all(one.startswith(home) for one in requests), requests


def test_the_card_of_a_story_has_a_picture_of_it(
    page: Any, publisher: Publisher, tmp_path: Path
) -> None:
    title = "Tide tables of the northern harbours are redrawn after a storm"
    for path, words, html in (
        ("/feed", title, f"<img src='{publisher.url}/one.jpg'><p>Pilots redrew the tables.</p>"),
        (
            "/other",
            title.replace("redrawn", "drawn anew"),
            "<p>The pilots drew the tables anew.</p>",
        ),
    ):
        channel = f"<title>Feed {path}</title>{item(0, html).replace(NAMES[0], words)}"
        publisher.puts(path, f"<rss version='2.0'><channel>{channel}</channel></rss>")
    with served(tmp_path, publisher, "/other") as home:
        card = page.locator(".cards > li", has_text="Tide tables")
        until(page, lambda: visit(page, home + "/stories") or card.count() == 1)
        picture = card.locator("img.thumbnail")
        until(page, lambda: picture.evaluate("one => one.naturalWidth") == 320)
        assert "2 articles" in card.inner_text()
        assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]


def test_pictures_as_links(page: Any, publisher: Publisher, tmp_path: Path) -> None:
    with served(tmp_path, publisher, NEWSLOOM_PAGES_PICTURES="links") as home:
        visit(page, home + "/")
        assert page.locator(".thumbnail").count() == 0
        page.get_by_role("link", name=NAMES[0]).click()
        page.wait_for_url(re.compile("/articles/"))
        link = page.locator("#text").get_by_role("link", name="Drawn")
        assert link.get_attribute("href") == publisher.url + "/drawn.svg"
        assert [path for path, _headers in publisher.asked] == ["/feed"]
