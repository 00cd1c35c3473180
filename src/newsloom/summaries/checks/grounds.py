"""What articles hold and what a sentence says, in a form in which they can be compared."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from newsloom.digests.values import DigestArticle
from newsloom.kernel.text.language import language
from newsloom.kernel.text.sentences import LONGEST_TEXT, sentences
from newsloom.kernel.text.stop_words import stop_words
from newsloom.summaries.checks import facts
from newsloom.summaries.checks.orders import gives_orders
from newsloom.summaries.said import Said, said

# Controls, marks of direction, fillers, private use. The joiners that Persian needs are none.
_HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f"
    "\u2028-\u202e\u2060-\u206f\u2800\u3164\ue000-\uf8ff\ufe00-\ufe0f\ufeff\uffa0"
    "\U000e0000-\U0010ffff]"
)
_CLAUSE = re.compile(
    r"[,;:](?=\s)|[()、，；：]|\s-\s"
    r"|\b(?:and|but|while|whereas|although|because|und|aber|während|obwohl|et|mais|y|pero|ma|и|но"
    r"|хотя)\b"
)
_DETERMINERS = frozenset(
    """
    der die das den dem des ein eine einen einem einer eines kein keine keinen im am zum zur vom
    beim ins ans mehr viele alle diese dieser dieses diesem diesen ihre ihr seine sein
    """.split()  # noqa: SIM905
)
HEAD = 5  # letters by which words of one stem are told, where they have more
# Words of telling that begin a sentence and need no source.
_OPENERS = frozenset(
    """
    a i it its he his she her they their in on at by as the this that these those officials police
    authorities according meanwhile however later earlier both after before
    """.split()  # noqa: SIM905
)


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a sentence: its words as stems, and its names in one form of each."""

    text: str
    words: frozenset[str]
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence of an article."""

    whole: Clause
    clauses: tuple[Clause, ...]


@dataclass(frozen=True, slots=True)
class Grounds:
    """What one article holds."""

    article: DigestArticle
    text: str  # title and text, `facts.normal`
    passages: tuple[Passage, ...]
    stems: frozenset[str]
    heads: frozenset[str]  # of stems and of words of scripts without capitals
    words: frozenset[str]  # as they stand
    forms: frozenset[str]
    lower: frozenset[str]  # words that stand without a capital somewhere, or are common nouns
    pairs: frozenset[tuple[str, str]]  # names that stand together
    orders: bool  # it tells language models what to do
    quoted: tuple[frozenset[str], ...]  # the words of each quotation
    told: tuple[frozenset[str], ...]  # of each sentence, without what is quoted in it


@dataclass(frozen=True, slots=True)
class Written:
    """A sentence that is held against articles."""

    text: str  # `facts.normal`
    tongue: str
    says: Said
    hidden: bool  # there are signs that nobody sees

    @classmethod
    def of(cls, text: str, tongue: str) -> Written:
        one_form = facts.normal(text)
        return cls(one_form, tongue, said(one_form, tongue), _HIDDEN.search(text) is not None)


def grounds(article: DigestArticle) -> Grounds:
    """Read once for all sentences that name it."""
    text = facts.normal(f"{article.title}\n{article.text}"[:LONGEST_TEXT])
    tongue = article.language
    each = facts.tokens(text)
    lower = {one.text for one in each if not one.capital} | _common_nouns(each, tongue)
    parts = sentences(text)
    stems = frozenset[str]().union(*(said(one, tongue).words for one in parts))
    return Grounds(
        article=article,
        text=text,
        passages=tuple(_passage(one, tongue, lower) for one in parts),
        stems=stems,
        heads=frozenset(
            {one[:HEAD] for one in stems if len(one) > HEAD}
            | {head for one in each if one.caseless for head in facts.heads(one.text)}
        ),
        words=frozenset(one.text for one in each),
        forms=frozenset(form for one in each for form in facts.forms(one.text, tongue)),
        lower=frozenset(lower),
        pairs=frozenset(pair for one in parts for pair in _pairs(one, tongue)),
        orders=any(gives_orders(line) for line in text.split("\n")),
        quoted=tuple(said(one, tongue).words for one in facts.quotations(text)),
        told=tuple(said(one, tongue).words for one in sentences(facts.unquoted(text))),
    )


def _common_nouns(each: Sequence[facts.Token], tongue: str) -> set[str]:
    """German writes all nouns with a capital; what stands behind an article is hardly a name."""
    if language(tongue) != "de":
        return set()
    return {
        noun.text.casefold()
        for before, noun in pairwise(each)
        if noun.capital and before.text.casefold() in _DETERMINERS
    }


def _passage(text: str, tongue: str, lower: set[str]) -> Passage:
    parts = tuple(clause_of(one, tongue, lower) for one in clauses_of(text))
    return Passage(clause_of(text, tongue, lower), parts)


def clause_of(text: str, tongue: str, lower: Iterable[str]) -> Clause:
    words = said(text, tongue).words
    return Clause(text, words, tuple(_names(text, tongue, frozenset(lower))))


def clauses_of(text: str) -> Iterator[str]:
    """Clauses, each with a word at least; what has none goes with the next."""
    begin = last = 0
    for mark in _CLAUSE.finditer(text):
        if said(text[last : mark.start()]).words:
            yield text[begin : mark.start()]
            begin = mark.end()
        last = mark.end()
    if text[begin:].strip():
        yield text[begin:]


def _names(text: str, tongue: str, lower: frozenset[str]) -> Iterator[str]:
    """Names in order, each in its shortest form. What stands small somewhere is none."""
    none = lower | openers(tongue)
    counted = facts.counted(text)
    for one in facts.tokens(text):
        small = one.text.casefold()
        if one.capital and len(small) > 1 and small not in none and one.begin not in counted:
            yield key(one.text, tongue)


def key(name: str, tongue: str) -> str:
    return min(facts.forms(name, tongue), key=lambda form: (len(form), form))


def _pairs(text: str, tongue: str) -> Iterator[tuple[str, str]]:
    """Words with capitals at most three apart, both ways: "Angela Dorothea Merkel"."""
    each = facts.tokens(text)
    for at, one in enumerate(each):
        for other in each[at + 1 : at + 4]:
            if one.capital and other.capital:
                pair = key(one.text, tongue), key(other.text, tongue)
                yield pair
                yield pair[::-1]


def openers(tongue: str) -> frozenset[str]:
    return stop_words(language(tongue)) | _OPENERS
