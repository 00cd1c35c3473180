"""Words of scripts that put no spaces between them: Japanese, Chinese and Thai. Pure.

BudouX's models (126 KB) find them; docs/work/decisions/parsing.md compares them with ICU.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from functools import cache
from importlib import resources
from itertools import groupby

_THAI = re.compile("[\u0e01-\u0e5b]")
_KANA = re.compile("[\u3041-\u30ff]")
_HAN = re.compile("[\u3005-\u3007\u3400-\u9fff\uf900-\ufaff]")
_KATAKANA = re.compile("[\u30a1-\u30fa\u30fc-\u30ff]+")
# Words in hiragana of one or two letters are particles and endings.
_ENDING = re.compile("[\u3041-\u309f]{1,2}")


def segmented(run: str, language: str = "") -> list[str] | None:
    """The words of a run of letters, without single letters and Japanese particles.

    None for a script without a model (Lao, Khmer, Burmese). `language` has two letters; it decides
    between Japanese and Chinese for a run of ideographs alone.
    """
    if _THAI.search(run):
        model = "th"
    elif _KANA.search(run) or (language == "ja" and _HAN.search(run)):
        model = "ja_word"
    elif _HAN.search(run):
        model = "zh-hans"
    else:
        return None
    words = _parser(model)(run)
    if model == "ja_word":
        words = _joined(words)
    return [word for word in words if len(word) > 1 and not _ENDING.fullmatch(word)]


def _joined(words: Iterable[str]) -> list[str]:
    """Single ideographs that follow each other as one word, and katakana likewise: the model splits
    日本 and インタビュー."""
    found: list[str] = []
    for kind, some in groupby(words, _kind):
        together = list(some)
        found += ["".join(together)] if kind else together
    return found


def _kind(word: str) -> str:
    if _KATAKANA.fullmatch(word):
        return "katakana"
    return "ideograph" if len(word) == 1 and _HAN.match(word) else ""


@cache
def _parser(model: str) -> Callable[[str], list[str]]:
    from budoux import Parser  # with its models some megabytes, which few stores need

    file = resources.files("budoux") / "models" / f"{model}.json"
    parse: Callable[[str], list[str]] = Parser(json.loads(file.read_text("utf-8"))).parse
    return parse
