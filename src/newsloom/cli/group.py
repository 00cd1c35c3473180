"""How commands are found and shown: each is imported when it is run, and help is plain text.

Typer's own help takes Rich, which takes longer to import than most commands take to run.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from inspect import getdoc
from pathlib import Path
from typing import Any, cast, get_args, get_origin

import typer
from typer.core import TyperCommand, TyperGroup

from newsloom.cli.commands import COMMANDS, SECTIONS, Command
from newsloom.kernel.errors import UserError

# Longer lines are hard to read, however wide the terminal.
WIDTH = 100
CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": WIDTH}

LAB = "newsloom-lab"
ENTRY_POINTS = "newsloom.commands"
INSTALL = f"{LAB}, which is not installed. Run `make lab` in the source folder."

# What other readers call a command, and what is called otherwise here.
OTHER_WORDS = {
    "subscribe": "add",
    "follow": "add",
    "unsubscribe": "remove",
    "unfollow": "remove",
    "update": "run",
    "refresh": "run",
    "fetch": "run",
    "poll": "run",
    "open": "show",
    "mark": "read",
    "find": "search",
    "save": "later",
    "config": "settings",
    "server": "serve",
    "users": "user",
    "story": "stories",
    # What was a command is an operation now.
    "cluster": "work",
    "digests": "api digests",
    "distill": "train",
    "duplicates": "show",
    "feed": "api feeds",
    "forget": "api forgotten",
    "half-lives": "api half-lives",
    "highlights": "api notes",
    "interest": "api interests",
    "interests": "api interests",
    "note": "api notes",
    "notes": "api notes",
    "related": "api related",
    "rollback": "train",
    "rule": "api rules",
    "rules": "api rules",
    "sources": "api sources",
    "split": "api split",
}

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
        return [name for name, row in COMMANDS.items() if is_here(row)]

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args[0] not in self.commands and (known := OTHER_WORDS.get(args[0])):
            ctx.fail(f"No such command '{args[0]}'. You may mean `newsloom {known}`.")
        return super().resolve_command(ctx, args)

    def sections(self) -> Sections:
        return [
            (title, [(row.name, row.help) for row in rows if is_here(row)])
            for title, rows in SECTIONS
        ]

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:
        """Names by the table, as TyperGroup gives them, and then what Command completes."""
        item = cast(Any, typer.core).CompletionItem
        named = [name for name in self.list_commands(ctx) if name.startswith(incomplete)]
        found = [item(name, help=COMMANDS[name].help) for name in named]
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


class SharedWithLab(PlainGroup):
    """A group to which the lab adds commands: where it is not installed, that is said."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args[0] not in self.commands and not lab_is_here():
            ctx.fail(f"No such command '{args[0]}'. More of `{ctx.info_name}` comes with {INSTALL}")
        return super().resolve_command(ctx, args)


def lab_is_here() -> bool:
    """Looks for its package: reading entry points would import 46 modules, a third of what help
    does."""
    return find_spec("newsloom_lab") is not None


def is_here(row: Command) -> bool:
    return bool(row.place) or lab_is_here()


def loaded(row: Command) -> Any:
    """The command or group of a row, imported now. Raises UserError for one of an absent lab."""
    found = target(row)
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


def target(row: Command) -> Any:
    """What a row runs: a function, or an app of several commands."""
    return (_of_lab(row.name) if row.lab else None) or _of_product(row)


def _of_lab(name: str) -> Any:
    """What newsloom-lab has under that name; None when it is not installed."""
    from importlib.metadata import entry_points  # here: most commands need none

    found = tuple(entry_points(group=ENTRY_POINTS, name=name))
    return found[0].load() if found else None


def _of_product(row: Command) -> Any:
    if not row.place:
        raise UserError(f"`newsloom {row.name}` comes with {INSTALL}")
    module, _, name = row.place.partition(":")
    return getattr(import_module(f"newsloom.{module}"), name)


def _emphasised(text: str) -> str:
    """With its headings bold, where a terminal shows it."""
    return _HEADING.sub(lambda found: typer.style(found[0], bold=True), text)


# What a person gave for an option or argument, as the type its function takes. Typer checks
# values by Pydantic, whose import takes longer than a list of articles; it does so still for
# every type that is not one of these or a StrEnum.

# Each with what the error message asks for.
KINDS: dict[Any, tuple[Callable[[str], Any], str]] = {
    str: (str, "text"),
    int: (int, "a whole number"),
    float: (float, "a number"),
    Path: (Path, "a path"),
    bool: ({"true": True, "false": False}.__getitem__, "true or false"),
}


# What help calls a value; Typer's own are Python's, such as <list[int]>.
SHOWN: dict[Any, str] = {str: "<text>", int: "<number>", float: "<number>", Path: "<file>"}


@dataclass(frozen=True, slots=True)
class Plain:
    """Stands where Typer puts its adapter of Pydantic."""

    kind: Any
    many: bool
    least: float | None
    most: float | None

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """None for what was not given. Raises BadParameter."""
        if value is None:
            return () if self.many else None
        if self.many:
            return [self._one(one, param, ctx) for one in value]
        return self._one(value, param, ctx)

    def _one(self, value: Any, param: Any, ctx: Any) -> Any:
        make, words = _making(self.kind)
        try:
            found = value if isinstance(value, self.kind) else make(value)
        except (ValueError, KeyError):
            raise typer.BadParameter(f"{value!r} is not {words}.", ctx, param) from None
        if self.least is not None and not found >= self.least:
            raise typer.BadParameter(f"{value} is less than {self.least}.", ctx, param)
        if self.most is not None and not found <= self.most:
            raise typer.BadParameter(f"{value} is more than {self.most}.", ctx, param)
        return found


def _is_choice(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, StrEnum)


def _making(kind: Any) -> tuple[Callable[[str], Any], str]:
    """What makes a value of a text, and the words for what a person is to give."""
    return (kind, f"one of {', '.join(kind)}") if _is_choice(kind) else KINDS[kind]


def _shown(words: str, _ctx: Any) -> str:
    return words


def with_plain_values(params: list[Any]) -> list[Any]:
    """The parameters of a command, those of plain kinds to be checked here.

    `_runtime_param` is where Typer keeps what it would make at the first value. A Typer without it
    goes its own way, and takes its time.
    """
    for param in params:
        descriptor: Any = getattr(param, "type_descriptor", None)
        annotation = getattr(descriptor, "annotation", None)
        many = get_origin(annotation) is list
        kind = get_args(annotation)[0] if many else annotation
        if kind in KINDS or _is_choice(kind):
            limits = descriptor.parameter_info
            param._runtime_param = Plain(kind, many, limits.min, limits.max)  # noqa: SLF001
        if kind in SHOWN:
            param.display_type = partial(_shown, SHOWN[kind])
    return params
