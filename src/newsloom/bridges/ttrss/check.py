"""Whether Tiny Tiny RSS answers, what it is, and which rights are missing. Changes nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.resources import files

from psycopg import Connection

from newsloom.bridges.ttrss import reading
from newsloom.bridges.ttrss.database import READ_PATIENCE, Database
from newsloom.kernel.errors import BridgeError
from newsloom.kernel.settings import TtrssSettings

# Schema versions whose tables were compared with what is read here: Debian 12 has 140, which the
# tests run on; up to 151 (2025) no column that is used was touched.
COMPARED = (140, 151)

READS = {
    "ttrss_version": ("schema_version",),
    "ttrss_users": ("id", "login"),
    "ttrss_feed_categories": ("id", "owner_uid", "title", "parent_cat"),
    "ttrss_feeds": ("id", "owner_uid", "title", "cat_id", "site_url"),
    "ttrss_entries": (
        "id",
        "guid",
        "link",
        "title",
        "author",
        "lang",
        "comments",
        "content",
        "content_hash",
        "updated",
        "date_entered",
    ),
    "ttrss_user_entries": (
        "int_id",
        "ref_id",
        "feed_id",
        "owner_uid",
        "unread",
        "marked",
        "published",
        "last_read",
        "last_marked",
        "last_published",
        "score",
    ),
    "ttrss_tags": ("id", "tag_name", "owner_uid", "post_int_id"),
    "ttrss_labels2": ("id", "owner_uid", "caption"),
    "ttrss_user_labels2": ("label_id", "article_id"),
    "ttrss_enclosures": ("id", "post_id", "content_url", "content_type"),
}
SENSITIVITIES = ("article_id", "score", "confidence", "explanation", "last_updated")

_SERVER = """
    SELECT current_setting('server_version'), current_user,
        (SELECT rolsuper FROM pg_roles WHERE rolname = current_user), pg_is_in_recovery()
"""
_COLUMN = """
    SELECT EXISTS (
        SELECT 1 FROM pg_attribute
        WHERE attrelid = to_regclass(%(table)s) AND attname = %(column)s AND NOT attisdropped
    )
"""
_RIGHT = "SELECT has_column_privilege(%(table)s, %(column)s, %(right)s)"


@dataclass(frozen=True, slots=True)
class Check:
    """What answered."""

    answers: bool
    problem: str = ""  # why not
    server: str = ""  # "15.18"
    role: str = ""
    superuser: bool = False  # more rights than it should have
    read_only: bool = False  # a standby: scores cannot be written
    schema: int = 0
    known_schema: bool = False
    users: tuple[str, ...] = ()
    unknown_users: tuple[str, ...] = ()  # named in the settings, and not there
    missing: tuple[str, ...] = ()  # tables, columns and rights

    @property
    def good(self) -> bool:
        """Whether a synchronisation can work."""
        return self.answers and not self.missing and not self.unknown_users and not self.read_only


def check(settings: TtrssSettings) -> Check:
    """Look at everything once."""
    database = Database(settings.database, READ_PATIENCE)
    try:
        with database.connected() as connection:
            return _check(connection, settings)
    except BridgeError as error:
        return Check(answers=False, problem=str(error))
    finally:
        database.close()


def _check(connection: Connection, settings: TtrssSettings) -> Check:
    row = connection.execute(_SERVER).fetchone()
    assert row is not None
    missing = tuple(_missing(connection, settings))
    told = (
        "ttrss_version" not in " ".join(missing)
        and connection.execute("SELECT schema_version FROM ttrss_version").fetchone()
    )
    schema = told[0] if told else 0
    users = (
        ()
        if any("ttrss_users" in one for one in missing)
        else tuple(one.login for one in reading.users(connection))
    )
    return Check(
        answers=True,
        server=row[0].split()[0],
        role=row[1],
        superuser=row[2],
        read_only=row[3],
        schema=schema,
        known_schema=COMPARED[0] <= schema <= COMPARED[1],
        users=users,
        unknown_users=tuple(one for one in settings.users if users and one not in users),
        missing=missing,
    )


def rights(settings: TtrssSettings) -> list[tuple[str, str, str]]:
    """Every (table, column, right) that these settings need."""
    wanted = [(table, name, "SELECT") for table, names in READS.items() for name in names]
    wanted.append(("ttrss_user_entries", "score", "UPDATE"))
    if settings.mark_titles:
        wanted.append(("ttrss_entries", "title", "UPDATE"))
    if settings.sensitivity_table:
        for right in ("SELECT", "INSERT", "UPDATE"):
            wanted += [("time_sensitivity", name, right) for name in SENSITIVITIES]
    return wanted


def _missing(connection: Connection, settings: TtrssSettings) -> list[str]:
    found = []
    for table, column, right in rights(settings):
        place = {"table": table, "column": column}
        there = connection.execute(_COLUMN, place).fetchone()
        if not (there and there[0]):
            words = f"no column {table}.{column}"
        else:
            allowed = connection.execute(_RIGHT, {**place, "right": right}).fetchone()
            words = "" if allowed and allowed[0] else f"no right to {right} {table}.{column}"
        if words and words not in found:
            found.append(words)
    return found


_PART = re.compile(r"^-- part: (\w+)\n", re.MULTILINE)


def role_sql(*, titles: bool, sensitivity: bool) -> str:
    """To be run by a superuser in the database of Tiny Tiny RSS."""
    text = (files("newsloom.bridges.ttrss") / "data" / "role.sql").read_text(encoding="utf-8")
    base, *rest = _PART.split(text)
    parts = dict(zip(rest[::2], rest[1::2], strict=True))
    wanted = {"titles": titles, "sensitivity": sensitivity, "end": True}
    return base + "".join(parts[name] for name, on in wanted.items() if on)
