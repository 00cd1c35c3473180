"""What an article costs, and a page, beside how many are stored: PostgreSQL, all through the store.

So many new articles arrive as documents of feeds, are parsed, judged and stored, and go through
the stages that need no neural network; what the encoder would say is made up. Processor time is
this process's and that of the server's processes, where the server is on this machine. The server
is asked to write out everything before (CHECKPOINT): the first change of a page after that brings
the whole page into the log, unless full_page_writes is off.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
from sqlalchemy import event, text

from newsloom.app import App, open_app
from newsloom.duplicates.stage import DuplicateDetector, thresholds_of
from newsloom.duplicates.store import duplicate_writes as candidate_pairs
from newsloom.engines.pipeline import STAGES, PollRecorder, run_stages
from newsloom.feeds.service.reply import read
from newsloom.kernel.http.values import Reply, Request
from newsloom.kernel.ids import FeedId, UserId
from newsloom.kernel.settings import RankingSettings, Settings
from newsloom.ranking.ports import Vectors
from newsloom.reading.values.reading import ListQuery
from newsloom.store import Store
from newsloom_lab.bench.growth_world import DIMENSIONS, FEEDS, NOW, TEXT_KEYS, feeds_of, fill
from newsloom_lab.databases import fresh

HALF_LIVES = RankingSettings().half_lives()
_MINUTES = timedelta(minutes=5)
CHEAP = (
    "text", "rules", "duplicates", "importance", "interest", "embed", "sensitivity", "relevance",
)  # fmt: skip
PER_DOCUMENT = 10
ASKED = 100  # pages, and counts of what is unread
GOAL = 1.2  # of the first
_WORDS = [f"word{number}" for number in range(20_000)]


@dataclass(frozen=True, slots=True)
class Cost:
    """At one number of stored articles; of one new article, or of one question."""

    stored: int
    statements: float
    wal_kb: float  # written to the log, whole pages in it
    page_images: float  # of those
    stored_ms: float  # processor time: parsed, judged, stored
    stages_ms: float  # through the cheap stages
    moved_ms: float  # its keys moved from the fresh ones to all others
    moved_kb: float
    page_ms: float  # the first page of the ranked list, for who reads what comes
    unread_ms: float  # how much that reader has unread
    never_read_page_ms: float  # the same for one who has everything unread
    never_read_unread_ms: float
    gigabytes: float  # the database
    fill_seconds: float


@dataclass(frozen=True, slots=True)
class GrowthBench:
    server: str
    settings: Mapping[str, str]
    new_articles: int
    costs: tuple[Cost, ...]
    ratios: Mapping[str, tuple[float, ...]]  # of each figure against the first
    beyond_goal: tuple[str, ...]  # figures that grew by more than a fifth


def run(
    url: str, sizes: Sequence[int], new_articles: int, heard: Callable[[str], None]
) -> GrowthBench:
    """Fill a new database of that server up to each size, and measure there."""
    with fresh(url) as place:
        settings = Settings(user="reader 0")
        settings = replace(settings, store=replace(settings.store, url=place, path=_nowhere()))
        with closing(open_app(settings, now=lambda: NOW)) as app:
            users, feeds = feeds_of(app.store)
            arriving = Arriving(app, feeds)
            arriving.arrive(200)
            known = _makers(app.store)
            costs = []
            for size in sizes:
                heard(f"filling up to {size:,}")
                began = time.perf_counter()
                fill(app.store, users, feeds, _newest(app.store) + 1, size, known)
                took = time.perf_counter() - began
                _vacuum(place)
                heard(f"measuring at {size:,}")
                costs.append(_measured(app, arriving, users, size, new_articles, took))
                heard(str(costs[-1]))
            facts = app.store.about()
            values = _settings_of(app.store)
    ratios = {name: _ratios(costs, name) for name in _FIGURES}
    grown = tuple(name for name, found in ratios.items() if max(found) > GOAL)
    server = f"PostgreSQL {facts['postgresql']}"
    return GrowthBench(server, values, new_articles, tuple(costs), ratios, grown)


_FIGURES = (
    "statements", "wal_kb", "stored_ms", "stages_ms", "page_ms", "unread_ms", "never_read_page_ms",
    "never_read_unread_ms",
)  # fmt: skip


def _ratios(costs: Sequence[Cost], name: str) -> tuple[float, ...]:
    first = getattr(costs[0], name)
    return tuple(round(getattr(one, name) / first, 2) if first else 1.0 for one in costs)


def _measured(
    app: App,
    arriving: Arriving,
    users: Sequence[UserId],
    size: int,
    new_articles: int,
    fill_seconds: float,
) -> Cost:
    store, clock = app.store, Processors(app.store)
    arriving.arrive(PER_DOCUMENT * 5)  # plans are made, pages are read in
    _checkpoint(store)
    before = _wal(store)
    with counted(store) as statements:
        stored, stages = arriving.arrive(new_articles, clock)
    after = _wal(store)
    moved_ms, moved_kb = _moved(store, clock)
    query = ListQuery(limit=50)

    def asked(act: Callable[[], object]) -> float:
        act()
        began = clock()
        for _ in range(ASKED):
            act()
        return (clock() - began) * 1_000 / ASKED

    pages, counts = (
        [asked(lambda user=user, ask=ask: ask(user)) for user in users[:2]]  # type: ignore[misc]
        for ask in (
            lambda user: store.lists.page(user, query, NOW, HALF_LIVES),
            lambda user: store.lists.unread(user),
        )
    )
    return Cost(
        stored=size,
        statements=sum(statements) / new_articles,
        wal_kb=(after[0] - before[0]) / 1_000 / new_articles,
        page_images=(after[1] - before[1]) / new_articles,
        stored_ms=stored * 1_000 / new_articles,
        stages_ms=stages * 1_000 / new_articles,
        moved_ms=moved_ms,
        moved_kb=moved_kb,
        page_ms=pages[0],
        unread_ms=counts[0],
        never_read_page_ms=pages[1],
        never_read_unread_ms=counts[1],
        gigabytes=store.database.size() / 1e9,
        fill_seconds=fill_seconds,
    )


@dataclass
class Arriving:
    """New articles, ten of a feed at a time."""

    app: App
    feeds: Sequence[FeedId]
    made: int = 0
    number: int = 0
    chance: random.Random = field(default_factory=lambda: random.Random(15))

    def arrive(
        self, count: int, clock: Callable[[], float] = time.process_time
    ) -> tuple[float, float]:
        """Seconds of the processor: to parse, judge and store them; and in the stages."""
        began = clock()
        recorder = PollRecorder(self.app.store, self.app.now, lambda: 0.5, _MINUTES, _MINUTES * 288)
        for _ in range(count // PER_DOCUMENT):
            feed = self.feeds[self.made % FEEDS]
            (due,) = self.app.store.feeds.claim_due(
                NOW, owner="bench", lease_for=_MINUTES, limit=1, feeds=[feed]
            )
            recorder.store_all([read(due, self._reply(due.url))])
            self.made += 1
        stored = clock()
        context = replace(
            self.app.runner().context,
            embedder=_MadeUp(self.app.services.embedder.model_id),
            encoders=None,
            matcher=DuplicateDetector(thresholds_of(self.app.settings.duplicates), workers=0),
        )
        stages = tuple(one for one in STAGES if one.name in CHEAP)
        run_stages(context, clock=time.perf_counter, stages=stages)
        return stored - began, clock() - stored

    def _reply(self, url: str) -> Reply:
        items = []
        for _ in range(PER_DOCUMENT):
            self.number += 1
            words = " ".join(self.chance.choices(_WORDS, k=120))
            link = f"https://arriving.test/{self.made}/{self.number}"
            items.append(
                f"<item><guid>{link}</guid><link>{link}</link><title>{words[:60]}</title>"
                f"<pubDate>Sun, 01 Nov 2026 11:00:00 GMT</pubDate>"
                f"<description>{words}</description></item>"
            )
        body = f"<rss version='2.0'><channel><title>F</title>{''.join(items)}</channel></rss>"
        return Reply(Request(url), NOW, 0.1, 200, url, body=body.encode(), wire_bytes=len(body))


class _MadeUp:
    """An encoder that says anything at once."""

    dimensions = DIMENSIONS

    def __init__(self, model_id: str) -> None:
        self.model_id = model_id
        self._chance = np.random.default_rng(15)

    def embed(self, texts: Sequence[str]) -> Vectors:
        made = self._chance.standard_normal((len(texts), DIMENSIONS), dtype=np.float32)
        found: Vectors = made / np.linalg.norm(made, axis=1, keepdims=True)
        return found


class Processors:
    """Processor seconds of this process and of the server's, if that is on this machine."""

    def __init__(self, store: Store) -> None:
        self._folder: Path | None = None
        with store.database.read() as connection:
            if connection.dialect.name != "postgresql":
                return
            pid = connection.exec_driver_sql("SELECT pg_backend_pid()").scalar_one()
            backend = Path(f"/proc/{pid}/stat")
            local = backend.exists() and "postgres" in backend.read_text()
        if local:
            parent = backend.read_text().rpartition(")")[2].split()[1]
            self._folder = Path(f"/proc/{parent}/task/{parent}/children")

    def __call__(self) -> float:
        return time.process_time() + sum(self._servers())

    def _servers(self) -> Iterator[float]:
        for pid in self._folder.read_text().split() if self._folder else ():
            try:
                yield int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9
            except OSError:  # it ended
                continue


