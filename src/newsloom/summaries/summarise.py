"""A summary of a topic's articles out of their own sentences: whole ones, attributed, woven.

Greedy by maximal marginal relevance: each step takes the sentence worth most after what the chosen
ones already say is taken off. The same input gives the same bytes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from newsloom.articles.terms import printed
from newsloom.digests.values import DigestArticle, Sentence
from newsloom.kernel.text.language import language as tongue
from newsloom.summaries.boilerplate import (
    LONGEST,
    announces,
    broken,
    is_feature,
    is_roundup,
    stands_alone,
)
from newsloom.summaries.disagreements import disagreements
from newsloom.summaries.ranking import (
    CORROBORATED,
    MOST_CORROBORATED,
    SAME,
    Candidate,
    alike,
    candidates,
    sentences_of,
)
from newsloom.summaries.said import NOTHING, Said, length, said

# What a sentence loses by the share of its words that the summary has already, and from which share
# on it is left out: several sources say the same in other words, and one hardly repeats itself.
SEVERAL, ALONE = (0.7, 0.45), (0.1, 0.9)
MOST_DISAGREEMENTS = 2
# Of the lead: among so many sentences is the one that tells what the title does, which has so many
# of its words, and such a share of them. Of 710 entries judged by rubric, where a first sentence
# had as many it told the newest state in 92%, else in 51%; on either half of the weeks.
FEW, SURE, SURE_SHARE = 8, 3, 0.4
BEGIN = 1_500  # characters in which it stands
LATEST = 12  # place of the sentence that may open a topic: lists of points may stand before it
GAP = 3  # sentences that may be left out between two of the lead
ADDS = 1  # words and numbers of the opening that the title has not
REPEATS = 0.6  # of a sentence's words in the title and in those before it: it says nothing new
# Owners who report an event before a title has to say what theirs do. Of 73 such events of 25 days
# six get another lead, among them one of a death that a portrait led.
AGREED, LEAST_TITLE = 3, 5  # words of a title: a short one agrees by chance
SMALL = 3  # articles of an event that any of them may lead
LATER_EVENT = timedelta(hours=3)  # an event is newer than one that as many owners report
# Words of a summary for each sentence of its lead. Of 162 judged entries with one sentence 62%
# passed, of 58 with two 41%, of 27 with three or four 15%.
OF_ONE_SENTENCE = 30
# What makes an entry read well, in log-odds that a judge passes it by all six questions of a
# rubric: words of its title, other than names, in its first sentence. What makes it read badly: a
# sentence from later in the text, a short one, one that adds little to the title, and "you". Fitted
# on 1,015 entries of 59 owners by lab/scripts/fit_entries.py, with the constant of what expires
# within days: of such entries from CLEAR on, and of those of time sensitivity 3 from CLEAR_IF_SLOW
# on, 84% pass, of the others 47%. Of other languages nothing was judged: terms count by their own
# stems, and no sentence as short. Of ten events told in six languages so many are clear: English 3,
# German 5 (by the rule for English 2), French 5 (5), Spanish 4 (5), Japanese 8 (9), Korean 6 (0).
EXPIRES_SOON = 0.58
EACH_SHARED, MOST_SHARED, LATER, TO_YOU = 0.37, 5, -1.04, -1.79
BRIEF, BRIEF_WORDS, FEW_NEW, LEAST_NEW = -0.67, 15, -1.51, 4
CLEAR, CLEAR_IF_SLOW = 1.2, 1.92
_YOU = re.compile(r"\b(?:you|your|vous|votre|vos|usted|ustedes)\b", re.IGNORECASE)


def summarise(
    articles: Sequence[DigestArticle],
    words: int,
    wanted: Callable[[Candidate], bool] | None = None,
) -> tuple[Sentence, ...]:
    """The sentences that say most, at most so many words; the lead comes first in `articles`.
    `wanted` says what may be chosen. Empty when no whole sentence fits."""
    everyone = corroborated(candidates(articles))
    offered = [one for one in everyone if wanted is None or wanted(one)]
    named, left = differing(everyone, words)
    several = len({one.article.owner for one in everyone}) > 1
    chosen = choose(offered, left, *(SEVERAL if several else ALONE))
    return (*(attributed(one, everyone) for one in chosen), *named)


def lead_of(articles: Sequence[DigestArticle]) -> DigestArticle:
    """The article that leads a topic: the newest report of its main event.

    The main event is the one that most owners report; among equals, one that a sentence can tell,
    the most important, or what came hours after that. `articles` are ordered by nearness to the
    centre; the nearer half comes first, or all of up to three. Titles that
    tell no news count only if there are no others, and an announcement gives way to a newer report
    of what it announced. Reports that read well as an entry come first. If three owners or more
    report the event, titles come first that say what the others do: not a portrait of someone who
    died, but that he died. If several owners have the same title, the first one leads.
    """
    news = [
        one
        for one in articles
        if not (is_feature(one.title, one.text) or is_roundup(one.title, one.text))
    ]
    news = [one for one in news if not _overtaken(one, news)]
    events: dict[int, list[DigestArticle]] = {}
    for one in news or articles:
        events.setdefault(one.event, []).append(one)

    main = _main_event(list(events.values()))
    if _owners(main) >= AGREED:
        main = _agreed(main)
    best = min(one.tier for one in main)
    trusted = [one for one in main if one.tier <= best + 1]
    near = trusted[: (len(main) + 1) // 2] if len(main) > SMALL else trusted
    if len(trusted) > 1:
        reads = {one.id: clarity(one) for one in trusted}
        clear = [one for one in trusted if reads[one.id] >= CLEAR]
        told = [one for one in near if reads[one.id] > -math.inf]
        near = [one for one in near if reads[one.id] >= CLEAR] or clear or told or near
    newest = max(near, key=lambda one: (one.published, -one.id))
    passed_on = (one for one in near if one.title == newest.title and one.owner != newest.owner)
    return min((newest, *passed_on), key=lambda one: one.published)


def _main_event(events: Sequence[list[DigestArticle]]) -> list[DigestArticle]:
    most = max(map(_owners, events))
    events = [own for own in events if _owners(own) == most]
    if len(events) == 1:
        return events[0]
    told = [own for own in events if any(opening_of(one) is not None for one in own)]
    main = max(told or events, key=lambda own: max(one.importance for one in own))
    latest = max(told or events, key=_newest)
    return latest if _newest(latest) - _newest(main) >= LATER_EVENT else main


def _owners(event: Sequence[DigestArticle]) -> int:
    return len({one.owner for one in event})


def _newest(event: Sequence[DigestArticle]) -> datetime:
    return max(one.published for one in event)


def _overtaken(one: DigestArticle, others: Sequence[DigestArticle]) -> bool:
    """Whether a title announces what a newer report tells: it has half of the title's words."""
    if not announces(one.title):
        return False
    words = said(one.title, one.language).words
    return any(
        other.published > one.published
        and other.tier <= one.tier + 1
        and not announces(other.title)
        and 2 * len(said(other.title, other.language).words & words) >= len(words)
        and opening_of(other) is not None
        for other in others
    )


