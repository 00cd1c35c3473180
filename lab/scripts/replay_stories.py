"""Stories out of feeds polled for months, to be read one by one.

python lab/scripts/replay_stories.py POLLING VECTORS [--show 100] [--seed 1]

POLLING is the folder of polled feeds; VECTORS a file where encoded texts are kept. Links what was
published, in the order of its dates, as the stage does: batches of 200, stories archived when
nothing came for 14 days. Prints how many stories of which size there are, then stories of two
articles or more, drawn by the seed, each with the likeliest other stories: a reader can say whether
it is one affair, and whether a story beside it belongs to it.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from newsloom.ranking.encoders import registry
from newsloom.ranking.measure.articles import LabelledArticle
from newsloom.stories import lifecycle
from newsloom.stories.linking import Linker
from newsloom.stories.prepared import Prepared
from newsloom.stories.values.pages import StoryId
from newsloom.topics.tfidf import shipped
from newsloom_lab.evaluate import streams
from newsloom_lab.evaluate.reported import read_polled

SIBLINGS, SHOWN_ARTICLES = 2, 12


@dataclass(slots=True)
class Replay:
    """Articles by story, with the archived ones."""

    linker: Linker = field(default_factory=Linker)
    story_of: dict[int, StoryId] = field(default_factory=dict)  # by article

    def run(self, batches: list[list[Prepared]]) -> None:
        last, ends = 0, dict[StoryId, float]()
        held: list[Prepared] = []
        for batch in batches:
            last = streams.place(self.linker, batch, last).last
            held += batch
            ends.clear()
            for one in held:
                story = self.linker.story_of(one.piece.id)
                assert story is not None
                self.story_of[one.piece.id] = story
                ends[story] = max(ends.get(story, 0.0), one.day)
            over = batch[-1].day - lifecycle.COOLING.days
            for story in [one for one, day in ends.items() if day < over]:
                self.linker.forget(story)
            held = [one for one in held if self.linker.story_of(one.piece.id) is not None]


def siblings(
    story: StoryId, members: list[int], prepared: list[Prepared], of: dict[int, StoryId]
) -> list[tuple[float, StoryId]]:
    """Other stories of the same days, the likeliest first, by the mean of the best logits."""
    linker = Linker()
    days = [prepared[one - 1].day for one in members]
    first, last = min(days) - 5, max(days) + 5
    for one in prepared:
        if first <= one.day <= last and of[one.piece.id] != story:
            linker.restore(of[one.piece.id], [one])
    likely: Counter[StoryId] = Counter()
    for member in members:
        for candidate in linker.candidates(prepared[member - 1], 5):
            likely[candidate.story] += candidate.probability / len(members)  # type: ignore[assignment]
    return [(share, one) for one, share in likely.most_common(SIBLINGS)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("polling", type=Path)
    parser.add_argument("vectors", type=Path)
    parser.add_argument("--show", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    namespace = parser.parse_args()
    articles: list[LabelledArticle] = sorted(
        read_polled(namespace.polling), key=lambda one: (str(one.published), one.id)
    )
    if not namespace.vectors.exists():
        np.save(namespace.vectors, streams.vectors(registry.embedder("minilm-int8", 1), articles))
    batches = streams.batches(streams.pieces(articles), np.load(namespace.vectors), shipped())
    prepared = [one for batch in batches for one in batch]
    replay = Replay()
    replay.run(batches)
    stories: dict[StoryId, list[int]] = {}
    for article, story in sorted(replay.story_of.items()):
        stories.setdefault(story, []).append(article)
    sizes = Counter(len(members) for members in stories.values())
    print(f"{len(articles)} articles, {len(stories)} stories; of so many articles:")
    print(" ".join(f"{size}: {many}," for size, many in sorted(sizes.items())))
    chosen = sorted(story for story, members in stories.items() if len(members) > 1)
    random.Random(namespace.seed).shuffle(chosen)

    def show(members: list[int], indent: str) -> None:
        for member in members[:SHOWN_ARTICLES]:
            one = articles[member - 1]
            print(f"{indent}{str(one.published)[5:16]} {one.id.split()[0][:6]:6} {one.title[:110]}")
        if len(members) > SHOWN_ARTICLES:
            print(f"{indent}... {len(members) - SHOWN_ARTICLES} more")

    for number, story in enumerate(chosen[: namespace.show], start=1):
        print(f"\n{number}. story {story}, {len(stories[story])} articles")
        show(stories[story], "   ")
        for share, other in siblings(story, stories[story], prepared, replay.story_of):
            print(f"   beside ({share:.2f}):")
            show(stories[other][:4], "      ")


if __name__ == "__main__":
    main()
