"""Groups of articles from links: the same whatever the order, never what a reader has parted."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.duplicates.union_find import Member, Position, fullest, group
from newsloom.duplicates.values import Evidence, Link, Relation
from newsloom.kernel.ids import ArticleId

SAME, NEAR, EVENT, REVISED = (
    Relation.SAME_TEXT,
    Relation.NEAR_DUPLICATE,
    Relation.SAME_EVENT,
    Relation.REVISION,
)


def link(a: int, b: int, relation: Relation = SAME) -> Link:
    return Link(
        ArticleId(max(a, b)), ArticleId(min(a, b)), relation, (Evidence("title", 0.9, "alike"),)
    )


def placed(links, apart=()):
    found = group(links, apart)
    return {one: (position.cluster, position.text) for one, position in found.items()}


@pytest.mark.parametrize(
    ("links", "apart", "places"),
    [
        pytest.param([], [], {}, id="no links"),
        pytest.param([link(1, 2)], [], {1: (1, 1), 2: (1, 1)}, id="one text"),
        pytest.param([link(1, 2, EVENT)], [], {1: (1, 1), 2: (1, 2)}, id="one event"),
        pytest.param([link(1, 2, NEAR)], [], {1: (1, 1), 2: (1, 2)}, id="one headline"),
        pytest.param([link(1, 2, REVISED)], [], {}, id="a revision stays by itself"),
        pytest.param(
            [link(2, 3), link(3, 5, EVENT), link(5, 8)],
            [],
            {2: (2, 2), 3: (2, 2), 5: (2, 5), 8: (2, 5)},
            id="two texts of one event",
        ),
        pytest.param(
            [link(1, 9), link(9, 4), link(4, 2)],
            [],
            {1: (1, 1), 2: (1, 1), 4: (1, 1), 9: (1, 1)},
            id="a chain of copies",
        ),
        pytest.param([link(1, 2)], [(2, 1)], {}, id="parted"),
        pytest.param(
            [link(1, 2), link(2, 3, EVENT)],
            [(3, 1)],
            {1: (1, 1), 2: (1, 1)},
            id="parted at the weaker link",
        ),
        pytest.param(
            [link(1, 2, EVENT), link(2, 3)],
            [(3, 1)],
            {2: (2, 2), 3: (2, 2)},
            id="parted at the weaker link, the other way round",
        ),
        pytest.param(
            [link(1, 2), link(2, 3), link(1, 3)],
            [(3, 1), (3, 2)],
            {1: (1, 1), 2: (1, 1)},
            id="one taken out of three",
        ),
    ],
)
def test_places(links, apart, places):
    assert placed(links, apart) == places


pairs = st.tuples(st.integers(1, 12), st.integers(1, 12)).filter(lambda pair: pair[0] != pair[1])
some_links = st.lists(
    st.builds(lambda pair, how: link(*pair, how), pairs, st.sampled_from(Relation))
)
some_apart = st.sets(pairs.map(lambda pair: (max(pair), min(pair))), max_size=6)


@given(some_links, some_apart, st.randoms(use_true_random=False))
def test_the_order_of_links_is_nothing(links, apart, draw):
    shuffled = [*links, *links[:3]]
    draw.shuffle(shuffled)
    assert group(shuffled, [*apart]) == group(links, apart)


@given(some_links, some_apart)
def test_nobody_stands_with_whom_a_reader_has_parted(links, apart):
    found = group(links, apart)
    for a, b in apart:
        if a in found and b in found:
            assert found[a].cluster != found[b].cluster
            assert found[a].text != found[b].text


@given(some_links, some_apart)
def test_each_group_is_named_by_its_least_and_texts_lie_within_clusters(links, apart):
    found = group(links, apart)
    for one, position in found.items():
        assert position.cluster <= position.text <= one
        assert found[position.cluster].cluster == position.cluster
        assert found[position.text] == Position(position.cluster, position.text)


@given(some_links)
def test_whoever_is_linked_stands_together(links):
    found = group(links)
    for one in links:
        if one.relation.joins:
            assert found[one.article].cluster == found[one.other].cluster
        if one.relation is SAME:
            assert found[one.article].text == found[one.other].text
    joined = {one for link in links if link.relation.joins for one in (link.article, link.other)}
    assert found.keys() == joined


def test_ten_thousand_copies_are_one_text():
    members = list(range(1, 10_001))
    random.Random(4).shuffle(members)
    chain = [link(a, b) for a, b in pairwise(members)]
    found = group(chain, [(ArticleId(20_001), ArticleId(20_000))])
    assert len(found) == 10_000
    assert set(found.values()) == {Position(ArticleId(1), ArticleId(1))}


NOON = datetime(2026, 3, 3, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("members", "first"),
    [
        pytest.param([(1, 10, 0), (2, 30, 9), (3, 20, 1)], 2, id="the longest"),
        pytest.param([(1, 10, 5), (2, 10, 1)], 2, id="the earliest of equally long ones"),
        pytest.param([(7, 10, 1), (2, 10, 1)], 2, id="the first stored of equal ones"),
        pytest.param([(5, 0, 0)], 5, id="alone"),
    ],
)
def test_which_stands_for_a_group(members, first):
    made = [Member(ArticleId(one), size, NOON + timedelta(hours=h)) for one, size, h in members]
    assert fullest(made).id == first
    assert fullest(reversed(made)).id == first
