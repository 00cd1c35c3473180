"""Piper voices on this machine: which are installed; to install one from the hub or a file."""

from __future__ import annotations

import asyncio
import re
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from newsloom.briefs.voices.known import KNOWN, MEGABYTES, REPOSITORY, REVISION, known
from newsloom.briefs.voices.piper import MOST_BYTES, PiperVoice, load
from newsloom.kernel import installed
from newsloom.kernel.errors import UserError, VoiceError
from newsloom.kernel.http import hub
from newsloom.kernel.http.values import Downloaded

if TYPE_CHECKING:
    from newsloom.kernel.settings import Settings

_NAME = re.compile(
    r"(?P<region>(?P<language>[a-z]{2,3})_[A-Z]{2})-(?P<who>[a-z0-9_]{1,40})"
    r"-(?P<quality>x_low|low|medium|high)"
)
MOST_MEGABYTES = 150  # the largest of Piper's own has 137


@dataclass(frozen=True, slots=True)
class PiperFile:
    """A voice that is known or installed. `file` is its network; None: it is not installed."""

    name: str
    language: str  # ISO 639-1
    quality: str
    megabytes: int
    licence: str = ""  # of the recordings; "": not known
    file: Path | None = None


def listed(settings: Settings) -> tuple[PiperFile, ...]:
    """Every voice that is known or installed, by language. Asks nobody."""
    rows = {
        row.name: PiperFile(row.name, row.language, row.quality, MEGABYTES, row.licence)
        for row in KNOWN
    }
    rows |= {one.name: one for one in voices_here(settings)}
    return tuple(sorted(rows.values(), key=lambda one: (one.language, one.name)))


def voices_here(settings: Settings) -> tuple[PiperFile, ...]:
    """The installed ones, by name; a damaged one is left out."""
    folder = _folder(settings)
    found = []
    for name in installed.installed(folder):
        file, row = folder / name / f"{name}.onnx", known(name)
        try:
            size = round(file.stat().st_size / 1e6)
            language = load(file.with_name(f"{name}.onnx.json")).language
        except (OSError, VoiceError):
            continue
        quality = match["quality"] if (match := _NAME.fullmatch(name)) else ""
        found.append(PiperFile(name, language, quality, size, row.licence if row else "", file))
    return tuple(found)


def of_language(settings: Settings, language: str) -> str:
    """The name of the first installed voice of a language; "": there is none."""
    return next((one.name for one in voices_here(settings) if one.language == language), "")


def path_of(settings: Settings, name: str) -> str:
    """The file of an installed voice; a `name` of another kind as it is."""
    here = _folder(settings)
    return str(here / name / f"{name}.onnx") if installed.is_there(here, name) else name


def install(
    settings: Settings, wanted: str, tell: Callable[[str], None], revision: str = ""
) -> PiperFile:
    """Download a voice, or copy FILE.onnx with the JSON beside it. Both are checked before they are
    put in place. Raises UserError, ModelError, VoiceError; then nothing changed.

    A voice that is not in the table is trusted at the commit `revision`, and must be that ever
    after.
    """
    from newsloom import __version__
    from newsloom.kernel.http.download import HttpDownloader

    folder, file = _folder(settings), Path(wanted).expanduser()
    local = wanted.endswith(".onnx")
    what = _of_file(folder, file) if local else _of_hub(folder, wanted, revision)

    def examine(part: Path) -> None:
        _examined(part / f"{what.name}.onnx")

    async def fetch() -> None:
        if local:
            await hub.get(_Files(file), settings.models.hub, folder, what, tell, examine)
            return
        async with HttpDownloader(settings.fetch, version=__version__) as downloader:
            await hub.get(downloader, settings.models.hub, folder, what, tell, examine)

    asyncio.run(fetch())
    return next(one for one in voices_here(settings) if one.name == what.name)


def remove(settings: Settings, name: str) -> None:
    """Raises UserError where it is not installed, ModelError."""
    if not installed.remove(_folder(settings), name):
        raise UserError(f"{name!r:.60} is not installed.")


@dataclass(frozen=True, slots=True)
class _Files:
    """A ports.Downloader that copies a network and its JSON from the folder where they are."""

    network: Path

    async def download(
        self,
        url: str,  # noqa: ARG002 - the file is named by its target
        target: Path,
        *,
        most_bytes: int,
    ) -> Downloaded:
        source, part = self.network.parent / target.name, target.with_name(target.name + ".part")
        try:
            size = source.stat().st_size
            if size > most_bytes:
                return Downloaded(problem=f"it is larger than {most_bytes // 1_000_000:,} MB")
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, part)
            digest = installed.digest_of(part)
            part.replace(target)
        except OSError as error:
            return Downloaded(problem=f"{source} cannot be copied: {error.strerror or error}")
        return Downloaded(200, digest, size)


def _of_hub(folder: Path, name: str, revision: str) -> hub.Wanted:
    """By the table, the record of an earlier time, or the revision given. Raises UserError."""
    found, row = _NAME.fullmatch(name), known(name)
    if found is None:
        raise UserError(
            f"There is no voice {name!r:.60}. See `newsloom voices list`, or use the name of a "
            f"voice of {REPOSITORY} such as en_US-amy-medium, or FILE.onnx with its JSON beside it."
        )
    if revision and not hub.COMMIT.fullmatch(revision):
        raise UserError("--revision must be a commit hash of 40 characters, not a branch or tag.")
    record = installed.record_of(folder, name)
    sha256: Mapping[str, str] = {}
    if row is not None and revision in {"", REVISION}:
        revision, sha256 = REVISION, row.sha256
    elif record is not None and revision in {"", record.revision} and record.revision:
        revision, sha256 = record.revision, record.files
    if not revision:
        raise UserError(
            f"No hash of {name} is known here. Give the commit of {REPOSITORY} to trust with "
            f"--revision."
        )
    return hub.Wanted(
        name=name,
        repository=REPOSITORY,
        revision=revision,
        form="piper",
        megabytes=MOST_MEGABYTES,
        files=(f"{name}.onnx.json", f"{name}.onnx"),
        sha256=sha256,
        folder="/".join((found["language"], found["region"], *found.group("who", "quality"), "")),
        command="voices",
    )


def _of_file(folder: Path, file: Path) -> hub.Wanted:
    name = installed.named(file.stem)
    shutil.rmtree(installed.part_of(folder, name), ignore_errors=True)  # of another file, perhaps
    row = known(name)
    return hub.Wanted(
        name=name,
        repository="file",
        revision="",
        form="piper",
        megabytes=MOST_BYTES // 1_000_000,
        files=(f"{name}.onnx.json", f"{name}.onnx"),
        sha256=row.sha256 if row else {},
        command="voices",
    )


def _examined(file: Path) -> None:
    """Raises VoiceError for what cannot be used: an odd JSON, or, where Piper is here to try it, a
    network that does not speak."""
    language = load(file.with_name(f"{file.name}.json")).language
    if not language:
        raise VoiceError(f"The Piper voice {file.name} does not say its language.")
    if find_spec("piper") is not None:
        PiperVoice(language, str(file)).speak("1")


def _folder(settings: Settings) -> Path:
    return settings.brief.voices_folder.expanduser()
