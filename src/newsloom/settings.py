"""One frozen tree of settings, parsed once from newsloom.toml and the environment.

Each field is documented where it is declared; `newsloom settings` and docs/settings.md are written
from these declarations. Nothing below the edge reads a file or the environment: parts of this tree
are passed in.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from datetime import timedelta
from pathlib import Path
from types import MappingProxyType
from typing import Any, get_type_hints
from urllib.parse import urlsplit

import platformdirs

from newsloom.errors import SettingsError

ENV_PREFIX = "NEWSLOOM_"

# The values that are more than of the right type.
ADDRESSES = frozenset({"fetch.proxy", "language_model.url", "greader.url"})
# What is shown only as being there.
SECRETS = frozenset({"language_model.key", "greader.password", "ttrss.database"})
CHOICES: Mapping[str, tuple[str, ...]] = {
    "training.trainer": ("head", "tfidf-svm", "modernbert"),
    "training.device": ("auto", "cpu", "cuda"),
    "training.balance": ("weighted", "newest"),
    "duplicates.profile": ("seed", "measured"),
    "duplicates.rows": ("cluster", "text", "article"),
    "ttrss.liked": ("read", "nothing"),
    "ttrss.disliked": ("published", "nothing"),
    "ttrss.starred": ("starred", "nothing"),
}


def _doc(text: str, default: Any, *, least: float | None = None) -> Any:
    return field(default=default, metadata={"doc": text, "least": least})


@dataclass(frozen=True, slots=True)
class StoreSettings:
    """Where everything is kept."""

    path: Path = _doc(
        "The SQLite file. Its folder is made if missing.",
        Path(platformdirs.user_data_dir("newsloom")) / "newsloom.db",
    )


@dataclass(frozen=True, slots=True)
class FetchSettings:
    """How Newsloom asks publishers for feeds."""

    timeout_seconds: float = _doc(
        "Whole deadline of one request, redirects included.", 30.0, least=1
    )
    max_megabytes: float = _doc("Largest body after decoding.", 15.0, least=0.001)
    max_ratio: int = _doc("Largest decoded size as a multiple of the bytes received.", 200, least=2)
    max_redirects: int = _doc("Redirects followed before giving up.", 5, least=0)
    concurrency: int = _doc("Requests under way at once.", 32, least=1)
    per_host: int = _doc("Requests under way at once to one host.", 1, least=1)
    private_hosts: tuple[str, ...] = _doc(
        "Hosts on private or loopback networks that may be fetched: names, or names with a port.",
        (),
    )
    contact: str = _doc(
        "A URL or address put in the User-Agent, so that publishers can reach you.", ""
    )
    forwarding_per_host: int = _doc(
        "Links asked of one forwarding host (t.co, bit.ly) in one pass, to find out where they "
        "lead; 0: none.",
        50,
        least=0,
    )
    proxy: str = _doc("HTTP proxy for all requests. Proxies of the environment are not used.", "")


@dataclass(frozen=True, slots=True)
class ScheduleSettings:
    """How often feeds are polled."""

    floor_minutes: float = _doc(
        "Shortest time between two polls of a feed, counted from the last one.", 60.0, least=1
    )
    ceiling_hours: float = _doc("Longest time between two polls of a living feed.", 24.0, least=1)


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """Which models read the articles."""

    embedder: str = _doc("The sentence encoder, by its name in the model registry.", "minilm-int8")
    threads: int = _doc("Processor threads the encoder may use; 0 takes all.", 0, least=0)
    entities: str = _doc(
        "What finds names: crf (shipped), or the name or folder of an installed spaCy model.", "crf"
    )


@dataclass(frozen=True, slots=True)
class RankingSettings:
    """How relevance and expiry become one order."""

    half_life_days: tuple[float, float, float, float, float] = _doc(
        "Days in which a score halves, for sensitivity 1 (evergreen) to 5 (critical).",
        (365.0, 183.0, 30.0, 10.0, 5.0),
        least=0.01,
    )
    min_likes: int = _doc("Likes needed before a personal model is trained.", 20, least=2)
    min_dislikes: int = _doc("Dislikes needed before a personal model is trained.", 20, least=2)
    observed_delays: bool = _doc(
        "Whether a feed whose articles you read soon, or late, expires faster, or slower.", False
    )

    def half_lives(self) -> Mapping[int, timedelta]:
        """Sensitivity 1..5 to half-life."""
        return MappingProxyType(
            {level: timedelta(days=days) for level, days in enumerate(self.half_life_days, start=1)}
        )


@dataclass(frozen=True, slots=True)
class TrainingSettings:
    """How a reader's own model is made."""

    trainer: str = _doc("What trains it: head, tfidf-svm or modernbert.", "head")
    at: str = _doc("Local time at which `serve` trains every day, as HH:MM; empty: never.", "01:00")
    half_weight_days: float = _doc(
        "Days after which a label counts half as much; 0 counts all alike.", 0.0, least=0
    )
    base_model: str = _doc(
        "What `modernbert` starts from: a name on the Hugging Face hub, or a folder.",
        "answerdotai/ModernBERT-base",
    )
    base_revision: str = _doc("The revision of that model to pin; empty takes the newest.", "")
    device: str = _doc("Where `modernbert` computes: auto, cpu or cuda.", "auto")
    balance: str = _doc(
        "How `modernbert` meets unequal classes: weighted (all labels, rarer class weighs more) "
        "or newest (as many of the newest of each class).",
        "weighted",
    )


