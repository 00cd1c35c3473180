"""A reader described in a small TOML file: how it is told, started, and asked what it has.

docs/work/politeness.md says what each key means. Starts nothing.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from newsloom.kernel.errors import UserError
from newsloom_lab.politeness.readers.driver import CAPABILITIES

# The description itself; files, commands and the environment have tables of their own.
KEYS = {"name", "capabilities", "loop_minutes", "limit_seconds", "notes"}
TABLES = {"files", "commands", "environment", "session", "articles"}
COMMANDS = {"version", "subscribe", "unsubscribe", "poll", "refresh", "articles", "feeds", "opml"}


@dataclass(frozen=True, slots=True)
class Description:
    """What a file says. Every text may hold {folder}, {url}, {list}, {python}, {here}..."""

    name: str
    folder: Path = Path()  # where the file is
    capabilities: frozenset[str] = frozenset()
    loop_minutes: float = 60.0  # how often its own loop, or its user, lets it look
    limit_seconds: float = 75.0  # real ones that one step may take
    notes: str = ""
    files: tuple[tuple[str, str], ...] = ()  # path in its folder, and text; written before a step
    commands: tuple[tuple[str, tuple[str, ...]], ...] = ()
    environment: tuple[tuple[str, str], ...] = ()
    session: tuple[str, ...] = ()  # instead of commands: a program that is told line by line
    database: str = ""  # an SQLite file, and what to ask it for articles
    query: str = ""

    def command(self, name: str) -> tuple[str, ...]:
        return dict(self.commands).get(name, ())


def load(path: Path) -> Description:
    """A description from its file. Raises UserError with words."""
    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise UserError(f"{path} cannot be read: {error}.") from error
    try:
        return _described(data, path.parent)
    except (TypeError, ValueError, AttributeError, KeyError) as error:
        raise UserError(f"{path} is no description of a reader: {error}.") from error


def _described(data: Mapping[str, Any], folder: Path) -> Description:
    _known("", data, KEYS | TABLES)
    commands = data.get("commands", {})
    _known("commands.", commands, COMMANDS)
    capabilities = frozenset(data.get("capabilities", ()))
    _known("capability ", dict.fromkeys(capabilities), set(CAPABILITIES))
    articles = data.get("articles", {})
    session = tuple(map(str, data.get("session", {}).get("command", ())))
    if not session and not commands.get("poll"):
        raise ValueError("it has neither commands.poll nor session.command")
    return Description(
        name=str(data["name"]),
        folder=folder.absolute(),
        capabilities=capabilities,
        loop_minutes=float(data.get("loop_minutes", 60.0)),
        limit_seconds=float(data.get("limit_seconds", 75.0)),
        notes=str(data.get("notes", "")),
        files=_pairs(data.get("files", {})),
        commands=tuple((name, tuple(map(str, words))) for name, words in commands.items()),
        environment=_pairs(data.get("environment", {})),
        session=session,
        database=str(articles.get("sqlite", "")),
        query=str(articles.get("query", "")),
    )


def _known(where: str, data: Mapping[str, Any], names: set[str]) -> None:
    unknown = set(data) - names
    if unknown:
        raise ValueError(f"{where}{min(unknown)} is not known")


def _pairs(table: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    return tuple((str(name), str(value)) for name, value in table.items())
