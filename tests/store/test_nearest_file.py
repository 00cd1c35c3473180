"""The file that SQLite's vectors are searched in: a cache, whatever becomes of it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from newsloom.kernel.db import producers
from newsloom.ranking.store.neighbours import MOST_CHANGES

from .builders import DIMENSIONS, NOW, VECTORS, unit
from .conftest import PROCESS

MANY = 5_000


@pytest.fixture
def file(sqlite, path):
    """A store of its own, with so many vectors, and where its file will be."""
    with closing(sqlite.open(path)) as store:
        fill(store, MANY)
        yield store, Path(f"{path}.vectors") / "1.vectors"


def fill(store, count: int, start: int = 1) -> None:
    """Articles with vectors, as cheaply as can be."""
    user = store.users.user("reader", NOW)
    feed, _ = store.reading.subscribe(user, "https://first.test/feed", NOW)
    ids = range(start, start + count)
    rows = [(one, feed, one, one, one, one, one) for one in ids]
    vectors = unit(count, seed=start).astype("<f2")
    with store.database.write() as connection:
        producer = producers.numbered(connection, VECTORS)
        connection.exec_driver_sql(
            "INSERT INTO articles (id, feed_id, original_id, fullest_id, first_seen_at, dated_at,"
            " version_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
            rows,
        )
        connection.exec_driver_sql(
            "INSERT INTO embeddings (maker_id, article_id, vector) VALUES (?, ?, ?)",
            [(producer, one, line.tobytes()) for one, line in zip(ids, vectors, strict=True)],
        )


def nearest(store, limit: int = 5, seed: int = 99) -> list[int]:
    query = unit(1, seed)[0]
    return [one.id for one in store.articles.nearest(VECTORS, query, limit=limit)]


def wanted(store, limit: int = 5, seed: int = 99) -> list[int]:
    """By the table itself."""
    query = unit(1, seed)[0].astype(np.float16).astype(np.float64)
    with store.database.read() as connection:
        rows = connection.exec_driver_sql("SELECT article_id, vector FROM embeddings").all()
    vectors = np.frombuffer(b"".join(row[1] for row in rows), "<f2").reshape(-1, DIMENSIONS)
    near = vectors @ query / np.linalg.norm(vectors.astype(np.float64), axis=1)
    return [rows[place][0] for place in np.argsort(-near)[:limit]]


def test_it_is_made_when_first_asked_for_and_then_kept(file) -> None:
    store, place = file
    assert not place.exists()
    assert nearest(store) == wanted(store)
    made = place.stat()
    with closing(type(store)(store.database, lambda: NOW)) as again:
        assert nearest(again) == wanted(store)
    assert place.stat().st_ino == made.st_ino
    assert (made.st_mode & 0o777, place.parent.stat().st_mode & 0o777) == (0o600, 0o700)


def test_a_few_changes_leave_it_and_many_make_it_anew(file, sqlite, path) -> None:
    store, place = file
    nearest(store)
    before = place.stat().st_ino
    fill(store, 100, start=MANY + 1)
    with store.database.write() as connection:
        connection.exec_driver_sql("DELETE FROM embeddings WHERE article_id % 50 = 0")
    assert nearest(store) == wanted(store)
    assert place.stat().st_ino == before
    with closing(sqlite.open(path)) as other:  # reads the file and what changed since
        assert nearest(other, limit=50) == wanted(store, limit=50)
    assert place.stat().st_ino == before
    fill(store, MOST_CHANGES, start=MANY + 101)
    assert nearest(store) == wanted(store)
    assert place.stat().st_ino != before


def damaged(path: Path) -> Iterator[bytes]:
    """What a file may have become."""
    whole = path.read_bytes()
    yield b""
    yield b"{}"
    yield b"\xff" * 5_000
    yield whole[: len(whole) // 2]
    yield whole + b"more"
    yield whole.replace(b'"position": [', b'"position": [9')
    for at in (5_000, len(whole) - 200):  # one bit, of a date and of a vector
        yield whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :]
    yield whole[:4096] + bytes(len(whole) - 4096)  # what a power failure may leave


def test_a_damaged_file_is_made_anew(file, sqlite, path) -> None:
    store, place = file
    right = nearest(store)
    for content in list(damaged(place)):
        place.unlink()
        place.write_bytes(content)
        with closing(sqlite.open(path)) as other:
            assert nearest(other) == right
        assert place.read_bytes() != content


def test_a_file_of_another_database_is_not_believed(file, sqlite, folder) -> None:
    """One that was put back to what it was, say, and went on from there."""
    store, place = file
    nearest(store)
    other_path = folder / "other.db"
    with closing(sqlite.open(other_path)) as other:
        fill(other, MANY, start=MANY)
        beside = Path(f"{other_path}.vectors")
        beside.mkdir()
        (beside / "1.vectors").write_bytes(place.read_bytes())
        assert nearest(other) == wanted(other)


def test_where_no_file_can_be_made_memory_does(file) -> None:
    store, place = file
    place.parent.write_text("a file where the folder should be")
    assert nearest(store) == wanted(store)
    fill(store, 10, start=MANY + 1)
    assert nearest(store) == wanted(store)


KILLED = (
    PROCESS
    + """
