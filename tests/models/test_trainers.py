"""Laws over the trainers, and what each says when it cannot be had."""

from __future__ import annotations

import hashlib
import importlib.util
from datetime import UTC, datetime

import numpy as np
import pytest

from newsloom.kernel.errors import ModelError, SettingsError
from newsloom.kernel.ids import ArticleId, FeedId
from newsloom.kernel.settings import CHOICES, RankingSettings, Settings, TrainingSettings
from newsloom.ranking.encoders.registry import TRAINERS, Workplace, needed, trainer, trainer_row
from newsloom.ranking.values.models import ArticleText, Label, NotYet, StoredModel

NOW = datetime(2026, 11, 21, tzinfo=UTC)
DIMENSIONS = 16
# The trainer that needs torch has its own tests, with networks small enough to train.
HERE = [row for row in TRAINERS if row.quick]


@pytest.fixture
def place(tmp_path):
    return Workplace(TrainingSettings(), (20, 20), "tiny", tmp_path / "weights")


def labels(count):
    """What is liked has one word more, and points another way."""
    draw = np.random.default_rng(1)
    rows = draw.standard_normal((count, DIMENSIONS)).astype(np.float32)
    liked = np.arange(count) % 2 == 0
    rows[liked, 0] += 2.0
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    made = [
        Label(
            ArticleText(
                ArticleId(number),
                f"{'harbour' if liked[number] else 'oven'} news {number % 7}",
                "",
                "a.test",
                "en",
                NOW,
                FeedId(1),
            ),
            "",
            bool(liked[number]),
            NOW,
        )
        for number in range(count)
    ]
    return made, rows, liked


def scores(model, made, rows):
    return model.score([one.article for one in made], rows, [""] * len(made))


@pytest.mark.parametrize("row", TRAINERS, ids=lambda row: row.name)
def test_the_least_labels_of_a_row_are_those_its_trainer_asks_for(row, tmp_path):
    """Or the pages would promise a model from 5 labels that the trainer makes from 10."""
    one = row.make(Workplace(TrainingSettings(), (1, 1), "tiny", tmp_path))
    early = one.train([], np.zeros((0, DIMENSIONS), np.float32), NOW)
    assert early == NotYet(0, 0, (row.least, row.least))
    assert needed(RankingSettings(min_likes=2, min_dislikes=30), row.name) == (row.least, 30)


def test_the_settings_offer_exactly_the_trainers():
    assert CHOICES["training.trainer"] == tuple(row.name for row in TRAINERS)
    assert Settings().training.trainer == TRAINERS[0].name


@pytest.mark.parametrize("row", TRAINERS, ids=lambda row: row.name)
def test_a_row_makes_the_trainer_it_names(row, place):
    made = row.make(place)
    assert made.name == row.name
    assert trainer(row.name, place).name == row.name
    assert row.words
    assert not place.folder.exists(), "nothing is made before it is used"


@pytest.mark.parametrize("row", TRAINERS, ids=lambda row: row.name)
def test_too_few_labels_are_not_yet_for_any(row, place):
    made, rows, _ = labels(30)
    assert row.make(place).train(made, rows, NOW) == NotYet(15, 15, (20, 20))
    assert row.make(place).train([], rows[:0], NOW) == NotYet(0, 0, (20, 20))


@pytest.mark.parametrize("row", HERE, ids=lambda row: row.name)
def test_a_trained_model_ranks_and_comes_back_from_its_bytes(row, place):
    made, rows, liked = labels(80)
    model = row.make(place).train(made, rows, NOW)
    found = scores(model, made, rows)
    assert found[liked].mean() > found[~liked].mean() + 20
    payload = model.to_payload()
    kept = StoredModel(
        model.model_id, "relevance", payload, hashlib.sha256(payload).hexdigest(), NOW
    )
    again = row.make(place).load(kept)
    assert (scores(again, made, rows) == found).all()
    assert (again.model_id, again.metrics) == (model.model_id, model.metrics)
    assert {"roc_auc", "log_loss"} <= dict(model.metrics).keys()


@pytest.mark.parametrize("row", HERE, ids=lambda row: row.name)
def test_the_same_labels_give_the_same_model(row, place):
    made, rows, _ = labels(80)
    ids = {row.make(place).train(made, rows, NOW).model_id for _ in range(2)}
    assert len(ids) == 1


@pytest.mark.parametrize("row", HERE, ids=lambda row: row.name)
def test_scores_are_shares_of_a_hundred_and_reasons_are_points(row, place):
    made, rows, _ = labels(80)
    model = row.make(place).train(made, rows, NOW)
    found = scores(model, made, rows)
    assert ((found > 0) & (found < 100)).all()
    for reason in model.parts(made[0].article, rows[0], ""):
        assert -100 <= reason.effect <= 100


@pytest.mark.parametrize("row", HERE, ids=lambda row: row.name)
def test_bytes_of_another_hash_are_refused(row, place):
    with pytest.raises(ModelError, match="hash"):
        row.make(place).load(StoredModel("", "relevance", b"{}", "0" * 64, NOW))


@pytest.mark.skipif(importlib.util.find_spec("torch") is not None, reason="torch is here")
def test_without_torch_it_is_said_how_to_get_it(place):
    made, rows, _ = labels(80)
    tuner = trainer("modernbert", place)
    with pytest.raises(ModelError, match=r"pip install 'newsloom\[fine-tuning\]'"):
        tuner.train(made, rows, NOW)
    with pytest.raises(ModelError, match=r"pip install 'newsloom\[fine-tuning\]'"):
        tuner.load(StoredModel("", "relevance", b"{}", "0" * 64, NOW))


@pytest.mark.parametrize(
    ("name", "words"),
    [("tfidf_svm", "Did you mean tfidf-svm?"), ("ModernBERT", "Did you mean modernbert?")],
)
def test_an_unknown_name_is_a_wrong_setting(name, words):
    with pytest.raises(SettingsError, match=r"training\.trainer") as caught:
        trainer_row(name)
    assert str(caught.value).endswith(words)
