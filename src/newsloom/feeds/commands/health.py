"""How feeds are, on the command line: the table of all, one feed whole, and what to do about it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Annotated

import typer

from newsloom.cli.common import (
    Json,
    console,
    on_terminal,
    plain,
    say,
    session,
    show_json,
    show_table,
)
from newsloom.kernel.ids import FeedId
from newsloom.kernel.text.ages import age_words

if TYPE_CHECKING:
    from newsloom.app import App
    from newsloom.app.reader import Reader
    from newsloom.feeds.service.feeds import Condition, Feeds
    from newsloom.feeds.values.history import PastPoll, Reliability

COLUMNS = ("id", "state", "since", "of 100", "up", "valid", "dated", "news", "next", "feed")
PARTS = ("up", "valid", "dated")

# A terminal of fewer columns has no room for what a score is made of; `newsloom feed` tells it.
ROOMY = 110

# Polls shown of one feed; --json has all that are remembered.
SHOWN_POLLS = 12


def show_health(app: App, *, as_json: bool) -> None:
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
        say(f"{alerts} {feeds} {need} you. `newsloom feed ID` shows one and what can be done.")


def feed(
    context: typer.Context,
    feed: Annotated[int, typer.Argument(help="Its number, as `newsloom feeds` shows.")],
    let_in: Annotated[
        bool, typer.Option("--let-in", help="It is the same feed: let in what is in quarantine.")
    ] = False,
    keep_out: Annotated[
        bool, typer.Option("--keep-out", help="It is another's now: stop asking for it.")
    ] = False,
    take_back: Annotated[
        bool, typer.Option("--take-back", help="Take back --let-in or --keep-out.")
    ] = False,
    undo_move: Annotated[
        int | None, typer.Option(help="Take back a move, by its number.", show_default=False)
    ] = None,
    floor: Annotated[
        float | None,
        typer.Option(
            help="Least minutes between two polls, 15 or more; 0: as the settings say.",
            show_default=False,
        ),
    ] = None,
    full_text: Annotated[
        bool | None,
        typer.Option(
            "--full-text/--no-full-text",
            help="Whether its articles' pages are fetched for their text.",
            show_default=False,
        ),
    ] = None,
    seen: Annotated[
        bool, typer.Option("--seen", help="Wave its alert away until something changes.")
    ] = False,
    as_json: Json = False,
) -> None:
    """One feed: how it is, its last polls, its moves; and what you can do about it."""
    which = FeedId(feed)
    with session(context).open() as app:
        reader = app.reader()
        feeds = reader.feeds
        feeds.condition(which)
        steps: tuple[tuple[bool, Callable[[], str]], ...] = (
            (undo_move is not None, lambda: _undo_move(feeds, undo_move or 0)),
            (take_back, lambda: _take_back(feeds, which)),
            (let_in, lambda: _let_in(feeds, which)),
            (keep_out, lambda: _keep_out(feeds, which)),
            (floor is not None, lambda: _set_floor(feeds, which, floor or 0.0)),
            (full_text is not None, lambda: _set_full_text(reader, which, on=bool(full_text))),
            (seen, lambda: _see(feeds, which)),
        )
        said = [step() for wanted, step in steps if wanted]
        if as_json:
            show_json(_whole(feeds, which))
        elif said:
            say("\n".join(said))
        else:
            _show(app, which)


def _undo_move(feeds: Feeds, number: int) -> str:
    return f"Its address is {feeds.take_back_move(number).from_url} again, and stays that."


def _take_back(feeds: Feeds, which: FeedId) -> str:
    feeds.take_back_verdict(which)
    return "Taken back: it is in quarantine as before."


def _keep_out(feeds: Feeds, which: FeedId) -> str:
    feeds.keep_out(which)
    return "Kept out: it is not asked any more. --take-back undoes it."


def _set_floor(feeds: Feeds, which: FeedId, minutes: float) -> str:
    feeds.set_floor(which, timedelta(minutes=minutes) if minutes else None)
    return f"Asked every {minutes:g} minutes at most." if minutes else "Asked as the settings say."


def _set_full_text(reader: Reader, which: FeedId, *, on: bool) -> str:
    reader.set_full_text(which, on)
    return "Full texts are fetched." if on else "Full texts are not fetched."


def _see(feeds: Feeds, which: FeedId) -> str:
    feeds.see(which)
    return "Seen."


def _let_in(feeds: Feeds, which: FeedId) -> str:
    news = asyncio.run(feeds.let_in(which))
    return (
        f"Let in: {news} article{'' if news == 1 else 's'} new or changed. --take-back undoes it."
    )


def _show(app: App, which: FeedId) -> None:
    from newsloom.feeds.schedule import pace_words

    feeds, now = app.reader().feeds, app.now()
    one = feeds.condition(which)
    known = one.feed
    for name, words in (
        ("feed", f"{known.title} ({known.url})"),
        ("state", _state_words(one, now)),
        ("you can", one.advice),
        ("reliability", reliability_words(one.reliability)),
        ("last news", _ago(known.changed_at, now)),
        ("last asked", _ago(known.polled_at, now)),
        ("next", _next_words(one, now)),
        ("own floor", f"{known.floor / timedelta(minutes=1):g} minutes" if known.floor else ""),
        ("full text", "fetched" if known.full_text else ""),
        ("news", pace_words(known.pace.per_day) if known.pace.polls else ""),
        ("it asks for", _hint_words(one)),
        ("its hub", one.hub),
        ("seems to move", _moving_words(one, now)),
        ("in quarantine", f"{known.held} documents" if known.held and known.held_at else ""),
    ):
        if words:
            say(f"{name:14}{words}")
    for move in feeds.moves(which):
        undone = " (taken back)" if move.undone_at else f"  undo: --undo-move {move.id}"
        say(f"{'moved':14}{move.from_url} -> {move.to_url}, {_ago(move.at, now)}{undone}")
    if known.held_at:
        for title in asyncio.run(feeds.headlines(which))[:SHOWN_POLLS]:
            say(f"{'held':14}{title}")
    polls = feeds.polls(which)[:SHOWN_POLLS]
    if polls:
        show_table(
            ("asked", "came", "new", "seconds", "next"),
            [_poll_row(one, now) for one in polls],
            stretch="came",
            right="asked new seconds",
        )


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
        *(_share(part) for part in (parts.uptime, parts.valid, parts.dated)),
        _age(known.changed_at, now) or "never",
        _when(known.next_poll_at, now),
        known.title,
        one.because or known.reason,
        one.advice,
    )


def _poll_row(one: PastPoll, now: datetime) -> tuple[str, ...]:
    came = one.outcome.value if not one.status else f"{one.outcome.value} ({one.status})"
    return (
        _ago(one.at, now),
        f"{came}: {one.problem}" if one.problem else came,
        str(one.new or ""),
        f"{one.seconds:.1f}",
        one.reason,
    )


def reliability_words(known: Reliability) -> str:
    """The score with what it is made of."""
    if known.score is None:
        return "not polled yet"
    parts = (("answered", known.uptime), ("valid", known.valid), ("dates", known.dated))
    told = ", ".join(f"{name} {_share(part)}" for name, part in parts if part is not None)
    return f"{known.score} of 100 ({told}; of {known.polls} polls)"


def _state_words(one: Condition, now: datetime) -> str:
    since = f" since {age_words(now - one.feed.since)}" if one.feed.since else ""
    return f"{one.feed.state.value}{since}{': ' if one.because else ''}{one.because}"


def _next_words(one: Condition, now: datetime) -> str:
    if one.feed.next_poll_at is None:
        return "never"
    due = _when(one.feed.next_poll_at, now)
    return f"{due if due == 'now' else f'in {due}'}: {one.feed.reason}".rstrip(": ")


def _hint_words(one: Condition) -> str:
    hints = one.feed.hints
    minutes = timedelta(minutes=1)
    told = (
        f"ttl {hints.ttl / minutes:g} minutes" if hints.ttl else "",
        f"updated every {hints.update_every / minutes:g} minutes" if hints.update_every else "",
        f"{len(hints.skip_hours)} hours a day skipped" if hints.skip_hours else "",
        f"{len(hints.skip_days)} days a week skipped" if hints.skip_days else "",
        f"hub {hints.hub}" if hints.hub else "",
    )
    return ", ".join(filter(None, told))


def _moving_words(one: Condition, now: datetime) -> str:
    to = one.feed.moving
    if to is None:
        return ""
    times = f"{to.times} time{'' if to.times == 1 else 's'}"
    return f"to {to.url}: it said so {times}, first {_ago(to.since, now)}"


def _share(part: float | None) -> str:
    return "" if part is None else f"{part:.0%}"


def _age(moment: datetime | None, now: datetime) -> str:
    return "" if moment is None else age_words(now - moment)


def _ago(moment: datetime | None, now: datetime) -> str:
    return "never" if moment is None else f"{age_words(now - moment)} ago"


def _when(moment: datetime | None, now: datetime) -> str:
    if moment is None:
        return "never"
    return age_words(moment - now) if moment > now else "now"


def _as_json(one: Condition) -> dict[str, object]:
    return {
        **plain(one.feed),
        "reliability": plain(one.reliability),
        "because": one.because,
        "advice": one.advice,
        "alert": one.alert,
        "hub": one.hub,
    }


def _whole(feeds: Feeds, which: FeedId) -> dict[str, object]:
    return {
        **_as_json(feeds.condition(which)),
        "polls": plain(feeds.polls(which)),
        "moves": plain(feeds.moves(which)),
    }
