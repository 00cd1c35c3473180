"""A backup of everything and back, while others read and write; and what is no backup."""

from __future__ import annotations

import io
import json
import sqlite3
import tarfile
import threading
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import text

from newsloom.app import backup
from newsloom.kernel.errors import StoreBusy, StoreError, UserError
from newsloom.kernel.installed import digest_of
from newsloom.ranking.encoders import weights
from newsloom.reading.values.reading import EventKind, ListQuery
from newsloom.store import Store, open_store
from newsloom.store.tables import metadata

from .builders import HALF_LIVES, NOW, add, run_stages
from .conftest import SQLITE, Backend
from .old_store import old_store
from .searching import ids, search

pytestmark = pytest.mark.each_sqlite


def everything(store: Store) -> dict[str, list[str]]:
    """Every row of every table."""
    with store.database.read() as connection:
        return {
            table.name: sorted(map(repr, connection.execute(table.select()).all()))
            for table in metadata.sorted_tables
        }


@pytest.fixture
def full(store: Store, reader, feed) -> Store:
    ids = add(store, feed, *(f"article {number}" for number in range(30)))
    run_stages(store, reader)
    store.reading.mark(reader, ids[:5], EventKind.LIKE, NOW, "test")
    store.reading.mark(reader, ids[5:9], EventKind.STAR, NOW, "test")
    return store


@pytest.fixture
def other(backend: Backend, path: Path) -> Iterator[Store]:
    with closing(backend.open(path, timedelta(seconds=0.3))) as opened:
        yield opened


@pytest.fixture
def saved(full: Store, folder: Path) -> Path:
    out = folder / "news.tar"
    backup.save(full, folder / "none", out, "1", NOW)
    return out


def restore(store: Store, source: Path, **more) -> backup.Contents:
    return backup.restore(store, source.with_name("other.models"), source, lambda: NOW, **more)


@pytest.mark.parametrize("name", ["news.tar", "news.tar.gz"])
def test_all_comes_back(full: Store, other: Store, folder: Path, name: str) -> None:
    out = folder / name
    made = backup.save(full, folder / "none", out, "1", NOW)
    assert (made.articles, made.feeds) == (30, 1)
    other.users.user("someone", NOW)
    assert restore(other, out) == made
    assert everything(other) == everything(full)
    assert out.read_bytes()[:2] == (b"\x1f\x8b" if name.endswith("gz") else b"ne")
    assert sorted(one.name for one in folder.iterdir()) == sorted(
        {name, *(one.name for one in folder.glob("newsloom.db*"))}
    )


def test_a_backup_is_of_one_moment(full: Store, other: Store, folder: Path) -> None:
    """Each step of the writer adds two rows; a backup has both or neither."""
    done = threading.Event()

    def write() -> None:
        number = 0
        while not done.is_set():
            with full.database.write() as connection:
                for side in "ab":
                    connection.execute(
                        text("INSERT INTO users (name, made_at, taste) VALUES (:name, 0, 0)"),
                        {"name": f"{number}{side}"},
                    )
            number += 1
            done.wait(0.001)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        outs = [folder / f"{number}.tar" for number in range(5)]
        for out in outs:
            backup.save(full, folder / "none", out, "1", NOW)
    finally:
        done.set()
        writer.join()
    counts = []
    for out in outs:
        restore(other, out)
        counts += other.database.sizes("users")
    assert [count % 2 for count in counts] == [1] * 5, "the reader, and pairs"
    assert counts[-1] > counts[0], "it wrote meanwhile"


def test_whoever_has_it_open_sees_the_old_and_then_the_new(
    full: Store, other: Store, saved: Path, backend: Backend, path: Path
) -> None:
    with closing(backend.open(path)) as looking:
        with looking.database.read() as connection:
            before = connection.scalar(text("SELECT COUNT(*) FROM articles"))
        restore(other, saved)
        with looking.database.read() as connection:
            after = connection.scalar(text("SELECT COUNT(*) FROM articles"))
        assert (before, after) == (0, 30)
        user = looking.users.user("reader", NOW)
        rows = looking.lists.page(user, ListQuery(unread_only=False), NOW, HALF_LIVES)
        assert len(rows) == 30
        looking.reading.mark(user, [rows[0].id], EventKind.STAR, NOW, "test")


