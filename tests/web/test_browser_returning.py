"""Back from an article to its list: the same rows, the same place, the same row selected."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from web.chromium import PHONE, WIDE, remembering
from web.keyboard import press, row, until, visit
from web.world import NEWS, World, article

pytestmark = pytest.mark.browser


def by_key(page: Any) -> None:
    press(page, "Escape")


def by_arrow(page: Any) -> None:
    page.locator("#back").click()


def by_browser(page: Any) -> None:
    page.go_back(wait_until="commit")


WAYS: tuple[Callable[[Any], None], ...] = (by_key, by_arrow, by_browser)


@pytest.fixture(params=[WIDE, PHONE], ids=["wide", "phone"])
def reading(request: pytest.FixtureRequest, chromium: Any, home: str) -> Iterator[Any]:
    context = chromium.new_context(viewport=request.param)
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    visit(page, home + "/?order=newest")
    yield page
    context.close()
    assert complaints == []


def top(page: Any, number: int) -> float:
    """How far a row is from the top of the window."""
    return row(page, number).evaluate("row => row.getBoundingClientRect().top")


def more(page: Any) -> None:
    before = page.locator("#rows > .row").count()
    page.locator("#more a[data-htmx-powered]").click()
    until(page, lambda: page.locator("#rows > .row").count() > before)


def open_row(page: Any, number: int) -> float:
    """Read an article, from a row that stands a third down the window; where that was."""
    title = row(page, number).locator(".open")
    title.evaluate(
        "link => scrollTo(0, link.getBoundingClientRect().top + scrollY - innerHeight / 3)"
    )
    place = top(page, number)
    title.click()
    page.locator(".tools .mark.read[aria-pressed=true]").wait_for()
    return place


def is_back(page: Any, number: int, place: float, rows: int) -> None:
    page.locator("#rows").wait_for()
    until(page, lambda: page.locator("html[data-ready]").count() == 1)
    assert page.locator("#rows > .row").count() == rows
    until(page, lambda: abs(top(page, number) - place) <= 1)
    until(page, lambda: "selected" in row(page, number).get_attribute("class"))
    until(page, lambda: "is-read" in row(page, number).get_attribute("class"))
    assert page.url.partition("?")[2] in {"order=newest", f"order=newest&rows={rows}"}


@pytest.mark.parametrize("way", WAYS)
def test_back_is_where_it_was(reading: Any, way: Callable[[Any], None]) -> None:
    place = open_row(reading, 25)
    way(reading)
    is_back(reading, 25, place, 30)


@pytest.mark.parametrize("way", WAYS)
def test_back_has_all_rows_after_more(reading: Any, way: Callable[[Any], None]) -> None:
    more(reading)
    assert reading.locator("#rows > .row").count() == 60
    place = open_row(reading, 52)
    way(reading)
    is_back(reading, 52, place, 60)


@pytest.mark.parametrize("way", WAYS)
def test_back_to_a_page_that_begins_at_a_cursor(
    reading: Any, home: str, world: World, way: Callable[[Any], None]
) -> None:
    """More, opened in a tab of its own; there once more More, and an article."""
    feed = world.feed("https://long.example/feed", "The Long One")
    data = NEWS[0] | {"feed": "long"}
    world.put(feed, *(article(data, 3_000 + number, world.now) for number in range(60)))
    visit(reading, home + "/?order=newest")
    visit(reading, home + reading.locator("#more a").get_attribute("href"))
    reading.locator("#more a").click()
    reading.wait_for_url(lambda url: "rows=90" in url)
    titles = reading.locator(".row .open").all_inner_texts()
    until(reading, lambda: reading.locator("html[data-ready]").count() == 1)
    place = open_row(reading, 20)
    way(reading)
    reading.locator("#rows").wait_for()
    until(reading, lambda: reading.locator("html[data-ready]").count() == 1)
    until(reading, lambda: abs(top(reading, 20) - place) <= 1)
    assert reading.locator(".row .open").all_inner_texts() == titles
    assert "is-read" in row(reading, 20).get_attribute("class")


def test_what_was_read_meanwhile_shifts_nothing(reading: Any) -> None:
    """Several rows are read on the way, and two are judged; then once more into an article."""
    for number in (3, 5):
        row(reading, number).hover()
        row(reading, number).locator(".mark.dislike").click()
        until(reading, lambda at=number: "is-read" in row(reading, at).get_attribute("class"))
    open_row(reading, 20)
    for _ in range(3):
        before = reading.url
        press(reading, "j")
        reading.wait_for_url(lambda url, old=before: url != old)
        reading.locator(".tools .mark.read[aria-pressed=true]").wait_for()
        reading.wait_for_load_state()
    press(reading, "Escape")
    reading.locator("#rows").wait_for()
    until(reading, lambda: "selected" in row(reading, 23).get_attribute("class"))
    assert [
        number for number in range(30) if "is-read" in row(reading, number).get_attribute("class")
    ] == [3, 5, 20, 21, 22, 23]
    place = top(reading, 23)
    assert 0 < place < reading.viewport_size["height"]
    row(reading, 23).locator(".open").click()
    reading.locator(".tools").wait_for()
    press(reading, "Escape")
    is_back(reading, 23, place, 30)


def test_loaded_again_the_list_is_as_it_is_now(reading: Any) -> None:
    title = row(reading, 25).locator(".open").inner_text()
    open_row(reading, 25)
    press(reading, "Escape")
    reading.locator(".row.selected.is-read").wait_for()
    reading.reload()
    reading.locator("#rows").wait_for()
    assert title not in reading.locator(".row .open").all_inner_texts()


def test_an_article_of_another_tab_leads_to_its_row(reading: Any, home: str) -> None:
    """There is no list in the history of that tab: the link leads to the row."""
    link = row(reading, 25).locator(".open").get_attribute("href")
    other = reading.context.new_page()
    visit(other, home + link)
    other.locator(".tools .mark.read[aria-pressed=true]").wait_for()
    press(other, "Escape")
    other.locator("#rows").wait_for()
    until(other, lambda: "selected" in row(other, 25).get_attribute("class"))
    assert 0 <= top(other, 25) < other.viewport_size["height"]
    assert "as=" not in other.url
    assert "#" not in other.url


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_without_javascript_links_lead_back_to_the_row(
    chromium: Any, home: str, size: dict[str, int]
) -> None:
    context = chromium.new_context(viewport=size, java_script_enabled=False)
    page = context.new_page()
    page.goto(home + "/?order=newest")
    page.locator("#more a").click()
    title = row(page, 20).locator(".open").inner_text()
    row(page, 20).locator(".open").click()
    page.locator(".tools .mark.read").click()
    page.locator("#back").click()
    page.locator("#rows").wait_for()
    read = row(page, 20)
    assert read.locator(".open").inner_text() == title
    assert "is-read" in read.get_attribute("class")
    box = read.bounding_box()
    assert 0 <= box["y"] < size["height"] - 50
    context.close()


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_without_javascript_marks_stay_at_their_row(
    chromium: Any, home: str, size: dict[str, int]
) -> None:
    context = chromium.new_context(viewport=size, java_script_enabled=False)
    page = context.new_page()
    page.goto(home + "/")
    row(page, 25).locator(".mark.like").click()
    page.locator("#toast .said", has_text="Liked").wait_for()
    liked = row(page, 25)
    assert liked.locator(".mark.like").get_attribute("aria-pressed") == "true"
    assert 0 <= liked.bounding_box()["y"] < size["height"]
    page.locator("#toast button").click()
    page.locator("#toast .said", has_text="Undone").wait_for()
    back = row(page, 25)
    assert "is-read" not in back.get_attribute("class")
    assert 0 <= back.bounding_box()["y"] < size["height"]
    context.close()


def test_the_browsers_memory_of_pages_is_used(chromium: Any, home: str) -> None:
    """Nothing on a list keeps the browser from holding it: back shows it at once, as it was."""
    with remembering(chromium) as browser:
        page = browser.new_page(viewport=WIDE)
        visit(page, home + "/?order=newest")
        more(page)
        page.evaluate("window.kept = true")
        place = open_row(page, 52)
        page.go_back(wait_until="commit")
        until(page, lambda: page.locator("#rows > .row").count() == 60)
        assert page.evaluate("window.kept") is True
        until(page, lambda: "is-read" in row(page, 52).get_attribute("class"))
        is_back(page, 52, place, 60)
