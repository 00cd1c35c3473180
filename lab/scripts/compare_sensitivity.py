"""What the time-sensitivity head reaches on unseen articles, beside simple baselines.

    python lab/scripts/compare_sensitivity.py [--data DIR] [--json] [--quick]
    python lab/scripts/compare_sensitivity.py --encoder FOLDER

The second: the head of multilingual-e5-small, in the FOLDER that `newsloom models get` made. Each
other language is judged by a head that saw neither it nor its sources, English by one that did not
see the source; with and without the ratings in other languages.

All are judged on the same folds of the rated articles: random ones, and ones that keep each source
whole. The baselines are scikit-learn's logistic regression; `--quick` leaves them out.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix, hstack
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import OneHotEncoder

from newsloom.ranking.encoders.known import MULTILINGUAL
from newsloom.ranking.encoders.onnx_folder import OnnxFolderEncoder
from newsloom.ranking.encoders.sentence_folder import described
from newsloom.ranking.learning import sensitivity
from newsloom_lab.evaluate.sensitivity import SensitivityReport, folds, report
from sensitivity_data import Rated, rated
from train_sensitivity import default_data

# Languages of fewer articles are left out together.
FEWEST = 18

# Rows to train on, rows to judge -> chances of the latter.
Judge = Callable[[np.ndarray, np.ndarray], np.ndarray]


def main() -> None:
    """Every judge on both kinds of folds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=default_data())
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--quick", action="store_true", help="leave the baselines out")
    parser.add_argument("--encoder", type=Path, help="folder of multilingual-e5-small")
    chosen = parser.parse_args()
    if chosen.encoder:
        multilingual(chosen.data, chosen.encoder)
        return
    known = rated(chosen.data)
    judges = {**({} if chosen.quick else baselines(known)), **ours(known)}
    found = []
    for fit in ("cv", "source"):
        for name, judge in judges.items():
            result = judged(known, judge, fit)
            found.append({"name": name, **asdict(result)})
            if not chosen.json:
                show(name, result)
    if chosen.json:
        print(json.dumps(found, indent=2))


def multilingual(data: Path, folder: Path) -> None:
    """The head of vectors that know other languages."""
    known = rated(data, OnnxFolderEncoder(described(folder, MULTILINGUAL)))
    english = np.arange(len(known.ratings) - known.foreign)
    others = np.arange(len(english), len(known.ratings))
    given = np.arange(known.given)

    def judge(kept: np.ndarray, held: np.ndarray) -> np.ndarray:
        kept = kept[~np.isin(known.sources[kept], known.sources[held])]
        head = sensitivity.train(
            [known.articles[row] for row in kept],
            known.vectors[kept],
            known.ratings[kept].tolist(),
            known.sources[kept].tolist(),
            multilingual=True,
        )
        return head.chances([known.articles[row] for row in held], known.vectors[held])

    chances = np.zeros((len(known.ratings), 5))
    chances[others] = judge(english, others)
    show("e5, of English alone", report("", "none", known.ratings[others], chances[others], 0))
    tags = np.array([one.language for one in known.articles])
    counts = Counter(tags[others].tolist())
    named = np.array([tag if counts[tag] >= FEWEST else "others" for tag in tags])
    for tag in sorted(set(named[others].tolist())):
        held = others[named[others] == tag]
        chances[held] = judge(np.setdiff1d(np.arange(len(tags)), held), held)
        show(f"e5, without {tag}", report("", "", known.ratings[held], chances[held], 0))
    show("e5, languages", report("", "", known.ratings[others], chances[others], 0))
    for held in folds("source", known.ratings[given], known.sources[given].tolist()):
        chances[held] = judge(np.setdiff1d(np.arange(len(tags)), held), held)
    show("e5, English", report("", "source", known.ratings[given], chances[given], 0))


def judged(known: Rated, judge: Judge, fit: str) -> SensitivityReport:
    """One judge, every rated article held out once."""
    ratings = known.ratings[: known.given]
    chances = np.zeros((known.given, 5))
    for held in folds(fit, ratings, known.sources[: known.given].tolist()):
        chances[held] = judge(np.setdiff1d(np.arange(known.given), held), held)
    return report("", fit, ratings, chances, 0)


def ours(known: Rated) -> dict[str, Judge]:
    """The head on the rated articles alone, and with the others (never of a held-out source)."""

    def judge(kept: np.ndarray, held: np.ndarray) -> np.ndarray:
        head = sensitivity.train(
            [known.articles[row] for row in kept],
            known.vectors[kept],
            known.ratings[kept].tolist(),
            known.sources[kept].tolist(),
        )
        return head.chances([known.articles[row] for row in held], known.vectors[held])

    def with_more(kept: np.ndarray, held: np.ndarray) -> np.ndarray:
        more = np.arange(known.given, len(known.ratings))
        by_source = not np.isin(known.sources[held], known.sources[kept]).any()
        if by_source:
            more = more[~np.isin(known.sources[more], known.sources[held])]
        return judge(np.concatenate([kept, more]), held)

    return {"this head, 1,000 articles": judge, "this head": with_more}


def baselines(known: Rated) -> dict[str, Judge]:
    """TF-IDF, the encoder, both, and both with the source."""
    texts = np.array([f"{one.title}\n{one.text}" for one in known.articles])

    def words(kept: np.ndarray, held: np.ndarray) -> tuple[object, object]:
        made = TfidfVectorizer(sublinear_tf=True, ngram_range=(1, 2))
        return made.fit_transform(texts[kept]), made.transform(texts[held])

    def source(kept: np.ndarray, held: np.ndarray) -> tuple[object, object]:
        made = OneHotEncoder(handle_unknown="ignore")
        return made.fit_transform(known.sources[kept, None]), made.transform(
            known.sources[held, None]
        )

    def vector(kept: np.ndarray, held: np.ndarray) -> tuple[object, object]:
        return csr_matrix(known.vectors[kept]), csr_matrix(known.vectors[held])

    def judge(*parts: Callable[..., tuple[object, object]], strength: float) -> Judge:
        def run(kept: np.ndarray, held: np.ndarray) -> np.ndarray:
            made = [part(kept, held) for part in parts]
            model = LogisticRegression(C=strength, max_iter=2_000)
            model.fit(hstack([train for train, _ in made]).tocsr(), known.ratings[kept])
            chances = np.zeros((len(held), 5))
            chances[:, model.classes_ - 1] = model.predict_proba(
                hstack([judge for _, judge in made]).tocsr()
            )
            return chances

        return run

    return {
        "TF-IDF": judge(words, strength=10),
        "MiniLM": judge(vector, strength=1),
        "both": judge(words, vector, strength=5),
        "both + source": judge(words, vector, source, strength=5),
    }


def show(name: str, result: SensitivityReport) -> None:
    """One line, and for the head its confusion."""
    kappa = result.quadratic_weighted_kappa_interval
    print(
        f"{result.fit:7} {name:26} kappa {result.quadratic_weighted_kappa:.3f} "
        f"[{kappa[0]:.3f}, {kappa[1]:.3f}]  RPS {result.rank_probability_score:.4f}  "
        f"exact {result.exact:.3f}  5 found {result.recall[4]:.2f}, right {result.precision[4]:.2f}"
    )
    if name.startswith("this head"):
        for row in result.confusion:
            print("       ", " ".join(f"{count:4}" for count in row))


if __name__ == "__main__":
    main()
