"""Whole-history jobs as they are wired: what they make, their states, and kills at any moment."""

from __future__ import annotations

import hashlib
import json
import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import Clock

from migrated import migrated
from models.encoder_folders import WORDS, word_encoder
from newsloom.app import App, open_app
from newsloom.engines.jobs import importing
from newsloom.engines.jobs import wiring as jobs
from newsloom.engines.jobs.kinds import KINDS
from newsloom.engines.jobs.running import rest
from newsloom.engines.jobs.values import HistoryJob, JobId, JobState
from newsloom.kernel.errors import UserError
from newsloom.kernel.ids import ArticleId
from newsloom.kernel.settings import Settings
from newsloom.ranking.encoders.registry import EMBEDDERS
from newsloom.ranking.learning.shipped import sensitivity_head
from newsloom.ranking.values.models import StoredModel
from newsloom.reading.values.reading import ListQuery
from newsloom.stories.values.pages import CorrectionKind

SHIPPED = EMBEDDERS[0].model_id
MANY = 260  # more than two batches of vectors, and of the others one
KILLS = int(os.environ.get("JOB_KILLS", "3"))  # of each kind
Opens = Callable[..., App]

# What no line of an articles file may be, and what is hostile and may be.
BAD = (
    b"{",
    b"[1]",
    b'"text"',
    b"\xff\xfe{}",
    b'{"title": "no id"}',
    b'{"id": {"a": 1}}',
    b'{"id": "x", "published": "yesterday"}',
    b'{"id": "x", "label": "adore"}',
    b'{"id": "x", "published": "9999-12-31T23:59:59-23:59"}',
    b'{"id": "x", "published": "0001-01-01T00:00:00+14:00"}',
    b"[" * 100_000,
    b'{"id": 1' + b"0" * 5_000 + b"}",
)
ODD = (
    '{"id": "o1", "title": "nul \\u0000 and half \\ud800", "text": "\\u0000\\udfff"}',
    '{"id": "o2", "title": "<script>alert(1)</script>", "url": "javascript:alert(1)"}',
    '{"id": "o3", "title": "far", "published": "9999-12-31", "source": "../.."}',
    json.dumps({"id": "o4", "title": "t" * 300_000, "source": "s" * 9_000}),
    '{"id": "o5", "published": "0001-01-01", "text": "old"}',
)


@pytest.fixture
def opens(tmp_path: Path) -> Iterator[Opens]:
    opened: list[App] = []

    def make(embedder: str = "minilm-int8", name: str = "news.db") -> App:
        base = Settings()
        path = tmp_path / name
        settings = replace(
            base,
            store=replace(base.store, path=path if path.exists() else migrated(path)),
            models=replace(base.models, embedder=embedder, threads=1),
            jobs=replace(base.jobs, share=1.0),
        )
        opened.append(open_app(settings, Clock()))
        return opened[-1]

    yield make
    for app in opened:
        app.close()


def lines(count: int) -> list[bytes]:
    draw = random.Random(5)
    return [
        json.dumps(
            {
                "id": f"a{number}",
                "title": " ".join((*draw.choices(WORDS[5:], k=4), f"x{number}")),
                "text": " ".join(draw.choices(WORDS[5:], k=9)) + f" y{number}",
                "source": f"s{number % 7}.test",
                "url": f"https://s{number % 7}.test/{number}",
                "published": f"2026-01-{number % 28 + 1:02}T08:00:00Z",
                **({"label": "like" if number % 20 else "dislike"} if number % 10 == 0 else {}),
            }
        ).encode()
        for number in range(count)
    ]


def file_of(folder: Path, *parts: bytes) -> Path:
    path = folder / f"{hashlib.sha256(b''.join(parts)).hexdigest()[:8]}.jsonl"
    path.write_bytes(b"\n".join(parts))
    return path


