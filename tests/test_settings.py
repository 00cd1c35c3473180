"""Settings: parsed once, and every mistake names itself, its place and the nearest valid one."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from newsloom.kernel import settings
from newsloom.kernel.errors import SettingsError


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
    "number below the least": ("[fetch]\nconcurrency = 0", "fetch.concurrency", "minimum"),
    "nan": ("[fetch]\ntimeout_seconds = nan", "fetch.timeout_seconds", "minimum"),
    "port too large": ("[web]\nport = 70000", "web.port", "65535"),
    "list too short": ("[ranking]\nhalf_life_days = [1, 2]", "half_life_days", "5 numbers"),
    "half-life of nothing": (
        "[ranking]\nhalf_life_days = [1,1,1,1,0]",
        "half_life_days",
        "minimum",
    ),
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


# What a setting may hold that is not its default, by the kind of value.
TEXTS = (
    "plain",
    "",
    "two  blanks ",
    'a "quoted" word',
    '"wholly quoted"',
    "it's",
    "'wholly'",
    "back\\slash",
    "a\ttab",
    "comma, comma",
    "[brackets]",
    "Überschrift 新闻",
    "true",
    "0x10",
    "del\x7f",
)
SPECIAL = {
    "user": TEXTS[0:1] + TEXTS[2:],
    "training.at": ("", "23:59"),
    "web.port": (0, 65535),
    "fetch.private_hosts": (
        ("nas",),
        ("a.lan", "b.lan:8080"),
        ("[::1]:8080", "fe80::1"),
        ("пример.рф", "rss_bridge"),
    ),
    "web.names": (("reader.example", "nas"),),
    "ttrss.users": (("ann",), ("Ann, the first", 'Bob "B"', "[x]"), ("O'Brien",)),
    "ranking.half_life_days": ((100.0, 50.5, 20.0, 5.0, 0.01),),
    "store.path": (Path("/a folder/with 'quotes'/news.db"), Path("relative.db")),
    "fetch.proxy": ("http://proxy.lan:3128", ""),
}


def samples(key: settings.Key) -> tuple[object, ...]:
    """Values that a key may have, one of them the default."""
    if key.path in settings.CHOICES:
        return settings.CHOICES[key.path]
    if key.path in settings.ADDRESSES:
        return (key.default, "https://host.example/path?x=%20y")
    more: dict[type, tuple[object, ...]] = {
        bool: (True, False),
        int: (1_000_000,),
        float: (1e6, 123456.789),
        str: TEXTS,
    }
    return (key.default, *SPECIAL.get(key.path, more.get(type(key.default), ())))


def holding(path: str, value: object) -> settings.Settings:
    section, _, name = path.rpartition(".")
    whole = settings.Settings()
    if not section:
        return replace(whole, **{name: value})
    return replace(whole, **{section: replace(getattr(whole, section), **{name: value})})


def test_what_is_printed_reads_as_what_it_was(tmp_path: Path) -> None:
    """From the file and from the environment, for every setting that is shown at all."""
    shown = [
        (key, value)
        for key in settings.declared()
        if key.path not in settings.SECRETS
        for value in samples(key)
    ]
    assert len(shown) > 500
    assert [(key.path, value) for key, value in shown if not survives(tmp_path, key, value)] == []


def survives(tmp_path: Path, key: settings.Key, value: object) -> bool:
    printed = settings.written(settings.masked(key.path, value))
    section, _, name = key.path.rpartition(".")
    head = f"[{section}]\n" if section else ""
    try:
        read = (
            load(tmp_path, **{key.variable: printed}),
            load(tmp_path, f"{head}{name} = {printed}\n"),
        )
    except SettingsError:
        return False
    return read == (holding(key.path, value),) * 2


LISTS = {
    "as JSON": ('["a.lan","b.lan:8080"]', ("a.lan", "b.lan:8080")),
    "as TOML": ("['a.lan', \"b.lan:8080\",]", ("a.lan", "b.lan:8080")),
    "with commas": ("a.lan, b.lan:8080 ,", ("a.lan", "b.lan:8080")),
    "with commas and quotes": ('"a.lan", "b.lan:8080"', ("a.lan", "b.lan:8080")),
    "of one": ('["a.lan"]', ("a.lan",)),
    "of none": ("[]", ()),
    "empty": ("", ()),
    "of addresses": ("[::1]:8080,[fe80::1]", ("[::1]:8080", "[fe80::1]")),
}


@pytest.mark.parametrize(("text", "hosts"), LISTS.values(), ids=LISTS)
def test_a_list_is_read_in_every_form(tmp_path: Path, text: str, hosts: tuple[str, ...]) -> None:
    assert load(tmp_path, NEWSLOOM_FETCH_PRIVATE_HOSTS=text).fetch.private_hosts == hosts


@pytest.mark.parametrize(
    "text",
    ['["a","b"', '["a" "b"]', "[a, b]", "['a', 1]", "http://nas.lan/", "nas.lan/x", "a b", "nas:x"],
)
def test_half_a_list_is_no_odd_name(tmp_path: Path, text: str) -> None:
    with pytest.raises(SettingsError, match="NEWSLOOM_FETCH_PRIVATE_HOSTS must"):
        load(tmp_path, NEWSLOOM_FETCH_PRIVATE_HOSTS=text)
    with pytest.raises(SettingsError, match="NEWSLOOM_RANKING_HALF_LIFE_DAYS must"):
        load(tmp_path, NEWSLOOM_RANKING_HALF_LIFE_DAYS=text)


@pytest.mark.parametrize("path", sorted(settings.SECRETS | {"fetch.proxy"}))
def test_what_hides_a_secret_is_not_taken_for_it(tmp_path: Path, path: str) -> None:
    key = next(one for one in settings.declared() if one.path == path)
    for secret in ("hunter2", "https://ann:hunter2@host.example/x"):
        shown = settings.masked(path, secret)
        if "(set" in shown:
            with pytest.raises(
                SettingsError,
                match="contains the placeholder that `newsloom settings` shows for a secret",
            ):
                load(tmp_path, **{key.variable: settings.written(shown)})


def test_a_misspelt_variable_names_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="NEWSLOOM_WEB_PORT"):
        load(tmp_path, NEWSLOOM_WEB_PROT="1")


def test_a_missing_file_says_so(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="Settings file not found"):
        settings.load(tmp_path / "absent.toml", {})


def test_every_key_is_described() -> None:
    declared = list(settings.declared())
    assert len(declared) > 150
    assert [key.path for key in declared if not key.doc.endswith(".")] == []
    # The page says how a variable is named, not each name.
    assert all(key.variable == "NEWSLOOM_" + key.path.upper().replace(".", "_") for key in declared)
