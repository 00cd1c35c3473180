"""`newsloom store`: the database itself, as a whole."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from newsloom.cli.common import Json, note, say, session, show_json
from newsloom.cli.group import Commands
from newsloom.kernel.errors import UserError

if TYPE_CHECKING:
    from newsloom.store import Store

app = Commands()


@app.command("copy", help="Copy everything into another, empty database.")
def copy_(
    source: Annotated[str, typer.Argument(metavar="FROM", help="A SQLite file, or a URL.")],
    target: Annotated[
        str, typer.Argument(metavar="TO", help="The same; it must be empty, or cut off halfway.")
    ],
    as_json: Json = False,
) -> None:
    """Copy everything from one database into another, then compare the two row for row.

    A URL is postgresql://user:password@host/name, and its database must be there. A copy that was
    cut off goes on where it ended. Stop every other Newsloom first; afterwards set store.path or
    store.url. Trained weights stay where they are, beside store.path.
    """
    from newsloom.store import copying

    if "://" not in source and not Path(source).is_file():
        raise UserError(f"There is no file {source}.")
    if source == target:
        raise UserError("FROM and TO are the same.")
    read = _opened(source)
    try:
        written = _opened(target)
        try:
            done = copying.copy(read.database, written.database, _heard)
        finally:
            written.close()
    finally:
        read.close()
    if as_json:
        show_json(done)
    else:
        total = sum(done.rows.values())
        say(f"{total:,} rows in {len(done.rows)} tables copied and compared.")


@app.command("migrate", help="Bring the database to the schema of this version.")
def migrate(context: typer.Context, as_json: Json = False) -> None:
    """Bring the database to the schema of this version, as the first start does, and end.

    While another process is at it, this one waits. Says who serves pages on it now.
    """
    with session(context).open() as opened:
        schema = opened.store.schema()
        serving = opened.store.serving.serves(opened.now())
    if as_json:
        show_json({"schema": schema, "serving": serving})
        return
    say(f"The schema is {schema}.")
    for one in serving:
        say(f"{one.owner} serves pages{' and leads' if one.leads else ''}, version {one.version}.")


@app.command("neighbours", help="PostgreSQL: make what pgvector lacks to find related articles.")
def neighbours(context: typer.Context, as_json: Json = False) -> None:
    """Make pgvector's table of vectors, fill it, and index models with 200,000 vectors or more.

    Only after the extension came later than Newsloom, or once there are so many: an index of a
    million takes minutes, and nothing else is written meanwhile. What is there stays.
    """
    from newsloom.ranking.store.nearest import state

    with session(context).open() as opened:
        made = state.make(opened.store.database, note)
        text = state.describe(opened.store.database)
    if as_json:
        show_json({"made": made, "by": text})
        return
    if made.pgvector:
        say(f"{made.filled:,} vectors filled in, {len(made.indexed)} indexes made.")
    say(f"Neighbours are found by {text}.")


def _opened(place: str) -> Store:
    from newsloom.store import open_store

    return open_store(place if "://" in place else Path(place).expanduser())


def _heard(table: str, rows: int) -> None:
    if rows % 50_000 == 0:
        note(f"{table}: {rows:,} rows")
