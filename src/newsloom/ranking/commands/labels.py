"""Stretches of time that are left out of what a ranking learns from."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import typer

from newsloom.cli.common import Json, on_terminal, say, session, show_json, show_table
from newsloom.kernel.errors import NotFound, UserError
from newsloom.reading.commands.articles import moment

if TYPE_CHECKING:
    from newsloom.ranking.values.models import Forgetting


def forget(
    context: typer.Context,
    since: Annotated[str, typer.Option(help="From here on: 7d, 6h, 2w or a date.")] = "",
    until: Annotated[str, typer.Option(help="Up to here; else up to now.")] = "",
    lift: Annotated[int | None, typer.Option(help="Let stretch N teach again.")] = None,
    listing: Annotated[bool, typer.Option("--list", help="What is forgotten.")] = False,
    as_json: Json = False,
) -> None:
    if sum((bool(since), lift is not None, listing)) != 1 or (until and not since):
        raise UserError("Say one: --since 7d (and --until), --list, or --lift N.")
    with session(context).open() as app:
        now = app.now()
        if lift is not None:
            if not app.store.models.lift_forgetting(app.user, lift, now):
                raise NotFound(f"No stretch {lift} is forgotten. `newsloom forget --list` lists.")
        elif since:
            begin, end = moment(since, now), moment(until, now) if until else now
            if begin >= end:
                raise UserError("That stretch ends before it begins.")
            app.store.models.forget(app.user, begin, end, now)
        found = app.store.models.forgettings(app.user)
        if as_json:
            show_json(found)
        elif lift is not None:
            say(f"Stretch {lift} teaches again. The next training learns from it.")
        elif since:
            _say_forgotten(found[-1])
        else:
            _show_stretches(found)


def _say_forgotten(one: Forgetting) -> None:
    say(
        f"{one.events} judgements from {_time(one.since)} to {_time(one.until)} UTC teach nothing "
        f"any more. Nothing is deleted: `newsloom forget --lift {one.id}` takes this back."
    )


def _show_stretches(found: tuple[Forgetting, ...]) -> None:
    if not found and on_terminal():
        say("Nothing is forgotten. `newsloom forget --since 7d` leaves the last week out.")
        return
    show_table(
        ("id", "from", "to", "judgements", "state"),
        [
            (
                str(one.id),
                _time(one.since),
                _time(one.until),
                str(one.events),
                "forgotten" if one.lifted is None else f"lifted {_time(one.lifted)}",
            )
            for one in found
        ],
        right="id judgements",
    )


def _time(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M}"
