"""Write docs/use/api-reference.md from the OpenAPI document; run it after a change."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

from newsloom.api.document import TAGS, Operation, operations
from newsloom.web.api_access import PREFIX

PAGE = Path("docs/use/api-reference.md")
HEAD = f"""# JSON API reference

Every operation below `{PREFIX}`; [JSON API](api.md) says how to use them. *Takes* names the
parameters and the shape of the body, *answers* the shape of the answer: their fields, limits and
examples are in `{PREFIX}/openapi.json` and on the page `/api/docs` of your server.
`newsloom api articles` prints the operations whose path has this word, with their fields.
"""
TABLE = "\n| operation | does | name | takes | answers |\n|---|---|---|---|---|\n"


def page() -> str:
    """The whole page: a table for each group."""
    text, words = HEAD, dict(TAGS)
    for tag, found in groupby(sorted(operations(), key=place), lambda one: one.tag):
        text += f"\n## {tag}\n\n{words[tag]}\n" + TABLE
        text += "".join(row(one) for one in found)
    return text


def place(one: Operation) -> int:
    return list(dict(TAGS)).index(one.tag)


def row(one: Operation) -> str:
    taken = [f"`{value.name}`" for value in one.parameters if f"{{{value.name}}}" not in one.path]
    body = f"`{one.sent.shape or one.sent.name}`" if one.sent else ""
    answer = f"`{one.answer.shape or one.answer.name}`" if one.answer else ""
    cells = (
        f"`{one.method} {one.path.removeprefix(PREFIX)}`",
        one.summary,
        f"`{one.id}`",
        ", ".join(filter(None, (*taken, body))),
        answer,
    )
    return "| " + " | ".join(cells) + " |\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
