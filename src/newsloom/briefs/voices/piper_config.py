"""The FILE.onnx.json of a Piper voice, read with distrust before Piper reads it.

Piper takes most of it as it stands: a pace of 1e9 fills the memory, and some kinds of phonemes make
it download models into the folder it was started in. Only what needs neither is let through.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from newsloom.kernel.errors import VoiceError
from newsloom.kernel.text.characters import plain

MOST_BYTES = 2_000_000  # the largest of Piper's own voices has 30 kB
RATES = (8_000, 96_000)  # as of voices of servers
MOST_SYMBOLS, MOST_SPEAKERS = 10_000, 100_000
# The others of Piper 1.8 (pinyin, hebrew, japanese, thai) need further packages or downloads.
PHONEMES = frozenset({"espeak", "text"})
# What Piper's training and its own command offer, and more: how long, how much noise.
_BOUNDS = {"length_scale": (0.2, 5.0), "noise_scale": (0.0, 5.0), "noise_w": (0.0, 5.0)}
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9+_-]{0,40}")


@dataclass(frozen=True, slots=True)
class PiperConfig:
    """What is used of it here."""

    rate: int  # samples a second
    language: str  # ISO 639-1; "": it does not say


def load(path: Path) -> PiperConfig:
    """Raises VoiceError, in words, for what Piper should not be given."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise _refused(path, f"it is larger than {MOST_BYTES:,} bytes")
        found = json.loads(path.read_bytes())
    except OSError as error:
        raise _refused(path, error.strerror or str(error)) from error
    except (ValueError, RecursionError) as error:
        raise _refused(path, "it is no JSON") from error
    if why := reason_against(found):
        raise _refused(path, why)
    language = found.get("language")
    code = language.get("code") if isinstance(language, Mapping) else ""
    family = re.match(r"[a-z]{2,3}(?![a-z])", code) if isinstance(code, str) else None
    return PiperConfig(found["audio"]["sample_rate"], family[0] if family else "")


def reason_against(found: Any) -> str:
    """Why it is not taken; "" where nothing is found. Pure."""
    if not isinstance(found, Mapping):
        return "it is no object"
    rate = _part(found, "audio").get("sample_rate")
    if not _whole(rate, *RATES):
        return f"it names {plain(str(rate))[:20]} samples a second"
    if not _whole(found.get("num_symbols"), 1, MOST_SYMBOLS):
        return "its num_symbols is no such number"
    if not _whole(found.get("num_speakers"), 1, MOST_SPEAKERS):
        return "its num_speakers is no such number"
    if not _whole(found.get("default_speaker_id", 0), 0, found["num_speakers"] - 1):
        return "it has no speaker of its default_speaker_id"
    return _against_phonemes(found) or _against_pace(found)


def _against_phonemes(found: Mapping[str, Any]) -> str:
    kind = found.get("phoneme_type", "espeak")
    if kind not in PHONEMES:
        return f"its phonemes ({plain(str(kind))[:20]}) are not supported"
    name = _part(found, "espeak").get("voice")
    if not (isinstance(name, str) and _NAME.fullmatch(name)):
        return "it names no voice of eSpeak"
    ids = found.get("phoneme_id_map")
    if not (isinstance(ids, Mapping) and 0 < len(ids) <= MOST_SYMBOLS):
        return "it has no phoneme_id_map"
    most = found["num_symbols"] - 1
    for some in ids.values():
        if not (isinstance(some, list) and len(some) <= 16):
            return "its phoneme_id_map has other things than lists"
        if not all(_whole(one, 0, most) for one in some):
            return "its phoneme_id_map has numbers that its num_symbols has not"
    return "" if found.get("vowel_clusters") in (None, [], {}) else _against_clusters(found)


def _against_clusters(found: Mapping[str, Any]) -> str:
    clusters = found["vowel_clusters"]
    right = isinstance(clusters, list) and all(
        isinstance(one, list) and all(isinstance(each, str) for each in one) for one in clusters
    )
    return "" if right else "its vowel_clusters are no lists of signs"


def _against_pace(found: Mapping[str, Any]) -> str:
    given = _part(found, "inference")
    for name, (least, most) in _BOUNDS.items():
        value = given.get(name, 1.0)
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not (number and math.isfinite(value) and least <= value <= most):
            return f"its {name} is not within {least:g} and {most:g}"
    return ""


def _part(found: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    part = found.get(name)
    return part if isinstance(part, Mapping) else {}


def _whole(value: object, least: int, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _refused(path: Path, why: str) -> VoiceError:
    return VoiceError(f"The Piper voice {path.name.removesuffix('.json')} is not used: {why}.")
