"""Models that are damaged, or cannot be used: another answers, and nothing is lost."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import numpy as np
import pytest
from sqlalchemy import update

from newsloom.ranking.store.tables import models
from store.builders import VECTORS
from training.judging import no_more, scores, two_models
from training.world import Faulty, LineTrainer, trainers


def change(labelled, **values):
    """Change the model in force in the database."""
    with labelled.store.database.write() as connection:
        connection.execute(update(models).where(models.c.active).values(**values))


DAMAGES = {
    "M02 a byte flipped": lambda payload: {"payload": b"[" + payload[1:]},
    "cut short": lambda payload: {"payload": payload[: len(payload) // 2]},
    "nothing left": lambda _payload: {"payload": b""},
    "another format, hash and all": lambda _payload: {
        "payload": b"[]",
        "sha256": hashlib.sha256(b"[]").hexdigest(),
    },
    "of a trainer that is not here": lambda _payload: {"trainer": "oracle"},
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_model_gives_way_to_the_one_before(labelled, caplog, damage):
    first, second = two_models(labelled)
    stored = labelled.store.models.active_model(labelled.user, "relevance")
    change(labelled, **damage(stored.payload))
    taste = labelled.training().active(labelled.user)
    assert taste.model.model_id == first
    assert taste.problem.startswith(f"{second} cannot be used: ")
    assert first in caplog.text
    # The next pass makes a good one again, though the labels are the same.
    model = labelled.training().refreshed(labelled.user)
    assert model.personal
    assert labelled.in_force() == model.model_id
    assert labelled.training().active(labelled.user).problem == ""


def test_m02_every_byte_is_guarded(labelled):
    labelled.training().train(labelled.user)
    stored = labelled.store.models.active_model(labelled.user, "relevance")
    line = LineTrainer()
    for place in range(0, len(stored.payload), 97):
        payload = bytearray(stored.payload)
        payload[place] ^= 1
        with pytest.raises(Exception, match="damaged"):
            line.load(replace(stored, payload=bytes(payload)))


def test_with_all_models_damaged_the_prior_answers(labelled):
    two_models(labelled)
    with labelled.store.database.write() as connection:
        connection.execute(update(models).values(payload=b"\x80\x04."))
    taste = labelled.training().active(labelled.user)
    assert not taste.model.personal
    assert "cannot be used" in taste.problem
    assert np.isfinite(scores(taste.model, labelled)).all()


def test_a_model_of_another_encoder_is_passed_over(labelled):
    labelled.training().train(labelled.user)
    known = labelled.store.articles.vectors(VECTORS, labelled.ids)
    labelled.store.articles.put_vectors("larger@1", list(known), np.array(list(known.values())))
    larger = trainers(line=LineTrainer(vector_model="larger@1"))
    service = labelled.training(larger, encoder="larger@1")
    taste = service.active(labelled.user)
    assert not taste.model.personal
    assert f"it needs vectors of {VECTORS}, not larger@1" in taste.problem
    assert service.refreshed(labelled.user).personal, "and the next pass trains for it"


def test_m14_a_model_that_stops_scoring_gives_way_within_a_pass(labelled):
    first, second = two_models(labelled)
    service = labelled.training()
    assert service.active(labelled.user).model.model_id == second
    service.broken(labelled.user, second, "the device is gone")
    taste = service.active(labelled.user)
    assert taste.model.model_id == first
    assert taste.problem == f"{second} cannot be used: the device is gone"


def test_m14_a_trainer_without_its_files_leaves_the_ranking_alone(labelled):
    good = labelled.training().train(labelled.user)
    service = labelled.training(trainers("faulty", faulty=Faulty("faulty")))
    labelled.label(30)
    assert service.train_due([labelled.user], labelled.now, no_more) is False
    assert service.active(labelled.user).model.model_id == good.model_id
    _at, words = service.last_training(labelled.user)
    assert words == "Training failed: the device ran out of memory"
