"""What a search asks for, as conditions on the state `s` of an article. Only full text is of one
database (fulltext.py); all else is plain SQL.

Names are looked up first, in Python, where "muller" finds "Müller": there are few of them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, text

from newsloom.kernel.db.columns import micros
from newsloom.kernel.db.dialects import FullText, full_text
from newsloom.kernel.db.phrases import Words
from newsloom.kernel.ids import UserId
from newsloom.ranking import rank_key
from newsloom.ranking.scoring import FLOOR
from newsloom.reading import moments
from newsloom.reading import tag_names as tags
from newsloom.reading.values.searching import (
    AnnotationKind,
    Compared,
    Dated,
    Flag,
    Flagged,
    HasAnnotation,
    InLanguage,
    Named,
    NameOf,
    Noted,
    OfStory,
    Scored,
    SearchQuery,
    Tagged,
    Term,
)

# A word that so many articles have is hardly an unfinished one; and to look for all that begins
# with it would take ten times as long.
COMMON = 10_000


class Test(NamedTuple):
    """A condition in two forms: for many articles, and for one or a few."""

    among: str
    each: str


@dataclass(frozen=True, slots=True)
class Conditions:
    """A search as SQL: the articles whose text matches and that pass all tests."""

    match: str  # for full text; "": any text
    prefix: bool  # whether words of it go on
    unread: bool  # whether only unread articles are asked for
    tests: tuple[Test, ...]
    values: Mapping[str, Any]  # that match and tests bind
    notes: tuple[str, ...]
    fulltext: FullText

    @property
    def among(self) -> str:
        """All tests, each beginning with AND."""
        return "".join(f" AND {test.among}" for test in self.tests)

    @property
    def each(self) -> tuple[str, ...]:
        """Everything that is asked of one article."""
        matches = (_matches(self.fulltext, "match", prefix=self.prefix).each,) if self.match else ()
        return (*(test.each for test in self.tests), *matches)


@dataclass
class _Reading:
    """A search on its way into SQL."""

    connection: Connection
    user: UserId
    now: datetime
    shifts: Mapping[int, int]  # what `now` takes from the rank keys of each class
    values: dict[str, Any] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    @property
    def fulltext(self) -> FullText:
        return full_text(self.connection)

    def bind(self, value: Any) -> str:
        """The name of a value."""
        name = f"asked_{len(self.values)}"
        self.values[name] = value
        return name


def conditions(
    connection: Connection,
    user: UserId,
    query: SearchQuery,
    now: datetime,
    shifts: Mapping[int, int],
) -> Conditions:
    """What a search asks of the articles of a reader at a moment."""
    reading = _Reading(connection, user, now, shifts)
    wanted, unwanted, rest = [], [], []
    for clause in query.clauses:
        alone = clause[0] if len(clause) == 1 else None
        if words := _words_of(clause):
            wanted.append([_settled(reading, one) for one in words])
        elif alone and isinstance(alone.condition, Words):
            unwanted.append(alone.condition)
        else:
            rest.append(clause)
    if not wanted:
        rest += [(Term(one, negated=True),) for one in unwanted]
    match = reading.fulltext.match(wanted, unwanted) if wanted else ""
    reading.values["match"] = match
    tests = []
    for clause in rest:
        either = zip(*(_test(reading, term) for term in clause), strict=True)
        tests.append(Test(*(f"({' OR '.join(forms)})" for forms in either)))
    return Conditions(
        match=match,
        prefix=any(one.prefix for words in [*wanted, unwanted] for one in words),
        unread=any(clause in _UNREAD for clause in query.clauses),
        tests=tuple(tests),
        values=reading.values,
        notes=tuple(reading.notes),
        fulltext=reading.fulltext,
    )


# Clauses that ask for unread articles alone.
_UNREAD = ((Term(Flagged(Flag.UNREAD)),), (Term(Flagged(Flag.READ), negated=True),))


def _words_of(clause: Sequence[Term]) -> list[Words]:
    """Of a clause that asks for nothing but words."""
    words = [one.condition for one in clause if isinstance(one.condition, Words)]
    return words if len(words) == len(clause) and not any(one.negated for one in clause) else []


def _settled(reading: _Reading, words: Words) -> Words:
    """Whether what was typed last goes on. Two letters do not: too many words begin so."""
    if not words.unfinished or (len(words.text) < 3 and words.text.isascii()):
        return words
    found = reading.fulltext.expression(words)
    common = reading.fulltext.count(reading.connection, found, COMMON) == COMMON
    return words if common else replace(words, prefix=True)


def _test(reading: _Reading, term: Term) -> Test:
    test = TESTS[type(term.condition)](reading, term.condition)
    return Test(f"NOT ({test.among})", f"NOT ({test.each})") if term.negated else test


def _words(reading: _Reading, words: Words) -> Test:
    words = _settled(reading, words)
    found = reading.fulltext.expression(words)
    return _matches(reading.fulltext, reading.bind(found), prefix=words.prefix)


def _matches(fulltext: FullText, name: str, *, prefix: bool) -> Test:
    """To ask of each article whether it has a word that begins so takes as long as to find all."""
    return Test(fulltext.among(name), (fulltext.among if prefix else fulltext.each)(name))


def _flagged(_reading: _Reading, condition: Flagged) -> Test:
    return _plain(_FLAGS[condition.flag])


_FLAGS = {
    Flag.STARRED: "s.starred = TRUE",
    Flag.UNREAD: "s.read = FALSE",
    Flag.READ: "s.read = TRUE",
    Flag.LIKED: "s.rating > 0",
    Flag.DISLIKED: "s.rating < 0",
    Flag.LATER: "s.later = TRUE",
}


def _dated(reading: _Reading, condition: Dated) -> Test:
    name = reading.bind(micros(moments.at(condition.when, reading.now)))
    return _plain(f"s.dated_at {'>=' if condition.since else '<'} :{name}")


# A score of just 40 is in `score:>=40` and not in `score:>40`, though its rank key, a sum of a
# logarithm and a time, may be off in its last digits. What is below the least score stands for 0.
_SAME = rank_key.UNIT // 10**9
_LEAST = rank_key.sort_key(FLOOR)
_BOUNDS: dict[Compared, Callable[[int], int]] = {
    Compared.ABOVE: lambda sort_key: sort_key + _SAME,
    Compared.AT_MOST: lambda sort_key: sort_key + _SAME,
    Compared.AT_LEAST: lambda sort_key: (
        sort_key - _SAME if sort_key > _LEAST else -rank_key.LARGEST
    ),
    Compared.BELOW: lambda sort_key: sort_key - _SAME if sort_key > _LEAST else -rank_key.LARGEST,
}


def _scored(reading: _Reading, condition: Scored) -> Test:
    """By the rank key that an article of each class has at that score."""
    bound = _BOUNDS[condition.compared](rank_key.sort_key(condition.score))
    keys = {level: reading.bind(bound + shift) for level, shift in reading.shifts.items()}
    key = " ".join(f"WHEN {level} THEN CAST(:{name} AS BIGINT)" for level, name in keys.items())
    return _plain(f"s.rank_key {condition.compared} CASE s.sensitivity {key} END")


def _in_language(reading: _Reading, condition: InLanguage) -> Test:
    return _plain(f"s.language = :{reading.bind(condition.code)}")


def _of_story(reading: _Reading, condition: OfStory) -> Test:
    values = {"story": condition.number, "user": reading.user}
    number = reading.connection.scalar(_STORY, values)
    if number is None:
        reading.notes.append(f"You have no story {condition.number}.")
    name = reading.bind(0 if number is None else number)
    return Test(
        f"s.article_id IN (SELECT article_id FROM story_members WHERE story_id = :{name})",  # noqa: S608
        f"EXISTS (SELECT 1 FROM story_members m"  # noqa: S608
        f" WHERE m.article_id = s.article_id AND m.story_id = :{name})",
    )


# The story of a number, or the one it went into, if the reader has anything of it.
_STORY = text("""
    SELECT m.story_id FROM stories z CROSS JOIN story_members m CROSS JOIN states s
    WHERE z.id = :story AND m.story_id = COALESCE(z.merged_into, z.id)
    AND s.user_id = :user AND s.article_id = m.article_id LIMIT 1
