"""A sentence encoder of anyone's making, from a folder with its ONNX graph and tokenizer. No torch.

Texts of one length make a batch, as in `onnx_encoder`: nothing is padded, so every mask is of ones.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from newsloom.kernel.errors import ModelError
from newsloom.ranking.encoders.onnx_encoder import MAX_CHARACTERS, batches_of, for_each, processors
from newsloom.ranking.encoders.sentence_folder import SentenceModel
from newsloom.ranking.ports import Vectors

# In this order; what optimum, the hub's own exporter and ours write.
GRAPHS = ("onnx/model.onnx", "model.onnx")

_INPUTS = frozenset({"ids", "input_ids", "attention_mask", "token_type_ids"})


@dataclass(frozen=True, slots=True)
class _Loaded:
    session: Any
    tokenizer: Any
    inputs: tuple[str, ...]


class OnnxFolderEncoder:
    """An Embedder over a described folder; loaded when first asked. From any thread."""

    def __init__(
        self, about: SentenceModel, threads: int = 0, check: Callable[[], None] = lambda: None
    ) -> None:
        """`check` raises ModelError when the files are not those that were installed."""
        self.about = about
        self.model_id = about.model_id
        self.dimensions = about.dimensions
        self._check = check
        self._threads = threads or processors()
        self._lock = threading.Lock()
        self._model: _Loaded | None = None

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit-length rows, one per text, in the order given. Any text is safe."""
        vectors = np.empty((len(texts), self.dimensions), np.float32)
        if not texts:
            return vectors
        with self._lock:
            if self._model is None:
                self._check()
                self._model = _open(self.about)
            model = self._model
        ids = [self._tokens(model.tokenizer, text) for text in texts]

        def fill(places: NDArray[np.intp]) -> None:
            batch = np.array([ids[place] for place in places], np.int64)
            vectors[places] = self._vectors(model, batch)

        for_each(fill, list(batches_of([len(one) for one in ids])), self._threads)
        return vectors

    def _tokens(self, tokenizer: Any, text: str) -> list[int]:
        whole = f"{self.about.prompt}{text[:MAX_CHARACTERS]}".encode("utf-8", "replace").decode()
        ids: list[int] = tokenizer.encode(whole).ids
        return ids or [0]  # a tokenizer that puts no marks around a text has none for an empty one

    def _vectors(self, model: _Loaded, batch: NDArray[np.int64]) -> Vectors:
        given = {name: _input(name, batch) for name in model.inputs}
        try:
            found = np.asarray(model.session.run(None, given)[0], np.float32)
        except Exception as error:  # onnxruntime raises kinds of its own
            raise ModelError(f"{self.about.name} failed: {error!s:.300}") from error
        pooled = pooled_by(self.about.pooling, found) if found.ndim == 3 else found
        if pooled.shape != (len(batch), self.dimensions):
            raise ModelError(
                f"{self.about.name} gives vectors of {pooled.shape[-1:]} numbers, and its files "
                f"say {self.dimensions}."
            )
        return unit_rows(pooled, self.about.name)


def pooled_by(pooling: str, tokens: NDArray[np.float32]) -> NDArray[np.float32]:
    """(texts, tokens, numbers) to (texts, numbers)."""
    if pooling == "cls":
        return tokens[:, 0]
    if pooling == "lasttoken":
        return tokens[:, -1]
    made: NDArray[np.float32] = tokens.max(1) if pooling == "max" else tokens.mean(1)
    return made


def unit_rows(rows: NDArray[np.float32], name: str) -> Vectors:
    """Rows of length one. Raises ModelError for what has no direction."""
    lengths = np.linalg.norm(rows.astype(np.float64), axis=1, keepdims=True)
    if not np.isfinite(lengths).all() or (lengths <= 0).any():
        raise ModelError(f"{name} gives vectors that are no finite numbers, or nothing at all.")
    return np.asarray(rows / lengths, np.float32)


def graph_of(folder: Path) -> Path:
    """The graph to run. Raises ModelError when there is none, or several and none is the first."""
    for name in GRAPHS:
        if (folder / name).is_file():
            return folder / name
    found = sorted((*folder.glob("*.onnx"), *folder.glob("onnx/*.onnx")))
    if len(found) == 1:
        return found[0]
    if found:
        names = ", ".join(one.name for one in found[:5])
        raise ModelError(f"{folder} holds {names}: name the one to use model.onnx.")
    raise ModelError(
        f"{folder} holds no ONNX graph. If it holds model.safetensors, set models.embedder to "
        f"sentence-transformers:{folder}."
    )


def _input(name: str, batch: NDArray[np.int64]) -> NDArray[np.int64]:
    if name in {"ids", "input_ids"}:
        return batch
    return np.ones_like(batch) if name == "attention_mask" else np.zeros_like(batch)


def _open(about: SentenceModel) -> _Loaded:
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # before the import: see onnx_encoder
    import onnxruntime
    import tokenizers

    graph = graph_of(about.folder)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    try:
        session = onnxruntime.InferenceSession(
            str(graph), options, providers=["CPUExecutionProvider"]
        )
        tokenizer = tokenizers.Tokenizer.from_file(str(about.folder / "tokenizer.json"))
    except Exception as error:  # both libraries raise many kinds, some of them bare Exception
        raise ModelError(f"The model in {about.folder} cannot be loaded: {error!s:.300}") from error
    inputs = tuple(one.name for one in session.get_inputs())
    if odd := sorted(set(inputs) - _INPUTS):
        raise ModelError(
            f"{graph} wants {', '.join(odd)[:100]}, which no sentence encoder is given."
        )
    tokenizer.enable_truncation(about.most_tokens)
    tokenizer.no_padding()
    return _Loaded(session, tokenizer, inputs)
