"""The time-sensitivity head inside the package. The only file of this room that reads one."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

from newsloom.kernel.errors import ModelError
from newsloom.ranking.learning.sensitivity import SensitivityHead, load

NAME = "sensitivity.npz"


@lru_cache(maxsize=1)
def sensitivity_head() -> SensitivityHead:
    """The head, read once a process. Raises ModelError when its file is missing or damaged."""
    try:
        data = (files("newsloom.ranking.learning") / "data" / NAME).read_bytes()
    except OSError as error:
        raise ModelError(f"{NAME} cannot be read: {error}. Reinstall Newsloom.") from error
    return load(data)
