"""How often pairs that a search would bring together report one event, by threshold.

    python lab/scripts/coverage_threshold.py FILE.jsonl...

For each of the first 700 articles of a file the 40 most alike headlines of the others (cosine .40
at least) are its hits; a hit is right when the file says that both are of one story. Printed are
precision and recall of what each threshold accepts, by the cosine of the texts and by the
probability of the same event. The threshold in newsloom/coverage/relevance.py was read off these.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

from newsloom.kernel.ids import ArticleId
from newsloom.ranking.encoder_text import candidate_text, query_text
from newsloom.ranking.encoders import registry
from newsloom.stories.prepared import Background, prepare
from newsloom.stories.same_event import SameEvent
from newsloom.stories.values.pages import REPORT_LEAD, Piece
from newsloom.topics.tfidf import shipped

ARTICLES, HITS, LEAST = 700, 40, 0.40


def main(file: Path) -> None:
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()[:ARTICLES]]
    titles = [row["title"] for row in rows]
    texts = [(row.get("text") or row.get("summary") or "") for row in rows]
    encoder = registry.embedder("minilm-int8")
    whole = encoder.embed([query_text(*both) for both in zip(titles, texts, strict=True)])
    heads = encoder.embed([candidate_text(one, "") for one in titles])
    background, judge = Background(shipped()), SameEvent()
    ready = [
        prepare(Piece(ArticleId(place), title, text[:REPORT_LEAD], None, ""), vector, background)
        for place, (title, text, vector) in enumerate(zip(titles, texts, whole, strict=True))
    ]
    right, cosines, chances = [], [], []
    for place, query in enumerate(whole):
        alike = heads @ query
        order = [int(one) for one in np.argsort(-alike) if one != place and alike[one] >= LEAST]
        for other in order[:HITS]:
            right.append(rows[place]["story"] == rows[other]["story"])
            cosines.append(float(query @ whole[other]))
            chances.append(judge.probability_of_found(ready[place], ready[other]))
    truth = np.array(right)
    print(f"{file.stem}: {len(truth):,} pairs, {truth.mean():.3f} of them right")
    for name, values in (("cosine", np.array(cosines)), ("probability", np.array(chances))):
        for least in (0.3, 0.4, 0.5, 0.6, 0.65, 0.7, 0.73, 0.8):
            taken = values >= least
            precision = truth[taken].mean() if taken.any() else float("nan")
            recall = truth[taken].sum() / max(truth.sum(), 1)
            print(f"  {name} {least:.2f}: precision {precision:.3f}, recall {recall:.3f}")


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        main(Path(argument))
