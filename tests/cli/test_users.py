"""`newsloom user`, and a server that several people use, started as a person starts it."""

from __future__ import annotations

import json
import re
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

import commands
from cli.serving import environment_of, served, started
from small_disk import small_disk

Newsloom = Callable[..., str]
PASSWORD = "four words and more"
SAME = {"sec-fetch-site": "same-origin"}


@pytest.fixture
def newsloom(tmp_path: Path) -> Newsloom:
    """As a process of its own, with passwords on standard input."""

    def run(*words: str, given: str = "", code: int = 0, said: str = "") -> str:
        environment = environment_of(tmp_path / "n.db", {})
        done = commands.run(*words, environment=environment, given=given)
        assert done.returncode == code, done.stderr
        assert said in done.stderr
        assert given.strip() == "" or given.strip() not in done.stdout + done.stderr
        return done.stdout

    return run


def add(newsloom: Newsloom, name: str, *more: str) -> None:
    newsloom("user", "add", name, *more, given=PASSWORD + "\n")


def test_accounts_are_made_listed_and_removed(newsloom: Newsloom) -> None:
    assert newsloom("user", "list") == ""
    newsloom("user", "invite", code=2, said="user add NAME")
    newsloom("user", "add", "Anna", given=PASSWORD, said="This is the first account")
    add(newsloom, "bob")
    newsloom("user", "add", "bob", given=PASSWORD, code=2, said="That name is taken")
    newsloom("user", "add", "eve", given="short", code=2, said="at least 12")
    newsloom("user", "add", "e v e", given=PASSWORD, code=2, said="A name has")
    rows = [line.split("\t")[:3] for line in newsloom("user", "list").splitlines()]
    assert rows == [["anna", "admin", "reader"], ["bob", "reader", "bob"]]
    newsloom("user", "remove", "anna", "--yes", code=2, said="only administrator")
    newsloom("user", "role", "bob", "admin")
    newsloom("user", "remove", "anna", "--yes")
    assert [row["name"] for row in json.loads(newsloom("user", "list", "--json"))] == ["bob"]
    newsloom("user", "remove", "bob", "--keep-reading", "--yes", said="This was the last account")
    newsloom("user", "passwd", "bob", given=PASSWORD, code=2, said="no account 'bob'")


def test_a_user_who_reads_already_gets_an_account(newsloom: Newsloom, tmp_path: Path) -> None:
    add(newsloom, "anna")
    newsloom("user", "add", "c", "--for-user", "nobody", given=PASSWORD, code=2, said="no user")
    add(newsloom, "bob")
    newsloom("user", "remove", "bob", "--keep-reading", "--yes")
    newsloom("user", "add", "bob", given=PASSWORD, code=2, said="That name is taken")
    add(newsloom, "bob", "--for-user", "bob")


def test_commands_know_the_first_account_by_its_name(newsloom: Newsloom) -> None:
    """It belongs to the user who read before there were accounts."""
    add(newsloom, "anna")
    newsloom("--user", "anna", "api", "POST", "/interests", "text=sailing")
    newsloom("--user", "newcomer", "list")
    for user, found in (("anna", "sailing"), ("reader", "sailing"), ("newcomer", "")):
        assert found in newsloom("--user", user, "api", "GET", "/interests")
    rows = [line.split("\t")[:3] for line in newsloom("user", "list").splitlines()]
    assert rows == [["anna", "admin", "reader"]]


def test_app_passwords(newsloom: Newsloom) -> None:
    add(newsloom, "anna")
    made = newsloom("user", "app-password", "add", "anna", "on my phone").strip()
    assert re.fullmatch("[a-z2-7]{32}", made)
    (row,) = json.loads(newsloom("user", "app-password", "list", "anna", "--json"))
    assert (row["name"], row["used_at"]) == ("on my phone", None)
    assert made not in newsloom("user", "app-password", "list", "anna")
    newsloom("user", "passwd", "anna", given=PASSWORD, said="App passwords that still work: 1")
    newsloom("user", "app-password", "add", "anna", "elsewhere")
    newsloom("user", "passwd", "anna", "--revoke-app-passwords", given=PASSWORD)
    assert json.loads(newsloom("user", "app-password", "list", "anna", "--json")) == []
    newsloom("user", "app-password", "add", "anna", "on my phone")
    (row,) = json.loads(newsloom("user", "app-password", "list", "anna", "--json"))
    newsloom("user", "app-password", "remove", "anna", str(row["id"]))
    newsloom("user", "app-password", "remove", "anna", "1", code=2, said="no such app password")


