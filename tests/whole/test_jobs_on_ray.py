"""Jobs on Ray come to the same rows as in this process."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from test_jobs import Opens, another_head, begin, environment, filled, job, made, opens, working

from models.encoder_folders import word_encoder
from newsloom.engines.jobs.values import JobState

__all__ = ["opens"]  # a fixture

pytestmark = [pytest.mark.ray, pytest.mark.timeout(300)]
pytest.importorskip("ray", reason="the extra ray is not installed")


def test_the_same_rows_by_ray_as_by_this_process(opens: Opens, tmp_path: Path) -> None:
    begun = opens()
    filled(begun, tmp_path, 700)
    begun.store.close()
    shutil.copy(tmp_path / "news.db", tmp_path / "ray.db")
    words = str(word_encoder(tmp_path / "words"))
    local, ray = opens(words), opens(words, "ray.db")
    for kind in ("embed", "judge"):
        for app in (local, ray):
            model = another_head(app) if kind == "judge" else ""
            number = begin(app, kind, model=model)
        working(local)
        ray.store.jobs.set_job_state(number, JobState.PAUSED, ray.now())
        assert "No open jobs." in on_ray(tmp_path / "ray.db", words)
        ray.store.jobs.set_job_state(number, JobState.RUNNING, ray.now())
        assert f"Job {number}: 2 workers on Ray." in on_ray(tmp_path / "ray.db", words)
        assert job(ray, number).state is JobState.DONE
        assert made(ray) == made(local)


def on_ray(path: Path, words: str) -> str:
    """What the program says, in a process of its own: Ray leaves processes to be collected."""
    program = [sys.executable, "-m", "newsloom", "jobs", "work", "--engine", "ray"]
    home = os.environ.get("HOME", "/")
    given = {**environment(path, words), "HOME": home, "NEWSLOOM_WORK_WORKERS": "2"}
    done = subprocess.run(program, env=given, check=True, capture_output=True, text=True)
    return done.stdout + done.stderr
