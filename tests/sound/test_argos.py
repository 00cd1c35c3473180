"""Packages of Argos Translate: which are taken, and that a real CTranslate2 model is run.

What runs one is skipped without the extra argos; `pip install ctranslate2 sentencepiece`.
"""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from newsloom.briefs.translators import ArgosTranslator, packages, way
from newsloom.kernel.errors import TranslationError
from sound.tiny_argos import put

needs_argos = pytest.mark.skipif(
    not (find_spec("ctranslate2") and find_spec("sentencepiece")),
    reason="ctranslate2 and sentencepiece are not installed (the extra argos)",
)


def laid(folder: Path, name: str, said: Any, *, whole: bool = True) -> None:
    package = folder / name
    (package / "model").mkdir(parents=True)
    (package / "metadata.json").write_text(said if isinstance(said, str) else json.dumps(said))
    if whole:
        (package / "sentencepiece.model").write_bytes(b"x")


def pair(source: object, target: object, **more: object) -> dict[str, object]:
    return {"from_code": source, "to_code": target} | more


def test_packages_are_taken_only_where_they_are_whole(tmp_path: Path) -> None:
    assert packages(tmp_path / "nowhere") == ()
    laid(tmp_path, "en_de", pair("en", "de"))
    laid(tmp_path, "de_ko", pair("de", "ko", target_prefix="__ko__"))
    for name, said in {
        "no JSON": "{",
        "deep": "[" * 50_000,
        "a list": [],
        "numbers": pair(1, 2),
        "a path": pair("../x", "en"),
        "a long prefix": pair("fr", "en", target_prefix="x" * 99),
        "sentences": pair("fr", "en", type="sbd"),
        "large": "x" * 200_000,
    }.items():
        laid(tmp_path, name, said)
    laid(tmp_path, "of Moses", pair("es", "en"), whole=False)
    known = packages(tmp_path)
    assert {(one.source, one.target) for one in known} == {("en", "de"), ("de", "ko")}
    assert [one.target for one in way(known, "en", "de")] == ["de"]
    assert [one.target for one in way(known, "en", "ko")] == ["de", "ko"]
    assert way(known, "ko", "en") == ()
    assert ArgosTranslator(tmp_path).languages() == {("en", "de"), ("de", "ko"), ("en", "ko")}


@needs_argos
def test_a_real_model_is_run_and_its_trouble_is_told(tmp_path: Path) -> None:
    put(tmp_path, "en", "de")
    put(tmp_path, "de", "fr", target_prefix="\u2581die")
    translator = ArgosTranslator(tmp_path)
    requests = ["The river rose overnight.", "", "Three hundred people left. " * 300]
    found = translator.translate(requests, "en", "de")
    assert len(found) == 3
    assert found == translator.translate(requests, "en", "de")
    assert any(map(str.isalpha, found[0]))
    assert len(translator.translate(requests[:1], "en", "fr")) == 1  # by way of German
    with pytest.raises(TranslationError, match="no package of Argos Translate from 'en' to 'ko'"):
        translator.translate(requests, "en", "ko")
    broken = put(tmp_path, "en", "it")
    (broken / "model" / "model.bin").write_bytes(b"\x06\x00" * 50)
    with pytest.raises(TranslationError, match="translate-en_it-1_0 of Argos Translate failed"):
        translator.translate(requests, "en", "it")
    (broken / "sentencepiece.model").write_bytes(b"\xff" * 500)
    with pytest.raises(TranslationError, match="failed"):
        ArgosTranslator(tmp_path).translate(requests, "en", "it")


def test_without_the_extra_it_is_said_how_to_have_it(tmp_path: Path) -> None:
    if find_spec("ctranslate2"):
        pytest.skip("the extra argos is installed")
    with pytest.raises(TranslationError, match=r"newsloom\[argos\]"):
        ArgosTranslator(tmp_path).translate(["Hello."], "en", "de")
