"""The top of a ranked list by merge, beside every other way to get it, in one SQLite file.

The schema is the store's own. One reader has `rows` unread articles; others have a fifth as many
states in between. All ways answer the same question, and the merge is checked against the sort.
"""

from __future__ import annotations

import heapq
import random
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Table, update

from newsloom.articles.store.reader_tables import states as states_table
from newsloom.articles.store.tables import articles as articles_table
from newsloom.importance.score import FADE
from newsloom.kernel.db.bulk import insert_rows
from newsloom.kernel.db.columns import MICRO, micros
from newsloom.kernel.ids import FeedId, UserId
from newsloom.kernel.settings import RankingSettings
from newsloom.ranking import rank_key
from newsloom.reading.diversification import LOOK_AHEAD
from newsloom.reading.values.reading import ListQuery, Order, RecencyTerm
from newsloom.store import Store, open_store

if TYPE_CHECKING:
    from newsloom_lab.bench.rank_rows import RowTimes

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
HALF_LIVES = RankingSettings().half_lives()

# Shares of sensitivity 1 to 5 in the project's labelled articles, rounded.
CLASSES = (0.15, 0.15, 0.35, 0.33, 0.02)
FEEDS = 500
BATCH = 50_000
RUN = LOOK_AHEAD

# What the reader follows: half of it in one category, half in twenty-one others. Most is in three
# languages, one of which that half has nothing of, and a handful in a fourth.
CATEGORIES = 20
LANGUAGES = {"en": 0.7, "de": 0.2, "fr": 0.1}
RARE, RARE_ARTICLES = "is", 50
# A language and a category of 1.5 in a hundred: few for a merge, and many to put in order.
MIDDLE, MIDDLE_EVERY, MIDDLE_FEEDS = "pt", 66, 8

_STANDING = (
    "rank_key - CASE sensitivity WHEN 1 THEN :shift_1 WHEN 2 THEN :shift_2 WHEN 3 THEN :shift_3"
    " WHEN 4 THEN :shift_4 WHEN 5 THEN :shift_5 ELSE :shift_0 END"
)

