"""A second purpose, of the tests alone: which of the things offered fits, about no article.

Another question, schema, subject and place of its answers than sensitivity has; the same runner.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from llm.server import Asked, Script
from llm.world import World
from newsloom.llm.purpose import Prompt, Purpose, Source, Subject, Unusable, Window
from newsloom.llm.replies import json_object

# As long as the tests' server says that it is (300 tokens), or it would not be believed.
SYSTEM = "You choose which of the things offered fits. Answer with one JSON object. " * 12
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "choice": {"type": "integer"},
        "reason": {"type": "string"},
        "others": {"type": "array", "items": {"type": "integer"}},
    },
    "required": ["choice", "reason", "others"],
    "additionalProperties": False,
}
SHARE = 0.5
ANSWER_TOKENS = 60


@dataclass(frozen=True)
class Choosing:
    number: int
    text: str
    offered: tuple[int, ...]


@dataclass(frozen=True)
class Choice:
    choice: int
    reason: str
    others: tuple[int, ...]


def pending(connection: Connection, window: Window) -> Sequence[Choosing]:
    rows = connection.exec_driver_sql(
        "SELECT id, text, offered FROM choosings WHERE id NOT IN"
        " (SELECT id FROM choices WHERE maker = ?) ORDER BY id LIMIT ?",
        (window.producer, window.limit),
    )
    return [Choosing(row.id, row.text, tuple(json.loads(row.offered))) for row in rows]


def prompt(question: Choosing, nonce: str, context_tokens: int) -> Prompt:
    return Prompt(SYSTEM, f"{nonce}\n{question.text}\n{nonce}\nOffered: {question.offered}")


def read(answer: str, question: Choosing) -> Choice | Unusable:
    said = json_object(answer, SCHEMA, depth=2)
    if isinstance(said, Unusable):
        return said
    if said["choice"] not in question.offered:
        return Unusable("it chose what was not offered")
    return Choice(said["choice"], said["reason"], tuple(said["others"]))


def keep(connection: Connection, question: Choosing, answer: Choice, source: Source) -> bool:
    text = connection.exec_driver_sql(
        "SELECT text FROM choosings WHERE id = ?", (question.number,)
    ).scalar()
    if text != question.text:
        return False
    connection.exec_driver_sql(
        "INSERT INTO choices (id, maker, choice, reason, others, at) VALUES (?, ?, ?, ?, ?, ?)",
        (
            question.number,
            source.producer,
            answer.choice,
            answer.reason,
            json.dumps(answer.others),
            source.at.isoformat(),
        ),
    )
    return True


JUDGE: Purpose[Choosing, Choice] = Purpose(
    name="judge",
    version="judge@1",
    schema=SCHEMA,
    answer_tokens=ANSWER_TOKENS,
    share=SHARE,
    pending=pending,
    subject=lambda question: Subject("choosing", str(question.number)),
    prompt=prompt,
    parse=read,
    save=keep,
)


def prepare(world: World) -> None:
    """Tables of its own; an answer that were kept twice would break the key."""
    with world.store.database.write() as connection:
        connection.exec_driver_sql("CREATE TABLE choosings (id INTEGER PRIMARY KEY, text, offered)")
        connection.exec_driver_sql(
            "CREATE TABLE choices (id, maker, choice, reason, others, at, PRIMARY KEY (id, maker))"
        )


def put(world: World, *texts: str, offered: tuple[int, ...] = (1, 2, 3)) -> None:
    """One question of each text."""
    with world.store.database.write() as connection:
        for text in texts:
            connection.exec_driver_sql(
                "INSERT INTO choosings (text, offered) VALUES (?, ?)", (text, json.dumps(offered))
            )


def choices(world: World) -> list[tuple[Any, ...]]:
    return world.rows("SELECT id, choice FROM choices ORDER BY id")


def is_choosing(request: Asked) -> bool:
    return bool(request.body["messages"][0]["content"] == SYSTEM)


def chosen(choice: Any = 2, reason: Any = "it fits", others: Any = (1, 3)) -> str:
    return json.dumps({"choice": choice, "reason": reason, "others": others})


def both(choosing: Callable[[Asked], Any] | None = None) -> Script:
    """A server that answers the questions of both purposes, choosing as it is told."""

    async def script(request: Asked) -> None:
        if not is_choosing(request):
            await request.rate(4, "high", "it is news")
        elif choosing is not None:
            await choosing(request)
        else:
            await request.say(chosen())

    return script