def _agreed(event: Sequence[DigestArticle]) -> list[DigestArticle]:
    """Those whose titles say what others' owners say, first those with most of their words; without
    those with less than half as many as the first."""
    by_owner: dict[str, set[str]] = {}
    for one in event:
        first = opening_of(one)
        words = by_owner.setdefault(one.owner, set())
        words |= said(one.title, one.language).words
        words |= first.says.words if first else set()

    def agreement(one: DigestArticle) -> float:
        title = said(one.title, one.language).words
        shared = sum(len(title & by_owner[owner]) for owner in by_owner if owner != one.owner)
        return shared / max(len(title), LEAST_TITLE)

    least = max(map(agreement, event)) / 2
    return sorted((one for one in event if agreement(one) >= least), key=agreement, reverse=True)


def entry_articles(
    lead: DigestArticle, others: Sequence[DigestArticle]
) -> tuple[DigestArticle, ...]:
    """The articles from which a topic's entry is written: the lead, then those on the same event in
    its language, of other owners first."""
    own = tongue(lead.language)
    event = [
        one
        for one in others
        if one.event == lead.event and (not own or tongue(one.language) in {"", own})
    ]
    return (lead, *sorted(event, key=lambda one: one.owner == lead.owner))


def tell(
    articles: Sequence[DigestArticle],
    words: int,
    wanted: Callable[[Candidate], bool] = lambda _one: True,
) -> tuple[Sentence, ...]:
    """A summary to read: the first sentences of the lead in their order, and what sources disagree
    about.

    News begins with what matters, so the first sentences hold together and tell the newest state;
    the most central ones of a long text do neither. No sentence repeats the title or one before
    it, and each can be understood: it stands alone, or follows the one that it followed there.
    Another article is quoted only where the lead has no sentence, and only with sentences that can
    be understood below the lead's title. Elsewhere such sentences repeat the news or are about
    something else: judges passed 25% of 24 entries with one, and 67% of 27 with two of their lead.
    """
    everyone = corroborated(candidates(articles))
    named, left = differing(everyone, words)
    title = said(articles[0].title, articles[0].language)
    offered: dict[int, list[Candidate]] = {}
    for one in everyone:
        fits = not one.rank or (stands_alone(one.text) and not _repeats(one, title))
        if fits and wanted(one):
            offered.setdefault(one.rank, []).append(one)
    found = (_of_article(offered[rank], left) for rank in sorted(offered))
    chosen = next(filter(None, found), [])
    return (*(attributed(one, everyone) for one in chosen), *named)


