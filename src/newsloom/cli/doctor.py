"""`newsloom doctor`: what is installed, what answers, how to mend it."""

from __future__ import annotations

import asyncio
import os
import platform
import shlex
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from newsloom import __version__
from newsloom.cli.common import Json, session, show_json, show_table
from newsloom.cli.reachability import Finding, hubs, network, pages
from newsloom.engines.jobs.values import JobState
from newsloom.kernel.errors import NewsloomError
from newsloom.kernel.ids import ArticleId, FeedId
from newsloom.kernel.settings import KeepSettings, Settings
from newsloom.kernel.text.ages import age_words
from newsloom.llm.values import ArticleQuestion
from newsloom.ranking.values.models import ArticleText

if TYPE_CHECKING:
    from newsloom.app import App
    from newsloom.llm.service.runner import Outcome
    from newsloom.ranking.values.models import Rating

LIBRARIES = (
    "pycurl",
    "lxml",
    "SQLAlchemy",
    "onnxruntime",
    "tokenizers",
    "nh3",
    "fastapi",
)

BRIDGES = ("ttrss", "greader")

LEAST_FREE_MEGABYTES = 200
MOST_SET_ASIDE = 5
SHOWN_TITLE = 60


# What the language model is asked about, on request: our own, and in no feed.
SAMPLE_QUESTION = ArticleQuestion(
    ArticleText(
        id=ArticleId(0),
        title="Live: river dam at Corrie Vale breached, lower town being evacuated",
        text="The siren sounded at 6.40 this morning. Follow our live updates here.",
        source="example.org",
        language="en",
        dated=datetime(2026, 1, 1, tzinfo=UTC),
        feed_id=FeedId(0),
    ),
    digest=0,
)


def doctor(
    context: typer.Context,
    language_model: Annotated[
        bool, typer.Option("--language-model", help="Test the language model.")
    ] = False,
    sizes: Annotated[
        bool, typer.Option("--sizes", help="Only show the size of tables and indexes.")
    ] = False,
    as_json: Json = False,
) -> None:
    if sizes:
        from newsloom.cli.sizes import show_sizes

        with session(context).open() as app:
            show_sizes(app, as_json=as_json)
        return
    looks = (_language_model, _answer) if language_model else LOOKS
    findings = tuple(_examine(session(context).settings, looks))
    if as_json:
        show_json(findings)
    else:
        show_table(
            ("", "what", "how"),
            [("ok" if one.well else "!!", one.what, _words(one)) for one in findings],
            stretch="how",
        )
    if not all(one.well for one in findings):
        raise typer.Exit(1)


Look = Callable[["App"], Iterator[Finding]]


def _words(one: Finding) -> str:
    return one.how if one.well or not one.mend else f"{one.how.rstrip('.')}. {one.mend}"


def _examine(settings: Settings, looks: tuple[Look, ...]) -> Iterator[Finding]:
    from newsloom.app import open_app

    yield Finding("newsloom", True, f"{__version__} on Python {platform.python_version()}")
    versions = [f"{name} {metadata.version(name)}" for name in LIBRARIES]
    yield Finding("libraries", True, ", ".join(versions))
    yield _disk(settings)
    try:
        app = open_app(settings)
    except NewsloomError as error:
        place = "store.url and its server" if settings.store.url else settings.store.path
        yield Finding("store", False, str(error), f"Look at {place}.")
        return
    try:
        for look in looks:
            yield from look(app)
    finally:
        app.close()


def _disk(settings: Settings) -> Finding:
    folder = settings.store.path.parent
    while not folder.exists():
        folder = folder.parent
    free = shutil.disk_usage(folder).free // 1_000_000
    writable = os.access(folder, os.W_OK)
    return Finding(
        "disk",
        free >= LEAST_FREE_MEGABYTES and writable,
        f"{free:,} MB free in {folder}" + ("" if writable else ", not writable"),
        "Free some space, or set store.path to another disk.",
    )


def _permissions(app: App) -> Iterator[Finding]:
    """Whether others on this machine can read what is stored."""
    settings, store = app.settings, app.settings.store.path
    found = [store.with_name(store.name + one) for one in ("", "-wal", "-shm", "-journal")]
    found += [settings.pages.picture_folder, settings.brief.folder.expanduser()]
    found += [store.with_suffix(".models"), store.with_name(store.name + ".vectors")]
    readable = [one for one in found if _others_read(one)]
    yield Finding(
        "permissions",
        not readable,
        f"others can read {', '.join(map(str, readable))}" if readable else "only yours",
        f"chmod -R go= {' '.join(shlex.quote(str(one)) for one in readable)}",
    )


def _others_read(path: Path) -> bool:
    """Whether its mode lets others in, and those of all folders above it do."""
    return (
        path.exists()
        and bool(path.stat().st_mode & 0o077)
        and all(one.stat().st_mode & 0o011 for one in path.resolve().parents)
    )


