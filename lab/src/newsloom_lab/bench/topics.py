"""DBSCAN of many articles beside scikit-learn's on the same vectors: time, memory, labels.

Each run is a process of its own, which loads the vectors from a file first: what it holds then, its
imports among it, is no part of the peak. Run as a module, this file is that process.
"""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from newsloom.articles.terms import terms
from newsloom.kernel.errors import UserError
from newsloom.ranking.measure.articles import read_articles
from newsloom.topics.dbscan import EPS, LEAST, dbscan
from newsloom.topics.tfidf import Matrix, Terms, matrix, shipped

OURS, PEER = "newsloom", "scikit-learn"

# Zipf's law with Mandelbrot's shift. With these numbers the lists of the commonest terms are long,
# and many pairs have a term in common, just as among 4,314 real articles (allsides_fulltext and
# fulltext_background, which are not of the project); pairs of a cosine of .1 are twice as many.
VOCABULARY, SHIFT, POWER = 40_000, 30.0, 1.4
WORDS = 150  # of an article, without stop words
OF_STORY, OF_BEAT = 0.35, 0.30  # shares of its words
STORY_TERMS, BEAT_TERMS, BEAT_SKEW = 35, 400, 3.0
BEATS = 0.4  # subjects that stories are of: times the root of how many articles there are
LARGEST = 30  # articles of one story; the chance of a size falls with its square

# scikit-learn's blocks of distances: `working_memory`, and how often it holds one at its peak.
BLOCK, COPIES = 2**30, 4


@dataclass(frozen=True, slots=True)
class TopicRun:
    """One way to cluster; medians of the rounds."""

    seconds: float
    cpu_seconds: float
    peak_mb: float  # above what was held when the vectors were loaded
    topics: int


@dataclass(frozen=True, slots=True)
class TopicsTimes:
    """Both on the same vectors; ratios are the peer's figures by ours."""

    articles: int
    terms: int
    newsloom: TopicRun
    peers: Mapping[str, TopicRun]
    ratios: Mapping[str, float]
    same_labels: bool | None  # None: there is nothing to compare with
    problem: str = ""  # why the peer has no figures

    def comparison(self) -> list[str]:
        """The comparison in sentences."""
        if self.problem:
            return [f"{self.articles:,} articles: {self.problem}."]
        return [
            f"{self.articles:,} articles: {PEER} takes {self.ratios['cpu_seconds']:.1f} times the "
            f"processor time, {self.ratios['seconds']:.1f} times the time and "
            f"{self.ratios['peak_mb']:.1f} times the memory; "
            f"the labels are {'the same' if self.same_labels else 'not the same'}."
        ]


@dataclass(frozen=True, slots=True)
class TopicsBench:
    source: str
    rounds: int
    times: tuple[TopicsTimes, ...]

    def table(self) -> list[tuple[str, ...]]:
        """A row for each number of articles and way."""
        return [
            (
                f"{one.articles:,}",
                name,
                *(f"{value:,.2f}" for value in (run.seconds, run.cpu_seconds)),
                f"{run.peak_mb:,.0f}",
                f"{run.topics:,}",
            )
            for one in self.times
            for name, run in {OURS: one.newsloom, **one.peers}.items()
        ]


COLUMNS = ("articles", "by", "seconds", "CPU-s", "MB", "topics")


def run(articles: Sequence[int], rounds: int = 1) -> TopicsBench:
    """Measure each number of made-up articles."""
    return TopicsBench(
        "made up", rounds, tuple(measure(matrix(made_up(one)), rounds) for one in articles)
    )


def of_file(file: Path, rounds: int = 1) -> TopicsBench:
    """Measure the articles of a file. Raises UserError when it has none."""
    found = read_articles(file)
    if not found:
        raise UserError(f"{file} has no articles.")
    idf = shipped()
    rows = matrix(idf.weighted(terms(one.title, one.body, one.language)) for one in found)
    return TopicsBench(file.name, rounds, (measure(rows, rounds),))


def made_up(articles: int, seed: int = 1) -> Iterator[Terms]:
    """Weighted terms of articles, in stories of 1 to 30, each on a beat; in no order of time."""
    chance = np.random.default_rng(seed)
    shares = 1.0 / np.power(np.arange(VOCABULARY) + SHIFT, POWER)
    steps = np.cumsum(shares / shares.sum())

    def drawn(count: int) -> NDArray[np.int64]:
        return np.searchsorted(steps, chance.random(count)).clip(max=VOCABULARY - 1)

    def skewed(count: int) -> NDArray[np.int64]:  # the first terms of a beat are its commonest
        return (BEAT_TERMS * chance.random(count) ** BEAT_SKEW).astype(np.int64)

    held = 1.0 - np.power(1.0 - shares / shares.sum(), WORDS)  # share of articles with the term
    weights = 1.0 - np.log(held)
    beats = [drawn(BEAT_TERMS) for _ in range(max(round(BEATS * articles**0.5), 1))]
    sizes = 1.0 / np.square(np.arange(1, LARGEST + 1))
    made = 0
    while made < articles:
        beat, story = beats[chance.integers(len(beats))], drawn(STORY_TERMS)
        for _ in range(int(chance.choice(LARGEST, p=sizes / sizes.sum())) + 1):
            if made < articles:
                made += 1
                parts = (chance.choice(story, int(OF_STORY * WORDS)),
                         beat[skewed(int(OF_BEAT * WORDS))],
                         drawn(int((1 - OF_STORY - OF_BEAT) * WORDS)))  # fmt: skip
                yield _weighted(np.concatenate(parts), weights)


