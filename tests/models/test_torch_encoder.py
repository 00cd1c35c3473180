"""Encoders through sentence-transformers: small random instances of real architectures."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from newsloom.kernel.errors import ModelError
from newsloom.kernel.settings import Settings
from newsloom.ranking.encoders import registry
from newsloom.ranking.encoders.torch_encoder import TorchEncoder

TEXTS = ["a ship sails in a storm", "the tax vote", "", "snow " * 400, "\ud800"]


def encoder(folder: Path, **models: object) -> TorchEncoder:
    settings = Settings()
    chosen = replace(settings.models, device="cpu", **models)  # type: ignore[arg-type]
    encoders = registry.Encoders(chosen, settings.embedding_server, None, None)  # type: ignore[arg-type]
    found = registry.embedder(f"sentence-transformers:{folder}", 1, encoders)
    assert isinstance(found, TorchEncoder)
    return found


def described(folder: Path, numbers: int, mode: str) -> Path:
    (folder / "1_Pooling").mkdir(exist_ok=True)
    said = {"word_embedding_dimension": numbers, f"pooling_mode_{mode}": True}
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(said))
    (folder / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": 64}))
    names = ("Transformer", "Pooling", "Normalize")
    paths = ("", "1_Pooling", "2_Normalize")
    modules = [
        {"idx": n, "name": str(n), "path": path, "type": f"sentence_transformers.models.{name}"}
        for n, (name, path) in enumerate(zip(names, paths, strict=True))
    ]
    (folder / "modules.json").write_text(json.dumps(modules))
    return folder


def network(folder: Path, kind: str, seed: int = 0) -> Path:
    import torch
    import transformers

    from models import tiny_encoders

    words = tiny_encoders.tokenizer(TEXTS[:3])
    sizes = {
        "vocab_size": len(words),
        "hidden_size": 32,
        "intermediate_size": 48,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "max_position_embeddings": 130,
        "pad_token_id": 0,
    }
    torch.manual_seed(seed)
    if kind == "bert":
        made = transformers.BertModel(transformers.BertConfig(**sizes))
    else:
        made = transformers.XLMRobertaModel(transformers.XLMRobertaConfig(**sizes))
    made.save_pretrained(folder)
    words.save_pretrained(folder)
    return folder


@pytest.mark.torch
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize(("kind", "mode"), [("bert", "mean_tokens"), ("xlm-roberta", "cls_token")])
def test_it_reads_as_sentence_transformers_does(tmp_path: Path, kind: str, mode: str) -> None:
    import sentence_transformers

    folder = described(network(tmp_path / kind, kind), 32, mode)
    made = encoder(folder)
    found = made.embed(TEXTS)
    alone = sentence_transformers.SentenceTransformer(str(folder), device="cpu")
    expected = alone.encode([*TEXTS[:4], "?"], normalize_embeddings=True)
    np.testing.assert_allclose(found, expected, atol=1e-5)
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1, atol=1e-5)
    assert made.embed([]).shape == (0, 32)
    led = encoder(folder, prompt="the tax ")
    np.testing.assert_allclose(led.embed(["vote"]), made.embed(["the tax vote"]), atol=1e-5)
    assert led.model_id != made.model_id


@pytest.mark.torch
@pytest.mark.filterwarnings("default")
def test_other_weights_than_safetensors_are_not_read(tmp_path: Path) -> None:
    import torch

    folder = described(network(tmp_path / "bert", "bert"), 32, "mean_tokens")
    torch.save({}, folder / "pytorch_model.bin")
    (folder / "model.safetensors").unlink()
    with pytest.raises(ModelError, match=r"holds no \.safetensors"):
        encoder(folder).embed(["text"])


@pytest.mark.torch
@pytest.mark.filterwarnings("default")
def test_code_that_comes_with_a_model_is_not_run(tmp_path: Path) -> None:
    folder = described(network(tmp_path / "bert", "bert"), 32, "mean_tokens")
    (folder / "evil.py").write_text("raise SystemExit('it ran')\nclass Model: pass\n")
    config = json.loads((folder / "config.json").read_text())
    config |= {"auto_map": {"AutoModel": "evil.Model"}, "model_type": "evil"}
    (folder / "config.json").write_text(json.dumps(config))
    with pytest.raises(ModelError, match="cannot be loaded"):
        encoder(folder).embed(["text"])


@pytest.mark.torch
@pytest.mark.filterwarnings("default")
def test_damaged_weights_are_said(tmp_path: Path) -> None:
    folder = described(network(tmp_path / "bert", "bert"), 32, "mean_tokens")
    (folder / "model.safetensors").write_bytes(b"\x00" * 100)
    with pytest.raises(ModelError, match="cannot be loaded"):
        encoder(folder).embed(["text"])


@pytest.mark.skipif(find_spec("sentence_transformers") is not None, reason="the extra is here")
def test_without_the_extra_it_is_said(tmp_path: Path) -> None:
    folder = tmp_path / "bert"
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps({"hidden_size": 32}))
    (folder / "model.safetensors").write_bytes(b"")
    with pytest.raises(ModelError, match=r"newsloom\[sentence-transformers\]"):
        encoder(folder).embed(["text"])