def test_a_store_that_is_written_to_is_busy_and_unchanged(
    other: Store, saved: Path, backend: Backend, path: Path
) -> None:
    before = everything(other)
    with closing(backend.open(path)) as writing:
        with writing.database.write(), pytest.raises(StoreBusy):
            restore(other, saved)
        assert everything(writing) == before
    restore(other, saved)
    assert other.database.sizes("articles") == (30,)


def test_trained_weights_come_along(full: Store, other: Store, folder: Path) -> None:
    there, here = folder / "there.models", folder / "other.models"
    for name in ("aa11", "bb22"):
        part = weights.begin(there)
        (part / "weights.safetensors").write_bytes(name.encode())
        weights.finish(part, name, b"{}")
    weights.begin(there)  # a training under way is no version
    out = folder / "news.tar"
    backup.save(full, there, out, "1", NOW)
    restore(other, out)
    restore(other, out)  # again: the versions are there
    assert {one.name for one in here.iterdir()} == {"aa11", "bb22"}
    assert (here / "bb22" / "weights.safetensors").read_bytes() == b"bb22"
    assert (here / "bb22" / weights.DESCRIPTION).read_bytes() == b"{}"


def test_who_does_not_agree_keeps_everything(other: Store, saved: Path) -> None:
    before = everything(other)

    def refuse(contents: backup.Contents) -> None:
        raise UserError(f"{contents.articles} articles")

    with pytest.raises(UserError, match="30 articles"):
        restore(other, saved, agree=refuse)
    assert everything(other) == before


def test_where_it_cannot_be_written_nothing_is_left(full: Store, folder: Path) -> None:
    with pytest.raises(UserError, match="cannot be written"):
        backup.save(full, folder / "none", folder / "no folder" / "x.tar", "1", NOW)
    assert not list(folder.rglob("*.part"))


# --- what is no backup ---


def changed(saved: Path, *, contents=None, database=None, more=()) -> bytes:
    """A backup with other members."""
    with tarfile.open(saved) as archive:
        kept = {one.name: archive.extractfile(one).read() for one in archive}
    described = json.loads(kept[backup.CONTENTS]) | (contents or {})
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name, body in (
            (backup.CONTENTS, json.dumps(described).encode()),
            *more,
            (backup.DATABASE, database or kept[backup.DATABASE]),
        ):
            member = name if isinstance(name, tarfile.TarInfo) else tarfile.TarInfo(name)
            member.size = len(body)
            archive.addfile(member, io.BytesIO(body))
    return out.getvalue()


def link(name: str, kind: bytes, to: str) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.type, member.linkname = kind, to
    return member


