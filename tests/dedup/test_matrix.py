"""The decision matrix: one outcome for each combination of facts, and which row wins an overlap."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product

import pytest

from newsloom.duplicates.matrix import (
    MATRIX,
    SAYING,
    SAYING_ALONE,
    Origin,
    PairFacts,
    Row,
    Texts,
    Titles,
    decide,
)
from newsloom.duplicates.values import Relation

NO_YES = (False, True)
JOINING = {Relation.SAME_TEXT, Relation.NEAR_DUPLICATE, Relation.SAME_EVENT}


# Every combination of what can be found about two articles; hours and words on each side of the
# limits. What polling judges is a product of its own: its rows look at nothing else.
@cache
def decided() -> list[tuple[PairFacts, Row]]:
    """All of them, with the row that decides each."""
    return [(facts, decide(facts)) for facts in _product()]


def _product() -> Iterator[PairFacts]:
    return (
        PairFacts(
            origin=origin,
            hours=hours,
            titles=titles,
            swapped=swapped,
            recurring=recurring,
            saying=saying,
            texts=texts,
            lead=lead,
            teaser=teaser,
            related=related,
            template=template,
            event=event,
        )
        for origin, hours, titles, recurring, saying, texts in product(
            Origin, (0.0, 12.5, 80.0), Titles, NO_YES, (SAYING - 1, SAYING, SAYING_ALONE), Texts
        )
        for lead, teaser, related, template, event, swapped in product(NO_YES, repeat=6)
    )


def where(**wanted: object) -> list[tuple[PairFacts, Relation | None]]:
    return [
        (facts, row.relation)
        for facts, row in decided()
        if all(getattr(facts, name) == value for name, value in wanted.items())
    ]


def test_every_row_has_a_name_of_its_own_and_is_reached() -> None:
    assert len({row.name for row in MATRIX}) == len(MATRIX)
    reached = {row.name for _, row in decided()}
    arrivals = {row.name for row in MATRIX if row.seed in {1, 2}}
    assert reached | arrivals == {row.name for row in MATRIX}
    assert not reached & arrivals


def test_the_last_row_always_holds_and_decides_nothing() -> None:
    assert all(MATRIX[-1].holds(facts) for facts, _row in decided())
    assert MATRIX[-1].relation is None
    assert not MATRIX[-1].merge


def test_a_row_merges_or_links_or_does_neither() -> None:
    assert not [row for row in MATRIX if row.merge and row.relation]
    assert all(bool(row.layer) == bool(row.merge or row.relation) for row in MATRIX)


def test_all_six_rows_that_were_asked_for_are_there() -> None:
    assert {row.seed for row in MATRIX} - {None} == {1, 2, 3, 4, 5, 6}
    does = {row.seed: row.merge or row.relation for row in reversed(MATRIX) if row.seed != 2}
    assert does[1] is True
    assert does[3] is Relation.NEAR_DUPLICATE
    assert does[4] is Relation.SAME_TEXT
    assert does[5] is Relation.SAME_EVENT
    assert does[6] is Relation.REVISION


@pytest.mark.parametrize("guid", NO_YES)
@pytest.mark.parametrize("url", NO_YES)
@pytest.mark.parametrize("origin", Origin)
def test_only_one_feed_merges(guid: bool, url: bool, origin: Origin) -> None:
    row = decide(PairFacts(origin, guid=guid, url=url))
    assert row.merge is (origin is Origin.FEED and (guid or url))


@pytest.mark.parametrize(
    ("origin", "texts", "relation"),
    [
        (Origin.SOURCE, Texts.UNKNOWN, Relation.SAME_TEXT),
        (Origin.OTHER, Texts.NEARLY, Relation.SAME_TEXT),
        (Origin.OTHER, Texts.UNKNOWN, Relation.NEAR_DUPLICATE),
    ],
)
def test_an_address_links_feeds(origin: Origin, texts: Texts, relation: Relation) -> None:
    assert decide(PairFacts(origin, url=True, texts=texts)).relation is relation


def test_titles_alone_join_nothing_of_one_publisher() -> None:
    for texts in (Texts.UNKNOWN, Texts.DIFFERENT):
        for facts, relation in where(own=True, texts=texts, event=False):
            assert relation in (None, Relation.REVISION), facts


def test_titles_of_a_series_join_nothing() -> None:
    for facts, relation in where(recurring=True, texts=Texts.DIFFERENT, event=False, lead=False):
        assert relation is None, facts


def test_a_form_filled_in_again_is_nothing_whatever_else_speaks() -> None:
    assert {relation for _, relation in where(template=True)} == {None}


def test_a_revision_is_by_the_publisher_itself_and_within_days() -> None:
    for facts, relation in where():
        if relation is Relation.REVISION:
            assert facts.own, facts
            assert facts.titles is Titles.ALIKE, facts
            assert facts.hours <= 72, facts
            assert facts.texts is not Texts.UNKNOWN, facts
            assert facts.texts < Texts.LARGELY or facts.swapped or facts.again, facts


def test_after_days_only_the_text_and_the_names_speak() -> None:
    for facts, relation in where(hours=80.0, event=False):
        assert relation in (None, Relation.SAME_TEXT), facts


def test_only_texts_that_share_something_are_the_same() -> None:
    for texts in (Texts.UNKNOWN, Texts.DIFFERENT):
        for facts, relation in where(texts=texts):
            assert relation is not Relation.SAME_TEXT, facts


def test_more_of_a_text_in_common_never_parts() -> None:
    """One level up, what was joined stays joined, be it by another row."""
    levels = list(Texts)
    found = {facts: row.relation for facts, row in decided()}
    for facts, row in decided():
        if row.relation in JOINING and facts.texts < Texts.NEARLY:
            higher = levels[facts.texts + 1]
            raised = {**{name: getattr(facts, name) for name in FIELDS}, "texts": higher}
            assert found[PairFacts(**raised)] in JOINING, facts


FIELDS = tuple(PairFacts.__dataclass_fields__)

REPORT = {"saying": 7, "related": True, "hours": 5.0}
ALIKE = {**REPORT, "titles": Titles.ALIKE}


@pytest.mark.parametrize(
    ("facts", "name"),
    [
        pytest.param(PairFacts(Origin.FEED, guid=True, url=True, **ALIKE), "same id", id="1 and 2"),
        pytest.param(
            PairFacts(Origin.OTHER, url=True, **ALIKE, texts=Texts.NEARLY),
            "same address, one publisher or one text",
            id="2, 3 and 4",
        ),
        pytest.param(
            PairFacts(Origin.OTHER, **ALIKE, texts=Texts.MOSTLY),
            "same text under one title",
            id="3 and 4: one text, not only one headline",
        ),
        pytest.param(
            PairFacts(Origin.OTHER, **ALIKE, texts=Texts.DIFFERENT),
            "same headline elsewhere",
            id="3 and 6: another's report is no revision",
        ),
        pytest.param(
            PairFacts(Origin.FEED, **ALIKE, texts=Texts.DIFFERENT),
            "changed report",
            id="6 alone, in one feed",
        ),
        pytest.param(
            PairFacts(Origin.SOURCE, **ALIKE, texts=Texts.DIFFERENT),
            "changed report",
            id="6 alone, in two feeds of one source",
        ),
        pytest.param(
            PairFacts(Origin.UNKNOWN, **ALIKE, texts=Texts.DIFFERENT),
            "nothing",
            id="3 and 6, whose source is not known",
        ),
        pytest.param(
            PairFacts(Origin.OTHER, **ALIKE, texts=Texts.DIFFERENT, event=True),
            "same headline elsewhere",
            id="3 and 5",
        ),
        pytest.param(
            PairFacts(Origin.FEED, **ALIKE, texts=Texts.DIFFERENT, event=True),
            "changed report",
            id="5 and 6",
        ),
        pytest.param(
            PairFacts(Origin.OTHER, **REPORT, texts=Texts.NEARLY, event=True),
            "same text elsewhere",
            id="4 and 5",
        ),
        pytest.param(
            PairFacts(Origin.FEED, **ALIKE, texts=Texts.LARGELY),
            "same text under one title",
            id="4 and 6: half of the words stayed",
        ),
        pytest.param(
            PairFacts(Origin.FEED, **ALIKE, texts=Texts.PARTLY),
            "changed report",
            id="6, a third of the words stayed",
        ),
        pytest.param(
            PairFacts(Origin.FEED, **ALIKE, swapped=True, texts=Texts.MOSTLY),
            "changed report",
            id="4 and 6, one word of the title is another",
        ),
        pytest.param(
            PairFacts(Origin.OTHER, **ALIKE, swapped=True, texts=Texts.MOSTLY),
            "same text under one title",
            id="3 and 4, one word of the title is another",
        ),
        pytest.param(
            PairFacts(Origin.OTHER, **ALIKE, texts=Texts.PARTLY),
            "same text under one title",
            id="3 and nearly 4 elsewhere",
        ),
        pytest.param(
            PairFacts(Origin.OTHER, **REPORT, texts=Texts.LARGELY),
            "shared text elsewhere",
            id="4 in half of the text",
        ),
        pytest.param(
            PairFacts(Origin.OTHER, **REPORT, texts=Texts.PARTLY, lead=True),
            "shared text elsewhere",
            id="4 in the first sentences",
        ),
        pytest.param(
            PairFacts(Origin.FEED, **REPORT, texts=Texts.MOSTLY, lead=True),
            "nothing",
            id="4 in one source under another title: show notes",
        ),
        pytest.param(
            PairFacts(Origin.FEED, **ALIKE, recurring=True, texts=Texts.MOSTLY),
            "next of a series",
            id="4 and 6 in a series",
        ),
        pytest.param(
            PairFacts(Origin.FEED, **ALIKE, recurring=True, texts=Texts.NEARLY),
            "same text again",
            id="one issue of a series twice",
        ),
        pytest.param(
            PairFacts(Origin.OTHER, **ALIKE, recurring=True, texts=Texts.DIFFERENT),
            "nothing",
            id="3 in a series",
        ),
        pytest.param(
            PairFacts(Origin.OTHER, **ALIKE, recurring=True, texts=Texts.MOSTLY),
            "same text elsewhere",
            id="3 and 4 in a series",
        ),
        pytest.param(
            PairFacts(Origin.OTHER, **ALIKE, texts=Texts.UNKNOWN),
            "same headline elsewhere",
            id="3 without texts",
        ),
        pytest.param(
            PairFacts(Origin.OTHER, titles=Titles.ALIKE, saying=5, texts=Texts.UNKNOWN),
            "nothing",
            id="3 without texts, and short",
        ),
        pytest.param(
            PairFacts(Origin.SOURCE, **REPORT, titles=Titles.KIN, event=True),
            "same event",
            id="5 in one source, akin",
        ),
        pytest.param(
            PairFacts(Origin.SOURCE, **REPORT, event=True), "nothing", id="5 in one source"
        ),
        pytest.param(
            PairFacts(Origin.OTHER, **REPORT, template=True, texts=Texts.MOSTLY, event=True),
            "form filled in again",
            id="4 and 5 in a form",
        ),
    ],
)
def test_where_rows_overlap(facts: PairFacts, name: str) -> None:
    assert decide(facts).name == name
