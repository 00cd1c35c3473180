"""`newsloom digest`: what mattered in a period, one of the archive, and those that are due."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from newsloom.cli.common import note, say, session
from newsloom.kernel import files
from newsloom.kernel.errors import UserError
from newsloom.reading import moments

if TYPE_CHECKING:
    from newsloom.app import App


def digest(
    context: typer.Context,
    number: Annotated[
        int | None, typer.Argument(help="Print this digest of the archive instead.")
    ] = None,
    kind: Annotated[
        str, typer.Option(help="morning, midday, evening or weekly. Default: a window of --since.")
    ] = "ad hoc",
    since: Annotated[str, typer.Option(help=f"From then on: {moments.FORMS}.")] = "",
    zone: Annotated[str, typer.Option(help="Time zone, such as Europe/Berlin.")] = "",
    form: Annotated[
        str, typer.Option("--format", help="markdown, html, text or json.")
    ] = "markdown",
    out: Annotated[Path | None, typer.Option(help="Write it to this file.")] = None,
    due: Annotated[
        bool,
        typer.Option("--due", help="Make and send what is due, for cron; `serve` does it anyway."),
    ] = False,
) -> None:
    """Make a digest now, or print one of the archive; see /digests in `newsloom api` for more."""
    from newsloom.digests.formats import FORMATS
    from newsloom.digests.service import digests, schedules
    from newsloom.digests.values import DigestKind
    from newsloom.reading.commands.articles import moment

    formats = {one.name: one for one in FORMATS}
    if form not in formats:
        raise UserError(f"A format is one of {', '.join(formats)}, not {form!r:.40}.")
    news = (DigestKind.STORIES, DigestKind.RULES)  # made when there is any
    kinds = {str(one): one for one in DigestKind if one not in news}
    if kind not in kinds:
        raise UserError(f"A kind is one of {', '.join(kinds)}, not {kind!r:.40}.")
    with session(context).open() as app:
        if due:
            _make_due(app)
            return
        reader = app.reader()
        if number is not None:
            made = schedules.archived(reader, number).digest
        else:
            from zoneinfo import ZoneInfo

            from newsloom.kernel.delivery.schedules import parse_zone

            named = parse_zone(zone)
            begin = moment(since, app.now().astimezone(ZoneInfo(named))) if since else None
            made = digests.compose(reader, kinds[kind], begin, app.now(), named)
    text = formats[form].render(made)
    if out is None:
        typer.echo(text, nl=False)
        return
    files.write(out, text.encode())
    note(f"{made.title} written to {out}.")


def _make_due(app: App) -> None:
    from newsloom.digests.service.digesting import digesting

    async def once() -> tuple[int, int]:
        async with app.fetching() as fetcher:
            return await digesting(app).once(fetcher)

    made, sent = asyncio.run(once())
    say(f"{made} made, {sent} sent.")
