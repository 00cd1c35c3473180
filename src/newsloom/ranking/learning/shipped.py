"""The time-sensitivity heads inside the package. The only file of this package that reads them."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

from newsloom.kernel.errors import ModelError
from newsloom.ranking.learning.sensitivity import SensitivityHead, load
from newsloom.ranking.values.models import E5_VECTORS

# Of the shipped encoder, and of multilingual-e5-small.
NAMES = ("sensitivity.npz", "sensitivity-e5.npz")


def vectors_read(vector_model: str) -> str:
    """That encoder, if a head of its own reads it; else "": the shipped encoder's vectors are."""
    return vector_model if vector_model == E5_VECTORS else ""


@lru_cache(maxsize=2)
def sensitivity_head(vector_model: str = "") -> SensitivityHead:
    """The head of that encoder's vectors, or of the shipped encoder's. Read once a process.

    Raises ModelError when its file is missing or damaged.
    """
    name = NAMES[vector_model == E5_VECTORS]
    try:
        data = (files("newsloom.ranking.learning") / "data" / name).read_bytes()
    except OSError as error:
        raise ModelError(f"{name} cannot be read: {error}. Reinstall Newsloom.") from error
    return load(data)
