"""The text of an article as a real Chromium shows it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from newsloom.feeds.values.published import ParsedArticle
from web.chromium import serving
from web.keyboard import until, visit
from web.world import World

pytestmark = pytest.mark.browser

PAGE = "https://news.test/one"
NOTE = f"""<p>A claim<sup><a href="#fn:1">1</a></sup>, and another<a href="{PAGE}#fn:2">2</a>.</p>
{"<p>Long text.</p>" * 60}<ol><li id="fn:1">First note.</li><li id="fn:2">Second note.</li></ol>"""

ARABIC = "هو الإصدار الجديد الذي تستخدمه السفن"
HEBREW = "טקסט ארוך על הנמל ועל הסירות"
# Titles and texts that begin with a Latin word, in feeds of these languages.
RIGHT_TO_LEFT = (("ar", f"Linux {ARABIC}"), ("he", f"GPS {HEBREW}"), ("fa", f"iPhone {ARABIC}"))
STARTS_RIGHT = "one => getComputedStyle(one).direction === 'rtl'"


def test_articles_in_arabic_hebrew_and_persian_run_from_right_to_left(
    chromium: Any, world: World, shots: Path
) -> None:
    feed = world.feed("https://news.test/feed", "News")
    for language, text in RIGHT_TO_LEFT:
        html = f"<p>{text}</p><ul><li>{text}</li></ul><p>Only English.</p>"
        url = f"https://news.test/{language}"
        world.put(
            feed, ParsedArticle(guid=url, url=url, title=text, content=html, language=language)
        )
    with serving(world) as home:
        page = chromium.new_context().new_page()
        visit(page, home + "/")
        assert page.locator(".row h2", has_text=f"Linux {ARABIC}").evaluate(STARTS_RIGHT)
        for language, text in RIGHT_TO_LEFT:
            visit(page, f"{home}/articles/{world.named(text)}")
            frame = page.locator("#text")
            for place in ("h1", ".text > p:first-child", "ul", "li"):
                assert frame.locator(place).first.evaluate(STARTS_RIGHT), (language, place)
            assert not frame.get_by_text("Only English.").evaluate(STARTS_RIGHT)
            page.screenshot(path=shots / f"right-to-left-{language}.png")
        page.context.close()


IN_VIEW = "one => one.getBoundingClientRect().top < innerHeight"


def test_footnotes_jump_within_the_article(chromium: Any, world: World) -> None:
    feed = world.feed("https://news.test/feed", "News")
    world.put(feed, ParsedArticle(guid="1", url=PAGE, title="Notes", content=NOTE))
    with serving(world) as home:
        page = chromium.new_context().new_page()
        text = page.locator("#text")
        for link, note in (("1", "First note."), ("2", "Second note.")):
            visit(page, f"{home}/articles/{world.named('Notes')}")
            shown = text.get_by_text(note)
            assert not shown.evaluate(IN_VIEW)
            text.get_by_role("link", name=link, exact=True).click()
            until(page, lambda shown=shown: shown.evaluate(IN_VIEW))
        assert len(page.context.pages) == 1
        page.context.close()
