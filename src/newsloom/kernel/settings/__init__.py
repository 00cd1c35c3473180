"""What can be set: the tree (tree.py), its groups beside it, how it is read and printed."""

from __future__ import annotations

import difflib
import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import Path
from typing import Any, get_type_hints
from urllib.parse import urlsplit

import platformdirs

from newsloom.kernel.errors import SettingsError
from newsloom.kernel.settings.fetching import (
    FetchSettings,
    PageSettings,
    PushSettings,
    ReadingSettings,
    ScheduleSettings,
)
from newsloom.kernel.settings.models import (
    EmbeddingServerSettings,
    LanguageModelSettings,
    ModelSettings,
    TrainingSettings,
)
from newsloom.kernel.settings.ranking import DuplicateSettings, RankingSettings
from newsloom.kernel.settings.serving import DigestSettings, MailSettings, SyncSettings, WebSettings
from newsloom.kernel.settings.tree import (
    ADDRESSES,
    CHOICES,
    ENV_PREFIX,
    HOSTS,
    SECRETS,
    CoverageSettings,
    GreaderSettings,
    KeepSettings,
    Settings,
    StoreSettings,
    TtrssSettings,
    WorkSettings,
)

__all__ = [
    "ADDRESSES",
    "CHOICES",
    "ENV_PREFIX",
    "SECRETS",
    "CoverageSettings",
    "DigestSettings",
    "DuplicateSettings",
    "EmbeddingServerSettings",
    "FetchSettings",
    "GreaderSettings",
    "KeepSettings",
    "Key",
    "LanguageModelSettings",
    "MailSettings",
    "ModelSettings",
    "PageSettings",
    "PushSettings",
    "RankingSettings",
    "ReadingSettings",
    "ScheduleSettings",
    "Settings",
    "StoreSettings",
    "SyncSettings",
    "TrainingSettings",
    "TtrssSettings",
    "WebSettings",
    "WorkSettings",
    "declared",
    "default_file",
    "load",
    "masked",
    "settings_file",
    "written",
]


# Settings from newsloom.toml and the environment, checked, with words for every mistake.


@dataclass(frozen=True, slots=True)
class Key:
    """One setting as documented: where it stands, what it means, what it is by default."""

    path: str  # "fetch.timeout_seconds"
    doc: str
    default: Any

    @property
    def variable(self) -> str:
        """The environment variable that sets it."""
        return ENV_PREFIX + self.path.replace(".", "_").upper()


def masked(path: str, value: Any) -> Any:
    """A value as it may be shown: secrets are only told to be there, and so are passwords."""
    if path in SECRETS and value:
        scheme, address, rest = str(value).partition("://")
        host = rest.rpartition("@")[2].partition("?")[0]
        return f"(set, {scheme}://{host})" if address else "(set)"
    return _PASSWORD.sub(r"\1(set)@", value) if isinstance(value, str) else value


# In an address: up to its host, and no further than white space or a quote.
_PASSWORD = re.compile(r"(//[^/\s:@\"']*:)[^/\s\"']*@")


def default_file() -> Path:
    """Where newsloom.toml is looked for when none is named and none is in the working folder."""
    return Path(platformdirs.user_config_dir("newsloom")) / "newsloom.toml"


def settings_file(named: Path | None, environment: Mapping[str, str]) -> Path | None:
    """The one named, else the one of the environment, of the working folder, of the user."""
    if named is not None:
        return named
    if variable := environment.get(f"{ENV_PREFIX}CONFIG"):
        return Path(variable)
    places = (Path("newsloom.toml"), default_file())
    return next((path for path in places if path.is_file()), None)


def declared() -> Iterator[Key]:
    """Every setting, in the order declared."""
    yield from _keys(Settings(), "")


def _keys(section: Any, prefix: str) -> Iterator[Key]:
    for one in fields(section):
        value = getattr(section, one.name)
        if is_dataclass(value):
            yield from _keys(value, f"{prefix}{one.name}.")
        else:
            yield Key(prefix + one.name, one.metadata["doc"], value)


def load(file: Path | None, environment: Mapping[str, str]) -> Settings:
    """Read the file (if there is one) and then the environment, which wins.

    Raises SettingsError naming the key or value, its place, and the nearest valid one.
    """
    tree = _read_toml(file) if file is not None else {}
    settings = _build(Settings, tree, "", str(file))
    return _apply_environment(settings, environment)


