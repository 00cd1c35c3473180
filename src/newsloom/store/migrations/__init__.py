"""Brings a database to the present schema, in the caller's transaction."""

from __future__ import annotations

from sqlalchemy import Connection, inspect, text

from newsloom.kernel.errors import StoreError

# The present schema: what an empty database gets, and what the last step leaves.
HEAD = "0053"

# The revision each step starts from, and its function in steps.py; a step goes to the next
# revision, the last one to HEAD. "": nothing but what every migration rebuilds.
STEPS = {
    "0042": "from_0042",
    "0047": "from_0047",
    "0048": "from_0048",
    "0049": "from_0049",
    "0050": "",  # reader_changes.py notes marks apart
    "0051": "",  # work_notes.py
    "0052": "",  # vector_log.py cuts faster
}
# The last commit that upgrades older schemas.
LAST_WITH_OLDER_STEPS = "7bf6d561"

# The oldest schema whose program may go on beside the present one: what came since was only added
# (tables, indexes, columns with a default), so a program that knows nothing of it works as before.
# A step that changes or removes what was there raises this to its own number. The rule, and what
# follows for updates: docs/run/scaling.md.
LEAST = "0048"


def current(connection: Connection, place: str) -> str | None:
    """The revision of a database; None when it is empty. Raises when it is not Newsloom's."""
    names = set(inspect(connection).get_table_names())
    if "alembic_version" in names:
        return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    if names:
        held = ", ".join(sorted(names)[:3])
        raise StoreError(f"{place} is not a Newsloom database. It contains {held}.")
    return None


def fits(connection: Connection, place: str) -> bool:
    """Whether this program can use the database as it is; False: it is to be upgraded.

    Raises StoreError when a newer one has changed what this one relies on.
    """
    revision = current(connection, place)
    if revision == HEAD:
        return True
    # Revisions are numbers of four digits, so they sort as they follow each other.
    if revision is None or not (revision.isdecimal() and revision > HEAD):
        return False
    # The oldest schema whose program may use this database; "": nobody noted one.
    least = str(connection.scalar(text("SELECT least FROM alembic_version")) or "")
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


def upgrade(connection: Connection, place: str) -> None:
    """Make what is missing. A kill at any moment leaves the old schema or the new.

    Another process may have done so while this one waited for its turn. Raises StoreError for a
    schema that is too old.
    """
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("SET LOCAL statement_timeout TO 0")  # a step may take long
    if fits(connection, place):
        return
    revision = current(connection, place)
    if revision is None:
        _make_everything(connection)
    else:
        from newsloom.store.migrations import steps

        for step in filter(None, _steps(revision, place)):
            getattr(steps, step)(connection)
    _make_what_follows(connection)


def _make_everything(connection: Connection) -> None:
    """Every table, index and constraint of the present schema, in an empty database."""
    from newsloom.ranking.store.nearest import pgvector
    from newsloom.store.migrations import search
    from newsloom.store.tables import metadata

    metadata.create_all(connection, checkfirst=False)
    search.make(connection)
    if connection.dialect.name == "postgresql":
        pgvector.make(connection)
    # The name and the first column are those of Alembic, which made the stores of early versions.
    connection.exec_driver_sql(
        "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY, least TEXT)"
    )


def _steps(revision: str, place: str) -> tuple[str, ...]:
    """The steps from a revision on."""
    if revision not in STEPS:
        raise StoreError(
            f"The database {place} has the schema {revision}, which this Newsloom cannot upgrade: "
            f"it upgrades {' and '.join(STEPS)} to {HEAD}. Nothing was changed. If the schema is "
            f"older than {HEAD}, run `newsloom store migrate` of commit {LAST_WITH_OLDER_STEPS} "
            "first."
        )
    names = tuple(STEPS)
    return tuple(STEPS[name] for name in names[names.index(revision) :])


def _make_what_follows(connection: Connection) -> None:
    """What the database keeps by itself, of tables as they are now."""
    from newsloom.kernel.db.listening import make_notices
    from newsloom.store.migrations import (
        kept_counts,
        reader_changes,
        upkeep,
        vector_log,
        work_notes,
    )

    upkeep.make(connection)
    kept_counts.make(connection)
    reader_changes.make(connection)
    work_notes.make(connection)
    vector_log.make(connection)
    make_notices(connection)
    connection.exec_driver_sql("DELETE FROM alembic_version")
    connection.execute(
        text("INSERT INTO alembic_version (version_num, least) VALUES (:head, :least)"),
        {"head": HEAD, "least": LEAST},
    )
