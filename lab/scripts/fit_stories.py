"""Fit the plain numbers of stories on the labelled development sets, and show what they do there.

python lab/scripts/fit_stories.py DATA VECTORS [--encoder FOLDER] [--polling FOLDER] [--grid]

DATA is the folder of allsides_val.jsonl and the others; VECTORS a folder where encoded texts are
kept. Prints: the pair logit fitted with each set left out and judged on it (ROC AUC beside the
shipped weights), Platt's scaling of pairs and of links, and with --grid the B-cubed F1 of rules of
linking. Nothing is written into the package: a person copies numbers after reading them.

roundups_dated gives all articles of a story one time, so its dates are left out; allsides_train
stands in with 2,400 articles, which are enough and soon linked.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from newsloom.ranking.encoders import registry
from newsloom.ranking.encoders.known import MULTILINGUAL
from newsloom.ranking.encoders.onnx_folder import OnnxFolderEncoder
from newsloom.ranking.encoders.sentence_folder import described
from newsloom.ranking.measure.articles import LabelledArticle
from newsloom.ranking.measure.metrics import roc_auc
from newsloom.ranking.ports import Embedder
from newsloom.stories import linking as rules
from newsloom.stories.linking import Linker
from newsloom.stories.prepared import Prepared, piece_terms, rows_of
from newsloom.stories.same_event import FREE_DAYS, MOST_DAYS, SameEvent
from newsloom.topics.tfidf import Idf, shipped
from newsloom_lab.evaluate import huge_stories, streams
from newsloom_lab.evaluate.same_event import pairs_from
from newsloom_lab.evaluate.stories import measures

# Name, file, most articles, titles only, with dates.
SETS = (
    ("allsides_val", "allsides_val", 10_000, False, False),
    ("roundups undated", "roundups_dated", 10_000, False, False),
    ("ecbplus_a", "ecbplus_a", 10_000, False, False),
    ("fulltext", "allsides_fulltext", 10_000, False, True),
    ("allsides_train", "allsides_train", 2_400, False, False),
    ("allsides_val titles", "allsides_val", 10_000, True, False),
    ("fulltext titles", "allsides_fulltext", 10_000, True, True),
    ("allsides_train titles", "allsides_train", 2_400, True, False),
)


@dataclass(frozen=True, slots=True)
class Known:
    """A development set, prepared as its stream would have it."""

    name: str
    titles: bool
    gold: tuple[str, ...]
    prepared: tuple[Prepared, ...]
    features: NDArray[np.float64]  # of pairs: dense, lexical, lateness
    same: NDArray[np.bool_]

    def batches(self) -> list[tuple[Prepared, ...]]:
        return [self.prepared[start : start + 200] for start in range(0, len(self.prepared), 200)]


def without(articles: tuple[LabelledArticle, ...]) -> Idf:
    """The shipped background without these articles: an unseen file is not in it either."""
    own: dict[str, int] = {}
    for piece in streams.pieces(articles):
        for term in piece_terms(piece):
            own[term] = own.get(term, 0) + 1
    known = shipped()
    counts = {term: max(many - own.get(term, 0), 0) for term, many in known.counts.items()}
    return Idf(max(known.articles - len(articles), 1), counts)


def huge(polling: Path, vectors: Path, encoder: Embedder) -> list[Known]:
    """Huge stories out of polled feeds; only linked, since their gold is weak."""
    articles = huge_stories.load(polling)
    undated = tuple(replace(one, published=None) for one in articles)
    named = (("huge stories", articles), ("huge stories undated", undated))
    return [prepared(name, vectors, one, True, encoder) for name, one in named]


def load(
    data: Path, vectors: Path, row: tuple[str, str, int, bool, bool], encoder: Embedder
) -> Known:
    name, file, most, titles, dated = row
    articles = streams.load(data / f"{file}.jsonl")[:most]
    if titles:
        articles = tuple(replace(one, text="", summary="") for one in articles)
    if not dated:
        articles = tuple(replace(one, published=None) for one in articles)
    return prepared(name, vectors, articles, titles, encoder, unshared(data, file, articles))


def unshared(data: Path, file: str, articles: tuple[LabelledArticle, ...]) -> NDArray[np.bool_]:
    """Which articles are of stories that have no article in common, by its title, with a set that
    is judged before: of allsides_fulltext 318 articles are not."""
    if file != "allsides_fulltext":
        return np.ones(len(articles), np.bool_)
    others = (streams.load(data / f"{one}.jsonl") for one in ("allsides_val", "roundups_dated"))
    titles = {one.title.strip().lower() for other in others for one in other}
    shared = {one.story for one in articles if one.title.strip().lower() in titles}
    return np.array([one.story not in shared for one in articles])


def prepared(
    name: str,
    vectors: Path,
    articles: tuple[LabelledArticle, ...],
    titles: bool,
    encoder: Embedder,
    wanted: NDArray[np.bool_] | None = None,
) -> Known:
    kept = vectors / f"{name}.npy"
    if not kept.exists():
        np.save(kept, streams.vectors(encoder, articles))
    rows = np.load(kept)
    if wanted is not None:
        articles = tuple(one for one, is_wanted in zip(articles, wanted, strict=True) if is_wanted)
        rows = rows[wanted]
    batches = streams.batches(streams.pieces(articles), rows, without(articles))
    made = tuple(one for batch in batches for one in batch)
    pairs = pairs_from(articles)
    places = {one.id: place for place, one in enumerate(articles)}
    at = np.array([places[one.id] for one in pairs.articles])[pairs.pairs]
    rows, slots = rows_of(made)
    features = np.empty((len(at), 3))
    order = np.argsort(at[:, 0], kind="stable")
    for part in np.split(order, np.flatnonzero(np.diff(at[order, 0])) + 1):
        found = rows.compare(made[at[part[0], 0]], slots[at[part, 1]])
        late = np.log1p(np.clip(found.gap - FREE_DAYS, 0.0, MOST_DAYS))
        features[part] = np.stack([found.dense, found.lexical, late], axis=1)
    gold = tuple(one.story for one in articles)
    return Known(name, titles, gold, made, features, pairs.same)


def regression(
    sets: list[Known], columns: list[NDArray[np.float64]]
) -> tuple[NDArray[np.float64], float]:
    """Each set weighs the same, and in it positives as much as negatives."""
    weights = [
        np.where(one.same, 0.5 / one.same.mean(), 0.5 / (1 - one.same.mean())) / len(one.same)
        for one in sets
    ]
    same = np.concatenate([one.same for one in sets])
    weight = np.concatenate(weights) * len(same) / len(sets)
    fitted = LogisticRegression(C=1e4, max_iter=1000).fit(np.concatenate(columns), same, weight)
    return fitted.coef_[0], float(fitted.intercept_[0])


def pair_fits(sets: list[Known]) -> None:
    judge = SameEvent()
    for titles in (False, True):
        kind = [one for one in sets if one.titles is titles]
        print("\npairs,", "titles only" if titles else "with lead")
        for left in kind:
            others = [one for one in kind if one is not left]
            weights, _ = regression(others, [one.features for one in others])
            dense = left.features[:, 0]
            print(
                f"  without {left.name:22} {np.round(weights, 2)}  AUC of it: "
                f"fitted {roc_auc(left.same, left.features @ weights):.4f}, "
                f"shipped {roc_auc(left.same, judge.weighed(left.features, titles)):.4f}, "
                f"encoder alone {roc_auc(left.same, dense):.4f}"
            )
        weights, bias = regression(kind, [one.features for one in kind])
        print("  all", np.round(weights, 3), round(bias, 3))
        scores = [judge.weighed(one.features, titles)[:, None] for one in kind]
        slope, bias = regression(kind, scores)
        print(f"  Platt's scaling of the shipped logit: {slope[0]:.3f} x + {bias:.3f}")


def link_scaling(sets: list[Known]) -> None:
    """Of each article's likeliest story when it came: its link, and whether it was right."""
    for titles in (False, True):
        links, right = [], []
        for known in (one for one in sets if one.titles is titles):
            for logit, is_right in decisions(known):
                links.append(logit)
                right.append(is_right)
        x, y = np.array(links)[:, None], np.array(right)
        fitted = LogisticRegression(C=1e4).fit(x, y)
        slope, bias = float(fitted.coef_[0, 0]), float(fitted.intercept_[0])
        print(f"\nlinks, {'titles only' if titles else 'with lead'}: {slope:.3f} x + {bias:.3f}")
        given = fitted.predict_proba(x)[:, 1]
        for low in np.arange(0, 1, 0.1):
            inside = (given >= low) & (given < low + 0.1)
            if inside.any():
                print(
                    f"  {low:.1f}-{low + 0.1:.1f}: {inside.sum():5} articles, "
                    f"given {given[inside].mean():.2f}, right {y[inside].mean():.2f}"
                )


