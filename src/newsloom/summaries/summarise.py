"""A summary of a topic's articles out of their own sentences: whole ones, attributed, woven.

Greedy by maximal marginal relevance: each step takes the sentence worth most after what the chosen
ones already say is taken off. The same input gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from newsloom.digests.values import DigestArticle, Sentence
from newsloom.summaries.disagreements import disagreements
from newsloom.summaries.ranking import (
    CORROBORATED,
    MOST_CORROBORATED,
    SAME,
    Candidate,
    alike,
    candidates,
)
from newsloom.summaries.said import length, said

# What a sentence loses by the share of its words that the summary has already, and from which share
# on it is left out: several sources say the same in other words, and one hardly repeats itself.
SEVERAL, ALONE = (0.7, 0.45), (0.1, 0.9)
MOST_DISAGREEMENTS = 2
LAST_OPENING = 2  # of an article: its first three sentences


def summarise(
    articles: Sequence[DigestArticle],
    words: int,
    wanted: Callable[[Candidate], bool] | None = None,
    *,
    opens: bool = False,
) -> tuple[Sentence, ...]:
    """At most so many words; the lead comes first in `articles`. `wanted` says what may be chosen.
    With `opens` the lead's own opening comes first, where it tells what the title does.

    Empty when no whole sentence fits.
    """
    everyone = corroborated(candidates(articles))
    offered = [one for one in everyone if wanted is None or wanted(one)]
    named = disagreements(everyone)[:MOST_DISAGREEMENTS]
    named = [one for one in named if length(one.text) <= words // 2]
    left = words - sum(length(one.text) for one in named)
    several = len({one.article.owner for one in everyone}) > 1
    first = opening(offered, left) if opens else None
    if first is not None:
        offered = [one for one in offered if one.rank or one.place >= first.place]
    chosen = choose(offered, left, *(SEVERAL if several else ALONE), first)
    return (*(attributed(one, everyone) for one in chosen), *named)


def opening(offered: Sequence[Candidate], words: int) -> Candidate | None:
    """The first sentence of the lead, or the next ones, that shares a word with its title."""
    for one in offered:
        if one.rank or one.place > LAST_OPENING:
            return None
        title = said(one.article.title, one.article.language)
        if one.words <= words and one.says.words & title.words:
            return one
    return None


def choose(
    offered: Sequence[Candidate],
    words: int,
    redundant: float,
    repeats: float,
    first: Candidate | None = None,
) -> list[Candidate]:
    """The sentences, in the order to be read: the lead's first, each article's in its own."""
    chosen: list[Candidate] = []
    loss = dict.fromkeys(range(len(offered)), 0.0)
    while loss:
        fits = [at for at in loss if offered[at].words <= words]
        if not fits:
            break
        best = min(fits, key=lambda at: (loss[at] * redundant - offered[at].score, at))
        if first is not None and not chosen:
            best = offered.index(first)
        taken = offered[best]
        chosen.append(taken)
        words -= taken.words
        del loss[best]
        for at in list(loss):
            shared = alike(offered[at].says, taken.says)
            if shared > repeats:
                del loss[at]
            else:
                loss[at] = max(loss[at], shared)
    return sorted(chosen, key=lambda one: (one.rank, one.place))


def corroborated(found: Sequence[Candidate]) -> list[Candidate]:
    """Sentences gain by what other owners also say."""
    if len({one.article.owner for one in found}) < 2:
        return list(found)
    return [
        replace(
            one,
            score=one.score + CORROBORATED * min(len(_others(one, found)), MOST_CORROBORATED),
        )
        for one in found
    ]


def _others(one: Candidate, found: Sequence[Candidate]) -> set[str]:
    return {
        other.article.owner
        for other in found
        if other.article.owner != one.article.owner and says_the_same(one, other)
    }


def says_the_same(one: Candidate, other: Candidate) -> bool:
    """Whether the other article can be named for a sentence: its words, and all of its numbers."""
    return one.says.numbers <= other.says.numbers and (
        len(one.says.words & other.says.words) >= max(SAME * len(one.says.words), 3)
    )


def attributed(one: Candidate, everyone: Sequence[Candidate]) -> Sentence:
    """With all articles that say so, its own first."""
    saying = [one.article.id]
    for other in everyone:
        if other.article.id not in saying and says_the_same(one, other):
            saying.append(other.article.id)
    return Sentence(one.text, tuple(saying))
