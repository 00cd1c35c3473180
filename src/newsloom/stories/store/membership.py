"""Memberships, and what stories are made of by them: written together. SQL only."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, delete, insert, text, update

from newsloom.kernel.db import producers
from newsloom.kernel.db.columns import micros
from newsloom.kernel.db.sql import CHUNK, many, rows_of
from newsloom.kernel.ids import ArticleId, UserId
from newsloom.stories.store.tables import stories, story_centroids, story_members
from newsloom.stories.values.pages import Membership, StoryId, StoryState

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TOTAL = "<f4"  # of a centroid: half precision would lose the thousandth member

NOW_IN = many("SELECT article_id, story_id FROM story_members WHERE article_id IN :ids")
_DATES = many("SELECT id, dated_at FROM articles WHERE id IN :ids")
_MEMBERS = many("SELECT article_id, story_id FROM story_members WHERE story_id IN :ids")
_CENTROIDS = many(
    "SELECT story_id, size, total FROM story_centroids WHERE maker_id = :maker AND story_id IN :ids"
)
_PUT = text("""
    INSERT INTO story_members
        (article_id, maker_id, story_id, dated_at, since, probability, decided_by, relation)
    VALUES (:article, :maker, :story, :dated, :since, :probability, :by, :relation)
    ON CONFLICT (article_id) DO UPDATE SET maker_id = excluded.maker_id,
        story_id = excluded.story_id, dated_at = excluded.dated_at,
        since = CASE story_members.story_id WHEN excluded.story_id
            THEN story_members.since ELSE excluded.since END,
        probability = excluded.probability, decided_by = excluded.decided_by,
        relation = excluded.relation
""")
_PUT_CENTROID = text("""
    INSERT INTO story_centroids (story_id, maker_id, size, total)
    VALUES (:story, :maker, :size, :total)
    ON CONFLICT (story_id, maker_id) DO UPDATE SET size = excluded.size, total = excluded.total
""")
_REFRESH = many("""
    UPDATE stories SET
        size = (SELECT COUNT(*) FROM story_members m WHERE m.story_id = stories.id),
        began = COALESCE(
            (SELECT MIN(m.dated_at) FROM story_members m WHERE m.story_id = stories.id), began),
        latest = COALESCE(
            (SELECT MAX(m.dated_at) FROM story_members m WHERE m.story_id = stories.id), latest)
    WHERE id IN :ids