def begin(app: App, kind: str, *, model: str = "", file: Path | None = None) -> JobId:
    wish = jobs.wish(app, kind, model=model, file=file)
    user = app.user if kind == "import" else None
    number = app.store.jobs.start_job(kind, app.now(), user=user, wish=wish)
    assert number is not None
    return number


def working(app: App, on_step: Callable[[HistoryJob, int], None] = lambda _job, _done: None) -> int:
    runner = jobs.runner(app, threading.Event(), on_step)
    return runner.run()


def turning(app: App, to: JobState) -> Callable[[HistoryJob, int], None]:
    """Somebody brings the job into another state after its first step."""

    def on_step(one: HistoryJob, _done: int) -> None:
        app.store.jobs.set_job_state(one.id, to, app.now())

    return on_step


def job(app: App, number: JobId) -> HistoryJob:
    found = app.store.jobs.job(number)
    assert found is not None
    return found


def filled(app: App, folder: Path, count: int = MANY) -> None:
    """Articles with all that the stages make of them."""
    begin(app, "import", file=file_of(folder, *lines(count)))
    working(app)
    app.runner().rank()


def another_head(app: App, name: str = "sensitivity/another") -> str:
    """A head that is kept and not in force: the shipped one by another name."""
    payload = sensitivity_head().to_bytes()
    digest = hashlib.sha256(payload).hexdigest()
    kept = StoredModel(
        model_id=name,
        kind="sensitivity",
        payload=payload,
        sha256=digest,
        trained=app.now(),
        trainer="distilled",
    )
    app.store.models.keep_model(app.user, kept)
    return kept.model_id


def rows(app: App, statement: str) -> list[tuple[object, ...]]:
    with app.store.database.read() as connection:
        return [tuple(row) for row in connection.exec_driver_sql(statement)]


def made(app: App) -> dict[str, list[tuple[object, ...]]]:
    """Everything that a kill could lose or double, without times of when it was done."""
    of = "SELECT k.name, a.guid, {} FROM {} t JOIN makers k ON k.id = t.maker_id"
    of += " JOIN articles a ON a.id = t.article_id ORDER BY 1, 2"
    return {
        "articles": rows(
            app,
            "SELECT a.guid, a.title, a.content, a.dated_at, f.url, s.read, s.rating"
            " FROM articles a JOIN feeds f ON f.id = a.feed_id"
            " JOIN states s ON s.article_id = a.id ORDER BY 1",
        ),
        "labels": rows(
            app,
            "SELECT a.guid, e.kind FROM events e JOIN articles a ON a.id = e.article_id ORDER BY 1",
        ),
        "vectors": rows(app, of.format("t.vector", "embeddings")),
        "ratings": rows(app, of.format("t.rating, t.confidence", "ratings")),
        # A reader's own model depends on when it was trained too.
        "in force": rows(app, "SELECT model_id FROM models WHERE active AND kind = 'sensitivity'"),
        "encoder": rows(app, "SELECT model_id FROM encoder_switches ORDER BY id"),
        "jobs": rows(app, "SELECT kind, state, done, refused, total, words FROM history_jobs"),
        "leases": rows(app, "SELECT stage FROM work_batches"),
    }


