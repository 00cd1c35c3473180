"""How large the database is, for `newsloom doctor`."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

from newsloom.cli.common import note, show_json, show_table

if TYPE_CHECKING:
    from newsloom.app import App
    from newsloom.kernel.settings import Settings

# From here on a database that nothing is pruned of is worth a warning: about two million articles.
LARGE = 20_000_000_000
# Of a file the disk has no room for twice, a tenth is told of.
ROOM = 0.1
# Asking SQLite for the size of each table reads the whole file.
READ_WHOLE = 500_000_000
SHOWN = 3
# Dead rows of a table that are told of: so many, and such a part of all.
MANY_DEAD, DEAD_PART = 100_000, 0.2
# Free space in a file that is told of: such a part of it, and so much.
MUCH_FREE, LEAST_FREE = 0.25, 50_000_000


def large(settings: Settings, size: int) -> bool:
    """Whether it is time to prune something: it is large, or the disk has hardly room for more."""
    if settings.store.url:  # on a disk that is not known here
        return size > LARGE
    folder = settings.store.path.parent
    return size > LARGE or shutil.disk_usage(folder).free < size * ROOM


def largest_words(app: App, size: int) -> Iterator[str]:
    """The largest tables, with their indexes, where that is told without reading all of it."""
    if not app.settings.store.url and size > READ_WHOLE:
        return
    found = app.store.retention.table_sizes()[:SHOWN]
    if found:
        words = ", ".join(f"{one.name} {one.bytes / 1e6:,.0f} MB" for one in found)
        yield f"most of it {words}"


def free_words(app: App) -> Iterator[str]:
    """Space that is neither used nor given back."""
    size, free = app.store.database.size(), app.store.retention.free_inside()
    if free > max(LEAST_FREE, size * MUCH_FREE):
        yield f"{free / 1e6:,.0f} MB of it is free (VACUUM returns it)"
    if app.settings.store.url:
        for one in app.store.retention.table_sizes():
            if one.dead_rows > max(MANY_DEAD, one.rows * DEAD_PART):
                yield f"{one.dead_rows:,} dead rows in {one.name} waiting for autovacuum"


def show_sizes(app: App, *, as_json: bool) -> None:
    """Every table and index."""
    found = app.store.retention.table_sizes()
    if as_json:
        show_json(found)
        return
    if not found:
        note("This SQLite was built without dbstat: only the size of the whole file is known.")
        return
    rows = []
    for one in found:
        number = f"{one.rows:,}" if one.rows >= 0 else ""
        rows.append((one.name, number, f"{one.bytes / 1e6:,.1f}"))
        rows += [(f"  {name}", "", f"{size / 1e6:,.1f}") for name, size in one.indexes]
    show_table(("table, and its indexes", "rows", "MB"), rows, stretch="table, and its indexes")