""")
_MAKERS = many("SELECT DISTINCT maker_id FROM story_centroids WHERE story_id IN :ids")


def begin(connection: Connection, begun: Sequence[tuple[StoryId, datetime]]) -> None:
    """Stories without members yet, under the numbers given."""
    if begun:
        values = [
            {"id": story, "state": str(StoryState.ACTIVE), "began": dated, "latest": dated}
            for story, dated in begun
        ]
        connection.execute(insert(stories), values)


def put_members(
    connection: Connection,
    members: Sequence[Membership],
    now: datetime,
    *,
    producer: int | None = None,
    vectors: int | None = None,
) -> None:
    """Put articles into stories, out of those that they were in.

    `maker`: who judged them; None leaves who did. `vectors`: of whose the centroids are counted;
    None: of all that the stories have centroids of.
    """
    if not members:
        return
    ids = [one.article for one in members]
    before = {row.article_id: row.story_id for row in rows_of(connection, NOW_IN, ids)}
    dates = {row.id: row.dated_at for row in rows_of(connection, _DATES, ids)}
    judged = _makers_of(connection, ids) if producer is None else {}
    connection.execute(
        _PUT,
        [
            {
                "article": one.article,
                "maker": producer
                if producer is not None
                else judged.get(one.article, producers.NOBODY),
                "story": one.story,
                "dated": dates[one.article],
                "since": micros(now),
                "probability": one.probability,
                "by": one.by,
                "relation": one.relation,
            }
            for one in members
            if one.article in dates
        ],
    )
    again = set(before.values())
    joined: dict[int, list[ArticleId]] = defaultdict(list)
    for one in members:
        if one.story not in again:
            joined[one.story].append(one.article)
    of = [vectors] if vectors is not None else _centroid_makers(connection, [*again, *joined])
    for each in of:
        _add(connection, each, joined)
        count_again(connection, each, sorted(again))
    refresh(connection, again | joined.keys())
    tell_lists(connection, sorted(again | joined.keys()))


def _makers_of(connection: Connection, ids: Sequence[int]) -> dict[int, int]:
    query = many("SELECT article_id, maker_id FROM story_members WHERE article_id IN :ids")
    return {row.article_id: row.maker_id for row in rows_of(connection, query, ids)}


def _centroid_makers(connection: Connection, ids: Sequence[int]) -> list[int]:
    return sorted({row.maker_id for row in rows_of(connection, _MAKERS, ids)})


def refresh(connection: Connection, ids: Iterable[int]) -> None:
    """The size and the dates of stories, as their members have them."""
    wanted = sorted(ids)
    for start in range(0, len(wanted), CHUNK):
        connection.execute(_REFRESH, {"ids": wanted[start : start + CHUNK]})


def centroids(
    connection: Connection, vectors: int, ids: Sequence[int]
) -> dict[int, tuple[int, NDArray[np.float32]]]:
    """How many vectors are in the sum of each story, and the sum."""
    import numpy as np

    return {
        row.story_id: (row.size, np.frombuffer(row.total, TOTAL))
        for row in rows_of(connection, _CENTROIDS, ids, maker=vectors)
    }


def _add(connection: Connection, vectors: int, joined: Mapping[int, Sequence[ArticleId]]) -> None:
    """Add what is new in stories that nothing left; count those that this encoder never counted."""
    import numpy as np

    from newsloom.ranking.store.vectors import by_article

    known = centroids(connection, vectors, list(joined))
    found = by_article(connection, vectors, [one for story in known for one in joined[story]])
    values = []
    for story, (size, total) in known.items():
        lines = [found[one] for one in joined[story] if one in found]
        if lines:
            whole = total + np.sum(lines, axis=0)
            values.append(_centroid(story, vectors, size + len(lines), whole))
    if values:
        connection.execute(_PUT_CENTROID, values)
    count_again(connection, vectors, sorted(joined.keys() - known.keys()))


def count_again(connection: Connection, vectors: int, ids: Sequence[int]) -> None:
    """Centroids from the members there are: exact, whatever left or was encoded anew."""
    import numpy as np

    from newsloom.ranking.store.vectors import by_article

    by_story: dict[int, list[int]] = defaultdict(list)
    for row in rows_of(connection, _MEMBERS, ids):
        by_story[row.story_id].append(row.article_id)
    values, empty = [], []
    for story in ids:
        lines = list(by_article(connection, vectors, by_story.get(story, [])).values())
        if lines:
            values.append(_centroid(story, vectors, len(lines), np.sum(lines, axis=0)))
        else:
            empty.append(story)
    if values:
        connection.execute(_PUT_CENTROID, values)
    for start in range(0, len(empty), CHUNK):
        connection.execute(
            delete(story_centroids).where(
                story_centroids.c.maker_id == vectors,
                story_centroids.c.story_id.in_(empty[start : start + CHUNK]),
            )
        )


def _centroid(story: int, vectors: int, size: int, total: Any) -> dict[str, Any]:
    import numpy as np

    return {
        "story": story,
        "maker": vectors,
        "size": size,
        "total": np.asarray(total, TOTAL).tobytes(),
    }


def merge(
    connection: Connection,
    gone: int,
    kept: int,
    now: datetime,
    *,
    vectors: int | None = None,
    by: str | None = None,
) -> None:
    """Give all articles of a story, and its followers, to another."""
    mine = many("""
        SELECT article_id, probability, decided_by, relation FROM story_members
        WHERE story_id IN :ids
    """)
    members = [
        Membership(
            ArticleId(row.article_id),
            StoryId(kept),
            row.probability,
            by or row.decided_by,
            row.relation,
        )
        for row in rows_of(connection, mine, [gone])
    ]
    put_members(connection, members, now, vectors=vectors)
    connection.execute(
        update(stories)
        .where((stories.c.id == gone) | (stories.c.merged_into == gone))
        .values(merged_into=kept, thread_id=None)
    )
    _hand_on_readers(connection, gone, kept)


def _hand_on_readers(connection: Connection, gone: int, kept: int) -> None:
    """Who followed or muted the one does the other, unless they said something of that."""
    values = {"gone": gone, "kept": kept}
    connection.execute(
        text("""
            UPDATE story_readers SET (stand, stand_at) = (
                SELECT g.stand, g.stand_at FROM story_readers g
                WHERE g.user_id = story_readers.user_id AND g.story_id = :gone
            ) WHERE story_id = :kept AND stand = 0 AND user_id IN (
                SELECT user_id FROM story_readers WHERE story_id = :gone
            )
        """),
        values,
    )
    connection.execute(
        text("""
            INSERT INTO story_readers (user_id, story_id, stand, looked_at, stand_at)
            SELECT g.user_id, :kept, g.stand, g.looked_at, g.stand_at FROM story_readers g
            WHERE g.story_id = :gone AND NOT EXISTS (
                SELECT 1 FROM story_readers k
                WHERE k.user_id = g.user_id AND k.story_id = :kept
            )
        """),
        values,
    )
    connection.execute(text("DELETE FROM story_readers WHERE story_id = :gone"), values)


def judge_again(connection: Connection, ids: Sequence[int]) -> None:
    """The texts of articles have changed: they stay where they are until they are judged."""
    for start in range(0, len(ids), CHUNK):
        connection.execute(
            update(story_members)
            .where(story_members.c.article_id.in_(ids[start : start + CHUNK]))
            .values(maker_id=producers.NOBODY)
        )


# Scored anew: the raise of a followed story is part of a score. Those of stories that nobody
# follows any more too: a stand is kept, as 0.
_RESCORE = many(f"""
    UPDATE states SET scored_by = {producers.NOBODY}
    WHERE scored_by <> {producers.NOBODY} AND EXISTS (
        SELECT 1 FROM story_members m JOIN story_readers r ON r.story_id = m.story_id
        WHERE m.article_id = states.article_id AND r.user_id = states.user_id
        AND m.story_id IN :ids
    )
