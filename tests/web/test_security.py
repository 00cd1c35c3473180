"""The doors: who may change anything, what a GET may do, what every answer carries."""

from __future__ import annotations

import re
from typing import Any

import pytest
from sqlalchemy import inspect, text
from starlette.datastructures import Headers

from newsloom.digests.links import LEAVE
from newsloom.web.security import from_our_page, known_host
from web.conftest import Visitor
from web.world import World


@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("localhost", True),
        ("localhost:8765", True),
        ("127.0.0.1:8765", True),
        ("[::1]:8765", True),
        ("192.168.1.20:8765", True),
        ("news.home.example", True),
        ("NEWS.home.example:80", True),
        ("nas:8765", True),
        ("nas.local:8765", True),
        ("other:8765", False),
        ("ai", False),
        ("com:8765", False),
        ("reader.home.arpa", True),
        ("nas.local.evil.example", False),
        ("evil.example", False),
        ("localhost.evil.example", False),
        ("127.0.0.1.evil.example:8765", False),
        ("evil.example#localhost", False),
        ("localhost@evil.example", False),
        ("localhost/evil", False),
        ("localhost:8765, evil.example", False),
        ("[::1", False),
        ("", False),
    ],
)
def test_only_our_own_names_are_answered(host: str, known: bool) -> None:
    assert known_host(host, {"news.home.example", "nas"}) is known


@pytest.mark.parametrize(
    ("headers", "ours"),
    [
        ({"sec-fetch-site": "same-origin"}, True),
        ({"sec-fetch-site": "none"}, True),
        ({"sec-fetch-site": "same-site"}, False),
        ({"sec-fetch-site": "cross-site"}, False),
        ({"sec-fetch-site": "cross-site", "origin": "http://localhost:8765"}, False),
        ({"sec-fetch-site": ""}, False),
        ({"origin": "http://localhost:8765"}, True),
        ({"origin": "https://localhost:8765"}, True),
        ({"origin": "http://localhost:9999"}, False),
        ({"origin": "http://evil.example"}, False),
        ({"origin": "null"}, False),
        ({"origin": ""}, False),
        ({"origin": "http://[evil"}, False),
        ({"referer": "http://localhost:8765/feeds?page=2"}, True),
        ({"referer": "https://localhost:8765/"}, True),
        ({"referer": "http://localhost:9999/feeds"}, False),
        ({"referer": "http://evil.example/localhost:8765/"}, False),
        ({"referer": "http://localhost:8765@evil.example/"}, False),
        ({"referer": "ftp://localhost:8765/"}, False),
        ({"referer": ""}, False),
        ({"origin": "http://evil.example", "referer": "http://localhost:8765/"}, False),
        ({"origin": "null", "referer": "http://localhost:8765/"}, False),
        ({"sec-fetch-site": "cross-site", "referer": "http://localhost:8765/"}, False),
        ({}, False),
    ],
    ids=str,
)
def test_changes_come_from_our_pages(headers: dict[str, str], ours: bool) -> None:
    assert from_our_page(Headers({"host": "localhost:8765"} | headers)) is ours


def routes(visitor: Visitor, method: str) -> list[str]:
    """Every path of a method, with an article, feed or interest put in."""
    found = [one for one in visitor.app.routes if getattr(one, "include_in_schema", False)]
    return [one.path.replace("{number}", "1") for one in found if method in one.methods]


def dump(world: World) -> dict[str, list[Any]]:
    """Everything the store holds."""
    with world.store.database.read() as connection:
        tables = inspect(connection).get_table_names()
        return {
            table: sorted(map(repr, connection.execute(text(f'SELECT * FROM "{table}"'))))
            for table in tables
        }


FORM = {
    "kind": "like",
    "articles": "1,2",
    "url": "https://kernel.example/feed.xml",
    "text": "sailing",
    "title": "Other",
    "category": "Other",
    "theme": "dark",
    "at": "",
}
ELSEWHERE = (
    {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site"},
    {"origin": "https://evil.example"},
    {"origin": "null"},
    {"referer": "https://evil.example/"},
    {},
)


def test_no_post_from_elsewhere_changes_anything(world: World, visitor: Visitor) -> None:
    before = dump(world)
    # What hubs post is told by its token and signature: tests/whole/test_push_hostile.py.
    paths = [path for path in routes(visitor, "POST") if not path.startswith("/push/")]
    assert len(paths) >= 11
    for path in paths:
        for headers in ELSEWHERE:
            for extra in ({}, {"hx-request": "true"}):
                answer = visitor.ask("POST", path, data=FORM, headers=headers | extra)
                if path.startswith(LEAVE) and not headers:
                    continue  # a mail client: see test_digest_pages.py
                assert answer.status_code == 403, (path, headers)
    assert dump(world) == before


def test_the_same_posts_from_our_page_do_change_something(world: World, visitor: Visitor) -> None:
    """So that the law above cannot hold because the forms are wrong."""
    for path in ("/articles/1/marks", "/marks", "/interests", "/feeds/1/edit", "/feeds/1/remove"):
        before = dump(world)
        assert visitor.post(path, FORM).status_code == 303, path
        assert dump(world) != before, path


def test_no_get_changes_anything(world: World, visitor: Visitor) -> None:
    before = dump(world)
    paths = [*routes(visitor, "GET"), "/?show=all&order=newest", "/search?q=tide", "/nowhere"]
    assert len(paths) >= 14
    for path in paths:
        for headers in ({}, {"hx-request": "true"}, {"sec-fetch-site": "cross-site"}):
            assert visitor.get(path, **headers).status_code < 500, path
    assert dump(world) == before


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "TRACE", "PROPFIND"])
def test_other_methods_from_elsewhere_are_refused(visitor: Visitor, method: str) -> None:
    answer = visitor.ask(method, "/feeds", headers={"sec-fetch-site": "cross-site"})
    assert answer.status_code == 403


def test_a_rebound_name_is_refused_everywhere(visitor: Visitor) -> None:
    for path in [*routes(visitor, "GET"), "/static/newsloom.css"]:
        assert visitor.get(path, host="evil.example").status_code == 421, path


def test_the_configured_name_is_answered(world: World) -> None:
    assert (
        Visitor(world, hosts=("news.home.example",)).get("/", host="news.home.example").is_success
    )


@pytest.mark.parametrize(
    "path",
    ["/", "/articles/1", "/nowhere", "/feeds/export", "/api/v1/articles", "/static/icon.svg"],
)
def test_every_answer_carries_the_headers(visitor: Visitor, path: str) -> None:
    headers = visitor.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert "require-trusted-types-for 'script'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"


def test_no_page_needs_inline_script_or_style(visitor: Visitor) -> None:
    for path in routes(visitor, "GET"):
        page = visitor.get(path).text
        assert not re.search(r"<[^>]+\son\w+=", page), path
        assert not re.search(r"<[^>]+\sstyle=", page), path
        assert not re.search(r"<script(?![^>]*\ssrc=)", page), path


@pytest.mark.parametrize(
    "at",
    [
        "//evil.example",
        "https://evil.example",
        "page=//evil.example",
        "/\\evil.example",
        "%0d%0aX: y",
    ],
)
def test_redirects_stay_here(visitor: Visitor, at: str) -> None:
    for path in ("/articles/1/marks", "/undo", "/marks/all", "/theme"):
        location = visitor.post(path, FORM | {"at": at}).headers["location"]
        assert re.fullmatch(r"/(\?[a-z0-9=&]*)?", location), location
