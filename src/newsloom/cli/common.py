"""What every command uses: the session, the opened app, and tables that know where they go.

All modules of commands are imported for any of them: what takes long to import is so in functions.
"""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from newsloom.settings import Settings

if TYPE_CHECKING:
    from rich.console import Console

    from newsloom.app import App
    from newsloom.types import UserId


@dataclass(frozen=True, slots=True)
class Session:
    """What the root command read."""

    settings: Settings

    @contextmanager
    def open(self) -> Iterator[App]:
        """The app, closed at the end whatever happens."""
        from newsloom.app import open_app

        app = open_app(self.settings, measure=_measure)
        try:
            yield app
        finally:
            app.close()


def _measure(app: App, user: UserId) -> str:
    from newsloom.evaluate.own import measure

    return measure(app, user)


@dataclass(frozen=True, slots=True)
class Command:
    """A row of the list of commands."""

    name: str
    function: Callable[..., None]
    help: str
    settings: Mapping[str, Any] = field(default_factory=dict)  # of its click context


Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]


def session(context: typer.Context) -> Session:
    """The session the root command left in the context."""
    found = context.obj
    assert isinstance(found, Session)
    return found


def on_terminal() -> bool:
    return sys.stdout.isatty()


def say(text: str = "") -> None:
    """A line for people or for the next program, without markup."""
    typer.echo(text)


def note(text: str) -> None:
    """Something about the work, not its result: to standard error."""
    typer.echo(text, err=True)


def console(*, stderr: bool = False) -> Console:
    from rich.console import Console

    return Console(stderr=stderr, highlight=False)


def show_table(
    columns: Sequence[str], rows: Sequence[Sequence[str]], *, stretch: str = "", right: str = ""
) -> None:
    """A table on a terminal; tab-separated lines, without a header, into a pipe.

    `stretch` names the column that may wrap, `right` those (space-separated) set to the right.
    """
    if not on_terminal():
        for row in rows:
            say("\t".join(" ".join(cell.split()) for cell in row))
        return
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in columns:
        table.add_column(
            name,
            no_wrap=name != stretch,
            overflow="fold" if name == stretch else "ellipsis",
            justify="right" if name in right.split() else "left",
            ratio=1 if name == stretch else None,
        )
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    console().print(table)


def show_json(value: Any) -> None:
    say(json.dumps(plain(value), ensure_ascii=False, indent=2 if on_terminal() else None))


def plain(value: Any) -> Any:
    """A value as JSON can hold it: dataclasses as objects, times as ISO 8601, spans as seconds."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {one.name: plain(getattr(value, one.name)) for one in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(one) for one in value]
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, timedelta):
        return value.total_seconds()
    return str(value) if isinstance(value, (Path, bytes)) else value


def age_words(age: timedelta) -> str:
    """`12 min`, `3 h`, `2 d`, as the list shows it."""
    minutes = max(int(age.total_seconds() // 60), 0)
    if minutes < 60:
        return f"{minutes} min"
    if minutes < 48 * 60:
        return f"{minutes // 60} h"
    return f"{minutes // (24 * 60)} d"
