"""The commands: arguments in, text out. What they do is in reader, pipeline and measure."""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from newsloom import __version__
from newsloom.cli.group import Commands, LazyGroup
from newsloom.kernel.errors import NewsloomError, UserError

app = Commands(
    name="newsloom",
    help="A news reader that removes duplicates and ranks articles for you.",
    epilog="To start, run `newsloom serve` and open the address it prints. Or use the terminal: "
    "`newsloom add URL`, `newsloom run`, `newsloom list`.",
    cls=LazyGroup,
    add_completion=True,
)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"newsloom {__version__}")
        raise typer.Exit


@app.callback()
def root(
    context: typer.Context,
    config: Annotated[
        Path | None,
        typer.Option(
            help="Settings file. Default: $NEWSLOOM_CONFIG, ./newsloom.toml, or the file in your "
            "configuration folder."
        ),
    ] = None,
    user: Annotated[str | None, typer.Option(help="The user. Default: the setting `user`.")] = None,
    _: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Settings are read here, once, for every command."""
    from newsloom.cli.common import Session
    from newsloom.kernel import settings

    environment = dict(os.environ)
    if user is not None:
        environment["NEWSLOOM_USER"] = settings.written(user)
    file = settings.settings_file(config, environment)
    context.obj = Session(settings.load(file, environment), file)


def main() -> None:
    """The `newsloom` program. Exit status: 0 done, 1 failed, 2 asked for what cannot be."""
    # Most of what a short command makes are modules, which stay: looking through them for garbage
    # was a tenth of its time (`newsloom bench start`). `serve` chooses its own numbers.
    gc.set_threshold(100_000, 20, 20)
    try:
        app()
    except UserError as error:
        typer.echo(f"newsloom: {error}", err=True)
        sys.exit(2)
    except NewsloomError as error:
        typer.echo(f"newsloom: {error}", err=True)
        sys.exit(1)
    except BrokenPipeError:
        # `newsloom list | head` closes the pipe: not an error. stdout is pointed away so that the
        # interpreter's last flush has somewhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
