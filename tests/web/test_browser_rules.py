"""Rules in a real browser, without scripts and with them, on both widths: made of an article, tried
out, kept, and what they mute taken back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from newsloom.rules.service import rules
from web.axe import unfold, violations
from web.chromium import LOOKS, PHONE, WIDE, serving
from web.crowded import ruled
from web.keyboard import visit
from web.world import NEWS, World

pytestmark = pytest.mark.browser

TITLE = NEWS[0]["title"]


def fits(page: Any) -> bool:
    return page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["1280", "360"])
def test_a_rule_is_made_of_an_article_without_scripts(
    world: World, chromium: Any, shots: Any, size: dict[str, int]
) -> None:
    article = world.named(TITLE)
    context = chromium.new_context(viewport=size, java_script_enabled=False)
    page = context.new_page()
    name = f"rules-{size['width']}"
    with serving(world) as url:
        page.goto(f"{url}/articles/{article}")
        page.get_by_role("link", name="Create a rule from this").click()
        values = page.get_by_label("Value")
        assert [values.nth(at).input_value() for at in range(3)] == [
            "The Meridian Post", "R. Lindqvist", TITLE,
        ]  # fmt: skip
        page.get_by_label("Name").fill("Nothing of the tide")
        values.nth(0).fill("")
        values.nth(1).fill("")
        values.nth(2).fill("tide, quiz")
        page.get_by_role("button", name="Preview").click()
        page.get_by_role("heading", name="Matches 3 of 80 articles of the last 7 days").wait_for()
        assert page.get_by_role("link", name=TITLE).count()
        page.screenshot(path=shots / f"{name}-edit.png")
        assert rules.rule_set(world.reader()).rules == (), "a preview keeps nothing"
        page.get_by_role("button", name="Save").click()
        page.get_by_role("heading", name="Nothing of the tide").wait_for()
        page.screenshot(path=shots / f"{name}-list.png")
        assert article not in [one.id for one in world.listed()]
        for muted in (3, 2, 1):  # it and its copies in other feeds
            page.get_by_role("link", name=f"Muted ({muted})").click()
            page.screenshot(path=shots / f"{name}-muted.png")
            page.get_by_role("button", name="Show again").first.click()
            page.get_by_text("Article restored").wait_for()
        assert article in [one.id for one in world.listed()]
        page.get_by_role("button", name="Turn off:").click()
        page.get_by_role("button", name="Turn on:").wait_for()
        page.get_by_role("button", name="Remove").click()
        page.get_by_role("heading", name="No rules yet").wait_for()
        page.get_by_label("Mute articles with a word").fill("tide, quiz")
        page.get_by_role("button", name="Mute", exact=True).click()
        page.get_by_role("heading", name="tide, quiz").wait_for()
        assert [one.kind for one in rules.rule_set(world.reader()).rules[0].actions] == ["mute"]
        page.goto(f"{url}/rules/edit")
        page.get_by_role("button", name="Save").click()
        assert "A rule needs a name" in page.get_by_role("alert").inner_text()
    context.close()


@pytest.mark.parametrize(("size", "scheme"), LOOKS)
def test_the_pages_of_rules_are_for_everyone(
    world: World, open_page: Any, size: dict[str, int], scheme: str
) -> None:
    ruled(world)
    kept = rules.rule_set(world.reader()).rules[0]
    condition = replace(kept.conditions[0], value="tide")
    rules.save(world.reader(), replace(kept, conditions=(condition,)))
    page = open_page(size, scheme)
    with serving(world) as url:
        for path in ("/rules", "/rules/muted", f"/rules/edit?rule={kept.id}"):
            visit(page, url + path)
            unfold(page)
            assert violations(page) == [], path
            assert fits(page), path
        page.get_by_role("button", name="Preview").press("Enter")
        page.get_by_role("heading", name="articles of the last 7 days").wait_for()
        assert violations(page) == [], "with what it would have done"
        assert fits(page)
