"""`newsloom notes`: notes and highlights of articles."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from newsloom.cli.common import Json, note, say, session
from newsloom.cli.group import Commands

app = Commands()


@app.command("list", help="Articles with a note or highlights, the newest first.")
def list_(context: typer.Context) -> None:
    from newsloom.reading.service import annotating

    with session(context).open() as app:
        for one in annotating.everything(app.reader()):
            say(f"{one.article}  {one.title}")
            words = one.note.text.split("\n") if one.note else []
            quotes = [f"> {made.words.exact}" for made in one.highlights]
            for line in (*words, *quotes):
                say(f"    {line}")


@app.command("export", help="All of them as a file: Markdown, or JSON with --json.")
def export(
    context: typer.Context,
    file: Annotated[
        Path, typer.Argument(show_default=False, help="Where to; - or nothing: standard output.")
    ] = Path("-"),
    as_json: Json = False,
) -> None:
    from newsloom.kernel import files
    from newsloom.reading.notes_file import markdown, to_json
    from newsloom.reading.service import annotating

    with session(context).open() as app:
        found = annotating.exported(app.reader())
    files.write(file, (to_json(found) + "\n" if as_json else markdown(found)).encode())
    if file != files.STANDARD:
        note(f"Written to {file}.")
