"""`newsloom eval`: how good the ranking is, measured on labels; newsloom-lab adds to the group."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from newsloom.app import App
from newsloom.bridges.service.labelled import bring_in, given_out
from newsloom.cli.common import Json, note, plain, say, session, show_json, show_table
from newsloom.cli.group import Commands, SharedWithLab
from newsloom.kernel.errors import UserError
from newsloom.kernel.text.html import to_text
from newsloom.ranking.measure.articles import KINDS, LONGEST_TEXT, copy_of, read_what_can_be
from newsloom.ranking.values.models import LabelledCopy
from newsloom.reading.values.reading import EventKind

if TYPE_CHECKING:
    from newsloom.ranking.measure.curves import LearningCurve
    from newsloom.ranking.measure.own import OwnReport
    from newsloom.ranking.measure.relevance import RelevanceReport

app = Commands(cls=SharedWithLab)


@app.command("relevance", help="How well likes are told from dislikes by what a reader labelled.")
def relevance(
    context: typer.Context,
    articles: Annotated[
        Path | None,
        typer.Option(help="Articles with `label`, of one or many readers; without: your own."),
    ] = None,
    fit: Annotated[
        str,
        typer.Option(
            "--fit",
            "--protocol",
            help="cv: folds; time: the newest third by what came before; seed: a balanced year, "
            "its oldest 100 + 100 held out; seed-random: 100 + 100 drawn.",
        ),
    ] = "",
    trainer: Annotated[str, typer.Option(help="Trainer. Default: from the settings.")] = "",
    curve: Annotated[
        str,
        typer.Option(help="Instead: train on so many labels each, such as 100,300,1000."),
    ] = "",
    as_json: Json = False,
) -> None:
    settings = session(context).settings
    name = trainer or settings.training.trainer
    if articles is None:
        with session(context).open() as opened:
            _tell(_own(opened, name, fit, sizes(curve)), as_json)
        return
    from newsloom.app import utc_now
    from newsloom.app.encoder_commands import of_settings
    from newsloom.ranking.measure import curves, own
    from newsloom.ranking.measure import relevance as measure
    from newsloom.ranking.measure.articles import read_articles
    from newsloom.ranking.measure.labelled import of_file

    encoder = of_settings(settings, utc_now)
    by = own.by_name(name, settings, encoder.model_id)
    readers = of_file(read_articles(articles), encoder)
    if curve:
        _tell(curves.run(readers, by, sizes(curve), fit or "time"), as_json)
    else:
        _tell(measure.run(readers, by, encoder.model_id, fit or "cv"), as_json)


def _tell(found: RelevanceReport | LearningCurve, as_json: bool) -> None:
    """For a person: a line for each measure or size, and for each of several readers."""
    from newsloom.ranking.learning import confidence_intervals
    from newsloom.ranking.measure.curves import LearningCurve
    from newsloom.ranking.measure.own import json_safe
    from newsloom.ranking.measure.relevance import MEASURES

    if as_json:
        show_json(json_safe(plain(found)))
    elif isinstance(found, LearningCurve):
        columns = ("labels", "readers", "average precision", "95%", "ROC AUC", "95% ")
        rows = [
            (
                str(one.labels),
                str(one.readers),
                *_with_ends(one.average_precision, one.average_precision_interval),
                *_with_ends(one.roc_auc, one.roc_auc_interval),
            )
            for one in found.curve
        ]
        show_table(columns, rows, right="labels readers")
    else:
        say(
            f"{found.trainer} by {found.fit}: {found.judged:,} of {found.positives:,} likes and "
            f"{found.negatives:,} others judged, {found.readers} readers."
        )
        names = [name for name, _ in MEASURES]
        values = [
            _with_ends(getattr(found, one), getattr(found, f"{one}_interval")) for one in names
        ]
        show_table(
            ("measure", "value", "95%"),
            [(name, *value) for name, value in zip(names, values, strict=True)],
        )
        if found.readers == 1:
            note(confidence_intervals.describe("ROC AUC", found.roc_auc_interval, found.judged))
        each = [
            (one.reader, *(f"{getattr(one, name):.3f}" for name in names))
            for one in found.per_reader
        ]
        if each:
            show_table(("reader", *names), each)
        for words in found.left_out:
            note(words)


def _with_ends(value: float, ends: tuple[float, float]) -> tuple[str, str]:
    return f"{value:.3f}", f"{ends[0]:.3f} to {ends[1]:.3f}"


def _own(opened: App, trainer: str, fit: str, sizes: list[int]) -> OwnReport | LearningCurve:
    """The user's own labels; figures are kept for `/you`."""
    from newsloom.ranking.measure import curves, own
    from newsloom.ranking.measure.labelled import of_store

    by = own.trainer(opened, trainer)
    if not sizes:
        return own.of_user(opened, opened.user, by, fit or "cv")
    dataset = opened.services.training.dataset(opened.user)
    return curves.run([of_store(dataset.labels, dataset.vectors)], by, sizes, fit or "time")


