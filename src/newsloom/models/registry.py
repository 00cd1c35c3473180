"""Which sentence encoders there are, by the name in the settings. Loads none.

To add one: a class with `model_id`, `dimensions` and `embed`, and a row here. The id names the
weights and the preparation of the text; vectors are stored under it and never mixed.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from newsloom.errors import SettingsError
from newsloom.models.onnx_encoder import OnnxEncoder
from newsloom.ports import Embedder
from newsloom.text.embedding import PREPARATION

SHIPPED = Path(__file__).parent / "data"


@dataclass(frozen=True, slots=True)
class Row:
    """A name for people, the id vectors are stored under, and how to make it."""

    name: str
    model_id: str
    make: Callable[[str, int], Embedder]  # (model_id, threads)


def _minilm_int8(model_id: str, threads: int) -> Embedder:
    return OnnxEncoder(model_id, SHIPPED, dimensions=384, threads=threads)


EMBEDDERS = (Row("minilm-int8", f"all-minilm-l6-v2-int8/{PREPARATION}", _minilm_int8),)


def embedder(name: str, threads: int = 0) -> Embedder:
    """The encoder of that name, not loaded yet. Raises SettingsError naming the nearest one."""
    for row in EMBEDDERS:
        if row.name == name:
            return row.make(row.model_id, threads)
    names = [row.name for row in EMBEDDERS]
    near = difflib.get_close_matches(name.lower(), names, n=1, cutoff=0.4)
    hint = f"Did you mean {near[0]}?" if near else f"There is {', '.join(names)}."
    raise SettingsError(f"models.embedder: there is no encoder {name!r:.60}. {hint}")
