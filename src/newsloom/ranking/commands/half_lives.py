"""`newsloom half-lives`: how fast scores halve, for this reader. Shows, sets, takes back."""

from __future__ import annotations

from typing import Annotated

import typer

from newsloom.cli.common import Json, on_terminal, say, session, show_json, show_table
from newsloom.kernel.errors import UserError
from newsloom.ranking.commands.why import SENSITIVITY


def half_lives(
    context: typer.Context,
    days: Annotated[
        list[float] | None,
        typer.Argument(help="Five numbers of days, for sensitivity 1 (evergreen) to 5 (critical)."),
    ] = None,
    reset: Annotated[bool, typer.Option("--reset", help="Back to those of the settings.")] = False,
    as_json: Json = False,
) -> None:
    from newsloom.ranking.scoring import in_days

    if reset and days:
        raise UserError("Give five numbers of days, or --reset; not both.")
    with session(context).open() as app:
        reader = app.reader()
        if reset or days:
            reader.set_half_lives(None if reset else days)
        own = app.store.users.half_lives(app.user) is not None
        in_force = in_days(reader.half_lives_in_force())
        if as_json:
            show_json({"own": own, "days": in_force})
            return
        show_table(
            ("sensitivity", "means", "days"),
            [
                (str(level), SENSITIVITY[level], f"{one:g}")
                for level, one in enumerate(in_force, start=1)
            ],
            right="sensitivity days",
        )
        if on_terminal():
            say("Your own." if own else "Those of the settings.")
