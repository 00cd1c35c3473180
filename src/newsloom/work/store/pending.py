"""What is left to do of each stage, as queries: a left join with the results there are.

A new stage is a query, what tells the version of its input, and a row in SOURCES. Leases and
failures are only looked past here; leases.py writes them.

The database notes articles that may have work (store/migrations/work_notes.py), and each stage
remembers the note up to which nothing was left. A query reads only articles noted since; it scans
all of them the first time, and when more was noted than is kept.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, Row, TextClause, text

from newsloom.articles.store.derived import digests
from newsloom.articles.store.tables import SHOWN
from newsloom.kernel.db import producers
from newsloom.kernel.db.sql import CHUNK, many, rows_of
from newsloom.work.values import StageKey, WorkKey


@dataclass(frozen=True, slots=True)
class Window:
    """A part of a stage's order, both ends in it."""

    low: WorkKey
    high: WorkKey
    trying: int = 0  # an article that is looked at though it is set aside
    leased: bool = False  # what somebody holds is found too


_LEAST, _MOST = -(2**63), 2**63 - 1
EVERYTHING = Window(WorkKey(_LEAST, _LEAST), WorkKey(_MOST, _MOST))

PendingQuery = Callable[[Connection, StageKey, Window, int], Sequence[WorkKey]]
Versions = Callable[[Connection, Sequence[int]], Mapping[int, str]]


@dataclass(frozen=True, slots=True)
class Source:
    """Where a stage finds its work."""

    pending: PendingQuery  # of pending articles that nobody holds, in the order of the stage
    versions: Versions  # what tells the text of each article; those without one are absent
    ascending: bool = False
    serial: bool = False  # one worker at a time
    noted: bool = True  # whatever makes work is noted; else an index has what is pending


# Fewer new notes than that are looked at again each time, rather than written down as done.
STEP = 500

# So many notes are kept. A stage that is further behind looks at all articles.
MOST = 20_000

_NOTES = text("""
    SELECT (SELECT note_id FROM work_done WHERE stage = :stage) AS done,
        COALESCE((SELECT MAX(id) FROM work_notes), 0) AS newest
""")
_SINCE = text("SELECT DISTINCT article_id FROM work_notes WHERE id > :done")
_REMEMBER = text("""
    INSERT INTO work_done (stage, note_id) VALUES (:stage, :note)
    ON CONFLICT (stage) DO UPDATE SET note_id = excluded.note_id
""")
_FORGET = (
    text("DELETE FROM work_done WHERE note_id < :old"),
    # Not all at once, so that no other writer waits for long.
    text(f"""
        DELETE FROM work_notes
        WHERE id <= :old AND id < (SELECT MIN(id) FROM work_notes) + {MOST}
    """),  # noqa: S608
)
_BETWEEN = "BETWEEN :low_id AND :high_id"


def _free(id_: str, *, dated: str = "") -> str:
    """Conditions: in the window, in nobody's range, not set aside."""
    ranges = (
        f"({dated}, {id_}) BETWEEN ({{low}}, {{low_id}}) AND ({{high}}, {{high_id}})"
        if dated
        else f"{id_} BETWEEN {{low_id}} AND {{high_id}}"
    )
    window = ranges.format(low=":low", low_id=":low_id", high=":high", high_id=":high_id")
    leased = ranges.format(low="b.low", low_id="b.low_id", high="b.high", high_id="b.high_id")
    return f"""
        {window}
        AND NOT EXISTS (
            SELECT 1 FROM work_batches b
            WHERE b.stage = :leased AND b.scope = :scope AND {leased}
        )
        AND NOT EXISTS (
            SELECT 1 FROM work_failures w
            WHERE w.stage = :stage AND w.scope = :scope AND w.article_id = {id_}
            AND w.article_id <> :trying
        )
    """  # noqa: S608


def _there(of: str, id_: str) -> str:
    """A condition: it was not removed for its age; see store/retention."""
    return (
        f"NOT EXISTS (SELECT 1 FROM aged_articles g WHERE g.article_id = {id_}"  # noqa: S608
        f" AND g.{of}_at IS NOT NULL)"
    )


