"""Readers made up over a file of categorised articles, to measure relevance on many tastes.

    python lab/scripts/simulate_readers.py CATEGORISED.jsonl OUT.jsonl [--readers N] [--clear]

Each line of the input needs `id`, `title`, `published` and `category`. Each made-up reader likes
some categories, is of two minds about others and leaves the rest cold; half change their mind over
time; 5 to 15% of their labels are the wrong way round. With --clear they love whole categories or
leave them cold, and never press wrongly; --love "A,B;C" makes one such reader for each list of
categories, in place of drawn ones. The output is an articles file with `reader`,
`label` and `labelled_at`, in the order of the labels. The category is left out: a model has to
guess it. Keep the output outside the repository: the texts are their publishers'.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np

KINDS = ("steady", "turning", "drifting", "narrow")
# The sort of reader a figure such as the seed's ROC AUC of .95 needs: whole categories or nothing.
CLEAR = "clear"

# How much of what a reader loves, wavers about, and leaves cold they like, from and to.
LOVED, MIXED, COLD = (0.9, 1.0), (0.35, 0.65), (0.0, 0.08)
# A narrow reader loves few of the categories; the others love a third and waver about some.
NARROW = 4
SHARES = (0.33, 0.15)

# A taste is drawn again until likes are this share of all: models need some of both.
LIKED_SHARE = (0.15, 0.75)
NOISE = (0.05, 0.15)
# A turn comes in the middle half of the time, and turns this share of the categories.
TURN = (0.25, 0.75)
TURNED = 0.3

Taste = Mapping[str, float]  # category -> chance of a like


@dataclass(frozen=True, slots=True)
class Reader:
    """One made-up reader: what they like first and last, and how often they press wrongly."""

    name: str
    kind: str
    before: Taste
    after: Taste
    turn: float  # when the turn comes, as a share of the time; drifting readers go all the way
    noise: float

    def chance(self, category: str, moment: float) -> float:
        """Of a like, at a moment from 0 to 1, before noise."""
        if self.kind == "drifting":
            share = moment
        else:
            share = float(self.kind == "turning" and moment >= self.turn)
        return (1 - share) * self.before[category] + share * self.after[category]


def reader(name: str, kind: str, counts: Mapping[str, int], draw: np.random.Generator) -> Reader:
    """A reader of a kind, over categories of these sizes."""
    before = _taste(kind, counts, draw)
    after = _turned(before, counts, draw) if kind in {"turning", "drifting"} else before
    turn, wrong = float(draw.uniform(*TURN)), float(draw.uniform(*NOISE))
    # Of a rare love, a hundredth of the rest pressed wrongly would be a third of all likes.
    return Reader(name, kind, before, after, turn, 0.0 if kind == CLEAR else wrong)


def labels(
    one: Reader, articles: Sequence[Mapping[str, Any]], count: int, draw: np.random.Generator
) -> Iterator[dict[str, Any]]:
    """What they labelled of articles in the order of time, each some hours after it came out."""
    chosen = np.sort(draw.choice(len(articles), min(count, len(articles)), replace=False))
    first, last = (_published(articles[place]) for place in (0, -1))
    for place in chosen:
        article = articles[place]
        published = _published(article)
        moment = (published - first) / max(last - first, timedelta(seconds=1))
        likes = draw.random() < one.chance(article["category"], moment)
        likes ^= draw.random() < one.noise
        kept = {name: value for name, value in article.items() if name != "category"}
        yield {
            **kept,
            "reader": one.name,
            "label": "like" if likes else "dislike",
            "labelled_at": (published + timedelta(hours=24 * draw.random())).isoformat(),
        }


def simulate(
    articles: Sequence[Mapping[str, Any]],
    readers: int,
    count: int,
    seed: int,
    kinds: Sequence[str] = KINDS,
    loved: Sequence[frozenset[str]] = (),
    days: int = 0,
) -> Iterator[dict[str, Any]]:
    """All readers' labels, one reader after the other, each in the order of their labels.

    `loved` are whole categories, one set for each reader; without, every taste is drawn.
    """
    ordered = sorted(articles, key=lambda one: (_published(one), str(one["id"])))
    counts = Counter(one["category"] for one in ordered)
    for number in range(len(loved) or readers):
        draw = np.random.default_rng((seed, number))
        kind = kinds[number % len(kinds)]
        who = reader(f"{number + 1:02d}-{kind}", kind, counts, draw)
        if loved:
            taste = {name: float(name in loved[number]) for name in counts}
            who = replace(who, before=taste, after=taste)
        rows = sorted(labels(who, ordered, count, draw), key=lambda line: line["labelled_at"])
        yield from squeezed(rows, timedelta(days=days)) if days else rows


def squeezed(told: Sequence[dict[str, Any]], span: timedelta) -> Iterator[dict[str, Any]]:
    """The same labels in the same order, evenly spread over a span from the first one on."""
    first = datetime.fromisoformat(told[0]["labelled_at"])
    for number, line in enumerate(told):
        yield {**line, "labelled_at": (first + span * number / len(told)).isoformat()}


def _taste(kind: str, counts: Mapping[str, int], draw: np.random.Generator) -> Taste:
    names, total = sorted(counts), sum(counts.values())
    while True:
        order = draw.permutation(len(names))
        loved = NARROW if kind == "narrow" else round(SHARES[0] * len(names))
        mixed = 0 if kind in {"narrow", CLEAR} else round(SHARES[1] * len(names))
        bands = [LOVED] * loved + [MIXED] * mixed + [COLD] * len(names)
        if kind == CLEAR:
            bands = [(1.0, 1.0)] * loved + [(0.0, 0.0)] * len(names)
        taste = {
            names[place]: float(draw.uniform(*band))
            for place, band in zip(order, bands, strict=False)
        }
        liked = sum(taste[name] * counts[name] for name in names) / total
        if LIKED_SHARE[0] <= liked <= LIKED_SHARE[1]:
            return taste


def _turned(taste: Taste, counts: Mapping[str, int], draw: np.random.Generator) -> Taste:
    """The taste after some categories changed sides."""
    names, total = sorted(taste), sum(counts.values())
    while True:
        turned = set(draw.choice(names, max(1, round(TURNED * len(names))), replace=False).tolist())
        after = {name: 1 - taste[name] if name in turned else taste[name] for name in names}
        if LIKED_SHARE[0] <= sum(after[one] * counts[one] for one in names) / total:
            return after


def _published(article: Mapping[str, Any]) -> datetime:
    moment = datetime.fromisoformat(article["published"])
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("articles", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--readers", type=int, default=16)
    parser.add_argument("--labels", type=int, default=6_000, help="of each reader, at most")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--clear", action="store_true", help="readers without doubts or mistakes")
    parser.add_argument("--days", type=int, default=0, help="squeeze the labels into so many")
    parser.add_argument("--love", default="", help="categories of clear readers: A,B;C")
    chosen = parser.parse_args()
    lines = chosen.articles.read_text(encoding="utf-8").splitlines()
    articles = [json.loads(line) for line in lines if line.strip()]
    loved = [frozenset(one.split(",")) for one in chosen.love.split(";") if one]
    kinds = (CLEAR,) if chosen.clear or loved else KINDS
    made = simulate(articles, chosen.readers, chosen.labels, chosen.seed, kinds, loved, chosen.days)
    with chosen.out.open("w", encoding="utf-8") as out:
        for line in made:
            out.write(json.dumps(line, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
