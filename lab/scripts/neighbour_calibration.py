"""What the same-event probability is worth among nearest neighbours, where it is used.

python lab/scripts/neighbour_calibration.py FILE.jsonl...

Of each article of labelled files: its nearest others, as many and as near as the pipeline looks at.
Prints the share of them that is of the same event, and by tenths what was given and what was right:
of the scaled probability (which holds where half of the pairs are of one event) and of the plain
logit, which evidence and stories speak of.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from newsloom.ranking.encoders import registry
from newsloom.stories.prepared import Background, piece_terms, prepare
from newsloom.stories.same_event import SameEvent
from newsloom.stories.stages.same_event import LEAST_COSINE, NEIGHBOURS, SPAN
from newsloom.stories.values.pages import REPORT_LEAD
from newsloom.topics.tfidf import shipped
from newsloom_lab.evaluate import streams
from newsloom_lab.evaluate.event_pairs import reliability


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="+")
    for file in parser.parse_args().files:
        plain, scaled, same = measured(file)
        print(f"{file.stem}: {len(same)} neighbours, {same.mean():.2f} of the same event")
        for name, given in (("scaled", scaled), ("plain", plain)):
            bins = reliability(same, given)
            error = sum(one.pairs * abs(one.probability - one.same) for one in bins) / len(same)
            print(
                f"  {name:7} error {error:.3f}, Brier {np.mean((given - same) ** 2):.3f}:", end=""
            )
            print(*(f" {one.probability:.2f}/{one.same:.2f}" for one in bins))


def measured(
    file: Path,
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.bool_]]:
    articles = streams.load(file)
    rows = streams.vectors(registry.embedder("minilm-int8", 1), articles)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    background, judge = Background(shipped()), SameEvent()
    pieces = streams.pieces(articles, REPORT_LEAD)
    counted = [piece_terms(one) for one in pieces]
    ready = [
        prepare(piece, row, background, terms)
        for piece, row, terms in zip(pieces, rows, counted, strict=True)
    ]
    days = np.array([one.day for one in ready])
    plain, scaled, same = [], [], []
    for place, one in enumerate(ready):
        cosines = rows @ rows[place]
        cosines[np.abs(days - one.day) > SPAN.days] = -1.0
        cosines[place] = -1.0
        near = [at for at in np.argsort(-cosines)[:NEIGHBOURS] if cosines[at] >= LEAST_COSINE]
        near = [at for at in near if articles[at].story and articles[place].story]
        others = [ready[at] for at in near]
        if others:
            plain.append(1.0 / (1.0 + np.exp(-judge.logits(one, others))))
            scaled.append(judge.probabilities(one, others))
            same += [articles[at].story == articles[place].story for at in near]
    return np.concatenate(plain), np.concatenate(scaled), np.array(same)


if __name__ == "__main__":
    main()
