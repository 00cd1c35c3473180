"""Which group of stories is which of before, so that a parent keeps its identity. Pure.

Seed 002 made its parents anew on each run, each with a new number (seed_systems.md, section 6).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from newsloom.stories.values.stories import StoryId

# A group is the parent of before when they share so much of the smaller of the two, and more than
# any other group does.
OVERLAP = 0.5


def matched(
    groups: Sequence[Sequence[StoryId]], before: Mapping[int, Sequence[StoryId]]
) -> list[int | None]:
    """For each group the number of the parent of before that it goes on; None: it is new.

    No number is given twice: the largest overlaps are matched first.
    """
    shared = sorted(
        (
            (-len(set(group) & set(children)), number, at)
            for at, group in enumerate(groups)
            for number, children in before.items()
            if _overlap(group, children) >= OVERLAP
        ),
    )
    found: list[int | None] = [None] * len(groups)
    taken: set[int] = set()
    for _size, number, at in shared:
        if found[at] is None and number not in taken:
            found[at] = number
            taken.add(number)
    return found


def _overlap(one: Sequence[StoryId], other: Sequence[StoryId]) -> float:
    least = min(len(one), len(other))
    return len(set(one) & set(other)) / least if least else 0.0
