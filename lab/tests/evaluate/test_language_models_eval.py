"""`newsloom eval language-model`: every purpose asked of a loopback server that lies."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from llm.server import Asked, serving
from newsloom.app.purposes import PURPOSES
from newsloom.kernel.errors import UserError
from newsloom.kernel.settings import Settings
from newsloom.ranking.measure.articles import LabelledArticle
from newsloom_lab.evaluate import language_models as measured

TOWNS = ("Arnhem", "Bremen", "Calais", "Dresden", "Evora", "Fulda", "Gdansk", "Hamar")
LIE = "The mayor of Atlantis resigned over 917 missing submarines."


def articles() -> list[LabelledArticle]:
    return [
        LabelledArticle(
            id=f"{town} {number}",
            title=f"Bridge opens in {town}",
            text=f"The new bridge opened in {town} on Monday. It cost {number} million euros.",
            source=f"paper{number}.example",
            language="en",
            story=town,
            published=datetime(2026, 11, 21, tzinfo=UTC),
        )
        for town in TOWNS
        for number in (20, 30)
    ]


async def liar(request: Asked) -> None:
    """The first sentence of an article and a lie; to all else no JSON."""
    if '"sentences"' not in request.body["messages"][0]["content"]:
        await request.say("Sure! Here it is.")
        return
    truth = request.user.split("\n")[2]
    said = [{"text": text, "articles": [1]} for text in (truth.split(". ")[0] + ".", LIE)]
    await request.say(json.dumps({"sentences": said}))


def test_what_is_usable_and_what_is_let_through() -> None:
    async def main() -> measured.LanguageModelReport:
        async with serving(liar) as server:
            settings = Settings()
            model = replace(settings.language_model, url=server.url, model="judge")
            whole = replace(settings, language_model=replace(model, context_tokens=4_096))
            return await asyncio.to_thread(measured.run, articles(), whole, 2)

    report = asyncio.run(main())
    assert report.purposes.keys() == {one.name for one in PURPOSES}
    summary, sensitivity = report.purposes["summary"], report.purposes["sensitivity"]
    assert (summary.used, summary.written, summary.shown) == (2, 4, 2)
    assert (sensitivity.used, sensitivity.unusable.total()) == (0, 2)
    assert report.shown
    assert LIE not in {one.text for one in report.shown}


def test_a_server_and_stories_are_needed() -> None:
    with pytest.raises(UserError, match=r"language_model\.url"):
        measured.run(articles(), Settings())