""")


_KEPT_IN = {
    AnnotationKind.TAG: "article_tags",
    AnnotationKind.NOTE: "article_notes",
    AnnotationKind.HIGHLIGHT: "highlights",
}


def _has_annotation(reading: _Reading, condition: HasAnnotation) -> Test:
    return _in_table(reading, _KEPT_IN[condition.what], "")


def _tagged(reading: _Reading, condition: Tagged) -> Test:
    key = tags.key(condition.name.lstrip("#"))
    if reading.connection.scalar(_TAG, {"user": reading.user, "key": key}) is None:
        reading.notes.append(f"You have no tag “{condition.name}”.")
    return _in_table(reading, "article_tags", f" AND k.key = :{reading.bind(key)}")


def _noted(reading: _Reading, condition: Noted) -> Test:
    """As names are looked for: a reader's notes are few, and need no index of words."""
    from newsloom.kernel.text.folding import fold  # seldom needed

    wanted = fold(condition.text)
    rows = reading.connection.execute(_NOTES, {"user": reading.user}).all()
    found = sorted({row.article_id for row in rows if wanted in fold(row.text)})
    return _plain(f"s.article_id IN numbers_in(:{reading.bind(json.dumps(found))})")


def _in_table(reading: _Reading, name: str, more: str) -> Test:
    """Of articles that rows of the reader in that table belong to."""
    of_reader = f"FROM {name} k WHERE k.user_id = :{reading.bind(reading.user)}{more}"
    return Test(
        f"s.article_id IN (SELECT k.article_id {of_reader})",
        f"EXISTS (SELECT 1 {of_reader} AND k.article_id = s.article_id)",
    )


