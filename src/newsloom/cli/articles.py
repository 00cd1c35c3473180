"""Commands about articles: list, show, why, read, like, dislike, star, undo, search."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Annotated

import typer

from newsloom.cli.common import (
    Command,
    Json,
    age_words,
    on_terminal,
    say,
    session,
    show_json,
    show_table,
)
from newsloom.cli.duplicates import relation_words
from newsloom.cli.why import SENSITIVITY, lines
from newsloom.errors import UserError
from newsloom.text.html import to_text
from newsloom.text.language import language as named_language
from newsloom.types import (
    ArticleId,
    Event,
    EventKind,
    FeedId,
    Listed,
    ListQuery,
    Order,
    Subscription,
)

VIA = "cli"

# Of a step on more articles than these the rest is counted.
MOST_SAID = 20

Ids = Annotated[list[int], typer.Argument(help="Article numbers, as `newsloom list` shows them.")]


def list_(
    context: typer.Context,
    everything: Annotated[bool, typer.Option("--all", help="Read ones too.")] = False,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="How many.")] = 25,
    since: Annotated[
        str, typer.Option(help="Only newer than this: 90m, 6h, 2d, 1w or a date.")
    ] = "",
    newest: Annotated[bool, typer.Option("--newest", help="Newest first, unranked.")] = False,
    starred: Annotated[bool, typer.Option("--starred", help="Only starred ones.")] = False,
    liked: Annotated[bool, typer.Option("--liked", help="Only liked ones.")] = False,
    feed: Annotated[int | None, typer.Option(help="Only this feed (its number).")] = None,
    category: Annotated[str | None, typer.Option(help="Only this category.")] = None,
    language: Annotated[
        str | None, typer.Option(help="Only this language, such as en; und: those that say none.")
    ] = None,
    min_score: Annotated[
        float, typer.Option(min=0, max=100, help="Only with at least this score now.")
    ] = 0.0,
    sensitivity: Annotated[
        int | None,
        typer.Option(min=1, max=5, help="Only those that expire like this: 1 evergreen, 5 now."),
    ] = None,
    cluster: Annotated[
        int | None, typer.Option("--with", help="Only the articles of its cluster, each in a row.")
    ] = None,
    as_json: Json = False,
) -> None:
    with session(context).open() as app:
        reader = app.reader()
        now = app.now()
        query = ListQuery(
            order=Order.NEWEST if newest else Order.RANKED,
            unread_only=not (everything or starred or liked),
            starred_only=starred,
            liked_only=liked,
            feed_id=FeedId(feed) if feed is not None else None,
            category=category,
            language=None if language is None else _language(language),
            min_score=min_score,
            sensitivity=sensitivity,
            cluster=ArticleId(cluster) if cluster is not None else None,
            since=moment(since, now) if since else None,
            limit=limit,
        )
        rows = reader.page(query)
        if not rows and (feed is not None or category is not None):
            _check_followed(reader.subscriptions(), query.feed_id, category)
        if as_json:
            show_json(rows)
            return
        _show_list(rows, now)
        if on_terminal():
            _say_state(reader.status(), reader.unread(), bool(rows))


def _language(tag: str) -> str:
    """ "en-GB" as "en", "und" as none. Raises UserError for what names no language."""
    found = named_language(tag)
    if not found and tag.strip().lower() != "und":
        raise UserError(f"{tag!r} names no language: write en, de or und for none.")
    return found


def _say_state(status: object, unread: int, any_rows: bool) -> None:
    from newsloom.reader import ReaderStatus

    assert isinstance(status, ReaderStatus)
    if not any_rows and unread:
        say("Nothing of what is unread is like that.")
    elif not any_rows:
        say("Nothing unread. `newsloom add URL` follows a feed, `newsloom run` polls.")
    if not status.personal:
        say(
            f"{unread} unread. Not personal yet: {status.likes} of {status.needed_likes} likes, "
            f"{status.dislikes} of {status.needed_dislikes} dislikes; until then interests, feeds "
            "and newness order the list."
        )


def _show_list(rows: tuple[Listed, ...], now: datetime) -> None:
    show_table(
        ("id", "score", "expires", "age", "source", "title"),
        [
            (
                str(one.id),
                f"{one.score:.0f}",
                SENSITIVITY[one.sensitivity],
                age_words(now - one.dated),
                one.feed_title,
                _title(one),
            )
            for one in rows
        ],
        stretch="title",
        right="id score age",
    )


def _title(one: Listed) -> str:
    marks = ("★ " if one.state.starred else "") + {1: "+ ", -1: "- ", 0: ""}[one.state.rating]
    words = _places(one)
    return f"{marks}{one.title or '(no title)'}{f'  ({words})' if words else ''}"


def _places(one: Listed) -> str:
    """How many say or tell the same, and where."""
    cluster = one.cluster
    if cluster is None:
        return f"also in {one.also_in} feed{'s' * (one.also_in > 1)}" if one.also_in else ""
    if cluster.texts == 1:
        return f"same text in {max(cluster.feeds, cluster.articles)} places"
    return f"{cluster.texts} reports from {cluster.sources} source{'s' * (cluster.sources > 1)}"


def moment(text: str, now: datetime) -> datetime:
    """ "6h" or "2026-11-20" as a time. Raises UserError."""
    if found := re.fullmatch(r"(\d{1,6})\s*([mhdw])", text.strip()):
        unit = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}[found[2]]
        try:
            return now - timedelta(**{unit: int(found[1])})
        except OverflowError:
            return datetime.min.replace(tzinfo=now.tzinfo)
    try:
        when = datetime.fromisoformat(text.strip())
    except ValueError:
        raise UserError(f"{text!r} is no time: write 90m, 6h, 2d, 1w or 2026-11-20.") from None
    return when if when.tzinfo else when.replace(tzinfo=now.tzinfo)


def show(
    context: typer.Context,
    article: Annotated[int, typer.Argument(help="Article number.")],
    as_json: Json = False,
) -> None:
    with session(context).open() as app:
        found = app.reader().article(ArticleId(article))
        if as_json:
            show_json(found)
            return
        one = found.listed
        say(one.title)
        say(f"{one.feed_title} · {one.author or one.source} · {one.dated:%Y-%m-%d %H:%M} UTC")
        say(one.url)
        say()
        say(to_text(found.html, 100_000) or "(The feed gives no text.)")
        for enclosure in found.enclosures:
            say(f"\nAttached: {enclosure.url} {enclosure.type}")
        for copy in found.copies:
            say(f"\nAlso in {copy.feed_title}: {copy.url}")
        for other in found.related:
            say(f"\n{relation_words(other)}: {other.id} {other.title} ({other.feed_title})")
        for revision in found.revisions:
            say(f"\nBefore {revision.seen:%Y-%m-%d %H:%M} it read: {revision.title}")


def why(
    context: typer.Context,
    article: Annotated[int, typer.Argument(help="Article number.")],
    as_json: Json = False,
) -> None:
    with session(context).open() as app:
        explanation = app.reader().why(ArticleId(article))
        if as_json:
            show_json(explanation)
        else:
            for line in lines(explanation):
                say(line)


def search(
    context: typer.Context,
    words: Annotated[list[str], typer.Argument(help="What to look for.")],
    limit: Annotated[int, typer.Option(min=1, max=1000, help="How many.")] = 25,
    as_json: Json = False,
) -> None:
    with session(context).open() as app:
        rows = app.reader().search(" ".join(words), limit)
        if as_json:
            show_json(rows)
        elif rows or not on_terminal():
            _show_list(rows, app.now())
        else:
            say("Nothing found.")


def read(
    context: typer.Context,
    articles: Annotated[
        list[int] | None, typer.Argument(help="Article numbers, as `newsloom list` shows them.")
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="All that is unread, of the feed or category named.")
    ] = False,
    feed: Annotated[int | None, typer.Option(help="With --all: only this feed.")] = None,
    category: Annotated[str | None, typer.Option(help="With --all: only this category.")] = None,
    as_json: Json = False,
) -> None:
    if everything == bool(articles):
        raise UserError("Name articles by their numbers, or say --all.")
    with session(context).open() as app:
        reader = app.reader()
        if articles:
            # A list of numbers is cleared away, not read one by one.
            kind = EventKind.BULK_READ if len(set(articles)) > 1 else EventKind.READ
            events = reader.mark([ArticleId(one) for one in articles], kind, VIA)
            _say_events(events, "read: ", as_json, kind)
            return
        which = FeedId(feed) if feed is not None else None
        _check_followed(reader.subscriptions(), which, category)
        count = reader.clear(ListQuery(feed_id=which, category=category), VIA)
        if as_json:
            show_json({"read": count})
        elif count:
            say(f"{count:,} marked read. `newsloom undo` takes it back.")
        else:
            say("Nothing was unread there.")


def _check_followed(
    subscriptions: tuple[Subscription, ...], feed: FeedId | None, category: str | None
) -> None:
    """Raises UserError for a feed or a category that the reader has not."""
    if feed is not None and feed not in {one.feed_id for one in subscriptions}:
        raise UserError(f"You have no feed {feed}.")
    if category is not None and category not in {one.category for one in subscriptions}:
        raise UserError(f"None of your feeds is in a category {category!r}.")


def _mark(kind: EventKind) -> object:
    def command(context: typer.Context, articles: Ids, as_json: Json = False) -> None:
        with session(context).open() as app:
            events = app.reader().mark([ArticleId(one) for one in articles], kind, VIA)
            _say_events(events, f"{kind.value}: ", as_json, kind)

    return command


def undo(context: typer.Context, as_json: Json = False) -> None:
    with session(context).open() as app:
        _say_events(app.reader().undo(VIA), "undone: ", as_json)


def _say_events(
    events: tuple[Event, ...], before: str, as_json: bool, told: EventKind | None = None
) -> None:
    if as_json:
        show_json(events)
        return
    if not events:
        say("There is nothing to undo.")
    for event in events[:MOST_SAID]:
        what = f"{event.kind.value} " if before == "undone: " else ""
        along = "  (stands in its row)" if told not in (None, event.kind) else ""
        say(f"{before}{what}{event.title or event.article_id}{along}")
    if len(events) > MOST_SAID:
        say(f"{before}{len(events) - MOST_SAID:,} more")


def _marks() -> tuple[Command, ...]:
    rows = (
        (EventKind.UNREAD, "Mark articles unread."),
        (EventKind.LIKE, "More like these: trains your ranking, and marks them read."),
        (EventKind.DISLIKE, "Less like these: trains your ranking, and marks them read."),
        (EventKind.UNRATE, "Take back a like or dislike."),
        (EventKind.SKIPPED, "Pass articles over: read, and a weak sign against their like."),
        (EventKind.STAR, "Keep articles: starred ones stay, and count as liked."),
        (EventKind.UNSTAR, "Take back a star."),
    )
    names = {EventKind.SKIPPED: "skip"}
    return tuple(Command(names.get(kind, kind.value), _mark(kind), words) for kind, words in rows)  # type: ignore[arg-type]


COMMANDS = (
    Command("list", list_, "The ranked unread list."),
    Command("show", show, "One article, its copies and revisions."),
    Command("why", why, "Why an article stands where it stands."),
    Command("read", read, "Mark articles read, or all of a list."),
    *_marks(),
    Command("undo", undo, "Take back the last thing you did to articles."),
    Command("search", search, "Full-text search."),
)
