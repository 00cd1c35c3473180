"""A sentence's tokens as features of the shipped finder of names. Holds no weights.

A change here needs a model trained anew: lab/scripts/train_entities.py.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

# What is known of words before any text is seen: families, and how much each looks like a name.
# Made by lab/scripts/train_entities.py from the word vectors of the shipped sentence encoder. A
# word it does not know is judged by the pieces it is made of, cut greedily as the encoder cuts
# them.

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


_CACHED = 20_000  # words
_SHAPE_LETTERS = 30
_EDGES = (0.2, 0.4, 0.6, 0.8, 0.93)  # of the classes that chances fall into
_DIGIT = re.compile(r"\d")
_CASED = 3  # words with letters that a sentence needs before its case says anything

Chances = Callable[[str], tuple[float, ...] | None]


@dataclass(frozen=True, slots=True)
class Word:
    """A word wherever it stands."""

    low: str
    shape: str
    short: str  # the first two signs of the shape
    families: Families
    likely: str  # the likeliest label, by its place; "-": cannot say
    much: str  # and how likely
    alone: tuple[str, ...]  # the features that need no neighbour
    # What its neighbours take from it alone, made once a word: 5% of all the time.
    much_short: str
    likely_short: str
    before: tuple[str, ...]  # features of the word to its right
    after: tuple[str, ...]  # of the word to its left
    far: tuple[str, ...]  # of those two places off: on its right, then on its left


def _word(
    low: str, shape: str, families: Families, likely: str, much: str, alone: tuple[str, ...]
) -> Word:
    coarse, middle, fine = families
    short = shape[:2]
    likely_short, much_short = likely + short, much + short
    near = [(f"c{sign}={coarse}", f"c{sign}={middle}m", f"c{sign}={fine}f") for sign in "-+"]
    before = (f"w-={low}", f"e-={low[-3:]}", f"s-={shape}", *near[0], f"g-={much_short}")
    after = (f"w+={low}", f"e+={low[-3:]}", f"s+={shape}", *near[1], f"g+={much_short}")
    far = (f"w--={low}", f"c--={middle}", f"w++={low}", f"c++={middle}")
    return Word(
        low, shape, short, families, likely, much, alone, much_short, likely_short,
        before, after, far,
    )  # fmt: skip


_BEFORE = _word("<s>", "<s>", NO_FAMILIES, "-", "-", ())
_AFTER = _word("</s>", "</s>", NO_FAMILIES, "-", "-", ())


@dataclass(frozen=True, slots=True)
class Seen:
    """What a document's running text does with words: those it writes small, those it does not."""

    small: frozenset[str] = frozenset()
    capital: Mapping[str, int] = field(default_factory=dict)  # inside sentences, how often


class Features:
    """Makes the features; `chances` says how much a word looks like a name."""

    def __init__(self, lexicon: Lexicon, chances: Chances | None = None) -> None:
        self._lexicon = lexicon
        self._chances = chances or lexicon.chances
        self._word = lru_cache(maxsize=_CACHED)(self._read)

    def document(
        self, sentences: Sequence[Sequence[str]], *, tweets: bool = False
    ) -> list[list[list[str]]]:
        """Of each token of each sentence.

        Training says what are tweets: what holds of them alone gets weights that news never asks.
        """
        cases = [case_of(tokens) for tokens in sentences]
        seen = _seen(sentences, cases)
        rows = [
            self._sentence(tokens, case, seen)
            for tokens, case in zip(sentences, cases, strict=True)
        ]
        if tweets:
            for tokens, sentence in zip(sentences, rows, strict=True):
                self._mark(tokens, sentence)
        return rows

    def _sentence(self, tokens: Sequence[str], case: str, seen: Seen) -> list[list[str]]:
        words = [_BEFORE, _BEFORE, *map(self._word, tokens), _AFTER, _AFTER]
        rows = []
        views = zip(words, words[1:], words[2:], words[3:], words[4:], strict=False)
        for place, (token, view) in enumerate(zip(tokens, views, strict=True)):
            row = _around(*view)
            row.append(f"k{case}={view[2].shape}")
            if place == 0:
                row += ("first", f"first={words[2].shape}")
            if token[:1].isupper():
                low = view[2].low
                small = "s" if low in seen.small else "n"
                own = case == "m" and place > 0
                times = min(seen.capital.get(low, 0) - own, 2)
                row += (f"seen={small}{times}", f"seen={small}{place == 0}{case}{min(times, 1)}")
            rows.append(row)
        return rows

    def _mark(self, tokens: Sequence[str], rows: Sequence[list[str]]) -> None:
        words = [_BEFORE, *map(self._word, tokens), _AFTER]
        for place, row in enumerate(rows):
            left, own, right = words[place : place + 3]
            row += ("t", f"ts={own.shape}", f"tw={own.low}", f"tss={left.shape}|{own.shape}")
            row += (f"tw-={left.low}", f"tw+={right.low}")
            if place == 0:
                row.append(f"tfirst={own.shape}")

    def _read(self, token: str) -> Word:
        low = _DIGIT.sub("0", token.lower())
        shape = _shape(token)
        short = shape[:2]
        families = self._lexicon.families.get(low.rstrip("."), NO_FAMILIES)
        chances = self._chances(low) if len(low) > 1 else None
        likely = much = second = "-"
        alone = [f"w={low}", f"s={shape}"]
        alone += (f"e{size}={low[-size:]}" for size in (1, 2, 3, 4) if len(low) > size)
        alone += (f"b{size}={low[:size]}" for size in (2, 3, 4) if len(low) > size)
        alone += (f"c{size}s={one}|{short}" for size, one in enumerate(families))
        alone += (f"cs={families[0]}|{shape}", f"c={families[1]}", f"c={families[2]}f")
        if chances is not None:
            order = sorted(range(len(chances)), key=lambda label: -chances[label])
            likely, much = str(order[0]), f"{order[0]}{_class(chances[order[0]])}"
            second = f"{much}{order[1]}"
            alone += (
                f"p{label}={_class(chance)}|{short}"
                for label, chance in enumerate(chances)
                if label
            )
        alone += (f"g={much}|{short}", f"g2={second}")
        return _word(low, shape, families, likely, much, tuple(alone))


