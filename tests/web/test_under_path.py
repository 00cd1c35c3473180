"""The pages under a path: every address of ours has it, wherever it is written."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from starlette.testclient import TestClient

from newsloom.kernel.errors import UserError
from newsloom.web import templating
from newsloom.web.app import create_app
from newsloom.web.list_view import ListView
from newsloom.web.proxies import Proxies, checked_path
from newsloom.web.templating import ATTRIBUTES
from web.test_browser_accessible import PAGES
from web.world import World

ROOT = "/news"
NOT_ADDRESSES = re.compile(r"^(#|https?://|mailto:|data:)")


class _Addresses(HTMLParser):
    """Every address of a page, with where it stands."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, str, str]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [(tag, name, value or "") for name, value in attrs if name in ATTRIBUTES]


def strangers(page: str) -> list[tuple[str, str, str]]:
    """Addresses that would lead out of the path."""
    return [
        one
        for one in _Addresses(page).found
        if not NOT_ADDRESSES.match(one[2]) and not one[2].startswith(f"{ROOT}/")
    ]


@pytest.fixture(params=[ROOT, ""], ids=["the path is passed on", "the path is taken away"])
def passed(request: pytest.FixtureRequest) -> str:
    """How a proxy asks for `/`."""
    return str(request.param)


@pytest.fixture
def client(world: World) -> TestClient:
    app = create_app(world.reader(), proxies=Proxies(path=ROOT))
    return TestClient(app, base_url="http://127.0.0.1", follow_redirects=False)


@pytest.mark.parametrize("path", [one for one in PAGES if "{" not in one])
def test_every_address_of_every_page_lies_under_it(client: TestClient, path: str) -> None:
    answer = client.get(ROOT + path)
    assert answer.status_code < 500
    assert _Addresses(answer.text).found or answer.status_code in {303, 307}
    assert strangers(answer.text) == []


def test_the_pages_of_an_article_too(client: TestClient, world: World, passed: str) -> None:
    number = world.reader().page(ListView().query())[0].id
    for tail in ("", "/why", "/row", "/related"):
        answer = client.get(f"{passed}/articles/{number}{tail}")
        assert answer.status_code == 200, tail
        assert strangers(answer.text) == []


def test_an_error_leads_back_into_the_path(client: TestClient, passed: str) -> None:
    answer = client.get(f"{passed}/nowhere")
    assert answer.status_code == 404
    assert strangers(answer.text) == []


def test_a_redirect_and_a_cookie_lie_under_it(client: TestClient, passed: str) -> None:
    answer = client.post(
        f"{passed}/theme",
        data={"theme": "dark", "at": "order=newest"},
        headers={"sec-fetch-site": "same-origin"},
    )
    assert answer.status_code == 303
    assert answer.headers["location"] == f"{ROOT}/?order=newest"
    assert f"Path={ROOT}/" in answer.headers["set-cookie"]


def test_the_path_itself_leads_to_its_front_page(client: TestClient) -> None:
    answer = client.get(ROOT)
    assert (answer.status_code, answer.headers["location"]) == (308, f"{ROOT}/")


def test_static_files_are_there(client: TestClient) -> None:
    page = client.get(f"{ROOT}/").text
    for address in re.findall(rf'"({ROOT}/static/[^"]+)"', page):
        answer = client.get(address)
        assert answer.status_code == 200
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"


def test_nothing_changes_without_a_path(world: World) -> None:
    page = TestClient(create_app(world.reader()), base_url="http://127.0.0.1").get("/").text
    own = [one for one in _Addresses(page).found if not NOT_ADDRESSES.match(one[2])]
    assert own
    assert {one[2].partition("/")[2].partition("/")[0] for one in own}.isdisjoint({"news"})


# What a template could write past the rule: another attribute, or quotes of the other kind.
_BY_HAND = re.compile(r"""([\w-]+)=(?:'/(?!/)|"/(?!/)|/\w)""")


def test_templates_write_addresses_only_where_the_rule_looks() -> None:
    for template in sorted((templating.HERE / "templates").glob("*.html")):
        for found in _BY_HAND.finditer(template.read_text(encoding="utf-8")):
            # A branch of an expression, such as action="{{ "/a" if x else "/b" }}", has no name.
            assert found[1] in ATTRIBUTES, (template.name, found[0])
            assert found[0].startswith(f'{found[1]}="'), (template.name, found[0])


def test_scripts_write_addresses_behind_the_root() -> None:
    # The worker's own addresses begin at its scope, which is below the root.
    for script in sorted({*templating.STATIC.glob("*.js")} - {templating.STATIC / "worker.js"}):
        text = script.read_text(encoding="utf-8")
        own = re.findall(r"""["'`](/(?:[a-z]+)[^"'`]*)["'`]""", text)
        assert own == [], (script.name, own)


@pytest.mark.parametrize("path", ["news", "/a b", "/a//b", "http://x/", "/../x?"])
def test_what_is_no_path_is_refused(path: str) -> None:
    with pytest.raises(UserError, match=r"web\.path"):
        checked_path(path)


def test_a_stroke_at_its_end_is_nothing() -> None:
    assert checked_path("/news/") == "/news"
    assert checked_path("/") == ""