# Filters and what they are in plain SQL, by which the answers are checked.
_OF_FEED = "feed_id = 1"
_OF_HALF = "feed_id IN (SELECT feed_id FROM subscriptions WHERE category = 'half')"
_OF_MIDDLE = "feed_id IN (SELECT feed_id FROM subscriptions WHERE category = 'middle')"
_OF_SHELF = "feed_id IN (SELECT feed_id FROM subscriptions WHERE category = 'shelf 1')"
FILTERS: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("feed", {"feed": FeedId(1)}, _OF_FEED),
    ("half of all in one category", {"category": "half"}, _OF_HALF),
    ("category", {"category": "shelf 1"}, _OF_SHELF),
    ("language of most", {"language": "en"}, "language = 'en'"),
    ("rare language", {"language": RARE}, f"language = '{RARE}'"),
    ("language of none", {"language": "xx"}, "language = 'xx'"),
    ("sensitivity 5", {"sensitivity": 5}, "sensitivity = 5"),
    ("score 50", {"score": 50.0}, "score"),
    ("score 99", {"score": 99.0}, "score"),
    ("category, language", {"category": "half", "language": "de"}, f"{_OF_HALF} AND language='de'"),
    (
        "category, language it has nothing of",
        {"category": "half", "language": "fr"},
        f"{_OF_HALF} AND language = 'fr'",
    ),
    (
        "category, rare language",
        {"category": "half", "language": RARE},
        f"{_OF_HALF} AND language = '{RARE}'",
    ),
    (
        "category, language, sensitivity, score",
        {"category": "half", "language": "en", "sensitivity": 3, "score": 30.0},
        f"{_OF_HALF} AND language = 'en' AND sensitivity = 3 AND score",
    ),
    (
        "category, language of most",
        {"category": "half", "language": "en"},
        f"{_OF_HALF} AND language = 'en'",
    ),
    (
        "small category, language",
        {"category": "shelf 1", "language": "de"},
        f"{_OF_SHELF} AND language = 'de'",
    ),
    ("feed, language", {"feed": FeedId(1), "language": "de"}, f"{_OF_FEED} AND language = 'de'"),
    ("newest, feed", {"feed": FeedId(1), "order": Order.NEWEST}, _OF_FEED),
    ("newest, half of all in one category", {"category": "half", "order": Order.NEWEST}, _OF_HALF),
    ("newest, category", {"category": "shelf 1", "order": Order.NEWEST}, _OF_SHELF),
    ("newest, language of most", {"language": "en", "order": Order.NEWEST}, "language = 'en'"),
    (
        "newest, category, language",
        {"category": "half", "language": "de", "order": Order.NEWEST},
        f"{_OF_HALF} AND language = 'de'",
    ),
    (
        "newest, category, rare language",
        {"category": "half", "language": RARE, "order": Order.NEWEST},
        f"{_OF_HALF} AND language = '{RARE}'",
    ),
    ("important, feed", {"feed": FeedId(1), "order": Order.IMPORTANT}, _OF_FEED),
    ("important, category", {"category": "shelf 1", "order": Order.IMPORTANT}, _OF_SHELF),
    (
        "important, half of all in one category",
        {"category": "half", "order": Order.IMPORTANT},
        _OF_HALF,
    ),
    ("important, language", {"language": "de", "order": Order.IMPORTANT}, "language = 'de'"),
    (
        "important, category, language",
        {"category": "half", "language": "de", "order": Order.IMPORTANT},
        f"{_OF_HALF} AND language = 'de'",
    ),
    (
        "important, small category, language",
        {"category": "shelf 1", "language": "de", "order": Order.IMPORTANT},
        f"{_OF_SHELF} AND language = 'de'",
    ),
    (
        "important, feed, language",
        {"feed": FeedId(1), "language": "de", "order": Order.IMPORTANT},
        f"{_OF_FEED} AND language = 'de'",
    ),
    (
        "important, rare language",
        {"language": RARE, "order": Order.IMPORTANT},
        f"language = '{RARE}'",
    ),
    *(
        (f"{order}, {name}", {**narrowed, "order": order}, where)
        for order in (Order.RANKED, Order.NEWEST, Order.OLDEST, Order.IMPORTANT)
        for name, narrowed, where in (
            ("1.5 % in a category", {"category": "middle"}, _OF_MIDDLE),
            ("1.5 % in a language", {"language": MIDDLE}, f"language = '{MIDDLE}'"),
        )
    ),
    ("oldest, feed", {"feed": FeedId(1), "order": Order.OLDEST}, _OF_FEED),
    ("oldest, category", {"category": "shelf 1", "order": Order.OLDEST}, _OF_SHELF),
    ("newest, rare language", {"language": RARE, "order": Order.NEWEST}, f"language = '{RARE}'"),
    ("newest, score 99", {"score": 99.0, "order": Order.NEWEST}, "score"),
    ("important", {"order": Order.IMPORTANT}, "TRUE"),
    ("important, importance 60", {"order": Order.IMPORTANT, "importance": 60.0}, "importance"),
    ("importance 60", {"importance": 60.0}, "importance"),
    ("importance 90", {"importance": 90.0}, "importance"),
    ("newest, importance 90", {"importance": 90.0, "order": Order.NEWEST}, "importance"),
)

# As `importance` has it: 20 points for what is new, that fade by .03 an hour.
RECENCY = RecencyTerm(20.0, FADE)
_HOURS_AGO = f"MIN((dated_at - {micros(NOW)}) / 3.6e9, 0.0)"
_IMPORTANCE = f"(points + CAST(ROUND({20 * MICRO} * exp({FADE} * {_HOURS_AGO})) AS INTEGER))"