@dataclass(frozen=True, slots=True)
class DuplicateSettings:
    """When two articles are held to be the same, and what a list makes of it."""

    profile: str = _doc(
        "The thresholds: seed (those below) or measured (fitted; those changed below stay).", "seed"
    )
    title_jaccard: float = _doc("Common words of two titles that make them alike.", 0.85, least=0.5)
    short_title_jaccard: float = _doc("The same for titles of fewer than 5 words.", 0.95, least=0.5)
    title_levenshtein: float = _doc(
        "Common letters that make alike titles which few words part.", 0.9, least=0.5
    )
    simhash_distance: int = _doc("Bits of 64 that two fingerprints may differ in.", 3, least=0)
    minhash_jaccard: float = _doc(
        "Common pairs of following words of two texts, of all.", 0.7, least=0.3
    )
    containment: float = _doc("The same, of those of the shorter text.", 0.5, least=0.3)
    shared_sentences: int = _doc("Common ones of the first three long sentences.", 2, least=1)
    entity_overlap: float = _doc("Common names of two articles on one event.", 0.8, least=0.3)
    entity_common: int = _doc("Names that they must have in common at least.", 3, least=1)
    entity_title_words: int = _doc("Words that their titles must have in common.", 0, least=0)
    entity_hours: float = _doc(
        "Hours between two articles on one event; looked for up to a day apart.", 24.0, least=0
    )
    window_days: float = _doc("How far apart two copies of a text may be.", 30.0, least=1)
    rows: str = _doc(
        "What is one row of a list: a cluster (an event), a text (copies only) or an article.",
        "cluster",
    )
    read_together: bool = _doc("Whether reading one article of a row reads all of it.", True)


@dataclass(frozen=True, slots=True)
class LanguageModelSettings:
    """A language model that answers the OpenAI chat protocol, to judge how fast articles expire."""

    url: str = _doc(
        "Address of the server up to /v1, such as http://127.0.0.1:11434/v1; empty: none is used.",
        "",
    )
    model: str = _doc("The model's name on that server.", "")
    key: str = _doc("The key sent to it, if it wants one.", "")
    timeout_seconds: float = _doc("Whole deadline of one question.", 30.0, least=1)
    concurrency: int = _doc("Questions under way at once.", 2, least=1)
    run_seconds: float = _doc("How long `newsloom run` asks at most.", 120.0, least=0)
    daily_tokens: int = _doc("Tokens spent in one day at most; 0: no limit.", 2_000_000, least=0)
    context_tokens: int = _doc("How long a question and its answer may be.", 1024, least=512)


@dataclass(frozen=True, slots=True)
class TtrssSettings:
    """A Tiny Tiny RSS whose articles are ranked, through its PostgreSQL database."""

    database: str = _doc("Its address, as postgresql://user:password@host/name; empty: none.", "")
    users: tuple[str, ...] = _doc("Whose articles are ranked; empty: every user's.", ())
    every_minutes: float = _doc("How often `serve` synchronises.", 30.0, least=1)
    liked: str = _doc("What counts as liked: read, or nothing.", "read")
    disliked: str = _doc("What counts as disliked: published, or nothing.", "published")
    starred: str = _doc("What counts as strongly liked: starred, or nothing.", "starred")
    days: int = _doc("How many days back articles are read on the first run.", 365, least=1)
    sensitivity_table: bool = _doc("Whether the time_sensitivity table is written.", False)
    mark_titles: bool = _doc(
        'Whether titles get the score before and "(TS: n)" behind them.', False
    )


@dataclass(frozen=True, slots=True)
class GreaderSettings:
    """A server of the Google Reader API (FreshRSS, Miniflux) whose articles are ranked."""

    url: str = _doc(
        "Its address, such as https://host/api/greader.php for FreshRSS; empty: none.", ""
    )
    user: str = _doc("The name to log in with.", "")
    password: str = _doc("The API password of that user.", "")
    every_minutes: float = _doc("How often `serve` synchronises.", 30.0, least=1)
    label: str = _doc("The label that the best unread articles get.", "newsloom-top")
    top: int = _doc("How many articles carry it.", 100, least=1)
    days: int = _doc("How many days back articles are read on the first run.", 30, least=1)


