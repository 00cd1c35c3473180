"""`newsloom bench`: timed figures, peers side by side in the same run, medians and ratios."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from newsloom.cli.common import Json, plain, show_json, show_table
from newsloom.errors import UserError

app = typer.Typer(help="Measure speed, beside peers, in one run.", no_args_is_help=True)

Folder = Annotated[Path, typer.Argument(help="A folder of feed documents.")]


def _folder(folder: Path) -> Path:
    if not folder.is_dir() or not any(folder.iterdir()):
        raise UserError(f"{folder} is no folder with feed documents in it.")
    return folder


@app.command("parse", help="Read every document: Newsloom, feedparser and faster peers; agreement.")
def parse(
    folder: Folder,
    repeat: Annotated[int, typer.Option(min=1, help="Runs of each; medians are shown.")] = 3,
    as_json: Json = False,
) -> None:
    from newsloom.bench import parse as bench

    folder = _folder(folder)
    speed, agreement = bench.run(folder, repeat), bench.agreement(folder)
    if as_json:
        show_json({"speed": speed, "agreement": agreement})
        return
    columns = ("parser", "seconds", "articles", "articles/s", "x ours")
    show_table(columns, speed.table(), right="seconds articles articles/s x ours")
    show_table(("field", "with feedparser", "share"), agreement.table(), stretch="with feedparser")


@app.command("run", help="A whole pass over the documents served on loopback.")
def run(
    folder: Folder,
    embed: Annotated[bool, typer.Option(help="Run the encoder and what follows it too.")] = True,
    as_json: Json = False,
) -> None:
    from newsloom.bench import run as bench

    show(bench.run(_folder(folder), embed=embed), as_json)


@app.command("rank", help="Top of the list from many unread articles, against other ways.")
def rank(
    rows: Annotated[
        list[int] | None, typer.Option(min=100, help="Unread articles; repeatable.")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, help="How many to list.")] = 100,
    as_json: Json = False,
) -> None:
    from newsloom.bench import rank as bench

    show(bench.run(tuple(rows or (10_000, 100_000, 1_000_000)), limit), as_json)


@app.command("embed", help="Texts a second of the shipped encoder, beside sentence-transformers.")
def embed(
    articles: Annotated[Path, typer.Option(help="Articles as JSON lines: titles and texts.")],
    rounds: Annotated[int, typer.Option(min=1, help="Runs of each; medians are shown.")] = 3,
    as_json: Json = False,
) -> None:
    from newsloom.bench import embed as bench
    from newsloom.evaluate.articles import read_articles

    found = read_articles(articles)
    titles, texts = [one.title for one in found], [one.body for one in found]
    show(bench.run(titles, texts, rounds=rounds), as_json)


def show(result: Any, as_json: bool) -> None:
    """A result value as JSON, or as a table of its plain metric names."""
    if as_json:
        show_json(result)
    else:
        show_table(("metric", "value"), _rows(plain(result)), stretch="value")


def _rows(value: Any, prefix: str = "") -> list[tuple[str, str]]:
    if isinstance(value, dict):
        return [row for name, one in value.items() for row in _rows(one, f"{prefix}{name}.")]
    if isinstance(value, list) and any(isinstance(one, (dict, list)) for one in value):
        return [row for place, one in enumerate(value) for row in _rows(one, f"{prefix}{place}.")]
    return [(prefix.rstrip("."), f"{value:,.4g}" if isinstance(value, float) else str(value))]
