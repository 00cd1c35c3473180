"""Make the mean vectors by language that stories are compared without.

    python lab/scripts/make_language_centres.py [--data DIR]

MiniLM reads other languages by their letters, so all texts of one are alike: unrelated titles in
Russian have a median cosine of .56, in Italian .37, in English .04. Prints how many pairs of
unrelated titles are taken for one event, with the means and without, each by the mean of the other
half of the articles.
"""

from __future__ import annotations

import argparse
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from newsloom.kernel.ids import ArticleId
from newsloom.kernel.text.language import language
from newsloom.ranking.encoder_text import embedding_text
from newsloom.ranking.encoders import registry
from newsloom.ranking.measure.articles import as_text
from newsloom.stories import prepared
from newsloom.stories.same_event import SameEvent
from newsloom.stories.values.pages import Piece
from newsloom.topics.tfidf import shipped
from sensitivity_data import foreign_rated
from train_sensitivity import default_data

# Languages of fewer articles have the mean of all, and a mean counts as if these more were at 0.
FEWEST, IMAGINED = 15, 3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=default_data())
    texts = [as_text(one) for one in foreign_rated(parser.parse_args().data)]
    vectors = registry.shipped().embed([embedding_text(one.title, one.text) for one in texts])
    tags = np.array([language(one.language) for one in texts])
    counts = {tag: count for tag, count in Counter(tags.tolist()).items() if count >= FEWEST}
    found = {tag: _mean(vectors[tags == tag]) for tag in counts}
    found[prepared.OTHERS] = np.mean([*found.values()], axis=0)
    halved = {tag: mean.astype(np.float16) for tag, mean in found.items()}
    np.savez_compressed(prepared.CENTRES, allow_pickle=False, **halved)
    day, background = datetime(2020, 1, 1, tzinfo=UTC), prepared.Background(shipped())
    for tag in counts:
        rows = np.flatnonzero(tags == tag)
        shares = []
        for centred in (False, True):
            ready = []
            for place, row in enumerate(rows):
                rest = np.delete(rows, np.arange(place % 2, len(rows), 2))
                vector = vectors[row] - (_mean(vectors[rest]) if centred else 0)
                piece = Piece(ArticleId(int(row)), texts[row].title, "", day, texts[row].source, "")
                ready.append(prepared.prepare(piece, vector, background))
            chances = [
                SameEvent().probability(one, other)
                for place, one in enumerate(ready)
                for other in ready[:place]
                if one.piece.source != other.piece.source
            ]
            shares.append(float(np.mean(np.array(chances) >= 0.5)))
        print(f"{tag} {len(rows):3} articles: {shares[0]:.4f} of pairs before, {shares[1]:.4f} now")


def _mean(vectors: np.ndarray) -> np.ndarray:
    return np.asarray(vectors.sum(0) / (len(vectors) + IMAGINED))


if __name__ == "__main__":
    main()
