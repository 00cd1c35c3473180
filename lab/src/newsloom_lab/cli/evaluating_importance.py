"""`newsloom eval importance`: the ablation of its signals, as tables."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from newsloom.cli.common import note, say, show_json, show_table
from newsloom.kernel.errors import UserError

if TYPE_CHECKING:
    from newsloom_lab.evaluate.importance import Decision, ImportanceReport, Way


def measure(articles: Path, ages: str, as_json: bool) -> None:
    """Every weighted sum, judged by what was reported later."""
    from newsloom_lab.evaluate import importance as measured

    found = measured.run(articles, _hours(ages))
    if as_json:
        show_json(found)
    else:
        _tell(found)


def _hours(text: str) -> list[float]:
    try:
        found = [float(one) for one in text.split(",")]
    except ValueError:
        found = []
    if not found or not all(0 <= one < 10_000 for one in found):
        raise UserError(f'"{text}" is not hours, such as 12 or 12,36,60.')
    return found


def _tell(found: ImportanceReport) -> None:
    say(
        f"{found.articles:,} articles of {found.stories:,} stories of at most "
        f"{found.largest_story} ({found.left_out:,} articles left out); judged on "
        f"{found.judged:,} of the later half, {found.followed:.0%} of them reported later."
    )
    show_table(
        ("", "ROC AUC", "95%", "all five ahead by", "95%", "earlier half"),
        [(name, *_cells(one)) for name, one in found.ways.items()],
        right="",
    )
    show_table(
        ("signal", "ahead, earlier", "95%", "ahead, later", "95%", "one owner less", "verdict"),
        [(name, *_decided(one)) for name, one in found.decisions.items()],
        right="",
    )
    for count, share in found.followed_by_sources.items():
        say(f"Told of by {count} by then: {share:.0%} reported later.")
    for name, first in found.first_reports.items():
        say(
            f"Among {first.articles:,} first reports, by {name} alone: {first.roc_auc:.3f} "
            f"({first.interval[0]:.3f} to {first.interval[1]:.3f})."
        )
    for name, why in found.neutral.items():
        note(f"The same for all, so it orders nothing here: {name}, because {why}.")


def _decided(one: Decision) -> tuple[str, ...]:
    halves = [
        cell
        for half in one.halves
        for cell in (f"{half.ahead:+.3f}", f"{half.interval[0]:+.3f} to {half.interval[1]:+.3f}")
    ]
    owners = one.owners.values() or [0.0]
    return (*halves, f"{min(owners):+.3f} to {max(owners):+.3f}", one.verdict)


def _cells(one: Way) -> tuple[str, ...]:
    return (
        f"{one.roc_auc:.3f}",
        f"{one.interval[0]:.3f} to {one.interval[1]:.3f}",
        f"{one.less:+.3f}",
        f"{one.less_interval[0]:+.3f} to {one.less_interval[1]:+.3f}",
        f"{one.earlier:.3f}",
    )
