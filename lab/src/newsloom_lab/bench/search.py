"""Searches among many articles, beside what ranks everything that matches, and how large the index
is, in one SQLite file or an empty PostgreSQL database.

The articles are made up, of news length, with words as common as those of a language are; a share
of them is in Chinese characters without spaces. In SQLite, what comes by date or score is checked
against a sort of everything that matches.
"""

from __future__ import annotations

import random
import re
import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from pathlib import Path
from zlib import crc32

from sqlalchemy import insert, text

from newsloom.articles.store.reader_tables import states as states_table
from newsloom.articles.store.tables import articles as articles_table
from newsloom.articles.store.tables import texts as texts_table
from newsloom.kernel.db.dialects import full_text
from newsloom.kernel.db.engine import SqliteDatabase
from newsloom.kernel.ids import UserId
from newsloom.ranking import rank_key
from newsloom.reading.search_language import parse
from newsloom.reading.values.reading import Rows
from newsloom.reading.values.searching import SearchOrder
from newsloom.store import Store, open_store
from newsloom.store.texts import split
from newsloom_lab.bench.news import SOURCES, Made, Newsroom
from newsloom_lab.bench.rank import HALF_LIVES, NOW, article_row, median, state_row

BATCH = 5_000
LIMIT = 50

# Articles that are looked into for how common words are.
SAMPLED = 500

# The share of articles without spaces: of the 181 real feeds at hand fewer are.
UNSPACED = 0.2

# Authors, each as often as another; half of the articles name none.
AUTHORS = 3_000

_WORD = re.compile(r"(\w+)([.,;:!?]?)")

_MATCHING = """
    SELECT s.article_id, bm25(texts_search, 8.0, 2.0, 1.0) AS distance,
        s.dated_at, s.rank_key, s.sensitivity
    FROM texts_search CROSS JOIN states s
    WHERE texts_search MATCH :match AND s.user_id = :user AND s.article_id = texts_search.rowid
"""
_RANKED_ALL = text(f"{_MATCHING} ORDER BY distance, s.article_id DESC LIMIT {LIMIT}")
_NEWEST = text(f"{_MATCHING} ORDER BY s.dated_at DESC, s.article_id DESC LIMIT {LIMIT}")
_ALL = text(_MATCHING)


@dataclass(frozen=True, slots=True)
class SearchTimes:
    """Medians in milliseconds of one page, its count and its rows included: of processor time, in
    PostgreSQL of time that passed."""

    name: str
    best_ms: float
    newest_ms: float
    score_ms: float
    second_page_ms: float  # of the best match
    count: int
    more: bool  # there are more than that
    ranked_all_ms: float | None  # one word: every match ranked, as before there was a bound
    exact: bool | None  # one word: newest and score are what a sort of every match gives


@dataclass(frozen=True, slots=True)
class SearchBench:
    rows: int
    limit: int
    database: str
    times: tuple[SearchTimes, ...]
    file_mb: float
    texts_mb: float
    index_mb: float
    fill_s: float  # of processor time, to index the texts and to put them there
    peak_mb: float

    def table(self) -> list[tuple[str, ...]]:
        """A row for each search."""
        return [
            (
                one.name,
                f"{one.count:,}{'+' if one.more else ''}",
                *(
                    f"{ms:.1f}"
                    for ms in (one.best_ms, one.newest_ms, one.score_ms, one.second_page_ms)
                ),
                "" if one.ranked_all_ms is None else f"{one.ranked_all_ms:.1f}",
                "" if one.exact is None else "yes" if one.exact else "no",
            )
            for one in self.times
        ]


