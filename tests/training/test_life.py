"""The life of a reader's model: trained, judged, in force, damaged, gone back from."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest

from newsloom.kernel.errors import UserError
from newsloom.ranking.learning.head import HeadTrainer
from newsloom.reading.values.reading import EventKind
from store.builders import NOW, VECTORS
from training.judging import no_more, scores, two_models
from training.world import NEEDED, LineTrainer, Reversed, trainers

DAY = timedelta(days=1)


# --- before there is a model ---


@pytest.mark.parametrize(
    ("only", "words"),
    [
        pytest.param("nothing", "0 of 20 likes and 0 of 20 dislikes", id="M07 no labels"),
        pytest.param(True, "of 20 likes and 0 of 20 dislikes", id="M08 likes only"),
        pytest.param(False, "0 of 20 likes and", id="M08 dislikes only"),
    ],
)
def test_too_few_labels_are_a_clear_not_yet(world, only, words):
    world.publish(60)
    if only != "nothing":
        world.label(60, only=only)
    service = world.training()
    training = service.train(world.user)
    assert training.words.startswith("Not yet: ")
    assert words in training.words
    assert not training.promoted
    assert not service.active(world.user).model.personal
    assert world.store.models.models(world.user, "relevance") == ()


def test_m07_with_nothing_known_everything_is_worth_the_same(world):
    world.publish(5)
    taste = world.training().active(world.user)
    assert set(scores(taste.model, world)) == {50.0}
    assert (taste.likes, taste.dislikes, taste.problem) == (0, 0, "")


@pytest.mark.parametrize("likes", [5, 25], ids=["too few to train", "every one counts"])
def test_m09_few_likes_among_many_dislikes(world, likes):
    """The rarer class is weighed up; no label is thrown away to balance them."""
    world.publish(600, feeds=30)
    # Over many feeds and days: a burst would be held to be a flood, and made lighter.
    mixed = world.ids[::7] + [one for one in world.ids if one not in set(world.ids[::7])]
    liked = [one for one in mixed if world.tasteful(one)][:likes]
    disliked = [one for one in mixed if not world.tasteful(one)][:200]
    for kind, marked in ((EventKind.LIKE, liked), (EventKind.DISLIKE, disliked)):
        for place, one in enumerate(marked):
            world.store.reading.mark(world.user, [one], kind, NOW + place % 60 * DAY, "test")
    world.now = NOW + 60 * DAY
    head = {"head": HeadTrainer(NEEDED, VECTORS)}
    service = world.training(trainers("head", **head))
    training = service.train(world.user)
    if likes < NEEDED[0]:
        assert training.words == "Not yet: 5 of 20 likes and 200 of 20 dislikes so far."
        return
    assert training.promoted
    (stored,) = service.history(world.user)
    assert dict(stored.metrics)["positives"] == 25
    assert dict(stored.metrics)["negatives"] == 200
    assert "log_loss" in dict(stored.metrics)
    best = np.argsort(scores(service.active(world.user).model, world))[-50:]
    assert np.mean([world.tasteful(world.ids[place]) for place in best]) > 0.9


def test_the_first_model_must_beat_chance(world):
    """Labels without any sense train a head that is kept, but does not rank."""
    world.publish(120)
    draw = np.random.default_rng(11)
    for one in world.ids:
        kind = EventKind.LIKE if draw.random() < 0.5 else EventKind.DISLIKE
        world.store.reading.mark(world.user, [one], kind, world.now, "test")
    service = world.training()
    training = service.train(world.user)
    assert not training.promoted
    assert "rejected" in training.words
    assert not service.active(world.user).model.personal
    (stored,) = service.history(world.user)
    assert stored.promoted is None
    assert "chance" in stored.verdict


def test_a_first_model_that_learned_the_opposite_is_refused(labelled):
    """Its own folds find it in good order; the frozen labels do not."""
    wrong = trainers("reversed", reversed=Reversed("reversed"))
    training = labelled.training(wrong).train(labelled.user)
    assert not training.promoted
    assert "likes below dislikes" in training.words


# --- training again ---


def test_a_training_is_stored_with_its_figures(labelled):
    service = labelled.training()
    training = service.train(labelled.user)
    assert training.promoted
    assert labelled.in_force() == training.model_id
    (stored,) = service.history(labelled.user)
    assert (stored.active, stored.trainer) == (True, "line")
    assert stored.promoted is not None
    assert "labels" in training.words or "likes" in training.words
    (kept,) = labelled.store.models.evaluations(labelled.user)
    assert kept.protocol == "folds", "there is nothing yet to compare it with"
    assert kept.model_id == training.model_id
    assert kept.report["promoted"] is True
    assert kept.report["roc_auc"] > 0.8
    labelled.label(30)
    training = service.train(labelled.user)
    kept, _first = labelled.store.models.evaluations(labelled.user)
    assert kept.protocol == "frozen"
    assert kept.report["roc_auc"] > 0.8
    assert kept.report["before_roc_auc"] > 0.8
    assert kept.report["positives"] + kept.report["negatives"] < 0.3 * 230


def test_a_quick_trainer_ranks_by_all_labels_and_is_judged_without_the_frozen(labelled):
    labelled.training().train(labelled.user)
    stored = labelled.store.models.active_model(labelled.user, "relevance")
    line = LineTrainer()
    whole = line.load(stored)
    judge = line.load(replace(stored, payload=stored.judge, sha256=stored.judge_sha256))
    assert whole.positives + whole.negatives == 200
    assert judge.positives + judge.negatives < 180


def test_a_slow_trainer_trains_once_and_never_in_a_pass(labelled):
    service = labelled.training(trainers(quick=False))
    assert not service.refreshed(labelled.user).personal
    assert service.train(labelled.user).promoted
    stored = labelled.store.models.active_model(labelled.user, "relevance")
    assert stored.judge == b""
    assert stored.judge_sha256 == stored.sha256
    assert dict(stored.metrics)["positives"] + dict(stored.metrics)["negatives"] < 180


def test_with_few_labels_all_train_and_folds_judge(world):
    world.publish(60)
    world.label(60)
    world.training().train(world.user)
    stored = world.store.models.active_model(world.user, "relevance")
    assert stored.judge_sha256 == ""
    assert dict(stored.metrics)["positives"] + dict(stored.metrics)["negatives"] == 60
    (kept,) = world.store.models.evaluations(world.user)
    assert kept.protocol == "folds"


def test_from_folds_to_frozen_labels(world):
    """The first model that nothing was held out of is followed by one that is judged fairly."""
    world.publish(200)
    world.label(60)
    service = world.training()
    service.train(world.user)
    world.label(140)
    assert service.train(world.user).promoted
    protocols = [one.protocol for one in world.store.models.evaluations(world.user)]
    assert protocols == ["folds", "folds"], "the first cannot be judged on what it was trained on"
    service.train(world.user, anyway=True)
    assert world.store.models.evaluations(world.user)[0].protocol == "frozen"


def test_the_same_labels_teach_nothing(labelled):
    service = labelled.training()
    first = service.train(labelled.user)
    again = service.train(labelled.user)
    assert again.words.startswith(f"Nothing new: {first.model_id}")
    assert (again.model_id, again.promoted) == ("", False)
    assert len(service.history(labelled.user)) == 1
    assert labelled.training().train(labelled.user).words == again.words, "in another process too"
    assert service.train(labelled.user, anyway=True).model_id != ""
    assert len(service.history(labelled.user)) == 2


def test_a_pass_trains_again_when_a_twentieth_has_changed(labelled):
    service = labelled.training()
    first = service.refreshed(labelled.user)
    assert first.personal
    labelled.label(10)
    assert service.refreshed(labelled.user).model_id == first.model_id
    labelled.label(1)
    second = service.refreshed(labelled.user)
    assert second.model_id != first.model_id
    assert service.refreshed(labelled.user) is second


class Interrupted(LineTrainer):
    """While it trains, the reader goes on."""

    def __init__(self, meanwhile):
        super().__init__("interrupted")
        object.__setattr__(self, "meanwhile", meanwhile)

    def train(self, labels, vectors, now):
        self.meanwhile()
        return super().train(labels, vectors, now)


def test_labels_given_while_a_pass_trains_are_counted(labelled):
    """The counts of before the training were shown until the next label came."""

    def mark():
        labelled.store.reading.mark(labelled.user, [labelled.ids[-1]], EventKind.LIKE, NOW, "test")

    service = labelled.training(trainers("slow", slow=Interrupted(mark)))
    before = sum(service.dataset(labelled.user).said)
    service.refreshed(labelled.user)
    taste = service.active(labelled.user)
    assert taste.likes + taste.dislikes == before + 1
    assert taste.learned.likes + taste.learned.dislikes == before


def test_too_few_labels_that_can_be_learned_from_are_told_apart_from_those_given(world):
    """An article that was liked before it was encoded teaches nothing yet."""
    world.publish(60)
    world.label(60)
    other = world.training(encoder="another-encoder")
    training = other.train(world.user)
    likes, dislikes = other.dataset(world.user).said
    assert training.words.startswith(
        f"Not yet: of {likes} likes and {dislikes} dislikes, 0 and 0 are usable; "
        "20 and 20 are needed."
    )
    assert training.too_few


def test_what_was_only_noticed_is_counted_apart(labelled):
    labelled.store.reading.mark(
        labelled.user, labelled.ids[-2:], EventKind.FINISHED, labelled.now, "test"
    )
    service = labelled.training()
    service.train(labelled.user)
    learned = service.active(labelled.user).learned
    assert (learned.likes + learned.dislikes, learned.noticed) == (200, 2)


def test_asking_never_trains(labelled):
    assert not labelled.training().active(labelled.user).model.personal
    assert labelled.store.models.models(labelled.user, "relevance") == ()


def test_what_another_process_promotes_is_noticed(labelled):
    serving = labelled.training()
    assert not serving.active(labelled.user).model.personal
    trained = labelled.training().train(labelled.user)
    assert serving.active(labelled.user).model.model_id == trained.model_id
    labelled.training().roll_back(labelled.user)
    assert not serving.active(labelled.user).model.personal


# --- the gate ---


@pytest.mark.parametrize("quick", [True, False], ids=["quick", "slow"])
def test_m06_a_worse_model_is_kept_and_does_not_rank(labelled, quick):
    good = labelled.training(trainers(quick=quick)).train(labelled.user)
    labelled.label(30)
    wrong = trainers("reversed", quick=quick, reversed=Reversed("reversed"))
    bad = labelled.training(wrong).train(labelled.user)
    assert not bad.promoted
    assert "rejected" in bad.words
    assert labelled.in_force() == good.model_id
    newest, oldest = labelled.training().history(labelled.user)
    assert (newest.active, oldest.active) == (False, True)
    assert (newest.trainer, newest.promoted) == ("reversed", None)
    evaluation = labelled.store.models.evaluations(labelled.user, limit=1)[0]
    assert evaluation.report["promoted"] is False
    assert evaluation.report["before_roc_auc"] > evaluation.report["roc_auc"] + 0.3


def test_labels_taken_back_are_unlearned_though_it_costs(labelled):
    """The model that knew them is no standard for the one that must not."""
    labelled.training().train(labelled.user)
    labelled.store.reading.mark(
        labelled.user, labelled.ids[:130], EventKind.UNRATE, labelled.now, "test"
    )
    service = labelled.training()
    model = service.refreshed(labelled.user)
    assert service.history(labelled.user)[0].active
    assert model.positives + model.negatives == 70


def test_a_refused_training_is_not_made_again_by_every_pass(labelled):
    labelled.training().train(labelled.user)
    wrong = labelled.training(trainers("reversed", reversed=Reversed("reversed")))
    for _pass in range(3):
        wrong.refreshed(labelled.user)
    assert len(wrong.history(labelled.user)) == 2


def test_another_trainer_takes_over_when_it_is_not_worse(labelled):
    first = labelled.training().train(labelled.user)
    other = trainers("other", other=LineTrainer("other"))
    service = labelled.training(other)
    assert service.active(labelled.user).model.model_id == first.model_id, "till then"
    assert service.refreshed(labelled.user).personal
    assert service.history(labelled.user)[0].trainer == "other"
    assert service.history(labelled.user)[0].active


# --- going back ---


def test_going_back_ranks_by_the_one_before(labelled):
    first, second = two_models(labelled)
    service = labelled.training()
    back = service.roll_back(labelled.user)
    assert (back.withdrawn, back.in_force) == (second, first)
    assert second in back.words
    assert first in back.words
    assert service.active(labelled.user).model.model_id == first
    assert [one.withdrawn is not None for one in service.history(labelled.user)] == [True, False]


def test_nothing_is_trained_by_itself_after_going_back(labelled):
    first, _second = two_models(labelled)
    service = labelled.training()
    service.roll_back(labelled.user)
    assert service.refreshed(labelled.user).model_id == first
    labelled.label(20)  # more than a twentieth, and the daily training comes
    assert service.refreshed(labelled.user).model_id == first
    labelled.now += DAY
    service.train_due([labelled.user], labelled.now, no_more)
    assert "rolled back" in service.last_training(labelled.user)[1]
    assert "rolled back" in service.train(labelled.user).words
    assert labelled.in_force() == first
    labelled.label(20)
    assert service.refreshed(labelled.user).model_id != first


def test_training_anyway_after_going_back(labelled):
    first, second = two_models(labelled)
    service = labelled.training()
    service.roll_back(labelled.user)
    trained = service.train(labelled.user, anyway=True)
    assert trained.promoted
    assert trained.model_id == second, "the same labels make the same model"
    # And back from that leads to the first again, not to the one gone back from before.
    assert service.roll_back(labelled.user).in_force == first


def test_going_back_from_the_first_model_leads_to_the_prior(labelled):
    service = labelled.training()
    first = service.train(labelled.user)
    back = service.roll_back(labelled.user)
    assert (back.withdrawn, back.in_force) == (first.model_id, "")
    assert not service.refreshed(labelled.user).personal
    with pytest.raises(UserError, match="There is no trained model to roll back"):
        service.roll_back(labelled.user)


# --- the daily training ---


def test_the_daily_training_comes_once_a_day_whatever_restarts(labelled):
    due = labelled.now
    assert labelled.training().train_due([labelled.user], due, no_more) is True
    first = labelled.in_force()
    labelled.label(30)
    labelled.now = due + timedelta(hours=5)
    assert labelled.training().train_due([labelled.user], due, no_more) is False
    assert labelled.in_force() == first
    assert labelled.training().train_due([labelled.user], due + timedelta(hours=2), no_more) is True
    at, words = labelled.training().last_training(labelled.user)
    assert at == labelled.now
    assert "is active from now on" in words


def test_an_unforeseen_failure_is_told_and_ends_nothing(labelled, caplog):
    class Bug(LineTrainer):
        def train(self, labels, vectors, now):
            raise ZeroDivisionError("a bug")

    service = labelled.training(trainers("bug", bug=Bug("bug")))
    assert service.train_due([labelled.user], labelled.now, no_more) is False
    assert "ZeroDivisionError" in service.last_training(labelled.user)[1]


# --- drift ---


def test_m13_drift_is_told_when_the_taste_turns(labelled):
    service = labelled.training(trainers(quick=False))
    service.train(labelled.user)
    assert service.drift(labelled.user) is None
    labelled.label(40)
    steady = service.drift(labelled.user)
    assert not steady.alarming
    # From now on everything pleases.
    for one in labelled.ids[240:]:
        labelled.now += timedelta(minutes=1)
        labelled.store.reading.mark(labelled.user, [one], EventKind.LIKE, labelled.now, "test")
    turned = service.drift(labelled.user)
    assert turned.alarming
    assert "have changed" in turned.words
