"""Filters, why, the Model page and the looks of every page, in a real Chromium."""

from __future__ import annotations

import re
import threading
from pathlib import Path
from typing import Any

import pytest

from newsloom.app.reader import ModelActions
from newsloom.kernel.ids import ArticleId
from newsloom.reading.values.reading import EventKind, ListQuery
from web.chromium import PHONE, WIDE, serving
from web.keyboard import press, row, toast, until, visit
from web.world import NEWS, World

pytestmark = pytest.mark.browser

FIRST = NEWS[0]["title"]


def test_filters_by_keys(page: Any, world: World) -> None:
    press(page, "f")
    page.locator("#filters select[name=language]:focus").wait_for()
    page.keyboard.type("ger")
    press(page, "Tab", "Tab")  # past importance
    page.locator("#filters select[name=sensitivity]:focus").wait_for()
    page.locator("#filters select[name=sensitivity]").select_option("3")
    press(page, "Tab", "Tab", "Enter")  # past which days
    page.wait_for_url("**/?language=de&sensitivity=3")
    expected = world.reader().page(ListQuery(language="de", sensitivity=3))
    assert expected
    assert page.locator("#rows > .row").count() == len(expected)
    page.locator(".chip", has_text="German").click()
    page.wait_for_url("**/?sensitivity=3")
    page.locator(".chip", has_text="Clear filters").click()
    page.wait_for_url(re.compile("/$"))
    press(page, "f", "Escape", "j")
    assert page.locator("#filters[open]").count() == 0
    assert page.locator(".row.selected").count() == 1


def test_more_keeps_the_filters(page: Any, home: str, world: World) -> None:
    visit(page, home + "/?score=1")
    page.locator("#more a[data-htmx-powered]").click()
    until(page, lambda: page.locator("#rows > .row").count() > 30)
    expected = world.reader().page(ListQuery(score=1.0, limit=60))
    assert page.locator("#rows > .row").count() == len(expected)


def test_the_chart_says_why(page: Any, world: World) -> None:
    press(page, "j", "w")
    row(page, 0).get_by_text("Details").click()
    chart = row(page, 0).locator("figure.curve svg")
    chart.wait_for()
    assert "halves every 10 days" in chart.get_attribute("aria-label")
    assert chart.get_by_text("now 93").is_visible()
    sums = row(page, 0).locator(".reasons .total .effect")
    assert sums.all_inner_texts() == ["50", "94"]
    drawn = row(page, 0).locator(".reasons li:not(.total) rect")
    assert drawn.count() == row(page, 0).locator(".reasons li:not(.total) .effect").count() > 0


def test_the_page_about_you_trains_and_tells(chromium: Any, world: World) -> None:
    go_on = threading.Event()

    def train() -> str:
        go_on.wait(20)
        return "Trained on 20 likes and 20 dislikes."

    world.model_actions = ModelActions(train=train)
    for number, one in enumerate(world.ids()[:40]):
        world.reader().mark([one], (EventKind.LIKE, EventKind.DISLIKE)[number % 2], "test")
    with serving(world) as url:
        page = chromium.new_page()
        visit(page, url + "/")
        visit(page, url + "/settings")
        page.get_by_role("link", name="What Newsloom knows about you").click()
        page.get_by_role("button", name="Train now").click()
        page.locator("#job", has_text="Training on your labels").wait_for()
        assert page.get_by_role("button", name="Train now").is_disabled()
        go_on.set()
        page.locator("#job", has_text="Trained on 20 likes and 20 dislikes.").wait_for()
        assert page.get_by_role("button", name="Train now").is_enabled()
        page.close()


def test_half_lives_are_set_on_the_page_about_you(page: Any, home: str, world: World) -> None:
    visit(page, home + "/you")
    page.get_by_text("How fast articles age").click()
    page.get_by_label("Urgent").fill("0.5")
    page.get_by_role("button", name="Save").first.click()
    toast(page, "Saved.")
    assert world.store.users.half_lives(world.user) == (365.0, 183.0, 30.0, 10.0, 0.5)
    page.get_by_text("How fast articles age").click()
    page.get_by_role("button", name="Reset to defaults").click()
    toast(page, "Saved.")
    assert world.store.users.half_lives(world.user) is None


