"""Sentences that a language model wrote of a topic, held against its articles. Asks no model.

A sentence is shown only if all that can be looked up in it stands in the articles it names; else
sentences of the articles take its place. What is refused wrongly costs some smoothness, what is
let through wrongly costs the truth: every doubt refuses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from newsloom.digests.values import (
    Checked,
    DigestArticle,
    RefusedSentence,
    Sentence,
    WrittenSentence,
)
from newsloom.kernel.ids import ArticleId
from newsloom.kernel.text.sentences import sentences
from newsloom.summaries.boilerplate import leans
from newsloom.summaries.checks.evidence import reason_against, rests_on
from newsloom.summaries.checks.grounds import Grounds, Written, grounds
from newsloom.summaries.checks.orders import gives_orders
from newsloom.summaries.ranking import Candidate, alike, candidates
from newsloom.summaries.said import Said, length, said
from newsloom.summaries.summarise import (
    SEVERAL,
    attributed,
    choose,
    corroborated,
    differing,
    summarise,
)

_REPEATS = SEVERAL[1]


Reason = Callable[[str], str]


def check(
    written: Sequence[WrittenSentence],
    articles: Sequence[DigestArticle],
    words: int,
    against: Reason = lambda _text: "",
) -> Checked:
    """A summary of at most so many words; the lead comes first in `articles`. `against` says why a
    sentence, also of the articles, is not wanted; "": it is.

    Sentences stand in the order they were written in; those out of the articles stand where they
    replace one. It has at least as many words as were written, if the articles have them.
    """
    everyone = corroborated(candidates(articles))
    # As `summarise` has them: whoever writes a summary, sources that differ are named.
    named, left = differing(everyone, words)
    by_id = {article.id: grounds(article) for article in articles}
    slots: list[Sentence | None] = []
    refused: list[RefusedSentence] = []
    each = [WrittenSentence(text, one.articles) for one in written for text in sentences(one.text)]
    for one in each:
        kept = _judged(one, by_id, [slot for slot in slots if slot is not None], left)
        if isinstance(kept, Sentence):
            left_alone = not (slots and slots[-1]) and leans(one.text) and not _copied(one, by_id)
            reason = against(one.text) or ("what it leans on is not shown" if left_alone else "")
            kept = RefusedSentence(one.text, reason) if reason else kept
        slots.append(kept if isinstance(kept, Sentence) else None)
        if isinstance(kept, RefusedSentence):
            refused.append(kept)
        else:
            left -= length(kept.text)
    kept_sentences = tuple(slot for slot in slots if slot is not None)

    def usable(one: Candidate) -> bool:
        return not gives_orders(one.text) and not against(one.text)

    if not kept_sentences:
        instead = summarise(articles, words, usable)
        return Checked(instead, (), instead, tuple(refused))
    wanted = min(left, sum(length(one.text) for one in refused))
    offered = [one for one in everyone if usable(one)]
    new = _instead(offered, everyone, kept_sentences, left, wanted, len(refused)) if refused else []
    known = [said(one.text).numbers for one in kept_sentences]
    unsaid = [one for one in named if not any(said(one.text).numbers <= has for has in known)]
    return Checked((*_placed(slots, new), *unsaid), kept_sentences, (*new, *unsaid), tuple(refused))


def _copied(one: WrittenSentence, by_id: Mapping[ArticleId, Grounds]) -> bool:
    text = Written.of(one.text, "").text
    known = (passage for article in one.articles for passage in by_id[article].passages)
    return any(passage.whole.text == text for passage in known)


def _judged(
    one: WrittenSentence,
    by_id: dict[ArticleId, Grounds],
    before: Sequence[Sentence],
    left: int,
) -> Sentence | RefusedSentence:
    """The sentence with the articles that it is found to rest on, or why it is not shown."""
    if not one.articles:
        return RefusedSentence(one.text, "it names no article")
    if not by_id.keys() >= set(one.articles):
        return RefusedSentence(one.text, "it names an article that was not given")
    named = tuple(dict.fromkeys(one.articles))
    tongue = by_id[named[0]].article.language
    sentence = Written.of(one.text, tongue)
    found = [by_id[article] for article in named]
    if reason := reason_against(sentence, found):
        return RefusedSentence(one.text, reason)
    if any(_says_again(sentence.says, said(other.text, tongue)) for other in before):
        return RefusedSentence(one.text, "it was said before")
    if length(one.text) > left:
        return RefusedSentence(one.text, "there is no room for it")
    return Sentence(one.text, rests_on(sentence, found))


def _instead(
    usable: Sequence[Candidate],
    everyone: Sequence[Candidate],
    kept: Sequence[Sentence],
    left: int,
    wanted: int,
    refused: int,
) -> list[Sentence]:
    """The best sentences of the articles that say something new: one for each refused one, and more
    until there are as many words as were refused."""
    known = [said(one.text) for one in kept]
    offered = [one for one in usable if not any(_says_again(one.says, other) for other in known)]
    chosen = choose(offered, left, *SEVERAL)
    best = sorted(chosen, key=lambda one: (-one.score, one.rank, one.place))
    taken: list[Candidate] = []
    for one in best:
        if len(taken) >= refused and sum(other.words for other in taken) >= wanted:
            break
        taken.append(one)
    taken.sort(key=lambda one: (one.rank, one.place))
    return [attributed(one, everyone) for one in taken]


def _placed(slots: Sequence[Sentence | None], new: Sequence[Sentence]) -> list[Sentence]:
    """New ones where one was refused, the others behind."""
    waiting = list(new)
    found: list[Sentence] = []
    for slot in slots:
        if slot is not None:
            found.append(slot)
        elif waiting:
            found.append(waiting.pop(0))
    return found + waiting


def _says_again(one: Said, other: Said) -> bool:
    return one == other or (alike(one, other) > _REPEATS and one.numbers <= other.numbers)
