"""`newsloom eval`: quality, measured on labelled articles in the documented JSON-lines format."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from newsloom.cli.bench import show
from newsloom.cli.common import Json, note, plain, say, session, show_json, show_table
from newsloom.cli.group import Commands
from newsloom.errors import UserError

if TYPE_CHECKING:
    from newsloom.app import App
    from newsloom.evaluate.entities import EntitiesReport
    from newsloom.measure.curves import LearningCurve
    from newsloom.measure.own import OwnReport
    from newsloom.measure.relevance import RelevanceReport

app = Commands()

Articles = Annotated[Path, typer.Option(help="Labelled articles as JSON lines.")]


@app.command("same-event", help="Does the encoder put articles of one event together?")
def same_event(
    context: typer.Context,
    articles: Annotated[Path | None, typer.Option(help="Articles with `story`.")] = None,
    pairs: Annotated[Path | None, typer.Option(help='Lines of {"a", "b", "same"}.')] = None,
    as_json: Json = False,
) -> None:
    from newsloom.evaluate import same_event as measure
    from newsloom.measure.articles import read_articles
    from newsloom.models import registry

    if (articles is None) == (pairs is None):
        raise UserError("Name one file: --articles FILE.jsonl or --pairs FILE.jsonl.")

    models = session(context).settings.models
    encoder = registry.embedder(models.embedder, models.threads)
    if pairs is not None:
        found = measure.read_pairs(pairs)
    else:
        assert articles is not None
        found = measure.pairs_from(read_articles(articles))
    show(measure.run(encoder, found), as_json)


@app.command("sensitivity", help="How fast articles expire: the shipped head, or one fitted anew.")
def sensitivity(
    context: typer.Context,
    articles: Annotated[Path, typer.Option(help="Articles with `rating`.")],
    fit: Annotated[
        str,
        typer.Option(
            help="Nothing judges the shipped head; cv fits anew in random folds, "
            "source in folds of whole sources."
        ),
    ] = "",
    as_json: Json = False,
) -> None:
    from newsloom.classify.shipped import sensitivity_head
    from newsloom.evaluate import sensitivity as measure
    from newsloom.measure.articles import read_articles
    from newsloom.models import registry

    models = session(context).settings.models
    encoder = registry.embedder(models.embedder, models.threads)
    result = measure.run(read_articles(articles), sensitivity_head(), encoder, fit)
    if result.trained_on:
        note(
            f"The head was trained on {result.trained_on} of these {result.articles} articles, "
            "which flatters it; --fit cv or --fit source judge on articles unseen."
        )
    show(result, as_json)


@app.command("entities", help="How well people, organisations, places and dates are found.")
def entities(
    context: typer.Context,
    conll: Annotated[Path, typer.Option(help="Labelled tokens in CoNLL columns.")],
    column: Annotated[
        int, typer.Option(help="The column of the tags, counted from 1; 0: the last one.", min=0)
    ] = 0,
    model: Annotated[
        str, typer.Option(help="crf, or a spaCy model or its folder; else that of the settings.")
    ] = "",
    as_json: Json = False,
) -> None:
    from newsloom.evaluate import entities as measure
    from newsloom.evaluate.conll import read_conll
    from newsloom.text.entities import recognizer

    found = recognizer(model or session(context).settings.models.entities)
    result = measure.run(found, read_conll(conll, column))
    if as_json:
        show_json(result)
    else:
        _tell_entities(result)


def _tell_entities(result: EntitiesReport) -> None:
    say(
        f"{result.model_id}: {result.tokens:,} tokens in {result.sentences:,} sentences, "
        f"{result.tokens_per_second:,.0f} tokens a second."
    )
    rows = [
        (
            *(one.kind, str(one.names), str(one.found), str(one.right)),
            *(f"{value:.3f}" for value in (one.precision, one.recall, one.f1)),
        )
        for one in (*result.kinds, result.total)
    ]
    columns = ("kind", "names", "found", "right", "precision", "recall", "F1")
    show_table(columns, rows, right=" ".join(columns[1:]))
    if result.worst:
        show_table(
            ("mistake", "times", "such as"),
            [(one.what, str(one.times), one.example) for one in result.worst],
            right="times",
        )
    if result.left_out:
        note(f"Left out, being of no kind that is looked for: {', '.join(result.left_out)}.")


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
    trainer: Annotated[str, typer.Option(help="Which trainer; else the one of the settings.")] = "",
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
            _tell(_own(opened, name, fit, _sizes(curve)), as_json)
        return
    from newsloom.measure import curves, own
    from newsloom.measure import relevance as measure
    from newsloom.measure.articles import read_articles
    from newsloom.measure.labelled import of_file
    from newsloom.models import registry

    encoder = registry.embedder(settings.models.embedder, settings.models.threads)
    by = own.by_name(name, settings, encoder.model_id)
    readers = of_file(read_articles(articles), encoder)
    if curve:
        _tell(curves.run(readers, by, _sizes(curve), fit or "time"), as_json)
    else:
        _tell(measure.run(readers, by, encoder.model_id, fit or "cv"), as_json)


@app.command("dedup", help="Are duplicates found? Every layer, all together, and the worst errors.")
def dedup(
    context: typer.Context,
    articles: Annotated[
        Path | None, typer.Option(help="Articles with `duplicate` (same text) or `story` (event).")
    ] = None,
    profile: Annotated[
        str, typer.Option(help="The thresholds: seed or measured; else those of the settings.")
    ] = "",
    worst: Annotated[int, typer.Option(min=0, help="How many errors are listed.")] = 20,
    peer: Annotated[
        list[str] | None, typer.Option(help="Also measure this: datasketch; repeatable.")
    ] = None,
    make_from: Annotated[
        Path | None,
        typer.Option(help="Instead: make edited copies of the articles of this file, with gold."),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Where the copies go.")] = None,
    seed: Annotated[int, typer.Option(help="Another seed makes other copies.")] = 0,
    copies: Annotated[int, typer.Option(min=1, help="Copies of each article.")] = 1,
    edit: Annotated[
        list[str] | None, typer.Option(help="Only this kind of edit; repeatable.")
    ] = None,
    as_json: Json = False,
) -> None:
    from newsloom.cli import evaluating_duplicates

    if (articles is None) == (make_from is None) or (make_from is None) != (out is None):
        raise UserError(
            "Name --articles FILE.jsonl, or --make-from FILE.jsonl and --out GOLD.jsonl."
        )
    if make_from is not None and out is not None:
        evaluating_duplicates.make(make_from, out, seed, copies, edit or [])
    elif articles is not None:
        settings = session(context).settings
        evaluating_duplicates.measure(articles, settings, profile, peer or [], worst, as_json)


@app.command("polling", help="Replay real polls: requests, delays, what is missed; beside others.")
def polling(
    histories: Annotated[
        Path, typer.Option(help="A folder of feeds, each a folder of documents by their time.")
    ],
    feeds: Annotated[bool, typer.Option("--feeds", help="Also each feed by itself.")] = False,
    as_json: Json = False,
) -> None:
    from newsloom.cli import evaluating_polling

    evaluating_polling.measure(histories, feeds, as_json)


def _tell(found: RelevanceReport | LearningCurve, as_json: bool) -> None:
    """For a person: a line for each measure or size, and for each of several readers."""
    from newsloom.classify import intervals
    from newsloom.measure.curves import LearningCurve
    from newsloom.measure.own import kept
    from newsloom.measure.relevance import MEASURES

    if as_json:
        show_json(kept(plain(found)))
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
            f"{found.negatives:,} others judged, {found.readers} reader(s)."
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
            note(intervals.words("ROC AUC", found.roc_auc_interval, found.judged))
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
    """The user's own labels; figures are kept for the Model page."""
    from newsloom.measure import curves, own
    from newsloom.measure.labelled import of_store

    by = own.trainer(opened, trainer)
    if not sizes:
        return own.of_user(opened, opened.user, by, fit or "cv")
    material = opened.personal.material(opened.user)
    return curves.run([of_store(material.labels, material.vectors)], by, sizes, fit or "time")


def _sizes(text: str) -> list[int]:
    try:
        sizes = [int(one) for one in text.split(",") if one.strip()]
    except ValueError:
        sizes = [0]
    if any(one < 1 for one in sizes):
        raise UserError(f"--curve is numbers of labels such as 100,300,1000, not {text!r:.40}.")
    return sizes
