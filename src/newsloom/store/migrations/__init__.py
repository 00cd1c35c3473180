"""Brings a database to the present schema, in the caller's transaction. Alembic runs the steps."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, inspect, text

from newsloom.errors import StoreError

# The last revision in versions/; a test holds it to what Alembic finds there. Kept here so that
# opening a database that is up to date need not load Alembic, which takes longer than the rest.
HEAD = "0042"

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


def upgrade(connection: Connection, place: str) -> None:
    """Run every step that is missing. A kill at any moment leaves the old schema or the new."""
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
    from newsloom.store.migrations import kept_counts, reader_changes

    kept_counts.make(connection)
    reader_changes.make(connection)
