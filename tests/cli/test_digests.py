"""Digests on the command line: schedules, the archive, what is due, the feed's address."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from newsloom.app import utc_now
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
    targets = [{"way": "webhook", "to": "https://hook.example/digests"}]
    wanted = ("kind=morning", "at=6:30", "zone=Europe/Berlin", f"targets:={json.dumps(targets)}")
    made = json.loads(newsloom("api", "POST", "/digests/schedules", *wanted))
    shown = json.loads(newsloom("api", "GET", "/digests/schedules"))["items"]
    assert made in shown
    assert (made["at"], made["zone"], made["targets"]) == ("06:30", "Europe/Berlin", targets)
    newsloom("api", "DELETE", f"/digests/schedules/{made['id']}")
    shown.remove(made)
    assert json.loads(newsloom("api", "GET", "/digests/schedules"))["items"] == shown


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(("words", "said"), [
    (("kind=stories",), "Choose a kind of digest: morning, midday, evening, weekly"),
    (("kind=morning", "at=7"), "Enter the time as HH:MM, not"),
    (("kind=morning", "zone=Europe/Atlantis"), "There is no time zone"),
    (("kind=morning", 'targets:=[{"way": "mail", "to": "ann"}]'), "is not an email address"),
    (("kind=morning", 'targets:=[{"way": "file", "to": "pdf"}]'), "The file format must be one of"),
    (("kind=weekly", "weekday=someday"), "Choose a weekday:"),
])  # fmt: skip
def test_what_cannot_be_is_refused_in_words(
    newsloom: Newsloom, words: tuple[str, ...], said: str
) -> None:
    assert said in newsloom("api", "POST", "/digests/schedules", *words, status=1)


@pytest.mark.usefixtures("here")
def test_the_archive_is_listed_and_shown(newsloom: Newsloom) -> None:
    second, first = json.loads(newsloom("api", "GET", "/digests"))["items"]
    assert (second["id"], first["id"]) == (2, 1)
    sent = {"way": "mail", "to": "ann@example.org", "state": "sent", "error": ""}
    assert sent in first["deliveries"]
    assert "**New since the last digest:** The tide table was redrawn." in newsloom("digest", "2")
    assert json.loads(newsloom("digest", "2", "--format", "json"))["kind"] == "weekly"
    assert "You have no digest 9" in newsloom("digest", "9", status=2)
    assert "There is no time zone" in newsloom("digest", "--zone", "Europe/Atlantis", status=2)


@pytest.mark.usefixtures("here")
def test_cron_makes_what_is_due_once(newsloom: Newsloom) -> None:
    """The schedule of this database fell due when it was made; nothing came since."""
    before = json.loads(newsloom("api", "GET", "/digests/schedules"))["items"]
    assert "0 made, 0 sent." in newsloom("digest", "--due")
    after = json.loads(newsloom("api", "GET", "/digests/schedules"))["items"]
    assert after[0]["next"] > before[0]["next"]


@pytest.mark.usefixtures("here")
def test_the_feed_has_an_address_that_can_be_changed_and_ended(newsloom: Newsloom) -> None:
    def address(method: str) -> str:
        return json.loads(newsloom("api", method, "/digests/feed"))["url"]

    first = address("GET")
    assert first.endswith("/digest/feed/read-me")
    other = address("POST")
    assert other != first
    assert address("GET") == other
    newsloom("api", "DELETE", "/digests/feed")
    assert address("GET") == ""


def test_doctor_says_what_was_not_sent_and_how_to_mend_it(
    newsloom: Newsloom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = furnish(open_world(tmp_path, utc_now()))  # it speaks of the last seven days
    digested(world)
    world.store.close()
    monkeypatch.setenv("NEWSLOOM_STORE_PATH", str(tmp_path / "newsloom.db"))
    assert "a schedule sends mail, but no mail server is configured" in newsloom("doctor", status=1)
    monkeypatch.setenv("NEWSLOOM_MAIL_HOST", "localhost")
    monkeypatch.setenv("NEWSLOOM_MAIL_SENDER", "news@example.org")
    found = json.loads(newsloom("doctor", "--json", status=1))
    (digests,) = [one for one in found if one["what"] == "digests"]
    assert digests["how"] == "1 not sent; to https://hook.example/x: refused"
