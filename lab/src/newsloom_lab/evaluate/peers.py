"""Other programs' duplicates on the same articles, at their best. Optional: the bench libraries."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from newsloom.kernel.errors import UserError
from newsloom.ranking.measure.articles import LabelledArticle
from newsloom_lab.evaluate.clusterings import agreement
from newsloom_lab.evaluate.layered import Grouping, components

# As the seed has it: 128 hashes, 16 bands of 8 rows, Jaccard .7 confirms.
HASHES = 128
SEED_BANDS, SEED_ROWS, SEED_JACCARD = 16, 8, 0.7
GRID = (0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
SHINGLE = 3  # words


@dataclass(frozen=True, slots=True)
class PeerGroups:
    name: str
    threshold: float
    fitted: bool
    seconds: float
    groups: Grouping


# Articles, gold of texts, gold of clusters; one result for each way of using the program.
Peer = Callable[[Sequence[LabelledArticle], Grouping, Grouping], Iterator[PeerGroups]]


def datasketch(
    articles: Sequence[LabelledArticle], texts: Grouping, clusters: Grouping
) -> Iterator[PeerGroups]:
    """MinHash with LSH as the seed says, and at the threshold that does best on this very file.

    Texts that are equal to the letter are one to it, or its index would hold them all under one
    key. Best is by pairwise F1 of the same text; in a file without that gold, of the same event.
    """
    try:
        from datasketch import MinHash, MinHashLSH
    except ImportError as error:
        raise UserError("datasketch is not installed: pip install datasketch.") from error
    gold = texts if len(set(texts)) < len(texts) else clusters
    first: dict[str, int] = {}
    equal = [
        (first.setdefault(one.body, place), place)
        for place, one in enumerate(articles)
        if one.body.strip()
    ]
    began = time.perf_counter()
    hashes = {place: _minhash(MinHash, articles[place].body) for place in first.values()}
    hashing = time.perf_counter() - began

    def groups(jaccard: float, params: tuple[int, int] | None) -> tuple[Grouping, float]:
        began = time.perf_counter()
        index = MinHashLSH(threshold=jaccard, num_perm=HASHES, params=params)
        found = components(len(articles), [*equal, *_near(index, hashes, jaccard)])
        return found, hashing + time.perf_counter() - began

    found, seconds = groups(SEED_JACCARD, (SEED_BANDS, SEED_ROWS))
    yield PeerGroups("datasketch_seed", SEED_JACCARD, False, seconds, found)
    tried = [(jaccard, *groups(jaccard, None)) for jaccard in GRID]
    jaccard, found, seconds = max(tried, key=lambda one: agreement(gold, one[1]).pairwise_f1)
    yield PeerGroups("datasketch_best", jaccard, True, seconds, found)


def _minhash(make: Any, text: str) -> Any:
    words = text.casefold().split()
    found = make(num_perm=HASHES)
    found.update_batch(
        {
            " ".join(words[place : place + SHINGLE]).encode("utf-8", "surrogatepass")
            for place in range(max(1, len(words) - SHINGLE + 1))
        }
    )
    return found


def _near(index: Any, hashes: dict[int, Any], jaccard: float) -> Iterable[tuple[int, int]]:
    for place, one in hashes.items():
        for other in index.query(one):
            if hashes[other].jaccard(one) >= jaccard:
                yield other, place
        index.insert(place, one)


PEERS: dict[str, Peer] = {"datasketch": datasketch}
