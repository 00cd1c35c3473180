"""`newsloom eval language-model` in tables."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from newsloom.cli.common import note, plain, say, show_json, show_table
from newsloom.kernel.settings import Settings
from newsloom.ranking.measure.articles import read_articles
from newsloom_lab.evaluate import language_models as measured

COLUMNS = (
    "purpose", "questions", "calls", "usable", "right", "sentences", "shown", "s/call",
    "tokens/call", "rests", "no budget",
)  # fmt: skip


def measure(
    articles: Path,
    settings: Settings,
    questions: int,
    only: Sequence[str],
    out: Path | None,
    *,
    as_json: bool,
) -> None:
    """Raises UserError where there is no server, or no story in the file."""
    report = measured.run(read_articles(articles), settings, questions, only, note)
    if out is not None:
        lines = (json.dumps(asdict(one), ensure_ascii=False) for one in report.shown)
        out.write_text("".join(f"{one}\n" for one in lines), encoding="utf-8")
    if as_json:
        show_json(plain(report))
        return
    say(report.service)
    show_table(
        COLUMNS,
        [_row(name, one) for name, one in report.purposes.items()],
        right=" ".join(COLUMNS[1:]),
    )
    for name, one in report.purposes.items():
        for what, reasons in (
            ("unusable", one.unusable),
            ("unanswered", one.unanswered),
            ("refused", one.refused),
        ):
            _reasons(f"{name}, {what}", reasons)


def _row(name: str, one: measured.PurposeReport) -> tuple[str, ...]:
    labelled = one.right.total()
    return (
        name,
        str(one.questions),
        str(one.calls),
        str(one.used),
        f"{one.right[True]} of {labelled}" if labelled else "",
        str(one.written or ""),
        str(one.shown) if one.written else "",
        f"{one.seconds_median:.1f}",
        str(one.tokens_median),
        str(one.rests),
        str(one.held_back),
    )


def _reasons(title: str, reasons: Counter[str]) -> None:
    for reason, count in (+reasons).most_common():
        say(f"{title}: {count} {reason}")
