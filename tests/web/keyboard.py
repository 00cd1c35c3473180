"""What a test does to a page: go, press, wait."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect


def visit(page: Any, url: str) -> None:
    """Go there, and wait until the page's scripts have read it."""
    page.goto(url)
    page.locator("html[data-ready]").wait_for(state="attached")
    if page.locator("#rows form[hx-post]").count():
        page.locator("#rows form[data-htmx-powered]").last.wait_for(state="attached")


def pick(page: Any, row: Any, item: str) -> None:
    """Choose an entry of the menu of a row."""
    row.hover()
    row.locator(".acts-menu").click()
    page.locator("#row-menu").get_by_role("menuitem", name=item).click()


def press(page: Any, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def row(page: Any, number: int) -> Any:
    return page.locator("#rows > .row").nth(number)


def toast(page: Any, words: str) -> None:
    """Wait until the page says so; when it says something else, the failure tells what."""
    expect(page.locator("#toast .said")).to_contain_text(words, timeout=30_000)


def until(page: Any, true: Callable[[], bool]) -> None:
    """Wait for what the page cannot wait for itself: its policy lets no script of a test in."""
    for _ in range(1_200):
        if true():
            return
        page.wait_for_timeout(50)
    pytest.fail("it did not become so within a minute")