def decisions(known: Known) -> list[tuple[float, bool]]:
    linker, last = Linker(), 0
    story = dict(zip((one.piece.id for one in known.prepared), known.gold, strict=True))
    found = []
    for article in known.prepared:
        best = next(iter(linker.candidates(article, 1)), None)
        if best is not None and story[article.piece.id]:
            share = min(max(best.probability, 1e-9), 1 - 1e-9)
            members = [story[one] for one in linker.members(best.story)]
            majority = max(sorted(set(members)), key=members.count)
            logit = float(np.log(share / (1 - share)))
            found.append((logit, majority == story[article.piece.id]))
        last = streams.place(linker, [article], last).last
    return found


def linked(known: Known) -> str:
    stories = streams.linked(known.batches())
    told = [(gold, one) for gold, one in zip(known.gold, stories, strict=True) if gold]
    found = measures([gold for gold, _ in told], [story for _, story in told])
    return f"{found.b_cubed_f1:.3f} ({found.contamination:.2f}/{found.fragmentation:.2f})"


def grid(sets: list[Known]) -> None:
    shipped_rules = (rules.WITH_LEAD, rules.TITLES_ONLY)
    for speaking, spread, shift in product((3, 10, 20), (0.5, 1.0), (-0.25, 0.0, 0.25)):
        rules.WITH_LEAD, rules.TITLES_ONLY = (
            replace(one, speaking=speaking, spread=spread, middle=one.middle + shift)
            for one in shipped_rules
        )
        print(speaking, spread, shift, *(linked(one) for one in sets), flush=True)
    rules.WITH_LEAD, rules.TITLES_ONLY = shipped_rules


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("vectors", type=Path)
    parser.add_argument("--encoder", type=Path, help="Folder of multilingual-e5-small: pairs only.")
    parser.add_argument("--polling", type=Path, help="Polled feeds, for huge stories.")
    parser.add_argument("--grid", action="store_true")
    namespace = parser.parse_args()
    namespace.vectors.mkdir(parents=True, exist_ok=True)
    encoder: Embedder = registry.embedder("minilm-int8", 1)
    if namespace.encoder:
        described_by = described(namespace.encoder, MULTILINGUAL)
        encoder = OnnxFolderEncoder(replace(described_by, prompt="query: "), 2)
    sets = [load(namespace.data, namespace.vectors, row, encoder) for row in SETS]
    pair_fits(sets)
    if namespace.encoder:
        return
    link_scaling(sets)
    print()
    if namespace.polling:
        sets += huge(namespace.polling, namespace.vectors, encoder)
    for one in sets:
        print(f"{one.name:24} {linked(one)}", flush=True)
    if namespace.grid:
        grid(sets)


if __name__ == "__main__":
    main()
