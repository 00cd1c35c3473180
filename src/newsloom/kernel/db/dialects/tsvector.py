"""Full text by PostgreSQL's tsvector. The only place that speaks it: words in, SQL out.

Words are folded and parted by kernel/text/folding.py, as for FTS5: the server's own parser takes
"e-mail.example" for one word, and knows the cases of its locale alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, text

from newsloom.kernel.db.phrases import Words
from newsloom.kernel.text import folding

TABLE = "texts_search"
JOINED = "texts_search.words @@ CAST(:match AS TSQUERY) AND s.article_id = texts_search.article_id"
NEWEST_FIRST = "texts_search.article_id DESC"

# As in fulltext.py: eight for a word in the title, two in the lead, one further down. ts_rank gives
# less than one, in single precision. It is asked for any of the words: of several that must all be
# there it looks at how near they stand, and what must not be there confuses it. 1: by length.
_ANY = "(SELECT CAST(REPLACE(querytree(CAST(:match AS TSQUERY)), '&', '|') AS TSQUERY))"
_RANK = f"ts_rank('{{0.125, 0.125, 0.25, 1}}', texts_search.words, {_ANY}, 1)"
STANDING = f"CAST({2**40} * CAST({_RANK} AS DOUBLE PRECISION) AS BIGINT)"
_WEIGHTS = {"title": "A", "lead": "B", "rest": "D"}

# A tsvector ends at a megabyte, a word of it at 2,046 bytes, and knows no place beyond 16,383:
# what stands further on is found by its words and not in a phrase, so of a script without spaces
# by two characters and not by more.
MOST_WORDS = 150_000
MOST_BYTES = 400_000  # of different words
_LAST_PLACE = 16_383
# Of so many characters no text comes to any of these ends.
_SHORT = 16_000

_COUNT = text(
    "SELECT COUNT(*) FROM (SELECT 1 FROM texts_search"
    " WHERE words @@ CAST(:match AS TSQUERY) LIMIT :most) AS few"
)
_ONE = text(
    f"SELECT {STANDING} FROM texts_search"  # noqa: S608
    " WHERE words @@ CAST(:match AS TSQUERY) AND article_id = :article"
)
_PUT = text("""
    INSERT INTO texts_search (article_id, words) VALUES (:article_id, CAST(:words AS TSVECTOR))
    ON CONFLICT (article_id) DO UPDATE SET words = excluded.words
""")


def among(name: str) -> str:
    """A condition on the state `s`: its article's text matches. All that match are found once."""
    return (
        "s.article_id IN (SELECT article_id FROM texts_search"  # noqa: S608
        f" WHERE words @@ CAST(:{name} AS TSQUERY))"
    )


def each(name: str) -> str:
    """The same, asked of one article at a time."""
    return (
        "EXISTS (SELECT 1 FROM texts_search"  # noqa: S608
        f" WHERE article_id = s.article_id AND words @@ CAST(:{name} AS TSQUERY))"
    )


def expression(words: Words) -> str:
    """One word or phrase, in each spelling that is indexed."""
    label = "A" if words.in_title else ""
    found = folding.phrases(words.text, prefix=words.prefix) or (folding.NOTHING,)
    return f"({' | '.join(_phrase(one, label) for one in found)})"


def _phrase(phrase: folding.Phrase, label: str) -> str:
    ends = [f":{label}" if label else ""] * len(phrase.words)
    if phrase.prefix:
        ends[-1] = f":*{label}"
    words = [f"'{word}'{end}" for word, end in zip(phrase.words, ends, strict=True)]
    return f"({' <-> '.join(words)})"


def match(wanted: Sequence[Sequence[Words]], unwanted: Sequence[Words]) -> str:
    """What has one of each of the wanted, which are some, and none of the unwanted."""
    one_of_each = " & ".join(f"({_any(words)})" for words in wanted)
    return f"({one_of_each}) & !({_any(unwanted)})" if unwanted else one_of_each


def _any(words: Sequence[Words]) -> str:
    return " | ".join(expression(one) for one in words)


def count(connection: Connection, match: str, most: int) -> int:
    """How many texts match, of all readers'; counted no further than `most`."""
    return connection.scalar(_COUNT, {"match": match, "most": most}) or 0


def rank(connection: Connection, match: str, article: int) -> int | None:
    """How well one text matches now; None when it does not."""
    found = connection.scalar(_ONE, {"match": match, "article": article})
    return None if found is None else int(found)


def put(connection: Connection, texts: Sequence[Mapping[str, Any]]) -> None:
    """Make texts findable: rows with article_id, title, lead, rest."""
    made = [{"article_id": row["article_id"], "words": vector(row)} for row in texts]
    if made:
        connection.execute(_PUT, made)


def vector(row: Mapping[str, Any]) -> str:
    """A text as PostgreSQL reads a tsvector: each word with its places and their weights."""
    places = _places(row) if sum(len(row[part]) for part in _WEIGHTS) > _SHORT else _of_short(row)
    return " ".join([f"'{word}':{','.join(where[:255])}" for word, where in places.items()])


def _of_short(row: Mapping[str, Any]) -> Mapping[str, list[str]]:
    """The same as _places, in two thirds of the time: nothing has to be counted."""
    places: dict[str, list[str]] = defaultdict(list)
    place = 0
    for part, weight in _WEIGHTS.items():
        for place, word in enumerate(folding.index_words(row[part]), place + 1):  # noqa: B020 - goes on
            places[word].append(f"{place}{weight}")
        place += 1
    return places


def _places(row: Mapping[str, Any]) -> Mapping[str, list[str]]:
    """Where each word stands, with the weight of that place."""
    places: dict[str, list[str]] = defaultdict(list)
    place = size = 0
    for part, weight in _WEIGHTS.items():
        for word in folding.index_words(row[part]):
            place += 1
            if word not in places:
                size += len(word.encode())
            if place > MOST_WORDS or size > MOST_BYTES:
                break
            places[word].append(f"{min(place, _LAST_PLACE)}{weight}")
        place += 1  # no phrase goes on from one part into the next
    return places