def _read_toml(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise SettingsError(f"Settings file not found: {file}.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{file} cannot be read: {error}") from error
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{file} is not valid TOML: {error}") from error


def _build(kind: type, tree: Mapping[str, Any], prefix: str, place: str) -> Any:
    known = {one.name: one for one in fields(kind)}
    hints = get_type_hints(kind)
    for name in tree:
        if name not in known:
            raise SettingsError(_unknown(prefix + name, place))
    values = {}
    for name, raw in tree.items():
        path = prefix + name
        if is_dataclass(hints[name]):
            if not isinstance(raw, Mapping):
                raise SettingsError(f"{place}: {path} is a section, written [{path}].")
            values[name] = _build(hints[name], raw, f"{path}.", place)
        else:
            values[name] = _value(known[name], hints[name], raw, path, f"{place}: {path}")
    return kind(**values)


def _unknown(path: str, place: str) -> str:
    names = [key.path for key in declared()]
    sections = sorted({name.rsplit(".", 1)[0] for name in names if "." in name})
    near = difflib.get_close_matches(path, names + sections, n=1, cutoff=0.5)
    leaf = path.rsplit(".", 1)[-1]
    near = near or [name for name in names if name.rsplit(".", 1)[-1] == leaf][:1]
    hint = f" Did you mean {near[0]}?" if near else " See `newsloom settings`."
    return f"{place}: there is no setting {path}.{hint}"


def _value(declared: Any, kind: Any, raw: Any, path: str, place: str) -> Any:
    shown = _shown(path, raw)
    value = _typed(kind, declared.default, raw, shown, place)
    least = declared.metadata["least"]
    if least is not None:
        numbers = value if isinstance(value, tuple) else (value,)
        if any(not number >= least for number in numbers):
            raise SettingsError(f"{place} is {shown}; the minimum is {least:g}.")
    _check_known(path, value, shown, place)
    return value


def _typed(kind: Any, default: Any, raw: Any, shown: str, place: str) -> Any:
    if isinstance(default, tuple):
        return _tuple(default, raw, shown, place)
    if isinstance(default, Path):
        if isinstance(raw, str) and raw:
            return Path(raw).expanduser()
    elif kind is float:
        if isinstance(raw, (int, float)) and not isinstance(raw, bool):
            return float(raw)
    elif isinstance(raw, kind) and not (kind is int and isinstance(raw, bool)):
        return raw
    wanted = {
        Path: "a path in quotes",
        str: "text in quotes",
        int: "a whole number",
        bool: "true or false",
    }
    words = wanted.get(Path if isinstance(default, Path) else kind, "a number")
    raise SettingsError(f"{place} must be {words}, not {shown}.")


def _tuple(default: tuple[Any, ...], raw: Any, shown: str, place: str) -> tuple[Any, ...]:
    member: type = float if default else str
    good = isinstance(raw, (list, tuple)) and all(
        isinstance(one, (int, float) if member is float else str) and not isinstance(one, bool)
        for one in raw
    )
    if not good or (default and len(raw) != len(default)):
        words = f"a list of {len(default)} numbers" if default else 'a list of texts as ["a", "b"]'
        raise SettingsError(f"{place} must be {words}, not {shown}.")
    return tuple(member(one) for one in raw)


def _check_known(path: str, value: Any, shown: str, place: str) -> None:
    """The few values that must be more than of the right type."""
    if isinstance(value, str) and _MASK.search(value):
        raise SettingsError(
            f"{place} contains the placeholder that `newsloom settings` shows for a secret. Enter "
            f"the secret."
        )
    if path == "store.url" and value and urlsplit(value).scheme not in {"postgresql", "postgres"}:
        raise SettingsError(f"{place} must start with postgresql://.")
    if path in ADDRESSES and value and urlsplit(value).scheme not in {"http", "https"}:
        raise SettingsError(f"{place} must be an http:// address, not {shown}.")
    if path in CHOICES and value not in CHOICES[path]:
        near = difflib.get_close_matches(value, CHOICES[path], n=1)
        hint = f" Did you mean {near[0]}?" if near else ""
        raise SettingsError(
            f"{place} must be one of {', '.join(CHOICES[path])}, not {shown}.{hint}"
        )
    for one in value if path in HOSTS else ():
        if not HOSTS[path].fullmatch(one):
            example = "nas.lan or nas.lan:8080" if path == "fetch.private_hosts" else "nas.lan"
            raise SettingsError(f"{place} must name hosts, such as {example}, not {one!r:.60}.")
    if path == "training.at" and value and not re.fullmatch(r"([01]\d|2[0-3]):[0-5]\d", value):
        raise SettingsError(f"{place} must be a time such as 01:00, not {shown}.")
    _check_sum(path, value, shown, place)
    if path == "web.port" and value > 65535:
        raise SettingsError(f"{place} is {value}; the largest port is 65535.")
    if path == "user" and not value.strip():
        raise SettingsError(f"{place} must not be empty.")


def _check_sum(path: str, value: Any, shown: str, place: str) -> None:
    if path == "importance.weights" and not abs(sum(value) - 1) < 1e-6:
        raise SettingsError(f"{place} must add up to 1, but {shown} adds up to {sum(value):g}.")


# How `masked` writes a secret.
_MASK = re.compile(r"^\(set[,)]|//[^/\s]*:\(set\)@")


def _shown(path: str, raw: Any) -> str:
    text = "what it is" if path in SECRETS else repr(masked("", raw))
    return text if len(text) <= 80 else text[:77] + "..."


def _apply_environment(settings: Settings, environment: Mapping[str, str]) -> Settings:
    by_variable = {key.variable: key for key in declared()}
    # NEWSLOOM_CONFIG names the file, and names ending in _COMPLETE belong to shell completion.
    named = {
        name: text
        for name, text in environment.items()
        if name.startswith(ENV_PREFIX) and name != f"{ENV_PREFIX}CONFIG"
    }
    for name, text in named.items():
        if name not in by_variable:
            near = difflib.get_close_matches(name, by_variable, n=1, cutoff=0.5)
            hint = f" Did you mean {near[0]}?" if near else ""
            raise SettingsError(f"environment: there is no setting {name}.{hint}")
        key = by_variable[name]
        settings = _with(settings, key.path.split("."), text, key)
    return settings


def _with(section: Any, path: list[str], text: str, key: Key) -> Any:
    name, *rest = path
    if rest:
        return replace(section, **{name: _with(getattr(section, name), rest, text, key)})
    declared = next(one for one in fields(section) if one.name == name)
    kind = get_type_hints(type(section))[name]
    raw = parse(kind, declared.default, text)
    place = f"environment: {key.variable}"
    return replace(section, **{name: _value(declared, kind, raw, key.path, place)})


def written(value: Any) -> str:
    """A value of a setting as TOML."""
    if isinstance(value, (tuple, list)):
        return "[" + ", ".join(written(one) for one in value) + "]"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (str, Path)):
        # JSON's escapes are TOML's too, which wants one more.
        return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")
    return str(value)


