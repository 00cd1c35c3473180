"""`newsloom models list, get, remove`, against a hub on loopback: whole, cut off, resumed, wrong,
slow, redirecting.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import resource
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

import model_hub
from model_hub import Hub
from models.encoder_folders import word_encoder
from newsloom.cli import app as program
from newsloom.kernel import installed
from newsloom.kernel.errors import ModelError
from newsloom.kernel.http.download import HttpDownloader
from newsloom.kernel.settings import FetchSettings, Settings
from newsloom.ranking.encoders import registry

COMMIT = "0123456789abcdef0123456789abcdef01234567"
REPOSITORY = "someone/words"


@pytest.fixture
def hub() -> Iterator[Hub]:
    with model_hub.answering(f"/{REPOSITORY}/resolve/{COMMIT}/") as made:
        yield made


@pytest.fixture
def words(hub: Hub, tmp_path: Path) -> Path:
    """What the hub holds, as it was made."""
    folder = word_encoder(tmp_path / "made")
    hub.holds(folder)
    return folder


@pytest.fixture
def newsloom(hub: Hub, tmp_path: Path) -> Callable[..., tuple[int, str]]:
    environment = {
        "NEWSLOOM_STORE_PATH": str(tmp_path / "news.db"),
        "NEWSLOOM_MODELS_FOLDER": str(tmp_path / "encoders"),
        "NEWSLOOM_MODELS_HUB": hub.url,
        "NEWSLOOM_FETCH_PRIVATE_HOSTS": hub.url.removeprefix("http://"),
    }

    def run(*arguments: str, **more: str) -> tuple[int, str]:
        ran = CliRunner().invoke(program, arguments, env=environment | more)
        error = str(ran.exception or "")
        return ran.exit_code, ran.output + error

    return run


GET = ("models", "get", REPOSITORY, "--revision", COMMIT)


def test_an_encoder_is_installed_and_reads(newsloom, hub: Hub, words: Path, tmp_path: Path) -> None:
    code, said = newsloom(*GET)
    assert code == 0, said
    assert "No hash was known, so the files of" in said
    assert 'models.embedder = "words"' in said
    folder = tmp_path / "encoders"
    record = installed.record_of(folder, "words")
    assert record is not None
    assert record.revision == COMMIT
    assert set(record.files) == set(hub.files)
    chosen = replace(Settings().models, folder=folder)
    encoders = registry.Encoders(chosen, Settings().embedding_server, None, None)  # type: ignore[arg-type]
    assert registry.embedder("words", 1, encoders).embed(["ship sails"]).shape == (1, 8)
    code, said = newsloom("models", "list", "--json")
    row = next(one for one in json.loads(said) if one["name"] == "words")
    assert (row["installed"], row["revision"], row["pinned"]) == ("onnx", COMMIT, True)
    assert not list(folder.glob("*.part*"))


def test_without_a_known_hash_a_commit_must_be_named(newsloom, hub: Hub) -> None:
    code, said = newsloom("models", "get", "multilingual-e5-base")
    assert code != 0
    assert "--revision" in said
    code, said = newsloom("models", "get", REPOSITORY, "--revision", "main")
    assert code != 0
    assert "--revision must be a commit hash of 40 characters, not a branch or tag" in said
    code, said = newsloom("models", "get", "no-such")
    assert code != 0
    assert "newsloom models list" in said
    assert hub.asked == []


def test_what_came_first_is_what_must_come_again(newsloom, hub: Hub, words: Path) -> None:
    assert newsloom(*GET)[0] == 0
    assert newsloom("models", "remove", "words")[0] == 0
    good = hub.files["onnx/model.onnx"]
    hub.files["onnx/model.onnx"] = good[:-4] + b"evil"
    code, said = newsloom("models", "get", REPOSITORY)
    assert code != 0
    assert "does not match" in said
    assert "Nothing was installed" in said
    hub.files["onnx/model.onnx"] = good
    assert newsloom("models", "get", REPOSITORY)[0] == 0


def test_a_pinned_encoder_is_refused_for_other_bytes(newsloom, hub: Hub, tmp_path: Path) -> None:
    """The real table's row, from a hub that lies."""
    code, said = newsloom("models", "get", "all-MiniLM-L6-v2")
    assert code != 0
    assert "the server returned 404" in said
    assert not (tmp_path / "encoders" / "all-MiniLM-L6-v2").exists()


def test_a_file_that_was_cut_off_goes_on_where_it_was(newsloom, hub: Hub, words: Path) -> None:
    size = len(hub.files["tokenizer.json"])
    hub.cut["tokenizer.json"] = 100
    code, said = newsloom(*GET)
    assert code != 0
    assert "The partial download is kept" in said
    code, said = newsloom(*GET)
    assert code == 0, said
    assert hub.ranges == ["bytes=100-"]
    assert size > 100
    names = [name for name, _span in hub.asked]
    assert names.count("config.json") == 1  # what was whole is not asked for again


def test_a_file_that_changed_meanwhile_comes_whole(newsloom, hub: Hub, words: Path) -> None:
    hub.cut["tokenizer.json"] = 100
    assert newsloom(*GET)[0] != 0
    hub.files["tokenizer.json"] = hub.files["tokenizer.json"] + b"\n"
    assert newsloom(*GET)[0] == 0


