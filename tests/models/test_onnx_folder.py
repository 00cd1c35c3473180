"""Encoders of anyone's making, as ONNX."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from models.encoder_folders import WORDS, shipped_as_folder, token_table, word_encoder
from newsloom.kernel.errors import ModelError, SettingsError
from newsloom.kernel.settings import Settings
from newsloom.ranking.encoder_text import PREPARATION
from newsloom.ranking.encoders import registry
from newsloom.ranking.encoders.onnx_folder import OnnxFolderEncoder
from newsloom.ranking.encoders.sentence_folder import described, prompt_of


def place(**models: object) -> registry.Encoders:
    settings = Settings()
    return registry.Encoders(
        replace(settings.models, **models),  # type: ignore[arg-type]
        settings.embedding_server,
        lambda _request: pytest.fail("nobody is asked"),
        lambda: pytest.fail("no time is asked for"),
    )


def tokens(text: str) -> np.ndarray:
    known = {word: row for row, word in enumerate(WORDS)}
    ids = [1, *(known.get(word, 0) for word in text.split()), 2]
    return token_table()[ids]


@pytest.mark.parametrize(
    ("mode", "by"),
    [
        ("mean_tokens", lambda rows: rows.mean(0)),
        ("mean_sqrt_len_tokens", lambda rows: rows.mean(0)),
        ("cls_token", lambda rows: rows[0]),
        ("max_tokens", lambda rows: rows.max(0)),
        ("lasttoken", lambda rows: rows[-1]),
    ],
)
def test_tokens_become_one_vector_as_the_folder_says(tmp_path: Path, mode: str, by) -> None:
    folder = word_encoder(tmp_path / "words", mode)
    encoder = registry.embedder(str(folder), 1, place())
    texts = ["ship sails", "tax", "", "snow storm vote", "\ud800", "tax vote"]
    found = encoder.embed(texts)
    expected = np.stack([by(tokens("" if text == "" else text)) for text in texts])
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    assert found.shape == (6, 8)
    np.testing.assert_allclose(found, expected, atol=1e-6)
    assert encoder.embed([]).shape == (0, 8)


def test_the_shipped_model_as_a_folder_reads_as_it_does(tmp_path: Path) -> None:
    folder = shipped_as_folder(tmp_path / "mini")
    texts = ["A ship sails", "The tax vote. " + "Long words of a report. " * 80, ""]
    other = registry.embedder(str(folder), 1, place()).embed(texts)
    np.testing.assert_allclose(other, registry.shipped(1).embed(texts), atol=1e-6)


def test_a_prompt_goes_before_every_text_and_into_the_id(tmp_path: Path) -> None:
    folder = word_encoder(tmp_path / "words")
    bare = registry.embedder(str(folder), 1, place())
    led = registry.embedder(str(folder), 1, place(prompt="query : "))
    np.testing.assert_array_equal(led.embed(["ship"]), bare.embed(["query : ship"]))
    assert led.model_id != bare.model_id
    assert bare.model_id.startswith("words-")
    assert bare.model_id.endswith(f"/{PREPARATION}")


def test_what_is_put_before_texts_is_known_or_said_by_the_files(tmp_path: Path) -> None:
    assert prompt_of("multilingual-e5-small") == "query: "
    assert prompt_of("bge-base-en-v1.5") == ""
    folder = word_encoder(tmp_path / "words")
    said = {"prompts": {"q": "query : "}, "default_prompt_name": "q"}
    (folder / "config_sentence_transformers.json").write_text(json.dumps(said))
    assert described(folder).prompt == "query : "
    assert described(folder, "e5-base").prompt == "query : "


def test_other_weights_are_another_encoder(tmp_path: Path) -> None:
    folders = [
        word_encoder(tmp_path / str(number) / "words", seed=seed)
        for number, seed in enumerate((1, 2, 1))
    ]
    ids = [described(folder).model_id for folder in folders]
    assert ids[0] != ids[1]
    assert ids[0] == ids[2]


@pytest.mark.parametrize(
    ("file", "content", "words"),
    [
        ("config.json", "{", "is damaged"),
        ("config.json", "[]", "holds no object"),
        ("config.json", '{"hidden_size": 9}', "its pooling is of 8 numbers, not 9"),
        ("config.json", '{"hidden_size": -1}', "no number that could be"),
        ("1_Pooling/config.json", '{"pooling_mode": "magic"}', "pooling by magic"),
        ("1_Pooling/config.json", '{"word_embedding_dimension": 8}', "pooling by nothing"),
        ("modules.json", '[{"type": "x.Dense", "path": "2_Dense"}]', "a module 'Dense'"),
        ("modules.json", '[{"type": "x.Pooling", "path": "../../etc"}]', "outside"),
        ("modules.json", '{"a": 1}', "lists no modules"),
        ("config.json", " " * 1_000_001, "too large"),
    ],
)
def test_a_folder_that_says_what_cannot_be_is_refused(
    tmp_path: Path, file: str, content: str, words: str
) -> None:
    folder = word_encoder(tmp_path / "words")
    (folder / file).write_text(content)
    with pytest.raises(ModelError, match=words):
        registry.embedder(str(folder), 1, place())


def test_a_damaged_graph_and_a_missing_one_are_said(tmp_path: Path) -> None:
    folder = word_encoder(tmp_path / "words")
    graph = folder / "onnx" / "model.onnx"
    graph.write_bytes(b"\x08\x08nonsense")
    with pytest.raises(ModelError, match="cannot be loaded"):
        registry.embedder(str(folder), 1, place()).embed(["ship"])
    graph.unlink()
    with pytest.raises(ModelError, match="holds no ONNX graph"):
        registry.embedder(str(folder), 1, place())
    with pytest.raises(ModelError, match="There is no folder"):
        registry.embedder(str(tmp_path / "nowhere"), 1, place())


def test_a_graph_of_other_numbers_than_the_files_say(tmp_path: Path) -> None:
    about = replace(described(word_encoder(tmp_path / "words")), dimensions=9)
    with pytest.raises(ModelError, match="gives vectors of"):
        OnnxFolderEncoder(about, 1).embed(["ship"])


def test_a_name_that_nobody_installed(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="newsloom models get multilingual-e5-small"):
        registry.embedder("multilingual-e5-small", 1, place(folder=tmp_path))
    with pytest.raises(SettingsError, match=r"Did you mean bge-base-en-v1\.5"):
        registry.embedder("bge-base", 1, place(folder=tmp_path))
