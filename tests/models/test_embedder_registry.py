"""Encoders by name."""

import pytest

from newsloom.kernel.errors import SettingsError
from newsloom.kernel.settings import Settings
from newsloom.ranking.encoder_text import PREPARATION
from newsloom.ranking.encoders.registry import EMBEDDERS, KINDS, embedder


@pytest.mark.parametrize("row", EMBEDDERS, ids=lambda row: row.name)
def test_a_row_makes_what_it_names(row):
    made = embedder(row.name, 1)
    assert made.model_id == row.model_id
    assert made.model_id.endswith(f"/{PREPARATION}")
    assert made.embed(["text"]).shape == (1, made.dimensions)


def test_names_and_ids_are_single():
    assert len({row.name for row in EMBEDDERS}) == len(EMBEDDERS)
    assert len({row.model_id for row in EMBEDDERS}) == len(EMBEDDERS)


def test_the_default_setting_names_a_row():
    assert Settings().models.embedder in {row.name for row in EMBEDDERS}


def test_the_last_kind_takes_every_name_and_no_other_does():
    assert [kind.prefix for kind in KINDS if not kind.prefix] == [""]
    assert KINDS[-1].prefix == ""


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("minilm_int8", "Did you mean minilm-int8?"),
        ("MiniLM", "Did you mean minilm-int8?"),
        ("bge-base", "Did you mean bge-base-en-v1.5?"),
        ("bge-base-en-v1.5", "is not installed. Run `newsloom models get bge-base-en-v1.5`."),
        ("", "There is minilm-int8, server, or a folder."),
        ("x" * 9_999, "There is minilm-int8, server, or a folder."),
    ],
)
def test_an_unknown_name_is_a_wrong_setting(name: str, words: str):
    with pytest.raises(SettingsError, match=r"models\.embedder") as caught:
        embedder(name)
    assert str(caught.value).endswith(words)
    assert len(str(caught.value)) < 200
