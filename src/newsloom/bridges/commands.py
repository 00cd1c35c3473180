"""`newsloom ttrss` and `greader`: rank what other programs hold. What `serve` says of it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from newsloom.cli.common import Json, note, plain, say, session, show_json
from newsloom.cli.group import Commands
from newsloom.kernel.errors import UserError
from newsloom.kernel.settings import GreaderSettings, TtrssSettings

if TYPE_CHECKING:
    from newsloom.bridges.service.sync import AccountReport, Bridge, SyncReport
    from newsloom.bridges.ttrss import Check

ttrss = Commands()
greader = Commands()

# A synchronisation under way when `serve` ends is waited for this long, then left where it is.
GRACE_SECONDS = 5.0

DryRun = Annotated[bool, typer.Option("--dry-run", help="Show what would change.")]

MARK_WORDS = {
    "finished": "read",
    "read": "read (no rating)",
    "bulk read": "marked read in bulk (no rating)",
    "unread": "unread again",
    "dislike": "disliked",
    "like": "liked",
    "unrate": "no longer liked or disliked",
    "star": "starred",
    "unstar": "no longer starred",
}


@ttrss.command("sync", help="Read new articles, rank them and write scores. For cron.")
def ttrss_sync(context: typer.Context, dry_run: DryRun = False, as_json: Json = False) -> None:
    _ttrss_settings(context)
    from newsloom.app import bridging

    with session(context).open() as app:
        run(bridging.ttrss(app, app.runner().rank), dry_run=dry_run, as_json=as_json)


@ttrss.command("check", help="Check the connection and permissions.")
def ttrss_check(context: typer.Context, as_json: Json = False) -> None:
    from newsloom.bridges.ttrss import check

    found = check(_ttrss_settings(context))
    if as_json:
        show_json({**plain(found), "good": found.good})
    else:
        for line in _check_words(found):
            say(line)
    if not found.good:
        raise typer.Exit(1)


@ttrss.command("role", help="Print the SQL that creates a database role.")
def ttrss_role(context: typer.Context) -> None:
    from newsloom.bridges.ttrss import role_sql

    settings = session(context).settings.ttrss
    say(role_sql(titles=settings.mark_titles, sensitivity=settings.sensitivity_table).rstrip())


@ttrss.command("restore-titles", help="Remove score marks from all titles.")
def ttrss_restore_titles(context: typer.Context, as_json: Json = False) -> None:
    from newsloom.bridges.ttrss import restore_titles

    settings = _ttrss_settings(context)
    restored = restore_titles(settings)
    if as_json:
        show_json({"restored": restored})
        return
    say(f"{restored} titles restored.")
    if settings.mark_titles:
        note("ttrss.mark_titles is still on: the next synchronisation marks them again.")


def _ttrss_settings(context: typer.Context) -> TtrssSettings:
    settings = session(context).settings.ttrss
    if not settings.database:
        raise UserError(
            "Tiny Tiny RSS is not configured. Set ttrss.database to the address of its PostgreSQL "
            "database; docs/use/bridges.md has the steps."
        )
    return settings


@greader.command("sync", help="Read new articles, rank them and label the best. For cron.")
def greader_sync(context: typer.Context, dry_run: DryRun = False, as_json: Json = False) -> None:
    _greader_settings(context)
    from newsloom.app import bridging

    with session(context).open() as app:
        run(bridging.greader(app, app.runner().rank), dry_run=dry_run, as_json=as_json)


@greader.command("labels", help="Create the like and dislike labels on the server.")
def greader_labels(context: typer.Context, as_json: Json = False) -> None:
    settings = _greader_settings(context)
    from newsloom.app import bridging

    with session(context).open() as app:
        there = bridging.make_labels(app)
    missing = [one for one in (settings.like_label, settings.dislike_label) if one not in there]
    if as_json:
        show_json({"there": list(there), "missing": missing})
    for one in () if as_json else there:
        say(f"{one} exists.")
    for one in filter(None, missing):
        note(
            f"{one} was not created: the server does not support labels, or the name belongs to a "
            f"folder."
        )
    if any(missing):
        raise typer.Exit(1)


def _greader_settings(context: typer.Context) -> GreaderSettings:
    settings = session(context).settings.greader
    if not (settings.url and settings.user):
        raise UserError(
            "No server is configured. Set greader.url, greader.user and greader.password; "
            "docs/use/bridges.md has the steps."
        )
    return settings


def run(bridge: Bridge, *, dry_run: bool, as_json: bool) -> None:
    """One synchronisation, told; exit status 1 when something went wrong."""
    synchroniser = bridge.synchroniser
    try:
        report = synchroniser.look() if dry_run else synchroniser.sync()
    finally:
        synchroniser.remote.close()
    if as_json:
        show_json(report)
    else:
        for one in report.accounts:
            for line in _account_words(one, dry=report.dry):
                say(line)
        for words in problems(report):
            note(words)
    if problems(report):
        raise typer.Exit(1)


def problems(report: SyncReport) -> list[str]:
    """What went wrong, with whose it was."""
    own = [f"{one.user}: {one.problem}" for one in report.accounts if one.problem]
    return ([f"{report.bridge}: {report.problem}"] if report.problem else []) + own


def _account_words(one: AccountReport, *, dry: bool) -> list[str]:
    taken = [f"{one.new} new articles"]
    if one.revised:
        taken.append(f"{one.revised} revised")
    if one.duplicates:
        taken.append(f"{one.duplicates} duplicates")
    if one.gone:
        taken.append(f"{one.gone} gone there")
    lines = [f"{one.user}: {one.feeds} feeds; {', '.join(taken)}."]
    marks = [f"{number} {MARK_WORDS.get(kind, kind)}" for kind, number in one.marks.items()]
    if marks:
        lines.append(f"  labels: {', '.join(marks)}")
    if dry:
        lines.append(f"  {one.unread} unread are ranked; {one.waiting} would be updated.")
    else:
        why = f" ({one.waiting_for})" if one.waiting_for else ""
        waiting = f"; {one.waiting} waiting to be written{why}" if one.waiting else ""
        lines.append(f"  {one.unread} unread are ranked; {one.written} updated{waiting}.")
    return lines


def _check_words(found: Check) -> list[str]:
    if not found.answers:
        return [f"Tiny Tiny RSS: {found.problem}."]
    known = "" if found.known_schema else " (unknown version)"
    lines = [
        f"PostgreSQL {found.server} responds; the role is {found.role}.",
        f"Tiny Tiny RSS has schema {found.schema or 'unknown'}{known} "
        f"and {len(found.users)} users: {', '.join(found.users)}.",
    ]
    if found.superuser:
        lines.append("The role is a superuser; `newsloom ttrss role` makes one that is not.")
    if found.read_only:
        lines.append("The database is a read-only standby, so scores cannot be written.")
    lines += [f"There is no user {one}, whom ttrss.users names." for one in found.unknown_users]
    lines += [f"Missing: {one}." for one in found.missing]
    if found.good:
        lines.append("Everything is in place.")
    elif found.missing:
        lines.append("`newsloom ttrss role` prints the SQL that grants what is missing.")
    return lines


def tell_synced(report: SyncReport) -> None:
    """What `serve` says of a synchronisation: only what somebody should see to."""
    for words in problems(report):
        note(words)


async def end_bridges(tasks: Sequence[asyncio.Task[None]]) -> None:
    """Wait a little for what is under way; its thread keeps nothing from ending."""
    if tasks:
        await asyncio.wait(tasks, timeout=GRACE_SECONDS)
        for one in tasks:
            one.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
