"""`newsloom eval`: quality, measured on labelled articles in the documented JSON-lines format.

What is measured on a reader's own labels is in Newsloom itself; this adds the rest to that group.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from newsloom.cli.common import Json, note, plain, say, session, show_json, show_table
from newsloom.kernel.errors import UserError
from newsloom.ranking.commands.evaluating import app, sizes
from newsloom_lab.cli.bench import show

if TYPE_CHECKING:
    from newsloom_lab.evaluate.entities import EntitiesReport


@app.command("same-event", help="Does the encoder put articles of one event together?")
def same_event(
    context: typer.Context,
    articles: Annotated[Path | None, typer.Option(help="Articles with `story`.")] = None,
    pairs: Annotated[Path | None, typer.Option(help='Lines of {"a", "b", "same"}.')] = None,
    as_json: Json = False,
) -> None:
    from newsloom.app import utc_now
    from newsloom.app.encoder_commands import of_settings
    from newsloom.ranking.measure.articles import read_articles
    from newsloom_lab.evaluate import same_event as measure

    if (articles is None) == (pairs is None):
        raise UserError("Name one file: --articles FILE.jsonl or --pairs FILE.jsonl.")

    encoder = of_settings(session(context).settings, utc_now)
    if pairs is not None:
        found = measure.read_pairs(pairs)
    else:
        assert articles is not None
        found = measure.pairs_from(read_articles(articles))
    show(measure.run(encoder, found), as_json)


@app.command(
    "passed-over",
    help="Quality of a model trained without dislikes, compared with models that have them.",
)
def without_dislikes(
    context: typer.Context,
    articles: Annotated[
        Path, typer.Option(help="Articles with `label` and times, of one or many readers.")
    ],
    likes: Annotated[
        str, typer.Option(help="Numbers of likes to learn from.")
    ] = "10,20,50,100,200",
    said: Annotated[
        float, typer.Option(help="The share of likes and dislikes that readers say.", min=0, max=1)
    ] = 0.5,
    shown: Annotated[
        float, typer.Option(help="The share of the other articles that they saw.", min=0, max=1)
    ] = 0.5,
    few: Annotated[
        float, typer.Option(help="Also with so many dislikes for each like.", min=0)
    ] = 0.0,
    trainer: Annotated[str, typer.Option(help="Trainer. Default: from the settings.")] = "",
    as_json: Json = False,
) -> None:
    settings = session(context).settings
    from newsloom.app import utc_now
    from newsloom.app.encoder_commands import of_settings
    from newsloom.ranking.measure import own
    from newsloom.ranking.measure.articles import read_articles
    from newsloom.ranking.measure.labelled import of_file
    from newsloom_lab.evaluate import unlabelled

    encoder = of_settings(settings, utc_now)
    by = own.by_name(trainer or settings.training.trainer, settings, encoder.model_id)
    readers = of_file(read_articles(articles), encoder)
    found = unlabelled.run(readers, by, sizes(likes), unlabelled.Silence(said, shown), few)
    if as_json:
        show_json(own.json_safe(plain(found)))
        return
    say(f"{found.trainer}: {found.readers} reader(s), {found.judged:,} articles judged.")
    names = [name for name, _ in unlabelled.MEASURES]
    rows = [
        (
            str(one.likes),
            one.model,
            str(one.readers),
            *(unlabelled.words(figure) for figure in one.figures),
        )
        for one in found.points
    ]
    show_table(("likes", "learned from", "readers", *names), rows, right="likes readers")


@app.command("first-labels", help="Models of few labels compared with plain logistic regression.")
def first_labels(
    context: typer.Context,
    articles: Annotated[
        Path, typer.Option(help="Articles with `label` and times, of one or many readers.")
    ],
    labels: Annotated[str, typer.Option(help="Numbers of likes, and of dislikes.")] = "5,10,20,50",
    seeds: Annotated[int, typer.Option(help="Draws of each size.", min=1)] = 20,
    trainer: Annotated[str, typer.Option(help="Trainer. Default: from the settings.")] = "",
    encoder: Annotated[
        Path | None,
        typer.Option(help="Folder of multilingual-e5-small. Default: the encoder in the settings."),
    ] = None,
    as_json: Json = False,
) -> None:
    from newsloom_lab.cli import evaluating_labels

    settings = session(context).settings
    evaluating_labels.first_labels(
        articles, sizes(labels), seeds, trainer, encoder, settings, as_json
    )


@app.command(
    "cold-start", help='"For you" without a model, compared with newest first and importance.'
)
def cold_start(
    context: typer.Context,
    articles: Annotated[
        Path, typer.Option(help="Articles with `label` and times, of one or many readers.")
    ],
    labels: Annotated[str, typer.Option(help="Numbers of labels given before.")] = "0,3,10,20",
    as_json: Json = False,
) -> None:
    from newsloom_lab.cli import evaluating_labels

    settings = session(context).settings
    evaluating_labels.cold_start(articles, sizes(labels, least=0), settings, as_json)


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
    """By multilingual-e5-small where it is installed and some of the articles are not in English,
    as in the product."""
    from newsloom.app import utc_now
    from newsloom.app.encoder_commands import of_settings
    from newsloom.kernel.installed import is_there
    from newsloom.ranking.encoders.known import MULTILINGUAL
    from newsloom.ranking.encoders.registry import EMBEDDERS
    from newsloom.ranking.learning.sensitivity import is_of_english
    from newsloom.ranking.learning.shipped import sensitivity_head
    from newsloom.ranking.measure.articles import as_text, read_articles
    from newsloom_lab.evaluate import sensitivity as measure

    found = read_articles(articles)
    settings = session(context).settings
    models = settings.models
    foreign = any(not is_of_english(as_text(one)) for one in found)
    several = foreign and models.multilingual and is_there(models.folder, MULTILINGUAL)
    name = MULTILINGUAL if several else EMBEDDERS[0].name
    chosen = replace(settings, models=replace(models, embedder=name))
    encoder = of_settings(chosen, utc_now)
    result = measure.run(found, sensitivity_head(encoder.model_id), encoder, fit)
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
        str, typer.Option(help="crf, or a spaCy model or its folder. Default: from the settings.")
    ] = "",
    as_json: Json = False,
) -> None:
    from newsloom.articles.entities.finder import recognizer
    from newsloom_lab.evaluate import entities as measure
    from newsloom_lab.evaluate.conll import read_conll

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


@app.command("dedup", help="Are duplicates found? Every layer, all together, and the worst errors.")
def dedup(
    context: typer.Context,
    articles: Annotated[
        Path | None, typer.Option(help="Articles with `duplicate` (same text) or `story` (event).")
    ] = None,
    profile: Annotated[
        str, typer.Option(help="Thresholds: seed or measured. Default: from the settings.")
    ] = "",
    worst: Annotated[int, typer.Option(min=0, help="How many errors are listed.")] = 20,
    peer: Annotated[
        list[str] | None, typer.Option(help="Also measure this: datasketch; repeatable.")
    ] = None,
    make_from: Annotated[
        Path | None,
        typer.Option(help="Instead: make edited copies of the articles of this file, with gold."),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Output folder.")] = None,
    seed: Annotated[int, typer.Option(help="Another seed makes other copies.")] = 0,
    copies: Annotated[int, typer.Option(min=1, help="Copies of each article.")] = 1,
    edit: Annotated[
        list[str] | None, typer.Option(help="Only this kind of edit; repeatable.")
    ] = None,
    language: Annotated[
        list[str] | None, typer.Option(help="Only articles in this language; repeatable.")
    ] = None,
    as_json: Json = False,
) -> None:
    from newsloom_lab.cli import evaluating_duplicates

    if (articles is None) == (make_from is None) or (make_from is None) != (out is None):
        raise UserError(
            "Name --articles FILE.jsonl, or --make-from FILE.jsonl and --out GOLD.jsonl."
        )
    if make_from is not None and out is not None:
        evaluating_duplicates.make(make_from, out, seed, copies, edit or [], language or [])
    elif articles is not None:
        settings = session(context).settings
        evaluating_duplicates.measure(articles, settings, profile, peer or [], worst, as_json)


@app.command(
    "polling",
    help="Replay real polls: requests, delays, missed articles, compared with other readers.",
)
def polling(
    histories: Annotated[
        Path, typer.Option(help="A folder of feeds, each a folder of documents by their time.")
    ],
    feeds: Annotated[bool, typer.Option("--feeds", help="Also each feed by itself.")] = False,
    as_json: Json = False,
) -> None:
    from newsloom_lab.cli import evaluating_polling

    evaluating_polling.measure(histories, feeds, as_json)


@app.command("summaries", help="Extractive summaries beside lead-3 and TextRank, by ROUGE.")
def summaries(
    articles: Annotated[Path, typer.Option(help="Articles with `summary_gold`.")],
    as_json: Json = False,
) -> None:
    from newsloom_lab.evaluate import summaries as measure

    show(measure.run(measure.load(articles)), as_json)


@app.command("sources", help="Tiers of sources, compared with public ratings of domains.")
def sources(
    ratings: Annotated[
        Path | None, typer.Option(help="A CSV file with the columns `domain` and `score`.")
    ] = None,
    column: Annotated[str, typer.Option(help="The column of the score.")] = "score",
    store: Annotated[
        Path | None, typer.Option(help="A database, whose measurements the learned part takes.")
    ] = None,
    feeds: Annotated[
        Path | None, typer.Option(help="Or a folder of feed documents to measure.")
    ] = None,
    fit: Annotated[
        bool, typer.Option("--fit", help="Instead: fit the learned part on --feeds.")
    ] = False,
    as_json: Json = False,
) -> None:
    from newsloom_lab.cli import evaluating_sources

    if fit:
        evaluating_sources.fit(feeds, as_json)
    elif ratings is None:
        raise UserError("Name the ratings: --ratings FILE.csv; or --fit --feeds FOLDER.")
    else:
        evaluating_sources.measure(ratings, column, store, feeds, as_json)


@app.command("judge", help="Stories with language models of every kind as judges, and without.")
def judge(
    context: typer.Context,
    articles: Annotated[Path, typer.Option(help="Articles with `story`.")],
    recorded: Annotated[
        Path | None, typer.Option(help='Answers to replay: lines of {"article", "answer"}.')
    ] = None,
    as_json: Json = False,
) -> None:
    from newsloom_lab.cli import evaluating_judges

    models = session(context).settings.models
    evaluating_judges.measure(articles, recorded, models, as_json=as_json)


@app.command(
    "language-model",
    help="Every purpose asked of a real server: usable, refused, why, what it costs.",
)
def language_model(
    context: typer.Context,
    articles: Annotated[Path, typer.Option(help="Articles with `story`.")],
    questions: Annotated[int, typer.Option(min=1, help="Questions of each purpose.")] = 20,
    only: Annotated[list[str] | None, typer.Option(help="Only this purpose; repeatable.")] = None,
    out: Annotated[
        Path | None, typer.Option(help="File for the sentences that were let through.")
    ] = None,
    as_json: Json = False,
) -> None:
    from newsloom_lab.cli import evaluating_language_models

    settings = session(context).settings
    evaluating_language_models.measure(
        articles, settings, questions, only or [], out, as_json=as_json
    )


@app.command("stories", help="Stories of a stream, compared with labelled ones and with peers.")
def stories(
    context: typer.Context,
    articles: Annotated[Path, typer.Option(help="Articles with `story`.")],
    as_json: Json = False,
) -> None:
    from newsloom_lab.cli import evaluating_stories

    evaluating_stories.measure(articles, session(context).settings, as_json)


@app.command(
    "threads", help="Threads, compared with labelled narratives over weeks and with baselines."
)
def threads(
    context: typer.Context,
    narratives: Annotated[
        Path, typer.Option(help="A folder of polled feeds, or a file of running stories.")
    ],
    as_json: Json = False,
) -> None:
    from newsloom_lab.cli import evaluating_threads

    evaluating_threads.measure(narratives, session(context).settings, as_json)


@app.command("topics", help="Topics, compared with labelled stories and with scikit-learn's.")
def topics(
    articles: Annotated[Path, typer.Option(help="Articles with `story`.")],
    as_json: Json = False,
) -> None:
    from newsloom.ranking.measure.own import json_safe
    from newsloom_lab.evaluate import topics as measure

    rows = measure.run(measure.load(articles))
    if as_json:
        show_json(json_safe(plain(rows)))
    else:
        show_table(
            ("", "topics", "alone", "B3 P", "B3 R", "B3 F1", "adj. Rand", "seconds"),
            [
                (
                    name,
                    str(one.topics),
                    f"{one.noise:.0%}",
                    f"{one.b_cubed_precision:.3f}",
                    f"{one.b_cubed_recall:.3f}",
                    f"{one.b_cubed_f1:.3f}",
                    f"{one.adjusted_rand:.3f}",
                    f"{one.seconds:.2f}",
                )
                for name, one in rows.items()
            ],
            right="topics alone seconds",
        )


@app.command(
    "importance", help="Do its signals tell what others report later? Each left out, alone."
)
def importance(
    articles: Annotated[
        Path,
        typer.Option(
            help="Articles with `story`, `published`, `url`; or a folder of polled feeds."
        ),
    ],
    ages: Annotated[
        str, typer.Option(help="Hours after its date that each is looked at; commas between.")
    ] = "12",
    as_json: Json = False,
) -> None:
    from newsloom_lab.cli import evaluating_importance

    evaluating_importance.measure(articles, ages, as_json)


@app.command("digest", help="A replayed week of digests: repeats, lengths, what they leave out.")
def digest(
    articles: Annotated[
        Path,
        typer.Option(help="Articles with dates and sources; or a folder of feeds."),
    ],
    days: Annotated[int, typer.Option(min=1, max=31, help="Number of densest days.")] = 7,
    begin: Annotated[
        datetime | None, typer.Option(formats=["%Y-%m-%d"], help="First day, in place of those.")
    ] = None,
    owners: Annotated[
        int, typer.Option(min=1, help="Matters count that so many independent owners reported.")
    ] = 5,
    as_json: Json = False,
) -> None:
    from newsloom_lab.cli import evaluating_digest

    evaluating_digest.measure(articles, days, owners, begin and begin.date(), as_json)


@app.command(
    "full-text", help="Full-text extraction from pages with known text, compared with peers."
)
def full_text(
    feeds: Annotated[
        Path | None, typer.Option(help="A folder of feeds: pages are made around their articles.")
    ] = None,
    labelled: Annotated[
        list[Path] | None,
        typer.Option(
            help="A folder of real pages and their texts (source.html and expected.html, or "
            "ground-truth.json and html/); repeatable."
        ),
    ] = None,
    pages: Annotated[int, typer.Option(min=1, help="How many pages are made.")] = 400,
    missing: Annotated[
        bool, typer.Option("--missing", help="Also list the blocks that Newsloom drops.")
    ] = False,
    as_json: Json = False,
) -> None:
    from newsloom_lab.cli import evaluating_full_text

    if feeds is None and not labelled:
        raise UserError("Name pages with known text: --feeds FOLDER or --labelled FOLDER.")
    evaluating_full_text.measure(feeds, labelled or [], pages, missing=missing, as_json=as_json)
