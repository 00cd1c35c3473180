"""`newsloom voices list, get, remove`, from a hub on loopback and from files; what speaks then."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest
from typer.testing import CliRunner

import model_hub
from model_hub import Hub
from newsloom.briefs import voices
from newsloom.briefs.voices.known import KNOWN, REPOSITORY
from newsloom.briefs.voices.piper import MOST_CONFIG_BYTES
from newsloom.cli import app as program
from newsloom.kernel.settings import Settings
from sound.tiny_piper import config, put

COMMIT = "0123456789abcdef0123456789abcdef01234567"
NAME = "en_US-tiny-low"
NETWORK, BESIDE = f"{NAME}.onnx", f"{NAME}.onnx.json"
GET = ("voices", "get", NAME, "--revision", COMMIT)


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[Hub]:
    with model_hub.answering(f"/{REPOSITORY}/resolve/{COMMIT}/en/en_US/tiny/low/") as made:
        path = put(tmp_path)
        made.files = {
            NETWORK: path.read_bytes(),
            BESIDE: path.with_name("tiny.onnx.json").read_bytes(),
        }
        yield made


@pytest.fixture
def newsloom(hub: Hub, tmp_path: Path) -> Callable[..., tuple[int, str]]:
    environment = {
        "NEWSLOOM_STORE_PATH": str(tmp_path / "news.db"),
        "NEWSLOOM_BRIEF_VOICES_FOLDER": str(tmp_path / "voices"),
        "NEWSLOOM_MODELS_HUB": hub.url,
        "NEWSLOOM_FETCH_PRIVATE_HOSTS": hub.url.removeprefix("http://"),
    }

    def run(*arguments: str, **more: str) -> tuple[int, str]:
        ran = CliRunner().invoke(program, arguments, env=environment | more)
        return ran.exit_code, ran.output + str(ran.exception or "")

    return run


def chosen(tmp_path: Path, language: str = "en", **named: str) -> str:
    brief = replace(Settings().brief, voices_folder=tmp_path / "voices", **named)
    return voices.chosen(replace(Settings(), brief=brief), language)


def test_an_installed_voice_speaks_its_language_until_it_is_removed(
    newsloom, hub: Hub, tmp_path: Path
) -> None:
    assert chosen(tmp_path) == "espeak"
    code, said = newsloom(*GET)
    assert code == 0, said
    assert f"{NAME} installed." in said
    assert "It speaks briefs in en from now on." in said
    assert chosen(tmp_path) == f"piper:{NAME}"
    assert chosen(tmp_path, "de") == "espeak"
    assert chosen(tmp_path, voice="espeak") == "espeak"
    assert chosen(tmp_path, voices="en=server:x") == "server:x"
    assert chosen(tmp_path, voice="espeak", voices="en=auto") == f"piper:{NAME}"
    rows = {one["name"]: one for one in json.loads(newsloom("voices", "list", "--json")[1])}
    assert rows.keys() == {NAME, *(row.name for row in KNOWN)}
    assert (rows[NAME]["language"], rows[NAME]["quality"]) == ("en", "low")
    assert rows[NAME]["file"].endswith(NETWORK)
    assert rows["de_DE-thorsten-medium"]["file"] is None
    table = newsloom("voices", "list")[1]
    assert "speaks" in next(line for line in table.splitlines() if line.startswith(NAME))
    assert newsloom("voices", "remove", NAME)[0] == 0
    assert chosen(tmp_path) == "espeak"
    assert newsloom("voices", "remove", NAME)[0] != 0
    assert newsloom("voices", "remove", "../x")[0] != 0


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("wrong hash", "does not match"),
        ("cut off", "The partial download is kept"),
        ("missing", "returned 404"),
        ("no JSON", "it is no JSON"),
        ("large JSON", "larger than 2,000,000 bytes"),
        ("no language", "does not say its language"),
        ("endless pace", "length_scale"),
        ("downloads phonemes", "not supported"),
    ],
)
def test_nothing_half_installed_is_used(
    newsloom, hub: Hub, tmp_path: Path, what: str, words: str
) -> None:
    good = dict(hub.files)
    if what == "wrong hash":  # what came first is what must come again
        assert newsloom(*GET)[0] == 0
        assert newsloom("voices", "remove", NAME)[0] == 0
        hub.files[NETWORK] += b"x"
    elif what == "cut off":
        hub.cut[NETWORK] = 1_000
    elif what == "missing":
        del hub.files[NETWORK]
    else:
        hub.files[BESIDE] = {
            "no JSON": b"{",
            "large JSON": b" " * (MOST_CONFIG_BYTES + 1),
            "no language": json.dumps(config() | {"language": {}}).encode(),
            "endless pace": json.dumps(config() | {"inference": {"length_scale": 1e9}}).encode(),
            "downloads phonemes": json.dumps(config() | {"phoneme_type": "pinyin"}).encode(),
        }[what]
    code, said = newsloom(*GET)
    assert code != 0
    assert words in said
    assert "Traceback" not in said
    assert chosen(tmp_path) == "espeak"
    hub.files = good
    assert newsloom(*GET)[0] == 0, "the next try repairs it"
    assert chosen(tmp_path) == f"piper:{NAME}"
    if what == "cut off":
        assert hub.ranges == ["bytes=1000-"]


def test_a_killed_download_leaves_nothing_that_is_used(newsloom, hub: Hub, tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if "NEWSLOOM" not in name}
    environment |= {
        "NEWSLOOM_BRIEF_VOICES_FOLDER": str(tmp_path / "voices"),
        "NEWSLOOM_STORE_PATH": str(tmp_path / "news.db"),
        "NEWSLOOM_MODELS_HUB": hub.url,
        "NEWSLOOM_FETCH_PRIVATE_HOSTS": hub.url.removeprefix("http://"),
    }
    hub.held.add(NETWORK)
    process = subprocess.Popen([sys.executable, "-m", "newsloom", *GET], env=environment)
    hub.holding.wait(60)
    process.kill()
    process.wait()
    hub.held.clear()
    hub.released.set()
    assert (tmp_path / "voices" / f"{NAME}.part" / BESIDE).is_file()
    assert chosen(tmp_path) == "espeak"
    assert newsloom(*GET)[0] == 0
    assert chosen(tmp_path) == f"piper:{NAME}"
    assert [name for name, _span in hub.asked].count(BESIDE) == 1


def test_a_voice_of_the_table_must_have_its_hash(newsloom, hub: Hub, tmp_path: Path) -> None:
    """The real row, from files that lie."""
    lie = put(tmp_path).rename(tmp_path / "en_US-joe-medium.onnx")
    (tmp_path / "tiny.onnx.json").rename(tmp_path / "en_US-joe-medium.onnx.json")
    code, said = newsloom("voices", "get", str(lie))
    assert code != 0
    assert "does not match: its SHA-256 is" in said
    code, said = newsloom("voices", "get", "en_US-joe-medium")
    assert code != 0
    assert "returned 404" in said
    assert chosen(tmp_path) == "espeak"


def test_what_is_no_voice_is_refused_before_anybody_is_asked(newsloom, hub: Hub) -> None:
    for words in (
        ("en_US-amy-medium",),
        ("joe",),
        ("../x-y-low",),
        ("/nowhere/x.onnx",),
        ("..onnx",),
        (NAME, "--revision", "main"),
    ):
        code, said = newsloom("voices", "get", *words)
        assert code != 0
        assert "Traceback" not in said
    assert hub.asked == []


def test_without_a_network_it_says_so(newsloom, hub: Hub) -> None:
    code, said = newsloom(*GET, NEWSLOOM_MODELS_HUB="http://127.0.0.1:9")
    assert code != 0
    assert "was not downloaded" in said


def test_a_voice_from_a_file_needs_no_network(newsloom, hub: Hub, tmp_path: Path) -> None:
    path = put(tmp_path)
    code, said = newsloom("voices", "get", str(path))
    assert code == 0, said
    assert chosen(tmp_path) == "piper:tiny"
    assert hub.asked == []
    path.with_name("tiny.onnx.json").unlink()
    code, said = newsloom("voices", "get", str(path))
    assert code != 0
    assert "cannot be copied: No such file" in said
    assert chosen(tmp_path) == "piper:tiny", "what was installed stays"
    if find_spec("piper") is not None:
        put(tmp_path).write_bytes(b"no network")
        code, said = newsloom("voices", "get", str(path))
        assert code != 0
        assert "The Piper voice tiny.onnx" in said
        assert chosen(tmp_path) == "piper:tiny"


def test_a_damaged_voice_is_left_out(newsloom, tmp_path: Path) -> None:
    assert newsloom("voices", "get", str(put(tmp_path)))[0] == 0
    (tmp_path / "voices" / "tiny" / "tiny.onnx.json").write_text("{")
    assert chosen(tmp_path) == "espeak"
    shutil.rmtree(tmp_path / "voices" / "tiny")
    assert chosen(tmp_path) == "espeak"