_ALL = "SELECT article_id FROM states WHERE user_id = :user AND read = 0"
_SORTED = f"{_ALL} ORDER BY {_STANDING} DESC, article_id DESC"
_SORTED_BY = {
    Order.RANKED: _STANDING,
    Order.NEWEST: "dated_at",
    Order.OLDEST: "-dated_at",
    Order.IMPORTANT: _IMPORTANCE,
}
_RANGE = (
    "SELECT rank_key, article_id FROM states WHERE user_id = ? AND read = 0 AND sensitivity = ?"
    " ORDER BY rank_key DESC, article_id DESC"
)
_RESCORED = (
    "CREATE TABLE bench_scores (article_id INTEGER PRIMARY KEY, score INTEGER)",
    "INSERT INTO bench_scores SELECT article_id, rank_key FROM states"
    " WHERE user_id = :user AND read = 0",
    "CREATE INDEX bench_by_score ON bench_scores (score DESC)",
)
_RESCORE = (
    f"UPDATE bench_scores SET score = (SELECT {_STANDING} FROM states"  # noqa: S608
    " WHERE user_id = :user AND states.article_id = bench_scores.article_id)"
)
_TOP_RESCORED = "SELECT article_id FROM bench_scores ORDER BY score DESC, article_id DESC LIMIT ?"


@dataclass(frozen=True, slots=True)
class FilterTimes:
    """Medians in milliseconds of one top-`limit` through a filter."""

    name: str
    merge_ms: float  # ids through the store
    scan_ms: float  # the same by WHERE and ORDER BY expression LIMIT
    exact: bool
    found: int


@dataclass(frozen=True, slots=True)
class RankTimes:
    """Medians in milliseconds of one top-`limit` among `rows` unread articles of one reader."""

    rows: int
    merge_ms: float  # ids through the store: connection, transaction, statement, merge
    page_ms: float  # the whole page through the store: ids, then every row shown
    raw_merge_ms: float  # five prepared range queries of the driver, merged in Python
    scan_ms: float  # ORDER BY expression LIMIT, the database keeping a heap
    sort_ms: float  # ORDER BY expression, all sorted
    rescore_ms: float  # UPDATE of a stored, indexed score, then its top
    varied_ms: float  # ids through the store, with variety of feeds as it is by default
    run_ms: float  # the same, where one feed has all of the first RUN rows
    exact: bool  # the merge gave what the sort gave
    file_mb: float
    filters: tuple[FilterTimes, ...]
    by_rows: tuple[RowTimes, ...]  # where articles share texts, events and stories


@dataclass(frozen=True, slots=True)
class RankBench:
    """Times by number of rows, and what made them."""

    limit: int
    sqlite: str
    driver: str
    journal: str
    times: tuple[RankTimes, ...]
    peak_mb: float


def run(
    rows: Sequence[int] = (10_000, 100_000, 1_000_000),
    limit: int = 100,
    driver: str | None = None,
    most: int = 500,
) -> RankBench:
    """Measure each number of rows in a fresh file, each way at most `most` times."""
    times = []
    facts: Mapping[str, str] = {}
    for count in rows:
        with tempfile.TemporaryDirectory() as folder:
            store = open_store(Path(folder) / "rank.db", now=lambda: NOW, driver=driver)
            try:
                times.append(_measure(store, count, limit, most))
                facts = store.about()
            finally:
                store.close()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return RankBench(
        limit=limit,
        sqlite=facts.get("sqlite", ""),
        driver=facts.get("driver", ""),
        journal=facts.get("journal", ""),
        times=tuple(times),
        peak_mb=peak / (1e6 if sys.platform == "darwin" else 1e3),
    )


