"""`newsloom brief` as it is typed: one now, schedules, what is due, podcasts, and trouble."""

from __future__ import annotations

import json
import os
import shutil
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import update

import commands
from cli.briefed import opened, plan, run, settings, world_of_today
from newsloom.app import utc_now
from newsloom.briefs.store.tables import briefs
from newsloom.briefs.values import BriefId, BriefState
from newsloom.kernel.errors import OUR_FAULT
from small_disk import small_disk


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return world_of_today(tmp_path_factory.mktemp("made"))


@pytest.fixture
def path(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(made, tmp_path / "news.db"))


def api(path: Path, *words: str, status: int = 0) -> str:
    return run(path, *words, status=status, name="api")


def listed(path: Path) -> list[dict]:
    return json.loads(api(path, "GET", "/briefs"))["items"]


def names(folder: Path) -> list[str]:
    return sorted(one.name for one in folder.iterdir() if one.is_file())


def test_one_now_is_kept_and_written_and_the_next_tells_other_news(path: Path) -> None:
    text = run(path, "--text", "--minutes", "1")
    assert "Sources" in text
    out = path.parent / "brief.mp3"
    said = run(path, "--minutes", "1", "--out", str(out))
    assert said.startswith("Brief 1: ")
    assert out.read_bytes()[:3] == b"ID3"
    (line,) = listed(path)
    assert (line["state"], line["language"]) == ("ready", "en")
    shown = run(path, "1")
    assert shown.splitlines()[0] in text
    again = run(path, "--text", "--minutes", "1")
    assert not {line for line in again.splitlines() if line.startswith("- ")} & set(
        shown.splitlines()
    )
    api(path, "DELETE", "/briefs/1")
    assert names(path.parent / "briefs") == []


def test_schedules_and_podcasts_are_begun_and_ended(path: Path) -> None:
    wanted = {
        "languages": ["en", "el"],
        "at": "06:30",
        "zone": "Europe/Berlin",
        "days": ["monday"],
        "targets": [{"way": "mail", "to": "a@x.org"}],
    }
    typed = [f"{name}:={json.dumps(value)}" for name, value in wanted.items()]
    made = json.loads(api(path, "POST", "/briefs/schedules", *typed))
    assert made == {**made, **wanted, "minutes": 10, "voice": ""}
    assert json.loads(api(path, "GET", "/briefs/schedules"))["items"] == [made]
    api(path, "DELETE", f"/briefs/schedules/{made['id']}")
    assert json.loads(api(path, "GET", "/briefs/schedules"))["items"] == []
    podcast = "/briefs/podcasts/en"
    assert json.loads(api(path, "GET", podcast)) == {"url": ""}
    first = api(path, "POST", podcast)
    assert "/podcasts/" in first
    assert api(path, "GET", podcast) == first
    assert api(path, "POST", podcast) != first
    api(path, "DELETE", podcast)
    assert json.loads(api(path, "GET", podcast)) == {"url": ""}


@pytest.mark.parametrize(("words", "said"), [
    (("--zone", "Europe/Atlantis"), "There is no time zone"),
    (("9",), "You have no brief 9"),
    (("--minutes", "99"), "1 to 60 minutes"),
    (("--language", "Klingon"), "A language has two letters, for example en, not"),
    (("--voice", "parrot"), "is not a voice"),
    (("--language", "en", "--language", "de", "--out", "x.mp3"), "exactly one --language"),
])  # fmt: skip
def test_what_cannot_be_is_refused_in_words(path: Path, words: tuple[str, ...], said: str) -> None:
    assert said in run(path, *words, status=2)


@pytest.mark.parametrize(("field", "said"), [
    ("at=7", "Enter the time as HH:MM, not"),
    ("zone=Europe/Atlantis", "There is no time zone"),
    ('days:=["someday"]', "Choose a weekday:"),
    ('targets:=[{"way": "file", "to": "html"}]', "The file format must be one of mp3"),
    ("voice=parrot", "a voice from the list"),
])  # fmt: skip
def test_a_schedule_that_cannot_be_is_refused(path: Path, field: str, said: str) -> None:
    assert said in api(path, "POST", "/briefs/schedules", field, status=1)


