"""The commands: arguments in, text out. What they do is in reader, pipeline, bench and evaluate."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from newsloom import __version__, settings
from newsloom.cli import (
    articles,
    bench,
    bridges,
    distilling,
    doctor,
    duplicates,
    evaluating,
    feeds,
    half_lives,
    health,
    interests,
    labels,
    politeness,
    running,
    training,
)
from newsloom.cli.common import Session
from newsloom.errors import NewsloomError, UserError

app = typer.Typer(
    name="newsloom",
    help="Reads every feed you follow, shows each article once, ranks what is left for you.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

# Every command, in the order of --help.
COMMANDS = (
    *running.COMMANDS,
    *feeds.COMMANDS,
    *health.COMMANDS,
    *articles.COMMANDS,
    *duplicates.COMMANDS,
    *training.COMMANDS,
    *labels.COMMANDS,
    *half_lives.COMMANDS,
    *doctor.COMMANDS,
    *politeness.COMMANDS,
)
GROUPS = (
    ("interests", interests.app),
    ("ttrss", bridges.ttrss),
    ("greader", bridges.greader),
    ("distill", distilling.app),
    ("bench", bench.app),
    ("eval", evaluating.app),
)

for _command in COMMANDS:
    app.command(_command.name, help=_command.help, context_settings={**_command.settings})(
        _command.function
    )
for _name, _group in GROUPS:
    app.add_typer(_group, name=_name)


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
            help="Settings file; else $NEWSLOOM_CONFIG, ./newsloom.toml, or the one in your "
            "configuration folder."
        ),
    ] = None,
    user: Annotated[str | None, typer.Option(help="Whose feeds; else the `user` setting.")] = None,
    _: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say which it is.")
    ] = False,
) -> None:
    """Settings are read here, once, for every command."""
    environment = dict(os.environ)
    if user is not None:
        environment["NEWSLOOM_USER"] = user
    context.obj = Session(settings.load(_settings_file(config), environment))


def _settings_file(named: Path | None) -> Path | None:
    if named is not None:
        return named
    if variable := os.environ.get("NEWSLOOM_CONFIG"):
        return Path(variable)
    places = (Path("newsloom.toml"), settings.default_file())
    return next((place for place in places if place.is_file()), None)


def main() -> None:
    """The `newsloom` program. Exit status: 0 done, 1 failed, 2 asked for what cannot be."""
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