_TEXTS = f"""
    SELECT a.original_id AS id FROM articles a
    LEFT JOIN texts t ON t.article_id = a.original_id AND t.maker_id = :maker
    WHERE a.id = a.original_id AND t.article_id IS NULL AND {_free("a.original_id")}
    AND {_there("texts", "a.original_id")}
    ORDER BY a.original_id DESC LIMIT :limit
"""  # noqa: S608
_SIGNATURES = f"""
    SELECT t.article_id AS id FROM texts t
    LEFT JOIN signatures s ON s.maker_id = :maker AND s.article_id = t.article_id
    WHERE t.maker_id = :input AND s.article_id IS NULL AND {_free("t.article_id")}
    ORDER BY t.article_id LIMIT :limit
"""  # noqa: S608
_VECTORS = f"""
    SELECT t.article_id AS id FROM texts t
    LEFT JOIN embeddings e ON e.maker_id = :maker AND e.article_id = t.article_id
    WHERE t.maker_id > 0 AND e.article_id IS NULL AND {_free("t.article_id")}
    AND {_there("vectors", "t.article_id")}
    ORDER BY t.article_id DESC LIMIT :limit
"""  # noqa: S608
# Only articles whose language is one of `:languages`, as ",zh,ja,": two letters or three, and what
# may follow them ("zh-CN").
_GROUPED = f"""
    SELECT t.article_id AS id FROM texts t
    JOIN articles a ON a.id = t.article_id
    LEFT JOIN embeddings e ON e.maker_id = :maker AND e.article_id = t.article_id
    WHERE t.maker_id > 0 AND e.article_id IS NULL AND (
        (SUBSTR(a.language, 3, 1) IN ('', '-', '_')
            AND CAST(:languages AS TEXT) LIKE '%,' || LOWER(SUBSTR(a.language, 1, 2)) || ',%')
        OR (SUBSTR(a.language, 4, 1) IN ('', '-', '_')
            AND CAST(:languages AS TEXT) LIKE '%,' || LOWER(SUBSTR(a.language, 1, 3)) || ',%')
    ) AND a.language <> '' AND {_free("t.article_id")}
    AND {_there("vectors", "t.article_id")}
    ORDER BY t.article_id DESC LIMIT :limit
"""  # noqa: S608
_STORIES = f"""
    SELECT e.article_id AS id FROM embeddings e
    CROSS JOIN texts t
    LEFT JOIN story_members m ON m.article_id = e.article_id AND m.maker_id = :maker
    WHERE e.maker_id = :input AND t.article_id = e.article_id AND m.article_id IS NULL
    AND {_free("e.article_id")}
    ORDER BY e.article_id LIMIT :limit
"""  # noqa: S608
_RATINGS = f"""
    SELECT e.article_id AS id FROM embeddings e
    LEFT JOIN ratings r ON r.maker_id = :maker AND r.article_id = e.article_id
    WHERE e.maker_id = :input AND r.article_id IS NULL AND {_free("e.article_id")}
    ORDER BY e.article_id DESC LIMIT :limit
"""  # noqa: S608
_SCORES = text(f"""
    SELECT s.dated_at AS place, s.article_id AS id
    FROM states s CROSS JOIN embeddings e CROSS JOIN ratings r
    WHERE s.user_id = :scope AND s.scored_by = :scorer
    AND e.maker_id = :vectors AND e.article_id = s.article_id
    AND r.maker_id = :ratings AND r.article_id = s.article_id
    AND {_free("s.article_id", dated="s.dated_at")}
    ORDER BY s.dated_at DESC, s.article_id DESC LIMIT :limit
""")  # noqa: S608
_IMPORTANCES = f"""
    SELECT g.article_id AS id FROM signatures g
    LEFT JOIN importances i ON i.maker_id = :maker AND i.article_id = g.article_id
    WHERE g.maker_id > 0 AND i.article_id IS NULL AND {_free("g.article_id")}
    ORDER BY g.article_id DESC LIMIT :limit
"""  # noqa: S608
# Older articles than `recent` keep what they were weighed by: their order has settled.
_POINTS = text(f"""
    SELECT s.dated_at AS place, s.article_id AS id
    FROM states s CROSS JOIN importances i
    WHERE s.user_id = :scope AND s.weighed_by = :scorer AND s.dated_at >= :recent
    AND i.maker_id = :signals AND i.article_id = s.article_id
    AND {_free("s.article_id", dated="s.dated_at")}
    ORDER BY s.dated_at DESC, s.article_id DESC LIMIT :limit
""")  # noqa: S608
_SAME_EVENT = f"""
    SELECT e.article_id AS id FROM embeddings e
    JOIN texts t ON t.article_id = e.article_id
    JOIN signatures g ON g.article_id = e.article_id
    LEFT JOIN same_event_marks m
        ON m.maker_id = :maker AND m.article_id = e.article_id AND m.digest = t.digest
    WHERE e.maker_id = :input AND m.article_id IS NULL AND {_free("e.article_id")}
    ORDER BY e.article_id DESC LIMIT :limit
"""  # noqa: S608
# What has no text yet waits for it. Of one reader, the newest first.
_RULES = f"""
    SELECT q.article_id AS id FROM rule_queue q CROSS JOIN texts t
    WHERE q.user_id = :scope AND t.article_id = q.article_id AND t.maker_id > 0
    AND {_free("q.article_id")}
    ORDER BY q.article_id DESC LIMIT :limit
"""  # noqa: S608
_NEXT_WEIGHER = text(
    "SELECT MIN(weighed_by) FROM states WHERE user_id = :user AND weighed_by > :last"
)
_NEXT_SCORER = text("SELECT MIN(scored_by) FROM states WHERE user_id = :user AND scored_by > :last")
_TEXT_VERSIONS = many(f"""
    SELECT o.id, f.title, f.id AS fullest, f.version_at, f.content_hash, p.at AS page_at
    FROM articles o JOIN articles f ON f.id = o.fullest_id {SHOWN} WHERE o.id IN :ids
""")  # noqa: S608