def test_missed_ones_are_made_up_once_by_one_of_two_processes(path: Path) -> None:
    plan(path, missed=3)
    due = ("brief", "--due")
    told = commands.run_at_once(due, due, environment=settings(path))
    assert {one.returncode for one in told} == {0}, told
    run(path, "--due")  # what one left for the other to send
    store = opened(path)
    user = store.users.user("reader", utc_now())
    (head,) = store.briefs.briefs(user, 9)
    assert head.state is BriefState.READY, told
    (sending,) = store.briefs.sendings(head.id)
    assert (sending.state, sending.attempts) == ("sent", 0)
    (schedule,) = store.briefs.schedules(user)
    assert schedule.next_at > utc_now()
    store.close()
    assert len(names(path.parent / "sent")) == 1
    assert len(names(path.parent / "briefs")) == 1


def test_old_sound_goes_and_what_nothing_names_goes_after_a_day(path: Path) -> None:
    run(path, "--minutes", "1")
    folder = path.parent / "briefs"
    for name, days in (("fresh.mp3", 0), ("lost.mp3", 2)):
        (folder / name).write_bytes(b"x")
        then = utc_now().timestamp() - 86_400 * days
        os.utime(folder / name, (then, then))
    (kept,) = set(names(folder)) - {"fresh.mp3", "lost.mp3"}
    os.utime(folder / kept, (0, 0))
    run(path, "--due")
    assert names(folder) == sorted([kept, "fresh.mp3"])
    store = opened(path)
    old = utc_now() - timedelta(days=31)
    with store.database.write() as connection:
        connection.execute(update(briefs).values(made_at=old))
    store.close()
    run(path, "--due")
    assert names(folder) == ["fresh.mp3"]
    (line,) = listed(path)
    assert (line["state"], line["seconds"]) == ("ready", 0)
    assert "Sources" in run(path, "1")


def test_a_full_disk_is_said_serves_nothing_half_and_is_gone_on_after(path: Path) -> None:
    """Full while it speaks; then there is room; then full while it writes MP3, and Opus."""
    full = "The server's disk is full."
    with small_disk(path.parent / "briefs") as disk:
        chosen = settings(path, NEWSLOOM_BRIEF_OPUS="true")

        def tried(size: int) -> tuple[str, list[str]]:
            """What the next try says, on a disk of so many bytes, and the sound that it leaves."""
            for name in names(disk.files):
                (disk.files / name).unlink()
            disk.resize(size)
            store = opened(path)
            with store.database.write() as connection:
                again = {"state": BriefState.SPEAKING, "ready_at": utc_now(), "sound": None}
                connection.execute(update(briefs).values(again))
            store.close()
            done = disk.newsloom("brief", "--due", environment=chosen)
            assert done.returncode == 0, done
            assert not list(disk.files.rglob(".*")), "nothing half"
            return done.stderr, names(disk.files)

        disk.resize(1 << 20)
        done = disk.newsloom("brief", "--minutes", "1", environment=chosen)
        assert done.returncode == 1, done
        assert f"Brief 1 has no audio yet: {full}" in done.stderr
        assert ".pcm cannot be written: No space left on device" in done.stderr
        assert listed(path)[0]["problem"] == full
        kept = {one.name: one.stat().st_ino for one in (disk.files / "sentences").iterdir()}
        assert kept

        said, (mp3, opus) = tried(16 << 20)
        assert "1 spoken" in said
        sentences = {one.name: one.stat().st_ino for one in (disk.files / "sentences").iterdir()}
        assert kept.items() <= sentences.items(), "none is spoken again"
        sizes = [(disk.files / name).stat().st_size for name in (mp3, opus)]
        assert sum(sizes) < disk.used
        only_sentences = disk.used - sum(sizes)

        said, made = tried(only_sentences + sizes[0] // 2)
        assert ".mp3 cannot be written: No space left on device" in said
        assert made == []
        assert listed(path)[0]["problem"] == full

        said, (mp3,) = tried(only_sentences + sizes[0] + sizes[1] // 2)
        assert "a brief has no Opus" in said
        assert (disk.files / mp3).stat().st_size == sizes[0]
        (line,) = listed(path)
        assert (line["state"], line["problem"]) == ("ready", "")


def test_a_folder_that_cannot_be_written_is_said_and_the_script_is_there(path: Path) -> None:
    (path.parent / "briefs").write_text("in the way")
    said = run(path, "--minutes", "1", status=1)
    assert "has no audio yet" in said
    assert "briefs" in said
    assert "Sources" in run(path, "1")
    problem = listed(path)[0]["problem"]
    assert problem == OUR_FAULT, "readers learn no path; the log has it"
    store = opened(path)
    user = store.users.user("reader", utc_now())
    brief = store.briefs.brief(user, BriefId(1))
    assert (brief.state, brief.attempts) == (BriefState.SPEAKING, 1)
    store.close()
