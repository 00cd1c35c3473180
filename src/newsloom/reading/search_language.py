"""The language of searches: what someone typed, as a SearchQuery. Pure; asks no database.

Anything may be typed. What is neither a field nor an operator is looked for as words; only a field
with a value that it cannot have is refused. A further field is a row of FIELDS, with a condition
in reading/values/searching.py and, for the database, in reading/store/lists/conditions.py.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from newsloom.kernel.db.phrases import Words
from newsloom.kernel.errors import UserError
from newsloom.kernel.text.folding import last_run, phrases
from newsloom.kernel.text.language import language
from newsloom.reading import moments
from newsloom.reading.values.searching import (
    AnnotationKind,
    Compared,
    Condition,
    Dated,
    Flag,
    Flagged,
    Found,
    HasAnnotation,
    InLanguage,
    Named,
    NameOf,
    Noted,
    OfStory,
    Scored,
    SearchOrder,
    SearchQuery,
    Tagged,
    Term,
)

# More only slow a search down; nobody types them.
MOST_TERMS = 32
LONGEST = 2_000


class Value(NamedTuple):
    """A word or a phrase as it was typed."""

    text: str
    starred: bool = False  # it ends in *
    last: bool = False  # nothing was typed after it, not even a space


@dataclass(frozen=True, slots=True)
class Field:
    """A name before a colon, and what a value behind it asks for."""

    name: str
    example: str
    meaning: str
    condition: Callable[[Value], Condition]  # raises UserError with words


_FLAGS = f"{', '.join(list(Flag)[:-1])} or {list(Flag)[-1]}"
_KEPT = f"{', '.join(list(AnnotationKind)[:-1])} or {list(AnnotationKind)[-1]}"


def _words(value: Value, *, in_title: bool = False) -> Words:
    run = last_run(value.text)
    return Words(
        value.text,
        in_title,
        prefix=len(run) == 1 if run else value.starred,
        unfinished=value.last and not run,
    )


def _title(value: Value) -> Condition:
    if not phrases(value.text):
        raise UserError("title: needs a word, for example title:python.")
    return _words(value, in_title=True)


def _name(of: NameOf) -> Callable[[Value], Condition]:
    return lambda value: Named(of, value.text)


def _flag(value: Value) -> Condition:
    try:
        return Flagged(Flag(value.text.lower()))
    except ValueError:
        raise UserError(f"is:{value.text} is not known; is: takes {_FLAGS}.") from None


def _has(value: Value) -> Condition:
    try:
        return HasAnnotation(AnnotationKind(value.text.lower()))
    except ValueError:
        raise UserError(f"has:{value.text} is not known; has: takes {_KEPT}.") from None


def _dated(since: bool) -> Callable[[Value], Condition]:
    return lambda value: Dated(since, moments.parse(value.text))


def _score(value: Value) -> Condition:
    found = _SCORE.fullmatch(value.text)
    if found is None or float(found[2]) > 100:
        raise UserError(
            f"score:{value.text} is not a score. Use a number up to 100, for example score:>60."
        )
    return Scored(Compared(_SIGNS.get(found[1], found[1])), float(found[2]))


def _language(value: Value) -> Condition:
    code = language(value.text)
    if not code and value.text.lower() != "und":
        raise UserError(f"lang:{value.text} is not a language. Use en, de, or und for unknown.")
    return InLanguage(code)


def _story(value: Value) -> Condition:
    if not _NUMBER.fullmatch(value.text):
        raise UserError(f"story:{value.text} is not a story. Use its number, for example story:17.")
    return OfStory(int(value.text))


FIELDS = (
    Field("title", "title:python", "in the title", _title),
    Field("author", "author:lindqvist", "written by", _name(NameOf.AUTHOR)),
    Field("feed", 'feed:"hacker news"', "in a feed, by name or number", _name(NameOf.FEED)),
    Field("category", "category:science", "in a category", _name(NameOf.CATEGORY)),
    Field("source", "source:nytimes.com", "published on that host", _name(NameOf.SOURCE)),
    Field("is", "is:starred", _FLAGS, _flag),
    Field("since", "since:7d", f"newer than {moments.FORMS}", _dated(since=True)),
    Field("before", "before:2026-11-20", "older than that", _dated(since=False)),
    Field("score", "score:>60", "current score above 60; also <, >= and <=", _score),
    Field("lang", "lang:de", "in that language; und for unknown", _language),
    Field("story", "story:17", "in a story, by number", _story),
    Field("tag", 'tag:"to cook"', "has your tag", lambda value: Tagged(value.text)),
    Field("has", "has:note", f"has your {_KEPT}", _has),
    Field("note", "note:recipe", "in your notes and highlights", lambda value: Noted(value.text)),
)

# What else can be typed: an example, and what it finds.
OPERATORS = (
    ("night trains", "both words, in any order"),
    ('"night trains"', "exact phrase"),
    ("night -trains", "without the second word; works for fields too"),
    ("cats OR dogs", "either"),
    ("electr*", "words that start like this"),
)

SYNTAX = (*OPERATORS, *((field.example, field.meaning) for field in FIELDS))

_BY_NAME = {field.name: field for field in FIELDS}
_TOKEN = re.compile(
    r"""(?P<minus>[-−]?)
        (?:(?P<field>[^\W\d_]+):(?!//)(?=\S))?       # not the beginning of an address
        (?:"(?P<phrase>[^"]*)(?P<end>"\*?|$)|(?P<word>[^\s"]+))""",
    re.VERBOSE,
)
_OR, _NOT = frozenset({"OR", "|"}), frozenset({"NOT"})
_OPERATORS = frozenset({"AND", "&"}) | _OR | _NOT
_SIGNS = {"": ">=", "≥": ">=", "≤": "<="}
_SCORE = re.compile(r"(>=|<=|[<>≥≤]?)(\d{1,3}(?:\.\d{1,6})?)")
_NUMBER = re.compile(r"[0-9]{1,18}")  # any of them is one to a database
# A phone types its own quotes. Brackets say nothing: OR joins its neighbours without them.
_PLAIN = str.maketrans("“”„‟＂()\0", '"""""   ')


