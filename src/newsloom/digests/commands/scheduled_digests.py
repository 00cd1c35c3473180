"""`newsloom digests`: the archive, the schedules, what is due from cron, the feed of them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated

import typer

from newsloom.cli.common import Json, note, say, session, show_json, show_table
from newsloom.cli.group import Commands
from newsloom.kernel.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from newsloom.digests.values import Schedule, SendingState
    from newsloom.kernel.delivery.values import Target
    from newsloom.kernel.settings import Settings

app = Commands()

Number = Annotated[int, typer.Argument(help="Its number.")]


@app.command("list", help="Those that were made, the newest first.")
def list_(
    context: typer.Context,
    limit: Annotated[int, typer.Option(min=1, max=1_000, help="How many.")] = 20,
    as_json: Json = False,
) -> None:
    with session(context).open() as app:
        found = app.store.digests.digests(app.user, limit)
        if as_json:
            show_json(found)
            return
        if not found:
            note("None yet. `newsloom digests add morning` has one made every morning.")
            return
        states = [_states(app.store.digests.sendings(one.id)) for one in found]
        rows = [
            (str(one.id), one.made_at.strftime("%Y-%m-%d %H:%M"), one.title, told)
            for one, told in zip(found, states, strict=True)
        ]
        show_table(("id", "made (UTC)", "title", "sent"), rows)


def _states(sendings: tuple[SendingState, ...]) -> str:
    return "; ".join(
        f"{one.target.way} {one.target.to}: {one.state}{f' ({one.error})' if one.error else ''}"
        for one in sendings
    )


@app.command("show", help="One of them again, in any format.")
def show(
    context: typer.Context,
    digest: Number,
    form: Annotated[
        str, typer.Option("--format", help="markdown, html, text or json.")
    ] = "markdown",
) -> None:
    from newsloom.digests.formats import FORMATS
    from newsloom.digests.service import schedules

    formats = {one.name: one for one in FORMATS}
    if form not in formats:
        raise UserError(f"A format is one of {', '.join(formats)}, not {form!r:.40}.")
    with session(context).open() as app:
        kept = schedules.kept(app.reader(), digest)
    typer.echo(formats[form].render(kept.digest), nl=False)


@app.command("add", help="Have one made at a time of day, and sent where you say.")
def add(
    context: typer.Context,
    kind: Annotated[str, typer.Argument(help="morning, midday, evening or weekly.")],
    at: Annotated[str, typer.Option(help="When, as HH:MM; left out, the usual time.")] = "",
    zone: Annotated[str, typer.Option(help="In which time zone, as Europe/Berlin.")] = "",
    day: Annotated[str, typer.Option(help="Of a weekly one, the day.")] = "sunday",
    mail: Annotated[list[str] | None, typer.Option(help="Send it to this address.")] = None,
    webhook: Annotated[list[str] | None, typer.Option(help="Post it there as JSON.")] = None,
    file: Annotated[
        list[str] | None, typer.Option(help="Write it to digest.folder in this format.")
    ] = None,
) -> None:
    from newsloom.digests.service import schedules

    kinds = {str(one): one for one in schedules.USUAL}
    if kind not in kinds:
        raise UserError(f"A kind is one of {', '.join(kinds)}, not {kind!r:.40}.")
    targets = targets_of(mail or (), webhook or (), file or ())
    with session(context).open() as app:
        made = schedules.add(app.reader(), kinds[kind], at, zone, day.lower(), targets)
        say(f"Schedule {made.id}: {words(made)}, next on {made.next_at:%Y-%m-%d %H:%M} UTC.")
        note_missing(app.settings, made.targets)


def note_missing(settings: Settings, targets: Iterable[Target]) -> None:
    """Say what is not set that sending there takes."""
    from newsloom.kernel.delivery.values import Way

    ways = {one.way for one in targets}
    if Way.MAIL in ways and not (settings.mail.host and settings.mail.sender):
        note("No mail is sent until the settings mail.host and mail.sender name a server.")
    if Way.MAIL in ways and not settings.web.url:
        note("Mails hold no link to end them until the setting web.url is set.")
    if Way.FILE in ways and not settings.digest.folder:
        note("No file is written until the setting digest.folder names a folder.")


def targets_of(mail: object, webhook: object, file: object) -> list[Target]:
    from newsloom.kernel.delivery.values import Target, Way

    given = ((Way.MAIL, mail), (Way.WEBHOOK, webhook), (Way.FILE, file))
    return [Target(way, to) for way, those in given for to in those]  # type: ignore[attr-defined]


def words(schedule: Schedule) -> str:
    """A schedule in words."""
    from newsloom.digests.service.schedules import WEEKDAYS

    to = ", ".join(f"{one.way} {one.to}" for one in schedule.targets)
    if schedule.kind == "stories":
        return f"news of stories you follow, to {to or 'nobody'}"
    time = f"{schedule.at // 60:02d}:{schedule.at % 60:02d}"
    day = f" on {WEEKDAYS[schedule.weekday].capitalize()}" if schedule.kind == "weekly" else ""
    return f"{schedule.kind}{day} at {time} {schedule.zone}{f', to {to}' if to else ''}"


@app.command("schedules", help="When which digest is made for you.")
def schedules_(context: typer.Context, as_json: Json = False) -> None:
    with session(context).open() as app:
        found = app.store.digests.schedules(app.user)
        if as_json:
            show_json(found)
        elif found:
            rows = [
                (str(one.id), words(one), one.next_at.strftime("%Y-%m-%d %H:%M")) for one in found
            ]
            show_table(("id", "schedule", "next (UTC)"), rows)
        else:
            note("None. `newsloom digests add morning --at 07:00 --zone Europe/Berlin` adds one.")


@app.command("remove", help="End a schedule; its digests stay.")
def drop(context: typer.Context, schedule: Number) -> None:
    from newsloom.digests.service import schedules

    with session(context).open() as app:
        schedules.drop(app.reader(), schedule)
        say(f"Schedule {schedule} is gone.")


@app.command("due", help="Make and send what is due now, for cron; `serve` does so by itself.")
def due(context: typer.Context) -> None:
    from newsloom.digests.service.digesting import digesting

    with session(context).open() as app:

        async def once() -> tuple[int, int]:
            async with app.fetching() as fetcher:
                return await digesting(app).once(fetcher)

        made, sent = asyncio.run(once())
        say(f"{made} made, {sent} sent.")


@app.command("feed", help="The secret address of an Atom feed of your digests.")
def feed(
    context: typer.Context,
    new: Annotated[bool, typer.Option("--new", help="Another one; the old leads nowhere.")] = False,
    off: Annotated[bool, typer.Option("--off", help="None any more.")] = False,
) -> None:
    from newsloom.digests.links import Links
    from newsloom.digests.service import schedules

    with session(context).open() as app:
        if off:
            schedules.drop_feed(app.reader())
            say("The feed of your digests is gone.")
            return
        token = schedules.feed_token(app.reader(), make=True, new=new)
        web = app.settings.web
        base = web.address
        say(Links(base).feed(token))
