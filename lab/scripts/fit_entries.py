"""Fits what decides whether an entry of a digest reads well.

    python lab/scripts/fit_entries.py lab/reviews/2026-12-01-entries/entries.csv

A line is an entry of one article that a run of a large language model judged by reviews/rubric.md:
what `clarity` of newsloom/summaries/summarise.py looks at, and the six answers. Prints the weights
of a logistic regression on whether all six pass, and what share passes from some log-odds on, each
owner judged by weights that were fitted without it.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import numpy as np

QUESTIONS = ("heading", "newest", "alone", "once", "news", "grouped")
FEATURES = ("evergreen", "slow", "shared", "later", "brief", "few_new", "to_you")
RIDGE = 0.1


def fit(features: np.ndarray, passed: np.ndarray) -> np.ndarray:
    """Weights by Newton's method, the constant last."""
    given = np.c_[features, np.ones(len(features))]
    penalty = np.diag([RIDGE] * features.shape[1] + [0.0])
    weights = np.zeros(given.shape[1])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-given @ weights))
        slope = given.T @ (chance - passed) + penalty @ weights
        curve = (given * (chance * (1 - chance))[:, None]).T @ given + penalty
        weights -= np.linalg.solve(curve, slope)
    return weights


def main() -> None:
    with Path(sys.argv[1]).open(newline="") as file:
        rows = list(csv.DictReader(file))
    features = np.array(
        [
            [row["sensitivity"] in "12", row["sensitivity"] == "3"]
            + [float(row[name]) for name in FEATURES[2:]]
            for row in rows
        ]
    )
    passed = np.array([all(row[name] == "1" for name in QUESTIONS) for row in rows], dtype=float)
    owners = np.array([row["owner"] for row in rows])
    odds = np.zeros(len(rows))
    for owner in set(owners):
        own = owners == owner
        weights = fit(features[~own], passed[~own])
        odds[own] = np.c_[features[own], np.ones(own.sum())] @ weights
    print(f"{len(rows)} entries of {len(set(owners))} owners, {passed.mean():.1%} pass")
    higher = odds[passed > 0][:, None] - odds[passed == 0]
    print(f"AUC of owners left out {((higher > 0) + (higher == 0) / 2).mean():.3f}")
    for name, weight in zip((*FEATURES, "constant"), fit(features, passed), strict=True):
        print(f"{name:10} {weight:+.2f}")
    for least in (0.0, 0.8, 1.0, 1.1, 1.2, 1.4):
        above = odds >= least
        print(
            f"from {least}: {above.sum()} pass {passed[above].mean():.1%}, "
            f"the others {passed[~above].mean():.1%}"
        )


if __name__ == "__main__":
    main()
