"""A fine-tuned model in a whole Newsloom: trained by the command's way, ranking, and gone wrong."""

from __future__ import annotations

import importlib.util
import shutil
import time
from dataclasses import replace

import pytest

from newsloom.engines.pipeline.stages import STAGES, run_stages
from newsloom.kernel.settings import Settings
from newsloom.ranking.encoders import registry
from newsloom_lab.bench.reader import living, made_up

pytestmark = [
    pytest.mark.torch,
    pytest.mark.skipif(
        importlib.util.find_spec("torch") is None, reason="torch is not installed here"
    ),
]


@pytest.fixture
def app(tmp_path):
    import tiny_encoders

    reader = made_up(160, registry.EMBEDDERS[0].model_id)
    base = tiny_encoders.modernbert(tmp_path, [one.article.title for one in reader.labels])
    defaults = Settings()
    training = replace(defaults.training, trainer="modernbert", base_model=str(base), device="cpu")
    with living(reader, marked=True, settings=replace(defaults, training=training)) as opened:
        yield opened


def weights_of(app):
    return app.settings.store.path.with_suffix(".models")


def versions(app):
    return [one.name for one in weights_of(app).iterdir()]


def relevance(app):
    return run_stages(app.runner().context, clock=time.perf_counter, stages=STAGES[-1:])[0]


def test_it_trains_ranks_and_gives_way_when_its_weights_are_gone(app):
    trained = app.services.training.train(app.user, anyway=True)
    assert trained.model_id.startswith("modernbert@1/"), trained.words
    assert versions(app) == [trained.model_id.rpartition("/")[2]]

    # A random network may rank no better than chance; the gate then keeps it out of force.
    if not trained.promoted:
        stored = app.store.models.models(app.user, "relevance")[0]
        whole = app.store.models.model(app.user, stored.id)
        number = app.store.models.promote_model(
            app.user, replace(whole, promoted=app.now()), instead_of=None
        )
        assert number is not None
    assert relevance(app).done == 160
    ids = range(1, 161)
    listed = app.reader().listed(ids)
    assert len({one.relevance for one in listed}) > 100
    explained = app.reader().why(listed[0].id)
    assert explained.reasons
    assert {one.kind for one in explained.words} <= {"term"}

    shutil.rmtree(weights_of(app))
    app.services.training._forget(app.user)
    taste = app.services.training.active(app.user)
    assert not taste.model.personal
    assert "cannot be read" in taste.problem
    assert relevance(app).done == 160, "what answers instead has scored them"
