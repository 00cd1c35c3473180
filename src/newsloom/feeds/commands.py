"""Commands about feeds: add, remove, feeds, import, export."""

from __future__ import annotations

import asyncio
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from newsloom.cli.common import (
    Json,
    console,
    hint,
    note,
    on_terminal,
    plain,
    say,
    session,
    show_json,
    show_table,
)
from newsloom.feeds.values.health import FeedState
from newsloom.kernel.errors import UserError
from newsloom.kernel.ids import FeedId
from newsloom.kernel.text.ages import age_words
from newsloom.kernel.text.urls import without_password
from newsloom.reading.values.reading import Elsewhere

if TYPE_CHECKING:
    from newsloom.app import App
    from newsloom.app.reader import Added
    from newsloom.feeds.service.feeds import Condition
    from newsloom.feeds.values.polling import FeedHealth
    from newsloom.reading.values.reading import Subscription
    from newsloom.reading.values.results import Imported

COLUMNS = ("id", "state", "since", "of 100", "up", "valid", "dated", "news", "next", "feed")
PARTS = ("up", "valid", "dated")

# A terminal of fewer columns has no room for what a score is made of.
ROOMY = 110


def add(
    context: typer.Context,
    urls: Annotated[list[str], typer.Argument(help="URLs of feeds or pages, or @user@server.")],
    category: Annotated[str, typer.Option(help="The category.")] = "",
    as_json: Json = False,
) -> None:
    from newsloom.feeds.service import subscribing

    failed = []
    with session(context).open() as app:

        async def subscribe() -> None:
            async with app.fetching() as fetcher:
                reader = app.reader(fetcher)
                for url in urls:
                    try:
                        added = await subscribing.add(reader, url, category)
                    except UserError as error:
                        failed.append(url)
                        named = "" if url in str(error) else f"{without_password(url)}: "
                        note(f"newsloom: {named}{error}")
                    else:
                        _show_added(added, as_json=as_json)

        asyncio.run(subscribe())
    if failed:
        raise typer.Exit(2)


def _show_added(added: Added, *, as_json: bool) -> None:
    if as_json:
        show_json(added)
        return
    if added.new:
        count = f"{added.articles} article{'' if added.articles == 1 else 's'}"
        say(f"Following {added.title} ({without_password(added.url)}), {count}.")
    else:
        say(f"You follow {added.title} already.")
    for other, title in added.choices:
        say(f"There is also {other} {f'({title})' if title else ''}".rstrip())


def remove(
    context: typer.Context,
    feeds: Annotated[list[int], typer.Argument(help="Feed ids from `newsloom feeds`.")],
    undo: Annotated[
        bool, typer.Option("--undo", help="Restore unfollowed feeds, within 30 days.")
    ] = False,
) -> None:
    with session(context).open() as app:
        reader = app.reader()
        for feed in map(FeedId, feeds):
            if undo:
                reader.follow_again(feed)
                say(f"Feed {feed} restored.")
                continue
            left = reader.unsubscribe(feed)
            say(
                f"No longer following {left.title}. Starred, rated and read articles stay. To "
                f"undo: newsloom remove --undo {feed}"
            )


