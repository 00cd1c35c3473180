"""What variety costs: the list with and without it, on readers made up and real.

    python lab/scripts/simulate_readers.py CATEGORISED.jsonl READERS.jsonl
    python lab/scripts/measure_variety.py READERS.jsonl --categories CATEGORISED.jsonl [--split 4]
    python lab/scripts/measure_variety.py ONE_READER.jsonl

Each reader's model is trained on the newest labels before the newest quarter. The newest quarter
is cut into lists of `--list` articles, as they might be unread at one time. Each list is ordered
by score, then with every rule. Printed is the mean over lists, then readers, of the precision of
the first 10 and 20 rows, the average precision, and how many of ten rows the commonest feed takes
at most, among the first 50. Made-up readers love categories: with --categories a category is one
feed, the worst case there is, or with --split several. Otherwise an article's host is its feed.
The table is in docs/work/quality.md.
"""

from __future__ import annotations

import argparse
import json
import math
import zlib
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from newsloom.kernel.ids import FeedId
from newsloom.kernel.text.urls import host
from newsloom.ranking import rank_key
from newsloom.ranking.encoders import registry
from newsloom.ranking.learning.head import train
from newsloom.ranking.measure import curves, metrics
from newsloom.ranking.measure.articles import LabelledArticle, read_articles
from newsloom.ranking.measure.labelled import NEGATIVE, POSITIVE, Labelled, of_file
from newsloom.ranking.values.models import NotYet
from newsloom.reading.diversification import arrange
from newsloom.reading.values.searching import Position

SHARES = ((1, 3), (1, 5), (2, 5), (2, 10), (3, 10), (4, 10))  # rows of one feed, of how many
NEARS = (0.5, 0.6, 0.7, 0.8, 0.9)
SEEN = 50  # rows of a list that are looked at for the commonest feed
SCREEN = 10


class Row(NamedTuple):
    """An article of a list: where its score puts it, and what the reader said of it."""

    position: Position
    feed: FeedId
    liked: bool


class Rule(NamedTuple):
    """At most `share` of `window` rows of one feed, while others have `near` of the score."""

    share: int
    window: int
    near: float


OFF = Rule(SCREEN, SCREEN, 1.0)
RULES = [Rule(*share, near) for near in NEARS for share in SHARES]


class Figures(NamedTuple):
    """Of one order of one list."""

    first_10: float
    first_20: float
    average_precision: float
    commonest: float


def ordered(rows: Sequence[Row], rule: Rule) -> list[Row]:
    """One list, by the rule."""
    best_first = sorted(rows, key=lambda row: row.position, reverse=True)
    margin = -rank_key.UNIT * math.log2(rule.near)
    page = arrange(best_first, len(rows), share=rule.share, window=rule.window, margin=margin)
    return [row for row, _lowered in page.rows]


def measured(rows: Sequence[Row]) -> Figures:
    """A list in its final order."""
    liked = np.array([row.liked for row in rows])
    falling = -np.arange(len(rows))
    windows = [rows[at : at + SCREEN] for at in range(min(len(rows), SEEN) - SCREEN + 1)]
    most = [max(Counter(row.feed for row in window).values()) for window in windows]
    return Figures(
        metrics.precision_at(liked, falling, 10),
        metrics.precision_at(liked, falling, 20),
        metrics.average_precision(liked, falling),
        float(max(most, default=math.nan)),
    )


def lists_of(reader: Labelled, feeds: Sequence[int], labels: int, size: int) -> list[list[Row]]:
    """The newest quarter of a reader's labels in lists, scored by a model of those before."""
    part = curves.split(reader, "time")
    kept, held = part.kept[-labels:], part.held
    told, vectors = reader.only(kept)
    model = train(told, vectors, now=told[-1].at, needed=(5, 5))
    judged, vectors = reader.only(held)
    assert not isinstance(model, NotYet), f"{reader.reader} has too few labels"
    scores = model.score([one.article for one in judged], vectors, [""] * len(judged))
    rows = [
        Row(Position(rank_key.sort_key(score), place), FeedId(feeds[place]), one.positive)
        for score, place, one in zip(scores.tolist(), held.tolist(), judged, strict=True)
    ]
    cut = [rows[at : at + size] for at in range(0, len(rows), size)]
    return [one for one in cut if len(one) >= size // 2 and any(row.liked for row in one)]


def feeds_of(
    articles: Sequence[LabelledArticle], categories: Mapping[str, str], split: int
) -> dict[str, list[int]]:
    """What stands for the feed of each label, by reader, in the order of the file."""
    names: dict[str, int] = {}
    found: dict[str, list[int]] = defaultdict(list)
    for one in articles:
        if one.label in POSITIVE | NEGATIVE:
            name = host(one.url) or one.source
            if categories:
                name = f"{categories[one.id]} {zlib.crc32(one.id.encode()) % split}"
            found[one.reader].append(names.setdefault(name, len(names)))
    return found


def mean(figures: Sequence[Figures]) -> Figures:
    return Figures(*(float(value) for value in np.nanmean(np.array(figures), axis=0)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("articles", type=Path)
    parser.add_argument("--categories", type=Path, help="the file the readers were made over")
    parser.add_argument("--split", type=int, default=1, help="feeds that carry a category")
    parser.add_argument("--labels", type=int, default=1_000, help="to train on, the newest")
    parser.add_argument("--list", type=int, default=200, help="articles of one list")
    chosen = parser.parse_args()
    categories = {}
    if chosen.categories:
        lines = chosen.categories.read_text(encoding="utf-8").splitlines()
        rows = [json.loads(line) for line in lines if line.strip()]
        categories = {str(one["id"]): one["category"] for one in rows}
    articles = read_articles(chosen.articles)
    feeds = feeds_of(articles, categories, chosen.split)
    readers = of_file(articles, registry.embedder("minilm-int8", 1))
    lists = [lists_of(one, feeds[one.reader], chosen.labels, chosen.list) for one in readers]
    print(f"{len(readers)} readers, {sum(map(len, lists))} lists")
    print("rows   near   P@10    P@20    AP      commonest of ten")
    for rule in (OFF, *RULES):
        each = [mean([measured(ordered(one, rule)) for one in those]) for those in lists]
        total = mean(each)
        words = "off" if rule is OFF else f"{rule.share}/{rule.window:<3}  {rule.near:.2f}"
        print(
            f"{words:<11}  {total.first_10:.4f}  {total.first_20:.4f}"
            f"  {total.average_precision:.4f}  {total.commonest:.1f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