def test_a_file_of_articles_is_taken_in_line_by_line(opens: Opens, tmp_path: Path) -> None:
    app = opens()
    odd = [one.encode() for one in ODD]
    file = file_of(tmp_path, b"\xef\xbb\xbf" + lines(1)[0], *BAD, b"", *odd, *lines(450)[1:])
    number = begin(app, "import", file=file)
    assert app.store.jobs.start_job("import", app.now()) is None  # one of a kind at a time
    steps: list[int] = []
    working(app, lambda _job, done: steps.append(done))
    found = job(app, number)
    assert (found.state, found.refused) == (JobState.DONE, len(BAD))
    assert found.done + found.refused == found.total == sum(steps) == 450 + len(BAD) + len(ODD) + 1
    assert max(steps) <= importing.LINES
    assert len(found.position["problems"]) == importing.NAMED
    assert "line 2" in found.position["problems"][0]
    assert found.words.startswith("455 articles and 45 labels added. 12 lines")
    assert app.reader().page(ListQuery(limit=5)) == ()  # what was read elsewhere is not news

    # Again, it changes nothing.
    begin(app, "import", file=file)
    working(app)
    before = made(app)
    assert len(before["articles"]) == 455
    assert before["jobs"][1][-1].startswith("0 articles and 0 labels added.")

    # A file that was changed meanwhile is not gone on with; one that is not here waits.
    number = begin(app, "import", file=file_of(tmp_path, *lines(460)))
    changed = Path(str(job(app, number).wish["file"]))
    kept = changed.read_bytes()
    changed.unlink()
    working(app)
    assert job(app, number).state is JobState.RUNNING
    assert "cannot be read" in job(app, number).words
    changed.write_bytes(kept + b"\n{}")
    working(app)
    assert job(app, number).state is JobState.PAUSED
    assert "has changed" in job(app, number).words
    with pytest.raises(UserError, match="cannot be read"):
        jobs.wish(app, "import", model="", file=tmp_path / "none")
    with pytest.raises(UserError, match="takes a file"):
        jobs.wish(app, "import", model="", file=None)


def test_jobs_leave_what_was_there_in_force_until_all_is_made(opens: Opens, tmp_path: Path) -> None:
    first = opens()
    filled(first, tmp_path)
    first.close()
    app = opens(str(word_encoder(tmp_path / "words")))
    store, shipped_head = app.store, app.services.sensitivity.head().model_id
    number = begin(app, "embed")
    new = str(job(app, number).wish["encoder"])

    # Paused after a batch, nothing works on it: neither workers nor the passes' own background.
    working(app, turning(app, JobState.PAUSED))
    assert job(app, number).done == store.articles.vector_counts()[new] == 128
    assert app.runner().catch_up() == ()
    assert working(app) == 0
    assert app.services.embedder.model_id == SHIPPED
    assert job(app, number).total == MANY
    assert not store.jobs.set_job_state(number, JobState.PAUSED, app.now())

    # Resumed with a throttle of its own, it rests as long as that says.
    assert store.jobs.set_job_state(number, JobState.RUNNING, app.now())
    assert store.jobs.throttle_job(number, pace=400.0, share=None)
    began = time.monotonic()
    working(app)
    assert time.monotonic() - began >= (MANY - 128) / 400.0
    assert job(app, number).state is JobState.DONE
    assert job(app, number).done == MANY
    assert app.services.embedder.model_id == new
    assert store.articles.vector_counts() == {SHIPPED: MANY, new: MANY}

    # Another head rates everything, and only then is in force.
    other = another_head(app)
    number = begin(app, "judge", model=other)
    in_force: list[str] = []
    working(app, lambda _job, _done: in_force.append(app.services.sensitivity.head().model_id))
    assert set(in_force) == {shipped_head}
    assert len(in_force) == 2
    assert app.services.sensitivity.head().model_id == other
    back = begin(app, "judge", model="shipped")
    working(app)
    assert app.services.sensitivity.head().model_id == shipped_head
    assert job(app, back).state is JobState.DONE
    with pytest.raises(UserError, match="no head"):
        jobs.wish(app, "judge", model="nobody", file=None)

    # Every reader is trained once, wherever it was cut off.
    store.users.user("another", app.now())
    number = begin(app, "train")
    working(app, turning(app, JobState.CANCELLED))
    assert job(app, number).position["reader"] == app.user
    assert job(app, number).ended is not None
    assert not store.jobs.set_job_state(number, JobState.RUNNING, app.now())
    number = begin(app, "train")
    working(app)
    assert job(app, number).words == "Readers: 2; with a new active model: 0."


