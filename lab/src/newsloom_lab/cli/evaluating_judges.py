"""`newsloom eval judge` in words and tables."""

from __future__ import annotations

import json
from pathlib import Path

from newsloom.cli.common import plain, say, show_json, show_table
from newsloom.kernel import files
from newsloom.kernel.errors import UserError
from newsloom.kernel.settings import ModelSettings
from newsloom.ranking.encoders import registry
from newsloom.ranking.measure.own import json_safe
from newsloom_lab.evaluate import judges, streams
from newsloom_lab.evaluate.stories import StoryMeasures


def measure(file: Path, recorded: Path | None, models: ModelSettings, *, as_json: bool) -> None:
    """Raises UserError for a file without stories, or recorded answers that are none."""
    embedder = registry.embedder(models.embedder, models.threads)
    answers = None if recorded is None else _recorded(recorded)
    report = judges.run(streams.load(file), embedder, answers)
    if as_json:
        show_json(json_safe(plain(report)))
        return
    say(f"{report.articles:,} articles in the order of their dates.")
    rows = [_row("none", report.without, ("", "", "", "", ""))]
    for name, one in report.judges.items():
        agreement = "" if one.agreement is None else f"{one.agreement:.2f}"
        told = (
            str(one.asked),
            agreement,
            str(one.unusable),
            str(one.taken),
            "yes" if one.believed else "no",
        )
        rows.append(_row(name, one.measures, told))
    columns = (
        "model",
        "contamination",
        "fragmentation",
        "B3 F1",
        "asked",
        "agrees",
        "unusable",
        "moved",
        "believed",
    )
    show_table(columns, rows, right=" ".join(columns[1:8]))


def _row(name: str, found: StoryMeasures, lines: tuple[str, ...]) -> tuple[str, ...]:
    return (
        name,
        f"{found.contamination:.3f}",
        f"{found.fragmentation:.3f}",
        f"{found.b_cubed_f1:.3f}",
        *lines,
    )


def _recorded(file: Path) -> dict[str, str]:
    """Lines of {"article": id, "answer": the words of a model}."""
    found: dict[str, str] = {}
    for number, line in enumerate(files.read_bytes(file).splitlines(), 1):
        try:
            said = json.loads(line) if line.strip() else None
            if said is not None:
                found[str(said["article"])] = str(said["answer"])
        except (ValueError, TypeError, KeyError) as error:
            words = 'is not {"article": …, "answer": …}'
            raise UserError(f"{file} line {number} {words}.") from error
    return found
