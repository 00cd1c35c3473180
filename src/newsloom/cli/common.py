"""What every command uses: the session, the opened app, and tables that know where they go.

Most commands take longer to import than to run, so what few of them need is imported in functions.
"""

from __future__ import annotations

import dataclasses
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from newsloom.app import App
    from newsloom.kernel.settings import Settings


@dataclass(frozen=True, slots=True)
class Session:
    """What the root command read."""

    settings: Settings
    file: Path | None = None  # where they were read, besides the environment

    @property
    def config(self) -> str:
        """The settings file, absolute; "" without one."""
        return str(self.file.absolute()) if self.file else ""

    @contextmanager
    def open(self) -> Iterator[App]:
        """The app, closed at the end whatever happens."""
        from newsloom.app import open_app

        app = open_app(self.settings, waiting=note)
        try:
            yield app
        finally:
            app.close()


# What would end a line or a column of a table in a pipe.
_BREAKS = re.compile(r"[\t\n\v\f\r\x1c-\x1e\x85\u2028\u2029]+")

# Of tables, in columns of the terminal: what stands between two of theirs, and the least that the
# stretching one and one that must give way keep.
BETWEEN = 3
LEAST_STRETCH = 24
LEAST_WRAPPED = 10

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


def hint(text: str) -> None:
    """A line below a list, or instead of an empty one; on standard error if output is piped."""
    typer.echo(text, err=not on_terminal())


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
            say("\t".join(_BREAKS.sub(" ", cell) for cell in row))
        return
    from rich import box
    from rich.table import Table
    from rich.text import Text

    if not rows:
        say("None.")
        return
    out = console()
    narrowed = _narrowed(columns, rows, stretch, right.split(), out.width) if stretch else {}
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in columns:
        wraps = name == stretch or name in narrowed
        table.add_column(
            name,
            no_wrap=not wraps,
            overflow="fold" if wraps else "ellipsis",
            justify="right" if name in right.split() else "left",
            ratio=1 if name == stretch else None,
            width=narrowed.get(name),
        )
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    out.print(table)


def _narrowed(
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    stretch: str,
    right: Sequence[str],
    width: int,
) -> dict[str, int]:
    """The columns that wrap too, by their width, so that the one that stretches keeps some room.

    Rich would take all of it: the titles of a list were gone at 60 columns.
    """
    from rich.cells import cell_len

    cells = zip(columns, zip(*rows, strict=True), strict=True)
    wants = {name: max(map(cell_len, (name, *those))) for name, those in cells}
    room = width - BETWEEN * len(columns) - sum(wants.values()) + wants[stretch]
    needed = min(LEAST_STRETCH, wants[stretch])
    found: dict[str, int] = {}
    others = [name for name in columns if name != stretch and name not in right]
    for name in sorted(others, key=wants.__getitem__, reverse=True):
        given = min(needed - room, wants[name] - LEAST_WRAPPED)
        if given <= 0:
            break
        found[name] = wants[name] - given
        room += given
    return found


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
