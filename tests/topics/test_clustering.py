"""The algorithms: against plain ones, on what is degenerate, and on what is large."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from newsloom.topics import dbscan as module
from newsloom.topics.dbscan import dbscan
from newsloom.topics.grouping import ALGORITHMS, Stream, estimated, online
from newsloom.topics.tfidf import EMPTY, SPEAKING, Idf, heaviest, matrix, shipped
from newsloom.topics.ward import ward

rows = st.lists(
    st.dictionaries(st.sampled_from("abcdefgh"), st.floats(0.1, 9), max_size=5), max_size=25
)


def dense(made):
    """The same rows as a dense matrix."""
    found = np.zeros((len(made), len(made.names)))
    for place in range(len(made)):
        columns, values = made.row(place)
        found[place, columns] = values
    return found


def plainly(made, eps, least):
    """DBSCAN by its definition, over all pairs."""
    whole = dense(made)
    near = whole @ whole.T >= 1 - eps - 1e-6
    core = (near.sum(1) >= least) & near.diagonal()
    labels, following = [-1] * len(made), 0
    for start in range(len(made)):
        if labels[start] != -1 or not core[start]:
            continue
        queue, labels[start] = [start], following
        while queue:
            for other in np.flatnonzero(near[queue.pop(0)]):
                if labels[other] == -1:
                    labels[other] = following
                    if core[other]:
                        queue.append(other)
        following += 1
    return labels


@settings(max_examples=150)
@given(made=rows, eps=st.sampled_from([0.1, 0.4, 0.6, 0.9]), least=st.integers(2, 4))
def test_dbscan_finds_what_its_definition_says(made, eps, least):
    found = matrix(made)
    whole = dense(found)
    close = np.abs(whole @ whole.T - (1 - eps))
    if len(made) and close.min() < 1e-5:
        return  # rounding may decide
    assert dbscan(found, eps, least).tolist() == plainly(found, eps, least)


def test_dbscan_is_scikit_learns():
    cluster = pytest.importorskip("sklearn.cluster", reason="scikit-learn comes with the lab")
    generator = np.random.default_rng(7)
    made = [
        {f"t{one}": 1.0 + generator.random() for one in generator.zipf(1.6, 30) if one < 500}
        for _ in range(400)
    ]
    found = matrix(made)
    peer = cluster.DBSCAN(eps=0.4, min_samples=2, metric="cosine").fit(dense(found))
    assert dbscan(found, 0.4).tolist() == peer.labels_.tolist()


@pytest.mark.parametrize(
    ("name", "value"),
    [("PRODUCTS", 50), ("CELLS", 900), ("FEWEST", 1), ("PAIRS", 3)],
)
@pytest.mark.parametrize("eps", [0.2, 0.6, 0.9])
def test_the_labels_are_the_same_in_blocks_of_any_size(monkeypatch, name, value, eps):
    generator = np.random.default_rng(11)
    made = [
        {f"t{one}": 1.0 + generator.random() for one in generator.zipf(1.5, 12) if one < 300}
        for _ in range(200)
    ]
    found = matrix(made)
    monkeypatch.setattr(module, name, value)
    assert dbscan(found, eps, 3).tolist() == plainly(found, eps, 3)


def test_a_pair_on_the_edge_is_near():
    made = [{"a": 4.0, "b": 3.0}, {"a": 1.0}, {"b": 1.0}]  # cosines of .8 and .6
    assert dbscan(matrix(made), 0.2).tolist() == [0, 0, -1]
    assert dbscan(matrix(made), 0.4).tolist() == [0, 0, 0]
    assert dbscan(matrix(made), 0.399999).tolist() == [0, 0, -1]


@settings(max_examples=40)
@given(made=rows, k=st.integers(1, 6))
def test_ward_gives_so_many_as_one_asks_for(made, k):
    found = ward(matrix(made), k)
    assert len(set(found.tolist())) == min(k, len(made))


@settings(max_examples=40)
@given(made=rows, groups=st.lists(st.integers(-1, 3), min_size=25, max_size=25))
def test_what_is_joined_beforehand_stays_together(made, groups):
    groups = groups[: len(made)]
    found = ward(matrix(made), 0, groups).tolist()
    for number in set(groups) - {-1}:
        assert len({one for one, group in zip(found, groups, strict=True) if group == number}) == 1


@settings(max_examples=40)
@given(made=rows)
def test_dot_products_of_all_rows_are_those_of_dense_ones(made):
    found = matrix(made)
    whole = dense(found).astype(np.float64)
    assert np.allclose(found.gram(), whole @ whole.T, atol=1e-6)


def test_ward_joins_what_is_near_where_no_number_is_asked_for():
    made = [{"a": 4.0, "b": 3.0}, {"a": 1.0}, {"c": 1.0}, {"c": 1.0, "d": 0.1}]
    assert ward(matrix(made)).tolist() == [0, 0, 1, 1]


def test_ward_is_scipys():
    hierarchy = pytest.importorskip("scipy.cluster.hierarchy", reason="scipy comes with the lab")
    generator = np.random.default_rng(3)
    made = [{f"t{one}": generator.random() for one in range(12)} for _ in range(60)]
    found = matrix(made)
    tree = hierarchy.linkage(dense(found), method="ward")
    for k in (2, 5, 11):
        peer = hierarchy.fcluster(tree, k, criterion="maxclust")
        ours = ward(found, k)
        assert len(set(zip(ours.tolist(), peer.tolist(), strict=True))) == k


def test_a_stream_has_no_more_topics_than_it_may():
    stream = Stream(2)
    places = [stream.add({name: 1.0}) for name in ("a", "b", "a", "c", "b")]
    assert places[:3] == [0, 1, 0]
    assert places[4] == 1
    assert len(stream.centres) == 2


@pytest.mark.parametrize("way", ALGORITHMS, ids=lambda one: one.name)
@pytest.mark.parametrize(
    "made",
    [
        pytest.param([], id="an empty window"),
        pytest.param([{"a": 1.0}], id="one article"),
        pytest.param([{}], id="one without terms"),
        pytest.param([{}] * 5, id="none has terms"),
        pytest.param([{"a": 1.0}] * 5_000, id="five thousand copies"),
        pytest.param([{f"t{one}": 1.0} for one in range(300)], id="nothing in common"),
    ],
)
def test_what_is_degenerate(way, made):
    found = way.cluster(matrix(made), 0, ())
    assert len(found) == len(made)
    if made and made[0] and made[0] == made[-1]:
        assert len(set(found.tolist())) == 1
    assert found.tolist() == way.cluster(matrix(made), 0, ()).tolist()


def test_an_empty_row_is_in_no_topic():
    assert dbscan(matrix([{}, {}, {"a": 1.0}, {"a": 2.0}])).tolist() == [-1, -1, 0, 0]


def test_only_the_heaviest_terms_speak():
    row = {f"t{one:03}": float(one + 1) for one in range(200)}
    assert len(heaviest(row)) == SPEAKING
    assert min(heaviest(row).values()) == 200 - SPEAKING + 1


def test_the_rarest_terms_weigh_most():
    idf = Idf(100, {"common": 90, "rare": 2})
    assert idf.weight("never") > idf.weight("rare") > idf.weight("common") > 0
    assert idf.weighted({"rare": 3})["rare"] > idf.weighted({"rare": 1})["rare"]
    assert EMPTY.weight("x") == 1.0


def test_a_week_is_merged_into_the_background():
    idf = Idf(100, {"a": 50, "b": 1}).merged(10, {"a": 1, "c": 5}, share=0.5)
    assert (idf.articles, dict(idf.counts)) == (60, {"a": 26, "c": 5})


def test_the_shipped_background_knows_common_words():
    assert shipped().articles > 10_000
    assert shipped().weight("presid") < shipped().weight("photosynthesi")


def test_how_many_topics_a_stream_is_given():
    assert estimated(0) == 8
    assert estimated(20_000) == 100
    assert len(set(online(matrix([{"a": 1.0}, {"b": 1.0}]), 0).tolist())) == 2
