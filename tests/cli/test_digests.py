"""`newsloom digests` as it is typed: schedules, the archive, what is due, the feed's address."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import commands
from web.digested import digested
from web.world import furnish, open_world

Newsloom = Callable[..., str]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with two digests."""
    folder = tmp_path_factory.mktemp("made")
    world = furnish(open_world(folder))
    digested(world)
    world.store.close()
    return folder / "newsloom.db"


@pytest.fixture
def here(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copy(made, tmp_path / "news.db")
    monkeypatch.setenv("NEWSLOOM_STORE_PATH", str(tmp_path / "news.db"))
    return tmp_path


@pytest.mark.usefixtures("here")
def test_a_schedule_is_added_shown_and_dropped(newsloom: Newsloom) -> None:
    said = newsloom("digests", "add", "morning", "--at", "06:30", "--zone", "Europe/Berlin",
                    "--webhook", "https://hook.example/digests")  # fmt: skip
    assert "morning at 06:30 Europe/Berlin, to webhook https://hook.example/digests" in said
    shown = json.loads(newsloom("digests", "schedules", "--json"))
    mine = next(one for one in shown if one["kind"] == "morning")
    assert (mine["at"], mine["zone"]) == (390, "Europe/Berlin")
    newsloom("digests", "remove", str(mine["id"]))
    assert "morning" not in newsloom("digests", "schedules")


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(("words", "said"), [
    (("hourly",), "A kind is one of morning, midday, evening, weekly"),
    (("morning", "--at", "7"), "A time of day is HH:MM"),
    (("morning", "--zone", "Europe/Atlantis"), "There is no time zone"),
    (("morning", "--mail", "ann"), "is no mail address"),
    (("morning", "--file", "pdf"), "A file is one of markdown, html, text, json"),
    (("weekly", "--day", "someday"), "A weekday is one of"),
])  # fmt: skip
def test_what_cannot_be_is_refused_in_words(
    newsloom: Newsloom, words: tuple[str, ...], said: str
) -> None:
    assert said in newsloom("digests", "add", *words, status=2)


def test_what_a_schedule_needs_and_does_not_have_is_said(here: Path) -> None:
    line = ["digests", "add", "morning", "--mail", "ann@example.org", "--file", "html"]
    environment = os.environ | {"NEWSLOOM_STORE_PATH": str(here / "news.db")}
    done = commands.run(*line, environment=environment)
    assert done.returncode == 0, done
    for setting in ("mail.host", "web.url", "digest.folder"):
        assert setting in done.stderr


@pytest.mark.usefixtures("here")
def test_the_archive_is_listed_and_shown(newsloom: Newsloom) -> None:
    lines = newsloom("digests", "list").splitlines()
    assert [line.split("\t")[0] for line in lines] == ["2", "1"]
    assert "mail ann@example.org: sent" in lines[1]
    page = newsloom("digests", "show", "2")
    assert "**New:** The tide table was redrawn." in page
    assert json.loads(newsloom("digests", "show", "2", "--format", "json"))["kind"] == "weekly"
    assert "There is no digest 9" in newsloom("digests", "show", "9", status=2)


@pytest.mark.usefixtures("here")
def test_cron_makes_what_is_due_once(newsloom: Newsloom) -> None:
    """The schedule of this database fell due when it was made; nothing came since."""
    before = json.loads(newsloom("digests", "schedules", "--json"))
    assert "0 made, 0 sent." in newsloom("digests", "due")
    after = json.loads(newsloom("digests", "schedules", "--json"))
    assert after[0]["next_at"] > before[0]["next_at"]


@pytest.mark.usefixtures("here")
def test_the_feed_has_an_address_that_can_be_changed_and_ended(newsloom: Newsloom) -> None:
    first = newsloom("digests", "feed").strip()
    assert first.endswith("/digest/feed/read-me")
    other = newsloom("digests", "feed", "--new").strip()
    assert other != first
    assert newsloom("digests", "feed").strip() == other
    newsloom("digests", "feed", "--off")
    assert newsloom("digests", "feed").strip() != other


@pytest.mark.usefixtures("here")
def test_doctor_says_what_was_not_sent_and_how_to_mend_it(
    newsloom: Newsloom, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "no mail server is named" in newsloom("doctor", status=1)
    monkeypatch.setenv("NEWSLOOM_MAIL_HOST", "localhost")
    monkeypatch.setenv("NEWSLOOM_MAIL_SENDER", "news@example.org")
    found = json.loads(newsloom("doctor", "--json", status=1))
    (digests,) = [one for one in found if one["what"] == "digests"]
    assert digests["how"] == "1 not sent; to https://hook.example/x: refused"
