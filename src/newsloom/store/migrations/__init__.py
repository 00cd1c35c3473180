"""Brings a database to the present schema, in the caller's transaction. Alembic runs the steps."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from sqlalchemy import Connection, inspect, text

from newsloom.errors import StoreError

# The last revision in versions/; a test holds it to what Alembic finds there. Kept here so that
# opening a database that is up to date need not load Alembic, which takes longer than the rest.
HEAD = "0047"

# The oldest schema whose program may go on beside the present one: what came since was only added
# (tables, indexes, columns with a default), so a program that knows nothing of it works as before.
# A step that changes or removes what was there raises this to its own number. The rule, and what
# follows for updates: docs/deploying.md.
LEAST = "0047"

FOLDER = Path(__file__).parent


def current(connection: Connection, place: str) -> str | None:
    """The revision of a database; None when it is empty. Raises when it is not Newsloom's."""
    names = set(inspect(connection).get_table_names())
    if "alembic_version" in names:
        return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    if names:
        held = ", ".join(sorted(names)[:3])
        raise StoreError(f"{place} is not a Newsloom database: it holds {held}.")
    return None


def fits(connection: Connection, place: str) -> bool:
    """Whether this program can use the database as it is; False: it is to be upgraded.

    Raises StoreError when a newer one has changed what this one relies on.
    """
    revision = current(connection, place)
    if revision == HEAD:
        return True
    if revision is None or not _newer(revision):
        return False
    least = _least(connection)
    if least and least <= HEAD:
        return True
    raise StoreError(
        f"The database {place} was written by a newer Newsloom: its schema is {revision}, "
        f"and this one knows up to {HEAD}. Nothing was changed; run the newer version."
    )


def exactly(connection: Connection, place: str) -> None:
    """Raises StoreError for a schema that is not the present one, even if it can be used: what is
    copied table by table would leave out what a newer one added."""
    revision = current(connection, place)
    if revision != HEAD:
        raise StoreError(
            f"The database {place} has the schema {revision} and this Newsloom {HEAD}; copy it "
            "with the version that wrote it."
        )


def _newer(revision: str) -> bool:
    """Revisions are numbers of four digits, so they sort as they follow each other."""
    return revision.isdecimal() and revision > HEAD


def _least(connection: Connection) -> str:
    """The oldest schema whose program may use this database; "": nobody noted one."""
    return str(_version(connection).get("least") or "")


def _version(connection: Connection) -> Mapping[str, object]:
    """The row that says what the schema is; before 0038 it said no more than that."""
    row = connection.execute(text("SELECT * FROM alembic_version")).mappings().first()
    return dict(row or {})


def _note_least(connection: Connection) -> None:
    """In the row that says what the schema is: no table of ours, which copies would copy."""
    if "least" not in _version(connection):
        connection.execute(text("ALTER TABLE alembic_version ADD COLUMN least TEXT"))
    connection.execute(text("UPDATE alembic_version SET least = :least"), {"least": LEAST})


def upgrade(connection: Connection, place: str) -> None:
    """Run every step that is missing. A kill at any moment leaves the old schema or the new.

    Another process may have done so while this one waited for its turn.
    """
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("SET LOCAL statement_timeout TO 0")  # a step may take long
    if fits(connection, place):
        return
    if connection.dialect.name == "postgresql" and current(connection, place) is None:
        from newsloom.store.migrations import baseline

        baseline.make(connection, HEAD)
        _make_what_follows(connection)
        return
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory
    from alembic.util import CommandError

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    before = current(connection, place)
    if before is not None:
        try:
            ScriptDirectory.from_config(config).get_revision(before)
        except CommandError as error:
            raise StoreError(
                f"The database {place} was written by a newer Newsloom: its schema is {before}, "
                f"and this one knows up to {HEAD}. Nothing was changed; run the newer version."
            ) from error
    command.upgrade(config, HEAD)
    _make_what_follows(connection)


def _make_what_follows(connection: Connection) -> None:
    """What the database keeps by itself, of tables as they are now."""
    from newsloom.store.migrations import kept_counts, notices, reader_changes, upkeep

    upkeep.make(connection)
    kept_counts.make(connection)
    reader_changes.make(connection)
    notices.make(connection)
    _note_least(connection)