import os, signal
from datetime import UTC, datetime
import numpy as np
from sqlalchemy import event
store = opened(lambda: datetime(2026, 11, 1, tzinfo=UTC))
reads = 0
@event.listens_for(store.database._engine, "after_cursor_execute")
def count(_connection, _cursor, statement, *_):
    global reads
    reads += "SELECT article_id, vector" in statement
    if reads == 3:
        os.kill(os.getpid(), signal.SIGKILL)
store.articles.nearest("encoder@1", np.ones(8, np.float32), limit=3)
"""
)


@pytest.mark.each_sqlite
def test_killed_while_it_is_written_it_is_made_by_the_next(file, sqlite, path) -> None:
    store, place = file
    command = [sys.executable, "-c", KILLED, *sqlite.words(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == -9, done.stderr
    (left,) = place.parent.iterdir()
    assert left.name.endswith(".part")
    assert nearest(store) == wanted(store)
    assert left.exists()  # it may belong to somebody who is still at it
    os.utime(left, (1, 1))
    place.unlink()
    with closing(sqlite.open(path)) as other:
        assert nearest(other) == wanted(store)
    assert list(place.parent.iterdir()) == [place]


WRITER = (
    PROCESS
    + """
from datetime import UTC, datetime
import numpy as np
store = opened(lambda: datetime(2026, 11, 1, tzinfo=UTC))
writer = int(sys.argv[3])
chance = np.random.default_rng(writer)
for turn in range(30):
    # Each writes every other article: none finds a vector that the other replaced meanwhile.
    ids = sorted(set((2 * chance.integers(1, 2_500, 20) + writer % 2).tolist()))
    vectors = chance.normal(size=(len(ids), 8)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    store.articles.put_vectors("encoder@1", ids, vectors)
    found = store.articles.nearest("encoder@1", vectors[0], limit=1)
    assert (found[0].id, found[0].cosine > 0.999) == (ids[0], True), found
print("done")
"""
)


@pytest.mark.each_sqlite
def test_processes_that_write_and_ask_at_once_see_what_is_there(file, sqlite, path) -> None:
    store, _place = file
    commands = [
        [sys.executable, "-c", WRITER, *sqlite.words(path), str(seed)] for seed in (101, 102)
    ]
    running = [
        subprocess.Popen(one, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for one in commands
    ]
    while any(one.poll() is None for one in running):
        assert len(nearest(store)) == 5
    for one in running:
        text, problems = one.communicate(timeout=60)
        assert text == "done\n", problems
    assert nearest(store, limit=50) == wanted(store, limit=50)
