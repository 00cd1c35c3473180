"""The duplicates stage on made-up news in a real store, beside signatures and LSH of peers.

Filling the store is not timed. The peers make signatures and look for pairs in memory: they read
no store, keep nothing, judge no pair and form no clusters.
"""

from __future__ import annotations

import importlib
import multiprocessing
import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, text

from newsloom.articles.store.keys import hashed
from newsloom.articles.store.tables import articles as articles_table
from newsloom.articles.store.tables import texts as texts_table
from newsloom.duplicates.signing import sign
from newsloom.duplicates.stage import DuplicateDetector
from newsloom.duplicates.values import Thresholds, Unsigned
from newsloom.engines.pipeline.stages import TEXT_VERSION
from newsloom.kernel.db import producers
from newsloom.kernel.db.bulk import insert_rows
from newsloom.kernel.db.columns import micros
from newsloom.kernel.errors import UserError
from newsloom.kernel.ids import ArticleId, FeedId
from newsloom.store import Store, open_store
from newsloom.store.texts import split
from newsloom.work.service import Leases
from newsloom_lab.bench.news import END, SOURCES, Made, Newsroom

WORKERS = 2  # processes that sign beside the one that judges
FILLED = 10_000  # articles of one transaction of filling
PEERS_READ = 10_000  # datasketch takes a second for 1,400
HASHES, BANDS, JACCARD = 128, 16, 0.7  # as the seed has them

_ARTICLE = (
    "id",
    "feed_id",
    "original_id",
    "fullest_id",
    "guid",
    "url",
    "source",
    "title",
    "author",
    "first_seen_at",
    "dated_at",
    "version_at",
)
_TEXT = ("article_id", "maker_id", "digest", "title", "lead", "rest")
_TRIGGERS = text(
    "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'texts'"
)
_PLACES = text("""
    SELECT a.guid, COALESCE(c.text_id, a.id) AS text, COALESCE(c.cluster_id, a.id) AS cluster
    FROM articles a LEFT JOIN clusters c ON c.article_id = a.id
""")


@dataclass(frozen=True, slots=True)
class Found:
    """Pairs that were put into one group, against those planted there."""

    precision: float
    recall: float
    pairs: int  # planted


@dataclass(frozen=True, slots=True)
class PeerSpeed:
    """Signatures and LSH of one peer, in memory."""

    articles: int
    signatures_per_second: float  # of one processor
    articles_per_second: float  # the same with look-up and insertion
    problem: str = ""


@dataclass(frozen=True, slots=True)
class DedupBench:
    articles: int
    seconds: float
    articles_per_second: float
    articles_per_processor_second: float  # all processes together; steadier on a busy machine
    first_tenth_per_second: float
    last_tenth_per_second: float
    signatures_per_second: float  # signing alone, one processor
    peak_mb: float
    grown_mb: float  # memory in use after the last tenth, less that after the first
    store_mb: float
    added_mb: float  # of it, by this stage
    texts: Found  # copies
    events: Found
    links: int
    peers: Mapping[str, PeerSpeed]


def run(
    articles: int,
    thresholds: Thresholds,
    keep: Path | None = None,
    peers_read: int = PEERS_READ,
) -> DedupBench:
    """Fill a store, run the stage over it, compare what it found with what was planted."""
    with _folder(keep) as folder:
        path = folder / "dedup.db"
        if not path.exists():
            filling = folder / "filling.db"
            _apart(fill, filling, articles)
            filling.rename(path)
        with closing(open_store(path, now=lambda: END)) as store:
            size, busy = _size(path), _processor_seconds()
            matcher = DuplicateDetector(thresholds, workers=WORKERS)
            taken = list(steps(store, matcher))
            if not taken:
                raise UserError(f"{path} is done already; name another folder.")
            busy = _processor_seconds() - busy
            sample = list(islice(Newsroom(articles).made(), peers_read))
            return _report(store, taken, size, busy, sample)


