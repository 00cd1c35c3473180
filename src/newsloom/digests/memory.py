"""What earlier digests told, and whether a topic has developed since. Pure.

A sentence is new when it has words, numbers or names that none of the articles had which an earlier
digest knew: those it showed and those it merely stood on, so that yesterday's third paragraph is no
news today.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from newsloom.digests.values import DigestArticle, DigestGroup, Memory, Remembered
from newsloom.kernel.ids import ArticleId
from newsloom.kernel.text.sentences import sentences
from newsloom.summaries.ranking import MOST_ARTICLES, candidates
from newsloom.summaries.said import NOTHING, Said, is_new, said

# Words that are kept of a topic at most; a topic of many long articles says no more than this.
MOST_WORDS = 1_500
# Topics that are kept of a digest beside those that it showed.
MOST_UNSHOWN = 60


def known_of(earlier: Iterable[Remembered]) -> Said:
    """What all of them knew."""
    whole = NOTHING
    for one in earlier:
        whole |= Said(one.words, one.numbers, one.names)
    return whole


def said_in(articles: Sequence[DigestArticle]) -> Said:
    """All that some articles say."""
    whole = NOTHING
    for article in articles[:MOST_ARTICLES]:
        for sentence in (article.title, *sentences(article.text)):
            whole |= said(sentence, article.language)
    return whole


def developed(group: DigestGroup, known: Said) -> bool:
    """Whether any sentence of its articles, or a title, is new."""
    titles = (said(one.title, one.language) for one in group.articles)
    return any(is_new(one, known) for one in titles) or any(
        is_new(one.says, known) for one in candidates(group.articles)
    )


def fresh(group: DigestGroup, earlier: Sequence[Remembered]) -> DigestGroup | None:
    """The group without what earlier digests had; None where nothing came since.

    The lead is the first of what is left, as the group has them: by nearness to its centre.
    """
    had = {one for known in earlier for one in known.articles}
    left = tuple(one for one in group.articles if one.id not in had)
    if not left:
        return None
    lead = group.lead if group.lead not in had else left[0].id
    return replace(group, articles=left, lead=lead)


def remember(
    groups: Sequence[DigestGroup],
    shown: Iterable[str],
    newest: ArticleId,
    told: Iterable[str] = (),
) -> Memory:
    """What is kept of a digest: every topic that it showed, and the largest of the others.

    `shown` are keys, `told` are the sentences of its summaries.
    """
    named = set(shown)
    several = [one for one in groups if one.key not in named and len(one.articles) > 1]
    largest = sorted(several, key=lambda one: (-len(one.articles), one.key))[:MOST_UNSHOWN]
    return Memory(
        topics=(
            *(_remembered(one, shown=True) for one in groups if one.key in named),
            *(_remembered(one, shown=False) for one in largest),
        ),
        sources=len({article.owner for one in groups for article in one.articles}),
        newest=newest,
        told=tuple(told),
    )


def _remembered(group: DigestGroup, *, shown: bool) -> Remembered:
    says = said_in(group.articles) if shown else NOTHING
    return Remembered(
        key=group.key,
        label=group.label or next(one.title for one in group.articles if one.id == group.lead),
        terms=dict(group.terms),
        articles=tuple(one.id for one in group.articles) if shown else (),
        sources=len({one.owner for one in group.articles}),
        shown=shown,
        words=frozenset(sorted(says.words)[:MOST_WORDS]),
        numbers=says.numbers,
        names=says.names,
    )


def by_key(memories: Sequence[Memory]) -> Mapping[str, tuple[Remembered, ...]]:
    """What was shown of each topic, in every digest that is remembered."""
    found: dict[str, tuple[Remembered, ...]] = {}
    for memory in memories:
        for one in memory.topics:
            if one.shown:
                found[one.key] = (*found.get(one.key, ()), one)
    return found
