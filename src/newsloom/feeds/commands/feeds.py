"""Commands about feeds: add, remove, feeds, import, export."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from newsloom.cli.common import (
    Json,
    note,
    on_terminal,
    plain,
    say,
    session,
    show_json,
    show_table,
)
from newsloom.feeds.commands.health import show_health
from newsloom.feeds.values.health import FeedState
from newsloom.kernel.ids import FeedId
from newsloom.kernel.text.ages import age_words
from newsloom.reading.values.reading import Elsewhere

if TYPE_CHECKING:
    from newsloom.app.reader import Added
    from newsloom.reading.values.reading import Subscription
    from newsloom.reading.values.results import Imported


def add(
    context: typer.Context,
    url: Annotated[str, typer.Argument(help="A feed, a page that links to one, or @user@server.")],
    category: Annotated[str, typer.Option(help="Where it stands in your list.")] = "",
    as_json: Json = False,
) -> None:
    with session(context).open() as app:

        async def subscribe() -> Added:
            async with app.fetching() as fetcher:
                return await app.reader(fetcher).add(url, category)

        added = asyncio.run(subscribe())
        if as_json:
            show_json(added)
            return
        done = f"Following {added.title}" if added.new else f"You follow {added.title} already"
        say(f"{done} ({added.url}), {added.articles} articles." if added.new else f"{done}.")
        for other, title in added.choices:
            say(f"There is also {other} {f'({title})' if title else ''}".rstrip())


def remove(
    context: typer.Context,
    feeds: Annotated[list[int], typer.Argument(help="Feed numbers, as `newsloom feeds` shows.")],
    undo: Annotated[
        bool, typer.Option("--undo", help="Follow them again as before; for 30 days.")
    ] = False,
) -> None:
    with session(context).open() as app:
        reader = app.reader()
        for feed in map(FeedId, feeds):
            if undo:
                reader.follow_again(feed)
                say(f"Following feed {feed} again, as before.")
                continue
            left = reader.unsubscribe(feed)
            say(
                f"No longer following {left.title}. Starred, rated and read articles stay. To take "
                f"it back: newsloom remove --undo {feed}"
            )


def feeds(
    context: typer.Context,
    health: Annotated[
        bool, typer.Option("--health", help="How each is: state, reliability, next poll and why.")
    ] = False,
    as_json: Json = False,
) -> None:
    with session(context).open() as app:
        if health:
            show_health(app, as_json=as_json)
            return
        reader = app.reader()
        found, elsewhere = reader.subscriptions(), reader.elsewhere()
        nowhere = Elsewhere()
        if as_json:
            show_json(
                [
                    {**plain(one), "elsewhere": plain(elsewhere.get(one.feed_id, nowhere))}
                    for one in found
                ]
            )
            return
        now = app.now()
        show_table(
            ("id", "category", "feed", "unread", "polled", "state", "elsewhere"),
            [
                (
                    str(one.feed_id),
                    one.category,
                    one.title,
                    str(one.unread),
                    age_words(now - one.polled_at) if one.polled_at else "never",
                    _state(one),
                    f"{elsewhere.get(one.feed_id, nowhere).shared / max(one.articles, 1):.0%}",
                )
                for one in found
            ],
            stretch="state",
            right="id unread elsewhere polled",
        )
        if not found and on_terminal():
            say("You follow nothing yet: `newsloom add URL` or `newsloom import FILE.opml`.")


def _state(one: Subscription) -> str:
    if one.dead:
        return "gone for good"
    if one.state is FeedState.HELD:
        return f"in quarantine: `newsloom feed {one.feed_id}`"
    ill = one.failures or one.state in {FeedState.SLOW, FeedState.UNHEALTHY}
    return (one.problem if ill else "") or "ok"


def import_(
    context: typer.Context,
    source: Annotated[
        str,
        typer.Argument(
            metavar="FILE|URL|-",
            help="OPML, or labelled articles as JSON lines; OPML at a URL; - reads standard input.",
        ),
    ],
    as_json: Json = False,
) -> None:
    from newsloom.kernel import files
    from newsloom.ranking.commands.labelled_files import import_labels, is_articles_file

    if source.lower().startswith(("http://", "https://")):
        _import_from(context, source, as_json)
        return
    file = Path(source)
    document = files.read(file)
    with session(context).open() as app:
        if is_articles_file(document):
            import_labels(app, document, files.shown(file), as_json)
            return

        async def take() -> Imported:
            async with app.fetching() as fetcher:
                return await app.reader(fetcher).import_list(document)

        _say_imported(asyncio.run(take()), as_json)


def _import_from(context: typer.Context, address: str, as_json: bool) -> None:
    with session(context).open() as app:

        async def fetch() -> Imported:
            async with app.fetching() as fetcher:
                return await app.reader(fetcher).import_opml_from(address)

        _say_imported(asyncio.run(fetch()), as_json)


def _say_imported(done: Imported, as_json: bool) -> None:
    if as_json:
        show_json({"feeds": done.new, "left_out": done.left_out})
        return
    say(f"{done.new} feeds are new. `newsloom run` polls them.")
    for one in done.left_out:
        say(f"Not imported: {' '.join(filter(None, (one.title, one.url)))}: {one.reason}.")


def export(
    context: typer.Context,
    file: Annotated[
        Path, typer.Argument(show_default=False, help="Where to; - or nothing: standard output.")
    ] = Path("-"),
    labels: Annotated[
        bool, typer.Option("--labels", help="Your labelled articles as JSON lines, not feeds.")
    ] = False,
    passwords: Annotated[
        bool, typer.Option("--with-passwords", help="Names and passwords of feeds too.")
    ] = False,
) -> None:
    from newsloom.feeds.service.subscribing import with_passwords
    from newsloom.kernel import files
    from newsloom.ranking.commands.labelled_files import export_labels

    with session(context).open() as app:
        reader = app.reader()
        if labels:
            document, protected = export_labels(app).encode(), 0
        else:
            document, protected = reader.export_opml(passwords=passwords), with_passwords(reader)
    files.write(file, document)
    if protected and passwords:
        note(f"Feeds whose passwords are in it: {protected}. Give it to nobody.")
    elif protected:
        note(f"Feeds whose passwords are left out: {protected}. --with-passwords includes them.")
    if file != files.STANDARD:
        note(f"Written to {file}.")