def sizes(text: str, least: int = 1) -> list[int]:
    try:
        sizes = [int(one) for one in text.split(",") if one.strip()]
    except ValueError:
        sizes = [-1]
    if any(one < least for one in sizes):
        raise UserError(f"--curve is numbers of labels such as 100,300,1000, not {text!r:.40}.")
    return sizes


# Labels that come from a file and go to one, for the commands import and export.

LABELS = {kind: label for label, kind in KINDS.items()}

# Problems told one by one; the rest are counted.
MOST_TOLD = 10


def is_articles_file(document: bytes) -> bool:
    """Whether it is JSON lines: OPML begins with an angle bracket."""
    return document.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"{"


def import_labels(app: App, document: bytes, name: str, as_json: bool) -> None:
    """Every line that can be read is taken in, all in one step; the others are named."""
    now = app.now()
    found, problems = read_what_can_be(document, name)
    copies = [copy_of(one, now) for one in found]
    labelled = [one for one in copies if one.marks]
    if not labelled:
        raise UserError(problems[0] if problems else f"{name} has no article with a `label`.")
    done = bring_in(app.store, app.user, labelled, now)
    unlabelled = len(copies) - len(labelled)
    for problem in problems[:MOST_TOLD]:
        note(problem)
    if len(problems) > MOST_TOLD:
        note(f"... and {len(problems) - MOST_TOLD} more unreadable lines.")
    if as_json:
        counts = {"articles": done.articles, "labels": done.labels, "known": done.known}
        show_json({**counts, "unlabelled": unlabelled, "unreadable": len(problems)})
    else:
        _say_import(done.labels, done.articles, done.known, unlabelled)
    if problems:
        note(f"{len(problems)} of {len(problems) + len(copies)} lines were skipped.")
        raise typer.Exit(1)


def _say_import(labels: int, articles: int, known: int, unlabelled: int) -> None:
    back = " Undo them with `newsloom undo`." if labels else ""
    say(f"{labels} labels and {articles} articles.{back}")
    if known:
        say(f"{known} labels already exist, or you have rated these articles since.")
    if unlabelled:
        say(f"{unlabelled} lines without a label were skipped.")
    if labels:
        say("Process the articles with `newsloom run`; training follows.")


def export_labels(app: App) -> str:
    """One line an article that teaches."""
    copies = given_out(app.store, app.user)
    return "".join(json.dumps(_line(one), ensure_ascii=False) + "\n" for one in copies)


def _line(copy: LabelledCopy) -> dict[str, Any]:
    one = copy.article
    told = dict(copy.marks)
    star = told.get(EventKind.STAR)
    rating = next((kind for kind in (EventKind.LIKE, EventKind.DISLIKE) if kind in told), None)
    noticed = next((kind for kind in told if kind in LABELS), None)
    kind = rating or (EventKind.STAR if star else noticed)
    assert kind is not None
    fields = {
        "id": one.guid,
        "title": one.title,
        "text": to_text(one.content, LONGEST_TEXT),
        "url": one.url,
        "source": copy.source,
        "published": one.published.isoformat() if one.published else "",
        "language": one.language,
        "label": LABELS.get(kind, "like"),
        "labelled_at": told[kind].isoformat(),
        "starred_at": star.isoformat() if star else "",
    }
    return {name: value for name, value in fields.items() if value}
