"""The command that searches."""

from __future__ import annotations

from typing import Annotated

import typer

from newsloom.cli.common import Json, hint, note, on_terminal, session, show_json
from newsloom.kernel.errors import UserError
from newsloom.reading.commands.articles import RowsOf, drawn_seed, show_list
from newsloom.reading.search_language import SYNTAX, found_words
from newsloom.reading.values.searching import SearchOrder


def search(
    context: typer.Context,
    words: Annotated[list[str], typer.Argument(help="The query.")],
    limit: Annotated[int, typer.Option(min=1, max=1000, help="How many.")] = 25,
    order: Annotated[SearchOrder, typer.Option(help="The order.")] = SearchOrder.BEST,
    seed: Annotated[
        int | None,
        typer.Option(min=0, help="Seed for --order random."),
    ] = None,
    rows_of: RowsOf = None,
    as_json: Json = False,
) -> None:
    # "-word" leaves a word out, so what is no option of ours reaches this.
    if unknown := next((one for one in words if one.startswith("--")), None):
        raise UserError(f"Unknown option {unknown}.")
    with session(context).open() as app:
        found = (
            app.reader()
            .by_rows(rows_of)
            .search(" ".join(words), limit, order, seed=drawn_seed() if seed is None else seed)
        )
        if as_json:
            show_json(found.rows)
            return
        for one in found.notes:
            note(one)
        show_list(found.rows, app.now())
        if on_terminal() or not found.rows:
            hint(found_words(found))


_SYNTAX = "\n".join(f"{example:<22} {meaning}" for example, meaning in SYNTAX)
search.__doc__ = f"""Search all articles.

\b
{_SYNTAX}

Quote the query for the shell: newsloom search '"night trains" score:>60'
"""
