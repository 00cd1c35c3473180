"""Stories and threads out of feeds of some weeks, as sheets that independent readers judge.

    python lab/scripts/replay_stories.py VECTORS polling,2020-06-01,21 real,2026-02-10,8 >now.jsonl

VECTORS is a folder where encoded texts are kept; after it come folders of feeds, each with a first
day and how many days. Links what was published as the stages do: what came in an hour together,
stories archived when nothing came for 14 days, then threads of all stories. Prints a line for each
of `--stories` stories of two articles or more and `--threads` narratives of two stories or more,
drawn from all weeks by the seed: `blind_review.py mix` makes a text of them, for judges who read
reviews/stories.md. Beside a story are the likeliest other ones, which may belong to it.
"""

from __future__ import annotations

import json
import random
import sys
from argparse import ArgumentParser
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import groupby
from pathlib import Path
from typing import TypeVar

import numpy as np

from newsloom.ranking.encoders import registry
from newsloom.ranking.measure.articles import LabelledArticle
from newsloom.stories import lifecycle
from newsloom.stories.events import Event, event
from newsloom.stories.linking import Linker
from newsloom.stories.prepared import Background, Frequencies, Prepared
from newsloom.stories.threads import MINILM, Stream, Threads, kind_of
from newsloom.stories.values.pages import StoryId, ThreadId
from newsloom.stories.values.threads import ThreadKind
from newsloom_lab.evaluate import streams
from newsloom_lab.evaluate.week import read_week

SIBLINGS, AROUND = 2, 5  # other stories beside a story, and days before and after it
MOST = 20  # articles of a story and stories of a thread that are shown, evenly out of all
TITLES = 4  # of another story
TEXT = 300  # characters of an article

T = TypeVar("T")


@dataclass(slots=True)
class Replay:
    """Articles by story, with the archived ones."""

    linker: Linker = field(default_factory=Linker)
    story_of: dict[int, StoryId] = field(default_factory=dict)  # by article

    def run(self, batches: Sequence[Sequence[Prepared]]) -> None:
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


@dataclass(slots=True)
class Weeks:
    """What came of some weeks. Articles are numbered from 1, in the order of their dates."""

    name: str
    articles: Sequence[LabelledArticle]
    prepared: Sequence[Prepared]
    story_of: dict[int, StoryId]
    stories: dict[StoryId, list[int]]
    threads: list[list[StoryId]]  # narratives of two stories or more

    def story(self, story: StoryId) -> str:
        """One story as a judge reads it, with those beside it."""
        members = self.stories[story]
        lines = [f"STORY of {_many(members)}"]
        for number, one in enumerate(_spread(members), start=1):
            text = " ".join(self.articles[one - 1].body.split())[:TEXT]
            lines.append(f"{number}. {self._article(one)}\n   {text}")
        for number, other in enumerate(self._siblings(story), start=1):
            lines.append(f"SIBLING {number}, of {_many(self.stories[other])}")
            lines += [f"   - {self._article(one)}" for one in self.stories[other][:TITLES]]
        return "\n".join(lines)

    def thread(self, stories: Sequence[StoryId]) -> str:
        """One thread as a judge reads it."""
        lines = [f"THREAD of {len(stories)} stories"]
        for number, story in enumerate(_spread(stories), start=1):
            members = self.stories[story]
            first, last = (self.articles[one - 1].published for one in (members[0], members[-1]))
            days = " to ".join(dict.fromkeys(f"{one:%d %b}" for one in (first, last)))
            middle = self._middle(members)
            lines.append(f"{number}. {days}, {_many(members)}: {self._title(middle)}")
            others = [one for one in members if one != middle][: TITLES - 1]
            lines += [f"   - {self._title(one)}" for one in others]
        return "\n".join(lines)

    def _article(self, number: int) -> str:
        one = self.articles[number - 1]
        return f"{one.published:%d %b %H:%M}, {one.source}: {one.title}"

    def _title(self, number: int) -> str:
        return self.articles[number - 1].title

    def _middle(self, members: Sequence[int]) -> int:
        """The article that gives a story its title."""
        total = np.sum([self.prepared[one - 1].vector for one in members], axis=0)
        return max(members, key=lambda one: float(self.prepared[one - 1].vector @ total))

    def _siblings(self, story: StoryId) -> list[StoryId]:
        """Other stories of the same days, the likeliest first, by the mean of the best logits."""
        linker, likely = Linker(), Counter[StoryId]()
        members = self.stories[story]
        first = self.prepared[members[0] - 1].day - AROUND
        last = self.prepared[members[-1] - 1].day + AROUND
        for one in self.prepared:
            other = self.story_of[one.piece.id]
            if first <= one.day <= last and other != story:
                linker.restore(other, [one])
        for member in members:
            for candidate in linker.candidates(self.prepared[member - 1], 5):
                likely[candidate.story] += candidate.probability  # type: ignore[assignment]
        return [one for one, _ in likely.most_common(SIBLINGS)]


