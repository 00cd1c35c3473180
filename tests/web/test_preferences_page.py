"""Preferences over HTTP: kept, refused, and seen on pages and in articles."""

from __future__ import annotations

import re

import pytest

from newsloom.accounts.preference_values import LONGEST_CSS
from web.conftest import Visitor
from web.world import World


def look(page: str) -> str:
    return re.search(r'data-look="(\w+)"', page)[1]


def test_a_look_for_everywhere_and_one_for_a_feed(world: World, visitor: Visitor) -> None:
    feed = world.reader().subscriptions()[0].feed_id
    answer = visitor.post("/look", {"at": "", "look": "cards"})
    assert answer.status_code == 303
    assert look(visitor.get("/").text) == "cards"
    visitor.post("/look", {"at": f"feed={feed}", "look": "compact", "here": "1"})
    assert look(visitor.get(f"/?feed={feed}").text) == "compact"
    assert look(visitor.get("/").text) == "cards"
    visitor.post("/look", {"at": f"feed={feed}", "look": "magazine"})
    assert look(visitor.get(f"/?feed={feed}").text) == look(visitor.get("/").text) == "magazine"


def test_what_is_none_is_refused(visitor: Visitor) -> None:
    assert visitor.post("/look", {"look": "hologram"}).status_code == 400
    answer = visitor.post("/preferences", {"size": "9000", "font": "sans"})
    assert answer.status_code == 400
    assert "Article text size: choose one of" in answer.text
    assert visitor.post("/preferences", {"css": "x" * (LONGEST_CSS + 1)}).status_code == 400


def test_articles_are_set_as_chosen(visitor: Visitor) -> None:
    assert "/preferences.css" not in visitor.get("/articles/1").text
    visitor.post("/preferences", {"size": "130", "font": "sans", "width": "52", "leading": "2"})
    assert "/preferences.css" in visitor.get("/articles/1").text
    sheet = visitor.get("/preferences.css").text
    assert "1.4625rem/2 var(--sans)" in sheet
    assert "max-width: 52rem" in sheet


@pytest.mark.parametrize("css", ["</style><script>alert(1)</script>", "body { color: red }"])
def test_a_style_of_ones_own_is_style_and_nothing_else(visitor: Visitor, css: str) -> None:
    visitor.post("/preferences", {"css": css})
    sheet = visitor.get("/preferences.css")
    assert sheet.headers["content-type"].startswith("text/css")
    assert sheet.text.endswith(css)
    assert "<script>alert" not in visitor.get("/preferences").text
    assert "<style>" not in visitor.get("/articles/1").text
