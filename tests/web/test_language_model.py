"""The line about a language model that gives no ratings, on the page."""

from __future__ import annotations

from dataclasses import replace

from newsloom.llm.values import ServiceStatus
from web.conftest import Visitor
from web.world import World

WORDS = "judge at 127.0.0.1:9 fails (<b>gone</b>), the built-in model is used"


def test_the_page_says_when_it_gives_none(world: World) -> None:
    reader = replace(world.reader(), language_model_status=lambda: ServiceStatus(False, WORDS))
    page = Visitor(world, reader).get("/").text
    assert "fails (&lt;b&gt;gone&lt;/b&gt;)" in page
    assert "<b>gone" not in page


def test_the_page_says_nothing_when_all_is_well_or_none_is_named(world: World) -> None:
    well = replace(world.reader(), language_model_status=lambda: ServiceStatus(True, WORDS))
    for reader in (well, world.reader()):
        assert "gives no ratings" not in Visitor(world, reader).get("/").text