def _many(articles: Sequence[int]) -> str:
    return f"{len(articles)} article{'s' if len(articles) > 1 else ''}"


def _spread(those: Sequence[T]) -> list[T]:
    """At most `MOST` of them, evenly."""
    step = max(len(those) / MOST, 1.0)
    return [those[int(at * step)] for at in range(min(len(those), MOST))]


def replay(given: str, vectors: Path) -> Weeks:
    """What came of a folder in some days."""
    folder, begin, days = given.rsplit(",", 2)
    articles = read_week(Path(folder), int(days), date.fromisoformat(begin)).articles
    name = f"{Path(folder).name}-{begin}-{days}"
    kept = vectors / f"{name}.npy"
    if not kept.exists():
        np.save(kept, streams.vectors(registry.embedder("minilm-int8", 1), articles))
    known = streams.background(articles)
    batches = streams.batches(streams.pieces(articles), np.load(kept), known)
    prepared = [one for batch in batches for one in batch]
    found = Replay()
    found.run([list(those) for _, those in groupby(prepared, lambda one: int(one.day * 24))])
    stories: dict[StoryId, list[int]] = defaultdict(list)
    for article, story in sorted(found.story_of.items()):
        stories[story].append(article)
    threads = narratives(articles, prepared, stories, known)
    several = sum(len(members) > 1 for members in stories.values())
    print(
        f"{name}: {len(articles)} articles, {len(stories)} stories ({several} of two or more), "
        f"{len(threads)} narratives of two or more",
        file=sys.stderr,
    )
    return Weeks(name, articles, prepared, found.story_of, stories, threads)


def narratives(
    articles: Sequence[LabelledArticle],
    prepared: Sequence[Prepared],
    stories: dict[StoryId, list[int]],
    known: Frequencies,
) -> list[list[StoryId]]:
    """The threads that readers are shown: of two stories or more, no series, no subject."""
    events = [one for one in _events(prepared, stories, Background(known)) if one is not None]
    threads = Threads(MINILM, len(events[0].vector))
    found = sorted(set(Stream(threads).run(events).values()))

    def shown(thread: ThreadId, those: Sequence[StoryId]) -> bool:
        titles = [articles[stories[one][0] - 1].title for one in those]
        return kind_of(titles, threads.shared_terms(thread)) is ThreadKind.NARRATIVE

    held = threads.by_thread(found)
    return [those for thread, those in held.items() if len(those) > 1 and shown(thread, those)]


def _events(
    prepared: Sequence[Prepared], stories: dict[StoryId, list[int]], background: Background
) -> list[Event | None]:
    return [
        event(story, [prepared[one - 1] for one in reversed(members)], background)
        for story, members in stories.items()
    ]


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("vectors", type=Path)
    parser.add_argument("weeks", nargs="+")
    parser.add_argument("--stories", type=int, default=100)
    parser.add_argument("--threads", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    chance = random.Random(given.seed)
    every = [replay(one, given.vectors) for one in given.weeks]
    stories = [
        (weeks, story)
        for weeks in every
        for story, members in weeks.stories.items()
        if len(members) > 1
    ]
    threads = [(weeks, those) for weeks in every for those in weeks.threads]
    stories = chance.sample(stories, min(given.stories, len(stories)))
    threads = chance.sample(threads, min(given.threads, len(threads)))
    items = [("story", weeks.name, weeks.story(story)) for weeks, story in stories]
    items += [("thread", weeks.name, weeks.thread(those)) for weeks, those in threads]
    for number, (section, name, text) in enumerate(items, start=1):
        line = {"morning": f"{name} {number}", "section": section, "entry": text, "articles": []}
        print(json.dumps(line, ensure_ascii=False))


if __name__ == "__main__":
    main()