def values_of(key: StageKey, window: Window, limit: int) -> dict[str, Any]:
    """What every query of pending work names."""
    return {
        "stage": key.name,
        "leased": "" if window.leased else key.name,
        "scope": key.scope,
        "low": window.low.at,
        "low_id": window.low.article,
        "high": window.high.at,
        "high_id": window.high.article,
        "trying": window.trying,
        "limit": limit,
    }


def _by_id(words: str) -> PendingQuery:
    """The places of a stage in the order of its articles' ids."""
    of_all, of_some = text(words), many(words.replace(_BETWEEN, "IN :ids"))

    def places(
        connection: Connection, key: StageKey, window: Window, limit: int
    ) -> Sequence[WorkKey]:
        values = values_of(key, window, limit)
        values["maker"] = producers.known(connection, key.producer)
        if key.inputs:
            values["input"] = producers.known(connection, key.inputs[0])
            values["languages"] = key.inputs[0]
        ids = None if window.trying else _noted(connection, key)
        if ids is None:
            return [WorkKey(one, one) for one in connection.scalars(of_all, values)]
        ids = [one for one in ids if window.low.article <= one <= window.high.article]
        ids.sort(reverse=not SOURCES[key.stage].ascending)
        found: list[WorkKey] = []
        for start in range(0, len(ids), CHUNK):
            rows = rows_of(connection, of_some, ids[start : start + CHUNK], **values)
            found += [WorkKey(row.id, row.id) for row in rows]
            if len(found) >= limit:
                break
        return found[:limit]

    return places


def _noted(connection: Connection, key: StageKey) -> list[int] | None:
    """The articles of which a stage may have work; None: all of them."""
    done, newest = _notes(connection, key)
    if not SOURCES[key.stage].noted or done is None or newest - done > MOST:
        return None
    return list(connection.scalars(_SINCE, {"done": done}))


def _notes(connection: Connection, key: StageKey) -> tuple[int | None, int]:
    """Up to which note nothing was left of a stage, and the newest there is."""
    done, newest = connection.execute(_NOTES, {"stage": repr(key)}).one()
    return done, newest


