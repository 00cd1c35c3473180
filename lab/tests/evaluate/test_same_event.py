"""Choosing pairs, and ranking them."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.kernel.errors import UserError
from newsloom.ranking.encoders.registry import embedder
from newsloom.ranking.measure.articles import LabelledArticle, read_articles
from newsloom.ranking.ports import Vectors
from newsloom_lab.evaluate.same_event import (
    pairs_from,
    read_pairs,
    run,
)


def articles(*stories: str) -> list[LabelledArticle]:
    return [
        LabelledArticle(str(place), f"word{story} word{place} common", story=story)
        for place, story in enumerate(stories)
    ]


@given(st.lists(st.sampled_from("abcdef"), min_size=3, max_size=25))
def test_pairs_are_all_same_story_ones_and_others_once(stories):
    if len(set(stories)) < 2 or len(set(stories)) == len(stories):
        return
    made = pairs_from(articles(*stories))
    pairs = [tuple(pair) for pair in made.pairs.tolist()]
    assert len(set(pairs)) == len(pairs)
    assert all(one < other for one, other in pairs)
    assert [stories[one] == stories[other] for one, other in pairs] == made.same.tolist()
    n = len(stories)
    together = {
        (one, other)
        for one in range(n)
        for other in range(one + 1, n)
        if stories[one] == stories[other]
    }
    assert together == set(pairs[: len(together)])


def test_pairs_are_the_same_every_time():
    stories = articles(*"aabbccddeeffgg" * 5)
    assert np.array_equal(pairs_from(stories).pairs, pairs_from(stories).pairs)


def test_a_hard_partner_shares_rare_words_and_not_the_story():
    others = [LabelledArticle(str(n), f"filler{n} plain{n}", story=f"s{n}") for n in range(60)]
    look_alikes = [
        LabelledArticle("x", "Krakatoa erupts", story="x"),
        LabelledArticle("y", "Krakatoa revisited", story="y"),
        LabelledArticle("z", "Twin", story="x"),
    ]
    made = pairs_from([*others, *look_alikes])
    assert [60, 61] in made.pairs.tolist()


def test_articles_without_a_story_are_left_out():
    made = pairs_from([*articles("a", "a", "b"), LabelledArticle("9", "No story")])
    assert len(made.articles) == 3


@pytest.mark.parametrize(
    "stories", [(), ("a",), ("a", "a"), ("a", "b")], ids=["none", "one", "one story", "no two"]
)
def test_too_little_to_measure_is_said(stories):
    with pytest.raises(UserError, match="two stories or more"):
        pairs_from(articles(*stories))


class OneHot:
    """Each distinct first word is a direction of its own."""

    model_id = "one-hot@1"
    dimensions = 64

    def embed(self, texts: Sequence[str]) -> Vectors:
        vectors = np.zeros((len(texts), 64), np.float32)
        for row, text in zip(vectors, texts, strict=True):
            row[sum(text.split()[0].encode()) % 64] = 1
        return vectors


def test_an_encoder_that_knows_the_story_ranks_perfectly():
    report = run(OneHot(), pairs_from(articles(*"aabbccdd")))
    assert (report.roc_auc, report.average_precision) == (1, 1)
    assert (report.articles, report.same, report.model_id) == (8, 4, "one-hot@1")
    assert report.pairs > report.same


def test_the_text_an_encoder_sees_can_be_prepared_otherwise():
    pairs = pairs_from(articles(*"aabbccdd"))
    assert run(OneHot(), pairs, lambda _title, _body: "nothing").roc_auc == 0.5


def line(same: object, a: object = None, b: object = None) -> str:
    one, other = a or {"id": "1", "title": "one"}, b or {"id": "2", "title": "two"}
    return json.dumps({"a": one, "b": other, "same": same})


def test_pairs_are_read(tmp_path: Path):
    path = tmp_path / "pairs.jsonl"
    path.write_text(f"{line(True)}\n{line(False)}\n", encoding="utf-8")
    made = read_pairs(path)
    assert [one.title for one in made.articles] == ["one", "two", "one", "two"]
    assert made.pairs.tolist() == [[0, 1], [2, 3]]
    assert made.same.tolist() == [True, False]
    assert isinstance(run(OneHot(), made).roc_auc, float)


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ([line(True), line("yes")], 'line 2: "same" must be true or false'),
        ([line(True), '{"same": true}'], 'line 2: "a" and "b" must each be an article'),
        ([line(True, b={"title": "x"})], 'line 1 "b": there is no "id"'),
        ([line(True)], "pairs of one event and pairs of two"),
        ([], "pairs of one event and pairs of two"),
    ],
    ids=["same", "no articles", "no id", "one class", "empty"],
)
def test_bad_pairs_are_named(tmp_path: Path, lines, words: str):
    path = tmp_path / "pairs.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(UserError, match=words):
        read_pairs(path)


def test_the_shipped_encoder_ranks_real_look_alikes(shared: Path):
    """fp32 scores .94 on the whole set; 150 articles and their heads keep this short."""
    whole = read_articles(shared / "data" / "stories" / "ecbplus_a.jsonl")[:150]
    articles = [replace(one, text=one.text[:200]) for one in whole]
    encoder = embedder("minilm-int8")
    report = run(encoder, pairs_from(articles), lambda title, text: f"{title} {text[:100]}")
    assert report.roc_auc > 0.85