def test_stories_are_placed_again_and_readers_words_hold(opens: Opens, tmp_path: Path) -> None:
    app = opens()
    filled(app, tmp_path)
    stories = app.store.stories
    heads = sorted(stories.story_heads(), key=lambda one: -one.size)
    (story, size) = (heads[0].id, heads[0].size)
    mine = sorted(one for one, of in stories.stories_of(numbers(app)).items() if of == story)
    assert len(mine) == size
    parted = stories.part_from_story(app.user, story, [mine[0]], CorrectionKind.NOT_IN, app.now())
    assert parted is not None
    stories.set_story_subscription(app.user, story, 1)
    before = stories.stories_of(numbers(app))
    number = begin(app, "stories")
    working(app)
    found = job(app, number)
    assert (found.state, found.done) == (JobState.DONE, len(before))
    assert rows(app, "SELECT COUNT(*) FROM story_members WHERE maker_id = 0") == [(0,)]
    after = stories.stories_of(numbers(app))
    assert after[mine[0]] == parted
    assert after.keys() == before.keys()
    followed = stories.followed_articles(app.user, numbers(app))
    assert {one for one, of in after.items() if of == story} == followed


def numbers(app: App) -> list[ArticleId]:
    return [ArticleId(int(str(row[0]))) for row in rows(app, "SELECT id FROM articles ORDER BY id")]


def test_a_job_rests_as_long_as_it_must() -> None:
    assert rest(100, 2.0, pace=0, share=1.0) == 0
    assert rest(100, 2.0, pace=0, share=0.5) == 2.0
    assert rest(100, 2.0, pace=10, share=0.5) == 8.0
    assert rest(100, 2.0, pace=1000, share=0) == pytest.approx(198)
    assert [one.name for one in KINDS] == ["embed", "judge", "stories", "train", "import"]


@pytest.mark.crash
@pytest.mark.timeout(60 + 60 * KILLS)
def test_killed_anywhere_each_comes_to_what_it_would_have(opens: Opens, tmp_path: Path) -> None:
    """Killed again and again by a paced worker, then let end: as an unkilled run."""
    many = 100 * (KILLS + 3)
    words = str(word_encoder(tmp_path / "words"))
    whole, killed = opens(words, "whole.db"), opens(words, "killed.db")
    file = file_of(tmp_path, *lines(many), *BAD)
    draw = random.Random(11)
    for kind in ("import", "embed", "judge"):
        for app in (whole, killed):
            model = another_head(app) if kind == "judge" else ""
            given = file if kind == "import" else None
            number = begin(app, kind, model=model, file=given)
        working(whole)
        cut = 0
        killed.store.jobs.throttle_job(number, pace=60.0, share=1.0)
        for _ in range(KILLS):
            cut += kill(tmp_path / "killed.db", words, draw.uniform(0.4, 2.6))
        assert cut, "no worker was killed at work"
        killed.store.jobs.throttle_job(number, pace=0.0, share=1.0)
        kill(tmp_path / "killed.db", words, None)
        if kind == "import":
            for app in (whole, killed):
                app.runner().rank()
        assert made(killed) == made(whole)
    assert killed.store.check() == ()


def environment(path: Path, words: str) -> dict[str, str]:
    """Of a program on a store."""
    return {
        "NEWSLOOM_STORE_PATH": str(path),
        "NEWSLOOM_MODELS_EMBEDDER": words,
        "NEWSLOOM_MODELS_THREADS": "1",
        "PATH": "/usr/bin:/bin",
        "PYTHONPATH": ":".join(filter(None, sys.path)),
    }


def kill(path: Path, words: str, after: float | None) -> bool:
    """Work on the jobs of a store; kill -9 after so many seconds, or let it end. Whether it was."""
    program = [sys.executable, "-m", "newsloom", "jobs", "work", "--json"]
    with subprocess.Popen(
        program, env=environment(path, words), stdout=subprocess.DEVNULL
    ) as child:
        if after is None:
            assert child.wait(timeout=100) == 0
            return False
        time.sleep(after)
        child.kill()
        return child.wait() == -9
