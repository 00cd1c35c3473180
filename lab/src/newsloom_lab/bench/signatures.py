"""Signatures a second, whole and the part that peers make too, beside datasketch and rensa.

All in one process, in turns, from plain texts to what copies are looked up by, in seconds of the
processor, which other programs change less than those of the clock. The peers get the same texts as
word triples, as is usual; making those in Python is timed with them and without.
"""

from __future__ import annotations

import gc
import importlib
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np

from newsloom.duplicates import minhash
from newsloom.duplicates.layers import TEXT
from newsloom.duplicates.signing import BITS, SAMPLE, chunks, shingles, sign
from newsloom.duplicates.values import Unsigned
from newsloom.duplicates.words import hash_words
from newsloom.kernel.ids import ArticleId, FeedId
from newsloom_lab.bench.news import END, Newsroom

HASHES, BANDS, JACCARD = 128, 16, 0.7  # the seed's

Measure = Callable[[], tuple[float, float]]  # seconds of the processor, and those on shingles


@dataclass(frozen=True, slots=True)
class Speed:
    """One way to sign all texts and look each up among those before it."""

    articles_per_second: float
    microseconds: float  # an article
    without_shingling: float | None = None  # articles a second, when word triples are given


@dataclass(frozen=True, slots=True)
class SignatureBench:
    """Speeds on the same texts; ratios are of articles a second."""

    source: str
    articles: int
    characters: float  # of a text, on average
    rounds: int
    whole: Speed  # all of a signature, with title, names, numbers, sentences, SimHash
    alike: Speed  # MinHash and keys, what the peers make too
    peers: Mapping[str, Speed]
    ratios: Mapping[str, float]  # `alike` to each peer
    problem: str = ""  # why peers have no figures


def made_up(count: int) -> list[tuple[str, str]]:
    """Titles and texts, about as long as those of the news."""
    return [(one.title, one.text) for one in Newsroom(count).made()]


def run(source: str, articles: Sequence[tuple[str, str]], rounds: int = 3) -> SignatureBench:
    """Sign articles, given by title and text, in every way in turn; medians."""
    given = [
        Unsigned(ArticleId(number), FeedId(1), "news.test", END, title, text)
        for number, (title, text) in enumerate(articles, start=1)
    ]
    texts = [text for _, text in articles]
    ours: dict[str, Measure] = {"whole": lambda: _whole(given), "alike": lambda: _alike(given)}
    peers = {
        name: partial(measure, importlib.import_module(module), texts)
        for name, (module, measure) in PEERS.items()
        if find_spec(module) is not None
    }
    found = _interleaved({**ours, **peers}, len(texts), rounds)
    alike = found["alike"].articles_per_second
    return SignatureBench(
        source=source,
        articles=len(texts),
        characters=statistics.mean(map(len, texts)),
        rounds=rounds,
        whole=found["whole"],
        alike=found["alike"],
        peers={name: found[name] for name in peers},
        ratios={name: alike / found[name].articles_per_second for name in peers},
        problem="" if len(peers) == len(PEERS) else "not measured: a peer is not installed",
    )


def _interleaved(ways: Mapping[str, Measure], articles: int, rounds: int) -> dict[str, Speed]:
    seconds: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for _ in range(rounds):
        for name, measure in ways.items():
            gc.collect()
            gc.disable()  # as timeit does: what else the program holds is no part of the work
            seconds[name].append(measure())
            gc.enable()
    return {name: _speed(taken, articles) for name, taken in seconds.items()}


def _speed(taken: Sequence[tuple[float, float]], articles: int) -> Speed:
    whole = statistics.median(seconds for seconds, _ in taken)
    rest = statistics.median(seconds - shingling for seconds, shingling in taken)
    shingled = any(shingling for _, shingling in taken)
    return Speed(articles / whole, 1e6 * whole / articles, articles / rest if shingled else None)


def _whole(articles: Sequence[Unsigned]) -> tuple[float, float]:
    began = time.process_time()
    _met(
        tuple((layer.name, key) for layer in TEXT for key in layer.keys(signature))
        for signature in sign(articles)
    )
    return time.process_time() - began, 0.0


def _alike(articles: Sequence[Unsigned]) -> tuple[float, float]:
    began = time.process_time()
    rows = []
    samples = list[tuple[int, ...]]()
    for chunk in chunks(articles):
        found = hash_words([one.text for one in chunk])
        pairs, fours = shingles(found.hashes, np.diff(found.first))
        rows.append(minhash.rows(pairs.hashes, pairs.first, BITS))
        samples += fours.least(SAMPLE)
    _met(samples)
    return time.process_time() - began, 0.0


def _met(keys: Iterable[Iterable[Any]]) -> int:
    """Look every text up among those before it, by its keys; how many candidates there were."""
    holders: dict[Any, list[int]] = defaultdict(list)
    met = 0
    for number, own in enumerate(keys):
        own = tuple(own)
        met += len({other for key in own for other in holders[key]})
        for key in own:
            holders[key].append(number)
    return met


def _datasketch(sketch: Any, texts: Sequence[str]) -> tuple[float, float]:
    index = sketch.MinHashLSH(num_perm=HASHES, params=(BANDS, HASHES // BANDS))
    began, shingling = time.process_time(), 0.0
    for number, text in enumerate(texts):
        shingled = time.process_time()
        triples = [one.encode() for one in _triples(text)]
        shingling += time.process_time() - shingled
        signature = sketch.MinHash(num_perm=HASHES)
        signature.update_batch(triples)
        index.query(signature)
        index.insert(number, signature)
    return time.process_time() - began, shingling


def _rensa(sketch: Any, texts: Sequence[str]) -> tuple[float, float]:
    index = sketch.RMinHashLSH(threshold=JACCARD, num_perm=HASHES, num_bands=BANDS)
    began, shingling = time.process_time(), 0.0
    for number, text in enumerate(texts):
        shingled = time.process_time()
        triples = _triples(text)
        shingling += time.process_time() - shingled
        signature = sketch.RMinHash(num_perm=HASHES, seed=1)
        signature.update(triples)
        index.query(signature)
        index.insert(number, signature)
    return time.process_time() - began, shingling


def _rensa_in_bulk(sketch: Any, texts: Sequence[str]) -> tuple[float, float]:
    """Signatures alone, all at once; nothing is looked up."""
    began = time.process_time()
    triples = [_triples(text) for text in texts]
    shingling = time.process_time() - began
    sketch.RMinHash.digest_matrix_from_token_sets(triples, HASHES, 1)
    return time.process_time() - began, shingling


def _triples(text: str) -> list[str]:
    found = text.casefold().split()
    return [" ".join(found[place : place + 3]) for place in range(max(1, len(found) - 2))]


PEERS: Mapping[str, tuple[str, Callable[[Any, Sequence[str]], tuple[float, float]]]] = {
    "datasketch MinHash + MinHashLSH": ("datasketch", _datasketch),
    "rensa RMinHash + RMinHashLSH": ("rensa", _rensa),
    "rensa RMinHash in bulk, signatures alone": ("rensa", _rensa_in_bulk),
}
