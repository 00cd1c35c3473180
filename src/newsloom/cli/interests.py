"""`newsloom interests`: what the reader says they care about, in their words."""

from __future__ import annotations

from typing import Annotated

import typer

from newsloom.cli.common import Json, on_terminal, say, session, show_json, show_table
from newsloom.cli.group import Commands

app = Commands()


@app.command("add", help='Add an interest, such as "urban cycling" or "Rust compilers".')
def add(
    context: typer.Context, text: Annotated[list[str], typer.Argument(help="In your words.")]
) -> None:
    with session(context).open() as app:
        interest = app.reader().add_interest(" ".join(text))
        say(
            f"Interest {interest.id}: {interest.text}. The list follows at the next `newsloom run`."
        )


@app.command("list", help="Those there are.")
def list_(context: typer.Context, as_json: Json = False) -> None:
    with session(context).open() as app:
        found = app.reader().interests()
        if as_json:
            show_json(found)
        elif found or not on_terminal():
            show_table(("id", "interest"), [(str(one.id), one.text) for one in found])
        else:
            say('None yet. `newsloom interests add "…"` names one.')


@app.command("remove", help="Take one away, by its number.")
def remove(
    context: typer.Context, interest: Annotated[int, typer.Argument(help="Its number.")]
) -> None:
    with session(context).open() as app:
        app.reader().remove_interest(interest)
        say(f"Interest {interest} is gone.")
