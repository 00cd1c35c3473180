"""A sentence encoder through sentence-transformers: what has no ONNX form. An optional extra.

Only from a folder, only safetensors, and no code that comes with a model; `newsloom models get`
makes such folders. Nothing is looked for on a hub.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from newsloom.kernel.errors import ModelError
from newsloom.kernel.extras import require
from newsloom.ranking.encoders.onnx_encoder import MAX_CHARACTERS
from newsloom.ranking.encoders.onnx_folder import unit_rows
from newsloom.ranking.encoders.sentence_folder import SentenceModel
from newsloom.ranking.ports import Vectors

EXTRA = "sentence-transformers"
BATCH = 32


class TorchEncoder:
    """An Embedder over a described folder; loaded when first asked. One text batch at a time."""

    def __init__(
        self,
        about: SentenceModel,
        device: str = "auto",
        threads: int = 0,
        check: Callable[[], None] = lambda: None,
    ) -> None:
        self.about = about
        self.model_id = about.model_id
        self.dimensions = about.dimensions
        self._device = device
        self._threads = threads
        self._check = check
        self._lock = threading.Lock()
        self._model: Any = None

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit-length rows, one per text, in the order given."""
        if not texts:
            return np.empty((0, self.dimensions), np.float32)
        whole = [
            f"{self.about.prompt}{text[:MAX_CHARACTERS]}".encode("utf-8", "replace").decode()
            for text in texts
        ]
        with self._lock:
            if self._model is None:
                self._check()
                self._model = self._opened()
            try:
                found = self._model.encode(
                    whole, batch_size=BATCH, prompt="", show_progress_bar=False
                )
            except RuntimeError as error:  # torch's own: out of memory, a device lost
                raise ModelError(f"{self.about.name} failed: {error!s:.200}") from error
        rows = np.asarray(found, np.float32)
        if rows.shape != (len(texts), self.dimensions):
            raise ModelError(f"{self.about.name} gives vectors of another size than its files say.")
        return unit_rows(rows, self.about.name)

    def _opened(self) -> Any:
        require(EXTRA, f"models.embedder {self.about.name}", ModelError)
        if not any(self.about.folder.glob("*.safetensors")):
            raise ModelError(f"{self.about.folder} holds no .safetensors, and only they are read.")
        import sentence_transformers
        import torch

        if self._threads:
            torch.set_num_threads(self._threads)
        device = self._device
        if device == "auto":
            device = "cuda" if torch.cuda.is_available() else "cpu"
        try:
            model = sentence_transformers.SentenceTransformer(
                str(self.about.folder),
                device=device,
                trust_remote_code=False,
                local_files_only=True,
                model_kwargs={"use_safetensors": True, "dtype": torch.float32},
            )
        except Exception as error:  # whatever those libraries raise for a damaged folder
            raise ModelError(f"{self.about.folder} cannot be loaded: {error!s:.300}") from error
        model.max_seq_length = self.about.most_tokens
        return model
