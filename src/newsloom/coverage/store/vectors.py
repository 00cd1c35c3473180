"""Vectors of hits' headlines: the same headline comes back with every query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import bindparam, text

from newsloom.kernel.db import makers
from newsloom.kernel.db.aggregate import Aggregate
from newsloom.kernel.db.columns import micros
from newsloom.kernel.db.sql import CHUNK
from newsloom.ranking.ports import Vectors
from newsloom.ranking.store.vectors import STORED

_FOUND = text(
    "SELECT key, vector FROM coverage_vectors WHERE maker_id = :maker AND key IN :keys"
).bindparams(bindparam("keys", expanding=True))
_PUT = text("""
    INSERT INTO coverage_vectors (maker_id, key, at, vector) VALUES (:maker, :key, :at, :vector)
    ON CONFLICT (maker_id, key) DO UPDATE SET at = excluded.at
""")


class HitVectors(Aggregate):
    """The cache."""

    def hit_vectors(self, maker: str, keys: Sequence[str]) -> Mapping[str, NDArray[np.float32]]:
        """Unit-length rows of those that are known."""
        found: dict[str, NDArray[np.float32]] = {}
        with self.database.read() as connection:
            number = makers.known(connection, maker)
            for start in range(0, len(keys), CHUNK):
                some = {"maker": number, "keys": list(keys[start : start + CHUNK])}
                for row in connection.execute(_FOUND, some):
                    found[row.key] = np.frombuffer(row.vector, STORED).astype(np.float32)
        return {key: row / (float(np.linalg.norm(row)) or 1.0) for key, row in found.items()}

    def put_hit_vectors(
        self, maker: str, keys: Sequence[str], vectors: Vectors, now: datetime
    ) -> None:
        """Keep them, one row for each key."""
        if not keys:
            return
        with self.database.write() as connection:
            number = makers.numbered(connection, maker)
            values = [
                {"maker": number, "key": key, "at": micros(now), "vector": row.tobytes()}
                for key, row in zip(keys, vectors.astype(STORED), strict=True)
            ]
            connection.execute(_PUT, values)
