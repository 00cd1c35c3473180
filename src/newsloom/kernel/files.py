"""Files of the data folder, which are private; and files that a person names.

They are read whole, and written whole or not at all. `-` is standard input or output. /dev/stdout
is not used, since opening it truncates a file that the shell opened with `>>`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

from newsloom.kernel.errors import UserError

STANDARD = Path("-")


def read_bytes(path: Path) -> bytes:
    """All that is in it. Raises UserError naming it when it cannot be read."""
    try:
        return sys.stdin.buffer.read() if path == STANDARD else path.read_bytes()
    except OSError as error:
        raise UserError(f"{shown(path)} cannot be read: {error.strerror or error}.") from error


def private(path: str | Path, flags: int) -> int:
    """An opener for `open`: a file that it creates is for its owner alone, whatever the umask."""
    return os.open(path, flags, 0o600)


def private_folder(path: Path) -> None:
    """Make a folder, and those above it that are missing, for their owner alone."""
    missing = [one for one in path.parents if not one.exists()]
    for one in (*reversed(missing), path):
        one.mkdir(mode=0o700, exist_ok=True)


def write(path: Path, content: bytes, *, shared: bool = False) -> None:
    """Put it there instead of what there was. Raises UserError, and then that is there still.

    A file that is new is private, or `shared` as the umask says.
    Standard output can be cut short by whoever reads it: BrokenPipeError passes through.
    """
    if path == STANDARD:
        sys.stdout.flush()
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        return
    try:
        _replace(path, content, None if shared else private)
    except OSError as error:
        raise UserError(f"{path} cannot be written: {error.strerror or error}.") from error


def shown(path: Path) -> str:
    """What to call it in a message."""
    return "standard input" if path == STANDARD else str(path)


def _replace(path: Path, content: bytes, opener: Callable[[str, int], int] | None) -> None:
    if path.exists() and not path.is_file():  # a pipe, a terminal: nothing there to keep
        path.write_bytes(content)
        return
    whole = path.resolve()  # behind a link, which stays one
    part = whole.with_name(f".{whole.name}.{os.getpid()}.part")
    try:
        with open(part, "wb", opener=opener) as file:
            file.write(content)
        if whole.exists():
            part.chmod(whole.stat().st_mode & 0o7777)
        part.replace(whole)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
