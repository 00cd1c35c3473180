"""Commands that write everything to one file, and read it back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from newsloom.cli.common import Json, note, session, show_json
from newsloom.kernel.errors import UserError
from newsloom.kernel.files import shown

if TYPE_CHECKING:
    from newsloom.app.backup import Contents


def backup(
    context: typer.Context,
    file: Annotated[
        Path,
        typer.Argument(help="Output file; .gz compresses; - is standard output."),
    ],
    as_json: Json = False,
) -> None:
    """Write everything to one file, while Newsloom runs: feeds, articles, marks, trained models.

    Settings are not in it. The file appears whole or not at all.
    """
    with session(context).open() as app:
        contents = app.save_backup(file)
        if as_json:
            show_json(contents)
        else:
            note(f"{_words(contents)} in {'standard output' if str(file) == '-' else file}.")


def restore(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="A backup; - is standard input.")],
    replace: Annotated[bool, typer.Option("--replace", help="Replace existing feeds.")] = False,
    as_json: Json = False,
) -> None:
    """Put a backup in the place of everything, while Newsloom runs.

    It comes in whole or not at all. Restart a running `serve` afterwards: it may have a model in
    memory that is no longer there.
    """
    with session(context).open() as app:

        def agree(contents: Contents) -> None:
            here = len(app.reader().subscriptions())
            if here and not replace:
                raise UserError(
                    f"You follow {_count(here, 'feed')} here. --replace replaces them with "
                    f"{_words(contents)} of "
                    f"{contents.at} . Back up first with `newsloom backup FILE`."
                )

        contents = app.restore_backup(file, agree)
        if as_json:
            show_json(contents)
        else:
            note(f"{_words(contents)} of {contents.at}, restored from {shown(file)}.")


def _words(contents: Contents) -> str:
    return f"{_count(contents.feeds, 'feed')} with {_count(contents.articles, 'article')}"


def _count(number: int, one: str) -> str:
    return f"{number:,} {one}{'' if number == 1 else 's'}"
