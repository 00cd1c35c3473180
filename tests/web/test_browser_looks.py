"""Themes, keys of one's own and walking by Tab, in a real Chromium."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from newsloom.accounts.service.preferences import choose_keys
from web.axe import MORE_CONTRAST, violations
from web.chromium import PHONE
from web.keyboard import press, row, until, visit
from web.world import World

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_themes_are_readable(chromium: Any, home: str, shots: Any, scheme: str) -> None:
    with chromium.new_context(viewport=PHONE, color_scheme=scheme) as context:
        page = context.new_page()
        for theme, rule in (("sepia", "color-contrast"), ("contrast", MORE_CONTRAST)):
            visit(page, home + "/settings")
            page.locator(f".themes button[value={theme}]").click()
            page.locator(f"html[data-theme={theme}][data-ready]").wait_for(state="attached")
            assert "\n".join(violations(page, rule)) == ""
            page.screenshot(path=str(shots / f"theme-{theme}-{scheme}.png"))


def test_the_look_of_every_list_is_chosen_on_a_phone(chromium: Any, home: str) -> None:
    with chromium.new_context(viewport=PHONE) as context:
        page = context.new_page()
        for path in ("/", "/?show=starred", "/?category=World", "/search?q=article"):
            visit(page, home + path)
            if page.locator("#layout").count():
                page.locator("#filters > summary").click()
                page.locator("#layout > summary").click()
            else:
                page.locator("#looks summary").click()
            page.get_by_role("button", name="One line").locator("visible=true").click()
            page.locator("html[data-look=compact][data-ready]").wait_for(state="attached")
            page.request.post(
                f"{home}/look",
                form={"look": "list"},
                headers={"sec-fetch-site": "same-origin"},
            )
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_keys_of_ones_own_work_and_the_usual_ones_no_more(
    page: Any, home: str, world: World
) -> None:
    choose_keys(world.reader(), {"next": "q", "star": "y", "like": "g y", "read": "é"})
    visit(page, home + "/")
    press(page, "j", "q", "q", "y")
    until(page, lambda: row(page, 1).get_attribute("data-starred") == "1")
    assert row(page, 1).get_attribute("aria-current") == "true"
    press(page, "g", "y")
    expect(row(page, 1).locator(".mark.like")).to_have_attribute("aria-pressed", "true")
    page.keyboard.insert_text("l")
    press(page, "g", "Shift+D")  # as it is typed
    page.wait_for_url("**/?within=day")


# Together they have every kind of control.
PAGES = ("/", "/feeds", "/digest", "/preferences", "/help")


@pytest.mark.parametrize("path", PAGES)
def test_tab_reaches_everything_that_can_be_used(page: Any, home: str, path: str) -> None:
    """In the order of the page, without a trap, and each with a focus that is seen."""
    visit(page, home + path)
    expected = page.evaluate(
        """() => {
          for (const row of document.querySelectorAll("#rows > .row")) {
            row.dispatchEvent(new CustomEvent("newsloom:dress"));
          }
          const able = "a[href], button:not(:disabled), input:not([type=hidden]):not(:disabled),"
            + "select, textarea, summary, [tabindex='0']";
          const seen = [...document.querySelectorAll(able)].filter(one => one.tabIndex >= 0
            // The marks of a row appear once it has the focus.
            && one.checkVisibility({ visibilityProperty: !one.closest("#rows .acts") })
            && !one.closest("[popover]:not(.side)"));
          const radios = new Set(); // of each group Tab meets one
          const first = one => !radios.has(one.name) && radios.add(one.name);
          return seen.filter(one => one.type !== "radio" || first(one)).length;
        }"""
    )
    page.evaluate("document.activeElement.blur(); window.met = new Set(); window.unseen = []")
    step = """() => {
      const one = document.activeElement;
      if (!one || one === document.body) return false;
      const style = getComputedStyle(one);
      // Of a time the browser shows which part of it has the focus.
      const ring = style.outlineStyle !== "none" || style.boxShadow !== "none";
      const shown = ring || one.type === "time";
      if (!shown) unseen.push(one.outerHTML.slice(0, 80));
      met.add(one);
      return true;
    }"""
    for _ in range(expected + 5):
        press(page, "Tab")
        if not page.evaluate(step):
            break
    assert page.evaluate("unseen") == []
    assert page.evaluate("met.size") == expected
