"""Commands about articles: list, show, why, read, like, dislike, star, undo, search."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import typer

from newsloom.cli.common import (
    Json,
    hint,
    on_terminal,
    say,
    session,
    show_json,
    show_table,
)
from newsloom.kernel.errors import NotFound, UserError
from newsloom.kernel.ids import ArticleId, FeedId
from newsloom.kernel.text.ages import age_words
from newsloom.ranking.commands.why import SENSITIVITY, lines
from newsloom.reading import moments
from newsloom.reading.values.reading import EventKind, ListQuery, Order, Rows

if TYPE_CHECKING:
    from newsloom.app import App
    from newsloom.app.reader import Reader
    from newsloom.reading.values.reading import Event, Listed, Related, Subscription

VIA = "cli"

RowsOf = Annotated[
    Rows | None,
    typer.Option("--rows", help="Group by. Default: the setting duplicates.rows."),
]

# Characters of a feed's name in a list on a terminal.
LONGEST_NAME = 24

# Of a step on more articles than these the rest is counted.
MOST_SAID = 20

Ids = Annotated[list[int], typer.Argument(help="Article ids from `newsloom list`.")]


def list_(
    context: typer.Context,
    everything: Annotated[bool, typer.Option("--all", help="Include read articles.")] = False,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="How many.")] = 25,
    since: Annotated[str, typer.Option(help=f"Only newer than {moments.FORMS}.")] = "",
    order: Annotated[
        Order | None,
        typer.Option(help="The order. Default: ranked; with --later: oldest first."),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(min=0, help="Seed for --order random."),
    ] = None,
    newest: Annotated[bool, typer.Option("--newest", help="Same as --order newest.")] = False,
    starred: Annotated[bool, typer.Option("--starred", help="Only starred articles.")] = False,
    liked: Annotated[bool, typer.Option("--liked", help="Only liked articles.")] = False,
    later: Annotated[bool, typer.Option("--later", help="Only articles saved for later.")] = False,
    tag: Annotated[str | None, typer.Option(help="Only articles with this tag.")] = None,
    feed: Annotated[int | None, typer.Option(help="Only this feed (id).")] = None,
    category: Annotated[str | None, typer.Option(help="Only this category.")] = None,
    language: Annotated[
        str | None, typer.Option(help="Only this language, such as en; und: unknown.")
    ] = None,
    min_score: Annotated[float, typer.Option(min=0, max=100, help="Minimum score.")] = 0.0,
    important: Annotated[
        bool, typer.Option("--important", help="Same as --order important.")
    ] = False,
    min_importance: Annotated[
        float, typer.Option(min=0, max=100, help="Minimum importance.")
    ] = 0.0,
    sensitivity: Annotated[
        int | None,
        typer.Option(min=1, max=5, help="Time sensitivity: 1 (evergreen) to 5 (critical)."),
    ] = None,
    cluster: Annotated[
        int | None, typer.Option("--with", help="Only articles on the same event as this one.")
    ] = None,
    rows_of: RowsOf = None,
    as_json: Json = False,
) -> None:
    with session(context).open() as app:
        reader = app.reader().by_rows(rows_of)
        now = app.now()
        query = ListQuery(
            order=_order(order, newest=newest, important=important)
            or (Order.OLDEST if later else Order.RANKED),
            seed=drawn_seed() if seed is None else seed,
            unread_only=not (everything or starred or liked or later or tag),
            starred_only=starred,
            liked_only=liked,
            later_only=later,
            tag=tag,
            feed=FeedId(feed) if feed is not None else None,
            category=category,
            language=None if language is None else _language(language),
            score=min_score,
            importance=min_importance,
            sensitivity=sensitivity,
            cluster=ArticleId(cluster) if cluster is not None else None,
            since=moment(since, now) if since else None,
            limit=limit,
        )
        rows = reader.page(query)
        if not rows and (feed is not None or category is not None):
            _check_followed(reader.subscriptions(), query.feed, category)
        if as_json:
            show_json(rows)
            return
        show_list(rows, now)
        _say_state(app, reader, bool(rows))


def _order(said: Order | None, *, newest: bool, important: bool) -> Order | None:
    """What was said. Raises UserError for two orders at once."""
    asked = {said} - {None} | ({Order.NEWEST} if newest else set())
    asked |= {Order.IMPORTANT} if important else set()
    if len(asked) > 1:
        raise UserError("Use only one of --order, --newest and --important.")
    return next(iter(asked), None)


def drawn_seed() -> int:
    """Another random order each time."""
    import random  # few lists are in one

    return random.randrange(2**31)


def _language(tag: str) -> str:
    """ "en-GB" as "en", "und" as none. Raises UserError for what names no language."""
    from newsloom.kernel.text.language import language

    found = language(tag)
    if not found and tag.strip().lower() != "und":
        raise UserError(f"{tag!r} is not a language. Use en, de, or und for unknown.")
    return found


def _say_state(app: App, reader: Reader, any_rows: bool) -> None:
    """What stands below a list. Without `reader.status()`, which loads the model that ranks."""
    unread = reader.unread()
    if not any_rows and unread:
        hint("No matching unread articles.")
    elif not any_rows:
        hint(
            "No unread articles. Follow a feed with `newsloom add URL`, fetch with `newsloom run`."
        )
    if on_terminal() and not app.has_own_model():
        (likes, dislikes), (needed_likes, needed_dislikes) = reader.judged(), reader.needed()
        say(
            f"{unread} unread. Not personalised yet: {likes} of {needed_likes} likes, "
            f"{dislikes} of {needed_dislikes} dislikes; until then, interests, feeds, importance "
            f"and age set the order."
        )


def show_list(rows: tuple[Listed, ...], now: datetime) -> None:
    """A table of articles; nothing where there are none, which its caller says."""
    if not rows:
        return
    from newsloom.reading.diversification import visible

    demoted = visible((round(one.score), one.lowered) for one in rows)
    show_table(
        ("id", "score", "expires", "age", "source", "title"),
        [
            (
                str(one.id),
                f"{one.score:.0f}",
                SENSITIVITY[one.sensitivity],
                age_words(now - one.dated),
                _named(one.feed_title),
                _title(one, lowered_so),
            )
            for one, lowered_so in zip(rows, demoted, strict=True)
        ],
        stretch="title",
        right="id score age",
    )


def _named(feed: str) -> str:
    """Of a terminal's line a long name takes no more than its share."""
    if on_terminal() and len(feed) > LONGEST_NAME:
        return f"{feed[: LONGEST_NAME - 1].rstrip()}…"
    return feed


