"""`newsloom eval first-labels` and `cold-start`: rankings from a reader's first labels."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from newsloom.cli.common import say, show_json, show_table

if TYPE_CHECKING:
    from newsloom.kernel.settings import Settings


def first_labels(
    articles: Path,
    sizes: Sequence[int],
    seeds: int,
    trainer: str,
    encoder: Path | None,
    settings: Settings,
    as_json: bool,
) -> None:
    """Models of few labels beside logistic regression. `encoder` is a folder; None: by settings."""
    from newsloom.app import utc_now
    from newsloom.app.encoder_commands import of_settings
    from newsloom.ranking.encoders.known import MULTILINGUAL
    from newsloom.ranking.encoders.onnx_folder import OnnxFolderEncoder
    from newsloom.ranking.encoders.sentence_folder import described
    from newsloom.ranking.measure import own
    from newsloom.ranking.measure.articles import read_articles
    from newsloom.ranking.measure.labelled import of_file
    from newsloom_lab.evaluate import first_labels as measure

    reads = (
        OnnxFolderEncoder(described(encoder, MULTILINGUAL))
        if encoder
        else of_settings(settings, utc_now)
    )
    by = own.by_name(trainer or settings.training.trainer, settings, reads.model_id)
    found = measure.run(of_file(read_articles(articles), reads), by, sizes, seeds)
    if as_json:
        show_json(found)
        return
    say(f"{found.trainer}: ROC AUC of {found.readers} reader(s), the newest third judged.")
    rows = [
        (
            f"{one.labels}+{one.labels}",
            str(one.draws),
            _cell(one.ours, one.ours_interval),
            _cell(one.logistic_regression, one.logistic_regression_interval),
            _cell(one.difference, one.difference_interval),
        )
        for one in found.points
    ]
    columns = ("labels", "draws", found.trainer, "logistic regression", "difference")
    show_table(columns, rows, right="labels draws")


def cold_start(articles: Path, sizes: Sequence[int], settings: Settings, as_json: bool) -> None:
    """Orders of "For you" before there is a model."""
    from newsloom.app import utc_now
    from newsloom.app.encoder_commands import of_settings
    from newsloom.ranking.measure.articles import read_articles
    from newsloom.ranking.measure.labelled import of_file
    from newsloom_lab.evaluate import cold_start as measure

    encoder = of_settings(settings, utc_now)
    readers = of_file(read_articles(articles), encoder)
    found = measure.run(readers, sizes, settings.importance.in_first_ranking, encoder.model_id)
    if as_json:
        show_json(found)
        return
    say(f"Average precision of the first {measure.FIRST}, {found.readers} reader(s).")
    rows = [
        (
            str(point.labels),
            name,
            _cell(one.average_precision, one.interval),
            _cell(one.ahead, one.ahead_interval, "+.3f"),
        )
        for point in found.points
        for name, one in point.orders.items()
    ]
    show_table(("labels", "order", "average precision", '"For you" ahead'), rows, right="labels")


def _cell(value: float, ends: tuple[float, float], form: str = ".3f") -> str:
    return f"{value:{form}} [{ends[0]:{form}}, {ends[1]:{form}}]"
