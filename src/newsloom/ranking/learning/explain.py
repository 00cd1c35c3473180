"""Why an article has its relevance: facts about likes, interests and words made into reasons.

Pure: the vectors of the words left out come from the caller, who has the encoder.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from newsloom.articles.terms import printed
from newsloom.ranking.ports import RelevanceModel, Vectors
from newsloom.ranking.values.models import ArticleText, Label, Reason

# Articles at least this near are worth showing as the reason. Among pairs of finance news with
# MiniLM, 76% of those from 0.55 to 0.70 are of one event; 0.30 is where a shared theme begins.
NEAR = 0.30
SHOWN = 2  # nearest of each kind

# A word's effect below this many points is noise of the encoder (int8 moves a cosine by 0.01).
LEAST_EFFECT = 1.0
TERMS = 4

# Each word costs one run of the encoder: the first dozen of a headline carry it.
MOST_WORDS = 12

# A score and the parts of the model in force differ by rounding, or by more than this.
STALE = 0.5

_WORD = re.compile(r"\w+(?:['’.-]\w+)*")
_SMALL_WORDS = """
a about after again all an and are as at be been before but by can could did do does for from
get had has have he her him his how i if in into is it its just may me more my new no not of off
on or our out over she should so some than that the their them then there these they this to
under up us was we were what when where which who why will with would you your
"""
_SMALL = frozenset(_SMALL_WORDS.split())


def reasons(
    model: RelevanceModel,
    article: ArticleText,
    vector: Vectors,
    category: str,
    relevance: float,
    labels: Sequence[Label] = (),
    label_vectors: Vectors | None = None,
) -> tuple[Reason, ...]:
    """What the score is made of, adding up to `relevance` less 50; nearest liked and disliked."""
    near = () if label_vectors is None else nearest(article, vector, labels, label_vectors)
    return (*whole(model.parts(article, vector, category), relevance), *near)


def whole(parts: Sequence[Reason], relevance: float) -> tuple[Reason, ...]:
    """The parts, and what is missing from them to the score that the list goes by.

    That is what a model leaves out as too little, or the difference between the model in force and
    the one that scored the article.
    """
    missing = relevance - 50.0 - sum(one.effect for one in parts)
    rest = missing + sum(one.effect for one in parts if one.kind == "rest")
    reasons = tuple(one for one in parts if one.kind != "rest")
    if abs(missing) >= STALE:
        return (*reasons, Reason("rest", "scored before a change of the model or text", rest))
    return (*reasons, Reason("rest", "everything else", rest)) if rest else reasons


def word_reasons(terms: Iterable[tuple[str, float]]) -> tuple[Reason, ...]:
    """Words of the title, each with the score less what it were without that word.

    They tell how the model reads, not what the score is made of: such effects do not add up.
    """
    return tuple(Reason("term", word, effect) for word, effect in terms)


def nearest(
    article: ArticleText, vector: Vectors, labels: Sequence[Label], label_vectors: Vectors
) -> tuple[Reason, ...]:
    """The liked and disliked articles closest to this one; they inform, and carry no points."""
    if not labels:
        return ()
    cosines = np.nan_to_num(np.asarray(label_vectors, np.float64)) @ np.nan_to_num(
        np.asarray(vector, np.float64)
    )
    found = []
    for positive, kind in ((True, "liked"), (False, "disliked")):
        ranked = sorted(
            (-float(cosine), number)
            for number, (cosine, label) in enumerate(zip(cosines, labels, strict=True))
            if label.positive is positive and cosine >= NEAR and label.article.id != article.id
        )
        for negative, number in ranked[:SHOWN]:
            other = labels[number].article
            found.append(Reason(kind, f"{other.title} ({-negative:.0%} alike)", 0.0, other.id))
    return tuple(found)


def by_marks(
    article: ArticleText,
    vector: Vectors,
    labels: Sequence[Label],
    label_vectors: Vectors,
    *,
    liked: bool,
) -> str:
    """The likes, or the dislikes, closest to an article in one sentence; "" without any.

    It names the word of the title that most of their titles share, as this title spells it, if at
    least two do.
    """
    if not labels:
        return ""
    cosines = np.nan_to_num(np.asarray(label_vectors, np.float64)) @ np.nan_to_num(
        np.asarray(vector, np.float64)
    )
    near = [
        label.article
        for cosine, label in zip(cosines, labels, strict=True)
        if label.positive is liked and cosine >= NEAR and label.article.id != article.id
    ]
    words = dict(printed(article.title, article.language))
    shared = Counter(
        term for one in near for term in words.keys() & dict(printed(one.title, one.language))
    )
    verb = "liked" if liked else "disliked"
    if shared and max(shared.values()) > 1:
        # Of words that as many share, the longest says most.
        term = max(sorted(shared), key=lambda one: (shared[one], len(words[one])))
        return f"You {verb} {shared[term]} articles about “{words[term]}”."
    many = "a similar article" if len(near) == 1 else f"{len(near)} similar articles"
    return f"You {verb} {many}." if near else ""


def without_each(title: str) -> list[tuple[str, str]]:
    """Each telling word of a title, and the title with every occurrence of it left out."""
    words = dict.fromkeys(match.group() for match in _WORD.finditer(title))
    telling = [
        word
        for word in words
        if word.lower() not in _SMALL and (len(word) > 2 or word.isupper() or word.isdigit())
    ][:MOST_WORDS]
    return [(word, _without(title, word)) for word in telling]


def term_effects(
    score: float, without: Iterable[tuple[str, float]]
) -> tuple[tuple[str, float], ...]:
    """(word, score without it) to (word, points it brings), the strongest first."""
    effects = ((word, float(score - left)) for word, left in without)
    felt = [(word, effect) for word, effect in effects if abs(effect) >= LEAST_EFFECT]
    return tuple(sorted(felt, key=lambda pair: -abs(pair[1]))[:TERMS])


def _without(title: str, word: str) -> str:
    left = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", " ", title)
    return " ".join(left.split())