def _title(one: Listed, demoted: bool) -> str:
    marks = ("★ " if one.state.starred else "") + {1: "+ ", -1: "- ", 0: ""}[one.state.rating]
    said = (_places(one), "moved down for variety" if demoted else "")
    words = "; ".join(part for part in said if part)
    return f"{marks}{_headline(one)}{f'  ({words})' if words else ''}"


def _headline(one: Listed) -> str:
    if one.title:
        return one.title
    from newsloom.kernel.text.html import headline  # slow to import, and most have a title

    return headline("", one.excerpt) or ("(picture)" if one.image else "(no title)")


def _places(one: Listed) -> str:
    """How many say or tell the same, and where; or how much the story has that leads with it."""
    cluster, story = one.cluster, one.story
    if story is not None:
        return (
            f"story {story.id}: {story.articles} articles from {story.sources} "
            f"source{'s' * (story.sources > 1)}"
        )
    if cluster is None:
        return f"also in {one.also_in} feed{'s' * (one.also_in > 1)}" if one.also_in else ""
    if cluster.texts == 1:
        return f"same text in {max(cluster.feeds, cluster.articles)} places"
    return f"{cluster.texts} reports from {cluster.sources} source{'s' * (cluster.sources > 1)}"


def moment(text: str, now: datetime) -> datetime:
    """ "6h" or "2026-11-20" as a time. Raises UserError."""
    return moments.at(moments.parse(text), now)


def show(
    context: typer.Context,
    article: Annotated[int, typer.Argument(help="Article id.")],
    as_json: Json = False,
) -> None:
    from newsloom.kernel.text.html import to_text

    with session(context).open() as app:
        found = app.reader().article(ArticleId(article))
        if as_json:
            show_json(found)
            return
        one = found.listed
        say(_headline(one))
        undated = " (first seen; the feed gives no date)" if found.undated else ""
        source = f"links to {one.source}" if one.links_elsewhere else one.source
        say(f"{one.feed_title} · {one.author or source} · {one.dated:%Y-%m-%d %H:%M} UTC{undated}")
        say(one.url)
        say()
        say(to_text(found.html, 100_000) or "(No text in this feed.)")
        for enclosure in found.enclosures:
            said = f" ({enclosure.title})" if enclosure.title else ""
            say(f"\nAttachment: {enclosure.url} {enclosure.type}{said}")
        for other in found.related:
            say(f"\n{_relation(other)}: {other.id} {other.title} ({other.feed_title})")
        for revision in found.revisions:
            say(f"\nBefore {revision.seen:%Y-%m-%d %H:%M} it read: {revision.title}")


