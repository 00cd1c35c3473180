"""`newsloom voices`: Piper voices for spoken briefs that are known, installed, removed."""

from __future__ import annotations

from typing import Annotated

import typer

from newsloom.cli.common import Json, note, plain, say, session, show_json, show_table
from newsloom.cli.group import Commands

app = Commands()


@app.command("list", help="List known and installed Piper voices.")
def list_(context: typer.Context, as_json: Json = False) -> None:
    """Asks nobody."""
    from newsloom.briefs.voices import chosen
    from newsloom.briefs.voices.installing import listed

    settings = session(context).settings
    rows = listed(settings)
    if as_json:
        show_json([plain(one) for one in rows])
        return

    def standing(name: str, language: str) -> str:
        return "speaks" if chosen(settings, language) == f"piper:{name}" else "installed"

    show_table(
        ("voice", "language", "quality", "MB", "licence", ""),
        [
            (
                one.name,
                one.language,
                one.quality,
                str(one.megabytes),
                one.licence,
                standing(one.name, one.language) if one.file else "",
            )
            for one in rows
        ],
    )
    note("`newsloom voices get NAME` installs one. Other languages are spoken by eSpeak NG.")


@app.command("get", help="Install a Piper voice.")
def get(
    context: typer.Context,
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="Name of a Piper voice, or FILE.onnx with FILE.onnx.json beside it.",
        ),
    ],
    revision: Annotated[str, typer.Option(help="The commit to trust if no hash is known.")] = "",
    as_json: Json = False,
) -> None:
    """From the hub in the settings, checked by its SHA-256. Broken off, the same command goes on
    where it was."""
    from newsloom.briefs.voices import chosen
    from newsloom.briefs.voices.installing import install
    from newsloom.kernel.errors import VoiceError
    from newsloom.kernel.extras import require

    settings = session(context).settings
    made = install(settings, name, note, revision)
    if as_json:
        show_json(plain(made))
        return
    say(f"{made.name} installed.")
    if chosen(settings, made.language) == f"piper:{made.name}":
        say(f"It speaks briefs in {made.language} from now on.")
    else:
        say(f"To use it, add {made.language}=piper:{made.name} to brief.voices.")
    try:
        require("piper", "To speak, it", VoiceError)
    except VoiceError as error:
        note(str(error))


@app.command("remove", help="Remove an installed Piper voice.")
def remove(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name from `newsloom voices list`.")],
) -> None:
    """Its language is spoken by another voice from then on."""
    from newsloom.briefs.voices import installing

    installing.remove(session(context).settings, name)
    say(f"{name} removed.")
