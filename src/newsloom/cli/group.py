"""How commands are found and shown: each is imported when it is run, and help is plain text.

Typer's own help takes Rich, which takes longer to import than most commands take to run.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from inspect import getdoc
from typing import Any, cast

import typer
from typer.core import TyperCommand, TyperGroup

from newsloom.cli.commands import COMMANDS, SECTIONS, Command
from newsloom.cli.values import with_plain_values

# Longer lines are hard to read, however wide the terminal.
WIDTH = 100
CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": WIDTH}

_HEADING = re.compile(r"^(Usage:|[A-Z][a-z ]*:$)", re.MULTILINE)

# Of a page of help: titles, and under each names with what they do.
Sections = list[tuple[str, list[tuple[str, str]]]]


class PlainCommand(TyperCommand):
    """A command whose help is plain text, and whose values are checked without Pydantic."""

    def get_params(self, ctx: Any) -> list[Any]:
        return with_plain_values(super().get_params(ctx))

    def get_help(self, ctx: Any) -> str:
        return _emphasised(super().get_help(ctx))


class PlainGroup(TyperGroup):
    """The same for a group; its help cuts no line about a command."""

    def get_params(self, ctx: Any) -> list[Any]:
        return with_plain_values(super().get_params(ctx))

    def get_help(self, ctx: Any) -> str:
        return _emphasised(super().get_help(ctx))

    def sections(self) -> Sections:
        return [("Commands", [(name, one.help or "") for name, one in self.commands.items()])]

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 - Typer's
        sections = self.sections()
        widest = max(len(name) for _title, rows in sections for name, _words in rows)
        for title, rows in sections:
            with formatter.section(title):
                formatter.write_dl([(name.ljust(widest), words) for name, words in rows])


class Imported(Mapping[str, Any]):
    """The commands of the table by name, each imported when it is asked for."""

    def __getitem__(self, name: str) -> Any:
        return loaded(COMMANDS[name])

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


class LazyGroup(PlainGroup):
    """All commands, of which only the one that is run is imported."""

    def __init__(self, **named: Any) -> None:
        super().__init__(**named)
        self.commands = cast(Any, Imported())  # nothing is ever added

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 - Typer's
        return list(COMMANDS)

    def sections(self) -> Sections:
        return [(title, [(row.name, row.help) for row in rows]) for title, rows in SECTIONS]

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:
        """Names by the table, as TyperGroup gives them, and then what Command completes."""
        item = cast(Any, typer.core).CompletionItem
        named = [row for row in COMMANDS.values() if row.name.startswith(incomplete)]
        found = [item(row.name, help=row.help) for row in named]
        return found + super(TyperGroup, self).shell_complete(ctx, incomplete)


class Commands(typer.Typer):
    """A group of commands, to be filled with `command`."""

    def __init__(self, **named: Any) -> None:
        super().__init__(
            **{"cls": PlainGroup, "add_completion": False, **named},
            no_args_is_help=True,
            rich_markup_mode=None,
            pretty_exceptions_enable=False,
            context_settings=CONTEXT,
        )

    def command(self, name: str | None = None, **named: Any) -> Callable[..., Any]:
        return super().command(name, cls=PlainCommand, **named)


def loaded(row: Command) -> Any:
    """The command or group of a row, imported now."""
    module, _, name = row.place.partition(":")
    found = getattr(import_module(f"newsloom.cli.{module}"), name)
    if isinstance(found, typer.Typer):
        command: Any = typer.main.get_group(found)  # a group, even of one command
        command.help = row.help
    else:
        alone = Commands()
        # -hello leaves out hello, so -h cannot be help there.
        context = {**CONTEXT, "help_option_names": ["--help"], "ignore_unknown_options": True}
        alone.command(row.name, context_settings=context if row.lenient else CONTEXT)(found)
        command = typer.main.get_command(alone)
        command.help = getdoc(found) or row.help
    command.name = row.name
    return command


def _emphasised(text: str) -> str:
    """With its headings bold, where a terminal shows it."""
    return _HEADING.sub(lambda found: typer.style(found[0], bold=True), text)
