"""What can be said of one matter in its sources' own sentences, as long as it may be. Pure.

News stands in the order of what matters, so of each article the first sentences are told, in their
order: they hold together when heard, which the most central ones of a summary do not.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta
from itertools import islice

from newsloom.briefs.cleaning import spoken, spoken_title
from newsloom.briefs.planning import MOST_WORDS
from newsloom.briefs.selecting import Matter
from newsloom.digests.values import DigestArticle
from newsloom.kernel.text.sentences import sentences
from newsloom.summaries.boilerplate import stands_alone
from newsloom.summaries.ranking import alike
from newsloom.summaries.said import Said, is_new, length, said

MOST_ARTICLES = 3  # of one matter, the lead first
MOST_READ = 4_000  # characters of an article
# Of a sentence's words in one that was told already, and in all of them: it is left out.
SAME, SAME_IN_ALL, SAME_AS_TITLE = 0.6, 0.4, 0.5
# Words of a sentence that an ear can follow: of the first of a matter, which tells it, and others.
LONGEST_FIRST, LONGEST = 45, 32
LATEST = 1  # place of the sentence that a matter without a headline may begin with
FURTHER = 2  # sentences of an article that is not the lead
# What was reported so long before the lead expects what the lead tells.
OLDER = timedelta(hours=6)


@dataclass(frozen=True, slots=True)
class Spoken:
    """A sentence of an article, as it is spoken."""

    text: str
    article: DigestArticle
    says: Said
    words: int
    place: int = -1  # among the sentences of the article; -1: its headline


@dataclass(frozen=True, slots=True)
class Telling:
    """All that could be told of a matter, in order."""

    matter: Matter
    headline: Spoken | None
    body: tuple[Spoken, ...]

    def cut(self, words: int) -> tuple[Spoken, ...]:
        """At most so many words, whole sentences; the headline first where the first sentence does
        not say it."""
        found: list[Spoken] = []
        for one in (*self._head(), *self.body):
            if one.words > words:
                break
            found.append(one)
            words -= one.words
        return tuple(found)

    def _head(self) -> tuple[Spoken, ...]:
        if self.headline is None:
            return ()
        if self.body and alike(self.headline.says, self.body[0].says) >= SAME_AS_TITLE:
            return ()
        return (self.headline,)


def telling(matter: Matter, told: Collection[str]) -> Telling:
    """Without sentences of `told`, which earlier briefs or matters had."""
    lead = matter.articles[0]
    headline = _headline(lead, matter.known, told)
    known: list[Said] = []
    body: list[Spoken] = []
    words = 0
    others = (one for one in matter.articles[1:] if one.published >= lead.published - OLDER)
    for place, article in enumerate([lead, *islice(others, MOST_ARTICLES - 1)]):
        most = MOST_WORDS - words
        found = _of_article(article, matter.known, told, known, most, lead=place == 0)
        if place == 0 and headline is None and found and found[0].place > LATEST:
            break  # nothing says what it is about
        body += found
        words += sum(one.words for one in found)
    return Telling(matter, headline, tuple(body))


def _headline(lead: DigestArticle, known: Said | None, told: Collection[str]) -> Spoken | None:
    text = spoken_title(lead.title, (lead.source, lead.publisher))
    says = said(text, lead.language)
    if (
        not text
        or text.endswith("?")
        or text in told
        or (known is not None and not is_new(says, known))
    ):
        return None
    return Spoken(text, lead, says, length(text))


def _of_article(
    article: DigestArticle,
    before: Said | None,
    told: Collection[str],
    known: list[Said],
    most: int,
    *,
    lead: bool,
) -> list[Spoken]:
    """Its sentences from the first on; what they say is put into `known`."""
    found: list[Spoken] = []
    last = -2  # the place of the sentence before
    for place, raw in enumerate(sentences(article.text[:MOST_READ])):
        text = spoken(raw)
        if (
            not text
            or text in told
            or text.endswith("?")
            or (not stands_alone(text) and last != place - 1)
        ):
            continue
        says = said(text, article.language)
        if before is not None and not is_new(says, before):
            continue
        words = length(text)
        longest = LONGEST if found or not lead else LONGEST_FIRST
        if words > longest or _repeats(says, known, lead=lead):
            continue
        if words > most or (not lead and len(found) >= FURTHER):
            break
        found.append(Spoken(text, article, says, words, place))
        known.append(says)
        most -= words
        last = place
    if len(article.text) > MOST_READ and found and found[-1].text[-1] not in '.!?。！？"”»':
        del found[-1]  # the bound of reading cut it
    return found


def _repeats(says: Said, known: list[Said], *, lead: bool) -> bool:
    """Another article's sentence must add something to all that was said, not to each sentence."""
    if any(alike(says, one) >= SAME for one in known):
        return True
    names = frozenset[str]().union(*(one.words for one in known))
    return not lead and len(says.words & names) >= SAME_IN_ALL * len(says.words)
