"""Piper's public voices that `newsloom voices get` knows: one of each language. No network.

Their repository says the licence of the recordings that a voice was trained with. The hashes are
those that several public projects pin, independently of each other; en_US-joe-medium was checked
with the files themselves. To add one: a row.
"""

from __future__ import annotations

from dataclasses import dataclass

REPOSITORY = "rhasspy/piper-voices"
REVISION = "1162a9173d0ce503555aed757976b7a9912eae4c"
MEGABYTES = 63  # of each here: all are of Piper's quality "medium"


@dataclass(frozen=True, slots=True)
class Known:
    """A voice, and the SHA-256 of its network and of the JSON beside it."""

    name: str  # as Piper has it: en_US-joe-medium
    licence: str
    network: str
    config: str
    words_per_minute: float = 0.0  # scripts/measure_voices.py en=piper:NAME; 0: not measured

    @property
    def language(self) -> str:
        """ISO 639-1."""
        return self.name[:2]

    @property
    def quality(self) -> str:
        return self.name.rpartition("-")[2]

    @property
    def sha256(self) -> dict[str, str]:
        """By file name."""
        return {f"{self.name}.onnx.json": self.config, f"{self.name}.onnx": self.network}


KNOWN = (
    Known(
        "en_US-joe-medium",
        "CC0",
        "58afce0321b8d9c46d7cdf9c16500cc55a793b4220212dba6b70fb788b3baf06",
        "3d6d5410b3795cb1950595247ef8f06190719e6fdbfa3a2356d8ec368e1aad33",
        182.0,
    ),
    Known(
        "de_DE-thorsten-medium",
        "CC0",
        "7e64762d8e5118bb578f2eea6207e1a35a8e0c30595010b666f983fc87bb7819",
        "974adee790533adb273a1ac88f49027d2a1b8f0f2cf4905954a4791e79264e85",
    ),
    Known(
        "fr_FR-siwis-medium",
        "CC BY 4.0",
        "641d1ab097da2b81128c076810edb052b385decc8be3381814802a64a73baf99",
        "39479916c2db192b5ac9764daddd0c744d83e023ad890c6976c0633ae4df8959",
    ),
    Known(
        "es_ES-davefx-medium",
        "CC0",
        "6658b03b1a6c316ee4c265a9896abc1393353c2d9e1bca7d66c2c442e222a917",
        "0e0dda87c732f6f38771ff274a6380d9252f327dca77aa2963d5fbdf9ec54842",
    ),
    Known(
        "it_IT-paola-medium",
        "CC0",
        "6fc918b5a0ea6137382833dddfa567bffbe6a5060c02043c87192ee59c04210c",
        "aea19c0a7fce29fbc359b93f10e7902854401e4c95ae2ea328ae516b15d296cf",
    ),
    Known(
        "pt_BR-faber-medium",
        "CC0",
        "858555e3a064209c57088fe6bd70c4c3dc54d03eaa00c45d5ecaf43a33f95aa7",
        "7e694de195ae3fc36dd732c445eb04fb49b649854893cb5506b978f0d50a1d6f",
    ),
    Known(
        "nl_BE-nathalie-medium",
        "CC0",
        "49cf48023861f9fd42e13a8632f068fee67d1ce244a6ee38f29595afbf0a6be4",
        "4704af2736022e910a3f32672480d5530dd39da5c2bcc079f315f604166ff0de",
    ),
    Known(
        "pl_PL-darkman-medium",
        "see its page",
        "db505438a5364e8e2e0242c4324130a873ed660dfbe8d9689cef428ffb1b645f",
        "70f999f11fa8ad13d3ef779041ee93c9f38be5abdbacdfad42449712fe91c81b",
    ),
    Known(
        "ru_RU-denis-medium",
        "CC0",
        "15fab56e11a097858ee115545d0f697fc2a316c41a291a5362349fb870411b0a",
        "831c860dac0b5073eaa81610a0a638ec23d90a6cf8e5f871b4485c2cec3767c8",
    ),
    Known(
        "zh_CN-huayan-medium",
        "see its page",
        "9929917bf8cabb26fd528ea44d3a6699c11e87317a14765312420be230be0f3d",
        "d521dc45504a8ccc99e325822b35946dd701840bfb07e3dbb31a40929ed6a82b",
    ),
    Known(
        "ko_KR-kss-medium",
        "CC BY-NC-SA 4.0",
        "624fd774e26895f24bebae1bd9a3379e3394baeade4b584924f83e414096e2c9",
        "153b5619d0580f824a59108d83ca19434de410eb8e4fe80325b58684fdc8a1df",
    ),
)


def known(name: str) -> Known | None:
    return next((row for row in KNOWN if row.name == name), None)


def of_language(language: str) -> Known | None:
    return next((row for row in KNOWN if row.language == language), None)