def run(
    rows: int = 200_000,
    rounds: int = 7,
    driver: str | None = None,
    unspaced: float = UNSPACED,
    place: str = "",
) -> SearchBench:
    """Measure in a fresh file, or in an empty PostgreSQL database at that URL."""
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(place or Path(folder) / "search.db", now=lambda: NOW, driver=driver)
        try:
            began = time.process_time()
            user, words = fill(store, rows, unspaced)
            filled = time.process_time() - began
            store.database.settle()
            times = tuple(
                _measured(store, user, name, typed, single, rounds)
                for name, typed, single in _searches(words, unspaced)
            )
            facts = store.about()
            size = store.database.size() / 1e6
            texts, index = _sizes(store)
        finally:
            store.close()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return SearchBench(
        rows=rows,
        limit=LIMIT,
        database=" ".join(facts.get(name, "") for name in ("driver", "sqlite", "postgresql")),
        times=times,
        file_mb=size,
        texts_mb=texts,
        index_mb=index,
        fill_s=filled,
        peak_mb=peak / (1e6 if sys.platform == "darwin" else 1e3),
    )


_TEXTS_SIZE = "SELECT SUM(OCTET_LENGTH(title) + OCTET_LENGTH(lead) + OCTET_LENGTH(rest)) FROM texts"
_INDEX_SIZE = {
    "sqlite": "SELECT SUM(LENGTH(block)) FROM texts_search_data",
    "postgresql": "SELECT pg_total_relation_size('texts_search')",
}


def _sizes(store: Store) -> tuple[float, float]:
    """Megabytes of texts, and of the index of their words."""
    with store.database.read() as connection:
        wanted = (_TEXTS_SIZE, _INDEX_SIZE[connection.dialect.name])
        texts, index = (connection.exec_driver_sql(one).scalar_one() / 1e6 for one in wanted)
        return float(texts), float(index)


def _searches(words: Sequence[str], unspaced: float) -> Iterator[tuple[str, str, bool]]:
    """What is searched: a name, what is typed, and whether it is one word alone."""
    commonest, common, usual, rare = words
    yield "commonest word", f"{commonest} ", True
    yield "commonest word, perhaps unfinished", commonest, False
    yield "common word", f"{common} ", True
    yield "usual word", f"{usual} ", True
    yield "rare word", f"{rare} ", True
    yield "three letters, unfinished", rare[:3], False
    yield "two words", f"{commonest} {usual} ", False
    yield "phrase", f'"{commonest} {common}"', False
    yield "word in titles", f"title:{commonest} ", False
    yield "word without another", f"{commonest} -{common} ", False
    yield "either of two", f"{usual} OR {rare} ", False
    yield "unread", "is:unread", False
    yield "author", 'author:"author 17"', False
    yield "source", "source:news-7.test", False
    yield "common word, author", f'{common} author:"author 17"', False
    yield "common word, score", f"{common} score:>60", False
    yield "common word, date", f"{common} since:7d", False
    if unspaced:
        yield "without spaces: common", without_spaces(common), False
        yield "without spaces: rare", without_spaces(rare), False
        yield "without spaces: two words", without_spaces(f"{commonest} {common}"), False
        yield "without spaces: one character", without_spaces(rare)[0], False


