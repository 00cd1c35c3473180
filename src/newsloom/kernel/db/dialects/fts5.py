"""Full text by SQLite's FTS5. The only place that speaks it: words in, SQL out.

The index is over a view of the texts, folded and parted by kernel/text/folding.py; its own
tokenizer only lowers ASCII and parts it at what is neither letter nor digit. Every word is quoted,
so nothing that was typed is an operator of FTS5.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, text

from newsloom.kernel.db.phrases import Words

# What finds the texts that match `:match`, to be joined with the states `s`.
TABLE = "texts_search"
JOINED = "texts_search MATCH :match AND s.article_id = texts_search.rowid"
NEWEST_FIRST = "texts_search.rowid DESC"

# How well a text matches; the higher the better. A word in the title says more than one in the
# lead, and that more than one further down. Whole numbers, so that a page can go on from one.
STANDING = f"CAST({-(2**40)} * bm25(texts_search, 8.0, 2.0, 1.0) AS INTEGER)"

_COUNT = text(
    "SELECT COUNT(*) FROM"
    " (SELECT 1 FROM texts_search WHERE texts_search MATCH :match LIMIT :most) AS few"
)
_ONE = text(
    f"SELECT {STANDING} FROM texts_search WHERE texts_search MATCH :match AND rowid = :article"  # noqa: S608
)


def among(name: str) -> str:
    """A condition on the state `s`: its article's text matches. All that match are found once."""
    return f"s.article_id IN (SELECT rowid FROM texts_search WHERE texts_search MATCH :{name})"  # noqa: S608


def each(name: str) -> str:
    """The same, asked of one article at a time: a tenth of a millisecond each."""
    return (
        "EXISTS (SELECT 1 FROM texts_search"  # noqa: S608
        f" WHERE texts_search MATCH :{name} AND rowid = s.article_id)"
    )


def expression(words: Words) -> str:
    """One word or phrase, in each spelling that is indexed."""
    from newsloom.kernel.text import folding  # lists without words do not need it

    found = folding.phrases(words.text, prefix=words.prefix) or (folding.NOTHING,)
    either = " OR ".join(f'"{" ".join(one.words)}"{"*" if one.prefix else ""}' for one in found)
    return f"{{title}} : ({either})" if words.in_title else f"({either})"


def match(wanted: Sequence[Sequence[Words]], unwanted: Sequence[Words]) -> str:
    """What has one of each of the wanted, which are some, and none of the unwanted."""
    one_of_each = " AND ".join(f"({_any(words)})" for words in wanted)
    return f"({one_of_each}) NOT ({_any(unwanted)})" if unwanted else one_of_each


def _any(words: Sequence[Words]) -> str:
    return " OR ".join(expression(one) for one in words)


def count(connection: Connection, match: str, most: int) -> int:
    """How many texts match, of all readers'; counted no further than `most`."""
    return connection.scalar(_COUNT, {"match": match, "most": most}) or 0


def rank(connection: Connection, match: str, article: int) -> int | None:
    """How well one text matches now; None when it does not."""
    found = connection.scalar(_ONE, {"match": match, "article": article})
    return None if found is None else int(found)


def put(connection: Connection, texts: Sequence[Mapping[str, Any]]) -> None:
    """Triggers keep the index in step with the table of texts."""