PATHS = {
    "list": "/",
    "filtered": "/?language=en&score=25&sensitivity=4",
    "category": "/?category=World",
    "article": "/articles/1",
    "right-to-left": "/articles/11",
    "why": "/articles/1/why",
    "feeds": "/feeds",
    "about you": "/you",
    "search": "/search?q=tide",
    "search-help": "/search",
    "search-newest": "/search?q=article+-is:read&sort=newest",
    "search-refused": "/search?q=is:new+lang:klingonese",
    "help": "/help",
    "missing": "/articles/99999",
}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("width", "height"), [(360, 740), (768, 1024), (1280, 860)])
def test_pages_fit_their_window(
    chromium: Any, home: str, shots: Path, width: int, height: int, scheme: str
) -> None:
    context = chromium.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
    page = context.new_page()
    for name, path in PATHS.items():
        page.goto(home + path)
        assert page.evaluate(FITS), name
        page.screenshot(path=shots / f"{name}-{width}-{scheme}.png")
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert paper == ("rgb(251, 250, 247)" if scheme == "light" else "rgb(22, 24, 26)")
    context.close()


@pytest.mark.parametrize("show", ["unread", "starred", "liked", "all"])
def test_the_name_of_a_list_is_whole_on_a_phone(chromium: Any, home: str, show: str) -> None:
    page = chromium.new_page(viewport=PHONE)
    page.goto(f"{home}/?show={show}")
    assert page.locator("h1").evaluate("one => one.scrollWidth <= one.clientWidth")
    page.close()


FITS = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"


def test_a_colour_chosen_by_hand_wins_over_the_system(chromium: Any, home: str) -> None:
    context = chromium.new_context(viewport=WIDE, color_scheme="light")
    page = context.new_page()
    page.goto(home + "/settings")
    page.get_by_role("button", name="Dark").click()
    page.locator("html[data-theme=dark]").wait_for()
    page.goto(home + "/articles/1")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(22, 24, 26)"
    context.close()


def test_words_stand_out_enough_in_both_colours(chromium: Any, home: str) -> None:
    """WCAG AA: 4.5 to 1 for text against what is behind it."""
    for scheme in ("light", "dark"):
        context = chromium.new_context(viewport=WIDE, color_scheme=scheme)
        page = context.new_page()
        for path in (
            "/",
            "/?language=en&score=1",
            "/feeds",
            "/you",
            "/articles/1/why",
            "/search",
            "/search?q=tide",
            "/search?q=is:new",
        ):
            page.goto(home + path)
            assert page.evaluate(FAINT) == [], (scheme, path)
        context.close()


# Every element with text of its own whose contrast with the nearest opaque background is below 4.5.
FAINT = """() => {
    const numbers = (colour) => {
        const canvas = new OffscreenCanvas(1, 1).getContext('2d');
        canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1);
        return [...canvas.getImageData(0, 0, 1, 1).data];
    };
    const light = ([r, g, b]) => {
        const line = (v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
        return 0.2126 * line(r) + 0.7152 * line(g) + 0.0722 * line(b);
    };
    const behind = (element) => {
        for (let at = element; at; at = at.parentElement) {
            const colour = numbers(getComputedStyle(at).backgroundColor);
            if (colour[3] > 250) return colour;
        }
        return numbers(getComputedStyle(document.body).backgroundColor);
    };
    const faint = [];
    for (const element of document.querySelectorAll('body *')) {
        const own = [...element.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
        if (!own || !element.checkVisibility() || element.closest('.unseen, svg')) continue;
        const [a, b] = [light(numbers(getComputedStyle(element).color)), light(behind(element))];
        const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        const words = element.textContent.trim().slice(0, 30);
        if (ratio < 4.5) faint.push(`${element.className} ${words} ${ratio.toFixed(2)}`);
    }
    return [...new Set(faint)];
}"""


def test_many_events_of_one_article_leave_one_state(page: Any, world: World) -> None:
    """Keys pressed faster than the server answers are not lost and not doubled."""
    press(page, "j", "s", "l", "m")
    page.locator(".row.selected.is-read").wait_for()
    page.locator(".row.selected .like[aria-pressed=true]").wait_for()
    page.locator(".row.selected .star[aria-pressed=true]").wait_for()
    state = world.reader().article(ArticleId(world.named(FIRST))).listed.state
    assert (state.read, state.starred, state.rating) == (True, True, 1)
    kinds = {world.reader().undo("test")[0].kind for _ in range(3)}
    assert kinds == {EventKind.STAR, EventKind.LIKE, EventKind.READ}