def parse(kind: Any, default: Any, text: str) -> Any:
    """Text from the environment as the file would have given it: TOML, or plain words.

    Plain are texts without quotes, and lists with commas and no brackets. Text that is of no such
    form is given back as it is, for the check of types to refuse.
    """
    if isinstance(default, tuple):
        return _list(text, numbers=bool(default))
    if kind is bool:
        return {"true": True, "false": False}.get(text.strip().lower(), text)
    if kind in {int, float}:
        return _number(text)
    return _toml(text, str) if text.startswith(('"', "'")) else text


def _list(text: str, *, numbers: bool) -> Any:
    stripped = text.strip()
    quoted = any(mark in stripped for mark in "\"'")
    found = _toml(f"[{stripped}]" if quoted and stripped[:1] != "[" else stripped, list)
    if isinstance(found, list):
        return found
    parts = [part.strip() for part in stripped.split(",") if part.strip()]
    if any(part.startswith("[") and not _IPV6.fullmatch(part) for part in parts):
        return text  # half a list, which must not become an odd name
    return [_number(part) for part in parts] if numbers else parts


# A host that is an IPv6 address, with or without a port: no list, though in brackets.
_IPV6 = re.compile(r"\[[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*\](:\d+)?")


def _toml(text: str, kind: type) -> Any:
    """The value of that kind that the text writes; the text itself when it writes none."""
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except (tomllib.TOMLDecodeError, KeyError):
        return text
    return value if isinstance(value, kind) else text


def _number(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