def _measured(
    store: Store, user: UserId, name: str, typed: str, single: bool, rounds: int
) -> SearchTimes:
    query = parse(typed)

    def page(order: SearchOrder, **options: object) -> list[int]:
        found = store.lists.search(user, query, order, LIMIT, NOW, HALF_LIVES, **options)  # type: ignore[arg-type]
        return [int(one.id) for one in found.rows]

    sqlite = isinstance(store.database, SqliteDatabase)
    clock = time.process_time if sqlite else time.perf_counter
    first = store.lists.search(user, query, SearchOrder.BEST, LIMIT, NOW, HALF_LIVES)
    values = {"user": user, "match": f'"{typed.strip()}"'}

    def ranked_all() -> None:
        with store.database.read() as connection:
            connection.execute(_RANKED_ALL, values).all()

    def exact() -> bool:
        plain = [
            page(order, rows=Rows.ARTICLE) for order in (SearchOrder.NEWEST, SearchOrder.SCORE)
        ]
        with store.database.read() as connection:
            newest = [row.article_id for row in connection.execute(_NEWEST, values)]
            shifts = rank_key.shifts(NOW, HALF_LIVES)
            scored = sorted(
                (
                    (row.rank_key - shifts[row.sensitivity], row.article_id)
                    for row in connection.execute(_ALL, values)
                ),
                reverse=True,
            )
        return plain == [newest, [article for _standing, article in scored[:LIMIT]]]

    return SearchTimes(
        name=name,
        best_ms=median(rounds, lambda: page(SearchOrder.BEST), clock),
        newest_ms=median(rounds, lambda: page(SearchOrder.NEWEST), clock),
        score_ms=median(rounds, lambda: page(SearchOrder.SCORE), clock),
        second_page_ms=median(rounds, lambda: page(SearchOrder.BEST, after=first.after), clock),
        count=first.count,
        more=first.more,
        ranked_all_ms=median(3, ranked_all, clock) if single and sqlite else None,
        exact=exact() if single and sqlite else None,
    )


def fill(store: Store, rows: int, unspaced: float = 0) -> tuple[UserId, tuple[str, ...]]:
    """One reader's articles; and words that all of them have, an eighth, a hundredth, and few."""
    user = store.users.user("reader", NOW)
    feeds = [
        store.reading.subscribe(user, f"https://feed-{number}.test/", NOW)[0]
        for number in range(SOURCES)
    ]
    chance = random.Random(rows)
    counted: Counter[str] = Counter()
    made = enumerate(Newsroom(rows).made(), start=1)
    while batch := list(islice(made, BATCH)):
        if not counted:
            counted.update(word for _number, one in batch[:SAMPLED] for word in _words(one))
        if unspaced:
            batch = [(number, _perhaps(chance, unspaced, one)) for number, one in batch]
        with store.database.write() as connection:
            articles = [
                {
                    **article_row(number, feeds[one.source], one.dated),
                    "title": one.title,
                    "summary": one.text,
                    "length": len(one.text),
                    "author": chance.choice(("", f"Author {chance.randrange(AUTHORS)}")),
                }
                for number, one in batch
            ]
            connection.execute(insert(articles_table), articles)
            states = [
                state_row(user, feeds[one.source], number, one.dated, chance)
                for number, one in batch
            ]
            connection.execute(insert(states_table), states)
            texts = [_text(number, one) for number, one in batch]
            connection.execute(insert(texts_table), texts)
            full_text(connection).put(connection, texts)
    return user, tuple(_as_common_as(counted, share) for share in (1.0, 0.12, 0.01, 0.002))


def _perhaps(chance: random.Random, share: float, one: Made) -> Made:
    if chance.random() >= share:
        return one
    return replace(one, title=without_spaces(one.title), text=without_spaces(one.text))


def without_spaces(written: str) -> str:
    """Two Chinese characters for each word."""
    return "".join(
        f"{_character(word[: len(word) // 2])}{_character(word[len(word) // 2 :])}"
        f"{'。' if sign else ''}"
        for word, sign in _WORD.findall(written)
    )


@cache
def _character(part: str) -> str:
    """Of some 3,000, as many as people use."""
    return chr(0x4E00 + crc32(part.lower().encode()) % 3_000)


def _words(one: Made) -> set[str]:
    return {word.strip(".").lower() for word in one.text.split()}


def _as_common_as(counted: Counter[str], share: float) -> str:
    """The word whose share of the articles is nearest to that; of several the first."""
    wanted = share * SAMPLED
    long = sorted(word for word in counted if len(word) > 3 and word.isalpha())
    return min(long, key=lambda word: abs(counted[word] - wanted))


def _text(number: int, one: Made) -> dict[str, object]:
    lead, rest = split(one.text)
    return {
        "article_id": number,
        "maker_id": 1,
        "digest": number,
        "title": one.title,
        "lead": lead,
        "rest": rest,
    }
