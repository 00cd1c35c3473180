"""Feeds that attack: every field of every article a payload, in a real Chromium."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from newsloom.web.security import page_headers
from web.chromium import WIDE, serving
from web.conftest import Visitor
from web.digested import digested
from web.hostile import PAYLOADS, infest
from web.world import World, open_world

PAGES = (
    "/feeds/beside",
    "/",
    "/?order=newest&show=all",
    "/?show=all&score=1&language=und&sensitivity=3&with=1",
    "/?language=%22%3E%3Cscript%3Ealert(1)%3C/script%3E&category=%3Cimg+src=x+onerror=alert(2)%3E",
    "/feeds",
    "/you",
    "/digest?since=9000d",
    "/digest?since=%22%3E%3Cscript%3Ealert(7)%3C/script%3E",
    "/digest/1",
    "/digest/2",
    "/?order=important",
    "/sources",
    "/search?q=alert",
    "/search?q=alert&sort=%22%3E%3Cscript%3Ealert(3)%3C/script%3E&after=%3Cb%3E",
    "/search?q=is:%3Cscript%3Ealert(4)%3C/script%3E",
    "/search?q=titel:%22%3E%3Cimg+src=x+onerror=alert(5)%3E+feed:%3Cscript%3Ealert(6)%3C/script%3E",
    "/?feed=1",
)


@pytest.fixture(scope="module")
def infested(tmp_path_factory: pytest.TempPathFactory) -> Any:
    world = infest(open_world(tmp_path_factory.mktemp("infested")))
    digested(world)
    yield world
    world.store.close()


class Tags(HTMLParser):
    """Every tag of a page with its attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))


STRANGE = {"object", "embed", "math", "marquee", "plaintext", "x", "base", "style", "template"}


def test_no_page_has_markup_of_a_payload(infested: World) -> None:
    visitor = Visitor(infested)
    assert len(infested.ids()) == len(PAYLOADS)
    for path in (*PAGES, *(f"/articles/{one}/why" for one in infested.ids())):
        for tag, attributes in Tags(visitor.get(path).text).seen:
            # Once on a page: actions of rows, and what a menu and a dialog show later.
            ours = attributes.get("id") in {"row-acts", "row-items", "keys-items"}
            assert tag not in STRANGE or ours, path
            assert not any(name.startswith("on") or name == "style" for name in attributes), path
            if tag == "script":
                assert str(attributes.get("src")).startswith("/static/"), path
            for name in ("href", "src", "action", "formaction", "hx-get", "hx-post"):
                assert re.match(r"(/|#|https?://|$)", attributes.get(name) or ""), (path, name)


def test_no_text_has_what_runs(infested: World) -> None:
    """Nor what htmx would act upon, nor a name or class of the page around it."""
    visitor = Visitor(infested)
    for article in infested.ids():
        page = visitor.get(f"/articles/{article}").text
        text = page.partition('<div class="text" hx-ignore')[2].partition("<footer>")[0]
        for tag, attributes in Tags(text).seen:
            assert tag not in {"script", "iframe", "object", "embed", "form", "svg", "button"}
            assert not any(re.match("on|style$|class$|hx-|data-", name) for name in attributes)
            assert str(attributes.get("id", "text-")).startswith("text-")
            for name in ("href", "src"):
                assert re.match(r"(https?://|mailto:|#text-|$)", attributes.get(name) or "")


@contextmanager
def watched(world: World, chromium: Any) -> Iterator[tuple[Any, str]]:
    """A page in a browser, and where Newsloom is; fails if anything ran or left the site."""
    dialogs: list[str] = []
    errors: list[str] = []
    strangers: list[str] = []
    with serving(world) as home:
        context = chromium.new_context(viewport=WIDE)
        # Requests for pictures of hostile addresses are what a browser does; none gets out of here.
        context.route(
            lambda url: not url.startswith(home),
            lambda route: (strangers.append(route.request.resource_type), route.abort()),
        )
        page = context.new_page()
        page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
        page.on("pageerror", lambda error: errors.append(str(error)))
        yield page, home
        context.close()
    assert dialogs == []
    assert errors == []
    assert set(strangers) <= {"image", "media"}


@pytest.mark.browser
def test_nothing_runs_on_pages_in_a_browser(infested: World, chromium: Any, shots: Path) -> None:
    with watched(infested, chromium) as (page, home):
        for path in PAGES:
            page.goto(home + path)
            page.wait_for_timeout(100)
            poke(page)
        page.screenshot(path=shots / "hostile-list.png")


@pytest.mark.browser
def test_nothing_runs_on_articles_in_a_browser(infested: World, chromium: Any) -> None:
    with watched(infested, chromium) as (page, home):
        for article in infested.ids():
            page.goto(f"{home}/articles/{article}")
            page.locator("#text details").evaluate_all("all => all.forEach(one => one.open = true)")
            page.wait_for_timeout(30)


def poke(page: Any) -> None:
    """What a reader does: move over things, open them, use the keys."""
    for key in (
        "j",
        "j",
        "w",
        "l",
        "u",
        "k",
        "s",
        "m",
        "?",
        "Escape",
        "/",
        "Escape",
        "A",
        "Escape",
    ):
        page.keyboard.press(key)
        page.wait_for_timeout(30)
    for row in page.locator("#rows > .row").all()[:60]:
        row.dispatch_event("mouseover")
        row.locator("summary").last.dispatch_event("click")
    page.wait_for_timeout(300)


@pytest.mark.browser
def test_a_browser_refuses_script_and_html_from_elsewhere(infested: World, chromium: Any) -> None:
    """So that the tests above cannot hold only because the templates are right."""
    with serving(infested) as home:
        page = chromium.new_page()
        page.goto(home + "/help")
        page.evaluate(
            """() => {
                window.tried = [];
                const attempt = (name, act) => {
                    tried.push([name, 'done']);
                    try { act(); } catch { tried.at(-1)[1] = 'refused'; }
                };
                attempt('innerHTML', () => { document.body.innerHTML = '<b>x</b>'; });
                attempt('policy', () => trustedTypes.createPolicy('mine', {}));
                const script = document.createElement('script');
                attempt('script text', () => { script.text = 'window.ran = 1'; });
                attempt('script address', () => { script.src = 'https://a.example/x.js'; });
                const link = document.createElement('a');
                link.setAttribute('href', '#');
                attempt('handler', () => link.setAttribute('onclick', 'window.ran = 1'));
                document.body.append(script, link);
                link.click();
            }"""
        )
        tried = dict(page.evaluate("window.tried"))
        assert page.evaluate("window.ran") is None
        assert tried["innerHTML"] == "refused"
        assert tried["policy"] == "refused"
        assert tried["script text"] == "refused"
        assert tried["script address"] == "refused"
        page.close()
    assert "require-trusted-types-for 'script'" in page_headers("")["content-security-policy"]
