"""What is known of words before any text is seen: families, and how much each looks like a name.

Made by lab/scripts/train_entities.py from the word vectors of the shipped sentence encoder. A word
it does not know is judged by the pieces it is made of, cut greedily as the encoder cuts them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

LABELS = ("O", "PER", "ORG", "LOC", "MISC")  # of the scores, in this order
SCORE_STEP = 1 / 16  # scores are kept as whole numbers of this

Families = tuple[int, int, int]  # coarse, middle, fine
NO_FAMILIES: Families = (-1, -1, -1)


@dataclass(frozen=True)
class Lexicon:
    """Words and pieces ("##ing") with their families and scores."""

    families: Mapping[str, Families]
    scores: Mapping[str, Sequence[int]]

    def chances(self, word: str) -> tuple[float, ...] | None:
        """How likely a lower-case word is to have each label; None when no pieces make it up."""
        pieces = self._pieces(word) if word.isalpha() else []
        if not pieces:
            return None
        rows = [self.scores[piece] for piece in pieces]
        scale = SCORE_STEP / len(rows)
        means = [sum(column) * scale for column in zip(*rows, strict=True)]
        greatest = max(means)
        powers = [math.exp(mean - greatest) for mean in means]
        total = sum(powers)
        return tuple(power / total for power in powers)

    def _pieces(self, word: str) -> list[str]:
        found: list[str] = []
        start = 0
        while start < len(word):
            for end in range(len(word), start, -1):
                piece = f"##{word[start:end]}" if start else word[:end]
                if piece in self.scores:
                    found.append(piece)
                    start = end
                    break
            else:
                return []
        return found


def parse_lexicon(lines: Iterable[str]) -> Lexicon:
    """Lines of a piece, its three families (-1: none) and its scores, by tabs."""
    families: dict[str, Families] = {}
    scores: dict[str, tuple[int, ...]] = {}
    for line in lines:
        piece, *numbers = line.split("\t")
        coarse, middle, fine, *rest = map(int, numbers)
        if coarse >= 0:
            families[piece] = (coarse, middle, fine)
        scores[piece] = tuple(rest)
    return Lexicon(families, scores)