def _weighted(words: NDArray[np.int64], weights: NDArray[np.float64]) -> Terms:
    drawn, counts = np.unique(words, return_counts=True)
    found = (1.0 + np.log(counts)) * weights[drawn]
    return dict(zip(map(str, drawn.tolist()), found.tolist(), strict=True))


def measure(rows: Matrix, rounds: int) -> TopicsTimes:
    """Both ways on the same vectors, each round in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "vectors.npz"
        np.savez(
            file, starts=rows.starts, columns=rows.columns, values=rows.values,
            width=len(rows.names),
        )  # fmt: skip
        ours = _rounds(file, OURS, rounds)
        problem = _refusal(len(rows))
        peer = None
        if not problem:
            try:
                peer = _rounds(file, PEER, rounds)
            except subprocess.CalledProcessError as error:
                problem = f"not measured: {PEER} ended with status {error.returncode}"
        same = None
        if peer is not None:
            same = bool(np.array_equal(*(np.load(_labels(file, way)) for way in (OURS, PEER))))
    return TopicsTimes(
        articles=len(rows),
        terms=len(rows.names),
        newsloom=ours,
        peers={} if peer is None else {PEER: peer},
        ratios={} if peer is None else _ratios(ours, peer),
        same_labels=same,
        problem=problem,
    )


def _ratios(ours: TopicRun, peer: TopicRun) -> dict[str, float]:
    return {
        name: getattr(peer, name) / max(getattr(ours, name), 1e-9)
        for name in ("seconds", "cpu_seconds", "peak_mb")
    }


def _refusal(articles: int) -> str:
    """Why scikit-learn is not asked; "" where it can be."""
    if find_spec("sklearn") is None:
        return f"not measured: {PEER} is not installed"
    needed = COPIES * min(8 * articles**2, BLOCK)
    free = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    if needed > free:
        return (
            f"not measured: {PEER} needs some {needed / 1e9:.1f} GB for its blocks of distances, "
            f"and {free / 1e9:.1f} GB are free"
        )
    return ""


def _rounds(file: Path, way: str, rounds: int) -> TopicRun:
    runs = [_process(file, way) for _ in range(rounds)]
    return TopicRun(
        seconds=statistics.median(one["seconds"] for one in runs),
        cpu_seconds=statistics.median(one["cpu_seconds"] for one in runs),
        peak_mb=statistics.median(one["peak_mb"] for one in runs),
        topics=int(runs[0]["topics"]),
    )


def _process(file: Path, way: str) -> Mapping[str, float]:
    done = subprocess.run(  # noqa: S603 - our own interpreter, our own module
        [sys.executable, "-m", __name__, str(file), way],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    found: Mapping[str, float] = json.loads(done.stdout)
    return found


def _labels(file: Path, way: str) -> Path:
    return file.with_name(f"{way}.npy")


def _measured(file: Path, way: str) -> dict[str, float]:
    """Cluster the vectors of a file, and leave the labels beside it."""
    with np.load(file) as stored:
        rows = Matrix(
            stored["starts"],
            stored["columns"],
            stored["values"],
            range(int(stored["width"])),  # type: ignore[arg-type]
        )
    cluster = WAYS[way](rows)
    held = peak_bytes()
    began, began_cpu = time.perf_counter(), time.process_time()
    found = np.asarray(cluster())
    seconds, cpu = time.perf_counter() - began, time.process_time() - began_cpu
    peak = peak_bytes() - held
    np.save(_labels(file, way), found)
    return {
        "seconds": seconds,
        "cpu_seconds": cpu,
        "peak_mb": peak / 1e6,
        "topics": int(found.max(initial=-1)) + 1,
    }


def _ours(rows: Matrix) -> Callable[[], Any]:
    return lambda: dbscan(rows)


def _peer(rows: Matrix) -> Callable[[], Any]:
    from scipy.sparse import csr_matrix
    from sklearn.cluster import DBSCAN

    shape = (len(rows), len(rows.names))
    sparse = csr_matrix((rows.values, rows.columns, rows.starts), shape=shape)
    way = DBSCAN(eps=EPS, min_samples=LEAST, metric="cosine", algorithm="brute")
    way.fit_predict(sparse[:10])  # what it imports late
    return lambda: way.fit_predict(sparse)


WAYS: Mapping[str, Callable[[Matrix], Callable[[], Any]]] = {OURS: _ours, PEER: _peer}


def peak_bytes() -> int:
    """The most that this process has held. Linux hands a child `ru_maxrss` of its parent, so there
    the kernel's own mark of this program is read."""
    status = Path("/proc/self/status")
    if status.is_file():
        for line in status.read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024  # KiB
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


if __name__ == "__main__":
    print(json.dumps(_measured(Path(sys.argv[1]), sys.argv[2])))
