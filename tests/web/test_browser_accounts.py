"""Accounts in a real Chromium, at two widths and themes: made, invited, signed in and out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from web.axe import unfold, violations
from web.chromium import LOOKS, serving
from web.peopled import ANNA, BOB, Peopled
from web.world import World

pytestmark = pytest.mark.browser


@contextmanager
def serving_people(world: World) -> Iterator[tuple[str, Peopled]]:
    peopled = Peopled(world)
    with serving(world, peopled.app) as url:
        yield url, peopled


def checked(page: Any, shots: Path, name: str, size: dict[str, int], scheme: str) -> None:
    """No rule of axe-core is broken, nothing stands out to the side, and a picture is kept."""
    assert violations(page) == [], name
    unfold(page)
    assert violations(page) == [], f"{name}, opened"
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], name
    page.screenshot(path=shots / f"account-{name}-{size['width']}-{scheme}.png", full_page=True)


def sign_in(page: Any, url: str, name: str, password: str) -> None:
    page.goto(url + "/sign-in")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(password)
    page.keyboard.press("Enter")


@pytest.mark.parametrize(("size", "scheme"), LOOKS)
def test_from_nobody_to_two_people(
    open_page: Any, world: World, shots: Path, size: dict[str, int], scheme: str
) -> None:
    """By keyboard and forms alone; every page on the way is checked."""
    page = open_page(size, scheme)
    with serving_people(world) as (url, _peopled):
        page.goto(url + "/account")
        checked(page, shots, "none", size, scheme)
        page.get_by_label("Name").fill(ANNA[0])
        page.get_by_label("Password").fill(ANNA[1])
        page.keyboard.press("Enter")
        page.wait_for_url(url + "/admin")
        page.goto(url + "/")
        assert page.locator("#rows .row").count() > 5

        page.goto(url + "/account")
        page.get_by_label("New app password for").fill("Reader on my phone")
        page.keyboard.press("Enter")
        page.locator(".secret").wait_for()
        checked(page, shots, "app-password", size, scheme)

        page.goto(url + "/admin")
        page.get_by_role("button", name="Invite a reader").click()
        link = page.locator(".secret").inner_text()
        checked(page, shots, "people", size, scheme)

        other = open_page(size, scheme)
        other.goto(link)
        checked(other, shots, "invited", size, scheme)
        other.get_by_label("Name").fill(BOB[0])
        other.get_by_label("Password").fill(BOB[1])
        other.keyboard.press("Enter")
        other.wait_for_url(url + "/")
        assert other.locator("#rows .row").count() == 0
        assert other.goto(url + "/admin").status == 403

        page.goto(url + "/account")
        checked(page, shots, "account", size, scheme)
        page.get_by_role("button", name="Sign out").click()
        page.wait_for_url("**/sign-in")
        checked(page, shots, "sign-in", size, scheme)
        page.go_back()
        assert "/sign-in" in page.url or page.locator("#rows").count() == 0
        sign_in(page, url, "anna", "wrong password")
        page.locator(".banner.bad").wait_for()
        checked(page, shots, "refused", size, scheme)
        sign_in(page, url, *ANNA)
        page.wait_for_url(url + "/")


def test_a_session_that_ends_under_an_open_page_leads_to_signing_in(
    chromium: Any, world: World
) -> None:
    """A part that htmx asks for would else put the sign-in page into the list."""
    context = chromium.new_context()
    page = context.new_page()
    with serving_people(world) as (url, peopled):
        peopled.add(ANNA)
        sign_in(page, url, *ANNA)
        page.wait_for_url(url + "/")
        world.store.accounts.end_sessions(world.user)
        page.keyboard.press("j")
        page.keyboard.press("l")
        # Each of several requests may lead there, and the next ends what the first began.
        page.get_by_label("Name").wait_for()
        assert page.url.startswith(url + "/sign-in")
    context.close()


def test_two_people_in_two_browsers_see_their_own(chromium: Any, world: World) -> None:
    one, two = chromium.new_context(), chromium.new_context()
    with serving_people(world) as (url, peopled):
        peopled.add(ANNA)
        peopled.add(BOB)
        pages = []
        for context, who in ((one, ANNA), (two, BOB)):
            page = context.new_page()
            sign_in(page, url, *who)
            page.wait_for_url(url + "/")
            pages.append(page)
        anna, bob = pages
        anna.keyboard.press("j")
        anna.keyboard.press("l")
        anna.locator("#toast", has_text="Liked").wait_for()
        bob.goto(url + "/?show=liked")
        assert bob.locator("#rows .row").count() == 0
        bob.goto(url + "/account")
        assert "bob" in bob.locator(".lead").inner_text()
        anna.goto(url + "/?show=liked")
        assert anna.locator("#rows .row").count() == 1
    one.close()
    two.close()
