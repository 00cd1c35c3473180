"""Sentences of a brief translated by a model behind a server, one for one."""

from __future__ import annotations

import asyncio
import json

from llm.server import Asked, serving
from llm.world import World
from newsloom.briefs.service.translating import ChatTranslator

SENTENCES = tuple(f"Bridge {number} opened on Monday." for number in range(12))


def test_a_model_that_loses_count_is_asked_for_each_sentence_by_itself(world: World) -> None:
    """In order; what is not usable even then stays empty."""
    asked: list[int] = []

    async def miscounts(request: Asked) -> None:
        lines = [line for line in request.user.split("\n") if line[:1].isdigit() and ". " in line]
        asked.append(len(lines))
        texts = [line.partition(". ")[2].replace("Bridge", "Brücke") for line in lines]
        if "Bridge 3 " in lines[0]:
            await request.say("Sorry!")
        else:
            await request.say(json.dumps({"sentences": texts[:9]}))

    async def main() -> list[str]:
        async with serving(miscounts) as server:
            made = ChatTranslator("judge", lambda: world.runner(server.url))
            return await asyncio.to_thread(made.translate, SENTENCES, "en", "de")

    found = asyncio.run(main())
    assert asked == [10, *[1] * 10, 2]
    assert found == ["" if "3" in one else one.replace("Bridge", "Brücke") for one in SENTENCES]


def test_an_answer_is_held_to_as_many_sentences_as_were_asked(world: World) -> None:
    limits: list[tuple[int, int]] = []

    async def counts(request: Asked) -> None:
        schema = request.body["response_format"]["json_schema"]["schema"]
        wanted = schema["properties"]["sentences"]
        limits.append((wanted["minItems"], wanted["maxItems"]))
        await request.say(json.dumps({"sentences": ["Eine Brücke."] * wanted["maxItems"]}))

    async def main() -> None:
        async with serving(counts) as server:
            made = ChatTranslator("judge", lambda: world.runner(server.url))
            await asyncio.to_thread(made.translate, SENTENCES, "en", "de")

    asyncio.run(main())
    assert limits == [(10, 10), (2, 2)]
