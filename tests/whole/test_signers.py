"""Processes that sign: the same signatures, and the work goes on without them."""

from __future__ import annotations

import time
from contextlib import closing

import pytest

from newsloom.duplicates.signing import VERSION, SigningPool, signed
from newsloom.duplicates.stage import DuplicateDetector
from newsloom.engines.pipeline.stages import TEXT_VERSION
from newsloom.store import open_store
from newsloom_lab.bench.dedup import fill
from newsloom_lab.bench.news import END
from quick import quick_folder
from store.builders import pending_signatures

ARTICLES = 120


@pytest.fixture(scope="module")
def store():
    with quick_folder() as folder:
        fill(folder / "a.db", ARTICLES)
        with closing(open_store(folder / "a.db", now=lambda: END)) as opened:
            yield opened


@pytest.fixture
def signers():
    with closing(SigningPool(2)) as running:
        while not running.ready():
            time.sleep(0.01)
        yield running


def pending(store):
    return pending_signatures(store, VERSION, TEXT_VERSION, ARTICLES)


def test_others_sign_as_this_process_does(store, signers):
    articles = pending(store)
    for some in (articles, articles[:1], articles[:3]):
        signers.begin(some)
        assert signers.finish() == signed(some)


def test_a_backlog_is_judged_though_its_signers_are_killed(store, signers, caplog):
    matcher = DuplicateDetector(batch=40, workers=2)
    matcher._signers = signers
    assert matcher.step(store, TEXT_VERSION, lambda: END) == 40
    assert matcher._ahead, "the next batch is under way"
    for process, _ in signers._running:
        process.kill()
        process.join()
    done = 40
    while step := matcher.step(store, TEXT_VERSION, lambda: END):
        done += step
    assert done == ARTICLES
    assert pending(store) == ()
    assert "signed in one process from now on" in caplog.text
