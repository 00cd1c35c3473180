"""How well common names alone tell that two articles report one event, with and without keys.

    python lab/scripts/measure_entities.py FILE.jsonl ...

For each file of articles with `story`, and for each profile of thresholds: pairs of one story in
a day, pairs that layer 5 accepts among all that have two names in common, how many of those are of
one story, and how many its keys find. Articles without a date all count as of one day.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import combinations
from pathlib import Path

from newsloom.articles.entities.finder import entity_text, recognizer
from newsloom.duplicates import entities
from newsloom.duplicates.packed import Signature
from newsloom.duplicates.signing import sign
from newsloom.duplicates.values import PROFILES, Thresholds, Unsigned
from newsloom.kernel.ids import ArticleId, FeedId
from newsloom.ranking.measure.articles import LabelledArticle, read_articles

_UNDATED = datetime(2020, 1, 1, tzinfo=UTC)
# A name in more articles than this brings no pair that no other name brings.
_MOST = 600


def main() -> int:
    finder = recognizer()
    for path in map(Path, sys.argv[1:]):
        articles = read_articles(path)
        texts = [entity_text(one.title, one.body) for one in articles]
        found = finder.recognise(texts)
        signed = [
            replace(one, entities=frozenset(map(str, names)))
            for one, names in zip(
                sign(list(map(_unsigned, range(len(articles)), articles))), found, strict=True
            )
        ]
        print(f"{path.name}: {len(articles):,} articles, {finder.model_id}")
        for name, thresholds in PROFILES.items():
            print(f"  {name}: {_measured(articles, signed, thresholds)}")
    return 0


def _unsigned(number: int, one: LabelledArticle) -> Unsigned:
    source = one.source or f"{number}.invalid"
    dated = one.published or _UNDATED
    return Unsigned(ArticleId(number + 1), FeedId(number + 1), source, dated, one.title, one.body)


def _measured(
    articles: Sequence[LabelledArticle], signed: Sequence[Signature], thresholds: Thresholds
) -> str:
    same = {
        pair
        for pair in combinations(range(len(articles)), 2)
        if articles[pair[0]].story
        and articles[pair[0]].story == articles[pair[1]].story
        and abs(signed[pair[0]].dated - signed[pair[1]].dated) <= thresholds.entity_span
    }
    all_names = [replace(one, names=(1, 2)) for one in signed]  # as if every pair had a key
    accepted = {
        (a, b)
        for a, b in _candidates(signed, thresholds)
        if entities.compare(all_names[a], all_names[b], thresholds)
    }
    met = {(a, b) for a, b in accepted if entities.compare(signed[a], signed[b], thresholds)}
    right, found = len(accepted & same), len(met & same)
    return (
        f"{len(same)} pairs of one story; accepted {len(accepted)}, right {right} "
        f"(precision {right / max(len(accepted), 1):.3f}, recall {right / max(len(same), 1):.3f}); "
        f"by keys {len(met)}, right {found} (precision {found / max(len(met), 1):.3f}, "
        f"recall {found / max(len(same), 1):.3f}); "
        f"{sum(len(entities.keys(one)) for one in signed) / len(signed):.1f} keys an article, "
        f"{_wanted(signed, thresholds):.0%} of the articles need a look"
    )


def _candidates(signed: Sequence[Signature], thresholds: Thresholds) -> list[tuple[int, int]]:
    """Pairs near in time with two last words of names in common."""
    holders: dict[str, list[int]] = defaultdict(list)
    for place, one in enumerate(signed):
        for word in {name.rpartition(":")[2].rpartition(" ")[2] for name in one.entities or ()}:
            holders[word].append(place)
    common = Counter(
        (a, b)
        for places in holders.values()
        if len(places) <= _MOST
        for a, b in combinations(places, 2)
        if abs(signed[a].dated - signed[b].dated) <= thresholds.entity_span
    )
    return [pair for pair, times in common.items() if times > 1]


def _wanted(signed: Sequence[Signature], thresholds: Thresholds) -> float:
    """The share of articles with a partner that makes recognising worth it."""
    holders: dict[int, list[int]] = defaultdict(list)
    for place, one in enumerate(signed):
        for key in entities.keys(one):
            holders[key].append(place)
    wanted = {
        place
        for places in holders.values()
        for a, b in combinations(places, 2)
        if entities.possible(signed[a], signed[b], thresholds)
        for place in (a, b)
    }
    return len(wanted) / len(signed)


if __name__ == "__main__":
    sys.exit(main())
