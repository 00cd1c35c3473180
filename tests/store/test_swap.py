"""kill -9 at every step of putting a model in force and of going back: the old or the new."""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import random
import signal
import time
from contextlib import closing, suppress

import pytest
from sqlalchemy import event, text

import preloaded
from newsloom.ranking.values.models import StoredModel

from .builders import HOUR, NOW

pytestmark = pytest.mark.each_sqlite

KIND = "relevance"
ROUNDS = 50

processes = multiprocessing.get_context("forkserver")
processes.set_forkserver_preload([*preloaded.STORE, __name__])


def model(name):
    payload = f"{name} ".encode() * 5_000
    digest = hashlib.sha256(payload).hexdigest()
    return StoredModel(name, KIND, payload, digest, NOW, promoted=NOW)


def promote(store, user, first):
    store.models.promote_model(user, model("new"), instead_of=first)


def go_back(store, user, first):
    before = store.models.models(user, KIND)[-1].id
    store.models.withdraw_model(user, KIND, first, NOW + HOUR, to=before)


# The change, and the names that may be in force after it was cut short.
SWAPS = {"promote": (promote, "new"), "go back": (go_back, "oldest")}


def killed_at(backend, path, user, swap, first, step, told):
    """Change the model in force and die before the statement of that number, or say how many."""
    store = backend.open(path)
    seen = 0

    def count(*_):
        nonlocal seen
        seen += 1
        if seen == step:
            os.kill(os.getpid(), signal.SIGKILL)

    event.listen(store.database._engine, "before_cursor_execute", count)
    event.listen(store.database._engine, "commit", count)
    SWAPS[swap][0](store, user, first)
    told.send(seen)
    os.kill(os.getpid(), signal.SIGKILL)


def run_killed(backend, path, user, swap, first, step):
    """How many steps there are, when it was let through to the end."""
    heard, told = processes.Pipe(duplex=False)
    child = processes.Process(target=killed_at, args=(backend, path, user, swap, first, step, told))
    child.start()
    told.close()
    child.join()
    assert child.exitcode == -signal.SIGKILL
    with closing(heard), suppress(EOFError):
        return heard.recv()
    return None


def in_force(backend, path, user):
    """The name of the one model in force, found whole."""
    with closing(backend.open(path)) as store:
        assert store.check() == ()
        with store.database.read() as connection:
            query = "SELECT COUNT(*) FROM models WHERE active"
            assert connection.scalar(text(query)) == 1
        found = store.models.active_model(user, KIND)
        assert hashlib.sha256(found.payload).hexdigest() == found.sha256
        return found.model_id


@pytest.fixture
def two(backend, path):
    """A file with a model in force and one before it; the reader and the number of the first."""
    with closing(backend.open(path)) as store:
        user = store.users.user("reader", NOW)
        oldest = store.models.promote_model(user, model("oldest"), instead_of=None)
        return user, store.models.promote_model(user, model("old"), instead_of=oldest)


@pytest.mark.parametrize("swap", SWAPS)
def test_m03_killed_at_each_step(backend, path, folder, two, swap):
    user, first = two
    whole = backend.copied(path, folder / "whole.db")
    steps = run_killed(backend, whole, user, swap, first, step=0)
    assert in_force(backend, whole, user) == SWAPS[swap][1]
    assert steps > 3
    for step in range(1, steps + 1):
        copy = backend.copied(path, folder / f"{step}.db")
        assert run_killed(backend, copy, user, swap, first, step) is None
        assert in_force(backend, copy, user) == "old", f"step {step} of {steps}"


def change_for_ever(backend, path, user, told):
    store = backend.open(path)
    told.send("opened")
    number = 0
    while True:
        before = store.models.model_in_force(user, KIND)
        number += 1
        store.models.promote_model(user, model(f"{os.getpid()} {number}"), instead_of=before)
        told.send(number)


@pytest.mark.crash
@pytest.mark.timeout(600)
def test_m03_killed_at_random_moments(backend, path, two):
    user, _first = two
    chance = random.Random(3)
    swaps = 0
    for _round in range(ROUNDS):
        heard, told = processes.Pipe(duplex=False)
        child = processes.Process(target=change_for_ever, args=(backend, path, user, told))
        child.start()
        told.close()
        assert heard.recv() == "opened"
        last = 0
        for _swap in range(chance.randint(0, 4)):
            last = heard.recv()
        time.sleep(chance.uniform(0, 0.1))
        child.kill()
        child.join()
        with closing(heard):
            while heard.poll():
                try:
                    last = heard.recv()
                except EOFError:
                    break
        swaps += last
        name = in_force(backend, path, user)
        if last:
            # The last one may have been stored but not heard of.
            assert name in {f"{child.pid} {last}", f"{child.pid} {last + 1}"}
    assert swaps > ROUNDS, "they did swap"