_TAG = text("SELECT 1 FROM article_tags WHERE user_id = :user AND key = :key LIMIT 1")
_NOTES = text("""
    SELECT article_id, text FROM article_notes WHERE user_id = :user
    UNION ALL
    SELECT article_id, exact || ' ' || note FROM highlights WHERE user_id = :user
""")


def _named(reading: _Reading, condition: Named) -> Test:
    """By the names that have it in them; "muller" is in "Müller"."""
    from newsloom.articles.publishers import source_name
    from newsloom.kernel.text.folding import fold  # both are seldom needed

    column, known = _NAMES[condition.of]
    rows = reading.connection.execute(known, {"user": reading.user}).all()
    wanted = fold(condition.text)
    by_feed = condition.of is NameOf.FEED
    called = (
        (row[0], (*row[1:], source_name(*row[1:])) if by_feed else row[1:] or row) for row in rows
    )
    found = [key for key, those in called if any(wanted in fold(one) for one in those)]
    if by_feed:
        found = [row[0] for row in rows if str(row[0]) == condition.text] or found
    if not found:
        reading.notes.append(_UNKNOWN[condition.of].format(condition.text))
    name = reading.bind(json.dumps(found))
    kind = "numbers_in" if column == "feed_id" else "names_in"
    these = f"a.{column} IN {kind}(:{name})"
    if column != "feed_id":
        these += f" AND a.{column} <> ''"  # else the index of names would not be used
    return Test(
        f"s.article_id IN (SELECT a.original_id FROM articles a WHERE {these})",  # noqa: S608
        f"EXISTS (SELECT 1 FROM articles a"  # noqa: S608
        f" WHERE a.original_id = s.article_id AND {these})",
    )


# The column that a name narrows, and its values, each with the names it goes by or a name itself.
_NAMES = {
    NameOf.AUTHOR: (
        "author",
        text("SELECT DISTINCT author FROM articles WHERE author <> ''"),
    ),
    NameOf.SOURCE: (
        "source",
        text("SELECT DISTINCT source FROM articles WHERE source <> ''"),
    ),
    NameOf.FEED: (
        "feed_id",
        text(
            "SELECT f.id, c.title, f.title, f.url FROM subscriptions c"
            " JOIN feeds f ON f.id = c.feed_id WHERE c.user_id = :user"
        ),
    ),
    NameOf.CATEGORY: (
        "feed_id",
        text("SELECT feed_id, category FROM subscriptions WHERE user_id = :user"),
    ),
}
_UNKNOWN = {
    NameOf.AUTHOR: "No author “{}”.",
    NameOf.SOURCE: "No articles from “{}”.",
    NameOf.FEED: "You follow no feed “{}”.",
    NameOf.CATEGORY: "You have no category “{}”.",
}

# What each condition means to the database: a row for each kind of types.searching.Condition.
TESTS: Mapping[type, Callable[[_Reading, Any], Test]] = {
    Words: _words,
    Named: _named,
    Flagged: _flagged,
    Dated: _dated,
    Scored: _scored,
    InLanguage: _in_language,
    OfStory: _of_story,
    HasAnnotation: _has_annotation,
    Tagged: _tagged,
    Noted: _noted,
}


def _plain(condition: str) -> Test:
    return Test(condition, condition)
