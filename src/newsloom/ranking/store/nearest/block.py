"""All vectors of one model by date, as arrays of one file that is mapped into memory.

    line of JSON: magic, position, arrays (name, type, shape, offset), digest of each; blanks
    ids, dates (microseconds since 1970), vectors (float16), and a sketch where there are many

A file is never changed: a new one takes its place in one step, and who has the old one mapped keeps
it. It is nothing but a cache, so whatever is wrong with one, it is made anew.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, text

from newsloom.kernel.files import private_folder
from newsloom.ranking.store.nearest.sketch import Sketch, sketch_of, sketched
from newsloom.ranking.store.vectors import STORED

MAGIC = "newsloom vectors 1"
HEAD = 4_096  # bytes; arrays begin behind it, each at a multiple of LINE
LINE = 64
CHUNK = 2_000  # rows read of the table at once
SUMMED = 8_192  # words of 64 bits that one sum of a digest is of

# What a killed process left half written goes when it is so old: nothing takes that long.
STALE_SECONDS = 3_600

_ROWS = text("""
    SELECT e.article_id, a.dated_at FROM embeddings e JOIN articles a ON a.id = e.article_id
    WHERE e.maker_id = :maker ORDER BY e.article_id
""")
_VECTORS = text("""
    SELECT article_id, vector FROM embeddings WHERE maker_id = :maker AND article_id > :after
    ORDER BY article_id LIMIT :limit
""")

Arrays = Mapping[str, NDArray[Any]]
Shapes = Mapping[str, tuple[str, tuple[int, ...]]]  # type and shape by name


@dataclass(frozen=True, slots=True)
class Block:
    """The vectors of one model as of a position of the log, by date and id."""

    position: Position
    ids: NDArray[np.int64]
    dates: NDArray[np.int64]  # microseconds, ascending
    vectors: NDArray[np.float16]  # (n, dimensions), of unit length but for rounding
    sketch: Sketch | None  # none of few rows


def opened(path: Path) -> Block | None:
    """The block of a file; None when there is none or it is not whole."""
    try:
        return _opened(path)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def made(connection: Connection, producer: int, position: Position, path: Path | None) -> Block:
    """Read all vectors of a model into a file, or into memory: without a path or room on disk."""
    if path is not None:
        with suppress(OSError):
            return _written(connection, producer, position, path)
    ids, dates, places = _order(connection, producer)
    shapes = _shapes(len(ids), _dimensions(connection, producer))
    arrays = {name: np.zeros(shape, kind) for name, (kind, shape) in shapes.items()}
    _fill(connection, producer, (ids, dates, places), arrays)
    return _block(position, arrays)


def _opened(path: Path) -> Block:
    with path.open("rb") as file:
        head = json.loads(file.read(HEAD))
    if head["magic"] != MAGIC or path.stat().st_size != head["size"]:
        raise ValueError("another file")
    arrays = {}
    for name, kind, shape, offset, digest in head["arrays"]:
        array = _mapped(path, kind, tuple(shape), offset, "r")
        if _digest(array) != digest:
            raise ValueError("damaged")
        arrays[name] = array
    return _block(Position(*head["position"]), arrays)


def _block(position: Position, arrays: Arrays) -> Block:
    return Block(
        position, arrays["ids"], arrays["dates"], arrays["vectors"], Sketch.of_arrays(arrays)
    )


def _mapped(path: Path, kind: str, shape: tuple[int, ...], offset: int, mode: Any) -> NDArray[Any]:
    if not np.prod(shape):
        return np.empty(shape, kind)
    # A plain array over the map: each slice of a memmap takes microseconds more.
    return np.asarray(np.memmap(path, dtype=kind, mode=mode, offset=offset, shape=shape))


def _written(connection: Connection, producer: int, position: Position, path: Path) -> Block:
    """By a file of another name, which takes the place of the old one when it is whole."""
    private_folder(path.parent)
    part = path.with_name(f"{path.name}.{os.getpid()}-{secrets.token_hex(4)}.part")
    ids, dates, places = _order(connection, producer)
    shapes = _shapes(len(ids), _dimensions(connection, producer))
    offsets, size = _layout(shapes)
    try:
        _reserve(part, size)
        _sweep(path, part)
        arrays = {
            name: _mapped(part, kind, shape, offsets[name], "r+")
            for name, (kind, shape) in shapes.items()
        }
        _fill(connection, producer, (ids, dates, places), arrays)
        told = [
            (name, kind, shape, offsets[name], _digest(arrays[name]))
            for name, (kind, shape) in shapes.items()
        ]
        head = {
            "magic": MAGIC,
            "position": (position.id, position.nonce),
            "size": size,
            "arrays": told,
        }
        with part.open("r+b") as file:
            file.write(json.dumps(head).encode().ljust(HEAD))
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    return _block(position, arrays)


def _order(
    connection: Connection, producer: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Ids and dates by date and id, and the place there of each row in the order of ids."""
    found = connection.execute(_ROWS, {"maker": producer}).all()
    rows = np.array([tuple(row) for row in found], np.int64).reshape(-1, 2)
    order = np.lexsort((rows[:, 0], rows[:, 1]))
    places = np.empty(len(rows), np.int64)
    places[order] = np.arange(len(rows))
    return rows[order, 0], rows[order, 1], places


