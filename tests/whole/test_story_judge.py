"""A language model as judge of stories, by the program as it is wired: it makes them better or
leaves them as they are, whatever it says and however it says it (cases L01 to L22)."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Any

import judged
import pytest
from conftest import Clock, Whole, _settings
from judged import Judge, News, is_story, rows

from cli.test_language_model import apart
from llm.server import Asked, Script
from llm.test_hostile_servers import CASES
from newsloom.app import App, open_app
from newsloom.llm.budget import day_of
from newsloom.stories.purposes.story import STORY
from newsloom.stories.values.pages import StoryChoice
from newsloom_lab.evaluate.judges import HOSTILE
from newsloom_lab.evaluate.stories import StoryMeasures
from publisher import publishing

MEMBERS = "SELECT article_id, story_id, decided_by FROM story_members ORDER BY article_id"
SPENT = "SELECT tokens FROM spending WHERE purpose = 'story'"
STORY_CALLS = "SELECT verdict FROM model_calls WHERE purpose = 'story' ORDER BY id"


@dataclass
class Waiting:
    """A store whose stories wait for a model, to copy."""

    path: Path
    known: News
    clock: Clock

    def opened(self, folder: Path) -> App:
        shutil.copy(self.path, folder / "news.db")
        return open_app(_settings(folder / "news.db", "127.0.0.1"), self.clock)


@pytest.fixture(scope="module")
def waiting(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Waiting:
    """After a pass over labelled news, with a model in the settings that was not asked yet."""
    file = shared / "data" / "stories" / "roundups_dated.jsonl"
    if not file.is_file():
        pytest.skip("needs the labelled roundups of news")
    clock = Clock()
    clock.stop()
    known = judged.news(file, clock())
    path = tmp_path_factory.mktemp("judged") / "news.db"
    with publishing() as publisher:
        settings = judged.with_model(_settings(path, publisher.host), "http://127.0.0.1:9/v1")
        with closing(open_app(settings, clock)) as app:
            whole = Whole(app, clock)
            whole.follow(*judged.publish(publisher, known))
            whole.run()
            judged.put_questions(app, judged.clear_cases(app, known))
    return Waiting(path, known, clock)


@pytest.fixture
def whole(waiting: Waiting, tmp_path: Path) -> Iterator[Whole]:
    ahead = waiting.clock.ahead
    with closing(waiting.opened(tmp_path)) as app:
        yield Whole(app, waiting.clock)
    waiting.clock.ahead = ahead


@pytest.fixture
def without(waiting: Waiting, whole: Whole) -> StoryMeasures:
    """How the stories are without a model."""
    return judged.measured(whole.app, waiting.known)


def by(says: Callable[[Asked], dict[str, Any]]) -> Script:
    """A server that says so of stories, and of everything else what says nothing."""

    async def script(request: Asked) -> None:
        if is_story(request):
            await request.say(json.dumps(says(request)))
        else:
            await request.rate()

    return script


def test_a_good_one_makes_stories_better(
    waiting: Waiting, whole: Whole, without: StoryMeasures
) -> None:
    judge = Judge.of(waiting.known)
    app = judged.ask(whole, by(judge.right))
    found = judged.measured(app, waiting.known)
    assert found.contamination < without.contamination
    assert found.fragmentation <= without.fragmentation
    assert found.b_cubed_f1 > without.b_cubed_f1
    moved = [row for row in rows(app, MEMBERS) if row.decided_by.startswith("chat/judge/story@")]
    assert moved
    for row in moved[:5]:
        last = app.store.stories.story_decisions(article=row.article_id, limit=1)[0]
        assert (last.story, last.judge, last.prompt) == (
            row.story_id,
            row.decided_by,
            STORY.version,
        )
        assert last.candidates
        assert last.reason
        assert last.confidence == 0.9
    calls = {row.verdict for row in rows(app, STORY_CALLS)}
    assert calls <= {"ok", "reused"}
    assert app.store.check() == ()


def first_of(_asked: Asked) -> dict[str, Any]:
    """The same for all (L18)."""
    return judged.answer(1)


def refusing(_asked: Asked) -> dict[str, Any]:
    """Refuses all (L19)."""
    return judged.answer(0) | {"choice": "abstain", "confidence": 0.0}


@pytest.mark.parametrize("manner", ["lying", "the same for all", "refusing"])
def test_a_bad_one_changes_nothing(waiting: Waiting, whole: Whole, manner: str) -> None:
    before = rows(whole.app, MEMBERS)
    lying = Judge.of(waiting.known).wrong
    says = {"lying": lying, "the same for all": first_of, "refusing": refusing}[manner]
    app = judged.ask(whole, by(says))
    assert rows(app, MEMBERS) == before
    said = {row.choice for row in rows(app, "SELECT choice FROM story_decisions")}
    assert said <= set(map(str, StoryChoice))
    assert len(rows(app, STORY_CALLS)) > 30, "it was asked all the same"


def test_a_slow_one_changes_nothing_and_is_left_alone(whole: Whole) -> None:
    """No headers (L03), slower and slower (L22)."""
    asked_of: list[Asked] = []

    async def slow(request: Asked) -> None:
        asked_of.append(request)
        await asyncio.sleep(30)

    before = rows(whole.app, MEMBERS)
    app = judged.ask(whole, slow, times=3, timeout_seconds=0.3)
    assert rows(app, MEMBERS) == before
    assert 5 <= len(asked_of) <= 30, "five failures and it rests"


def hostile(met: set[str]) -> Script:
    """One server after the other of every case, and answers that look like choices of stories.
    `met` gets which there were."""
    servers: dict[str, Script] = {}
    for case in CASES:
        servers.setdefault(case.name[:3], case.script)
    turns = cycle(range(2 * max(len(servers), len(HOSTILE))))
    names = list(servers)

    async def script(request: Asked) -> None:
        turn = next(turns)
        if turn % 2:
            name = names[turn // 2 % len(names)]
            met.add(name)
            await servers[name](request)
        else:
            said = HOSTILE[turn // 2 % len(HOSTILE)]
            met.add(said)
            await request.say(said)

    return script


def test_a_hostile_one_changes_nothing(whole: Whole) -> None:
    before = rows(whole.app, MEMBERS)
    met: set[str] = set()
    app = judged.ask(whole, hostile(met), times=60, timeout_seconds=1.0)
    assert {one.name[:3] for one in CASES} <= met
    assert set(HOSTILE) <= met
    assert rows(app, MEMBERS) == before
    assert app.store.check() == ()
    told = rows(app, "SELECT reason, relation, prompt FROM story_decisions")
    assert not any(set("<>\x1b\u202e") & set(row.reason) for row in told)
    assert {row.relation for row in told} <= {"direct", "causal", "none", ""}
    titles = rows(app, "SELECT title_by, summary_by FROM stories WHERE size > 1")
    assert {by for row in titles for by in row} == {"article"}


def test_no_more_is_spent_than_a_day_may_have(waiting: Waiting, whole: Whole) -> None:
    """The share of stories is a tenth; what others have not used is theirs."""
    most = 30_000
    day = day_of(whole.app.now())  # asking moves the clock on
    app = judged.ask(whole, by(Judge.of(waiting.known).right), daily_tokens=most)
    spent = rows(app, "SELECT day, purpose, tokens FROM spending")
    assert {row.day for row in spent} == {day}
    by_purpose = {row.purpose: row.tokens for row in spent}
    assert 0 < sum(by_purpose.values()) <= most
    asked = len(rows(app, STORY_CALLS))
    assert 0 < asked < len(rows(app, "SELECT 1 FROM story_questions"))
    assert by_purpose["story"] == 330 * asked, "as the server said that it used"


def test_the_same_question_is_asked_once(waiting: Waiting, whole: Whole) -> None:
    """A case that comes again, with the same words, has the answer of before, at no cost."""
    requests: list[str] = []
    judge = Judge.of(waiting.known)

    def lying(one: Asked) -> dict[str, Any]:
        requests.append(one.user)
        return judge.wrong(one)

    judged.ask(whole, by(lying))
    query = "SELECT article_id FROM story_questions WHERE control ORDER BY article_id"
    known = {row.article_id for row in rows(whole.app, query)}
    with whole.app.store.database.write() as connection:
        connection.exec_driver_sql("UPDATE story_questions SET answered_by = ''")
    before, spent = len(requests), rows(whole.app, SPENT)
    app = judged.ask(whole, by(lying))
    assert len(requests) == before
    assert rows(app, SPENT) == spent
    verdicts = [row.verdict for row in rows(app, STORY_CALLS)]
    assert verdicts.count("reused") >= len(known) > 0


def test_newsloom_run_asks_it(
    waiting: Waiting,
    tmp_path: Path,
    newsloom: Callable[..., str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The command, with nothing but settings."""
    shutil.copy(waiting.path, tmp_path / "news.db")
    judge = Judge.of(waiting.known)
    with apart(by(judge.right)) as server:
        monkeypatch.setenv("NEWSLOOM_LANGUAGE_MODEL_URL", server.url)
        monkeypatch.setenv("NEWSLOOM_LANGUAGE_MODEL_MODEL", judged.MODEL)
        monkeypatch.setenv("NEWSLOOM_LANGUAGE_MODEL_DAILY_TOKENS", "0")
        newsloom("run")
    with closing(open_app(_settings(tmp_path / "news.db"), waiting.clock)) as app:
        assert any(row.decided_by.startswith("chat/") for row in rows(app, MEMBERS))
    audit = json.loads(newsloom("api", "GET", "/stories/decisions"))["items"]
    assert any(one["judge"].startswith("chat/judge/story@") for one in audit)