def test_everything_of_one_person_goes_into_a_file(newsloom: Newsloom, tmp_path: Path) -> None:
    add(newsloom, "anna")
    newsloom("api", "POST", "/interests", "text=glaciers")
    file = tmp_path / "anna.zip"
    newsloom("user", "export", "anna", str(file))
    with zipfile.ZipFile(file) as packed:
        (row,) = json.loads(packed.read("tables/interests.json"))
        assert row["text"] == "glaciers"
    newsloom("user", "export", "anna", str(file), code=2, said="cannot be written")
    assert zipfile.is_zipfile(file), "what is there stays"
    with small_disk(tmp_path / "full") as disk:
        environment = environment_of(tmp_path / "n.db", {})
        file = disk.folder / "anna.zip"
        done = disk.newsloom("user", "export", "anna", str(file), environment=environment)
        assert done.returncode == 2
        assert "anna.zip cannot be written: No space left on device." in done.stderr
        assert not list(disk.files.iterdir()), "nothing half"


class Browser:
    """Signs in, and keeps the cookie."""

    def __init__(self, url: str, password: str = PASSWORD, name: str = "anna") -> None:
        form = {"name": name, "password": password}
        answer = httpx.post(url + "sign-in", data=form, headers=SAME, timeout=60)
        self.url, self.cookies = url, dict(answer.cookies)

    def get(self, path: str) -> httpx.Response:
        return httpx.get(self.url + path, headers=self._headers(), timeout=60)

    def post(self, path: str, data: dict[str, str]) -> httpx.Response:
        return httpx.post(self.url + path, data=data, headers=self._headers(), timeout=60)

    def _headers(self) -> dict[str, str]:
        kept = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return SAME | ({"cookie": kept} if kept else {})


def test_a_server_that_others_reach_asks_everybody_to_sign_in(
    newsloom: Newsloom, tmp_path: Path
) -> None:
    """With an account it is served there; a session works, and ends with the password."""
    store = tmp_path / "n.db"
    newsloom("list")
    _out, said = started(store, "--host", "0.0.0.0").communicate(timeout=60)
    assert "`newsloom user add NAME`" in said
    add(newsloom, "anna")
    with served(store, "--host", "0.0.0.0") as url:
        assert httpx.get(url, timeout=60).headers["location"] == "/sign-in"
        assert httpx.get(url + "api/articles", timeout=60).status_code == 401
        assert Browser(url, "wrong").get("").status_code == 303
        anna = Browser(url)
        assert anna.get("").status_code == 200
        newsloom("user", "passwd", "anna", given="another long password")
        assert anna.get("").status_code == 303
        assert Browser(url, "another long password").get("").status_code == 200
        lines = newsloom("user", "audit").splitlines()
        assert [line.split("\t")[4] for line in lines] == [
            "signed in", "signed in", "wrong name or password",
        ]  # fmt: skip
        newsloom("user", "remove", "anna", "--keep-reading", "--yes")
        assert httpx.get(url, timeout=60).status_code == 303, (
            "without an account it is closed, not open"
        )


def test_the_first_account_closes_a_server_that_runs(newsloom: Newsloom, tmp_path: Path) -> None:
    with served(tmp_path / "n.db") as url:
        assert httpx.get(url, timeout=60).status_code == 200
        add(newsloom, "anna")
        for _time in range(60):
            if httpx.get(url, timeout=60).status_code == 303:
                break
            time.sleep(0.1)
        assert httpx.get(url, timeout=60).headers["location"] == "/sign-in"
        link = newsloom("user", "invite").strip().rpartition("/invited/")[2]
        made = httpx.post(
            f"{url}invited/{link}",
            data={"name": "bob", "password": PASSWORD},
            headers=SAME,
            timeout=60,
        )
        assert made.status_code == 303
        bob = Browser(url, name="bob")
        assert bob.get("").status_code == 200
        assert bob.get("admin").status_code == 403
        assert "sailing boats" not in bob.get("you").text
        bob.post("interests", data={"text": "sailing boats"})
        assert "sailing boats" in bob.get("you").text
        anna = Browser(url)
        assert "sailing boats" not in anna.get("you").text
