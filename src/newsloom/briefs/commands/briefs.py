"""`newsloom brief`: a spoken brief now, the text of one of the archive, and those that are due."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from newsloom.cli.common import note, on_terminal, say, session
from newsloom.kernel.errors import UserError

if TYPE_CHECKING:
    from newsloom.app import App
    from newsloom.briefs.service.briefing import Briefing
    from newsloom.briefs.values import BriefId, BriefScript, BriefWish

Languages = Annotated[
    list[str] | None,
    typer.Option("--language", help="Language such as en. Repeat for a second language."),
]
Minutes = Annotated[int, typer.Option(help="Length in minutes; 0: the default.")]
Voices = Annotated[
    list[str] | None,
    typer.Option("--voice", help="Voice, such as espeak, or de=server:alloy for one language."),
]
Zone = Annotated[str, typer.Option(help="Time zone, such as Europe/Berlin.")]


def brief(
    context: typer.Context,
    number: Annotated[
        int | None, typer.Argument(help="Print the text of this brief instead.")
    ] = None,
    language: Languages = None,
    minutes: Minutes = 0,
    voice: Voices = None,
    zone: Zone = "UTC",
    out: Annotated[Path | None, typer.Option(help="Also write the MP3 to this file.")] = None,
    text: Annotated[bool, typer.Option("--text", help="Only print the text.")] = False,
    due: Annotated[
        bool,
        typer.Option(
            "--due", help="Create and send what is due. For cron; `serve` does this automatically."
        ),
    ] = False,
) -> None:
    """Make a spoken brief of what is new, now; see /briefs in `newsloom api` for more."""
    from newsloom.briefs.service import brief_schedules
    from newsloom.briefs.service.briefing import briefing
    from newsloom.kernel.delivery.schedules import parse_zone

    with session(context).open() as opened:
        if due:
            make_due(opened, quiet=False)
            return
        if number is not None:
            _print_script(brief_schedules.archived(opened.reader(), number).script)
            return
        briefs = briefing(opened)
        try:
            wish, here = _wish(opened, language, minutes, voice), parse_zone(zone)
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
    from newsloom.briefs.service import brief_schedules

    made = briefs.composed(opened.user, wish, zone, opened.now())
    if not made:
        note(brief_schedules.NOTHING_NEW)
    for one in made:
        _print_script(one.script)


def _print_script(script: BriefScript) -> None:
    from newsloom.briefs.forms import plain

    typer.echo(plain(script), nl=False)


def _now(opened: App, briefs: Briefing, wish: BriefWish, zone: str, out: Path | None) -> None:
    from newsloom.briefs.service import brief_schedules

    if out is not None and len(wish.languages) > 1:
        raise UserError("--out needs exactly one --language.")
    _tell("selecting articles")
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

    from newsloom.briefs.values import BriefState

    def waits() -> bool:
        found = [opened.store.briefs.brief(opened.user, one) for one in numbers]
        return any(one is not None and one.state is BriefState.WRITING for one in found)

    span = timedelta(minutes=opened.settings.brief.script_minutes)
    ends = opened.now() + span
    while waits() and opened.now() < ends:
        report = asyncio.run(
            opened.runner().ask_for(min(ends - opened.now(), timedelta(seconds=30)))
        )
        if not report.stored:
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
        note(f"Brief {number} is being processed by another process.")
        return True
    spoken = briefs.speak(claimed)
    brief = opened.store.briefs.brief(opened.user, number)
    if brief is None or not spoken or brief.sound is None:
        why = brief.problem if brief else "It was deleted."
        note(f"Brief {number} has no audio yet: {why} Newsloom tries again. Read it with `--text`.")
        return False
    brief_script = brief.script
    path = briefs.speaking.folder / brief.sound.files[0].name
    if brief_script.notice:
        note(brief_script.notice)
    if brief.sound.notice:
        note(brief.sound.notice)
    if out is not None:
        files.write(out, path.read_bytes())
        path = out
    length = minutes_words(brief.sound.seconds)
    say(f"Brief {number}: {brief_script.title} ({brief_script.language}), {length}, {path}")
    return True


def _tell(words: str) -> None:
    """Progress, where somebody looks."""
    if on_terminal():
        note(f"{words} ...")