@contextmanager
def counted(store: Store) -> Iterator[list[int]]:
    """How many statements are sent; a COPY is not among them."""
    sent: list[int] = []

    def count(*given: Any) -> None:
        _connection, _cursor, _statement, parameters, _context, many = given
        sent.append(len(parameters) if many else 1)

    engine = store.database._engine  # noqa: SLF001 - what else sees every statement
    event.listen(engine, "before_cursor_execute", count)
    try:
        yield sent
    finally:
        event.remove(engine, "before_cursor_execute", count)


def _moved(store: Store, clock: Callable[[], float]) -> tuple[float, float]:
    """Milliseconds and kilobytes of an article's share of moving fresh keys to the others."""
    if _count(store, "dedup_keys") < candidate_pairs.FRESH:
        return 0.0, 0.0
    share = candidate_pairs.FRESH // candidate_pairs.STRETCHES
    with store.database.write() as connection:
        connection.execute(_STRETCH, {"keys": share})
    _checkpoint(store)
    before, began = _wal(store), clock()
    with store.database.write() as connection:
        candidate_pairs.move(connection, candidate_pairs.STRETCHES // 2)
    took, after = clock() - began, _wal(store)
    part = TEXT_KEYS / share
    return took * 1_000 * part, (after[0] - before[0]) / 1_000 * part


def _makers(store: Store) -> Mapping[str, int]:
    """Who made what of the first articles: what is filled in is not to be made again."""
    values = {
        "text": "SELECT MAX(maker_id) FROM texts",
        "vectors": "SELECT MAX(maker_id) FROM embeddings",
        "signatures": "SELECT MAX(maker_id) FROM signatures",
        "ratings": "SELECT MAX(maker_id) FROM ratings",
        "signals": "SELECT MAX(maker_id) FROM importances",
        "scores": "SELECT MAX(scored_by) FROM states",
        "points": "SELECT MAX(weighed_by) FROM states",
    }
    with store.database.read() as connection:
        return {name: connection.scalar(text(one)) for name, one in values.items()}


def _newest(store: Store) -> int:
    with store.database.read() as connection:
        return int(connection.scalar(text("SELECT MAX(id) FROM articles")) or 0)


def _count(store: Store, table: str) -> int:
    return store.database.sizes(table)[0]


def _checkpoint(store: Store) -> None:
    """Where the role may; else whole pages are in the log as they come."""
    from newsloom.kernel.errors import StoreError

    try:
        with store.database.write() as connection:
            connection.exec_driver_sql("CHECKPOINT")
    except StoreError:
        return


def _vacuum(url: str) -> None:
    """As autovacuum would have it; else it sets about what was filled in while that is measured."""
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE")


def _wal(store: Store) -> tuple[int, int]:
    """Bytes and whole pages that the server has logged."""
    with store.database.read() as connection:
        bytes_ = connection.exec_driver_sql(
            "SELECT pg_current_wal_lsn() - '0/0'::pg_lsn"
        ).scalar_one()
        time.sleep(1.1)  # servers count what their processes did once a second
        connection.exec_driver_sql("SELECT pg_stat_clear_snapshot()")
        images = connection.exec_driver_sql("SELECT wal_fpi FROM pg_stat_wal").scalar_one()
    return int(bytes_), int(images)


def _settings_of(store: Store) -> Mapping[str, str]:
    names = ("shared_buffers", "full_page_writes", "fsync", "max_wal_size")
    with store.database.read() as connection:
        return {
            name: str(connection.exec_driver_sql(f"SHOW {name}").scalar_one()) for name in names
        }


def _nowhere() -> Path:
    """Trained weights stay beside the file of SQLite; there are none."""
    import tempfile

    return Path(tempfile.gettempdir()) / "newsloom-bench-growth" / "none.db"


_STRETCH = text("""
    INSERT INTO fresh_keys (key, article_id)
    SELECT CAST(random() * 1152921504606846975 AS BIGINT), number
    FROM generate_series(1, :keys) AS number ON CONFLICT DO NOTHING
""")
