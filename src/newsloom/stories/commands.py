"""`newsloom stories`: the list of stories, or the articles of one."""

from __future__ import annotations

from typing import Annotated

import typer

from newsloom.cli.common import Json, hint, note, say, session, show_json, show_table


def stories(
    context: typer.Context,
    story: Annotated[int | None, typer.Argument(min=1, help="Show this story.")] = None,
    state: Annotated[
        str, typer.Option(help="hot, developing, quiet or archived. Default: all but archived.")
    ] = "",
    muted: Annotated[bool, typer.Option("--muted", help="Those you muted.")] = False,
    as_json: Json = False,
) -> None:
    """List stories, or show one. To follow, mute or correct one, see `newsloom api stories`."""
    from newsloom.stories.service import stories

    with session(context).open() as app:
        if story is not None:
            found = stories.view(app.reader(), story)
            if as_json:
                show_json(found)
                return
            line = found.line
            say(line.title)
            if line.head.summary:
                say(line.head.summary)
            part = f"; part of the thread {found.thread.title}" if found.thread else ""
            note(
                f"{line.band}: {line.articles} articles from {line.sources} sources; "
                f"first reported by {found.first.source}{part}"
            )
            members = [
                (
                    one.dated.strftime("%Y-%m-%d %H:%M"),
                    str(one.article),
                    one.source,
                    "new" if one.article in found.new else "",
                    one.title,
                )
                for one in found.members
            ]
            show_table(("dated (UTC)", "article", "source", "", "title"), members, stretch="title")
            return
        lines = stories.lines(app.reader(), state, muted=muted)
        if as_json:
            show_json(lines)
        elif not lines:
            hint("None. Stories are created by `newsloom run`.")
        else:
            rows = [
                (
                    str(one.head.id),
                    one.band,
                    str(one.articles),
                    str(one.sources),
                    {1: "followed", -1: "muted"}.get(one.subscription, ""),
                    f"{one.new} new" if one.new else "",
                    one.title,
                )
                for one in lines
            ]
            columns = ("id", "is", "articles", "sources", "you", "since", "story")
            show_table(columns, rows, stretch="story", right="id articles sources")
