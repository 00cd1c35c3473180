"""Related coverage on the pages and by the commands, over the loopback world."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

import commands
from newsloom.app import utc_now
from newsloom.app.coverage import find_now
from newsloom.web.app import create_app
from whole.coverage_scene import Scene, scene_in
from world_of_coverage import World, coverage_world


@pytest.fixture
def world() -> Iterator[World]:
    with coverage_world(utc_now()) as one:
        yield one


@pytest.fixture
def scene(world: World, tmp_path: Path) -> Iterator[Scene]:
    with scene_in(world, tmp_path / "news.db") as one:
        one.poll()
        yield one


def test_the_page_says_who_is_told_and_switches(scene: Scene) -> None:
    with TestClient(create_app(scene.app.reader(), hosts=("testserver",))) as pages:
        article = scene.articles()[0]
        off = pages.get("/coverage").text
        assert "search.example" in off
        assert "The search service learns what you read" in off
        assert "Find other coverage" not in pages.get(f"/articles/{article}").text
        said = {"on": "yes"}
        assert pages.post("/coverage/switch", data=said, headers=SAME).status_code == 200
        assert scene.coverage.status().on
        assert "Find other coverage" in pages.get(f"/articles/{article}").text
        pages.post(f"/articles/{article}/coverage", headers=SAME)
        assert "Searching …" in pages.get(f"/articles/{article}").text
        assert not scene.world.search.queries, "a page asks nobody"
        asyncio.run(find_now(scene.app))
        found = pages.get(f"/articles/{article}").text
        assert "Also covered by" in found
        assert 'rel="noopener noreferrer"' in found
        [first, *rest] = scene.coverage.of(article).covered
        pages.post(f"/coverage/{first.candidate}/reject", headers=SAME)
        assert scene.coverage.of(article).covered == tuple(rest)
        assert pages.get("/coverage").status_code == 200
        pages.post("/coverage/switch", data={"on": "no"}, headers=SAME)
        assert not scene.coverage.status().on


SAME = {"origin": "http://testserver"}


def test_the_commands(scene: Scene, tmp_path: Path) -> None:
    where = os.pathsep.join(str(Path(one).resolve()) for one in sys.path if one)
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "PYTHONPATH": where,
        "NEWSLOOM_STORE_PATH": str(tmp_path / "news.db"),
        "NEWSLOOM_FETCH_PROXY": scene.world.proxy,
        "NEWSLOOM_FETCH_HOST_SECONDS": "0",
        "NEWSLOOM_FETCH_TIMEOUT_SECONDS": "2",
    }
    settings = tmp_path / "newsloom.toml"
    settings.write_text(f'[coverage]\nproviders = ["{scene.world.search_url}"]\nimportance = 101\n')

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        line = ["--config", str(settings), "coverage", *words]
        return commands.run(*line, environment=environment)

    article = str(scene.articles()[0])
    refused = run("find", article)
    assert refused.returncode == 2
    assert "off, and nothing is sent" in refused.stderr
    assert "learns what you read" in run("on").stdout
    found = run("find", article)
    assert "microsoft.example" in found.stdout, found.stderr
    audit = run("show", article, "--audit").stdout
    assert "rules@1" in audit
    assert "accepted, score" in audit
    assert article in run("list").stdout
    report = found.stdout.split("\t", 1)[0]
    assert "no longer shows it" in run("reject", report).stdout
    assert "search.example" in run("status").stdout
    assert "nothing is sent" in run("off").stdout
