"""Related coverage killed at random moments: nothing is done twice, and the end is the same."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from kills import kill_count
from newsloom.app import utc_now
from whole.coverage_scene import Scene, scene_in
from world_of_coverage import Kind, coverage_world

pytestmark = pytest.mark.crash

TESTS = Path(__file__).resolve().parents[1]
KILLS = 20

# The program as it is wired, in a process that may be killed anywhere.
PROGRAM = """
import asyncio, sys
from pathlib import Path
from types import SimpleNamespace
from newsloom.app import open_app
from newsloom.app.coverage import find_now
from whole.coverage_scene import settings_of
world = SimpleNamespace(search_url=sys.argv[2], proxy=sys.argv[3], chat_url="")
app = open_app(settings_of(world, Path(sys.argv[1])))
print("begun", flush=True)
asyncio.run(find_now(app))
print("done", flush=True)
"""


def test_a_kill_anywhere_doubles_nothing(tmp_path: Path) -> None:
    with coverage_world(utc_now()) as world:
        for one in world.publishers.values():  # whoever is tried again later tells nothing here
            if one.kind in {Kind.SLOW, Kind.DROPPED, Kind.ERROR, Kind.UNAVAILABLE, Kind.HUGE}:
                one.kind = Kind.GONE
        with scene_in(world, tmp_path / "news.db") as scene:
            scene.poll()
            scene.coverage.switch(on=True)
            for article in scene.articles():
                scene.coverage.find(article)
            for _ in range(kill_count(KILLS)):
                if killed(tmp_path / "news.db", scene, random.uniform(0.0, 5.0)):
                    break
                nothing_is_double(scene)
            for ahead in range(4):  # what was begun when it was killed is begun again in an hour
                scene.clock.ahead += ahead * scene.coverage.terms.again_after / 4
                scene.find()
            nothing_is_double(scene)
            assert all(scene.found().values())


def killed(path: Path, scene: Scene, after: float) -> bool:
    """Kill it so many seconds after it began; whether it was done before."""
    words = [str(path), scene.world.search_url, scene.world.proxy]
    where = os.pathsep.join(str(Path(one).resolve()) for one in sys.path if one)
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *words],
        stdout=subprocess.PIPE,
        text=True,
        cwd=TESTS,
        env={**os.environ, "PYTHONPATH": where},
    )
    assert process.stdout is not None
    with process:
        assert process.stdout.readline() == "begun\n"
        time.sleep(after)
        process.kill()
        return "done" in process.stdout.read()


def nothing_is_double(scene: Scene) -> None:
    store = scene.app.store
    with store.database.read() as connection:

        def rows(query: str) -> list[tuple[object, ...]]:
            return [tuple(row) for row in connection.exec_driver_sql(query)]

        hits = rows("SELECT article_id, key FROM coverage_candidates")
        links = rows("SELECT article_id, link_key FROM coverage_candidates")
        judged = rows("SELECT candidate_id, maker FROM coverage_judgements")
        done = rows(
            "SELECT COUNT(*) FROM coverage_candidates WHERE state IN ('accepted', 'declined')"
        )
        told = rows("SELECT SUM(times) FROM domain_outcomes WHERE kind IN ('', 'low relevance')")
        pages = rows(
            "SELECT COUNT(DISTINCT page_id) FROM coverage_candidates"
            " WHERE state = 'failed' AND page_id IS NOT NULL"
        )
        failed = rows(
            "SELECT SUM(times) FROM domain_outcomes WHERE kind NOT IN ('', 'low relevance')"
        )
    for found in (hits, links, judged):
        assert max(Counter(found).values(), default=1) == 1
    assert len(judged) == done[0][0] == (told[0][0] or 0)
    assert pages[0][0] == (failed[0][0] or 0), "each page is told of once"
