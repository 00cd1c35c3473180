"""The time-sensitivity heads inside the package. The only file of this package that reads them."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

from newsloom.kernel.errors import ModelError
from newsloom.ranking.learning.sensitivity import SensitivityHead, load

# Of the shipped encoder, and of multilingual-e5-small.
NAMES = ("sensitivity.npz", "sensitivity-e5.npz")

# multilingual-e5-small exactly as `newsloom models get` makes it of the pinned wheel: a head knows
# the vectors that it was trained on.
E5_VECTORS = "multilingual-e5-small-61585b99c20b/title+lead@1"


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
