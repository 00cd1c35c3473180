"""A sentence encoder run by onnxruntime on the processor. No torch, no download, no clock.

Batches hold texts of the same number of tokens, so nothing is padded, and the shipped graph
quantises each token by itself: a text has the same vector alone and in any company. How that was
chosen, and what it costs, is in docs/work/decisions/ranking.md.
"""

from __future__ import annotations

import hashlib
import json
import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from newsloom.kernel.errors import ModelError
from newsloom.ranking.ports import Vectors

# A model's folder: the files its manifest names, read once and checked. Runs nothing.
#
# A manifest is JSON: `{"files": {"NAME": {"sha256": "...", "bytes": 1}, ...}, ...}`; what else it
# says (source, licence, tools) is for people.

MANIFEST = "manifest.json"

MEND = "Reinstall Newsloom, or restore the file with `git checkout`."


def read_checked(folder: Path) -> Mapping[str, bytes]:
    """The content of each file by name, exactly as hashed. Raises ModelError with mending words."""
    return {name: _checked(folder / name, expected) for name, expected in _manifest(folder).items()}


def _manifest(folder: Path) -> Mapping[str, str]:
    """File name to SHA-256."""
    path = folder / MANIFEST
    try:
        files: Any = json.loads(_read(path))["files"]
        return {Path(name).name: str(facts["sha256"]) for name, facts in files.items()}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelError(f"{path} is damaged ({error}). {MEND}") from error


def _checked(path: Path, expected: str) -> bytes:
    content = _read(path)
    found = hashlib.sha256(content).hexdigest()
    if found != expected:
        raise ModelError(
            f"{path} does not match this version: its SHA-256 is {found[:12]}..., "
            f"not {expected[:12]}.... {MEND}"
        )
    return content


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ModelError(f"{path} cannot be read: {error.strerror or error}. {MEND}") from error


# What the published model was trained for and is configured with; the graph has no more places.
MAX_TOKENS = 256

# 256 tokens of English are some 1,200 characters. Reading more than this before cutting at
# MAX_TOKENS costs time and, but for pages of spaces, changes nothing.
MAX_CHARACTERS = 4_000

# Tokens of one batch. A row of activations is 1,536 floats at its widest, and 256 of them stay in a
# core's own cache. Texts per processor second at 128 / 256 / 512 / 1,024 / 2,048: titles 981 /
# 1,053 / 968 / 811 / 851, texts of 256 tokens 51 / 47 / 44 / 41 / 38.
BATCH_TOKENS = 256


@dataclass(frozen=True, slots=True)
class _Loaded:
    session: Any
    tokenizer: Any


# One copy of each model a process, whoever asks: 23 MB to hash, 78 MB to hold.
_loaded: dict[Path, _Loaded] = {}
_loading = threading.Lock()


class OnnxEncoder:
    """An Embedder over a model's folder. Made at no cost; the first text loads and checks it.

    May be called from any thread. `threads` is how many batches are under way at once; 0 takes
    every processor this process may use.
    """

    def __init__(self, model_id: str, folder: Path, dimensions: int, threads: int = 0) -> None:
        self.model_id = model_id
        self.dimensions = dimensions
        self._folder = folder
        self._threads = threads or processors()

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit-length rows, one per text, in the order given. Any text is safe."""
        vectors = np.empty((len(texts), self.dimensions), np.float32)
        if not texts:
            return vectors
        with _loading:
            if self._folder not in _loaded:
                _loaded[self._folder] = _open(self._folder)
            model = _loaded[self._folder]
        ids = [_tokens(model.tokenizer, text) for text in texts]
        batches = list(batches_of([len(one) for one in ids]))

        def fill(places: NDArray[np.intp]) -> None:
            batch = np.array([ids[place] for place in places], np.int64)
            vectors[places] = model.session.run(["vectors"], {"ids": batch})[0]

        for_each(fill, batches, self._threads)
        return vectors


def _open(folder: Path) -> _Loaded:
    # onnxruntime's official builds report their use to Microsoft unless told not to before they
    # are imported. What a reader reads is nobody's business.
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    # Here, not above: importing both takes a quarter of a second that most commands never need.
    import onnxruntime
    import tokenizers

    files = read_checked(folder)
    options = onnxruntime.SessionOptions()
    # Batches run side by side instead: two threads inside one batch read 1,276 titles a second,
    # two batches at once 1,538, and a thread of ours never spins while it waits.
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3  # errors; they come as exceptions
    try:
        graph = next(content for name, content in files.items() if name.endswith(".onnx"))
        session = onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
        tokenizer = tokenizers.Tokenizer.from_str(files["tokenizer.json"].decode())
    except Exception as error:  # both libraries raise many kinds, some of them bare Exception
        raise ModelError(f"The model in {folder} cannot be loaded: {error}. {MEND}") from error
    tokenizer.enable_truncation(MAX_TOKENS)
    tokenizer.no_padding()
    return _Loaded(session, tokenizer)


def _tokens(tokenizer: Any, text: str) -> list[int]:
    # A lone surrogate is not text to the tokenizer. One text at a time: the tokenizer's own batch
    # form takes every processor whatever `threads` says, and a title's 34 microseconds are 3% of
    # the whole.
    whole = text[:MAX_CHARACTERS].encode("utf-8", "replace").decode()
    ids: list[int] = tokenizer.encode(whole).ids
    return ids


def batches_of(lengths: Sequence[int]) -> Iterator[NDArray[np.intp]]:
    """Places of texts of equal length, BATCH_TOKENS at a time.

    The longest come first, so that the last batches to run side by side are short ones.
    """
    lengths_array = np.array(lengths)
    order = np.argsort(-lengths_array, kind="stable")
    edges = np.flatnonzero(np.diff(lengths_array[order])) + 1
    for group in np.split(order, edges):
        size = max(1, BATCH_TOKENS // int(lengths_array[group[0]]))
        for start in range(0, len(group), size):
            yield group[start : start + size]


def for_each(
    act: Callable[[NDArray[np.intp]], None], batches: Sequence[NDArray[np.intp]], threads: int
) -> None:
    if threads == 1 or len(batches) == 1:
        for batch in batches:
            act(batch)
        return
    with ThreadPoolExecutor(min(threads, len(batches)), "encoder") as pool:
        for _ in pool.map(act, batches):
            pass


def processors() -> int:
    """How many processors this process may use; a container or taskset may allow fewer than all."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # macOS has no such call
        return os.cpu_count() or 1
