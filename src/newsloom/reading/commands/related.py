"""`newsloom related`: other articles that tell of much the same."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated

import typer

from newsloom.cli.common import Json, say, session, show_json
from newsloom.kernel.ids import ArticleId
from newsloom.kernel.text.ages import age_words


def related(
    context: typer.Context,
    article: Annotated[int, typer.Argument(help="An article's number.")],
    days: Annotated[int, typer.Option(min=1, max=90, help="Days before and after it.")] = 7,
    as_json: Json = False,
) -> None:
    """The nearest by meaning in the feeds you follow, one for each cluster, read ones too.

    What is held to be the same is not among them: `newsloom duplicates` names that.
    """
    from newsloom.reading.service.related import plain
    from newsloom.reading.service.related import related as found_for

    with session(context).open() as app:
        reader = app.reader()
        found = found_for(reader, ArticleId(article), timedelta(days=days))
        if as_json:
            show_json({"article": article, "related": [plain(one) for one in found]})
            return
        for one in found:
            listed = one.listed
            state = "  read" if listed.state.read else ""
            more = f"  +{one.copies}" if one.copies else ""
            say(f"{listed.id}  {listed.title}")
            when = age_words(app.now() - listed.dated)
            say(f"      {listed.source}, {when}, {one.cosine:.2f}{more}{state}")
        if not found:
            say(f"Nothing related within {days} days in the feeds you follow.")