def _dimensions(connection: Connection, producer: int) -> int:
    row = connection.execute(_VECTORS, {"maker": producer, "after": -1, "limit": 1}).first()
    return len(row.vector) // STORED.itemsize if row else 0


def _shapes(rows: int, dimensions: int) -> Shapes:
    plain = {
        "ids": ("<i8", (rows,)),
        "dates": ("<i8", (rows,)),
        "vectors": ("<f2", (rows, dimensions)),
    }
    return {**plain, **(sketched(rows, dimensions))}


def _layout(shapes: Shapes) -> tuple[Mapping[str, int], int]:
    """Where each array begins, and how long the file is."""
    offsets, end = {}, HEAD
    for name, (kind, shape) in shapes.items():
        offsets[name] = end
        end += -(-int(np.prod(shape)) * np.dtype(kind).itemsize // LINE) * LINE
    return offsets, end


def _reserve(path: Path, size: int) -> None:
    """Room on disk for all of it: without, a full disk would end the process that writes the map.

    Raises OSError.
    """
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        if hasattr(os, "posix_fallocate"):
            os.posix_fallocate(file, 0, size)
            return
        for start in range(0, size, 1 << 20):
            os.write(file, bytes(min(1 << 20, size - start)))
    finally:
        os.close(file)


def _fill(
    connection: Connection,
    producer: int,
    order: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]],
    arrays: Arrays,
) -> None:
    arrays["ids"][:], arrays["dates"][:], places = order
    vectors = arrays["vectors"]
    start = 0
    for rows in _read(connection, producer, vectors.shape[1]):
        vectors[places[start : start + len(rows)]] = rows
        start += len(rows)
    if "basis" in arrays:
        sketch_of(vectors, arrays)


def _read(connection: Connection, producer: int, dimensions: int) -> Iterator[NDArray[np.float16]]:
    """All vectors in the order of their articles' ids."""
    after = -1
    while True:
        values = {"maker": producer, "after": after, "limit": CHUNK}
        found = connection.execute(_VECTORS, values).all()
        if found:
            rows = np.frombuffer(b"".join(row.vector for row in found), STORED)
            yield rows.reshape(-1, dimensions)
            after = found[-1].article_id
        if len(found) < CHUNK:
            return


def _digest(array: NDArray[Any]) -> str:
    """Of the sums of its parts: read at the speed of memory, a fifteenth of what a CRC takes."""
    plain = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    whole = len(plain) // 8
    words = plain[: whole * 8].view(np.uint64)
    sums = np.add.reduceat(words, np.arange(0, whole, SUMMED)) if whole else words
    digest = hashlib.blake2b(sums.tobytes(), digest_size=16)
    digest.update(plain[whole * 8 :].tobytes())
    return digest.hexdigest()


def _sweep(path: Path, newest: Path) -> None:
    """Take away what killed processes left half written, long before the newest."""
    with suppress(OSError):
        long_ago = newest.stat().st_mtime - STALE_SECONDS
        for part in path.parent.glob(f"{path.name}.*.part"):
            if part.stat().st_mtime < long_ago:
                part.unlink(missing_ok=True)


_NEWEST = text("SELECT id, nonce FROM vector_log ORDER BY id DESC LIMIT 1")
_NONCE = text("SELECT nonce FROM vector_log WHERE id = :id")
_CHANGED = text("SELECT DISTINCT article_id FROM vector_log WHERE id > :id AND maker_id = :maker")


@dataclass(frozen=True, slots=True)
class Position:
    """The last note there was: no other state of this or another database has the same."""

    id: int
    nonce: int


def newest(connection: Connection) -> Position | None:
    """None where there is no note at all: nothing can be said then."""
    row = connection.execute(_NEWEST).one_or_none()
    return None if row is None else Position(row.id, row.nonce)


def changed(connection: Connection, position: Position, producer: int) -> list[int] | None:
    """The articles whose vectors were written or deleted since; None when that is not known."""
    if connection.scalar(_NONCE, {"id": position.id}) != position.nonce:
        return None
    return list(connection.scalars(_CHANGED, {"id": position.id, "maker": producer}))
