"""`newsloom bench`: timed figures, peers side by side in the same run, medians and ratios."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from newsloom.cli.common import Json, note, plain, say, session, show_json, show_table
from newsloom.cli.group import Commands
from newsloom.kernel.errors import UserError

app = Commands()

Server = Annotated[
    str,
    typer.Option(
        "--store",
        help="The URL of a PostgreSQL database whose role may make others: only, and beside SQLite",
    ),
]

Folder = Annotated[Path, typer.Argument(help="A folder of feed documents.")]


def _folder(folder: Path) -> Path:
    if not folder.is_dir() or not any(folder.iterdir()):
        raise UserError(f"{folder} is no folder with feed documents in it.")
    return folder


@app.command("parse", help="Read every document: Newsloom, feedparser and faster peers; agreement.")
def parse(
    folder: Folder,
    repeat: Annotated[int, typer.Option(min=1, help="Runs of each; medians are shown.")] = 3,
    damaged: Annotated[
        bool, typer.Option("--damaged", help="Only: what is found in broken copies of them.")
    ] = False,
    as_json: Json = False,
) -> None:
    from newsloom_lab.bench import damage
    from newsloom_lab.bench import parse as bench

    folder = _folder(folder)
    if damaged:
        recovered = damage.run(folder)
        if as_json:
            show_json({"damage": recovered})
            return
        columns = ("damage", "feeds", *damage.NAMES)
        show_table(columns, recovered.table(), right=" ".join(columns[1:]))
        return
    speed, agreement = bench.run(folder, repeat), bench.agreement(folder)
    if as_json:
        show_json({"speed": speed, "agreement": agreement})
        return
    columns = ("parser", "CPU-s", "articles", "articles/s", "x ours")
    show_table(columns, speed.table(), right="CPU-s articles articles/s x ours")
    show_table(("field", "with feedparser", "share"), agreement.table(), stretch="with feedparser")


@app.command("run", help="A whole pass over the documents served on loopback.")
def run(
    folder: Folder,
    embed: Annotated[bool, typer.Option(help="Run the encoder and what follows it too.")] = True,
    store: Server = "",
    as_json: Json = False,
) -> None:
    from newsloom_lab.bench import run as bench
    from newsloom_lab.bench import run_stores

    if store:
        show(run_stores.run(_folder(folder), store, embed=embed), as_json)
        return
    show(bench.run(_folder(folder), embed=embed), as_json)


@app.command("poll", help="Many feeds polled and stored, beside newsboat and lemon24/reader.")
def poll(
    feeds: Annotated[int, typer.Option(min=1, max=50_000, help="How many to make up.")] = 5_000,
    peers: Annotated[bool, typer.Option(help="Run newsboat and reader too, if installed.")] = True,
    reader_feeds: Annotated[
        int, typer.Option(min=1, help="How many of them lemon24/reader polls; it is slow.")
    ] = 1_000,
    as_json: Json = False,
) -> None:
    from newsloom_lab.bench import poll as bench

    result = bench.run(feeds, peers=peers, reader_feeds=reader_feeds, heard=note)
    if as_json:
        show_json(result)
        return
    right = "feeds seconds starting feeds/s polled/s CPU-s MB"
    show_table(bench.COLUMNS, result.table(), right=right)
    say(f"Served by {result.server}; {result.articles_a_feed} articles a feed.")
    for name, ratio in result.ratios.items():
        say(f"{name.replace('_', ', ')}: {ratio:.2f} times newsboat's rate")


@app.command("soak", help="A simulated day of many feeds: does it leak, is each asked in time?")
def soak(
    feeds: Annotated[int, typer.Option(min=1, help="How many publishers to make up.")] = 10_000,
    hours: Annotated[float, typer.Option(min=1, help="Of simulated time.")] = 24.0,
    workers: Annotated[
        int | None, typer.Option(min=0, help="Parser processes. Default: as in production.")
    ] = None,
    processes: Annotated[
        int, typer.Option(min=1, help="Processes that poll. Of several, one is killed each hour.")
    ] = 1,
    store: Server = "",
    as_json: Json = False,
) -> None:
    from newsloom_lab.bench import soak as bench
    from newsloom_lab.bench import soak_workers

    if processes > 1:
        show(soak_workers.run(store, feeds, hours, processes, progress=note), as_json)
    else:
        show(bench.run(feeds, hours, workers=workers), as_json)


@app.command("start", help="What common commands cost to start: processor time, modules imported.")
def start(
    articles: Annotated[int, typer.Option(min=100, help="Articles in the store.")] = 5_000,
    rounds: Annotated[int, typer.Option(min=1, help="Runs of each; medians are shown.")] = 10,
    as_json: Json = False,
) -> None:
    from newsloom_lab.bench import start as bench

    result = bench.run(articles, rounds)
    if as_json:
        show_json(result)
    else:
        show_table(bench.COLUMNS, result.table(), right=" ".join(bench.COLUMNS[1:]))


@app.command("size", help="How large the source is, and how much of it a page, a like run.")
def size(
    articles: Annotated[int, typer.Option(min=100, help="Articles in the store.")] = 5_000,
    docs: Annotated[Path | None, typer.Option(help="A folder of pages to count.")] = None,
    calls: Annotated[
        bool, typer.Option("--calls", help="Which functions each request runs, by file.")
    ] = False,
    as_json: Json = False,
) -> None:
    from newsloom_lab.bench import size as bench

    result = bench.run(articles, docs)
    if as_json:
        show_json(result)
        return
    show_table(bench.COLUMNS, result.table(), right=" ".join(bench.COLUMNS[1:]))
    for one in result.requests:
        say(
            f"{one.name}: {one.functions} functions of {one.files} files, {one.calls:,} calls,"
            f" {one.cpu_ms:.1f} ms"
        )
        for file, called in one.by_file.items() if calls else ():
            names = ", ".join(f"{name} ({count})" for name, count in called.items())
            say(f"  {file}: {names}")
    if docs:
        say(f"{docs}: {result.pages} pages, {result.words:,} words")


@app.command("rules", help="Articles a second that a reader's rules look at.")
def rules(
    context: typer.Context,  # noqa: ARG001 - as every command
    articles: Annotated[int, typer.Option(min=100)] = 5_000,
    count: Annotated[int, typer.Option("--rules", min=1, max=500)] = 100,
    as_json: Json = False,
) -> None:
    from newsloom_lab.bench import rules as bench

    result = bench.run(articles, count)
    if as_json:
        show_json(result)
        return
    say(
        f"{result.articles:,} articles of {result.characters:,.0f} characters, {result.rules} "
        f"rules: {result.decided_per_second:,.0f} decided in a second of processor time, "
        f"{result.stage_per_second:,.0f} through the stage; {result.touched:,} touched. With "
        f"nothing to do: {1_000 * result.idle_seconds:.1f} ms."
    )


@app.command("search", help="Searches of every kind among many articles, in each order.")
def search(
    rows: Annotated[int, typer.Option(min=1_000, help="Articles of one reader.")] = 200_000,
    rounds: Annotated[int, typer.Option(min=1, help="Searches of each; medians are shown.")] = 7,
    unspaced: Annotated[
        float, typer.Option(min=0, max=1, help="The share of articles in Chinese characters.")
    ] = 0.2,
    store: Annotated[
        str, typer.Option(help="The URL of an empty PostgreSQL database: there.")
    ] = "",
    as_json: Json = False,
) -> None:
    from newsloom_lab.bench import search as bench

    result = bench.run(rows, rounds, unspaced=unspaced, place=store)
    if as_json:
        show_json(result)
        return
    columns = ("search", "found", "best", "newest", "score", "2nd page", "all ranked", "exact")
    show_table(columns, result.table(), stretch="search", right=" ".join(columns[1:]))
    say(
        f"{result.rows:,} articles, {result.texts_mb:,.0f} MB of texts; the index has "
        f"{result.index_mb:,.0f} MB. Filled in {result.fill_s:,.0f} s of processor time."
    )


@app.command("rank", help="Top of the list from many unread articles, against other ways.")
def rank(
    rows: Annotated[
        list[int] | None, typer.Option(min=100, help="Unread articles; repeatable.")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, help="How many to list.")] = 100,
    store: Annotated[
        str, typer.Option(help="The URL of an empty PostgreSQL database: the same there as well.")
    ] = "",
    as_json: Json = False,
) -> None:
    from newsloom_lab.bench import rank as bench
    from newsloom_lab.bench import rank_stores

    if store:
        show(rank_stores.run((rows or [1_000_000])[0], limit, store), as_json)
        return
    show(bench.run(tuple(rows or (10_000, 100_000, 1_000_000)), limit), as_json)


@app.command("serve", help="List pages a second of `newsloom serve`, by many clients at once.")
def serve(
    articles: Annotated[int, typer.Option(min=100, help="Unread articles of each reader.")] = 5_400,
    feeds: Annotated[int, typer.Option(min=8, help="Feeds of each reader.")] = 181,
    readers: Annotated[int, typer.Option(min=1, help="Readers in the store.")] = 20,
    clients: Annotated[int, typer.Option(min=1, help="Connections that ask without a pause.")] = 8,
    seconds: Annotated[float, typer.Option(min=0.5, help="How long each load lasts.")] = 10.0,
    large: Annotated[
        int, typer.Option(min=0, help="Articles of two readers, beside as many; 0: none.")
    ] = 0,
    freshrss: Annotated[
        Path | None, typer.Option(help="A checkout of FreshRSS to run beside it, by PHP.")
    ] = None,
    minutes: Annotated[
        float, typer.Option(min=0, help="Only: as it is used, for so long. Does memory grow?")
    ] = 0,
    as_json: Json = False,
) -> None:
    from newsloom_lab.bench import serve as bench

    result = bench.run(
        articles,
        feeds,
        readers,
        clients,
        seconds,
        large=large,
        freshrss=freshrss,
        minutes=minutes,
    )
    if as_json:
        show_json(result)
        return
    show_table(bench.COLUMNS, result.table(), right=" ".join(bench.COLUMNS[1:]))
    show_table(bench.KINDS, result.kinds(), right=" ".join(bench.KINDS[2:]))


@app.command("stories", help="Articles a second into ever more active stories.")
def stories(
    active: Annotated[
        list[int] | None, typer.Option(min=10, help="Active stories; repeatable.")
    ] = None,
    articles: Annotated[int, typer.Option(min=200, help="Articles to link.")] = 2_000,
    as_json: Json = False,
) -> None:
    from newsloom_lab.bench import stories as bench

    result = bench.run(tuple(active or (1_000, 10_000, 100_000)), articles)
    if as_json:
        show_json(result)
        return
    show_table(bench.COLUMNS, result.table(), right=" ".join(bench.COLUMNS))
    say(f"The slowest rate is {result.flatness:.0%} of the fastest.")


@app.command("copy", help="A filled store from SQLite into PostgreSQL and back: are they the same?")
def copy(
    store: Annotated[str, typer.Option(help="The URL of an empty PostgreSQL database.")],
    articles: Annotated[int, typer.Option(min=1_000, help="How many to make up.")] = 200_000,
    as_json: Json = False,
) -> None:
    from newsloom_lab.bench import copy as bench

    show(bench.run(articles, store), as_json)


@app.command(
    "dedup", help="Made-up news through the duplicates stage, beside datasketch and rensa."
)
def dedup(
    context: typer.Context,
    articles: Annotated[int, typer.Option(min=1_000, help="How many to make up.")] = 100_000,
    keep: Annotated[
        Path | None,
        typer.Option(help="A folder to leave the store in; one that lies there is not made anew."),
    ] = None,
    store: Server = "",
    as_json: Json = False,
) -> None:
    from newsloom.duplicates.stage import thresholds_of
    from newsloom_lab.bench import dedup as bench
    from newsloom_lab.bench import dedup_stores

    thresholds = thresholds_of(session(context).settings.duplicates)
    if store:
        show(dedup_stores.run(articles, thresholds, store), as_json)
        return
    show(bench.run(articles, thresholds, keep), as_json)


@app.command("import", help="A long file of made-up articles taken in: speed and memory.")
def import_(
    lines: Annotated[int, typer.Option(min=1_000, help="Lines of the file.")] = 200_000,
    store: Server = "",
    as_json: Json = False,
) -> None:
    from newsloom_lab.bench import importing as bench

    show(bench.run(lines, store), as_json)


@app.command(
    "work", help="Two worker processes of one thread each on one store, compared with one."
)
def work(
    articles: Annotated[int, typer.Option(min=500, help="How many to make up.")] = 3_000,
    rounds: Annotated[int, typer.Option(min=1, help="Runs of each; medians are shown.")] = 3,
    as_json: Json = False,
) -> None:
    from newsloom_lab.bench import work as bench

    show(bench.run(articles, rounds), as_json)


@app.command("scale", help="Workers on 1 and 2 processors with PostgreSQL, and what leases cost.")
def scale(
    store: Annotated[
        str, typer.Option(help="The URL of a PostgreSQL database whose role may make others.")
    ],
    articles: Annotated[int, typer.Option(min=500, help="How many to make up.")] = 2_000,
    rounds: Annotated[int, typer.Option(min=1, help="Runs of each; medians are shown.")] = 3,
    as_json: Json = False,
) -> None:
    from newsloom_lab.bench import scale as bench

    show(bench.run(store, articles, rounds), as_json)


@app.command(
    "embed", help="Texts per second of the shipped encoder, compared with sentence-transformers."
)
def embed(
    articles: Annotated[Path, typer.Option(help="Articles as JSON lines: titles and texts.")],
    rounds: Annotated[int, typer.Option(min=1, help="Runs of each; medians are shown.")] = 3,
    as_json: Json = False,
) -> None:
    from newsloom.ranking.measure.articles import read_articles
    from newsloom_lab.bench import embed as bench

    found = read_articles(articles)
    titles, texts = [one.title for one in found], [one.body for one in found]
    show(bench.run(titles, texts, rounds=rounds), as_json)


@app.command("growth", help="Cost of an article and a page with many stored articles.")
def growth(
    store: Annotated[
        str, typer.Option(help="The URL of a PostgreSQL database whose role may make others.")
    ],
    sizes: Annotated[
        list[int] | None, typer.Option("--stored", min=1_000, help="Stored articles; repeatable.")
    ] = None,
    articles: Annotated[int, typer.Option(min=100, help="New articles at each.")] = 2_000,
    as_json: Json = False,
) -> None:
    from newsloom_lab.bench import growth as bench

    stored = tuple(sizes or (10_000, 100_000, 1_000_000))
    show(bench.run(store, stored, articles, note), as_json)


@app.command("prune", help="Removing old articles while another writes: how long that waits.")
def prune(
    store: Annotated[
        str,
        typer.Option(
            help="The URL of a PostgreSQL database whose role may make others; else SQLite."
        ),
    ] = "",
    articles: Annotated[int, typer.Option(min=1_000, help="Stored articles.")] = 20_000,
    as_json: Json = False,
) -> None:
    from newsloom_lab.bench import prune as bench

    show(bench.run(store, articles, note), as_json)


@app.command(
    "nearest", help="The ten nearest of many vectors, compared with faiss and plain pgvector."
)
def nearest(
    articles: Annotated[Path, typer.Option(help="Articles as JSON lines: texts to embed.")],
    rows: Annotated[int, typer.Option(min=1_000, help="Vectors to make of them.")] = 1_000_000,
    store: Annotated[
        str,
        typer.Option(help="The URL of a PostgreSQL database whose role may make others: as well."),
    ] = "",
    as_json: Json = False,
) -> None:
    from newsloom.ranking.encoder_text import embedding_text
    from newsloom.ranking.encoders import registry
    from newsloom.ranking.measure.articles import read_articles
    from newsloom_lab.bench import nearest as bench

    texts = [embedding_text(one.title, one.body) for one in read_articles(articles)]
    show(bench.run(texts, registry.embedder("minilm-int8"), rows, store, note), as_json)


Labels = Annotated[
    Path | None,
    typer.Option(help="Articles as JSON lines with `label`; without, they are made up."),
]
BaseModel = Annotated[
    str,
    typer.Option(help="Also fine-tune this encoder (a name on the hub or a folder); needs torch."),
]


@app.command("train", help="Seconds from labels to a model, compared with scikit-learn.")
def train(
    context: typer.Context,
    articles: Labels = None,
    labels: Annotated[
        list[int] | None, typer.Option(min=20, help="How many to train on; repeatable.")
    ] = None,
    rounds: Annotated[int, typer.Option(min=1, help="Runs of each; medians are shown.")] = 3,
    base_model: BaseModel = "",
    as_json: Json = False,
) -> None:
    from newsloom_lab.bench import train as bench

    sizes = tuple(labels or bench.SIZES)
    reader = _reader(context, articles, max(sizes) + bench.SPARE)
    show(bench.run(reader, sizes=sizes, rounds=rounds, base_model=base_model), as_json)


@app.command("score", help="Articles scored a second, alone and through the store.")
def score(
    context: typer.Context,
    articles: Labels = None,
    count: Annotated[int, typer.Option(min=100, help="How many articles to make up.")] = 10_000,
    rounds: Annotated[int, typer.Option(min=1, help="Runs of each; medians are shown.")] = 3,
    base_model: BaseModel = "",
    readers: Annotated[
        int, typer.Option(min=0, help="Instead: so many readers of made-up articles.")
    ] = 0,
    store: Server = "",
    as_json: Json = False,
) -> None:
    from newsloom_lab.bench import score as bench

    if readers:
        show(bench.run_readers(count, readers, store), as_json)
        return
    reader = _reader(context, articles, count)
    show(bench.run(reader, rounds=rounds, base_model=base_model), as_json)


@app.command("signatures", help="Text signatures per second, compared with two libraries.")
def signatures(
    articles: Annotated[
        int, typer.Option(min=10, help="How many, made up or of the file.")
    ] = 3_000,
    file: Annotated[Path | None, typer.Option(help="Articles as JSON lines instead.")] = None,
    rounds: Annotated[int, typer.Option(min=1, help="Runs of each; medians are shown.")] = 3,
    as_json: Json = False,
) -> None:
    from newsloom.ranking.measure.articles import read_articles
    from newsloom_lab.bench import signatures as bench

    if file is None:
        show(bench.run("made up", bench.made_up(articles), rounds), as_json)
        return
    given = [(one.title, one.body) for one in read_articles(file)[:articles]]
    if not given:
        raise UserError(f"{file} has no articles.")
    show(bench.run(file.name, given, rounds), as_json)


@app.command("topics", help="Articles grouped by DBSCAN, beside scikit-learn's: time and memory.")
def topics(
    articles: Annotated[
        str, typer.Option(help="How many to make up; several with commas between.")
    ] = "10000,100000",
    file: Annotated[Path | None, typer.Option(help="Articles as JSON lines instead.")] = None,
    rounds: Annotated[int, typer.Option(min=1, help="Runs of each; medians are shown.")] = 1,
    as_json: Json = False,
) -> None:
    from newsloom_lab.bench import topics as bench

    result = bench.run(_numbers(articles), rounds) if file is None else bench.of_file(file, rounds)
    if as_json:
        show_json(result)
        return
    show_table(bench.COLUMNS, result.table(), right="articles seconds CPU-s MB topics")
    for one in result.times:
        for line in one.comparison():
            say(line)


def _numbers(text: str) -> list[int]:
    try:
        found = [int(one) for one in text.split(",")]
    except ValueError:
        found = []
    if not found or min(found) < 1:
        raise UserError(f'"{text}" is not numbers of articles, such as 10000,100000.')
    return found


def _reader(context: typer.Context, articles: Path | None, count: int) -> Any:
    """The labels of the reader in a file who has most, or as many made up."""
    from newsloom.app import utc_now
    from newsloom.app.encoder_commands import of_settings
    from newsloom.ranking.measure import labelled
    from newsloom.ranking.measure.articles import read_articles
    from newsloom_lab.bench import reader as bench

    encoder = of_settings(session(context).settings, utc_now)
    if articles is None:
        return bench.made_up(count, encoder.model_id)
    readers = labelled.of_file(read_articles(articles), encoder)
    most = max(readers, key=lambda one: len(one.labels))
    source = f"{articles.name} of {most.reader}" if most.reader else articles.name
    return bench.shuffled(bench.Labelled(source, most.labels, most.vectors, encoder.model_id))


@app.command(
    "brief", help="A spoken brief of the store: seconds by stage, memory, compared with ffmpeg."
)
def brief(
    context: typer.Context,
    minutes: Annotated[float, typer.Option(min=0.5, max=60, help="How long it plays.")] = 10.0,
    voice: Annotated[str, typer.Option(help="As brief.voice; empty: that of the settings.")] = "",
    as_json: Json = False,
) -> None:
    from newsloom_lab.bench import brief as bench

    with session(context).open() as opened:
        show(bench.run(opened, minutes, voice), as_json)


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


@app.command("related", help="Hits of news searches ranked, with and without the cache of vectors.")
def related(
    articles_file: Annotated[
        Path, typer.Option("--articles", help="A file of articles as JSON lines: real headlines.")
    ],
    queries: Annotated[int, typer.Option(min=1, help="Articles that are searched for.")] = 60,
    hits: Annotated[int, typer.Option(min=1, help="Hits of each.")] = 150,
    rounds: Annotated[int, typer.Option(min=1, help="Runs; medians are shown.")] = 3,
    threads: Annotated[int, typer.Option(min=0, help="Processor threads; 0: all.")] = 0,
    as_json: Json = False,
) -> None:
    from newsloom_lab.bench import related as bench

    result = bench.run(articles_file, queries, hits, rounds, threads)
    if as_json:
        show_json(result)
        return
    show_table(bench.COLUMNS, result.table(), right="texts seconds texts/s kept")
    if result.problem:
        note(result.problem)
