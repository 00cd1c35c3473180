"""Briefs spoken by a voice of Piper: a tiny one of the real shape, and files that are none.

What speaks is skipped without the extra piper; `pip install piper-tts` and run it again.
"""

from __future__ import annotations

import json
import shutil
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cli.briefed import opened, run, world_of_today
from newsloom.app import utc_now
from newsloom.briefs.values import BriefId
from newsloom.briefs.voices.piper import MOST_BYTES, PiperVoice, load, reason_against
from newsloom.kernel.errors import VoiceError
from sound.tiny_piper import RATE, config, put

needs_piper = pytest.mark.skipif(
    find_spec("piper") is None, reason="piper-tts is not installed (the extra piper)"
)

HOSTILE: dict[str, tuple[Any, str]] = {
    "no object": (["x"], "no object"),
    "a rate of 1": (config() | {"audio": {"sample_rate": 1}}, "1 samples a second"),
    "a rate of a million": (config() | {"audio": {"sample_rate": 10**6}}, "1000000 samples"),
    "a rate in words": (config() | {"audio": {"sample_rate": "fast"}}, "fast samples"),
    "no audio": (config() | {"audio": 22_050}, "None samples"),
    "no symbols": (config() | {"num_symbols": -1}, "num_symbols"),
    "true speakers": (config() | {"num_speakers": True}, "num_speakers"),
    "another speaker": (config() | {"default_speaker_id": 1}, "default_speaker_id"),
    "phonemes to be downloaded": (config() | {"phoneme_type": "pinyin"}, "pinyin"),
    "a voice that is a path": (config() | {"espeak": {"voice": "../../x"}}, "no voice of eSpeak"),
    "no map": (config() | {"phoneme_id_map": []}, "no phoneme_id_map"),
    "a map of texts": (config() | {"phoneme_id_map": {"a": "b"}}, "than lists"),
    "a map beyond its symbols": (config() | {"phoneme_id_map": {"a": [999]}}, "num_symbols has"),
    "clusters of numbers": (config() | {"vowel_clusters": [[1]]}, "vowel_clusters"),
    "a pace without end": (config() | {"inference": {"length_scale": 1e9}}, "length_scale"),
    "a pace that is none": (
        config() | {"inference": {"length_scale": float("nan")}},
        "length_scale",
    ),
    "noise alone": (config() | {"inference": {"noise_scale": 1e30}}, "noise_scale"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_config_that_piper_should_not_be_given_is_refused(case: str, tmp_path: Path) -> None:
    found, words = HOSTILE[case]
    assert words in reason_against(found)
    path = put(tmp_path)
    path.with_name("tiny.onnx.json").write_text(json.dumps(found))
    with pytest.raises(VoiceError, match="is not used"):
        PiperVoice("en", str(path))


def test_a_config_as_piper_has_them_is_read(tmp_path: Path) -> None:
    assert reason_against(config()) == ""
    put(tmp_path)
    assert load(tmp_path / "tiny.onnx.json").language == "en"
    (tmp_path / "bare.json").write_text(json.dumps(config() | {"language": None}))
    assert load(tmp_path / "bare.json").language == ""


def test_files_that_are_missing_or_too_large_or_of_another_language(tmp_path: Path) -> None:
    path = put(tmp_path)
    with pytest.raises(VoiceError, match="speaks en, not de"):
        PiperVoice("de", str(path))
    beside = path.with_name("tiny.onnx.json")
    for body, words in ((b"{" * 9, "no JSON"), (b"[" * 90_000, "no JSON"), (b"", "no JSON")):
        beside.write_bytes(body)
        with pytest.raises(VoiceError, match=words):
            PiperVoice("en", str(path))
    with beside.open("wb") as out:
        out.truncate(MOST_BYTES + 1)
    with pytest.raises(VoiceError, match="larger than 2,000,000 bytes"):
        PiperVoice("en", str(path))
    beside.write_text(json.dumps(config()))
    with path.open("wb") as out:
        out.truncate(1_000_000_001)  # it has holes: nothing is on the disk
    with pytest.raises(VoiceError, match="larger than 1 GB"):
        PiperVoice("en", str(path))
    beside.unlink()
    with pytest.raises(VoiceError, match="There is no Piper voice"):
        PiperVoice("en", str(path))


@needs_piper
def test_sentences_are_spoken_by_it(tmp_path: Path) -> None:
    path = put(tmp_path)
    voice = PiperVoice("en", str(path))
    speech = voice.speak("The river rose overnight, and three hundred people left their homes.")
    assert speech.rate == RATE
    assert 1 < len(speech.samples) / RATE < 12
    assert np.abs(speech.samples).max() > 8_000
    slow = put_apart(tmp_path / "slow", inference={"length_scale": 2.0})
    again = PiperVoice("en", str(slow)).speak("The river rose overnight.")
    usual = voice.speak("The river rose overnight.")
    assert abs(len(again.samples) / len(usual.samples) - 2) < 0.1
    assert voice.voice_id != PiperVoice("en", str(slow)).voice_id
    # A long sentence is spoken in pieces, whole.
    long = "the river rose and the road was closed again " * 20
    once, whole = voice.speak(long[:270]), voice.speak(long[:810])
    assert abs(len(whole.samples) / len(once.samples) - 3) < 0.1
    # What would be phonemes to Piper is text.
    assert len(voice.speak("[[" + "a" * 300 + "]]").samples)
    with pytest.raises(VoiceError, match="says nothing"):
        voice.speak(" ")
    voice.close()
    assert len(voice.speak("And again.").samples)


def put_apart(folder: Path, **changed: Any) -> Path:
    folder.mkdir()
    return put(folder, **changed)


@needs_piper
@pytest.mark.parametrize("body", [b"", b"no network", b"\x08\x08" + b"\xff" * 4_000])
def test_a_file_that_is_no_network_is_told(body: bytes, tmp_path: Path) -> None:
    path = put(tmp_path)
    path.write_bytes(body)
    with pytest.raises(VoiceError, match=r"The Piper voice tiny\.onnx"):
        PiperVoice("en", str(path)).speak("Hello.")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return world_of_today(tmp_path_factory.mktemp("made"))


@needs_piper
def test_a_brief_by_a_voice_of_piper_as_it_is_typed(made: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(made, tmp_path / "news.db"))
    voice = f"piper:{put(tmp_path)}"
    said = run(path, "--minutes", "2", "--voice", voice, "--out", str(tmp_path / "brief.mp3"))
    assert "Spoken by eSpeak" not in said
    assert (tmp_path / "brief.mp3").read_bytes()[:3] == b"ID3"
    assert run(path, "GET", "/briefs", name="api").count('"ready"') == 1


@needs_piper
def test_an_installed_voice_speaks_a_brief_without_any_setting(made: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(made, tmp_path / "news.db"))
    folder = {"NEWSLOOM_BRIEF_VOICES_FOLDER": str(tmp_path / "voices")}
    run(path, "get", str(put(tmp_path)), name="voices", **folder)
    said = run(path, "--minutes", "1", **folder)
    assert "Spoken by eSpeak" not in said
    store = opened(path)
    brief = store.briefs.brief(store.users.user("reader", utc_now()), BriefId(1))
    assert brief is not None
    assert brief.sound is not None
    assert brief.sound.voice.startswith("piper:tiny/")
    store.close()


def test_a_voice_of_piper_that_is_missing_leaves_the_brief_to_espeak(
    made: Path, tmp_path: Path
) -> None:
    path = Path(shutil.copy(made, tmp_path / "news.db"))
    said = run(path, "--minutes", "1", "--voice", f"piper:{tmp_path}/nowhere.onnx")
    # A reader may see the notice, and the terminal has the log: only there is the path.
    assert "Spoken by eSpeak because the chosen voice failed; the server log says why." in said
    assert f"There is no Piper voice at {tmp_path}/nowhere.onnx" in said
    assert "Brief 1: " in said
