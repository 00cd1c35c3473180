"""The language of searches: whatever is typed is understood, or refused in words."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.kernel.db.phrases import Words
from newsloom.kernel.errors import UserError
from newsloom.kernel.text.folding import phrases
from newsloom.reading import moments
from newsloom.reading.search_language import FIELDS, LONGEST, MOST_TERMS, SYNTAX, parse
from newsloom.reading.values.searching import (
    Ago,
    Compared,
    Dated,
    Flag,
    Flagged,
    InLanguage,
    Named,
    NameOf,
    OfStory,
    Scored,
    SearchQuery,
    Term,
)

NOW = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)


def word(text, **more):
    return Term(Words(text, **more))


def without(term):
    return Term(term.condition, negated=True)


CATS, DOGS = word("cats"), word("dogs")


@pytest.mark.parametrize(
    ("typed", "clauses"),
    [
        ("", []),
        (" \t\n ", []),
        ("-", []),
        ('" "', []),
        ("*", []),
        ("cats", [[word("cats", unfinished=True)]]),
        ("cats ", [[CATS]]),
        ("cats dogs ", [[CATS], [DOGS]]),
        ("cats AND dogs ", [[CATS], [DOGS]]),
        ("cats OR dogs ", [[CATS, DOGS]]),
        ("cats | dogs ", [[CATS, DOGS]]),
        ("a OR b c OR d e ", [[word("a"), word("b")], [word("c"), word("d")], [word("e")]]),
        ("(a OR b) c ", [[word("a"), word("b")], [word("c")]]),
        ("cats OR", [[CATS]]),
        ("OR cats ", [[CATS]]),
        ("cats OR - dogs ", [[CATS], [DOGS]]),
        ("OR", [[word("OR", unfinished=True)]]),
        ("cats or dogs ", [[CATS], [word("or")], [DOGS]]),
        ("-cats ", [[without(CATS)]]),
        ("−cats ", [[without(CATS)]]),
        ("NOT cats ", [[without(CATS)]]),
        ("cats OR NOT dogs ", [[CATS, without(DOGS)]]),
        ("-cats", [[without(CATS)]]),
        ("cats - dogs ", [[CATS], [DOGS]]),
        ("night-trains ", [[word("night-trains")]]),
        ('"night trains" ', [[word("night trains")]]),
        ('"night trains"', [[word("night trains")]]),
        ("“night trains„", [[word("night trains")]]),
        ('"night tra', [[word("night tra", unfinished=True)]]),
        ('-"night trains"', [[without(word("night trains"))]]),
        ('"OR"', [[word("OR")]]),
        ('a"b c"d ', [[word("a")], [word("b c")], [word("d")]]),
        ("electr*", [[word("electr", prefix=True)]]),
        ("electr* ", [[word("electr", prefix=True)]]),
        ('"night tra"*', [[word("night tra", prefix=True)]]),
        ("title:cats ", [[word("cats", in_title=True)]]),
        ("Title:cats", [[word("cats", in_title=True, unfinished=True)]]),
        ('title:"night trains"', [[word("night trains", in_title=True)]]),
        ("-title:cats", [[without(word("cats", in_title=True))]]),
        ("title:cats OR dogs ", [[word("cats", in_title=True), DOGS]]),
        ("author:lindqvist", [[Term(Named(NameOf.AUTHOR, "lindqvist"))]]),
        ('feed:"hacker news"', [[Term(Named(NameOf.FEED, "hacker news"))]]),
        ("-feed:12", [[without(Term(Named(NameOf.FEED, "12")))]]),
        ("category:science", [[Term(Named(NameOf.CATEGORY, "science"))]]),
        ("source:nytimes.com", [[Term(Named(NameOf.SOURCE, "nytimes.com"))]]),
        ("is:Starred", [[Term(Flagged(Flag.STARRED))]]),
        ("-is:read", [[without(Term(Flagged(Flag.READ)))]]),
        ("since:7d", [[Term(Dated(True, Ago(timedelta(days=7))))]]),
        ("before:2026-11", [[Term(Dated(False, datetime(2026, 11, 1, tzinfo=UTC)))]]),
        ("score:>60", [[Term(Scored(Compared.ABOVE, 60.0))]]),
        ("score:60", [[Term(Scored(Compared.AT_LEAST, 60.0))]]),
        ("score:≤7.5", [[Term(Scored(Compared.AT_MOST, 7.5))]]),
        ("lang:en-GB", [[Term(InLanguage("en"))]]),
        ("lang:und", [[Term(InLanguage(""))]]),
        ("-story:017", [[without(Term(OfStory(17)))]]),
        ("http://a.test/b ", [[word("http://a.test/b")]]),
        ("12:30 ", [[word("12:30")]]),
        ("C++ ", [[word("C++")]]),
        ("a\0b ", [[word("a")], [word("b")]]),
        ("\udcffcats ", [[CATS]]),
    ],
    ids=ascii,
)
def test_what_is_typed_is_read(typed, clauses):
    assert parse(typed) == SearchQuery(tuple(tuple(one) for one in clauses))


@pytest.mark.parametrize(
    ("typed", "clauses", "note"),
    [
        ("titel:cats ", [[word("titel:cats")]], "“titel:” is not a field"),
        ('re:"night trains"', [[word("re")], [word("night trains")]], None),
        ("title: cats ", [[word("title:")], [CATS]], "without a space, for example title:python"),
        ("remark: cats ", [[word("remark:")], [CATS]], None),
    ],
)
def test_what_looks_like_a_field_is_looked_for_and_said(typed, clauses, note):
    query = parse(typed)
    assert query.clauses == tuple(tuple(one) for one in clauses)
    assert [note in one for one in query.notes] == ([True] if note else [])


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("is:new", "is: takes starred, unread, read, liked, disliked or later"),
        ("since:soon", "'soon' is not a time. Use 90m"),
        ("before:2026-13", "is not a time"),
        ("since:2026-02-30", "is not a time"),
        ("since:0001-01-01T00:00+14:00", "is not a time"),
        ("score:high", "Use a number up to 100"),
        ("score:101", "Use a number up to 100"),
        ("score:-5", "Use a number up to 100"),
        ("lang:klingonese", "is not a language"),
        ("story:fire", "story:fire is not a story. Use its number, for example story:17"),
        ("story:-1", "Use its number"),
        ("story:\u0663", "Use its number"),
        (f"story:{10**18}", "Use its number"),
        ('feed:""', "feed: needs a value, for example feed:"),
        ("title:***", "title: needs"),
        ("title:-", "title: needs a word"),
    ],
)
def test_a_value_that_a_field_cannot_have_is_refused_in_words(typed, words):
    with pytest.raises(UserError) as refused:
        parse(f"cats {typed}")
    assert words in str(refused.value)


def test_every_example_that_is_shown_is_understood():
    for example, meaning in SYNTAX:
        query = parse(example)
        assert query.clauses, example
        assert not query.notes
        assert meaning
    assert {field.name for field in FIELDS} <= {example.partition(":")[0] for example, _ in SYNTAX}


def test_endless_input_is_cut():
    query = parse("word " * 10_000)
    assert len(query.clauses) == MOST_TERMS
    assert query.notes == (f"Only the first {MOST_TERMS} words count.",)
    (clause,) = parse("x" * 1_000_000).clauses
    assert len(clause[0].condition.text) == LONGEST


pieces = st.sampled_from(
    ['"', "-", "(", ")", ":", "*", " ", "OR", "AND", "NOT", "|", "{", "}", "^", "+", "NEAR", "\0"]
    + [f"{field.name}:" for field in FIELDS]
    + ["cats", "7d", ">60", "starred", "ſ", "日本", "e\u0301", "\ud800", "'", "--", ";", "/*", "\\"]
)


@given(st.text(max_size=60) | st.lists(pieces, max_size=15).map("".join))
def test_anything_can_be_typed(typed):
    try:
        query = parse(typed)
    except UserError:
        return
    assert all(query.clauses)
    for clause in query.clauses:
        for term in clause:
            if isinstance(term.condition, Words):
                assert phrases(term.condition.text)
                term.condition.text.encode()


@pytest.mark.parametrize(
    ("typed", "at"),
    [
        ("90m", NOW - timedelta(minutes=90)),
        ("6 h", NOW - timedelta(hours=6)),
        ("2D", NOW - timedelta(days=2)),
        ("1w", NOW - timedelta(weeks=1)),
        ("1y", NOW - timedelta(days=365)),
        ("999999y", datetime.min.replace(tzinfo=UTC)),
        ("today", datetime(2026, 11, 20, tzinfo=UTC)),
        ("Yesterday", datetime(2026, 11, 19, tzinfo=UTC)),
        ("2026", datetime(2026, 1, 1, tzinfo=UTC)),
        ("2026-10", datetime(2026, 10, 1, tzinfo=UTC)),
        ("2026-10-05", datetime(2026, 10, 5, tzinfo=UTC)),
        ("2026-10-05T12:00+02:00", datetime(2026, 10, 5, 10, tzinfo=UTC)),
        ("2026-10-05 12:00", datetime(2026, 10, 5, 12, tzinfo=UTC)),
    ],
)
def test_times_are_read_as_people_write_them(typed, at):
    assert moments.at(moments.parse(typed), NOW) == at


@given(st.text(max_size=12) | st.from_regex(r"[0-9]{1,7}[mhdwy]", fullmatch=True))
def test_any_time_is_read_or_refused(typed):
    try:
        when = moments.parse(typed)
    except UserError:
        return
    assert moments.at(when, NOW).tzinfo is not None