def _measure(store: Store, rows: int, limit: int, most: int) -> RankTimes:
    from newsloom_lab.bench.rank_rows import times  # it is made of what is here

    user = fill(store, rows)
    query = ListQuery(limit=limit)
    varied = replace(query, diversification=RankingSettings().diversification())
    shifts = {f"shift_{level}": one for level, one in rank_key.shifts(NOW, HALF_LIVES).items()}
    values = {"user": user, **shifts}
    merged = [int(one) for one in store.lists.page_ids(user, query, NOW, HALF_LIVES)]
    few = min(most, 3 if rows > BATCH else 10)
    filters = _filters(store, user, limit, values, few, min(30, most))
    with store.database.read() as connection:
        raw = _driver(connection)
        scanned = f"{_SORTED} LIMIT {limit}"
        exact = merged == [row[0] for row in raw.execute(_SORTED, values).fetchmany(limit)]
        raw_merge = median(min(200, most), lambda: _raw_merge(raw, user, values, limit))
        scan = median(few, lambda: raw.execute(scanned, values).fetchall())
        sort = median(few, lambda: raw.execute(_SORTED, values).fetchmany(limit))
    return RankTimes(
        rows=rows,
        merge_ms=median(most, lambda: store.lists.page_ids(user, query, NOW, HALF_LIVES)),
        page_ms=median(min(50, most), lambda: store.lists.page(user, query, NOW, HALF_LIVES)),
        raw_merge_ms=raw_merge,
        scan_ms=scan,
        sort_ms=sort,
        varied_ms=median(most, lambda: store.lists.page_ids(user, varied, NOW, HALF_LIVES)),
        rescore_ms=_rescore(store, values, limit),
        run_ms=_run(store, user, varied, min(100, most)),
        exact=exact,
        file_mb=store.database.size() / 1e6,
        filters=filters,
        by_rows=times(store, user, limit, most),
    )


def _run(store: Store, user: UserId, query: ListQuery, rounds: int) -> float:
    """As long as a run of one feed can be that variety looks past."""
    first = store.lists.page_ids(
        user, replace(query, diversification=None, limit=RUN), NOW, HALF_LIVES
    )
    with store.database.write() as connection:
        of_run = states_table.c.article_id.in_(first)
        connection.execute(update(states_table).where(of_run).values(feed_id=1))
    return median(rounds, lambda: store.lists.page_ids(user, query, NOW, HALF_LIVES))


def _filters(
    store: Store, user: UserId, limit: int, values: Mapping[str, int], few: int, rounds: int
) -> tuple[FilterTimes, ...]:
    return tuple(
        _filter(
            store,
            user,
            name,
            ListQuery(limit=limit, recency=RECENCY, **narrowed),
            where,
            values,
            few,
            rounds,
        )
        for name, narrowed, where in FILTERS
    )


def _filter(
    store: Store,
    user: UserId,
    name: str,
    query: ListQuery,
    where: str,
    values: Mapping[str, int],
    few: int,
    rounds: int,
) -> FilterTimes:
    least = rank_key.sort_key(query.score) if query.score else 0
    least_important = round(query.importance * MICRO)
    narrowed = where.replace("score", f"{_STANDING} >= {least}").replace(
        "importance", f"{_IMPORTANCE} >= {least_important}"
    )
    standing = _SORTED_BY[query.order]
    scanned = f"{_ALL} AND {narrowed} ORDER BY {standing} DESC, article_id DESC LIMIT {query.limit}"

    def merged() -> list[int]:
        return [int(one) for one in store.lists.page_ids(user, query, NOW, HALF_LIVES)]

    found = merged()
    with store.database.read() as connection:
        raw = _driver(connection)
        exact = found == [row[0] for row in raw.execute(scanned, values)]
        scan = median(few, lambda: raw.execute(scanned, values).fetchall())
    return FilterTimes(name, median(rounds, merged), scan, exact, len(found))


def _raw_merge(raw: Any, user: int, values: Mapping[str, int], limit: int) -> list[int]:
    ranges = [
        _shifted(raw.execute(_RANGE, (user, level)), values[f"shift_{level}"])
        for level in HALF_LIVES
    ]
    return [article for _, article in islice(heapq.merge(*ranges, reverse=True), limit)]


def _shifted(rows: Iterator[tuple[int, int]], shift: int) -> Iterator[tuple[int, int]]:
    for key, article in rows:
        yield key - shift, article


def _rescore(store: Store, values: Mapping[str, int], limit: int) -> float:
    """The job that a score which ages in place needs whenever it should be fresh."""
    with store.database.write() as connection:
        raw = _driver(connection)
        for statement in _RESCORED:
            raw.execute(statement, values)

    def job() -> None:
        with store.database.write() as connection:
            _driver(connection).execute(_RESCORE, values)
        with store.database.read() as connection:
            _driver(connection).execute(_TOP_RESCORED, (limit,)).fetchall()

    return median(3, job)