def _relation(one: Related) -> str:
    """What another article is to this one, and why."""
    from newsloom.duplicates.values import Relation

    words = {
        Relation.SAME_TEXT: "same text",
        Relation.NEAR_DUPLICATE: "same headline, another source",
        Relation.SAME_EVENT: "same event",
        Relation.REVISION: "another version, with a row of its own",
        None: "by way of others",
    }[one.relation]
    if one.parted_at is not None:
        return f"separated by you on {one.parted_at:%Y-%m-%d}"
    through = "" if one.through is None else f" as {one.through}"
    evidence = "; ".join(
        f"{each.layer} {each.score:.2f} {each.detail}".rstrip() for each in one.evidence
    )
    return f"{words}{through}{f' ({evidence})' if evidence else ''}"


def why(
    context: typer.Context,
    article: Annotated[int, typer.Argument(help="Article id.")],
    as_json: Json = False,
) -> None:
    with session(context).open() as app:
        explanation = app.reader().why(ArticleId(article))
        if as_json:
            show_json(explanation)
        else:
            for line in lines(explanation):
                say(line)


def read(
    context: typer.Context,
    articles: Annotated[
        list[int] | None, typer.Argument(help="Article ids from `newsloom list`.")
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="All unread articles of the feed or category.")
    ] = False,
    feed: Annotated[int | None, typer.Option(help="With --all: only this feed.")] = None,
    category: Annotated[str | None, typer.Option(help="With --all: only this category.")] = None,
    as_json: Json = False,
) -> None:
    if everything == bool(articles):
        raise UserError("Give article ids, or --all.")
    with session(context).open() as app:
        reader = app.reader()
        if articles:
            # A list of numbers is cleared away, not read one by one.
            kind = EventKind.BULK_READ if len(set(articles)) > 1 else EventKind.READ
            step = reader.mark([ArticleId(one) for one in articles], kind, VIA)
            events = app.store.reading.events(step)
            _say_events(events, "read: ", as_json, kind)
            _check_known(reader, articles, events)
            return
        which = FeedId(feed) if feed is not None else None
        _check_followed(reader.subscriptions(), which, category)
        count = reader.clear(ListQuery(feed=which, category=category), VIA)
        if as_json:
            show_json({"read": count})
        elif count:
            say(f"{count:,} marked read. Undo with `newsloom undo`.")
        else:
            say("Nothing was unread.")


def _check_followed(
    subscriptions: tuple[Subscription, ...], feed: FeedId | None, category: str | None
) -> None:
    """Raises UserError for a feed or a category that the reader has not."""
    if feed is not None and feed not in {one.feed_id for one in subscriptions}:
        raise UserError(f"You do not follow feed {feed}.")
    if category is not None and category not in {one.category for one in subscriptions}:
        raise UserError(f"You have no category {category!r}.")


def _mark(kind: EventKind) -> Callable[..., None]:
    def command(context: typer.Context, articles: Ids, as_json: Json = False) -> None:
        with session(context).open() as app:
            reader = app.reader()
            step = reader.mark([ArticleId(one) for one in articles], kind, VIA)
            events = app.store.reading.events(step)
            _say_events(events, f"{kind.value}: ", as_json, kind)
            _check_known(reader, articles, events)

    return command


def _check_known(reader: Reader, ids: list[int], events: tuple[Event, ...]) -> None:
    """Raises UserError for numbers that are no article's; the others are marked by then.

    A merged copy's number is none of the events', so what is not among them is looked for.
    """
    marked = {event.article_id for event in events}
    unknown = [one for one in dict.fromkeys(ids) if one not in marked and not _is(reader, one)]
    if unknown:
        numbers = ", ".join(map(str, unknown))
        raise UserError(f"There is no article {numbers} in your feeds; the others are marked.")


def _is(reader: Reader, number: int) -> bool:
    try:
        reader.article(ArticleId(number))
    except NotFound:
        return False
    return True


def undo(context: typer.Context, as_json: Json = False) -> None:
    with session(context).open() as app:
        _say_events(app.reader().undo(VIA), "undone: ", as_json)


def _say_events(
    events: tuple[Event, ...], before: str, as_json: bool, event_kind: EventKind | None = None
) -> None:
    if as_json:
        show_json(events)
        return
    if not events:
        say("Nothing to undo.")
    for event in events[:MOST_SAID]:
        what = f"{event.kind.value} " if before == "undone: " else ""
        along = "  (same row)" if event_kind not in (None, event.kind) else ""
        say(f"{before}{what}{event.title or event.article_id}{along}")
    if len(events) > MOST_SAID:
        say(f"{before}{len(events) - MOST_SAID:,} more")


unread = _mark(EventKind.UNREAD)
like = _mark(EventKind.LIKE)
dislike = _mark(EventKind.DISLIKE)
unrate = _mark(EventKind.UNRATE)
skip = _mark(EventKind.SKIPPED)
star = _mark(EventKind.STAR)
unstar = _mark(EventKind.UNSTAR)
later = _mark(EventKind.LATER)
not_later = _mark(EventKind.NOT_LATER)