def _around(l2: Word, l1: Word, own: Word, r1: Word, r2: Word) -> list[str]:
    """The features of a word among its neighbours, two to each side."""
    much = own.much_short
    l_sure, sure, r_sure = l1.likely_short, own.likely_short, r1.likely_short
    l_word, l_end, l_shape, l_coarse, l_middle, l_fine, l_much = l1.before
    r_word, r_end, r_shape, r_coarse, r_middle, r_fine, r_much = r1.after
    l2_word, l2_middle, _, _ = l2.far
    _, _, r2_word, r2_middle = r2.far
    return [
        *own.alone,
        l_word,
        r_word,
        l2_word,
        r2_word,
        f"ww-={l1.low}|{own.low}",
        f"ww+={own.low}|{r1.low}",
        f"wl={l2.low}|{l1.low}",
        f"wr={r1.low}|{r2.low}",
        f"ws-={l1.low}|{own.shape}",
        f"ws+={own.shape}|{r1.low}",
        l_end,
        r_end,
        l_shape,
        r_shape,
        f"ss={l1.shape}|{own.shape}|{r1.shape}",
        f"sl={l2.shape}|{l1.shape}|{own.shape}",
        f"sr={own.shape}|{r1.shape}|{r2.shape}",
        l2_middle,
        l_coarse,
        l_middle,
        l_fine,
        r_coarse,
        r_middle,
        r_fine,
        r2_middle,
        f"cc-={l1.families[0]}|{own.families[0]}",
        f"cc+={own.families[0]}|{r1.families[0]}",
        f"c-+={l1.families[0]}|{r1.families[0]}",
        f"cs-={l1.families[1]}|{own.short}",
        f"cs+={own.short}|{r1.families[1]}",
        f"scs={l1.short}|{own.families[0]}|{own.short}|{r1.short}",
        l_much,
        r_much,
        f"gg-={l_sure}{much}",
        f"gg+={much}{r_sure}",
        f"ggg={l_sure}{sure}{r_sure}",
        f"gl={l2.likely}{l_sure}{sure}",
    ]


def case_of(tokens: Sequence[str]) -> str:
    """How a sentence uses capitals: "U" all, "T" every long word, "l" none, "m" as in a text."""
    words = [token for token in tokens if token[:1].isalpha()]
    if len(words) < _CASED:
        return "m"
    if sum(len(word) > 1 and word.isupper() for word in words) >= 0.8 * len(words):
        return "U"
    capital = [word[0].isupper() for word in words[1:] if len(word) > 3]
    if len(capital) >= _CASED and sum(capital) >= 0.75 * len(capital):
        return "T"
    return "m" if any(capital) or words[0][0].isupper() else "l"


def _seen(sentences: Sequence[Sequence[str]], cases: Sequence[str]) -> Seen:
    small: set[str] = set()
    capital: Counter[str] = Counter()
    for tokens, case in zip(sentences, cases, strict=True):
        if case == "m":
            small.update(token for token in tokens if token.islower())
            capital.update(token.lower() for token in tokens[1:] if token[:1].isupper())
    return Seen(frozenset(small), capital)


def _shape(token: str) -> str:
    """ "Xxx" as "Xxx" and "McDonalds" as "XxXxx": at most two of a sign in a row."""
    signs: list[str] = []
    for letter in token[:_SHAPE_LETTERS]:
        sign = "X" if letter.isupper() else "x" if letter.islower() else letter
        sign = "0" if letter.isdigit() else sign
        if signs[-2:] != [sign, sign]:
            signs.append(sign)
    return "".join(signs)


def _class(chance: float) -> int:
    return sum(chance >= edge for edge in _EDGES)
