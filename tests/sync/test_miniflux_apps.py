"""Apps of the Miniflux API that do not run here: their requests in their order, read from their
sources (2026), and the fields that their models of the answers need, with types.

A model in a typed language refuses a whole list for one field that is missing or null.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import UnionType
from typing import Any

import httpx
import pytest

from .scene import Scene

Shape = Any  # a type, or fields with shapes, or a list with the shape of its members

NUMBER, TEXT, FLAG, MAYBE = int, str, bool, str | None

# Nothing is indexed here.
SEARCHED = {"total": NUMBER, "entries": list}

# --- Flux News (Dart) ---
FLUX_FEED = {
    "id": NUMBER, "title": TEXT, "site_url": TEXT, "crawler": FLAG,
    "icon": {"icon_id": NUMBER},
}  # fmt: skip
FLUX_NEWS = {
    "id": NUMBER, "feed_id": NUMBER, "title": TEXT, "url": TEXT, "comments_url": TEXT,
    "share_code": TEXT, "content": TEXT, "hash": TEXT, "published_at": TEXT, "created_at": TEXT,
    "status": TEXT, "reading_time": NUMBER, "starred": FLAG,
    "feed": {"title": TEXT, "icon": {"icon_id": NUMBER}},
    "enclosures": [{"id": NUMBER, "entry_id": NUMBER, "url": TEXT, "mime_type": TEXT,
                    "media_progression": NUMBER}],
}  # fmt: skip
FLUX_LIST = {"total": NUMBER, "entries": [FLUX_NEWS]}
FLUX_PAGE = "order=published_at&direction=desc&limit=1000&offset=0"

# --- Miniflutt (Dart); all may be null but the objects within. It sends back the text of a page
# that it had fetched, which `test_miniflux.py` has ---
MINIFLUTT = {
    "author": MAYBE, "comments_url": MAYBE, "content": MAYBE, "feed_id": int | None, "hash": MAYBE,
    "id": int | None, "published_at": MAYBE, "reading_time": int | None, "share_code": MAYBE,
    "starred": bool | None, "status": MAYBE, "title": MAYBE, "url": MAYBE, "user_id": int | None,
    "feed": {
        "title": TEXT, "checked_at": MAYBE, "crawler": bool | None, "disabled": bool | None,
        "etag_header": MAYBE, "feed_url": MAYBE, "parsing_error_count": int | None,
        "scraper_rules": MAYBE, "hide_globally": bool | None,
        "category": {"id": int | None, "title": TEXT, "user_id": int | None,
                     "hide_globally": bool | None},
    },
}  # fmt: skip
MINIFLUTT_LIST = {"entries": [MINIFLUTT]}

# --- NextFlux (JavaScript) ---
NEXT_FEED = {
    "id": NUMBER, "title": TEXT, "feed_url": TEXT, "site_url": TEXT, "crawler": FLAG,
    "hide_globally": FLAG, "category": {"id": NUMBER}, "parsing_error_count": NUMBER,
    "scraper_rules": TEXT, "keeplist_rules": TEXT, "blocklist_rules": TEXT, "rewrite_rules": TEXT,
}  # fmt: skip
NEXT_LIST = {"total": NUMBER, "entries": [{
    "id": NUMBER, "feed": {"id": NUMBER}, "title": TEXT, "author": TEXT, "url": TEXT,
    "content": TEXT, "status": TEXT, "starred": FLAG, "published_at": TEXT, "created_at": TEXT,
    "reading_time": NUMBER, "enclosures": list,
}]}  # fmt: skip

# --- Capy (Kotlin): nothing but what is marked may be null ---
CAPY_CATEGORY = {"id": NUMBER, "title": TEXT, "user_id": NUMBER}
CAPY_FEED = {
    "id": NUMBER, "user_id": NUMBER, "title": TEXT, "site_url": TEXT, "feed_url": TEXT,
    "checked_at": TEXT, "parsing_error_count": NUMBER, "crawler": FLAG, "disabled": FLAG,
    "ignore_http_cache": FLAG, "fetch_via_proxy": FLAG, "category": CAPY_CATEGORY,
    "icon": {"feed_id": NUMBER, "icon_id": NUMBER},
}  # fmt: skip
CAPY_ENTRY = {
    "id": NUMBER, "user_id": NUMBER, "feed_id": NUMBER, "status": TEXT, "hash": TEXT,
    "title": TEXT, "url": TEXT, "comments_url": MAYBE, "published_at": TEXT, "created_at": TEXT,
    "changed_at": TEXT, "content": TEXT, "author": MAYBE, "share_code": MAYBE, "starred": FLAG,
    "reading_time": NUMBER, "feed": CAPY_FEED,
    "enclosures": [{"id": NUMBER, "user_id": NUMBER, "entry_id": NUMBER, "url": TEXT,
                    "mime_type": TEXT, "size": NUMBER}],
}  # fmt: skip
CAPY_LIST = {"total": NUMBER, "entries": [CAPY_ENTRY]}
CAPY_USER = {
    "id": NUMBER, "username": TEXT, "is_admin": FLAG, "theme": TEXT, "language": TEXT,
    "timezone": TEXT, "entry_sorting_direction": TEXT, "stylesheet": TEXT, "google_id": TEXT,
    "openid_connect_id": TEXT, "entries_per_page": NUMBER, "keyboard_shortcuts": FLAG,
    "show_reading_time": FLAG, "entry_swipe": FLAG, "last_login_at": TEXT,
}  # fmt: skip

# --- NewsFlash (Rust, the crate miniflux_api as it is documented) ---
FLASH_FEED = {
    "id": NUMBER, "user_id": NUMBER, "title": TEXT, "site_url": TEXT, "feed_url": TEXT,
    "rewrite_rules": TEXT, "scraper_rules": TEXT, "crawler": FLAG, "checked_at": TEXT,
    "etag_header": TEXT, "last_modified_header": TEXT, "parsing_error_count": NUMBER,
    "parsing_error_message": TEXT, "category": CAPY_CATEGORY,
    "icon": {"feed_id": NUMBER, "icon_id": NUMBER},
}  # fmt: skip
FLASH_LIST = {"total": NUMBER, "entries": [{
    "id": NUMBER, "user_id": NUMBER, "feed_id": NUMBER, "title": TEXT, "url": TEXT,
    "comments_url": MAYBE, "content": TEXT, "hash": TEXT, "published_at": TEXT, "status": TEXT,
    "starred": FLAG, "feed": FLASH_FEED,
}]}  # fmt: skip


@dataclass(frozen=True)
class Step:
    """A request, as it is written below, with what the app takes for success."""

    asks: str  # "GET /entries?starred=true"
    status: int = 200
    shape: Shape = None
    sends: Any = None


MARK = Step("PUT /entries", 204, sends={"entry_ids": ["{entry}", "{other}"], "status": "read"})
STAR = Step("PUT /entries/{entry}/bookmark", 204)

# By name, with what authenticates.
APPS: dict[str, tuple[str, tuple[Step, ...]]] = {
    "Flux News": ("token", (
        Step("GET /version", 200, {"version": TEXT, "commit": TEXT, "build_date": TEXT,
                                   "go_version": TEXT, "compiler": TEXT, "arch": TEXT, "os": TEXT}),
        Step(f"GET /entries?order=published_at&status=unread&{FLUX_PAGE[19:]}", 200, FLUX_LIST),
        Step(f"GET /entries?{FLUX_PAGE}&after=1700000000", 200, FLUX_LIST),
        Step(f"GET /entries?starred=true&{FLUX_PAGE}", 200, FLUX_LIST),
        Step(f"GET /entries?search=harbour&{FLUX_PAGE}", 200, SEARCHED),
        Step("GET /categories", 200, [{"id": NUMBER, "title": TEXT}]),
        Step("GET /categories/{category}/feeds", 200, [FLUX_FEED]),
        Step("POST /categories", 201, {"id": NUMBER, "title": TEXT}, {"title": "New"}),
        Step("POST /feeds", 201, {"feed_id": NUMBER},
             {"feed_url": "{url}", "category_id": "{category}", "crawler": True,
              "scraper_rules": "article"}),
        MARK, STAR,
        Step("POST /entries/{entry}/save", 202),
        Step("GET /entries/{entry}", 200, FLUX_NEWS),
        Step("PUT /enclosures/{file}", 204, sends={"media_progression": 12}),
        Step("PUT /feeds/refresh", 204),
    )),
    "Miniflutt": ("token", (
        Step("GET /me"),
        Step("GET /entries?status=unread&limit=500&order=published_at&direction=desc", 200,
             MINIFLUTT_LIST),
        Step("GET /entries?status=&limit=500&order=published_at&direction=asc&starred=1", 200,
             MINIFLUTT_LIST),
        Step("GET /entries?status=unread&limit=500&order=published_at&direction=desc&search=tide",
             200, SEARCHED),
        Step("GET /feeds", 200, [MINIFLUTT["feed"]]),
        Step("GET /categories", 200, [{"id": NUMBER, "title": TEXT}]),
        MARK, STAR,
        Step("POST /entries/{entry}/save", 202, sends={}),
        Step("POST /feeds", 201, sends={"feed_url": "{url}", "category_id": "{category}",
                                        "crawler": False, "user_agent": "", "username": "",
                                        "password": ""}),
        Step("PUT /feeds/{feed}", 201, sends={"title": "Renamed", "category_id": "{category}"}),
        Step("PUT /feeds/refresh", 204, sends={}),
        Step("DELETE /feeds/{feed}", 204),
    )),
    "NextFlux": ("password", (
        Step("GET /me", 200, {"id": NUMBER, "username": TEXT}),
        Step("GET /integrations/status", 200, {"has_integrations": FLAG}),
        Step("GET /feeds", 200, [NEXT_FEED]),
        Step("GET /categories", 200, [{"id": NUMBER, "title": TEXT}]),
        Step("GET /entries?status=unread&direction=desc&offset=0&limit=1", 200, NEXT_LIST),
        Step("GET /entries?status=unread&direction=desc&offset=0&limit=5000", 200, NEXT_LIST),
        MARK, STAR,
        Step("GET /entries?starred=true&status=read&direction=desc&limit=0", 200, NEXT_LIST),
        Step("GET /entries?changed_after=1700000000&direction=desc&limit=0", 200, NEXT_LIST),
        Step("GET /entries?after=1700000000&direction=desc&limit=0", 200, NEXT_LIST),
        Step("GET /feeds/{feed}/entries?direction=desc&limit=50", 200, NEXT_LIST),
        Step("POST /discover", 200, [{"url": TEXT, "title": TEXT, "type": TEXT}],
             {"url": "{url}"}),
        Step("PUT /feeds/{feed}/refresh", 204),
        Step("PUT /feeds/{feed}", 201, NEXT_FEED, {"category_id": "{category}", "title": "New",
                                                   "crawler": True, "hide_globally": False}),
        Step("PUT /feeds/{feed}/mark-all-as-read", 204),
        Step("PUT /categories/{category}/mark-all-as-read", 204),
        Step("PUT /users/{user}/mark-all-as-read", 204),
    )),
    "Capy": ("password", (
        Step("GET /me", 200, CAPY_USER),
        Step("GET /integrations/status", 200, {"has_integrations": FLAG}),
        Step("GET /feeds", 200, [CAPY_FEED]),
        Step("GET /entries?starred=true&limit=250&offset=0", 200, CAPY_LIST),
        Step("GET /entries?status=unread&limit=250&offset=0", 200, CAPY_LIST),
        Step("GET /entries?limit=250&offset=0&order=published_at&direction=desc", 200, CAPY_LIST),
        Step("GET /entries?limit=250&offset=0&order=published_at&direction=desc"
             "&changed_after=1700000000", 200, CAPY_LIST),
        MARK, STAR,
        Step("POST /entries/{entry}/save", 202),
        Step("POST /categories", 201, CAPY_CATEGORY, {"title": "New"}),
        Step("POST /feeds", 201, {"feed_id": NUMBER},
             {"feed_url": "{url}", "category_id": "{category}"}),
        Step("GET /feeds/{feed}", 200, CAPY_FEED),
        Step("PUT /feeds/{feed}", 201, CAPY_FEED, {"title": "New", "category_id": "{category}"}),
        Step("PUT /categories/{category}", 201, CAPY_CATEGORY, {"title": "Renamed"}),
        Step("DELETE /feeds/{feed}", 204),
    )),
    "NewsFlash": ("token", (
        Step("GET /me", 200, {"id": NUMBER, "username": TEXT, "is_admin": FLAG, "theme": TEXT,
                              "language": TEXT, "timezone": TEXT}),
        Step("GET /categories", 200, [CAPY_CATEGORY]),
        Step("GET /feeds", 200, [FLASH_FEED]),
        Step("GET /entries?status=unread&order=published_at&direction=desc", 200, FLASH_LIST),
        Step("GET /entries?starred=true&limit=0", 200, FLASH_LIST),
        MARK, STAR,
        Step("POST /feeds", 201, {"feed_id": NUMBER},
             {"feed_url": "{url}", "category_id": "{category}"}),
        Step("PUT /feeds/{feed}", 201, FLASH_FEED, {"title": "New"}),
        Step("PUT /categories/{category}", 201, CAPY_CATEGORY, {"title": "Renamed"}),
    )),
}  # fmt: skip


def lacks(value: Any, shape: Shape, where: str = "$") -> str:
    """Where a value is not of a shape; empty: it is."""
    if isinstance(shape, dict):
        if not isinstance(value, dict):
            return where
        found = (lacks(value.get(key), one, f"{where}.{key}") for key, one in shape.items())
        return next(filter(None, found), "")
    if isinstance(shape, list):
        if not (isinstance(value, list) and value):
            return where
        found = (lacks(one, shape[0], f"{where}[{at}]") for at, one in enumerate(value))
        return next(filter(None, found), "")
    flag = isinstance(value, bool) and shape in (int, int | None)
    assert isinstance(shape, type | UnionType)
    return where if flag or not isinstance(value, shape) else ""


def filled(sent: Any, known: dict[str, Any]) -> Any:
    """A body with what is known in the place of names in braces."""
    if isinstance(sent, dict):
        return {key: filled(one, known) for key, one in sent.items()}
    if isinstance(sent, list):
        return [filled(one, known) for one in sent]
    return known[sent[1:-1]] if isinstance(sent, str) and sent.startswith("{") else sent


def ask(client: httpx.Client, step: Step, known: dict[str, Any]) -> None:
    method, _, path = step.asks.partition(" ")
    sends = {} if step.sends is None else {"json": filled(step.sends, known)}
    answer = client.request(method, "/v1" + path.format(**known), **sends)
    assert answer.status_code == step.status, (step.asks, answer.text)
    if step.shape is not None:
        assert not lacks(answer.json(), step.shape), (step.asks, lacks(answer.json(), step.shape))


@pytest.mark.parametrize("app", APPS)
def test_an_app_gets_all_that_its_model_needs(scene: Scene, app: str) -> None:
    """Also of an article with a star whose feed was left, of which only the title is known."""
    ann, (auth, steps) = scene.ann, APPS[app]
    client = scene.client()
    if auth == "token":
        client.headers["x-auth-token"] = ann.secret
    else:
        client.auth = httpx.BasicAuth(ann.name, ann.secret)
    harbour, tides, _parish = ann.feeds
    entries, left = (
        client.get(f"/v1/feeds/{feed}/entries").json()["entries"] for feed in (harbour, tides)
    )
    arrivals = scene.arrivals(ann)
    client.put(f"/v1/entries/{left[0]['id']}/bookmark")
    client.delete(f"/v1/feeds/{tides}")
    known = {
        "entry": entries[0]["id"], "other": entries[1]["id"], "feed": harbour, "user": ann.user,
        "file": entries[0]["enclosures"][0]["id"], "category": entries[0]["feed"]["category"]["id"],
        "url": scene.publish("fresh"),
    }  # fmt: skip
    for step in steps:
        ask(client, step, known)
        if step is STAR:
            one, other = arrivals[known["entry"]], arrivals[known["other"]]
            assert scene.starred(ann) == {one, arrivals[left[0]["id"]]}
            assert scene.unread(ann).isdisjoint({one, other})
    assert scene.unread(scene.bob) == set(scene.articles(scene.bob))
    assert not scene.starred(scene.bob)
