"""Feed parsers on the same documents, each in a process of its own: `newsloom bench parse`.

Measures processor time, which other work on the machine changes little. Prints nothing. `agreement`
compares what they found instead of how fast.
"""

from __future__ import annotations

import gc
import importlib.util
import statistics
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from io import BytesIO
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import feedparser
from lxml import etree

from newsloom.feeds.parse import parse_feed
from newsloom.kernel.errors import ParseError
from newsloom_lab.bench.parse_agreement import BASE, AgreementReport, agreement

__all__ = ["AgreementReport", "ParseBench", "ParserFigures", "agreement", "run"]


@dataclass(frozen=True, slots=True)
class ParserFigures:
    """One parser over the whole folder."""

    seconds: float  # of processor time; the median round
    articles: int
    articles_per_second: float
    failed: int  # documents it raised an error on
    ratio: float  # its seconds / Newsloom's


@dataclass(frozen=True, slots=True)
class ParseBench:
    """Newsloom and its peers over one folder of feeds."""

    feeds: int
    megabytes: float
    repeat: int
    articles: int
    seconds: float
    articles_per_second: float
    failed: int
    peers: dict[str, ParserFigures]

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    def table(self) -> list[tuple[str, ...]]:
        """Rows for people: parser, seconds, articles, articles a second, times Newsloom's time."""
        ours = ("newsloom", self.seconds, self.articles, self.articles_per_second, 1.0)
        rows = [ours] + [
            (name, one.seconds, one.articles, one.articles_per_second, one.ratio)
            for name, one in self.peers.items()
        ]
        return [
            (name, f"{seconds:.3f}", f"{articles:,}", f"{rate:,.0f}", f"{ratio:.2f}")
            for name, seconds, articles, rate, ratio in rows
        ]


def run(folder: Path, repeat: int = 3) -> ParseBench:
    """Every parser reads the whole folder `repeat` times.

    Round by round, so that all see the same machine, and each in its own process: no parser meets
    the heap and the caches that another leaves behind.
    """
    parsers = _parsers()
    rounds: dict[str, list[_Round]] = {name: [] for name in parsers}
    with ExitStack() as stack:
        processes = {
            name: stack.enter_context(ProcessPoolExecutor(1, mp_context=get_context("spawn")))
            for name in parsers
        }
        for _ in range(max(repeat, 1)):
            for name, process in processes.items():
                rounds[name].append(process.submit(_measure, folder, name).result())
    medians = {name: statistics.median(one.seconds for one in rounds[name]) for name in parsers}
    articles = {name: rounds[name][0].articles for name in parsers}
    failed = {name: rounds[name][0].failed for name in parsers}
    bodies = _bodies(folder)
    return ParseBench(
        feeds=len(bodies),
        megabytes=round(sum(map(len, bodies)) / 1e6, 2),
        repeat=max(repeat, 1),
        articles=articles["newsloom"],
        seconds=medians["newsloom"],
        articles_per_second=articles["newsloom"] / max(medians["newsloom"], 1e-9),
        failed=failed["newsloom"],
        peers={
            name: ParserFigures(
                seconds=medians[name],
                articles=articles[name],
                articles_per_second=articles[name] / max(medians[name], 1e-9),
                failed=failed[name],
                ratio=medians[name] / max(medians["newsloom"], 1e-9),
            )
            for name in parsers
            if name != "newsloom"
        },
    )


@dataclass(frozen=True, slots=True)
class _Round:
    """One parser once over the folder."""

    seconds: float
    articles: int
    failed: int


def _measure(folder: Path, name: str) -> _Round:
    bodies, parse = _bodies(folder), _parsers()[name]
    gc.collect()
    began = time.process_time()
    counts = [parse(body) for body in bodies]
    seconds = time.process_time() - began
    return _Round(seconds, sum(count or 0 for count in counts), counts.count(None))


def _bodies(folder: Path) -> list[bytes]:
    return [file.read_bytes() for file in sorted(folder.iterdir()) if file.is_file()]


def _parsers() -> dict[str, Callable[[bytes], int | None]]:
    """Each returns its count of articles, or None when it gave up."""
    found: dict[str, Callable[[bytes], int | None]] = {
        "newsloom": _newsloom,
        "feedparser": _feedparser,
        "feedparser, sanitising off": _feedparser_bare,
        "lxml tree": _lxml_tree,
    }
    if importlib.util.find_spec("fastfeedparser"):
        found["fastfeedparser"] = _fastfeedparser
    return found


def _newsloom(body: bytes) -> int | None:
    try:
        return len(parse_feed(body, BASE).articles)
    except ParseError:
        return None


def _feedparser(body: bytes) -> int | None:
    return _entries(lambda: feedparser.parse(BytesIO(body)))


def _feedparser_bare(body: bytes) -> int | None:
    off = {"sanitize_html": False, "resolve_relative_uris": False}
    return _entries(lambda: feedparser.parse(BytesIO(body), **off))


def _fastfeedparser(body: bytes) -> int | None:
    import fastfeedparser  # a peer of the bench group, not installed with Newsloom

    return _entries(lambda: fastfeedparser.parse(body))


def _entries(parse: Callable[[], Any]) -> int | None:
    try:
        return len(parse().entries)
    except Exception:  # noqa: BLE001 - whatever a peer raises is its failure
        return None


def _lxml_tree(body: bytes) -> int | None:
    """The floor: the tree alone, articles counted by name, no field read."""
    parser = etree.XMLParser(recover=True, resolve_entities=False, no_network=True)
    root = etree.fromstring(body, parser)
    return None if root is None else sum(1 for _ in root.iter("{*}item", "{*}entry"))
