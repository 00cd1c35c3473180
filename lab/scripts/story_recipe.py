"""The plainest form of linking articles, every pair compared, and what each change to it gives.

python lab/scripts/story_recipe.py DATA VECTORS

DATA is the folder of allsides_val.jsonl and the others; VECTORS the folder of fit_stories.py, whose
files of vectors are read. Prints B-cubed F1 (contamination/fragmentation) of development sets: one
row for the recipe (600 characters, terms of the other development sets as background and counted
article by article, ten members, all of their deviation, threshold -2.1, repairs every 200
articles), then rows with one difference each.
"""

from __future__ import annotations

import argparse
import math
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from fit_stories import without
from newsloom.articles.terms import printed
from newsloom.ranking.measure.articles import LabelledArticle
from newsloom.stories.same_event import FREE_DAYS, MOST_DAYS, TITLES_ONLY, WITH_LEAD
from newsloom.topics.tfidf import EMPTY, Idf
from newsloom_lab.evaluate import streams
from newsloom_lab.evaluate.stories import measures

SETS = (
    ("allsides_val", "allsides_val", False),
    ("ecbplus_a", "ecbplus_a", False),
    ("roundups undated", "roundups_dated", False),
    ("fulltext", "allsides_fulltext", True),
)
WINDOW = 14.0  # days in which articles are rivals


@dataclass(frozen=True, slots=True)
class Way:
    """How articles are linked."""

    background: str = "development"  # or "shipped", "none"; the judged set is taken out
    lead: int = 600  # characters whose terms count
    terms: int = 10_000  # the heaviest that are kept
    counted: int = 1  # articles whose terms are counted together
    theta: float = -2.1
    rivals: float = 0.0  # how theta grows with the logarithm of rivals / 1,000
    speaking: int = 10
    every: int = 200
    rounds: int = 1


WAYS = (
    ("recipe", Way()),
    ("terms counted by 200", Way(counted=200)),
    ("shipped background", Way(background="shipped")),
    ("no background", Way(background="none")),
    ("64 terms", Way(terms=64)),
    ("20 members", Way(speaking=20)),
    ("repairs every 25", Way(every=25)),
    ("two rounds of repairs", Way(rounds=2)),
    *((f"{most} characters", Way(lead=most)) for most in (300, 1000, 1500, 2500, 5000)),
    ("1500 characters, 64 terms", Way(lead=1500, terms=64)),
    *((f"threshold {at}", Way(theta=at)) for at in (-2.5, -1.7, -1.3)),
    ("1500, 64, rivals", Way(lead=1500, terms=64, theta=-1.4, rivals=0.3)),
)


def logits(
    articles: tuple[LabelledArticle, ...], rows: NDArray[np.float32], known: Idf, way: Way
) -> NDArray[np.float32]:
    """Of every pair, from which a threshold that differs by article is taken off already."""
    texts = [f"{one.title}. {one.body[: way.lead]}" for one in articles]
    found = [
        Counter(term for term, _ in printed(text, one.language))
        for text, one in zip(texts, articles, strict=True)
    ]
    seen, columns = Counter[str](), dict[str, int]()
    at: tuple[list[int], list[int], list[float]] = ([], [], [])
    for start in range(0, len(found), way.counted):
        part = found[start : start + way.counted]
        for terms in part:
            seen.update(terms.keys())
        among = known.articles + start + len(part) + 1
        for place, terms in enumerate(part, start):
            weighed = {
                term: (1 + math.log(count))
                * max(math.log(among / (known.counts.get(term, 0) + seen[term] + 0.5)), 1e-3)
                for term, count in terms.items()
            }
            heavy = sorted(weighed.items(), key=lambda one: (-one[1], one[0]))[: way.terms]
            length = math.sqrt(sum(weight**2 for _, weight in heavy)) or 1.0
            for term, weight in heavy:
                at[0].append(place)
                at[1].append(columns.setdefault(term, len(columns)))
                at[2].append(weight / length)
    table = csr_matrix((at[2], at[:2]), shape=(len(articles), len(columns)))
    lexical = (table @ table.T).toarray()
    dates = [math.nan if one.published is None else one.published.timestamp() for one in articles]
    days = np.array(dates) / 86_400
    gaps = np.nan_to_num(np.abs(days[:, None] - days[None, :]))
    late = np.log1p(np.clip(gaps - FREE_DAYS, 0, MOST_DAYS))
    leads = np.array([bool(one.body) for one in articles])
    kinds = [
        one.dense * (rows @ rows.T) + one.lexical * lexical + one.gap * late + one.bias
        for one in (WITH_LEAD, TITLES_ONLY)
    ]
    pairs = np.where(leads[:, None] & leads[None, :], *kinds)
    many = [
        place if np.isnan(day) else int((np.abs(days[:place] - day) <= WINDOW).sum())
        for place, day in enumerate(days)
    ]
    more = way.rivals * np.log((np.array(many) + 30) / 1000)
    return np.asarray(pairs - (more[:, None] + more[None, :]) / 2, np.float32)


