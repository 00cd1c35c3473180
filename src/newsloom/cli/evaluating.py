"""`newsloom eval`: quality, measured on labelled articles in the documented JSON-lines format."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from newsloom.cli.bench import show
from newsloom.cli.common import Json, session
from newsloom.errors import UserError
from newsloom.models import registry

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
    articles: Annotated[Path, typer.Option(help="Articles with `label`.")],
    fit: Annotated[
        str, typer.Option(help="cv: ten folds; time: by when they were labelled.")
    ] = "cv",
    as_json: Json = False,
) -> None:
    from newsloom.evaluate import relevance as measure
    from newsloom.evaluate.articles import read_articles

    models = session(context).settings.models
    encoder = registry.embedder(models.embedder, models.threads)
    show(measure.run(read_articles(articles), encoder, fit), as_json)
