"""`newsloom digest`: what mattered in a window of time, by topic."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from newsloom.cli.common import note, session
from newsloom.kernel import files
from newsloom.kernel.errors import UserError
from newsloom.reading import moments


def digest(
    context: typer.Context,
    kind: Annotated[
        str, typer.Option(help="morning, midday, evening, weekly; else as long as --since says.")
    ] = "ad hoc",
    since: Annotated[str, typer.Option(help=f"From then on: {moments.FORMS}.")] = "",
    zone: Annotated[str, typer.Option(help="The time zone of its dates, as Europe/Berlin.")] = "",
    form: Annotated[
        str, typer.Option("--format", help="markdown, html, text or json.")
    ] = "markdown",
    out: Annotated[Path | None, typer.Option(help="Write it to this file.")] = None,
) -> None:
    from zoneinfo import ZoneInfo

    from newsloom.digests.formats import FORMATS
    from newsloom.digests.service import digests
    from newsloom.digests.values import DigestKind
    from newsloom.reading.commands.articles import moment

    formats = {one.name: one for one in FORMATS}
    if form not in formats:
        raise UserError(f"A format is one of {', '.join(formats)}, not {form!r:.40}.")
    news = (DigestKind.STORIES, DigestKind.RULES)  # made when there is any
    kinds = {str(one): one for one in DigestKind if one not in news}
    if kind not in kinds:
        raise UserError(f"A kind is one of {', '.join(kinds)}, not {kind!r:.40}.")
    try:
        ZoneInfo(zone or "UTC")
    except (ValueError, OSError, KeyError) as error:
        raise UserError(f"There is no time zone {zone!r:.40}.") from error
    with session(context).open() as app:
        here = app.now().astimezone(ZoneInfo(zone or "UTC"))
        begin = moment(since, here) if since else None
        made = digests.compose(app.reader(), kinds[kind], begin, app.now(), zone or "UTC")
    told = formats[form].render(made)
    if out is None:
        typer.echo(told, nl=False)
        return
    files.write(out, told.encode())
    note(f"{made.title} written to {out}.")
