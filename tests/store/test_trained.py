"""Trained models and their figures: one in force, a history that does not grow, one winner."""

from __future__ import annotations

import multiprocessing
from contextlib import closing
from dataclasses import replace
from datetime import timedelta

import pytest

import preloaded
from newsloom.ranking.store.trained import HISTORY
from newsloom.ranking.values.models import StoredModel

from .builders import HOUR, NOW

KIND = "relevance"


def model(name, kind=KIND, **more):
    return StoredModel(name, kind, bytes(range(256)), "sha", NOW, **more)


def promoted(name, at=NOW, **more):
    return model(name, promoted=at, **more)


def names(store, user, kind=KIND):
    return [one.model_id for one in store.models.models(user, kind)]


def in_force(store, user, kind=KIND):
    found = store.models.active_model(user, kind)
    return None if found is None else found.model_id


def test_a_promoted_model_is_in_force_as_it_was_kept(store, reader):
    assert store.models.active_model(reader, KIND) is None
    assert store.models.model_in_force(reader, KIND) is None
    first = promoted(
        "first",
        metrics=(("roc_auc", 0.75), ("labels", 40.0)),
        trainer="tfidf-svm",
        verdict="it is the first",
        made_of="head 7",
        judge=b"{}",
        judge_sha256="other",
    )
    number = store.models.promote_model(reader, first, instead_of=None)
    kept = replace(first, active=True, id=number)
    assert store.models.active_model(reader, KIND) == kept
    assert store.models.model_in_force(reader, KIND) == number
    assert store.models.model(reader, number) == kept
    assert store.models.models(reader, KIND) == (replace(kept, payload=b"", judge=b""),)


def test_a_promotion_knows_what_it_replaces_or_keeps_nothing(store, reader):
    first = store.models.promote_model(reader, promoted("first"), instead_of=None)
    assert store.models.promote_model(reader, promoted("late"), instead_of=None) is None
    second = store.models.promote_model(reader, promoted("second"), instead_of=first)
    assert store.models.promote_model(reader, promoted("late"), instead_of=first) is None
    assert store.models.model_in_force(reader, KIND) == second
    assert names(store, reader) == ["second", "first"]


def test_a_refused_model_is_kept_and_changes_nothing(store, reader):
    store.models.promote_model(reader, promoted("first"), instead_of=None)
    refused = store.models.keep_model(reader, model("worse", verdict="worse"))
    assert in_force(store, reader) == "first"
    assert store.models.model(reader, refused).verdict == "worse"
    assert store.models.model(reader, refused).promoted is None


def test_going_back_withdraws_and_names_what_it_saw(store, reader):
    first = store.models.promote_model(reader, promoted("first"), instead_of=None)
    second = store.models.promote_model(reader, promoted("second"), instead_of=first)
    assert not store.models.withdraw_model(reader, KIND, first, NOW, to=None), "it is not in force"
    assert store.models.withdraw_model(reader, KIND, second, NOW + HOUR, to=first)
    assert in_force(store, reader) == "first"
    assert store.models.model(reader, second).withdrawn == NOW + HOUR
    assert store.models.withdraw_model(reader, KIND, first, NOW, to=None)
    assert in_force(store, reader) is None


def test_the_history_keeps_what_one_can_go_back_to(store, reader):
    numbers = [None]
    for day in range(3):
        at = NOW + timedelta(days=day)
        numbers.append(
            store.models.promote_model(reader, promoted(f"good {day}", at), instead_of=numbers[-1])
        )
    # Gone back from: of the good ones the second is in force and the first is before it.
    store.models.withdraw_model(reader, KIND, numbers[3], NOW, to=numbers[2])
    for number in range(HISTORY + 5):
        store.models.keep_model(reader, model(f"refused {number}"))
    newest = [f"refused {number}" for number in reversed(range(5, HISTORY + 5))]
    assert names(store, reader) == [*newest, "good 1", "good 0"]
    assert in_force(store, reader) == "good 1"


def test_models_stand_by_reader_and_kind(store, reader):
    other = store.users.user("other", NOW)
    mine = store.models.promote_model(reader, promoted("mine"), instead_of=None)
    store.models.promote_model(reader, promoted("else", kind="else"), instead_of=None)
    assert in_force(store, other) is None
    assert store.models.model(other, mine) is None
    assert names(store, reader) == ["mine"]
    assert names(store, reader, "else") == ["else"]
    assert not store.models.withdraw_model(other, KIND, mine, NOW, to=None)


def promote(backend, path, user, name, start, pipe):
    """In a process of its own: put a model in force instead of none, at the sign."""
    with closing(backend.open(path)) as store:
        pipe.send("ready")
        start.wait()
        pipe.send(store.models.promote_model(user, promoted(name), instead_of=None))


@pytest.mark.each_sqlite
def test_of_two_trainings_at_once_one_wins(backend, path):
    with closing(backend.open(path)) as store:
        user = store.users.user("reader", NOW)
    starter = multiprocessing.get_context("forkserver")
    starter.set_forkserver_preload([*preloaded.STORE, __name__])
    start = starter.Event()
    running = []
    for name in ("one", "other"):
        ours, theirs = starter.Pipe(duplex=False)
        process = starter.Process(target=promote, args=(backend, path, user, name, start, theirs))
        process.start()
        running.append((process, ours))
    assert [pipe.recv() for _process, pipe in running] == ["ready", "ready"]
    start.set()
    came = [pipe.recv() for _process, pipe in running]
    for process, _pipe in running:
        process.join()
    assert sorted(number is None for number in came) == [False, True]
    with closing(backend.open(path)) as store:
        assert store.models.model_in_force(user, KIND) == next(
            one for one in came if one is not None
        )
        assert len(store.models.models(user, KIND)) == 1


def test_a_days_training_is_claimed_once(store, reader):
    due = NOW - HOUR
    assert store.models.last_training(reader) == (None, "")
    assert store.models.claim_training(reader, due, NOW)
    assert not store.models.claim_training(reader, due, NOW + HOUR)
    store.models.tell_training(reader, "Not yet.")
    assert store.models.last_training(reader) == (NOW, "Not yet.")
    assert store.models.claim_training(reader, NOW + 23 * HOUR, NOW + 24 * HOUR)


def test_figures_are_kept_newest_first(store, reader):
    for number, protocol in enumerate(("folds", "frozen", "folds")):
        report = {"roc_auc": 0.5 + number / 10, "curve": [[0.0, 1.0]], "words": "fine"}
        store.models.add_evaluation(reader, NOW + number * HOUR, f"m{number}", protocol, report)
    assert [one.model_id for one in store.models.evaluations(reader)] == ["m2", "m1", "m0"]
    assert [one.model_id for one in store.models.evaluations(reader, "folds")] == [
        "m2",
        "m0",
    ]
    (last,) = store.models.evaluations(reader, limit=1)
    assert (last.at, last.protocol, last.report["curve"]) == (NOW + 2 * HOUR, "folds", [[0.0, 1.0]])
    assert store.models.evaluations(store.users.user("other", NOW)) == ()


@pytest.mark.parametrize("damage", ["two in force"])
def test_the_database_itself_refuses(store, reader, damage):
    from sqlalchemy import update

    from newsloom.kernel.errors import StoreError
    from newsloom.ranking.store.tables import models

    store.models.promote_model(reader, promoted("one"), instead_of=None)
    store.models.keep_model(reader, model("other"))
    with pytest.raises(StoreError), store.database.write() as connection:
        connection.execute(update(models).values(active=True))