def _store(app: App) -> Iterator[Finding]:
    facts = app.store.facts()
    sound = facts.get("integrity", "ok") == "ok"
    yield Finding(
        "store",
        sound,
        ", ".join(f"{name} {value}" for name, value in facts.items()),
        "Restore a backup, or export what can be read with `newsloom export`.",
    )


def _growth(app: App) -> Iterator[Finding]:
    """How large it has grown, where, and whether anything is pruned."""
    from newsloom.cli.sizes import free_words, large, largest_words

    size = app.store.database.size()
    words = [f"{size / 1e6:,.0f} MB", *largest_words(app, size), *free_words(app)]
    if app.settings.keep != KeepSettings():
        words.append("the settings keep.* prune it")
        yield Finding("growth", True, "; ".join(words))
        return
    words.append("nothing is ever deleted")
    mend = "Set keep.texts_days and others; preview with `newsloom prune --dry-run`."
    yield Finding("growth", not large(app.settings, size), "; ".join(words), mend)


def encoder(app: App) -> Iterator[Finding]:
    try:
        app.services.embedder.embed(["Newsloom reads the news."])
    except NewsloomError as error:
        yield Finding("encoder", False, str(error), "Reinstall Newsloom.")
    else:
        yield Finding("encoder", True, f"{app.services.embedder.model_id} is in use")
    for line in app.services.encoders.lines():
        well = "cannot" not in line
        yield Finding(
            "encoder", well, line, "Set models.embedder to one of `newsloom models list`."
        )


def _expiry(app: App) -> Iterator[Finding]:
    try:
        yield Finding("expiry", True, f"{app.services.sensitivity.head().model_id} rates it")
    except NewsloomError as error:
        yield Finding("expiry", False, str(error), "Reinstall Newsloom.")


def _names(app: App) -> Iterator[Finding]:
    from newsloom.articles.entities.finder import recognizer

    wanted = app.settings.models.entities
    try:
        yield Finding("names", True, f"{recognizer(wanted).model_id} finds them")
    except NewsloomError as error:
        yield Finding("names", False, str(error), "Until then, the shipped finder is used.")


def _ranking(app: App) -> Iterator[Finding]:
    status = app.reader().status()
    labels = f"{status.likes} likes, {status.dislikes} dislikes"
    if status.learned:
        learned = status.learned.words
        yield Finding("ranking", True, f"personalised, trained on {learned}; there are {labels}")
    else:
        needed = f"{status.needed_likes} and {status.needed_dislikes} needed for a personal model"
        yield Finding("ranking", True, f"not personalised yet: {labels}; {needed}")
    problem = app.services.training.active(app.user).problem
    if problem:
        yield Finding("model", False, problem, "Train again with `newsloom train`.")
    drift = app.services.training.drift(app.user)
    if drift is not None:
        yield Finding("drift", not drift.alarming, drift.words, "Train it with `newsloom train`.")
    if status.scoring_left:
        yield Finding(
            "scores",
            True,
            f"{status.scoring_left} articles will be scored by the next `newsloom run`",
        )


def _work(app: App) -> Iterator[Finding]:
    """Articles that a stage leaves out, because its worker failed on them again and again."""
    found = app.store.work.set_aside()
    for one in found[:MOST_SET_ASIDE]:
        again = one.retry.astimezone().strftime("%-d %b %H:%M")
        yield Finding(
            f"article {one.article}",
            False,
            f"{_shortened(one.title)}: failed in the stage {one.stage} ({one.error}); retry "
            f"{again}",
            "Until then, this stage skips it. A new version of its text is tried at once.",
        )
    if (more := len(found) - MOST_SET_ASIDE) > 0:
        yield Finding("articles", False, f"{more} more failed")


def _jobs(app: App) -> Iterator[Finding]:
    """Whole-history jobs that are open; one that something stops is not well."""
    from newsloom.engines.jobs.values import progress_words

    for one in app.store.jobs.open_jobs():
        stopped = f": {one.words}" if one.words else ""
        yield Finding(
            f"job {one.id}",
            not one.words,
            f"{one.kind}, {one.state}, {progress_words(one)}{stopped}",
            f"Then: newsloom jobs resume {one.id}" if one.state is JobState.PAUSED else "",
        )


def _shortened(title: str) -> str:
    return title if len(title) <= SHOWN_TITLE else f"{title[:SHOWN_TITLE]}..."


def _feeds(app: App) -> Iterator[Finding]:
    feeds = app.reader().subscriptions()
    ill = [one for one in feeds if one.failures or one.dead]
    yield Finding(
        "feeds", bool(feeds), f"{len(feeds)} followed", "Add one with `newsloom add URL`."
    )
    for one in ill:
        yield Finding(
            f"feed {one.feed_id}",
            False,
            f"{one.url}: {one.problem}" + (f", {one.failures} times in a row" * (one.failures > 1)),
            f"Open it in a browser; `newsloom remove {one.feed_id}` unfollows it.",
        )