def _of_article(lead: Sequence[Candidate], words: int) -> list[Candidate]:
    """The opening of an article, and what follows it."""
    first = opening(lead, words)
    if first is None:
        return []
    chosen, left = [first], words - first.words
    known = _all_said(chosen)
    for one in lead:
        if one.place <= first.place or _repeats(one, known):
            continue
        full = len(chosen) >= max(words // OF_ONE_SENTENCE, 1)
        if full or one.place > chosen[-1].place + GAP or one.words > left:
            break
        behind = one.place == chosen[-1].place + 1 and not broken(one.text)
        if behind or stands_alone(one.text):
            chosen.append(one)
            known |= one.says
            left -= one.words
    return chosen


def _all_said(chosen: Sequence[Candidate]) -> Said:
    """By some sentences of articles, and by the titles above them."""
    known = NOTHING
    for one in chosen:
        known |= one.says | said(one.article.title, one.article.language)
    return known


def opening(lead: Sequence[Candidate], words: int) -> Candidate | None:
    """The sentence of the lead that tells the news: the first, as a rule.

    A text may begin with a scene or with what was before. Where its first sentence does not tell
    what the title does, the first one that does takes its place, if one is near the beginning.
    """
    title = said(lead[0].article.title, lead[0].article.language) if lead else NOTHING
    fit = [
        one
        for one in lead
        if one.words <= words
        and one.place <= LATEST
        and stands_alone(one.text, below_title=not one.place)
        and one.says.beyond(title) >= ADDS
    ]
    telling = (one for one in fit[:FEW] if _tells(one, title))
    return next(telling, fit[0] if fit else None)


def _tells(one: Candidate, title: Said) -> bool:
    """Whether a sentence tells what a title does."""
    shared = len(one.says.words & title.words)
    return shared >= SURE and shared >= SURE_SHARE * len(title.words)


def opening_of(article: DigestArticle) -> Candidate | None:
    """The sentence that a summary of an article would begin with."""
    return opening(sentences_of(replace(article, text=article.text[:BEGIN]), 0), LONGEST)


def clarity(article: DigestArticle) -> float:
    """The log-odds that an entry with this title and the sentence under it reads well, if its news
    expires within days."""
    first = opening_of(article)
    if first is None:
        return -math.inf
    title = said(article.title, article.language)
    english = tongue(article.language) in {"", "en"}
    if english:
        shared = (first.says.words & title.words) - first.says.names
    else:
        shared = _common_terms(article.title, first.text, tongue(article.language))
    return (
        EXPIRES_SOON
        + EACH_SHARED * min(len(shared), MOST_SHARED)
        + LATER * bool(first.place)
        + BRIEF * (english and first.words < BRIEF_WORDS)
        + FEW_NEW * (first.says.beyond(title) < LEAST_NEW)
        + TO_YOU * bool(_YOU.search(f"{article.title} {first.text}"))
    )


def _common_terms(title: str, sentence: str, language: str) -> frozenset[str]:
    """Terms of a title that a sentence has other than as names. In German every noun has a capital;
    of Korean words, whose endings no stemmer here knows, the first two letters are compared."""
    end = 2 if language == "ko" else None
    terms = frozenset(
        term[:end]
        for term, word in printed(sentence, language)
        if language == "de" or not word[0].isupper()
    )
    return terms & {term[:end] for term, _word in printed(title, language)}


def _repeats(one: Candidate, known: Said) -> bool:
    """Whether a sentence says little that is not known; less is enough where it has numbers and
    none of them is new: "the director said that there are seven cases"."""
    share = REPEATS / 2 if one.says.numbers and one.says.numbers <= known.numbers else REPEATS
    return len(one.says.words & known.words) > share * len(one.says.words)


def differing(everyone: Sequence[Candidate], words: int) -> tuple[list[Sentence], int]:
    """Sentences on what sources disagree about, and the words that are left."""
    found = disagreements(everyone)[:MOST_DISAGREEMENTS]
    found = [one for one in found if length(one.text) <= words // 2]
    return found, words - sum(length(one.text) for one in found)


def choose(
    offered: Sequence[Candidate],
    words: int,
    redundant: float,
    repeats: float,
) -> list[Candidate]:
    """The sentences, in the order to be read: the lead's first, each article's in its own."""
    chosen: list[Candidate] = []
    loss = dict.fromkeys(range(len(offered)), 0.0)
    while loss:
        fits = [at for at in loss if offered[at].words <= words]
        if not fits:
            break
        best = min(fits, key=lambda at: (loss[at] * redundant - offered[at].score, at))
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
