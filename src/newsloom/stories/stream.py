"""Articles into stories, batch by batch, for the stage and for what measures. Keeps nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from newsloom.stories.linking import Linker
from newsloom.stories.prepared import Prepared
from newsloom.stories.values.stories import (
    Candidate,
    StoryEject,
    StoryId,
    StoryMerge,
    StoryMove,
    StoryRepair,
)

# Articles that are placed before unmatched ones are grouped and stories are repaired.
BATCH = 200

# Repairs of repairs: what moved may have been what held others.
ROUNDS = 2

# Which candidate an article belongs to; None: to no story known.
Judge = Callable[[Prepared, Sequence[Candidate]], StoryId | None]
NewId = Callable[[], StoryId]


def assign(
    linker: Linker, batch: Sequence[Prepared], new_id: NewId, judge: Judge | None = None
) -> None:
    """Place one batch, unmatched articles together, and repair what it touched."""
    choose = judge or linker.best
    unmatched = []
    linker.expect(batch)
    for article in batch:
        chosen = choose(article, linker.candidates(article))
        if chosen is None:
            unmatched.append(article)
        else:
            linker.place(article, chosen)
    for group in linker.group(unmatched):
        story = new_id()
        for place in group:
            linker.place(unmatched[place], story)
    for _ in range(ROUNDS):
        for repair in linker.repairs():
            apply(linker, repair, new_id)


def apply(linker: Linker, repair: StoryRepair, new_id: NewId) -> None:
    """Do what a repair says."""
    match repair:
        case StoryMerge(kept, gone):
            linker.merge(kept, gone)
        case StoryMove(article, _, target):
            linker.move(article, target)
        case StoryEject(article):
            linker.move(article, new_id())