BROKEN = {
    "nothing": lambda saved: b"",
    "no archive": lambda saved: b"SQLite format 3\0" * 100,
    "cut in the database": lambda saved: saved.read_bytes()[: saved.stat().st_size // 2],
    "cut before it": lambda saved: saved.read_bytes()[:1000],
    "a byte is another": lambda saved: _flipped(saved.read_bytes()),
    "a later format": lambda saved: changed(saved, contents={"format": 2}),
    "its contents are no object": lambda saved: _single(backup.CONTENTS, b"[1]"),
    "no contents": lambda saved: _single(backup.DATABASE, b"x"),
    "only contents": lambda saved: _single(
        backup.CONTENTS,
        b'{"format": 1, "version": "", "at": "", "articles": 1, "feeds": 1, "sha256": ""}',
    ),
    "a path upwards": lambda saved: changed(saved, more=[("models/../../x.json", b"x")]),
    "an absolute path": lambda saved: changed(saved, more=[("/tmp/x.json", b"x")]),
    "a program": lambda saved: changed(saved, more=[("models/a/x.py", b"x")]),
    "a link": lambda saved: changed(
        saved, more=[(link("models/a/x.json", tarfile.SYMTYPE, "/etc/passwd"), b"")]
    ),
    "a hard link": lambda saved: changed(
        saved, more=[(link("models/a/x.json", tarfile.LNKTYPE, "newsloom.json"), b"")]
    ),
    "a device": lambda saved: changed(
        saved, more=[(link("models/a/x.json", tarfile.CHRTYPE, ""), b"")]
    ),
    "two databases": lambda saved: changed(saved, more=[(backup.DATABASE, b"x")]),
}


def _flipped(body: bytes) -> bytes:
    place = body.index(b"SQLite format 3") + 5_000
    return body[:place] + bytes([body[place] ^ 1]) + body[place + 1 :]


def _single(name: str, body: bytes) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        member = tarfile.TarInfo(name)
        member.size = len(body)
        archive.addfile(member, io.BytesIO(body))
    return out.getvalue()


def test_what_is_no_whole_backup_changes_nothing(other: Store, saved: Path, folder: Path) -> None:
    before, taken = everything(other), []
    source = folder / "broken.tar"
    for name, broken in BROKEN.items():
        source.write_bytes(broken(saved))
        try:
            restore(other, source)
        except UserError as error:
            assert "broken.tar is not a complete backup: " in str(error), name  # noqa: PT017
        else:
            taken.append(name)
        if everything(other) != before or (folder / "other.models").exists():
            taken.append(f"{name}: something changed")
    assert taken == []


def test_one_of_a_newer_schema_changes_nothing(other: Store, saved: Path, folder: Path) -> None:
    newer = folder / "newer.db"
    with closing(open_store(newer, now=lambda: NOW)) as store, store.database.write() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999', least = '9999'"))
    body = newer.read_bytes()
    source = folder / "newer.tar"
    source.write_bytes(changed(saved, database=body, contents={"sha256": digest_of(newer)}))
    before = everything(other)
    with pytest.raises(StoreError, match="newer Newsloom"):
        restore(other, source)
    assert everything(other) == before


def test_one_of_an_old_schema_is_upgraded(other: Store, saved: Path, folder: Path) -> None:
    old = old_store(SQLITE, folder / "old.db")
    source = folder / "old.tar"
    contents = {"sha256": digest_of(old)}
    source.write_bytes(changed(saved, database=old.read_bytes(), contents=contents))
    restore(other, source)
    reader = other.users.user("reader", NOW)
    assert [one.text for one in other.annotations.notes(reader)] == ["A note on the ferry."]
    assert len(other.digests.digests(reader, 9)) == len(other.briefs.briefs(reader, 9)) == 1
    assert len(ids(search(other, reader, "lodz"))) == 1


FOREIGN = {
    "a trigger": "CREATE TRIGGER t AFTER INSERT ON feeds BEGIN DELETE FROM articles; END",
    "a trigger under a name of ours": "DROP TRIGGER {trigger};"
    "CREATE TRIGGER {trigger} AFTER INSERT ON feeds BEGIN DELETE FROM articles; END",
    "a view": "CREATE VIEW v AS SELECT * FROM accounts",
    "a view in the place of a table": "DROP TABLE sign_ins;"
    "CREATE VIEW sign_ins AS SELECT * FROM accounts",
    "a table": "CREATE TABLE other (id INTEGER)",
    "a virtual table": "CREATE VIRTUAL TABLE other USING fts5(words)",
    "one table less": "DROP TABLE sign_ins",
    "a column": "ALTER TABLE accounts ADD COLUMN more TEXT",
    "a generated column": "ALTER TABLE accounts ADD COLUMN more TEXT AS (name)",
    "another name of a column": "ALTER TABLE accounts RENAME COLUMN role TO roles",
}


def test_another_schema_is_refused(other: Store, saved: Path, folder: Path) -> None:
    before = everything(other)
    source = folder / "changed.tar"
    taken = []
    for name, statements in FOREIGN.items():
        file = folder / f"{name}.db"
        with tarfile.open(saved) as archive:
            file.write_bytes(archive.extractfile(backup.DATABASE).read())
        with closing(sqlite3.connect(file)) as connection:
            trigger = connection.execute(
                "SELECT min(name) FROM sqlite_master WHERE type = 'trigger'"
            ).fetchone()[0]
            connection.executescript(statements.format(trigger=trigger))
        digest = {"sha256": digest_of(file)}
        source.write_bytes(changed(saved, database=file.read_bytes(), contents=digest))
        try:
            restore(other, source)
        except UserError as error:
            assert "changed.tar is not a Newsloom backup: " in str(error)  # noqa: PT017
        else:
            taken.append(name)
    assert taken == []
    assert everything(other) == before
