"""A model's folder: damaged, missing and honest files."""

import json
import shutil
from pathlib import Path

import pytest

from newsloom.kernel.errors import ModelError
from newsloom.ranking.encoders.onnx_encoder import MANIFEST, OnnxEncoder, read_checked
from newsloom.ranking.encoders.registry import SHIPPED


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SHIPPED, tmp_path / "model"))


def names() -> list[str]:
    return sorted(json.loads((SHIPPED / MANIFEST).read_text(encoding="utf-8"))["files"])


def test_the_manifest_names_every_shipped_file():
    there = {path.name for path in SHIPPED.iterdir() if not path.name.startswith(".")}
    assert there == {MANIFEST, *names()}


def test_files_are_read_as_they_are(folder: Path):
    assert {name: len(content) for name, content in read_checked(folder).items()} == {
        name: (folder / name).stat().st_size for name in names()
    }


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("place", [0, 0.5, 1], ids=["first", "middle", "last"])
def test_one_flipped_bit_is_refused_by_name_with_words_how_to_mend(
    folder: Path, name: str, place: float
):
    content = bytearray((folder / name).read_bytes())
    content[int(place * (len(content) - 1))] ^= 1
    (folder / name).write_bytes(content)
    with pytest.raises(ModelError, match=rf"(?s){name}.*SHA-256.*Reinstall Newsloom"):
        OnnxEncoder("damaged", folder, dimensions=384).embed(["text"])


@pytest.mark.parametrize("name", [*names(), MANIFEST])
def test_a_missing_file_is_named_with_words_how_to_mend(folder: Path, name: str):
    (folder / name).unlink()
    with pytest.raises(ModelError, match=rf"{name} cannot be read: .*Reinstall Newsloom"):
        OnnxEncoder("missing", folder, dimensions=384).embed(["text"])


@pytest.mark.parametrize(
    "text",
    ["", "[", "[]", "{}", '{"files": []}', '{"files": {"tokenizer.json": "abc"}}', "\xff\xfe"],
)
def test_a_damaged_manifest_is_a_model_error(folder: Path, text: str):
    (folder / MANIFEST).write_bytes(text.encode("latin-1"))
    with pytest.raises(ModelError, match=r"manifest.json is damaged"):
        read_checked(folder)


@pytest.mark.parametrize("kept", names())
def test_a_manifest_without_one_of_the_files_is_a_model_error(folder: Path, kept: str):
    manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    manifest["files"] = {kept: manifest["files"][kept]}
    (folder / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")
    with pytest.raises(ModelError, match="cannot be loaded"):
        OnnxEncoder("half", folder, dimensions=384).embed(["text"])


def test_a_manifest_cannot_name_files_outside_its_folder(folder: Path):
    (folder.parent / "secret").write_text("secret", encoding="utf-8")
    facts = {"sha256": "0" * 64, "bytes": 6}
    (folder / MANIFEST).write_text(json.dumps({"files": {"../secret": facts}}), encoding="utf-8")
    with pytest.raises(ModelError, match=r"model/secret cannot be read"):
        read_checked(folder)


def test_a_mended_folder_loads_without_a_new_process(folder: Path):
    name = names()[0]
    encoder = OnnxEncoder("mended", folder, dimensions=384)
    (folder / name).write_bytes(b"")
    with pytest.raises(ModelError):
        encoder.embed(["text"])
    shutil.copy(SHIPPED / name, folder / name)
    assert encoder.embed(["text"]).shape == (1, 384)


def test_making_an_encoder_reads_nothing(tmp_path: Path):
    encoder = OnnxEncoder("nowhere", tmp_path / "nowhere", dimensions=384)
    assert encoder.embed([]).shape == (0, 384)
