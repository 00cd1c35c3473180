"""Compare the shipped encoder with fp32 on labelled articles.

Writes the tables of docs/work/quality.md. Run through `build_minilm.py --check`. Builds nothing
that is kept.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "lab" / "src")]

from newsloom.ranking.encoders.onnx_encoder import OnnxEncoder  # noqa: E402
from newsloom.ranking.encoders.registry import embedder  # noqa: E402
from newsloom.ranking.measure.articles import read_articles  # noqa: E402
from newsloom.ranking.ports import Embedder, Vectors  # noqa: E402
from newsloom_lab.evaluate.same_event import PairSet, pairs_from, run  # noqa: E402

PAGE = ROOT / "docs" / "work" / "quality.md"
SETS = ("allsides_val", "roundups_dated", "ecbplus_a", "allsides_fulltext")
MAY_LOSE = 0.005  # ROC AUC
LEADS = (0, 300, 600, 1000)


def check(stories: Path, *, published: Path, write_fp32: Callable[[Path], None]) -> int:
    """Tables into the page; 1 when int8 ranks worse than it may on any set.

    `published` is the folder of the published model, for sentence-transformers to load.
    """
    sets = {name: pairs_from(read_articles(stories / f"{name}.jsonl")) for name in SETS}
    with tempfile.TemporaryDirectory() as folder:
        write_fp32(Path(folder))
        fp32 = OnnxEncoder("fp32", Path(folder), dimensions=384)
        int8 = embedder("minilm-int8")
        worst, quality = _quality(sets, fp32, int8)
        tables = {
            "quality": quality,
            "leads": _leads(sets, int8),
            "sameness": _sameness(sets, fp32, int8, published),
        }
    page = PAGE.read_text(encoding="utf-8")
    for name, lines in tables.items():
        text = "\n".join(lines)
        print(f"{text}\n")
        page = _put(page, name, text)
    PAGE.write_text(page, encoding="utf-8")
    print(f"largest loss of int8: {worst:.4f} ROC AUC; {MAY_LOSE} is allowed")
    return int(worst > MAY_LOSE)


def _quality(
    sets: dict[str, PairSet], fp32: Embedder, int8: Embedder
) -> tuple[float, Sequence[str]]:
    lines = [
        "| set | articles | pairs | same | AUC fp32 | AUC int8 | difference | AP fp32 | AP int8 |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    worst = -1.0
    for name, pairs in sets.items():
        full, small = run(fp32, pairs), run(int8, pairs)
        worst = max(worst, full.roc_auc - small.roc_auc)
        lines.append(
            f"| {name} | {full.articles:,} | {full.pairs:,} | {full.same:,} | {full.roc_auc:.4f} "
            f"| {small.roc_auc:.4f} | {small.roc_auc - full.roc_auc:+.4f} "
            f"| {full.average_precision:.4f} | {small.average_precision:.4f} |"
        )
    return worst, lines


def _leads(sets: dict[str, PairSet], int8: Embedder) -> Sequence[str]:
    """What longer and shorter leads gain, where the texts are long enough to tell."""
    names = ("ecbplus_a", "allsides_fulltext")
    lines = [
        "| characters of text | " + " | ".join(f"AUC {name}" for name in names) + " |",
        "|---" * (len(names) + 1) + "|",
    ]
    for lead in LEADS:
        reports = [run(int8, sets[name], _cut_at(lead)) for name in names]
        scores = " | ".join(f"{one.roc_auc:.4f}" for one in reports)
        lines.append(f"| {lead:,} | {scores} |")
    return lines


def _cut_at(lead: int) -> Callable[[str, str], str]:
    return lambda title, text: f"{title}. {text[:lead]}" if lead else title


def _sameness(
    sets: dict[str, PairSet], fp32: Embedder, int8: Embedder, published: Path
) -> Sequence[str]:
    """How far vectors move: with company, from fp32, and fp32 from sentence-transformers."""
    titles = [one.title for one in sets["allsides_val"].articles]
    texts = [*titles, *(one.text for one in sets["allsides_fulltext"].articles[:100])]
    together = int8.embed(texts)
    alone = np.concatenate([int8.embed([text]) for text in texts])
    exact = fp32.embed(texts)
    cosine = (together * exact).sum(axis=1)
    return [
        "| compared | figure |",
        "|---|---|",
        f"| texts | {len(titles):,} titles, {len(texts) - len(titles)} full texts |",
        f"| int8 alone and in a batch, largest difference of a number "
        f"| {np.abs(together - alone).max():.1e} |",
        f"| int8 and fp32, mean cosine (least) | {cosine.mean():.4f} ({cosine.min():.4f}) |",
        *_beside_torch(texts, exact, published),
    ]


def _beside_torch(texts: Sequence[str], exact: Vectors, published: Path) -> Iterator[str]:
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError:
        yield "| fp32 and sentence-transformers | not installed, not compared |"
        return
    peer = SentenceTransformer(str(published), device="cpu").encode(list(texts))
    difference = np.abs(peer - exact).max()
    yield f"| fp32 and sentence-transformers, largest difference of a number | {difference:.1e} |"


def _put(page: str, name: str, text: str) -> str:
    """The page with what stands between the marks of that name replaced."""
    first, last = f"<!-- {name} -->\n", f"<!-- end {name} -->"
    before, rest = page.split(first)
    return f"{before}{first}{text}\n{last}{rest.split(last)[1]}"