def _digests(app: App) -> Iterator[Finding]:
    """Digests that did not reach whom they were sent to."""
    mail = app.settings.mail
    plans = app.store.digests.schedules(app.user)
    mailed = any(target.way == "mail" for plan in plans for target in plan.targets)
    if mailed and not (mail.host and mail.sender):
        mend = "Set mail.host and mail.sender; docs/use/digests.md has the others."
        yield Finding(
            "digests", False, "a schedule sends mail, but no mail server is configured", mend
        )
        return
    unsent = app.store.digests.unsent(app.user, app.now() - timedelta(days=7))
    if unsent:
        last = unsent[-1]
        words = f"{len(unsent)} not sent; to {last.target.to}: {last.error}"
        yield Finding("digests", False, words, "`newsloom api GET /digests` shows each.")
    elif plans:
        next_at = min(one.next_at for one in plans)
        yield Finding("digests", True, f"next at {next_at:%Y-%m-%d %H:%M} UTC")


def _briefs(app: App) -> Iterator[Finding]:
    """Where briefs are asked for: whether the voice speaks, the folder can be written, and what
    became of the last ones."""
    plans = app.store.briefs.schedules(app.user)
    if not plans and not app.store.briefs.briefs(app.user, 1):
        return
    from newsloom.briefs.service.briefing import trouble

    languages = dict.fromkeys(one for plan in plans for one in plan.wish.languages)
    for words in trouble(app.settings, tuple(languages) or (app.settings.brief.language,)):
        yield Finding("briefs", False, words, "docs/use/briefs.md says what it needs.")
    since = app.now() - timedelta(days=7)
    if problems := app.store.briefs.failed_briefs(app.user, since):
        words = f"{len(problems)} without audio: {problems[0]}"
        yield Finding("briefs", False, words, "`newsloom api GET /briefs` shows each.")
    if unsent := app.store.briefs.unsent(app.user, since):
        words = f"{len(unsent)} not sent; to {unsent[-1].target.to}: {unsent[-1].error}"
        yield Finding("briefs", False, words, "`newsloom api GET /briefs` shows each.")
    elif plans and not problems:
        next_at = min(one.next_at for one in plans)
        yield Finding("briefs", True, f"next at {next_at:%Y-%m-%d %H:%M} UTC")


def _language_model(app: App) -> Iterator[Finding]:
    if status := app.language_model_status():
        yield Finding(
            "language model",
            status.well,
            status.words,
            "Test it with `newsloom doctor --language-model`.",
        )


def _answer(app: App) -> Iterator[Finding]:
    """One question, of an article of our own: what it would say, and what it cost."""
    if not app.language_model:
        yield Finding("answer", False, "no language model is configured", "Set language_model.url.")
        return

    from newsloom.ranking.purposes import SENSITIVITY

    async def one() -> Outcome[Rating]:
        async with app.llm_runner() as runner:
            return await runner.ask(SENSITIVITY, SAMPLE_QUESTION, keep=False)

    outcome = asyncio.run(one())
    rating = outcome.answer
    if rating is None:
        yield Finding("answer", False, outcome.words, "See docs/run/language-model.md.")
    else:
        said = f"{rating.rating} of 5, {rating.confidence:.0%} sure"
        yield Finding("answer", True, f"{said}: {rating.explanation}")


def _bridges(app: App) -> Iterator[Finding]:
    """Every account of another program: when all last went well, and what waits."""
    for bridge in BRIDGES:
        for one in app.store.bridges.bridge_accounts(bridge):
            waiting = app.store.bridges.waiting_writes(one)
            last = f"last {age_words(app.now() - one.synced)} ago" if one.synced else "not yet"
            yield Finding(
                f"{bridge} {one.remote.login}",
                not one.problem,
                f"{last}; {waiting} writes pending" + (f"; {one.problem}" if one.problem else ""),
                f"Retry now with `newsloom {bridge} sync`.",
            )


# What is examined once the store is open, in this order.
def _voices(app: App) -> Iterator[Finding]:
    """Whether what would speak a brief does: the default voice, and those of other languages."""
    from newsloom.briefs.service.speaking import impatient, speaking

    try:
        speaker = speaking(impatient(app.settings))
        tried = speaker.tried()
    except NewsloomError as error:
        yield Finding("voices", False, str(error), "Set brief.voice and brief.voices.")
        return
    for name, problem in tried:
        how = problem or f"{name} speaks"
        yield Finding("voices", not problem, how, "Until then, eSpeak is used.")


LOOKS: tuple[Look, ...] = (
    _store,
    _permissions,
    _growth,
    encoder,
    _expiry,
    _names,
    _ranking,
    _digests,
    _briefs,
    _language_model,
    _work,
    _jobs,
    _feeds,
    pages,
    hubs,
    _bridges,
    _voices,
    network,
)