class _Token(NamedTuple):
    """One thing typed."""

    value: Value
    field: str = ""
    negated: bool = False
    quoted: bool = False

    @property
    def operator(self) -> str:
        text = self.value.text
        return text if text in _OPERATORS and not (self.field or self.quoted) else ""


def parse(text: str) -> SearchQuery:
    """What a search asks for. Raises UserError for a value that a field cannot have."""
    text = text[:LONGEST].encode("utf-8", "ignore").decode()  # no half of a surrogate pair
    tokens = list(_tokens(text.translate(_PLAIN)))
    clauses: list[tuple[Term, ...]] = []
    joined = negated = False
    for token in tokens[:MOST_TERMS]:
        if token.operator and len(tokens) > 1:
            joined = joined or token.operator in _OR
            negated = token.operator in _NOT
            continue
        term = _term(token, negated)
        if term is not None and joined and clauses:
            clauses[-1] = (*clauses[-1], term)
        elif term is not None:
            clauses.append((term,))
        joined = negated = False
    return SearchQuery(tuple(clauses), tuple(_notes(tokens)))


def _tokens(text: str) -> Iterator[_Token]:
    for found in _TOKEN.finditer(text):
        negated, last = bool(found["minus"]), found.end() == len(text)
        name, quoted = found["field"] or "", found["word"] is None
        value = _value(found, last)
        if name and name.lower() not in _BY_NAME:
            if quoted:
                yield _Token(Value(name), negated=negated)
            else:
                value = value._replace(text=f"{name}:{value.text}")
            name = ""
        yield _Token(value, name.lower(), negated, quoted)


def _value(found: re.Match[str], last: bool) -> Value:
    if found["word"] is None:
        return Value(found["phrase"].strip(), found["end"] == '"*', last and not found["end"])
    word = found["word"].rstrip("*")
    return Value(word, word != found["word"], last)


def _term(token: _Token, negated: bool) -> Term | None:
    """None: there is nothing in it to look for."""
    value, negated = token.value, token.negated or negated
    if negated or value.starred:
        value = value._replace(last=False)  # what is typed last is perhaps not all of a word yet
    if token.field:
        field = _BY_NAME[token.field]
        if not value.text:
            raise UserError(f"{field.name}: needs a value, for example {field.example}.")
        return Term(field.condition(value), negated)
    return Term(_words(value), negated) if phrases(value.text) else None


def _notes(tokens: list[_Token]) -> Iterator[str]:
    """What someone who typed that should know."""
    for token in tokens:
        name, colon, rest = token.value.text.partition(":")
        if token.field or token.quoted or not colon or not name.isalpha() or rest[:2] == "//":
            continue
        if field := _BY_NAME.get(name.lower()):
            yield f"“{name}:” takes its value without a space, for example {field.example}."
        elif rest:
            yield f"“{name}:” is not a field, so “{token.value.text}” was searched as words."
    if len(tokens) > MOST_TERMS:
        yield f"Only the first {MOST_TERMS} words count."


def found_words(found: Found) -> str:
    """How much was found, in a sentence."""
    if not found.more:
        return f"{found.count:,} found." if found.count else "Nothing found."
    if found.order is SearchOrder.BEST:
        return (
            f"More than {found.count:,} found; the best matches are among the {found.count:,} "
            f"newest."
        )
    return f"More than {found.count:,} found."