def exhausted(connection: Connection, key: StageKey) -> int | None:
    """Up to which note nothing is left of a stage, leased or not, where that is worth remembering.

    What is set aside is noted again when it no longer is. Of one moment: in a read.
    """
    done, newest = _notes(connection, key)
    source = SOURCES[key.stage]
    if not source.noted or (done is not None and newest - done < STEP):
        return None
    left = source.pending(connection, key, replace(EVERYTHING, leased=True), 1)
    return None if left else newest


def remember(connection: Connection, key: StageKey, note: int) -> None:
    """What `exhausted` found, and forget what is older than anybody looks at."""
    connection.execute(_REMEMBER, {"stage": repr(key), "note": note})
    for statement in _FORGET:
        connection.execute(statement, {"old": note - MOST})


def _scores(connection: Connection, key: StageKey, window: Window, limit: int) -> Sequence[WorkKey]:
    """The newest first. Each scorer before the present one has its range of the index."""
    present, vectors, ratings = (
        producers.known(connection, name) for name in (key.producer, *key.inputs)
    )
    values = values_of(key, window, limit) | {"vectors": vectors, "ratings": ratings}
    ranges = [
        connection.execute(_SCORES, values | {"scorer": scorer}).all()
        for scorer in _each(connection, _NEXT_SCORER, key.scope)
        if scorer != present
    ]
    return _newest(ranges, limit)


def _points(connection: Connection, key: StageKey, window: Window, limit: int) -> Sequence[WorkKey]:
    """The newest first, as `_scores`; what nothing weighed yet however old it is."""
    signals, recent = key.inputs
    present = producers.known(connection, key.producer)
    values = values_of(key, window, limit) | {"signals": producers.known(connection, signals)}
    ranges = [
        connection.execute(
            _POINTS,
            values | {"scorer": one, "recent": int(recent) if one else _LEAST},
        ).all()
        for one in _each(connection, _NEXT_WEIGHER, key.scope)
        if one != present
    ]
    return _newest(ranges, limit)


def _newest(ranges: Iterable[Sequence[Any]], limit: int) -> Sequence[WorkKey]:
    newest = heapq.merge(*ranges, key=tuple, reverse=True)
    return [WorkKey(*row) for row, _ in zip(newest, range(limit), strict=False)]


def _each(connection: Connection, following: TextClause, user: int) -> Iterable[int]:
    """Who scored, or weighed, anything of a reader; each found by one step in the index."""
    last = producers.UNKNOWN
    while (one := connection.scalar(following, {"user": user, "last": last})) is not None:
        yield one
        last = one


def text_version(row: Row[Any]) -> str:
    """What tells the version of an article that its text is read from."""
    return repr((row.fullest, row.version_at, row.content_hash, row.title, row.page_at))


def _text_versions(connection: Connection, ids: Sequence[int]) -> Mapping[int, str]:
    return {row.id: text_version(row) for row in rows_of(connection, _TEXT_VERSIONS, ids)}


def _digests(connection: Connection, ids: Sequence[int]) -> Mapping[int, str]:
    return {one: str(digest) for one, digest in digests(connection, ids).items()}


SOURCES = {
    "text": Source(_by_id(_TEXTS), _text_versions),
    "rules": Source(_by_id(_RULES), _digests, noted=False),
    "duplicates": Source(_by_id(_SIGNATURES), _digests, ascending=True, serial=True),
    "importance": Source(_by_id(_IMPORTANCES), _digests),
    "interest": Source(_points, _digests, noted=False),
    "embed": Source(_by_id(_VECTORS), _digests),
    "same event": Source(_by_id(_SAME_EVENT), _digests),
    "embed for heads": Source(_by_id(_VECTORS), _digests),
    "embed anew": Source(_by_id(_VECTORS), _digests),
    "embed languages": Source(_by_id(_GROUPED), _digests),
    "stories": Source(_by_id(_STORIES), _digests, ascending=True, serial=True),
    "sensitivity": Source(_by_id(_RATINGS), _digests),
    "relevance": Source(_scores, _digests, noted=False),
}