def fill(path: Path, articles: int) -> None:
    """Made-up news as the text stage leaves it, without the full-text index."""
    with closing(open_store(path, now=lambda: END)) as store:
        user = store.users.user("reader", END)
        feeds = [
            store.reading.subscribe(user, f"https://news-{one}.test/feed", END)[0]
            for one in range(SOURCES)
        ]
        with store.database.write() as connection:
            triggers = connection.execute(_TRIGGERS).all()
            for name, _ in triggers:
                connection.exec_driver_sql(f"DROP TRIGGER {name}")
            producer = producers.numbered(connection, TEXT_VERSION)
        news, first = Newsroom(articles).made(), 1
        while batch := list(islice(news, FILLED)):
            with store.database.write() as connection:
                _insert(connection, batch, first, feeds, producer)
            first += len(batch)
        with store.database.write() as connection:
            for _, made in triggers:
                connection.exec_driver_sql(made)


def _insert(
    connection: Connection, batch: Sequence[Made], first: int, feeds: Sequence[int], producer: int
) -> None:
    articles, texts = [], []
    for number, one in enumerate(batch, start=first):
        host, at = f"news-{one.source}.test", micros(one.dated)
        url = f"https://{host}/{one.dated:%Y/%m/%d}/{number}"
        planted = f"{one.planted} {one.event}"
        places = (number, feeds[one.source], number, number)
        articles.append((*places, planted, url, host, one.title, one.author, at, at, at))
        lead, rest = split(one.text)
        texts.append((number, producer, hashed(f"{one.title}\0{lead}"), one.title, lead, rest))
    insert_rows(connection, articles_table, _ARTICLE, articles)
    insert_rows(connection, texts_table, _TEXT, texts)


def steps(store: Store, matcher: DuplicateDetector) -> Iterator[tuple[int, float, float]]:
    """Articles, seconds and memory of each batch."""
    with closing(Leases(store, lambda: END)) as leases:
        while True:
            began = time.perf_counter()
            done = matcher.step(store, TEXT_VERSION, lambda: END, leases)
            if not done:
                return
            yield done, time.perf_counter() - began, _memory()


