"""`newsloom stories`: what goes on, story by story; why it is so; follow, mute, split, merge."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from newsloom.cli.common import Json, note, on_terminal, say, session, show_json, show_table
from newsloom.cli.group import Commands
from newsloom.kernel.errors import UserError

if TYPE_CHECKING:
    from newsloom.stories.values.pages import StoryDecision

app = Commands()

Number = Annotated[int, typer.Argument(min=1, help="Its number.")]


@app.callback(invoke_without_command=True, no_args_is_help=False)
def stories(
    context: typer.Context,
    state: Annotated[
        str, typer.Option(help="hot, developing, quiet or archived; else all but archived.")
    ] = "",
    muted: Annotated[bool, typer.Option("--muted", help="Those you muted.")] = False,
    audit: Annotated[
        str,
        typer.Option(help="Decisions instead: of `article:17`, of `story:3`, or `all`."),
    ] = "",
    as_json: Json = False,
) -> None:
    if context.invoked_subcommand is not None:
        return
    from newsloom.stories.service import stories

    with session(context).open() as app:
        if audit:
            _show_audit(stories.decisions(app.reader(), **_named(audit)), as_json)
            return
        found = stories.lines(app.reader(), state, muted=muted)
        if as_json:
            show_json(found)
        elif not found and on_terminal():
            say("None. Stories are made in each pass: `newsloom run`.")
        else:
            rows = [
                (
                    str(one.head.id),
                    one.band,
                    str(one.articles),
                    str(one.sources),
                    {1: "followed", -1: "muted"}.get(one.stand, ""),
                    f"{one.new} new" if one.new else "",
                    one.title,
                )
                for one in found
            ]
            columns = ("id", "is", "articles", "sources", "you", "since", "story")
            show_table(columns, rows, stretch="story", right="id articles sources")


def _named(words: str) -> dict[str, int]:
    """What `--audit` names: article:17, story:3; of a number alone, an article."""
    if words == "all":
        return {}
    kind, _colon, number = words.rpartition(":")
    if kind not in {"", "article", "story"} or not number.isascii() or not number.isdigit():
        raise UserError("An audit is of article:17, of story:3, or all.")
    return {kind or "article": min(int(number), 2**62)}


def _show_audit(found: tuple[StoryDecision, ...], as_json: bool) -> None:
    if as_json:
        show_json(found)
        return
    rows = [
        (
            one.at.strftime("%Y-%m-%d %H:%M"),
            str(one.choice),
            "" if one.article is None else f"article {one.article}",
            "" if one.story is None else f"story {one.story}",
            f"{one.confidence:.2f}",
            f"{one.judge} {one.prompt}".strip(),
            _told(one),
        )
        for one in found
    ]
    columns = ("at (UTC)", "choice", "article", "story", "sure", "by", "why")
    show_table(columns, rows, stretch="why", right="sure")


def _told(one: StoryDecision) -> str:
    choice = ", ".join(f"{each.story} ({each.probability:.2f})" for each in one.candidates)
    before = f"before in story {one.other}" if one.other is not None else ""
    offered = f"offered: {choice}" if choice else ""
    return "; ".join(part for part in (one.reason, before, offered) if part)


@app.command("show", help="One story: its articles by date, who was first, what is new.")
def show(
    context: typer.Context,
    story: Number,
    audit: Annotated[bool, typer.Option("--audit", help="Its decisions instead.")] = False,
    as_json: Json = False,
) -> None:
    from newsloom.stories.service import stories
    from newsloom.stories.values.pages import OWN_WORDS

    with session(context).open() as app:
        reader = app.reader()
        found = stories.view(reader, story)
        if audit:
            _show_audit(stories.decisions(reader, story=found.line.head.id), as_json)
            return
        if as_json:
            show_json(found)
            return
        line = found.line
        say(line.title)
        if line.head.summary:
            say(line.head.summary)
        for what, by in (("title", line.head.title_by), ("summary", line.head.summary_by)):
            if by not in ("", OWN_WORDS):
                note(f"The {what} is by the language model {by}.")
        said = f"{line.band}: {line.articles} articles of {line.sources} sources"
        part = f"; part of: {found.parent}" if found.parent else ""
        note(f"{said}; first reported by {found.first.source}{part}")
        rows = [
            (
                one.dated.strftime("%Y-%m-%d %H:%M"),
                str(one.article),
                one.source,
                "new" if one.article in found.new else "",
                one.title,
            )
            for one in found.members
        ]
        show_table(("dated (UTC)", "article", "source", "", "title"), rows, stretch="title")
        for each in found.headlines:
            note(f"{each.source} changed “{each.before}” to “{each.after}”")


@app.command("follow", help="Its articles rank higher, and stand first in digests.")
def follow(context: typer.Context, story: Number) -> None:
    _stand(context, story, 1, "You follow story {}. The order follows at the next `newsloom run`.")


@app.command("unfollow", help="Neither follow nor mute it any more.")
def unfollow(context: typer.Context, story: Number) -> None:
    _stand(context, story, 0, "You neither follow nor mute story {}.")


@app.command("mute", help="Its articles leave the unread list, also those that come.")
def mute(context: typer.Context, story: Number) -> None:
    _stand(context, story, -1, "Story {} is muted.")


@app.command("tell", help="Be sent news of the stories you follow when they develop.")
def tell(
    context: typer.Context,
    mail: Annotated[list[str] | None, typer.Option(help="Send it to this address.")] = None,
    webhook: Annotated[list[str] | None, typer.Option(help="Post it there as JSON.")] = None,
    file: Annotated[
        list[str] | None, typer.Option(help="Write it to digest.folder in this format.")
    ] = None,
    zone: Annotated[str, typer.Option(help="The time zone of its times.")] = "",
    end: Annotated[bool, typer.Option("--end", help="Send no more of it.")] = False,
) -> None:
    from newsloom.digests.commands.scheduled_digests import note_missing, targets_of, words
    from newsloom.digests.service import schedules

    targets = targets_of(mail or (), webhook or (), file or ())
    with session(context).open() as app:
        reader = app.reader()
        if end and targets:
            raise UserError("Either say where it is sent, or --end.")
        known = schedules.stories_told(reader)
        if end or not targets:
            if known is None:
                say("No news of stories is sent.")
            elif end:
                schedules.drop(reader, known.id)
                say("No more news of stories is sent.")
            else:
                say(f"Sent: {words(known)}.")
            return
        made = schedules.tell_stories(reader, zone, targets)
        say(f"Sent from now on: {words(made)}.")
        note_missing(app.settings, made.targets)


def _stand(context: typer.Context, story: int, how: int, words: str) -> None:
    from newsloom.stories.service import stories

    with session(context).open() as app:
        stories.stand(app.reader(), story, how)
        say(words.format(story))


@app.command("read", help="Mark the whole story read. It teaches nothing; undo takes it back.")
def read(context: typer.Context, story: Number, as_json: Json = False) -> None:
    from newsloom.stories.service import stories

    with session(context).open() as app:
        events = stories.read_whole(app.reader(), story, "cli")
        if as_json:
            show_json(events)
        elif events:
            say(f"{len(events):,} marked read. `newsloom undo` takes it back.")
        else:
            say("Nothing of it was unread.")


@app.command("split", help="Take articles out of a story into one of their own, for good.")
def split(
    context: typer.Context,
    story: Number,
    articles: Annotated[list[int], typer.Argument(help="Their numbers.")],
) -> None:
    from newsloom.stories.service import stories
    from newsloom.stories.values.pages import CorrectionKind

    with session(context).open() as app:
        new = stories.split(app.reader(), story, articles, CorrectionKind.SPLIT)
        say(f"They are story {new} now, and stay apart.")


@app.command("merge", help="One story into another, for good.")
def merge(
    context: typer.Context,
    gone: Number,
    kept: Annotated[int, typer.Argument(min=1, help="The story that it goes into.")],
) -> None:
    from newsloom.stories.service import stories

    with session(context).open() as app:
        say(f"All is story {stories.merge(app.reader(), gone, kept)} now.")


@app.command("put", help="An article into a story, for good.")
def put(
    context: typer.Context,
    article: Number,
    story: Annotated[int, typer.Argument(min=1, help="The story.")],
) -> None:
    from newsloom.stories.service import stories

    with session(context).open() as app:
        stories.belongs(app.reader(), article, story)
        say(f"Article {article} is of story {story} now, and stays there.")
