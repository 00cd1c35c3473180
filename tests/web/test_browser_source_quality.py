"""The page of the quality of sources in a browser: on a phone, and by its buttons."""

from __future__ import annotations

from typing import Any

import pytest

from web.chromium import serving
from web.crowded import publishers_asked
from web.keyboard import visit
from web.world import World

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("width", [360, 800, 1280])
def test_nothing_is_cut_off(open_page: Any, world: World, width: int) -> None:
    publishers_asked(world)
    page = open_page({"width": width, "height": 740}, "light")
    with serving(world) as url:
        visit(page, url + "/quality")
        assert page.locator(".quality tbody tr").count() == 8
        wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert page.evaluate(wide) <= 0
        right = "Math.max(...[...document.querySelectorAll('.quality *')]"
        assert page.evaluate(f"{right}.map(e => e.getBoundingClientRect().right))") <= width


def test_a_domain_is_blocked_by_its_button(open_page: Any, world: World) -> None:
    publishers_asked(world)
    page = open_page({"width": 360, "height": 740}, "dark")
    with serving(world) as url:
        visit(page, url + "/quality")
        page.get_by_role("button", name="Block new.example").click()
        row = page.locator(".quality tr", has_text="new.example")
        row.get_by_text("You blocked it.").wait_for()
        page.get_by_role("button", name="Forget new.example").click()
        page.locator(".quality tr", has_text="new.example").wait_for(state="detached")
