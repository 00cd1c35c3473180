"""What readers added to one article, given to another that it becomes one with or was one with.

Within the caller's transaction. SQL only.
"""

from __future__ import annotations

from sqlalchemy import Connection, text

# Only to readers who have the other.
_HAVING = """
    AND EXISTS (SELECT 1 FROM states s WHERE s.user_id = k.user_id AND s.article_id = :to)
"""
_GIVE = tuple(
    f"""
    INSERT INTO {table} (article_id, {columns})
    SELECT CAST(:to AS BIGINT), {columns} FROM {table} k WHERE k.article_id = :of {{which}}
    ON CONFLICT DO NOTHING
    """  # noqa: S608
    for table, columns in (
        ("article_tags", "user_id, key, name, made_at"),
        ("article_notes", "user_id, text, made_at, changed_at"),
        ("highlights", 'user_id, exact, prefix, suffix, "start", note, made_at'),
    )
)
# What stands at both already: they were one before.
_TWICE = text("""
    DELETE FROM highlights WHERE article_id = :of AND EXISTS (
        SELECT 1 FROM highlights o WHERE o.article_id = :to AND o.user_id = highlights.user_id
        AND o.exact = highlights.exact AND o."start" = highlights."start"
    )
""")
_COPY = tuple(text(one.format(which=_HAVING)) for one in _GIVE)
# Of two notes the one is put under the other.
_MOVE = (
    _TWICE,
    text("""
    UPDATE article_notes SET text = article_notes.text || '\n\n' || o.text,
        changed_at = CASE WHEN o.changed_at > article_notes.changed_at THEN o.changed_at
            ELSE article_notes.changed_at END
    FROM article_notes o
    WHERE article_notes.article_id = :to AND o.article_id = :of
    AND o.user_id = article_notes.user_id AND o.text <> article_notes.text
    """),
    *(text(one.format(which="")) for one in _GIVE),
    *(
        text(f"DELETE FROM {table} WHERE article_id = :of")  # noqa: S608
        for table in ("article_tags", "article_notes", "highlights")
    ),
)


def copy(connection: Connection, of: int, to: int) -> None:
    """Both have it then: nobody knows which of the two it was added to."""
    for statement in _COPY:
        connection.execute(statement, {"of": of, "to": to})


def move(connection: Connection, of: int, to: int) -> None:
    """The other has it then, beside what it has."""
    for statement in _MOVE:
        connection.execute(statement, {"of": of, "to": to})
