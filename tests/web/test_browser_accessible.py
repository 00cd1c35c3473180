"""Every rule of axe-core on every page: two widths, two themes, closed and opened, in Chromium."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.routing import Match

from migrated import copied
from newsloom.api.document import document
from newsloom.kernel.settings.ranking import Diversification
from newsloom.reading.values.reading import ListQuery
from newsloom.web.api_access import DOCUMENT
from newsloom.web.app import ROOMS
from web.axe import MORE_CONTRAST, unfold, violations
from web.chromium import LOOKS, PHONE, serving
from web.conftest import Visitor
from web.crowded import RICH, Ward, coached, crowded, labelled
from web.digested import LEAVE_TOKEN, digested
from web.keyboard import press, row, toast, visit
from web.spoken import actions, briefed
from web.storied import storied
from web.unwell import DEAD, HELD, ILL, MOVED, SLOW
from web.world import NEWS, World, open_world

pytestmark = pytest.mark.browser

# Of a store with everything in it. {first} and the like are articles, by what they are.
PAGES = (
    "/",
    "/?show=all",
    "/preferences",
    "/settings",
    "/lists",
    "/sharing",
    "/articles/{first}/share",
    "/tags",
    "/highlights",
    "/?show=later",
    "/?tag=none",
    "/articles/{first}/added",
    "/articles/{rich}/words",
    "/?show=starred",
    "/?show=liked",
    "/?order=newest&language=en&score=25&sensitivity=4",
    "/?category=World",
    "/?category=Nope",
    "/?score=99",
    "/?offset=9000",
    "/?feed=9999",
    f"/?feed={HELD}",
    f"/?feed={ILL}",
    "/articles/{first}",
    "/articles/{rich}",
    "/articles/{changed}",
    "/articles/{arabic}",
    "/articles/{first}/why",
    "/articles/{lowered}/why",
    "/articles/{first}/related",
    "/articles/{rich}/related?days=90",
    "/search?q=tide",
    "/search?q=article&sort=newest",
    "/search?q=article&sort=score&rows=100",
    "/search?q=colour:red+article",
    "/search?q=is:new",
    "/search?q=nothinglikethis",
    "/search",
    "/feeds",
    "/feeds?did=removed&n={left}",
    "/feeds?sort=unread&chosen=1",
    "/begin",
    "/?did=read&n=3",
    *(f"/feeds/{feed}" for feed in (MOVED, HELD, DEAD, ILL, SLOW, SLOW + 1)),
    "/you",
    "/rules",
    "/rules/edit",
    "/rules/edit?article={first}",
    "/rules/muted",
    "/digest?kind=weekly",
    "/digest?since=the+day+before",
    "/digest/1",
    "/digest/2?did=like&n=1",
    f"/digest/leave/{LEAVE_TOKEN}",
    "/digest/leave/nothing",
    "/briefs",
    "/briefs/settings",
    "/notifications",
    "/briefs/1",
    "/briefs/2",
    "/briefs/3",
    "/briefs/4",
    "/stories",
    "/stories?state=archived",
    "/stories?muted=1",
    "/story/1",
    "/story/1/why",
    "/threads",
    "/threads/1",
    "/threads/1/why",
    "/story/99",
    "/?order=important&importance=1",
    "/sources",
    "/quality",
    "/coverage",
    "/coverage?did=coverageoff",
    "/help",
    "/api/docs",
    "/account",
    "/admin",
    "/sign-in",
    "/offline",
    "/share?url=https://example.org/news",
    "/invited/nothing",
    "/articles/99999",
    "/nowhere",
)

# What has to be on a page of those, or it would be checked without the state it is listed for.
SHOWN = {
    "/": ".lowered",
    "/?show=liked": ".mark.like[aria-pressed=true]",
    "/?offset=9000": ".empty h2",
    "/?feed=9999": ".empty h2",
    "/articles/{lowered}/why": "p.lowered",
    "/articles/{first}/related": "#nearest li",
    "/search?q=tide": ".counted [aria-current]",
    "/search?q=article&sort=newest": "#more",
    "/search?q=article&sort=score&rows=100": "#rows > .row:nth-child(60)",
    "/search?q=colour:red+article": ".banner",
    "/search?q=is:new": "#refused",
    "/search?q=nothinglikethis": ".empty h2",
    "/search": "details.syntax[open]",
    "/quality": ".quality tbody tr:nth-child(8)",
    "/feeds": "section.left",
    "/feeds?sort=unread&chosen=1": "table.feeds :checked",
    "/feeds?did=removed&n={left}": "#toast form",
    "/?did=read&n=3": "#toast form",
    "/digest?kind=weekly": "article.topic",
    "/digest?since=the+day+before": ".banner",
    "/digest/1": "a[rel=next]",
    "/digest/2?did=like&n=1": "svg.trend",
    "/briefs": "progress",
    "/briefs/settings": ".kept-list .copy",
    "/notifications": "#digest",
    "/briefs/2": ".banner.bad",
    "/briefs/3": ".player.ready .deck",
    "/briefs/4": "#brief-state .banner",
    "/stories": "section h2",
    "/story/1": "ol.timeline",
    "/story/1/why": "ol.audit",
    "/threads/1": "ol.timeline",
    "/threads/1/why": "ol.audit",
}

# Of a store with nothing in it.
EMPTY_PAGES = (
    "/",
    "/?show=starred",
    "/?show=liked",
    "/?show=all",
    "/?show=later",
    "/tags",
    "/highlights",
    "/search",
    "/search?q=tide",
    "/feeds",
    "/you",
    "/digest",
    "/briefs",
    "/briefs/settings",
    "/notifications",
    "/stories",
    "/sources",
    "/quality",
    "/coverage",
    "/help",
)

# What no person visits, and why.
NO_PAGES = {
    "/feeds/export": "a file",
    "/feeds/asked": "a part of the page of feeds",
    "/feeds/beside": "a part of every page",
    "/briefs/settings/voices": "a part of the page of brief settings",
    "/manifest.webmanifest": "for browsers",
    "/worker.js": "a script",
    "/events": "a stream",
    "/health": "for programs",
    "/health/ready": "for programs",
    "/metrics": "for programs",
    "/account/export": "a file",
    "/highlights/export.{kind}": "a file",
    "/lists/counts": "a part of every page",
    "/rules/export": "a file",
    "/icons/{number}": "a picture",
    "/list-feed/{token}.{kind}": "for programs",
    "/pictures/{kind}/{given}": "a picture",
    "/sign-in/openid": "it leads to the provider",
    "/sign-in/openid/back": "it leads on, or shows the page to sign in",
    "/preferences.css": "a style sheet",
    "/briefs/list": "a part of the page of briefs, which is checked with it",
    "/briefs/{number}/state": "a part of the page of a brief",
    "/briefs/{number}/heard": "for the player",
    "/briefs/{number}/sound.{ending}": "a sound",
    "/podcasts/{token}/feed.xml": "for programs",
    "/podcasts/{token}/cover.png": "a picture",
    **{
        f"/podcasts/{{token}}/{{number}}.{kind}": "for programs"
        for kind in ("vtt", "html", "json", "{kind}")
    },
    "/model/job": "a part of /you, which is checked with it below",
    "/articles/{number}/row": "a part of a list",
    "/healthz": "for programs",
    "/push/{token}": "for hubs",
    "/digest/feed/{token}": "for programs",
    **{path: "for programs" for path, told in document()["paths"].items() if "get" in told},
    DOCUMENT: "for programs",
}


def test_every_state_is_of_a_page_that_is_checked() -> None:
    assert SHOWN.keys() <= {*PAGES}


def test_every_page_of_the_route_table_is_checked() -> None:
    """A page that is new has to be listed above, with every state it can be in."""
    known = {re.sub(r"\{\w+\}", "1", path).partition("?")[0] for path in PAGES}
    routes = [route for room in ROOMS for route in room.router.routes if "GET" in route.methods]
    assert len(routes) > 15
    for route in routes:
        asked = [{"type": "http", "method": "GET", "path": path} for path in known]
        checked = any(route.matches(scope)[0] is Match.FULL for scope in asked)
        assert checked is (route.path not in NO_PAGES), route.path
    assert NO_PAGES.keys() <= {route.path for route in routes}


@pytest.mark.parametrize("path", sorted(NO_PAGES))
def test_what_is_no_page_is_none(visitor: Visitor, path: str) -> None:
    answer = visitor.get(re.sub(r"\{\w+\}", "1", path))
    script = "javascript" in answer.headers.get("content-type", "")
    assert script or "<html" not in answer.text or answer.status_code == 404


@pytest.fixture(scope="module")
def sounds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("sounds")


@pytest.fixture(scope="module")
def crowd(
    furnished: Path, sounds: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Ward]:
    folder = tmp_path_factory.mktemp("crowd")
    copied(furnished, folder)
    opened = open_world(folder)
    crowded(opened)
    digested(opened)
    storied(opened, opened.named(NEWS[0]["title"]), opened.named(NEWS[1]["title"]))
    briefed(opened, sounds)
    yield Ward(
        opened.store,
        opened.user,
        opened.now,
        model_actions=opened.model_actions,
        variety=Diversification(1, 0.2),
    )
    opened.store.close()


@pytest.fixture(scope="module")
def crowded_home(crowd: Ward, sounds: Path) -> Iterator[str]:
    with serving(crowd, spoken=actions(sounds)) as url:
        yield url


@pytest.fixture(scope="module")
def empty_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    opened = open_world(tmp_path_factory.mktemp("empty"))
    with serving(opened) as url:
        yield url
    opened.store.close()


# Every width and every theme; what one breaks, the other does too. With LOOKS=one, as in the
# landing check, page after page in turn.
CROSSED = (LOOKS[0], LOOKS[3])
LOOKED_AT = [
    pytest.param(path, *look.values, id=f"{path}-{look.id}")
    for number, path in enumerate(PAGES)
    for turn, look in enumerate(CROSSED)
    if os.environ.get("LOOKS") != "one" or number % 2 == turn
]


@pytest.mark.parametrize(("path", "size", "scheme"), LOOKED_AT)
def test_no_rule_is_broken(
    open_page: Any, crowd: Ward, crowded_home: str, path: str, size: dict[str, int], scheme: str
) -> None:
    page = open_page(size, scheme)
    named = {
        "first": crowd.named(NEWS[0]["title"]),
        "changed": crowd.named(NEWS[1]["title"]),
        "arabic": next(one.id for one in crowd.listed() if one.language == "ar"),
        "rich": crowd.named(RICH["title"]),
        "lowered": next(one.id for one in crowd.reader().listing(ListQuery()).rows if one.lowered),
        "left": crowd.store.reading.left(crowd.user, crowd.now)[0].feed_id,
    }
    page.goto(crowded_home + path.format(**named))
    if path in SHOWN:
        assert page.locator(SHOWN[path]).first.is_visible()
    assert violations(page) == []
    if unfold(page):
        assert violations(page) == []
    page.emulate_media(contrast="more")
    assert violations(page, MORE_CONTRAST) == []


@pytest.mark.parametrize(("size", "scheme"), CROSSED)
@pytest.mark.parametrize("path", EMPTY_PAGES)
def test_no_rule_is_broken_where_there_is_nothing_yet(
    open_page: Any, empty_home: str, path: str, size: dict[str, int], scheme: str
) -> None:
    page = open_page(size, scheme)
    page.goto(empty_home + path)
    unfold(page)
    assert violations(page) == []


@pytest.mark.parametrize(("size", "scheme"), LOOKS)
def test_no_rule_is_broken_by_what_a_page_shows_on_demand(
    open_page: Any, world: World, size: dict[str, int], scheme: str
) -> None:
    page = open_page(size, scheme)
    with serving(world) as url:
        visit(page, url + "/")
        press(page, "j", "w")
        row(page, 0).get_by_text("Details").click()
        row(page, 0).locator("figure.curve").wait_for()
        press(page, "l")
        toast(page, "Liked")
        assert violations(page) == [], "a row that says why, and a word after a step"
        for menu in ("filters", "mark-many"):
            page.locator(f"#{menu} > summary").click()
            assert violations(page, within=f"#{menu}") == [], menu
            press(page, "Escape")
        press(page, "?")
        page.locator("dialog[open]").wait_for()
        assert violations(page) == [], "the keys"
        press(page, "Escape")
        if size is PHONE:
            page.locator("[popovertarget=side]").first.click()
            page.locator("#side:popover-open").wait_for()
            assert violations(page) == [], "the feeds on a phone"
            press(page, "Escape")
        visit(page, url + "/feeds")
        page.locator("main form.add input[name=url]").fill("nowhere")
        press(page, "Enter")
        page.locator(".banner.bad").wait_for()
        assert violations(page) == [], "an address that leads nowhere"


@pytest.mark.parametrize(("size", "scheme"), LOOKS)
def test_no_rule_is_broken_while_a_model_trains(
    open_page: Any, world: World, size: dict[str, int], scheme: str
) -> None:
    go_on = threading.Event()
    world = coached(labelled(world))
    world.model_actions = replace(
        world.model_actions, train=lambda: "Trained." if go_on.wait(60) else "Too long."
    )
    page = open_page(size, scheme)
    with serving(world) as url:
        visit(page, url + "/you")
        unfold(page)
        page.get_by_role("button", name="Train now").click()
        page.locator("#job", has_text="Training on your labels").wait_for()
        assert violations(page) == []
        go_on.set()
        page.locator("#job", has_text="Trained.").wait_for()
        assert violations(page) == []