""")  # noqa: S608
# As what was read elsewhere is: what a reader marked stays as it is.
_MUTE = many("""
    UPDATE states SET read = TRUE
    WHERE read = FALSE AND starred = FALSE AND rating = 0 AND later = FALSE AND EXISTS (
        SELECT 1 FROM story_members m JOIN story_readers r ON r.story_id = m.story_id
        WHERE m.article_id = states.article_id AND r.user_id = states.user_id
        AND m.story_id IN :ids AND r.stand < 0
    )
""")
_KNOWN = many("SELECT DISTINCT story_id FROM story_readers WHERE story_id IN :ids")
_FOLLOWED = many("""
    SELECT m.article_id FROM story_members m JOIN story_readers r ON r.story_id = m.story_id
    WHERE m.article_id IN :ids AND r.user_id = :user AND r.stand > 0
""")


def tell_lists(connection: Connection, stories: Sequence[int]) -> None:
    """Stories have other articles, or readers stand to them otherwise."""
    known = [row.story_id for row in rows_of(connection, _KNOWN, stories)]
    for start in range(0, len(known), CHUNK):
        values = {"ids": known[start : start + CHUNK]}
        connection.execute(_RESCORE, values)
        connection.execute(_MUTE, values)


def followed(
    connection: Connection, user: UserId, articles: Sequence[ArticleId]
) -> frozenset[ArticleId]:
    """Those of the articles that are of stories the reader follows."""
    rows = rows_of(connection, _FOLLOWED, articles, user=user)
    return frozenset(ArticleId(row.article_id) for row in rows)
