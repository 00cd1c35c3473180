"""Related coverage on the pages and by the commands, over the loopback world."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

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
        return commands.run("--config", str(settings), *words, environment=environment)

    def api(*words: str) -> Any:
        done = run("api", *words)
        assert done.returncode == 0, done
        return json.loads(done.stdout or "null")

    article = str(scene.articles()[0])
    refused = run("coverage", article)
    assert refused.returncode == 2
    assert "nothing is sent" in refused.stderr
    state = api("PUT", "/coverage", "on:=true")
    assert "learns what you read" in state["notice"]
    assert state["services"] == ["search.example"]
    found = run("coverage", article)
    assert "microsoft.example" in found.stdout, found.stderr
    audit = api("GET", f"/articles/{article}/coverage")
    assert audit["prepared_by"] == "rules@1"
    assert audit["queries"]
    decisions = [one for hit in audit["hits"] for one in hit["decisions"]]
    assert any(one["accepted"] and one["score"] for one in decisions)
    assert article in {str(one["id"]) for one in api("GET", "/coverage/articles")["items"]}
    report = found.stdout.split("\t", 1)[0]
    assert report in {str(one["id"]) for one in audit["reports"]}
    api("DELETE", f"/coverage/reports/{report}")
    left = api("GET", f"/articles/{article}/coverage")["reports"]
    assert report not in {str(one["id"]) for one in left}
    assert api("PUT", "/coverage", "on:=false")["on"] is False