def _driver(connection: Connection) -> Any:
    raw = connection.connection.driver_connection
    assert raw is not None
    return raw


def median(
    times: int, act: Callable[[], object], clock: Callable[[], float] = time.perf_counter
) -> float:
    """Milliseconds."""
    act()  # prepares statements and brings the index's upper pages in
    taken = []
    for _ in range(times):
        began = clock()
        act()
        taken.append(clock() - began)
    return statistics.median(taken) * 1000


def fill(store: Store, rows: int) -> UserId:
    """One reader's unread articles over three years, and another's states among them."""
    user, other = store.users.user("reader", NOW), store.users.user("other", NOW)
    feeds = [
        store.reading.subscribe(user, f"https://feed-{number}.test/", NOW)[0]
        for number in range(min(FEEDS, rows))
    ]
    for number, feed in enumerate(feeds):
        store.reading.edit_subscription(user, feed, category=_shelf(number))
    chance = random.Random(rows)
    every = max(rows // RARE_ARTICLES, 2)

    def unusual(number: int) -> str:
        middle = MIDDLE if number % MIDDLE_EVERY == MIDDLE_EVERY // 2 else ""
        return RARE if number % every == 1 else middle

    with store.database.write() as connection:
        for start in range(1, rows + 1, BATCH):
            numbers = range(start, min(start + BATCH, rows + 1))
            dated = [NOW - timedelta(days=3 * 365 * chance.random() ** 2) for _ in numbers]
            articles = [
                article_row(number, feeds[number % len(feeds)], moment)
                for number, moment in zip(numbers, dated, strict=True)
            ]
            put(connection, articles_table, articles)
            states = [
                state_row(user, feeds[number % len(feeds)], number, moment, chance, unusual(number))
                for number, moment in zip(numbers, dated, strict=True)
            ]
            states += [{**state, "user_id": other} for state in states[::5]]
            put(connection, states_table, states)
    return user


def put(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows, by COPY where there is one."""
    values = [
        tuple(micros(one) if isinstance(one, datetime) else one for one in row.values())
        for row in rows
    ]
    insert_rows(connection, table, tuple(rows[0]), values)


def _shelf(number: int) -> str:
    """The category of the reader's feed of that number."""
    if number % 2:
        return "half"
    half = number // 2
    return "middle" if half < MIDDLE_FEEDS else f"shelf {half % CATEGORIES}"


def article_row(number: int, feed: int, dated: datetime) -> dict[str, Any]:
    """An original with a title and a short summary."""
    url = f"https://news-{number % FEEDS}.test/{dated:%Y/%m/%d}/article-{number}"
    return {
        "id": number,
        "feed_id": feed,
        "original_id": number,
        "fullest_id": number,
        "guid": url,
        "url": url,
        "canonical_url": url,
        "source": f"news-{number % FEEDS}.test",
        "title": f"What happened in place {number} and why it matters to some",
        "first_seen_at": dated,
        "dated_at": dated,
        "version_at": dated,
        "summary": "<p>A summary of the usual length, in a sentence or two.</p>" * 3,
    }


def state_row(
    user: int,
    feed: int,
    number: int,
    dated: datetime,
    chance: random.Random,
    unusual: str = "",
) -> dict[str, Any]:
    """A state of some language, or of the unusual one, and some sensitivity and relevance."""
    (language,) = chance.choices(tuple(LANGUAGES), tuple(LANGUAGES.values()))
    sensitivity = chance.choices((1, 2, 3, 4, 5), CLASSES)[0]
    relevance = 100 * chance.betavariate(2, 5)
    return {
        "user_id": user,
        "article_id": number,
        "feed_id": feed,
        "dated_at": dated,
        "sensitivity": sensitivity,
        "relevance": relevance,
        "rank_key": rank_key.stored_key(relevance, dated, HALF_LIVES[sensitivity]),
        "scored_by": 1,
        "points": round(80 * MICRO * chance.betavariate(5, 5)),
        "weighed_by": 1,
        "language": unusual or ("en" if language == "fr" and feed % 2 == 0 else language),
    }
