"""News without labels, which the teacher of the finder of names labels. Labels nothing itself.

Only collections under a licence that allows it: the full texts and the summaries of AllSides
(Apache 2.0 and MIT), headlines of HuffPost (CC BY 4.0). Those without a stated
licence, or for research only, are not read. Articles whose duplicates and stories are judged are
among them: what is learned there is how names look, nothing of which articles belong together.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

from newsloom.text.characters import plain
from newsloom.text.entity_tokens import sentences

SETS = (
    "stories/fulltext_background.jsonl",
    "stories/allsides_fulltext.jsonl",
    "stories/allsides_train.jsonl",
    "relevance/huffpost_categories.jsonl",
)
_CHARACTERS = 1_500  # of an article; names of an event stand in the lead
_FEWEST, _MOST = 4, 60  # tokens of a sentence

Read = list[list[str]]  # the sentences of an article


def unlabelled(folder: Path, tokens: int, seed: int = 0) -> list[Read]:
    """Articles of about so many tokens in all, chosen by chance, the same ones every time."""
    texts = [text for name in SETS for text in _texts(folder / name)]
    random.Random(seed).shuffle(texts)
    read: list[Read] = []
    for text in texts:
        cut = [[token.text for token in one] for one in sentences(plain(text))]
        read.append([one for one in cut if _FEWEST <= len(one) <= _MOST])
        tokens -= sum(map(len, read[-1]))
        if tokens <= 0:
            break
    return read


def _texts(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            one = json.loads(line)
            body = one.get("text") or one.get("summary") or ""
            yield f"{one.get('title', '')}\n{body[:_CHARACTERS]}"
