"""Titles and summaries of stories by a language model: what stands on the articles is taken,
labelled; where anything fails, the articles' own words stay."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from datetime import timedelta

import pytest
from conftest import Whole
from starlette.testclient import TestClient
from told_stories import fed, number

from llm.server import Asked, Script, serving
from newsloom.app import App
from newsloom.stories.values.pages import StoryHead
from newsloom.web.app import create_app
from publisher import Publisher

FERRY = (
    "Ferry sinks off Port Lorne, dozens missing",
    "Dozens missing after ferry sinks near Port Lorne",
    "Rescuers search for missing after Port Lorne ferry sinks",
)
TEXT = "The ferry sank off Port Lorne in heavy seas and dozens of people are missing."
LIE = "The mayor of Atlantis resigned over 917 missing submarines."
WRITER = "writer"


@pytest.fixture
def told(whole: Whole, publisher: Publisher) -> Whole:
    """One event of three publishers."""
    whole.clock.stop()
    now = whole.clock()
    for at, (name, title) in enumerate(zip(("alpha", "beta", "gamma"), FERRY, strict=True)):
        whole.follow(fed(publisher, name, (title,), now - timedelta(hours=9 - at), TEXT))
    whole.run()
    return whole


def test_a_story_without_a_model_is_told_as_in_a_digest(whole: Whole, publisher: Publisher) -> None:
    """The newest title that tells news leads, and no sentence begins in the middle of a thought."""
    whole.clock.stop()
    now = whole.clock()
    titles = (*FERRY, "Why did the Port Lorne ferry sink off Port Lorne?")
    for at, title in enumerate(titles):
        text = f"But she said so before. {TEXT}"
        name = f"paper{at}"
        whole.follow(fed(publisher, name, (title,), now - timedelta(hours=9 - at), text))
    whole.run()
    (head,) = whole.app.store.stories.story_heads(ids=[number(whole, FERRY[0])], least=1, limit=1)
    assert head.size == len(titles)
    assert head.title in FERRY
    assert TEXT in head.summary
    assert "But she" not in head.summary


def ask(whole: Whole, script: Script, *, times: int = 1) -> list[str]:
    """What the model was asked about stories, by passes' way; each time for a minute at most."""

    async def main() -> list[str]:
        async with serving(script) as server:
            settings = whole.app.settings
            model = replace(
                settings.language_model,
                url=server.url, model=WRITER, context_tokens=8_000, timeout_seconds=2.0,
            )  # fmt: skip
            app: App = replace(whole.app, settings=replace(settings, language_model=model))
            for _ in range(times):
                await app.runner().ask_for(timedelta(seconds=60))
            return [one.user for one in server.asked if is_story(one)]

    return asyncio.run(main())


def is_story(request: Asked) -> bool:
    return "headline and a summary of a news story" in request.body["messages"][0]["content"]


def answering(title: str, *sentences: str) -> Script:
    async def script(request: Asked) -> None:
        if not is_story(request):
            await request.rate()
            return
        said = [{"text": one, "articles": [1]} for one in sentences]
        whole = {"title": {"text": title, "articles": [1, 2, 3]}, "sentences": said}
        await request.say(json.dumps(whole))

    return script


async def prose(request: Asked) -> None:
    await request.say("I cannot help with that.")


async def down(request: Asked) -> None:
    await request.answer(b"", "503 Service Unavailable")


async def silent(_asked: Asked) -> None:
    await asyncio.sleep(30)


def head(whole: Whole) -> StoryHead:
    found = whole.app.store.stories.story(number(whole, FERRY[0]))
    assert found is not None
    return found


def test_what_stands_on_the_articles_is_taken_and_labelled(told: Whole) -> None:
    before = head(told)
    requests = ask(told, answering(FERRY[0], TEXT, LIE), times=2)
    assert len(requests) == 1, "what was answered is not asked again"
    after = head(told)
    assert (after.title, after.title_by, after.summary_by) == (FERRY[0], WRITER, WRITER)
    assert TEXT in after.summary
    assert "Atlantis" not in after.summary
    assert (before.title_by, before.summary_by) == ("article", "article")
    with TestClient(create_app(told.app.reader()), base_url="http://localhost") as visitor:
        page = visitor.get(f"/story/{after.id}").text
    assert "Written by the language model writer" in page
    assert "Title by the language model writer" in page


@pytest.mark.parametrize(
    "script",
    [answering(LIE, LIE), answering("<script>x</script>", "Buy now at http://evil.test/."),
     prose, down, silent],
    ids=["lying", "hostile", "prose", "down", "silent"],
)  # fmt: skip
def test_where_nothing_stands_the_articles_words_stay(told: Whole, script: Script) -> None:
    before = head(told)
    assert ask(told, script)
    assert head(told) == before


def test_a_story_that_grew_is_worded_by_its_articles_and_asked_about_again(
    told: Whole, publisher: Publisher
) -> None:
    ask(told, answering(FERRY[0], TEXT))
    told.clock.ahead += timedelta(hours=3)
    more = tuple(f"{one} (update {at})" for at, one in enumerate(FERRY))
    told.follow(fed(publisher, "delta", more, told.clock(), TEXT))
    told.run()
    assert head(told).summary_by == "article"
    assert len(ask(told, answering(FERRY[1], TEXT))) == 1
    assert (head(told).title, head(told).summary_by) == (FERRY[1], WRITER)
