"""Every marked title back as it was, for all users, whatever the settings say now."""

from __future__ import annotations

import psycopg

from newsloom.bridges.ttrss import titles
from newsloom.bridges.ttrss.database import WRITE_PATIENCE, Database, describe, in_the_way
from newsloom.kernel.errors import BridgeError
from newsloom.kernel.settings import TtrssSettings

BATCH = 100
MOST_FAILURES = 5

_MARKED = """
    SELECT id, title FROM ttrss_entries WHERE id > %(after)s AND title LIKE %(like)s
    ORDER BY id LIMIT %(limit)s
"""
_RESTORE = "UPDATE ttrss_entries SET title = %(original)s WHERE id = %(id)s AND title = %(title)s"


def restore_titles(settings: TtrssSettings) -> int:
    """How many were restored. Raises BridgeError when some could not be; again does the rest."""
    # The look through all titles takes as long as it takes; each write is of one row.
    patient = Database(settings.database, WRITE_PATIENCE * 1000)
    quick = Database(settings.database, WRITE_PATIENCE)
    restored = failures = after = 0
    try:
        with patient.connected() as looking, quick.connected() as writing:
            while True:
                values = {"after": after, "like": titles.LIKE, "limit": BATCH}
                rows = looking.execute(_MARKED, values).fetchall()
                if not rows:
                    return restored
                after = rows[-1][0]
                for entry, title in rows:
                    original, mark = titles.parse(title)
                    if not mark:
                        continue
                    place = {"id": entry, "title": title, "original": original}
                    try:
                        restored += writing.execute(_RESTORE, place).rowcount
                    except psycopg.Error as error:
                        failures += 1
                        if not in_the_way(error) or failures > MOST_FAILURES:
                            raise
    except psycopg.Error as error:
        raise BridgeError(f"{restored} titles restored, then {describe(error)}") from error
    finally:
        patient.close()
        quick.close()
