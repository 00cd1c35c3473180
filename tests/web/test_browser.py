"""A reader at the keyboard, in a real Chromium: the list, an article, undo, narrow and dark."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from newsloom.reader import Desk
from newsloom.types import ArticleId, EventKind, ListQuery
from web.chromium import PHONE, WIDE, serving
from web.world import NEWS, World

pytestmark = pytest.mark.browser

FIRST = NEWS[0]["title"]


@pytest.fixture
def home(world: World) -> Iterator[str]:
    with serving(world) as url:
        yield url


@pytest.fixture
def page(chromium: Any, home: str) -> Iterator[Any]:
    """A wide page on the front page; any complaint in its console fails the test."""
    context = chromium.new_context(viewport=WIDE)
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "console",
        lambda said: complaints.append(said.text) if said.type in {"error", "warning"} else None,
    )
    visit(page, home + "/")
    yield page
    context.close()
    assert complaints == []


def visit(page: Any, url: str) -> None:
    """Go there, and wait until the page's scripts have read it."""
    page.goto(url)
    page.locator("html[data-ready]").wait_for(state="attached")
    if page.locator("#rows form[hx-post]").count():
        page.locator("#rows form[data-htmx-powered]").last.wait_for(state="attached")


def press(page: Any, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def row(page: Any, number: int) -> Any:
    return page.locator("#rows > .row").nth(number)


def toast(page: Any, words: str) -> None:
    page.locator("#toast .said", has_text=words).wait_for()


def until(page: Any, true: Callable[[], bool]) -> None:
    """Wait for what the page cannot wait for itself: a frame without scripts has no timers."""
    for _ in range(100):
        if true():
            return
        page.wait_for_timeout(50)
    pytest.fail("it did not become so within five seconds")


def test_j_and_k_walk_the_list(page: Any) -> None:
    press(page, "j")
    assert "selected" in row(page, 0).get_attribute("class")
    press(page, "j", "j", "k")
    assert page.locator(".row.selected").count() == 1
    assert row(page, 1).get_attribute("aria-current") == "true"
    press(page, *"j" * 12)
    assert row(page, 13).evaluate(
        "row => { const at = row.getBoundingClientRect();"
        " return at.top >= 0 && at.bottom <= innerHeight; }"
    )


@pytest.mark.parametrize(
    ("key", "kind", "said"),
    [
        ("l", "like", "Liked"),
        ("d", "dislike", "Disliked"),
        ("s", "star", "Starred"),
        ("m", "read", "Marked read"),
    ],
)
def test_a_key_marks_and_u_takes_it_back(
    world: World, page: Any, key: str, kind: str, said: str
) -> None:
    button = row(page, 0).locator(f".mark.{kind}")
    press(page, "j", key)
    toast(page, said)
    assert button.get_attribute("aria-pressed") == "true"
    assert "selected" in row(page, 0).get_attribute("class")
    count = page.locator("#count-unread").inner_text()
    assert count == ("79" if kind == "read" else "80")
    press(page, "u")
    toast(page, "Taken back")
    assert button.get_attribute("aria-pressed") == "false"
    assert page.locator("#count-unread").inner_text() == "80"
    assert world.reader().unread() == 80


def test_marks_by_mouse_leave_the_page_where_it_is(page: Any) -> None:
    place = page.url
    row(page, 2).locator(".mark.star").click()
    toast(page, "Starred")
    row(page, 2).locator(".mark.read").click()
    toast(page, "Marked read")
    assert "is-read" in row(page, 2).get_attribute("class")
    page.locator("#toast button").click()
    toast(page, "Taken back")
    assert "is-read" not in row(page, 2).get_attribute("class")
    assert page.url == place


def test_why_opens_in_its_row(page: Any) -> None:
    press(page, "j", "w")
    row(page, 0).get_by_text("halving every 10 days").wait_for()
    assert row(page, 0).locator("figure.curve svg").is_visible()
    press(page, "w")
    assert not row(page, 0).locator("figure.curve svg").is_visible()


def test_opening_reads_and_the_list_knows(world: World, page: Any) -> None:
    press(page, "j", "o")
    page.wait_for_url("**/articles/*")
    frame = page.frame_locator("#text")
    frame.get_by_role("heading", name=FIRST).wait_for()
    page.locator(".tools .mark.read[aria-pressed=true]").wait_for()
    assert world.reader().article(world.named(FIRST)).listed.state.read
    press(page, "Escape")
    page.wait_for_url(re.compile(r"/$"))
    assert page.locator(".row", has_text=FIRST).count() == 0


def test_the_browsers_back_shows_what_was_read(page: Any) -> None:
    press(page, "j", "o")
    page.locator(".tools .mark.read[aria-pressed=true]").wait_for()
    page.go_back()
    page.locator("#rows").wait_for()
    until(page, lambda: page.locator(".row:not(.is-read)", has_text=FIRST).count() == 0)


@pytest.mark.parametrize(
    ("seconds", "kinds"),
    [(10, []), (60, [EventKind.FINISHED]), (7_200, [])],
    ids=["glanced", "read", "left open"],
)
def test_an_article_left_after_its_time_was_finished(
    page: Any, world: World, seconds: int, kinds: list[EventKind]
) -> None:
    press(page, "j", "o")
    page.locator(".tools .mark.read[aria-pressed=true]").wait_for()
    page.evaluate(LATER, seconds)
    press(page, "Escape")
    page.wait_for_url(re.compile(r"/$"))
    until(page, lambda: [one.kind for one in world.store.labels(world.user)] == kinds)


def test_time_out_of_sight_is_no_reading_and_reading_is_told_once(page: Any, world: World) -> None:
    press(page, "j", "o")
    page.locator(".tools .mark.read[aria-pressed=true]").wait_for()
    told = page.evaluate(
        """([later, hide]) => {
            let count = 0;
            navigator.sendBeacon = () => { count += 1; return true; };
            const pass = eval(later), turn = eval(hide);
            turn("hidden"); pass(300); turn("visible"); pass(10); turn("hidden");
            const unseen = count;
            for (let time = 0; time < 3; time += 1) { turn("visible"); pass(60); turn("hidden"); }
            return [unseen, count];
        }""",
        [LATER, HIDE],
    )
    assert told == [0, 1]


# As if so many seconds had passed. (A made-up clock of the driver's would be put into the article's
# frame too, which lets no script in.)
LATER = """(seconds) => {
    const now = performance.now.bind(performance);
    performance.now = () => now() + 1000 * seconds;
}"""
# No page can hide itself: what the browser would say of it, and the event that tells.
HIDE = """(state) => {
    Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""


def test_j_and_k_walk_articles_in_the_order_of_the_list(page: Any) -> None:
    titles = page.locator(".row .open").all_inner_texts()
    press(page, "j", "o")
    for key, number in (("", 0), ("j", 1), ("j", 2), ("k", 1), ("k", 0)):
        if key:
            press(page, key)
        page.locator("h1", has_text=titles[number]).wait_for(state="attached")
        page.locator(".tools .mark.read[aria-pressed=true]").wait_for()
        page.wait_for_load_state()
    assert page.locator("#before").get_attribute("aria-disabled") == "true"


def test_an_article_scrolls_and_still_listens(world: World, page: Any) -> None:
    visit(page, page.url + f"articles/{world.named(FIRST)}")
    inner = page.locator("#text").element_handle().content_frame()
    inner.wait_for_selector("article")
    press(page, "Space")
    until(page, lambda: inner.evaluate("scrollY > 300"))
    press(page, "PageUp")
    until(page, lambda: inner.evaluate("scrollY === 0"))
    press(page, "ArrowDown", "ArrowDown", "ArrowDown")
    until(page, lambda: inner.evaluate("Math.round(scrollY) === 300"))
    press(page, "s")
    page.locator(".tools .mark.star[aria-pressed=true]").wait_for()
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")


def test_the_frame_opens_links_in_new_tabs_without_a_trace(world: World, page: Any) -> None:
    visit(page, page.url + f"articles/{world.named(FIRST)}")
    page.context.route("https://*.example/**", lambda route: route.fulfill(body="outside"))
    with page.context.expect_page() as opening:
        page.frame_locator("#text").get_by_role("link", name="Comments").click()
    outside = opening.value
    outside.wait_for_load_state()
    assert outside.evaluate("[window.opener, document.referrer]") == [None, ""]
    assert "/articles/" in page.url


def test_v_opens_the_original(page: Any) -> None:
    page.context.route("https://*.example/**", lambda route: route.fulfill(body="outside"))
    press(page, "j")
    with page.context.expect_page() as opening:
        press(page, "v")
    assert opening.value.url.startswith("https://www.meridian.example/")


def test_search_by_key(page: Any) -> None:
    press(page, "/")
    page.keyboard.type("typewriter")
    press(page, "Enter")
    page.wait_for_url("**/search?q=typewriter")
    assert "typewriter" in row(page, 0).inner_text()


@pytest.mark.parametrize(
    ("keys", "path"), [("ga", "/?show=all"), ("gs", "/?show=starred"), ("n", "/?order=newest")]
)
def test_keys_go_places(page: Any, keys: str, path: str) -> None:
    press(page, *keys)
    page.wait_for_url(re.compile(re.escape(path) + "$"))
    press(page, "g", "u") if keys != "n" else press(page, "n")
    page.wait_for_url(re.compile(r"/$"))


def test_typing_is_not_commanding(page: Any, world: World) -> None:
    press(page, "j", "/")
    page.keyboard.type("lsmdu")
    assert page.locator("#q").input_value() == "lsmdu"
    assert world.reader().undo("test") == ()


def test_help_by_key(page: Any) -> None:
    press(page, "?")
    assert page.locator("#keys").is_visible()
    press(page, "Escape")
    assert not page.locator("#keys").is_visible()


def test_more_goes_on_where_the_list_is_now(page: Any, world: World) -> None:
    for _ in range(3):
        press(page, "j", "m")
        page.locator(".row.selected.is-read").wait_for()
    page.locator("#more a[data-htmx-powered]").click()
    page.wait_for_function("document.querySelectorAll('#rows > .row').length === 80")
    assert len(set(page.locator(".row .open").all_inner_texts())) == 80
    assert page.locator("#more").count() == 0


def test_a_page_is_marked_read_in_two_steps_and_taken_back(page: Any, world: World) -> None:
    press(page, "A")
    page.get_by_role("button", name="Mark these 50 read").wait_for()
    press(page, "Enter")
    toast(page, "50 articles marked read")
    assert world.reader().unread() == 30
    assert "did=" not in page.url
    press(page, "u")
    toast(page, "Taken back: 50 articles")
    assert world.reader().unread() == 80


def test_a_reader_that_is_gone_says_so(chromium: Any, world: World) -> None:
    page = chromium.new_page()
    with serving(world) as home:
        visit(page, home + "/")
    press(page, "j", "l")
    toast(page, "does not answer")
    page.close()


def test_what_is_gone_meanwhile_is_said_in_a_toast(chromium: Any, home: str, world: World) -> None:
    page = chromium.new_page()
    visit(page, home + "/")
    for one in world.reader().subscriptions():
        world.reader().unsubscribe(one.feed_id)
    press(page, "j", "l")
    toast(page, "There is no article")
    assert page.locator("#rows > .row").count() == 50
    page.close()


def test_without_javascript_everything_is_read_and_marked(
    chromium: Any, home: str, world: World
) -> None:
    context = chromium.new_context(viewport=PHONE, java_script_enabled=False)
    page = context.new_page()
    page.goto(home + "/")
    row(page, 0).locator(".mark.like").click()
    page.locator("#toast .said", has_text="Liked").wait_for()
    page.locator("#toast button").click()
    page.locator("#toast .said", has_text="Taken back").wait_for()
    row(page, 0).locator("summary").click()
    row(page, 0).get_by_role("link", name="Why this article stands here").click()
    page.get_by_text("halving every").wait_for()
    page.goto(home + "/")
    page.locator("#filters > summary").click()
    page.locator("#filters select[name=language]").select_option("de")
    page.locator("#filters").get_by_role("button", name="Show").click()
    page.wait_for_url("**/?language=de")
    page.goto(home + "/")
    page.locator(".drawer").click()
    page.locator("#side").get_by_role("link", name="Compiler Weekly").click()
    page.get_by_role("heading", name="Compiler Weekly").wait_for()
    row(page, 0).locator(".open").click()
    page.frame_locator("#text").locator("article h1").wait_for()
    page.locator(".tools .mark.read").click()
    page.locator(".tools .mark.read[aria-pressed=true]").wait_for()
    page.locator("#after").click()
    page.frame_locator("#text").locator("article h1").wait_for()
    context.close()
    assert world.reader().unread() == 79


def test_filters_by_keys(page: Any, world: World) -> None:
    press(page, "f")
    page.locator("#filters select[name=language]:focus").wait_for()
    page.keyboard.type("ger")
    press(page, "Tab")
    page.locator("#filters select[name=score]:focus").wait_for()
    page.locator("#filters select[name=score]").select_option("25")
    press(page, "Tab", "Tab", "Enter")
    page.wait_for_url("**/?language=de&score=25")
    expected = world.reader().page(ListQuery(language="de", min_score=25.0))
    assert expected
    assert page.locator("#rows > .row").count() == len(expected)
    page.locator(".chip", has_text="German").click()
    page.wait_for_url("**/?score=25")
    page.locator(".chip", has_text="Without filters").click()
    page.wait_for_url(re.compile("/$"))
    press(page, "f", "Escape", "j")
    assert page.locator("#filters[open]").count() == 0
    assert page.locator(".row.selected").count() == 1


def test_more_keeps_the_filters(page: Any, home: str, world: World) -> None:
    visit(page, home + "/?score=1")
    page.locator("#more a[data-htmx-powered]").click()
    page.wait_for_function("document.querySelectorAll('#rows > .row').length > 50")
    expected = world.reader().page(ListQuery(min_score=1.0, limit=200))
    assert page.locator("#rows > .row").count() == len(expected)


def test_the_chart_says_why(page: Any, world: World) -> None:
    press(page, "j", "w")
    chart = row(page, 0).locator("figure.curve svg")
    chart.wait_for()
    assert "halves every 10 days" in chart.get_attribute("aria-label")
    assert chart.get_by_text("now 93").is_visible()
    sums = row(page, 0).locator(".reasons .total .effect")
    assert sums.all_inner_texts() == ["50", "94"]
    drawn = row(page, 0).locator(".reasons li:not(.total) rect")
    assert drawn.count() == row(page, 0).locator(".reasons li:not(.total) .effect").count() > 0


def test_the_model_page_trains_and_tells(chromium: Any, world: World) -> None:
    go_on = threading.Event()

    def train() -> str:
        go_on.wait(20)
        return "Trained on 20 likes and 20 dislikes."

    world.desk = Desk(train=train)
    for number, one in enumerate(world.ids()[:40]):
        world.reader().mark([one], (EventKind.LIKE, EventKind.DISLIKE)[number % 2], "test")
    with serving(world) as url:
        page = chromium.new_page()
        visit(page, url + "/")
        page.get_by_role("link", name="Model", exact=True).click()
        page.get_by_role("button", name="Train now").click()
        page.locator("#errand", has_text="Training on your labels").wait_for()
        assert page.get_by_role("button", name="Train now").is_disabled()
        go_on.set()
        page.locator("#errand", has_text="Trained on 20 likes and 20 dislikes.").wait_for()
        assert page.get_by_role("button", name="Train now").is_enabled()
        page.close()


def test_half_lives_are_set_on_the_model_page(page: Any, home: str, world: World) -> None:
    visit(page, home + "/model")
    page.get_by_label("Urgent").fill("0.5")
    page.get_by_role("button", name="Save").click()
    toast(page, "Saved.")
    assert world.store.half_lives(world.user) == (365.0, 183.0, 30.0, 10.0, 0.5)
    page.get_by_role("button", name="Back to the usual").click()
    toast(page, "Saved.")
    assert world.store.half_lives(world.user) is None


PATHS = {
    "list": "/",
    "filtered": "/?language=en&score=25&sensitivity=4",
    "model": "/model",
    "category": "/?category=World",
    "article": "/articles/1",
    "right-to-left": "/articles/11",
    "why": "/articles/1/why",
    "feeds": "/feeds",
    "interests": "/interests",
    "search": "/search?q=tide",
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
        if "article" in name:
            page.frame_locator("#text").locator("article").wait_for()
            inner = page.locator("#text").element_handle().content_frame()
            assert inner.evaluate(FITS), name
        assert page.evaluate(FITS), name
        page.screenshot(path=shots / f"{name}-{width}-{scheme}.png")
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert paper == ("rgb(251, 250, 247)" if scheme == "light" else "rgb(22, 24, 26)")
    context.close()


FITS = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"


def test_a_colour_chosen_by_hand_wins_over_the_system(chromium: Any, home: str) -> None:
    context = chromium.new_context(viewport=WIDE, color_scheme="light")
    page = context.new_page()
    page.goto(home + "/articles/1")
    page.get_by_role("button", name="Dark colours").click()
    page.locator("html[data-theme=dark]").wait_for()
    inner = page.locator("#text").element_handle().content_frame()
    inner.wait_for_selector("html[data-theme=dark]")
    colour = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(colour) == inner.evaluate(colour) == "rgb(22, 24, 26)"
    context.close()


def test_words_stand_out_enough_in_both_colours(chromium: Any, home: str) -> None:
    """WCAG AA: 4.5 to 1 for text against what is behind it."""
    for scheme in ("light", "dark"):
        context = chromium.new_context(viewport=WIDE, color_scheme=scheme)
        page = context.new_page()
        for path in ("/", "/?language=en&score=1", "/feeds", "/model", "/articles/1/why"):
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