class Recipe:
    """Articles into stories, by the logits of all pairs."""

    def __init__(self, pairs: NDArray[np.float32], way: Way) -> None:
        self.pairs, self.way = pairs, way
        self.story_of: dict[int, int] = {}
        self.members: dict[int, list[int]] = defaultdict(list)
        self.touched: set[int] = set()
        self.begun = 0

    def run(self) -> list[int]:
        for article in range(len(self.pairs)):
            link, story = self.best(article)
            self.put(article, story if link >= self.way.theta else self.new())
            if (article + 1) % self.way.every == 0 or article + 1 == len(self.pairs):
                for _ in range(self.way.rounds):
                    self.repair()
        return [self.story_of[article] for article in range(len(self.pairs))]

    def new(self) -> int:
        self.begun += 1
        return self.begun

    def put(self, article: int, story: int) -> None:
        before = self.story_of.get(article)
        if before is not None:
            self.members[before].remove(article)
            self.touched.add(before)
        self.story_of[article] = story
        self.members[story].append(article)
        self.touched.add(story)

    def link(self, article: int, story: int) -> float:
        others = [one for one in self.members[story] if one != article]
        if not others:
            return -math.inf
        top = np.sort(self.pairs[article, others])[-self.way.speaking :]
        return float(top.mean() - top.std())

    def beside(self, article: int, without: int | None = None) -> set[int]:
        near = np.flatnonzero(self.pairs[article, : len(self.story_of)] >= self.way.theta).tolist()
        return {self.story_of[one] for one in near if one != article} - {without}

    def best(self, article: int, without: int | None = None) -> tuple[float, int]:
        found = ((self.link(article, one), one) for one in self.beside(article, without))
        return max(found, default=(-math.inf, 0))

    def mutual(self, one: int, other: int) -> float:
        ways = ((one, other), (other, one))
        return float(
            np.mean([np.mean([self.link(it, to) for it in self.members[of]]) for of, to in ways])
        )

    def repair(self) -> None:
        todo = sorted(one for one in self.touched if self.members[one])
        self.touched.clear()
        merged: set[int] = set()
        for story in todo:
            if story not in merged:
                near = {it for one in self.members[story] for it in self.beside(one, story)}
                found = ((self.mutual(story, one), one) for one in near - merged)
                link, other = max(found, default=(-math.inf, 0))
                if link >= self.way.theta + 0.6:
                    merged |= {story, other}
                    for one in tuple(self.members[other]):
                        self.put(one, story)
        for story in todo:
            for one in () if story in merged else tuple(self.members[story]):
                self.depart(one, story)

    def depart(self, article: int, story: int) -> None:
        own = self.link(article, story)
        link, other = self.best(article, story)
        if len(self.members[story]) < 2:
            return
        if link >= self.way.theta and link > own:
            self.put(article, other)
        elif own < self.way.theta - 0.6:
            self.put(article, self.new())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("vectors", type=Path)
    namespace = parser.parse_args()
    read = {name: streams.load(namespace.data / f"{file}.jsonl") for name, file, _dated in SETS}
    known = {name: {"shipped": without(articles), "none": EMPTY} for name, articles in read.items()}
    counts = {name: counted(articles) for name, articles in read.items()}
    for name in read:
        others = [one for other, one in counts.items() if other != name]
        total = sum((one for _many, one in others), Counter[str]())
        known[name]["development"] = Idf(sum(many for many, _one in others), total)
    for label, way in WAYS:
        shown = []
        for name, _file, dated in SETS:
            articles = read[name]
            rows = np.load(namespace.vectors / f"{name}.npy")
            rows /= np.linalg.norm(rows, axis=1, keepdims=True)
            if not dated:
                articles = tuple(replace(one, published=None) for one in articles)
            pairs = logits(articles, rows, known[name][way.background], way)
            found = Recipe(pairs, way).run()
            told = [(one.story, it) for one, it in zip(articles, found, strict=True) if one.story]
            got = measures([gold for gold, _ in told], [it for _, it in told])
            shown.append(
                f"{name} {got.b_cubed_f1:.3f} ({got.contamination:.2f}/{got.fragmentation:.2f})"
            )
        print(f"{label:26}", *shown, flush=True)


def counted(articles: tuple[LabelledArticle, ...]) -> tuple[int, Counter[str]]:
    """How many articles, and in how many of them each term is."""
    found = Counter[str]()
    for one in articles:
        text = f"{one.title}. {one.body[:600]}"
        found.update({term for term, _ in printed(text, one.language)})
    return len(articles), found


if __name__ == "__main__":
    main()
