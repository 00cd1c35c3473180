"""`newsloom brief`: one now, the schedules, those that were made, the podcasts of them."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from newsloom.cli.common import Json, note, on_terminal, say, session, show_json, show_table
from newsloom.cli.group import Commands
from newsloom.kernel.errors import UserError

if TYPE_CHECKING:
    from newsloom.app import App
    from newsloom.briefs.service.briefing import Briefing
    from newsloom.briefs.values.briefs import BriefId, BriefSchedule, BriefWish
    from newsloom.digests.values import SendingState

app = Commands()
schedule = Commands(help="When briefs are made for you, and where they are sent.")
app.add_typer(schedule, name="schedule")

Languages = Annotated[
    list[str] | None,
    typer.Option("--language", help="Its language, such as en; twice for a brief in each of two."),
]
Minutes = Annotated[int, typer.Option(help="How long it is; 0: as the settings have it.")]
Voices = Annotated[
    list[str] | None,
    typer.Option("--voice", help="What speaks, as espeak or de=server:alloy for one language."),
]
Zone = Annotated[str, typer.Option(help="The time zone of its dates, as Europe/Berlin.")]
Number = Annotated[int, typer.Argument(help="Its number.")]


@app.callback(invoke_without_command=True, no_args_is_help=False)
def brief(
    context: typer.Context,
    language: Languages = None,
    minutes: Minutes = 0,
    voice: Voices = None,
    zone: Zone = "UTC",
    out: Annotated[Path | None, typer.Option(help="Write the MP3 to this file too.")] = None,
    text: Annotated[
        bool, typer.Option("--text", help="Print what would be said, and make nothing.")
    ] = False,
    due: Annotated[
        bool,
        typer.Option(
            "--due", help="Make, speak and send what is due, for cron; `serve` does by itself."
        ),
    ] = False,
) -> None:
    """A spoken brief of what is new in your feeds, now."""
    if context.invoked_subcommand is not None:
        return
    from newsloom.briefs.service.briefing import briefing
    from newsloom.digests.service.schedules import zone_of

    with session(context).open() as opened:
        if due:
            make_due(opened, quiet=False)
            return
        briefs = briefing(opened)
        try:
            wish, here = _wish(opened, language, minutes, voice), zone_of(zone)
            if text:
                _print(opened, briefs, wish, here)
                return
            _now(opened, briefs, wish, here, out)
        finally:
            briefs.speaking.close()


def _wish(
    opened: App, languages: list[str] | None, minutes: int, voices: list[str] | None
) -> BriefWish:
    """Raises UserError."""
    from newsloom.briefs.service.brief_schedules import wished
    from newsloom.briefs.voices import registry as known

    settings = opened.settings.brief
    named: list[tuple[str, str]] = []
    for one in voices or ():
        first, equals, rest = one.partition("=")
        named.append((first, rest) if equals and ":" not in first else ("", one))
    wish = wished(languages or [settings.language], minutes or settings.minutes, named)
    for name, one in (wish.voices or {}).items():
        known.by_language(f"{name}={one}")  # says what is no voice
    return wish


def make_due(opened: App, *, quiet: bool = True) -> None:
    """Make, speak and send what is due, once; the voice is ended after it."""
    from newsloom.briefs.service.briefing import briefing

    briefs = briefing(opened)

    async def once() -> tuple[int, int, int]:
        async with opened.fetching() as fetcher:
            return await briefs.once(fetcher)

    try:
        made, spoken, sent = asyncio.run(once())
        briefs.remove_old()
    finally:
        briefs.speaking.close()
    if made or spoken or sent or not quiet:
        note(f"Briefs: {made} made, {spoken} spoken, {sent} sent.")


def _print(opened: App, briefs: Briefing, wish: BriefWish, zone: str) -> None:
    from newsloom.briefs.forms import plain
    from newsloom.briefs.service import brief_schedules

    made = briefs.composed(opened.user, wish, zone, opened.now())
    if not made:
        note(brief_schedules.NOTHING_NEW)
    for one in made:
        typer.echo(plain(one.script), nl=False)


def _now(opened: App, briefs: Briefing, wish: BriefWish, zone: str, out: Path | None) -> None:
    from newsloom.briefs.service import brief_schedules

    if out is not None and len(wish.languages) > 1:
        raise UserError("A file holds a brief in one language: give one --language with --out.")
    _tell("choosing what is new")
    numbers = briefs.make(opened.user, wish, zone)
    if not numbers:
        note(brief_schedules.NOTHING_NEW)
        return
    if briefs.written:
        _tell("waiting for the language model")
        _written(opened, numbers)
    failed = False
    for number in numbers:
        _tell("speaking")
        failed |= not _spoken(opened, briefs, number, out)
    if failed:
        raise typer.Exit(1)


def _written(opened: App, numbers: tuple[BriefId, ...]) -> None:
    """Ask the language model, for as long as a brief waits for it."""
    from datetime import timedelta

    from newsloom.briefs.values.briefs import BriefState

    def waits() -> bool:
        found = [opened.store.briefs.brief(opened.user, one) for one in numbers]
        return any(one is not None and one.state is BriefState.WRITING for one in found)

    span = timedelta(minutes=opened.settings.brief.script_minutes)
    ends = opened.now() + span
    while waits() and opened.now() < ends:
        asked = asyncio.run(
            opened.runner().ask_for(min(ends - opened.now(), timedelta(seconds=30)))
        )
        if not asked.kept:
            break


def _spoken(opened: App, briefs: Briefing, number: BriefId, out: Path | None) -> bool:
    from datetime import timedelta

    from newsloom.briefs.forms import minutes_words
    from newsloom.briefs.service.briefing import CLAIM
    from newsloom.kernel import files

    # What a language model has not answered by now is spoken with the articles' own sentences.
    now = opened.now()
    ready = now + timedelta(minutes=opened.settings.brief.script_minutes)
    claimed = opened.store.briefs.claim_brief(ready, now + CLAIM, number)
    if claimed is None:
        note(f"Brief {number} is spoken by another process of Newsloom.")
        return True
    spoken = briefs.speak(claimed)
    kept = opened.store.briefs.brief(opened.user, number)
    if kept is None or not spoken or kept.sound is None:
        why = kept.problem if kept else "It is gone."
        note(f"Brief {number} has no sound yet: {why} It is tried again; `--text` prints it.")
        return False
    told = kept.script
    path = briefs.speaking.folder / kept.sound.files[0].name
    if told.notice:
        note(told.notice)
    if kept.sound.notice:
        note(kept.sound.notice)
    if out is not None:
        files.write(out, path.read_bytes())
        path = out
    length = minutes_words(kept.sound.seconds)
    say(f"Brief {number}: {told.title} ({told.language}), {length}, {path}")
    return True


def _tell(words: str) -> None:
    """Progress, where somebody looks."""
    if on_terminal():
        note(f"{words} ...")


@app.command("list", help="Those that were made, the newest first.")
def list_(
    context: typer.Context,
    limit: Annotated[int, typer.Option(min=1, max=1_000, help="How many.")] = 20,
    as_json: Json = False,
) -> None:
    from newsloom.briefs.forms import minutes_words

    with session(context).open() as opened:
        found = opened.store.briefs.briefs(opened.user, limit)
        if as_json:
            show_json(found)
            return
        if not found:
            note(
                "None yet. `newsloom brief` makes one, `newsloom brief schedule add` has them made."
            )
            return
        rows = [
            (
                str(one.id),
                one.made_at.strftime("%Y-%m-%d %H:%M"),
                one.language,
                one.title,
                minutes_words(one.seconds) if one.seconds else "",
                _state(str(one.state), one.seconds, one.problem),
                _sent(opened.store.briefs.brief_sendings(one.id)),
            )
            for one in found
        ]
        show_table(("id", "made (UTC)", "language", "title", "length", "state", "sent"), rows)


def _state(state: str, seconds: float, problem: str) -> str:
    if state == "ready" and not seconds:
        return "sound removed"
    return f"{state}: {problem}" if problem else state


def _sent(sendings: tuple[SendingState, ...]) -> str:
    return "; ".join(
        f"{one.target.way} {one.target.to}: {one.state}{f' ({one.error})' if one.error else ''}"
        for one in sendings
    )


@app.command("show", help="What one of them says, with its sources.")
def show(context: typer.Context, brief: Number) -> None:
    from newsloom.briefs.forms import plain
    from newsloom.briefs.service import brief_schedules

    with session(context).open() as opened:
        kept = brief_schedules.kept(opened.reader(), brief)
    typer.echo(plain(kept.script), nl=False)


@app.command("remove", help="Delete one, with its sound.")
def remove(context: typer.Context, brief: Number) -> None:
    from newsloom.briefs.service import brief_schedules
    from newsloom.briefs.service.briefing import briefing

    with session(context).open() as opened:
        kept = brief_schedules.kept(opened.reader(), brief)
        briefing(opened).drop(opened.user, kept.id)
        say(f"Brief {brief} is gone.")


@app.command("feed", help="The secret address of a podcast of your briefs in a language.")
def feed(
    context: typer.Context,
    language: Annotated[str, typer.Option(help="Which; left out, the usual one.")] = "",
    new: Annotated[bool, typer.Option("--new", help="Another one; the old leads nowhere.")] = False,
    off: Annotated[bool, typer.Option("--off", help="None any more.")] = False,
) -> None:
    from newsloom.briefs.links import BriefLinks
    from newsloom.briefs.service import brief_schedules

    with session(context).open() as opened:
        named = language or opened.settings.brief.language
        if off:
            brief_schedules.drop_podcast(opened.reader(), named)
            say(f"The podcast of your briefs ({named}) is gone.")
            return
        token = brief_schedules.podcast_token(opened.reader(), named, make=True, new=new)
        say(BriefLinks(opened.settings.web.address).podcast(token))


@schedule.command("add", help="Have one made at a time of day, and sent where you say.")
def add(
    context: typer.Context,
    at: Annotated[str, typer.Option(help="When, as HH:MM.")] = "07:00",
    zone: Annotated[str, typer.Option(help="In which time zone, as Europe/Berlin.")] = "",
    day: Annotated[
        list[str] | None, typer.Option(help="On this weekday; repeatable. Left out: every day.")
    ] = None,
    language: Languages = None,
    minutes: Minutes = 0,
    voice: Voices = None,
    mail: Annotated[list[str] | None, typer.Option(help="Send its text to this address.")] = None,
    webhook: Annotated[list[str] | None, typer.Option(help="Post it there as JSON.")] = None,
    file: Annotated[
        list[str] | None, typer.Option(help="Copy it to digest.folder in this format: mp3.")
    ] = None,
) -> None:
    from newsloom.briefs.service import brief_schedules
    from newsloom.digests.commands.scheduled_digests import note_missing, targets_of

    targets = targets_of(mail or (), webhook or (), file or ())
    with session(context).open() as opened:
        wish = _wish(opened, language, minutes, voice)
        made = brief_schedules.add(opened.reader(), wish, at, zone, day or (), targets)
        say(f"Schedule {made.id}: {words(made)}, next on {made.next_at:%Y-%m-%d %H:%M} UTC.")
        note_missing(opened.settings, made.targets)


def words(one: BriefSchedule) -> str:
    """A schedule in words."""
    from newsloom.digests.service.schedules import WEEKDAYS

    to = ", ".join(f"{target.way} {target.to}" for target in one.targets)
    days = ", ".join(WEEKDAYS[day].capitalize() for day in one.weekdays)
    when = "every day" if len(one.weekdays) == 7 else f"on {days}"
    time = f"{one.at // 60:02d}:{one.at % 60:02d}"
    what = f"{one.wish.minutes} minutes in {' and '.join(one.wish.languages)}"
    return f"{what}, {when} at {time} {one.zone}{f', to {to}' if to else ''}"


@schedule.command("list", help="When which brief is made for you.")
def schedules(context: typer.Context, as_json: Json = False) -> None:
    from newsloom.briefs.service import brief_schedules

    with session(context).open() as opened:
        found = brief_schedules.list_(opened.reader())
        if as_json:
            show_json(found)
        elif found:
            rows = [(str(one.id), words(one), f"{one.next_at:%Y-%m-%d %H:%M}") for one in found]
            show_table(("id", "schedule", "next (UTC)"), rows)
        else:
            note("None. `newsloom brief schedule add --at 07:00 --zone Europe/Berlin` adds one.")


@schedule.command("remove", help="End a schedule; its briefs stay.")
def drop(context: typer.Context, schedule: Number) -> None:
    from newsloom.briefs.service import brief_schedules

    with session(context).open() as opened:
        brief_schedules.drop(opened.reader(), schedule)
        say(f"Schedule {schedule} is gone.")
