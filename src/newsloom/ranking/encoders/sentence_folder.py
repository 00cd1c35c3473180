"""What the files of a sentence encoder say of it, as sentence-transformers writes them: how tokens
become one vector, how many are read, what is put before each text. Reads JSON only; runs nothing.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from newsloom.kernel.errors import ModelError
from newsloom.ranking.encoder_text import PREPARATION

# A title and 600 characters of text are some 150 tokens; longer windows only cost.
MOST_TOKENS = 512

# JSON files of a model are a few hundred bytes; a tokenizer is not read here.
MOST_BYTES = 1_000_000

POOLINGS = ("mean", "cls", "max", "lasttoken")
_MODES = {
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_mean_sqrt_len_tokens": "mean",  # the same direction, and length is undone
    "pooling_mode_cls_token": "cls",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_lasttoken": "lasttoken",
}
_MODULES = ("Transformer", "Pooling", "Normalize")

# What models were trained to see before a text that is compared with its like, by what their names
# hold; the first that fits. E5: "query: " on both sides where texts are alike (its model card).
PROMPTS = (
    ("e5-mistral", ""),
    ("instruct", ""),
    ("e5-", "query: "),
    ("nomic-embed", "clustering: "),
    ("embeddinggemma", "task: sentence similarity | query: "),
)

WEIGHTS = (".onnx", ".onnx_data", ".safetensors")

# Blocks of a weight file that name it: reading 4 MB of 1 GB takes milliseconds, and no training
# leaves every 64th part of a network as it was.
_BLOCK, _BLOCKS = 64 * 1024, 64


@dataclass(frozen=True, slots=True)
class SentenceModel:
    """How a folder's network is used. Vectors are always brought to unit length."""

    folder: Path
    name: str
    dimensions: int
    pooling: str
    most_tokens: int
    prompt: str

    @property
    def model_id(self) -> str:
        """Names the weights and all that is done around them."""
        around = f"{self.pooling} {self.most_tokens} {self.prompt!r}"
        digest = hashlib.sha256(f"{fingerprint(self.folder)} {around}".encode()).hexdigest()
        return f"{self.name}-{digest[:12]}/{PREPARATION}"


def described(folder: Path, name: str = "", prompt: str = "") -> SentenceModel:
    """What the folder holds. Raises ModelError when it is no sentence encoder we can run.

    `prompt` goes before what the files or the table say.
    """
    if not folder.is_dir():
        raise ModelError(f"There is no folder {folder}.")
    called = name or folder.name
    config = _json(folder / "config.json")
    sentence = _json(folder / "sentence_bert_config.json", absent={})
    pooling, width = _pooling(folder)
    dimensions = _whole(config.get("hidden_size", config.get("dim", width)), "hidden_size", folder)
    if width not in {0, dimensions}:
        raise ModelError(f"{folder}: its pooling is of {width} numbers, not {dimensions}.")
    places = config.get("max_position_embeddings") or MOST_TOKENS
    said = sentence.get("max_seq_length") or places
    tokens = min(_whole(said, "max_seq_length", folder), _whole(places, "places", folder))
    plain = "".join(sign if sign.isalnum() or sign in "-_." else "-" for sign in called)
    return SentenceModel(
        folder=folder,
        name=plain.strip("-.")[:60] or "encoder",
        dimensions=dimensions,
        pooling=pooling,
        most_tokens=min(tokens, MOST_TOKENS),
        prompt=prompt or _prompt(folder, called),
    )


def fingerprint(folder: Path) -> str:
    """Tells one set of weights from another, by samples of them. Raises ModelError."""
    digest = hashlib.sha256()
    files = sorted(
        path
        for path in (*folder.glob("*"), *folder.glob("*/*"))
        if path.suffix in WEIGHTS or path.name == "tokenizer.json"
    )
    try:
        for path in files:
            size = path.stat().st_size
            digest.update(f"{path.relative_to(folder).as_posix()} {size}\n".encode())
            with path.open("rb") as file:
                for block in range(_BLOCKS):
                    file.seek(max(0, size - _BLOCK) * block // (_BLOCKS - 1))
                    digest.update(file.read(_BLOCK))
    except OSError as error:
        raise ModelError(f"{folder} cannot be read: {error.strerror or error}.") from error
    return digest.hexdigest()


def _pooling(folder: Path) -> tuple[str, int]:
    """How, and of how many numbers (0: not said). Without modules it is the mean."""
    place = "1_Pooling"
    for module in _modules(folder):
        kind = str(module.get("type", "")).rsplit(".", 1)[-1]
        if kind not in _MODULES:
            raise ModelError(f"{folder}: a module {kind!r:.40} is not known here.")
        if kind == "Pooling":
            place = str(module.get("path", place))
    if not place or Path(place).is_absolute() or ".." in Path(place).parts:
        raise ModelError(f"{folder}: its pooling lies outside of it.")
    said = _json(folder / place / "config.json", absent={})
    if not said:
        return "mean", 0
    mode = said.get("pooling_mode")
    modes = {_MODES.get(key, key) for key in said if key.startswith("pooling_mode_") and said[key]}
    if isinstance(mode, str):
        modes = {mode}
    if len(modes) != 1 or not modes <= set(POOLINGS):
        said_modes = ", ".join(sorted(modes)) or "nothing"
        raise ModelError(f"{folder}: pooling by {said_modes:.80} is not known here.")
    width = said.get("word_embedding_dimension", said.get("embedding_dimension", 0))
    return modes.pop(), _whole(width, "word_embedding_dimension", folder) if width else 0


def _modules(folder: Path) -> list[Mapping[str, Any]]:
    path = folder / "modules.json"
    if not path.exists():
        return []
    said = _loaded(path)
    if not isinstance(said, list) or not all(isinstance(one, dict) for one in said):
        raise ModelError(f"{path} lists no modules.")
    return said


def _prompt(folder: Path, name: str) -> str:
    """That which the files make the default, else the table's."""
    said = _json(folder / "config_sentence_transformers.json", absent={})
    prompts, default = said.get("prompts"), said.get("default_prompt_name")
    if isinstance(prompts, dict) and isinstance(default, str):
        found = prompts.get(default)
        if isinstance(found, str) and len(found) <= 500:
            return found
    return prompt_of(name)


def prompt_of(name: str) -> str:
    """What the model of that name was trained to see before a text; mostly nothing."""
    return next((prompt for part, prompt in PROMPTS if part in name.lower()), "")


def _json(path: Path, absent: Mapping[str, Any] | None = None) -> Mapping[str, Any]:
    if absent is not None and not path.exists():
        return absent
    said = _loaded(path)
    if not isinstance(said, dict):
        raise ModelError(f"{path} holds no object.")
    return said


def _loaded(path: Path) -> Any:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise ModelError(f"{path} is too large to describe a model.")
        return json.loads(path.read_bytes())
    except OSError as error:
        raise ModelError(f"{path} cannot be read: {error.strerror or error}.") from error
    except (ValueError, RecursionError) as error:
        raise ModelError(f"{path} is damaged: {error}.") from error


def _whole(value: Any, name: str, folder: Path) -> int:
    if type(value) is not int or not 0 < value <= 100_000:
        raise ModelError(f"{folder}: {name} is {value!r:.40}, no number that could be.")
    return value
