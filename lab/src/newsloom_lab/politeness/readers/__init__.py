"""The readers that the suite can drive: Newsloom in this process, others by a description."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from newsloom.kernel.errors import UserError
from newsloom_lab.politeness.readers import newsloom
from newsloom_lab.politeness.readers.command import Command, faketime_library
from newsloom_lab.politeness.readers.description import Description, load
from newsloom_lab.politeness.readers.driver import Driver, Surroundings

# Shipped descriptions, by the name they are asked for.
DESCRIBED = {name: Path(__file__).with_name(f"{name}.toml") for name in ("newsboat", "lemon24")}

MakeReader = Callable[[Surroundings], Driver]


def maker(name: str, pages: newsloom.Pages | None = None) -> MakeReader:
    """What makes a reader of that name, or of the description in that file. Raises UserError."""
    if name == newsloom.NAME:
        return partial(newsloom.Newsloom, pages=pages)
    description = described(name)
    faketime_library()
    return partial(Command, description)


def described(name: str) -> Description:
    """The description shipped under a name, or in a file. Raises UserError."""
    path = DESCRIBED.get(name, Path(name))
    if not path.is_file():
        known = ", ".join((newsloom.NAME, *DESCRIBED))
        raise UserError(f"There is no reader {name}: it is {known}, or a file that describes one.")
    return load(path)
