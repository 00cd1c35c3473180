"""Pairs of articles of feeds, which judges call one event or two, and how stories treat them.

    python lab/scripts/judge_pairs.py sample VECTORS FOLDER polling,2020-06-01,21 real,2026-02-10,8
    python lab/scripts/judge_pairs.py score VECTORS FOLDER polling,2020-06-01,21 real,2026-02-10,8

VECTORS and the weeks are those of replay_stories.py. `sample` draws pairs that are alike, as many
unlike as like ones, and writes FOLDER/key.jsonl and a text for each of three judges; each pair is
in two texts. A judge writes a line for each, {"n": 17, "same": "y"} ("n"; "?": cannot be said),
into FOLDER/judge-a.jsonl, -b and -c. `score` replays the weeks and prints of the pairs on which
both judges agree the precision, the recall and F1 of being in one story, and, whatever threshold is
chosen, how often the distance is smaller of a pair of one event than of another pair (AUC).
"""

from __future__ import annotations

import json
import random
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from sklearn.metrics import roc_auc_score

from newsloom.stories.prepared import Prepared, rows_of, stepped
from newsloom.stories.same_event import MINILM
from replay_stories import Weeks, replay

# Least and most of one less the mean of both cosines, and more for days apart; pairs of each week.
BANDS = (
    *((0.0, 0.35, 30), (0.35, 0.45, 45), (0.45, 0.52, 55), (0.52, 0.58, 55)),
    *((0.58, 0.64, 50), (0.64, 0.72, 35), (0.72, 0.82, 20)),
)
GAP, MOST_DAYS, OFTEN = 0.12, 10, 2  # an article is in two pairs at most
TEXT = 380  # characters of an article
JUDGES = {"a": (0, 1), "b": (1, 2), "c": (2, 0)}  # which thirds of the pairs each reads


def alike(prepared: Sequence[Prepared]) -> Iterator[tuple[float, int, int]]:
    """Pairs of places within some days, with how unlike they are."""
    rows, slots = rows_of(prepared)
    for place, one in enumerate(prepared[1:], start=1):
        found = rows.compare(one, slots[:place])
        late = np.log1p(np.clip(found.gap - 1.0, 0.0, None))
        unlike = 1.0 - (found.dense + found.lexical) / 2 + GAP * late + found.issues
        for other in np.flatnonzero((unlike < BANDS[-1][1]) & (found.gap <= MOST_DAYS)).tolist():
            yield float(unlike[other]), other, place


def sample(every: Sequence[Weeks], folder: Path, seed: int) -> None:
    """Pairs for judges."""
    chance = random.Random(seed)
    chosen: list[tuple[Weeks, int, int]] = []
    for weeks in every:
        pairs = list(alike(weeks.prepared))
        chance.shuffle(pairs)
        used = Counter[int]()
        for least, most, many in BANDS:
            drawn = 0
            for unlike, one, other in pairs:
                free = used[one] < OFTEN and used[other] < OFTEN
                if free and least <= unlike < most and drawn < many:
                    used.update((one, other))
                    drawn += 1
                    first, second = (weeks.prepared[place].piece.id for place in (one, other))
                    chosen.append((weeks, first, second))
    chance.shuffle(chosen)
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "key.jsonl").open("w", encoding="utf-8") as key:
        for number, (weeks, one, other) in enumerate(chosen, start=1):
            key.write(json.dumps({"n": number, "w": weeks.name, "a": one, "b": other}) + "\n")
    texts = [
        f"=== {number}\nA {_text(weeks, one)}\nB {_text(weeks, other)}\n"
        for number, (weeks, one, other) in enumerate(chosen, start=1)
    ]
    third = -(-len(texts) // 3)
    thirds = [texts[third * at : third * (at + 1)] for at in range(3)]
    for judge, read in JUDGES.items():
        text = "\n".join(one for at in read for one in thirds[at])
        (folder / f"items-{judge}.txt").write_text(text, encoding="utf-8")


def _text(weeks: Weeks, number: int) -> str:
    one = weeks.articles[number - 1]
    body = " ".join(one.body.split())[:TEXT]
    return f"{one.published:%d %b %H:%M}, {one.source}: {one.title}\n   {body}"


def judged(folder: Path) -> list[tuple[str, int, int, bool]]:
    """Week, articles, and whether both judges see one event; pairs on which they agree."""
    said: dict[int, list[str]] = {}
    for judge in JUDGES:
        for line in (folder / f"judge-{judge}.jsonl").read_text(encoding="utf-8").splitlines():
            one = json.loads(line)
            said.setdefault(one["n"], []).append(one["same"])
    key = [json.loads(line) for line in (folder / "key.jsonl").read_text().splitlines()]
    known = [one for one in key if "?" not in said[one["n"]]]
    agreed = [one for one in known if len({*said[one["n"]]}) == 1]
    print(f"{len(key)} pairs, {len(known)} judged, of which {len(agreed) / len(known):.1%} alike")
    return [(one["w"], one["a"], one["b"], said[one["n"]][0] == "y") for one in agreed]


def score(every: Sequence[Weeks], folder: Path) -> None:
    """How the stories of now treat the judged pairs."""
    weeks = {one.name: one for one in every}
    pairs = [one for one in judged(folder) if one[0] in weeks]
    found = Counter[tuple[bool, bool]]()
    rows = {one.name: rows_of(one.prepared) for one in every}
    whitened = {name: held.whitened(slots) for name, (held, slots) in rows.items()}
    same, near = [], []
    for name, one, other, event in pairs:
        story_of = weeks[name].story_of
        found[event, story_of[one] == story_of[other]] += 1
        first, second = (weeks[name].prepared[number - 1] for number in (one, other))
        held = rows[name][0]
        slots = rows[name][1][other - 1 : other]
        assert (first.piece.id, held.articles[slots[0]]) == (one, other)
        cosine = whitened[name][other - 1 : other] @ whitened[name][one - 1]
        titled = held.titled(first, slots)
        compared, steps = held.compare(first, slots), stepped(first, [second])
        distance = MINILM.distance.of(compared, cosine, titled, steps)
        same.append(event)
        near.append(-float(distance[0]))
    right, missed, wrong = found[True, True], found[True, False], found[False, True]
    print(
        f"{len(pairs)} pairs: precision {right / (right + wrong):.3f}, "
        f"recall {right / (right + missed):.3f}, "
        f"F1 {2 * right / (2 * right + wrong + missed):.3f}, "
        f"AUC of the distance {roc_auc_score(same, near):.3f}"
    )


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("sample", "score"))
    parser.add_argument("vectors", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("weeks", nargs="+")
    parser.add_argument("--seed", type=int, default=5)
    given = parser.parse_args()
    every = [replay(one, given.vectors) for one in given.weeks]
    if given.what == "sample":
        sample(every, given.folder, given.seed)
    else:
        score(every, given.folder)


if __name__ == "__main__":
    main()