def _report(
    store: Store,
    steps: Sequence[tuple[int, float, float]],
    before: int,
    busy: float,
    sample: Sequence[Made],
) -> DedupBench:
    tenth = max(1, len(steps) // 10)
    articles = sum(step[0] for step in steps)
    peak, size = _peak(), store.database.size()
    texts, events = _found(store)
    with store.database.read() as connection:
        links = connection.exec_driver_sql("SELECT COUNT(*) FROM links").scalar_one()
    return DedupBench(
        articles=articles,
        seconds=sum(step[1] for step in steps),
        articles_per_second=_speed(steps),
        articles_per_processor_second=articles / busy,
        first_tenth_per_second=_speed(steps[:tenth]),
        last_tenth_per_second=_speed(steps[-tenth:]),
        signatures_per_second=_signing(sample),
        peak_mb=peak,
        grown_mb=steps[-1][2] - steps[tenth - 1][2],
        store_mb=size / 1e6,
        added_mb=(size - before) / 1e6,
        texts=texts,
        events=events,
        links=links,
        peers={name: _peer(name, measure, sample) for name, measure in PEERS.items()},
    )


def _speed(steps: Sequence[tuple[int, float, float]]) -> float:
    return sum(step[0] for step in steps) / sum(step[1] for step in steps)


def _found(store: Store) -> tuple[Found, Found]:
    with store.database.read() as connection:
        rows = connection.execute(_PLACES).all()
    texts, events = zip(*(row.guid.split() for row in rows), strict=True)
    return (
        _agreement(texts, [row.text for row in rows]),
        _agreement(events, [row.cluster for row in rows]),
    )


def _agreement(planted: Sequence[str], found: Sequence[int]) -> Found:
    together = _pairs(zip(planted, found, strict=True))
    said, true = _pairs(found), _pairs(planted)
    return Found(together / said if said else 1.0, together / true if true else 1.0, true)


def _pairs(names: Iterable[Hashable]) -> int:
    return sum(size * (size - 1) // 2 for size in Counter(names).values())


def _signing(sample: Sequence[Made]) -> float:
    articles = [
        Unsigned(
            ArticleId(number), FeedId(one.source), f"news-{one.source}.test", one.dated, one.title,
            one.text, one.author,
        )
        for number, one in enumerate(sample, start=1)
    ]  # fmt: skip
    began = time.process_time()
    sign(articles)
    return len(articles) / (time.process_time() - began)


def _peer(
    name: str, measure: Callable[[Sequence[str]], PeerSpeed], sample: Sequence[Made]
) -> PeerSpeed:
    try:
        return measure([one.text for one in sample])
    except ImportError:
        return PeerSpeed(0, 0.0, 0.0, f"not measured: {name} is not installed")


def _datasketch(texts: Sequence[str]) -> PeerSpeed:
    sketch: Any = importlib.import_module("datasketch")
    began = time.process_time()
    made = []
    for one in texts:
        signature = sketch.MinHash(num_perm=HASHES)
        signature.update_batch([word.encode() for word in _shingles(one)])
        made.append(signature)
    signed = time.process_time()
    index = sketch.MinHashLSH(num_perm=HASHES, params=(BANDS, HASHES // BANDS))
    for number, signature in enumerate(made):
        index.query(signature)
        index.insert(number, signature)
    return _peer_speed(len(texts), signed - began, time.process_time() - began)


def _rensa(texts: Sequence[str]) -> PeerSpeed:
    sketch: Any = importlib.import_module("rensa")
    began = time.process_time()
    made = []
    for one in texts:
        signature = sketch.RMinHash(num_perm=HASHES, seed=1)
        signature.update(_shingles(one))
        made.append(signature)
    signed = time.process_time()
    index = sketch.RMinHashLSH(threshold=JACCARD, num_perm=HASHES, num_bands=BANDS)
    for number, signature in enumerate(made):
        index.query(signature)
        index.insert(number, signature)
    return _peer_speed(len(texts), signed - began, time.process_time() - began)


def _peer_speed(articles: int, signing: float, whole: float) -> PeerSpeed:
    return PeerSpeed(articles, articles / signing, articles / whole)


def _shingles(text: str) -> list[str]:
    words = text.casefold().split()
    return [" ".join(words[place : place + 3]) for place in range(max(1, len(words) - 2))]


PEERS: Mapping[str, Callable[[Sequence[str]], PeerSpeed]] = {
    "datasketch": _datasketch,
    "rensa": _rensa,
}


def _apart(work: Callable[..., None], *values: Any) -> None:
    """In a process of its own, so that the memory it takes is not counted here."""
    child = multiprocessing.get_context("spawn").Process(target=work, args=values)
    child.start()
    child.join()
    if child.exitcode:
        raise UserError("The store could not be filled; is the disk full?")


@contextmanager
def _folder(keep: Path | None) -> Iterator[Path]:
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        yield keep
        return
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def _size(path: Path) -> int:
    """With the log of what is not in the file yet."""
    log = path.with_name(path.name + "-wal")
    return path.stat().st_size + (log.stat().st_size if log.exists() else 0)


def _memory() -> float:
    """Megabytes in use now; 0 where the system does not tell."""
    status = Path("/proc/self/statm")
    pages = int(status.read_text().split()[1]) if status.exists() else 0
    return pages * resource.getpagesize() / 1e6


def _processor_seconds() -> float:
    """Of this process and of those it has waited for."""
    own, others = (
        resource.getrusage(which) for which in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime


def _peak() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1e6 if sys.platform == "darwin" else 1e3)
