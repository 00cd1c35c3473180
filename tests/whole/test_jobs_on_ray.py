"""Jobs on Ray Data come to the same rows as in this process."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from test_jobs import Opens, another_head, begin, filled, job, made, opens, working

from models.encoder_folders import word_encoder
from newsloom.app import App, jobs_on_ray
from newsloom.types import JobState

__all__ = ["opens"]  # a fixture

pytestmark = pytest.mark.ray
pytest.importorskip("ray", reason="the extra ray is not installed")


@pytest.mark.filterwarnings("ignore")  # Ray's own
def test_the_same_rows_by_ray_as_by_this_process(opens: Opens, tmp_path: Path) -> None:
    begun = opens()
    filled(begun, tmp_path, 700)
    begun.store.close()
    shutil.copy(tmp_path / "news.db", tmp_path / "ray.db")
    words = str(word_encoder(tmp_path / "words"))
    local, ray = opens(words), opens(words, "ray.db")
    import ray as the_engine

    try:
        for kind in ("embed", "judge"):
            for app in (local, ray):
                model = another_head(app) if kind == "judge" else ""
                number = begin(app, kind, model=model)
            working(local)
            assert jobs_on_ray.work(ray, job(ray, number), lambda _words: None) == 700
            working(ray)  # nothing is left but the end
            assert job(ray, number).state is JobState.DONE
            assert made(ray) == made(local)

        # Paused, nothing is taken.
        _paused(ray)
    finally:
        the_engine.shutdown()


def _paused(app: App) -> None:
    number = begin(app, "judge", model=another_head(app, "sensitivity/third"))
    app.store.jobs.turn_job(number, JobState.PAUSED, app.now())
    assert jobs_on_ray.work(app, job(app, number), lambda _words: None) == 0
    assert job(app, number).total == 700
