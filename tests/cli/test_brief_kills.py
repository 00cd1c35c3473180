"""Killed at any moment between composing, speaking and sending: one brief, each sentence once."""

from __future__ import annotations

import random
import shutil
import time
from pathlib import Path

import pytest

from cli.briefed import begun, opened, plan, run, world_of_today
from kills import kill_count
from newsloom.app import utc_now
from newsloom.briefs.values import BriefState

KILLS = 30

pytestmark = pytest.mark.crash


@pytest.fixture(scope="module")
def due(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, float]:
    """A database where a brief is due, and how long it takes undisturbed, in seconds."""
    path = world_of_today(tmp_path_factory.mktemp("due"))
    plan(path)
    whole = tmp_path_factory.mktemp("whole") / "news.db"
    shutil.copy(path, whole)
    began = time.monotonic()
    run(whole, "--due")
    return path, time.monotonic() - began


@pytest.mark.parametrize("number", range(kill_count(KILLS)))
def test_one_brief_no_sentence_twice_nothing_sent_twice(
    due: tuple[Path, float], tmp_path: Path, number: int
) -> None:
    source, span = due
    path = Path(shutil.copy(source, tmp_path / "news.db"))
    process = begun(path, "--due")
    # By turns: after so much time, and soon after so many sentences.
    chance = random.Random(number)
    sentences = tmp_path / "briefs" / "sentences"
    if number % 2:
        wanted, ends = chance.randint(1, 12), time.monotonic() + 3 * span
        while len(spoken(sentences)) < wanted and process.poll() is None:
            assert time.monotonic() < ends
            time.sleep(0.002)
        time.sleep(chance.uniform(0, 0.05))
    else:
        time.sleep(chance.uniform(0.1, 1.05) * span)
    process.kill()
    process.communicate()
    before = spoken(sentences)
    run(path, "--due")
    run(path, "--due")  # nothing more is to be done
    after = spoken(sentences)
    assert {name: after[name] for name in before} == before, "a sentence was spoken again"
    store = opened(path)
    user = store.users.user("reader", utc_now())
    (head,) = store.briefs.briefs(user, 9)
    assert head.state is BriefState.READY
    (sending,) = store.briefs.sendings(head.id)
    assert (sending.state, sending.attempts) == ("sent", 0)
    kept = store.briefs.sound_files()
    store.close()
    assert all((tmp_path / "briefs" / name).stat().st_size for name in kept)
    assert len([one for one in (tmp_path / "sent").iterdir() if not one.name.startswith(".")]) == 1


def spoken(folder: Path) -> dict[str, tuple[int, int]]:
    """Each sentence's file: made anew it is another one."""
    if not folder.is_dir():
        return {}
    found = {}
    for one in folder.glob("*.pcm"):
        if not one.name.startswith("."):
            known = one.stat()
            found[one.name] = (known.st_ino, known.st_size)
    return found
