"""`newsloom coverage`: looks now for who else reports an article."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer

from newsloom.cli.common import Json, note, session, show_json, show_table


def coverage(
    context: typer.Context,
    article: Annotated[int, typer.Argument(help="An article's number.")],
    as_json: Json = False,
) -> None:
    """Look now for who else reports an article. `newsloom api coverage` switches it on or off."""
    from newsloom.app.coverage import find_now
    from newsloom.kernel.ids import ArticleId

    with session(context).open() as app:
        reader = app.reader()
        number = reader.article(ArticleId(article)).listed.id
        if not reader.coverage.find(number):
            note("It was searched for lately; that search continues.")
        _found, done = asyncio.run(find_now(app))
        if not done:
            note("Another Newsloom is working on it and continues automatically.")
        known = reader.coverage.of(number)
        if as_json:
            show_json(known.covered)
            return
        if known.search is not None and known.search.problem:
            note(known.search.problem)
        if not known.covered:
            note("No other report is known.")
            return
        rows = [
            (
                str(one.candidate),
                f"{one.sure:.0%}" + (", not read" if one.unresolved else ""),
                one.published.strftime("%Y-%m-%d %H:%M") if one.published else "",
                one.source,
                one.title,
                one.url,
            )
            for one in known.covered
        ]
        columns = ("id", "how sure", "date (UTC)", "source", "title", "address")
        show_table(columns, rows, stretch="title")