def test_without_a_strong_validator_nothing_is_pieced_together(
    newsloom, hub: Hub, words: Path
) -> None:
    hub.etag = lambda _content: 'W/"1"'
    hub.cut["tokenizer.json"] = 100
    assert newsloom(*GET)[0] != 0
    assert newsloom(*GET)[0] == 0
    assert hub.ranges == []


def test_a_redirect_to_where_files_lie_is_followed(newsloom, hub: Hub, words: Path) -> None:
    path = f"/cdn/{REPOSITORY}/resolve/{COMMIT}/onnx/model.onnx"
    hub.redirects["onnx/model.onnx"] = path
    assert newsloom(*GET)[0] == 0


def test_a_redirect_to_a_private_host_is_not(newsloom, hub: Hub, words: Path) -> None:
    other = hub.url.replace("127.0.0.1", "127.0.0.2")
    hub.redirects["onnx/model.onnx"] = f"{other}/cdn/x"
    code, said = newsloom(*GET)
    assert code != 0
    assert "loopback" in said


def test_redirects_without_end(newsloom, hub: Hub, words: Path) -> None:
    path = f"/{REPOSITORY}/resolve/{COMMIT}/config.json"
    hub.redirects["config.json"] = path
    code, said = newsloom(*GET)
    assert code != 0
    assert "redirects more than" in said


def test_a_hub_that_is_not_granted_is_not_asked(newsloom, hub: Hub, words: Path) -> None:
    code, said = newsloom(*GET, NEWSLOOM_FETCH_PRIVATE_HOSTS="elsewhere.test")
    assert code != 0
    assert "loopback" in said
    assert hub.asked == []


def test_a_missing_graph_and_a_missing_repository(newsloom, hub: Hub, words: Path) -> None:
    del hub.files["onnx/model.onnx"]
    code, said = newsloom(*GET)
    assert code != 0
    assert "returned 404" in said


def test_a_damaged_installed_file_is_refused_when_it_is_loaded(
    newsloom, hub: Hub, words: Path, tmp_path: Path
) -> None:
    assert newsloom(*GET)[0] == 0
    folder = tmp_path / "encoders"
    config = folder / "words" / "tokenizer.json"
    config.write_bytes(config.read_bytes() + b" ")
    with pytest.raises(ModelError, match="is not the file that was installed"):
        installed.check(folder, "words")
    (folder / "words" / "extra.py").write_text("import os")
    config.write_bytes(config.read_bytes()[:-1])
    with pytest.raises(ModelError, match=r"holds extra\.py"):
        installed.check(folder, "words")


def test_remove_what_is_not_there(newsloom) -> None:
    for name in ("words", "../x", "a/b"):
        code, said = newsloom("models", "remove", name)
        assert code != 0
        assert "Traceback" not in said


def download(hub: Hub, target: Path, most: int = 1_000_000, **named: float):
    async def fetch():
        allowed = (hub.url.removeprefix("http://"),)
        settings = replace(FetchSettings(), private_hosts=allowed)
        async with HttpDownloader(settings, version="0", **named) as downloader:  # type: ignore[arg-type]
            url = f"{hub.url}/{REPOSITORY}/resolve/{COMMIT}/a.bin"
            return await downloader.download(url, target, most_bytes=most)

    return asyncio.run(fetch())


def test_a_file_comes_with_its_hash(hub: Hub, tmp_path: Path) -> None:
    hub.files["a.bin"] = bytes(range(256)) * 4_000
    found = download(hub, tmp_path / "deep" / "a.bin", 2_000_000)
    assert found.problem == ""
    assert found.sha256 == hashlib.sha256(hub.files["a.bin"]).hexdigest()
    assert [one.name for one in (tmp_path / "deep").iterdir()] == ["a.bin"]


def test_a_slow_server_is_left(hub: Hub, tmp_path: Path) -> None:
    hub.files["a.bin"] = b"x"
    hub.seconds = 2.0
    found = download(hub, tmp_path / "a.bin", first_byte=0.3)
    assert "no response within 0.3 seconds" in found.problem
    assert list(tmp_path.iterdir()) == []


def test_a_file_larger_than_it_may_be(hub: Hub, tmp_path: Path) -> None:
    hub.files["a.bin"] = b"x" * 2_000_001
    found = download(hub, tmp_path / "a.bin", 2_000_000)
    assert "larger than 2 MB" in found.problem
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_said_and_what_came_is_kept(hub: Hub, tmp_path: Path) -> None:
    """By a limit on files, which writing meets as it meets the end of a disk."""
    hub.files["a.bin"] = content = bytes(range(256)) * 4_000
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, limits[1]))
    try:
        found = download(hub, tmp_path / "a.bin", 2_000_000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert "cannot be written" in found.problem
    assert not (tmp_path / "a.bin").exists()
    found = download(hub, tmp_path / "a.bin", 2_000_000)
    assert found.resumed > 0
    assert (tmp_path / "a.bin").read_bytes() == content


def test_a_folder_that_cannot_be_made(hub: Hub) -> None:
    hub.files["a.bin"] = b"x"
    assert "cannot be written" in download(hub, Path("/dev/null/a.bin")).problem