def feeds(
    context: typer.Context,
    health: Annotated[
        bool, typer.Option("--health", help="Show state, reliability and next fetch.")
    ] = False,
    as_json: Json = False,
) -> None:
    with session(context).open() as app:
        if health:
            _show_health(app, as_json=as_json)
            return
        reader = app.reader()
        found, elsewhere = reader.subscriptions(), reader.store.lists.elsewhere(reader.user)
        nowhere = Elsewhere()
        if as_json:
            show_json(
                [
                    {**_described(one), "elsewhere": plain(elsewhere.get(one.feed_id, nowhere))}
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
        if not found:
            hint("No feeds yet. Use `newsloom add URL` or `newsloom import FILE.opml`.")


def _state(one: Subscription) -> str:
    if one.dead:
        return "discontinued"
    if one.state is FeedState.HELD:
        return "in quarantine: see its page"
    ill = one.failures or one.state in {FeedState.SLOW, FeedState.UNHEALTHY}
    return (one.problem if ill else "") or "ok"


def _show_health(app: App, *, as_json: bool) -> None:
    """Every feed with its state and what to do, those first that need the reader."""
    found = app.reader().feeds.conditions()
    if as_json:
        show_json([_as_json(one) for one in found])
        return
    now = app.now()
    wide = not on_terminal()  # the next program has no edge
    places = range(len(COLUMNS) + 2) if wide else _places(console().width)
    show_table(
        [COLUMNS[place] for place in places if place < len(COLUMNS)],
        [[_row(one, now)[place] for place in places] for one in found],
        stretch="feed",
        right="id since up valid dated news next",
    )
    if wide:
        return
    for one in found:
        if one.because:
            advice = f" You can {one.advice}." if one.advice else ""
            say(f"{one.feed.feed_id:>3}  {one.feed.title}: {one.because}{advice}")
    if alerts := sum(one.alert for one in found):
        feeds, need = ("feeds", "need") if alerts > 1 else ("feed", "needs")
        say(f"{alerts} {feeds} {need} you. See their pages, or `newsloom api feeds`.")


def _places(width: int) -> list[int]:
    """Which columns there is room for."""
    return [at for at, name in enumerate(COLUMNS) if width >= ROOMY or name not in PARTS]


def _row(one: Condition, now: datetime) -> tuple[str, ...]:
    """The last two are for programs; people have them in lines of their own."""
    known, parts = one.feed, one.reliability
    return (
        str(known.feed_id),
        known.state.value,
        _age(known.since, now),
        "" if parts.score is None else str(parts.score),
        *(
            "" if part is None else f"{part:.0%}"
            for part in (parts.uptime, parts.valid, parts.dated)
        ),
        _age(known.changed_at, now) or "never",
        _when(known.next_poll_at, now),
        known.title,
        one.because or known.reason,
        one.advice,
    )


def _age(moment: datetime | None, now: datetime) -> str:
    return "" if moment is None else age_words(now - moment)


def _when(moment: datetime | None, now: datetime) -> str:
    if moment is None:
        return "never"
    return age_words(moment - now) if moment > now else "now"


def _described(feed: Subscription | FeedHealth) -> dict[str, object]:
    named = {"title": without_password(feed.title), "url": without_password(feed.url)}
    return {**plain(feed), **named}


def _as_json(one: Condition) -> dict[str, object]:
    return {
        **_described(one.feed),
        "reliability": plain(one.reliability),
        "because": one.because,
        "advice": one.advice,
        "alert": one.alert,
        "hub": one.hub,
    }


def import_(
    context: typer.Context,
    source: Annotated[
        str,
        typer.Argument(
            metavar="FILE|URL|-",
            help="OPML file or URL, or labelled articles as JSON lines; - is standard input.",
        ),
    ],
    as_json: Json = False,
) -> None:
    from newsloom.feeds.service import subscribing
    from newsloom.kernel import files
    from newsloom.ranking.commands.evaluating import import_labels, is_articles_file

    if source.lower().startswith(("http://", "https://")):
        _import_from(context, source, as_json)
        return
    file = Path(source)
    document = files.read_bytes(file)
    with session(context).open() as app:
        if is_articles_file(document):
            import_labels(app, document, files.shown(file), as_json)
            return

        async def take() -> Imported:
            async with app.fetching() as fetcher:
                return await subscribing.import_list(app.reader(fetcher), document)

        _say_imported(asyncio.run(take()), as_json)


def _import_from(context: typer.Context, address: str, as_json: bool) -> None:
    from newsloom.feeds.service import subscribing

    with session(context).open() as app:

        async def fetch() -> Imported:
            async with app.fetching() as fetcher:
                return await subscribing.import_opml_from(app.reader(fetcher), address)

        _say_imported(asyncio.run(fetch()), as_json)


def _say_imported(done: Imported, as_json: bool) -> None:
    if as_json:
        show_json({"feeds": done.new, "left_out": done.left_out})
        return
    say(f"{done.new} feeds added. Fetch them with `newsloom run`.")
    for one in done.left_out:
        say(f"Not imported: {' '.join(filter(None, (one.title, one.url)))}: {one.reason}.")


def export(
    context: typer.Context,
    file: Annotated[
        Path, typer.Argument(show_default=False, help="Output file. Default: standard output.")
    ] = Path("-"),
    labels: Annotated[
        bool, typer.Option("--labels", help="Export labelled articles as JSON lines instead.")
    ] = False,
    passwords: Annotated[
        bool, typer.Option("--with-passwords", help="Include passwords of feeds.")
    ] = False,
) -> None:
    from newsloom.feeds.service import subscribing
    from newsloom.kernel import files
    from newsloom.ranking.commands.evaluating import export_labels

    with session(context).open() as app:
        reader = app.reader()
        if labels:
            document, protected = export_labels(app).encode(), 0
        else:
            document = subscribing.export_opml(reader, passwords=passwords)
            protected = subscribing.with_passwords(reader)
    files.write(file, document)
    if protected and passwords:
        note(f"Feeds whose passwords are in it: {protected}. Keep it private.")
    elif protected:
        note(
            f"Feeds whose passwords are left out: {protected}. Use --with-passwords to include "
            f"them."
        )
    if file != files.STANDARD:
        note(f"Written to {file}.")
