"""Everything that the stages make of articles, without numbers that are given in passing.

Two stores that began as copies hold the same articles under the same ids, so only stories, makers
and times of computing differ.
"""

from __future__ import annotations

import json
import math
import re
from collections import defaultdict
from typing import Any

import numpy as np
from sqlalchemy import text

from newsloom.store import Store

# What is kept of each article, by table; ordered, so that two stores can be compared.
KEPT = {
    "texts": "article_id, digest, title, lead, rest",
    "signatures": "article_id, digest, agency, signature",
    "clusters": "article_id, cluster_id, text_id",
    "links": "article_id, other_id, relation, evidence",
    "importances": "article_id, authority, corroboration, depth, sources",
    "ratings": "article_id, rating, confidence, explanation",
    "same_event_marks": "article_id, digest",
    "states": "user_id, article_id, dated_at, sensitivity, relevance, rank_key, points, topic",
    "unread_clusters": "user_id, cluster_id, unread",
    "work_batches": "stage, low_id, high_id",
    "work_failures": "stage, article_id, error",
}
VECTORS = """
    SELECT e.article_id, m.name, e.vector FROM embeddings e JOIN makers m ON m.id = e.maker_id
"""
# Without titles: a story that had two articles for a moment keeps the one that it got then.
STORIES = """
    SELECT s.id, s.state, s.began, s.latest, m.article_id, m.probability, m.relation
    FROM story_members m JOIN stories s ON s.id = m.story_id
"""


def rows(store: Store) -> dict[str, list[Any]]:
    """By table; every list is sorted."""
    with store.database.read() as connection:

        def asked(query: str) -> list[tuple[Any, ...]]:
            return [
                tuple(bytes(one) if isinstance(one, memoryview) else one for one in row)
                for row in connection.execute(text(query))
            ]

        found: dict[str, list[Any]] = {
            table: sorted(asked(f"SELECT {columns} FROM {table}"), key=repr)
            for table, columns in KEPT.items()
        }
        found["embeddings"] = sorted(asked(VECTORS))
        told = defaultdict(list)
        for story, *of_story, article, probability, relation in asked(STORIES):
            told[story].append((article, round(probability, 6), relation, *of_story))
    found["stories"] = sorted(sorted(members, key=repr) for members in told.values())
    return found


def differing(found: dict[str, list[Any]], expected: dict[str, list[Any]]) -> list[str]:
    """Tables that are not alike. A network rounds otherwise when other articles share its batch, so
    numbers may differ from the fourth digit on."""
    assert found.keys() == expected.keys()
    return [table for table, rows_ in expected.items() if not _alike(found[table], rows_)]


def _alike(found: Any, expected: Any) -> bool:
    if isinstance(expected, (list, tuple)):
        return len(found) == len(expected) and all(map(_alike, found, expected))
    if isinstance(expected, bytes):  # a vector; or else a signature, and those are the same
        if found == expected or len(expected) % 2:
            return bool(found == expected)
        one, other = (np.frombuffer(it, np.float16).astype(np.float32) for it in (found, expected))
        return one.shape == other.shape and bool(np.allclose(one, other, atol=2e-3))
    if isinstance(expected, float):
        return math.isclose(found, expected, rel_tol=1e-4, abs_tol=1e-4)
    if isinstance(expected, str) and expected.startswith("[["):
        return _alike(json.loads(found), json.loads(expected))
    if isinstance(expected, str):
        return _NUMBER.sub("", found) == _NUMBER.sub("", expected)
    return bool(found == expected)


_NUMBER = re.compile(r"\d+(\.\d+)?")
