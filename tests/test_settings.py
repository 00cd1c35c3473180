"""Settings: parsed once, and every mistake names itself, its place and the nearest valid one."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from newsloom import settings
from newsloom.errors import SettingsError


def load(tmp_path: Path, text: str = "", **environment: str) -> settings.Settings:
    file = tmp_path / "newsloom.toml"
    file.write_text(text, encoding="utf-8")
    return settings.load(file, environment)


def test_nothing_set_gives_the_defaults(tmp_path: Path) -> None:
    assert load(tmp_path) == settings.Settings()


def test_the_file_is_read_and_the_environment_wins(tmp_path: Path) -> None:
    loaded = load(
        tmp_path,
        '[web]\nport = 9000\nhost = "::1"\n[fetch]\nprivate_hosts = ["bridge.lan"]\n',
        NEWSLOOM_WEB_PORT="9001",
        HOME="/nowhere",
    )
    assert (loaded.web.port, loaded.web.host) == (9001, "::1")
    assert loaded.fetch.private_hosts == ("bridge.lan",)


def test_lists_come_from_the_environment_too(tmp_path: Path) -> None:
    loaded = load(
        tmp_path,
        NEWSLOOM_RANKING_HALF_LIFE_DAYS="100, 50, 20, 5, 0.5",
        NEWSLOOM_FETCH_PRIVATE_HOSTS="a.lan,b.lan:8080",
    )
    assert loaded.ranking.half_lives()[5] == timedelta(hours=12)
    assert loaded.fetch.private_hosts == ("a.lan", "b.lan:8080")


def test_the_half_lives_are_the_seeds() -> None:
    days = [span.days for span in settings.Settings().ranking.half_lives().values()]
    assert days == [365, 183, 30, 10, 5]


WRONG = {
    "misspelt key": ("[web]\nprt = 1", "web.prt", "web.port"),
    "misspelt section": ("[wob]\nport = 1", "wob", "web"),
    "key outside its section": ("port = 1", "port", "web.port"),
    "text for a number": ('[web]\nport = "x"', "web.port", "whole number"),
    "true for a number": ("[web]\nport = true", "web.port", "whole number"),
    "number for text": ("[web]\nhost = 1", "web.host", "text"),
    "number below the least": ("[fetch]\nconcurrency = 0", "fetch.concurrency", "least"),
    "nan": ("[fetch]\ntimeout_seconds = nan", "fetch.timeout_seconds", "least"),
    "port too large": ("[web]\nport = 70000", "web.port", "65535"),
    "list too short": ("[ranking]\nhalf_life_days = [1, 2]", "half_life_days", "5 numbers"),
    "half-life of nothing": ("[ranking]\nhalf_life_days = [1,1,1,1,0]", "half_life_days", "least"),
    "list of numbers for texts": ("[fetch]\nprivate_hosts = [1]", "private_hosts", "texts"),
    "a value where a section is": ("web = 1", "web", "[web]"),
    "proxy that is no address": ('[fetch]\nproxy = "socks"', "fetch.proxy", "http://"),
    "empty user": ('user = " "', "user", "empty"),
    "no TOML": ("[web", "newsloom.toml", "TOML"),
}


@pytest.mark.parametrize(("text", "named", "hint"), WRONG.values(), ids=WRONG)
def test_a_mistake_names_itself(tmp_path: Path, text: str, named: str, hint: str) -> None:
    with pytest.raises(SettingsError) as caught:
        load(tmp_path, text)
    assert named in str(caught.value)
    assert hint in str(caught.value)
    assert "newsloom.toml" in str(caught.value)


@pytest.mark.parametrize(
    ("variable", "value", "hint"),
    [
        ("NEWSLOOM_WEB_PORT", "70000", "65535"),
        ("NEWSLOOM_TRAINING_TRAINER", "modernbrt", "Did you mean modernbert?"),
        ("NEWSLOOM_TRAINING_BALANCE", "oldest", "one of weighted, newest"),
        ("NEWSLOOM_TRAINING_AT", "25:00", "01:00"),
        ("NEWSLOOM_LANGUAGE_MODEL_URL", "file:///x", "http://"),
        ("NEWSLOOM_USER", " ", "empty"),
    ],
)
def test_a_wrong_value_from_the_environment_is_refused_too(tmp_path, variable, value, hint) -> None:
    with pytest.raises(SettingsError, match=variable) as caught:
        load(tmp_path, **{variable: value})
    assert hint in str(caught.value)


def test_a_misspelt_variable_names_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="NEWSLOOM_WEB_PORT"):
        load(tmp_path, NEWSLOOM_WEB_PROT="1")


def test_a_missing_file_says_so(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="no settings file"):
        settings.load(tmp_path / "absent.toml", {})


@pytest.mark.parametrize("key", tuple(settings.declared()), ids=lambda key: key.path)
def test_every_key_is_documented(key: settings.Key) -> None:
    page = Path(__file__).parents[1] / "docs" / "settings.md"
    assert key.doc.endswith(".")
    assert f"`{key.path}`" in page.read_text(encoding="utf-8")
    assert key.doc in page.read_text(encoding="utf-8")