@dataclass(frozen=True, slots=True)
class WebSettings:
    """Where the pages are served."""

    host: str = _doc(
        "Address to listen on. Anything but loopback shows your feeds to others.", "127.0.0.1"
    )
    port: int = _doc("Port to listen on.", 8765, least=0)
    names: tuple[str, ...] = _doc(
        "Public host names the pages answer to, such as the one of a proxy before them.", ()
    )


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set."""

    user: str = _doc("Whose feeds and articles the commands act on.", "reader")
    store: StoreSettings = StoreSettings()
    fetch: FetchSettings = FetchSettings()
    schedule: ScheduleSettings = ScheduleSettings()
    models: ModelSettings = ModelSettings()
    ranking: RankingSettings = RankingSettings()
    training: TrainingSettings = TrainingSettings()
    duplicates: DuplicateSettings = DuplicateSettings()
    language_model: LanguageModelSettings = LanguageModelSettings()
    ttrss: TtrssSettings = TtrssSettings()
    greader: GreaderSettings = GreaderSettings()
    web: WebSettings = WebSettings()


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
        raise SettingsError(f"There is no settings file {file}.") from None
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
            values[name] = _value(known[name], hints[name], raw, f"{place}: {path}")
    return kind(**values)


def _unknown(path: str, place: str) -> str:
    names = [key.path for key in declared()]
    sections = sorted({name.rsplit(".", 1)[0] for name in names if "." in name})
    near = difflib.get_close_matches(path, names + sections, n=1, cutoff=0.5)
    leaf = path.rsplit(".", 1)[-1]
    near = near or [name for name in names if name.rsplit(".", 1)[-1] == leaf][:1]
    hint = f" Did you mean {near[0]}?" if near else " `newsloom settings` lists all."
    return f"{place}: there is no setting {path}.{hint}"


def _value(declared: Any, kind: Any, raw: Any, place: str) -> Any:
    value = _typed(kind, declared.default, raw, place)
    least = declared.metadata["least"]
    if least is not None:
        numbers = value if isinstance(value, tuple) else (value,)
        if any(not number >= least for number in numbers):
            raise SettingsError(f"{place} is {_shown(raw, place)}; the least allowed is {least:g}.")
    _check_known(place, value)
    return value


def _typed(kind: Any, default: Any, raw: Any, place: str) -> Any:
    if isinstance(default, tuple):
        return _tuple(default, raw, place)
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
    raise SettingsError(f"{place} must be {words}, not {_shown(raw, place)}.")


def _tuple(default: tuple[Any, ...], raw: Any, place: str) -> tuple[Any, ...]:
    member: type = float if default else str
    good = isinstance(raw, (list, tuple)) and all(
        isinstance(one, (int, float) if member is float else str) and not isinstance(one, bool)
        for one in raw
    )
    if not good or (default and len(raw) != len(default)):
        words = f"a list of {len(default)} numbers" if default else "a list of texts"
        raise SettingsError(f"{place} must be {words}, not {_shown(raw, place)}.")
    return tuple(member(one) for one in raw)


def _check_known(place: str, value: Any) -> None:
    """The few values that must be more than of the right type."""
    key = place.rsplit(" ", 1)[-1]
    key = next((one.path for one in declared() if one.variable == key), key)
    if key in ADDRESSES and value and urlsplit(value).scheme not in {"http", "https"}:
        raise SettingsError(f"{place} must be an http:// address, not {_shown(value, place)}.")
    if key in CHOICES and value not in CHOICES[key]:
        near = difflib.get_close_matches(value, CHOICES[key], n=1)
        hint = f" Did you mean {near[0]}?" if near else ""
        raise SettingsError(
            f"{place} is one of {', '.join(CHOICES[key])}, not {_shown(value, place)}.{hint}"
        )
    if key == "training.at" and value and not re.fullmatch(r"([01]\d|2[0-3]):[0-5]\d", value):
        raise SettingsError(f"{place} must be a time such as 01:00, not {_shown(value, place)}.")
    if key == "web.port" and value > 65535:
        raise SettingsError(f"{place} is {value}; the largest port is 65535.")
    if key == "user" and not value.strip():
        raise SettingsError(f"{place} must not be empty.")


def _shown(raw: Any, place: str) -> str:
    names = {*SECRETS, *(Key(path, "", "").variable for path in SECRETS)}
    text = "what it is" if place.rsplit(" ", 1)[-1] in names else repr(masked("", raw))
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
        settings = _with(settings, by_variable[name].path.split("."), text, f"environment: {name}")
    return settings


def _with(section: Any, path: list[str], text: str, place: str) -> Any:
    from dataclasses import replace

    name, *rest = path
    if rest:
        return replace(section, **{name: _with(getattr(section, name), rest, text, place)})
    declared = next(one for one in fields(section) if one.name == name)
    kind = get_type_hints(type(section))[name]
    return replace(
        section, **{name: _value(declared, kind, _parse(kind, declared.default, text), place)}
    )


def _parse(kind: Any, default: Any, text: str) -> Any:
    """Text from the environment as TOML would have given it."""
    if isinstance(default, tuple):
        parts = [part.strip() for part in text.split(",") if part.strip()]
        return [_number(part) for part in parts] if default else parts
    if kind is bool:
        return {"true": True, "false": False}.get(text.strip().lower(), text)
    return _number(text) if kind in {int, float} else text


def _number(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
