"""What is written to Tiny Tiny RSS: scores, and if asked for titles and sensitivities.

Each statement is a transaction of its own and touches only the owner's unread entries, by their
int_id; rows that are locked are passed over, not waited for. What is written twice is as if written
once.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import psycopg
from psycopg import Connection

from newsloom.bridges.ttrss import titles
from newsloom.bridges.ttrss.database import describe, in_the_way
from newsloom.bridges.values import RemoteWrite, Written

# Rows of one statement: 200 take some five milliseconds. Halved while that takes too long.
BATCH = 200

# Single rows that are in the way this often end a run's writing: it is not the time for it.
MOST_FAILURES = 3

SCORE, SENSITIVITY, TITLE = "score", "sensitivity", "title"

Step = Callable[[Connection, int, Sequence[RemoteWrite]], Written]

_SCORES = """
    WITH wanted AS (
        SELECT * FROM unnest(%(keys)s::int[], %(scores)s::int[]) AS w(int_id, score)
    ), free AS (
        SELECT u.int_id, w.score FROM ttrss_user_entries u JOIN wanted w USING (int_id)
        WHERE u.owner_uid = %(owner)s AND u.unread AND u.score <> w.score
        ORDER BY u.int_id FOR NO KEY UPDATE OF u SKIP LOCKED
    )
    UPDATE ttrss_user_entries u SET score = free.score FROM free WHERE u.int_id = free.int_id
"""
_UNREAD = """
    SELECT int_id, score FROM ttrss_user_entries
    WHERE owner_uid = %(owner)s AND int_id = ANY(%(keys)s) AND unread
"""
_ENTRIES = """
    SELECT u.int_id, e.id, e.title,
        (SELECT count(*) FROM ttrss_user_entries o WHERE o.ref_id = e.id) AS owners
    FROM ttrss_user_entries u JOIN ttrss_entries e ON e.id = u.ref_id
    WHERE u.owner_uid = %(owner)s AND u.int_id = ANY(%(keys)s) AND u.unread
"""
# Only while the title is still the one that was read: its updater may have written another.
_TITLES = """
    WITH wanted AS (
        SELECT * FROM unnest(%(ids)s::int[], %(before)s::text[], %(after)s::text[])
            AS w(id, before, after)
    ), free AS (
        SELECT e.id, w.after FROM ttrss_entries e JOIN wanted w ON w.id = e.id
        WHERE e.title = w.before AND w.before <> w.after
        ORDER BY e.id FOR NO KEY UPDATE OF e SKIP LOCKED
    )
    UPDATE ttrss_entries e SET title = free.after FROM free WHERE e.id = free.id RETURNING e.id
"""
_SENSITIVITIES = """
    INSERT INTO time_sensitivity (article_id, score, confidence, explanation, last_updated)
    SELECT w.id, w.score, w.confidence::confidence, w.explanation, now()
    FROM unnest(
        %(ids)s::int[], %(scores)s::int[], %(confidences)s::text[], %(explanations)s::text[]
    ) AS w(id, score, confidence, explanation)
    ORDER BY w.id
    ON CONFLICT (article_id) DO UPDATE SET score = excluded.score,
        confidence = excluded.confidence, explanation = excluded.explanation,
        last_updated = excluded.last_updated
"""


def write(connection: Connection, owner: int, writes: Sequence[RemoteWrite]) -> Written:
    """Write what can be written now, kind by kind."""
    told = [
        one
        for kind, step in STEPS
        for one in _in_batches(connection, owner, [w for w in writes if w.kind == kind], step)
    ]
    return Written(
        done=tuple(write for one in told for write in one.done),
        moot=tuple(write for one in told for write in one.moot),
        problem=next((one.problem for one in told if one.problem), ""),
    )


def _in_batches(
    connection: Connection, owner: int, writes: Sequence[RemoteWrite], step: Step
) -> Iterator[Written]:
    size, at, failures = BATCH, 0, 0
    while at < len(writes) and failures < MOST_FAILURES:
        part = writes[at : at + size]
        try:
            yield step(connection, owner, part)
        except psycopg.Error as error:
            if not in_the_way(error):
                raise
            if size > 1:
                size = max(size // 4, 1)
                continue
            failures += 1
            yield Written(problem=describe(error))
        at += len(part)


def _scores(connection: Connection, owner: int, writes: Sequence[RemoteWrite]) -> Written:
    keys = [one.key for one in writes]
    scores = [int(one.value) for one in writes]
    connection.execute(_SCORES, {"owner": owner, "keys": keys, "scores": scores})
    rows = connection.execute(_UNREAD, {"owner": owner, "keys": keys}).fetchall()
    held: dict[int, int] = dict(rows)
    return _told(
        writes,
        done=[one for one in writes if held.get(one.key) == int(one.value)],
        moot=[one for one in writes if one.key not in held],
    )


def _sensitivities(connection: Connection, owner: int, writes: Sequence[RemoteWrite]) -> Written:
    entries = _entries(connection, owner, writes)
    here = [one for one in writes if one.key in entries]
    rows = {entries[one.key].id: json.loads(one.value) for one in here}
    if rows:
        values = {
            "ids": list(rows),
            "scores": [one["score"] for one in rows.values()],
            "confidences": [one["confidence"] for one in rows.values()],
            "explanations": [one["explanation"] for one in rows.values()],
        }
        connection.execute(_SENSITIVITIES, values)
    return _told(writes, done=here, moot=[one for one in writes if one.key not in entries])


def _titles(connection: Connection, owner: int, writes: Sequence[RemoteWrite]) -> Written:
    """An entry that another user has too keeps its title: the mark would be shown to them."""
    entries = _entries(connection, owner, writes)
    moot = [one for one in writes if not _may_be_marked(entries.get(one.key))]
    changing: dict[int, tuple[str, str]] = {}
    for one in writes:
        if one not in moot:
            entry = entries[one.key]
            original = titles.parse(entry.title).original
            changing[entry.id] = entry.title, titles.marked(original, one.value)
    values = {
        "ids": list(changing),
        "before": [before for before, _after in changing.values()],
        "after": [after for _before, after in changing.values()],
    }
    subscription = {row[0] for row in connection.execute(_TITLES, values).fetchall()}
    subscription |= {entry for entry, (before, after) in changing.items() if before == after}
    done = [one for one in writes if one not in moot and entries[one.key].id in subscription]
    return _told(writes, done=done, moot=moot)


# Scores first: they are what the rest only decorates.
STEPS: tuple[tuple[str, Step], ...] = (
    (SCORE, _scores),
    (SENSITIVITY, _sensitivities),
    (TITLE, _titles),
)


def _told(
    writes: Sequence[RemoteWrite], *, done: Sequence[RemoteWrite], moot: Sequence[RemoteWrite]
) -> Written:
    """What is neither done nor moot was passed over."""
    locked = len(writes) > len(done) + len(moot)
    return Written(tuple(done), tuple(moot), "in use there just now" if locked else "")


class _Entry(NamedTuple):
    """An entry that a user has unread, with what is the same for everybody who has it."""

    id: int
    title: str
    owners: int


def _may_be_marked(entry: _Entry | None) -> bool:
    return (
        entry is not None
        and entry.owners == 1
        and titles.SEAM not in titles.parse(entry.title).original
    )


def _entries(
    connection: Connection, owner: int, writes: Sequence[RemoteWrite]
) -> dict[int, _Entry]:
    values = {"owner": owner, "keys": [one.key for one in writes]}
    rows = connection.execute(_ENTRIES, values).fetchall()
    return {key: _Entry(*rest) for key, *rest in rows}
