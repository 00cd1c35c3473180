"""`newsloom eval`: quality, measured on labelled articles in the documented JSON-lines format."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from newsloom.cli.bench import show
from newsloom.cli.common import Json, session
from newsloom.errors import UserError
from newsloom.models import registry

if TYPE_CHECKING:
    from newsloom.app import App
    from newsloom.evaluate.curves import LearningCurve
    from newsloom.evaluate.own import OwnReport

app = typer.Typer(help="Measure quality on labelled articles.", no_args_is_help=True)

Articles = Annotated[Path, typer.Option(help="Labelled articles as JSON lines.")]


@app.command("same-event", help="Does the encoder put articles of one event together?")
def same_event(
    context: typer.Context,
    articles: Annotated[Path | None, typer.Option(help="Articles with `story`.")] = None,
    pairs: Annotated[Path | None, typer.Option(help='Lines of {"a", "b", "same"}.')] = None,
    as_json: Json = False,
) -> None:
    from newsloom.evaluate import same_event as measure
    from newsloom.evaluate.articles import read_articles

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
    from newsloom.evaluate.articles import read_articles

    models = session(context).settings.models
    encoder = registry.embedder(models.embedder, models.threads)
    show(measure.run(read_articles(articles), sensitivity_head(), encoder, fit), as_json)


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
            show(_own(opened, name, fit, _sizes(curve)), as_json)
        return
    from newsloom.evaluate import curves, own
    from newsloom.evaluate import relevance as measure
    from newsloom.evaluate.articles import read_articles
    from newsloom.evaluate.labelled import of_file

    encoder = registry.embedder(settings.models.embedder, settings.models.threads)
    by = own.by_name(name, settings, encoder.model_id)
    readers = of_file(read_articles(articles), encoder)
    if curve:
        show(curves.run(readers, by, _sizes(curve), fit or "time"), as_json)
    else:
        show(measure.run(readers, by, encoder.model_id, fit or "cv"), as_json)


def _own(opened: App, trainer: str, fit: str, sizes: list[int]) -> OwnReport | LearningCurve:
    """The user's own labels; figures are kept for the Model page."""
    from newsloom.evaluate import curves, own
    from newsloom.evaluate.labelled import of_store

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
