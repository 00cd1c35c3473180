"""Settings as they travel to workers on other machines: without secrets.

What Ray is given lies in the memory of its head for as long as the cluster lives, where everyone
who may use the cluster can read it. So each machine has the secrets itself, in its environment or
its settings file, as it would for `newsloom work`; the address of the database is one of them.
"""

from __future__ import annotations

import socket
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from pathlib import Path
from typing import Any

from newsloom.kernel.errors import SettingsError
from newsloom.kernel.settings import SECRETS, Settings, load, settings_file


@dataclass(frozen=True, slots=True)
class SentSettings:
    """Everything that is no secret, and which secrets have to be there."""

    settings: Settings
    secrets: tuple[str, ...]  # the settings that are set and not sent
    file: str  # where the sender's settings were read, if a file
    host: str  # the sender's machine, where a SQLite file is


def send(settings: Settings, file: str) -> SentSettings:
    """Settings without what nobody should see."""
    present = tuple(sorted(one for one in SECRETS if _get(settings, one)))
    bare = reduce(lambda tree, one: _put(tree, one, ""), present, settings)
    return SentSettings(bare, present, file, socket.gethostname())


def receive(sent: SentSettings, environment: Mapping[str, str]) -> Settings:
    """With this machine's secrets. Raises SettingsError when one is missing or another's."""
    there = Path(sent.file) if sent.file and Path(sent.file).is_file() else None
    own = load(settings_file(there, environment), environment)
    missing = [one for one in sent.secrets if not _get(own, one)]
    if missing:
        raise SettingsError(
            f"This machine has no {', '.join(missing)}: set it in its environment or settings file."
        )
    found = reduce(lambda tree, one: _put(tree, one, _get(own, one)), sent.secrets, sent.settings)
    if not found.store.url and sent.host != socket.gethostname():
        raise SettingsError(f"The store is a SQLite file of {sent.host}: set store.url.")
    return found


def _get(tree: Any, path: str) -> Any:
    return reduce(getattr, path.split("."), tree)


def _put(tree: Any, path: str, value: Any) -> Any:
    return _replaced(tree, path.split("."), value)


def _replaced(tree: Any, path: Iterable[str], value: Any) -> Any:
    name, *rest = path
    changed = _replaced(getattr(tree, name), rest, value) if rest else value
    return replace(tree, **{name: changed})
