"""`newsloom train`, and what `newsloom models` shows of a reader's own models."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from newsloom.cli.common import Json, plain, say, session, show_json, show_table
from newsloom.kernel.errors import UserError

if TYPE_CHECKING:
    from newsloom.app import App
    from newsloom.ranking.values.models import StoredModel


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
            gone_back = app.training.roll_back(app.user)
            if as_json:
                show_json(gone_back)
            else:
                say(gone_back.words)
            return
        result = app.training.train(app.user, anyway=anyway)
        if as_json:
            show_json(result)
        else:
            say(result.words)
            if result.rests:
                say("Use `newsloom train --anyway` to train anyway.")


def _sensitivity(app: App, producer: str, *, undo: bool, later: bool, as_json: bool) -> None:
    """Heads of this machine's own, trained on what a language model said."""
    from newsloom.llm.producers import CHAT

    if undo:
        words = app.sensitivity.undo()
        if as_json:
            show_json({"words": words, "in_force": app.sensitivity.head().model_id})
        else:
            say(words)
        return
    known = [name for name, _count in app.store.articles.rating_makers(CHAT)]
    if producer and producer not in known:
        others = f" There are those of {', '.join(known)}." if known else ""
        raise UserError(f"There are no ratings of {producer!r:.80}.{others}")
    chosen = producer or app.language_model or (known[0] if known else "")
    result = app.sensitivity.distil(chosen, later=later)
    if as_json:
        show_json(result)
        return
    say(result.words)
    if later and result.model_id:
        say(f"`newsloom jobs start judge --model {result.model_id}` goes on with it.")


def show_models(context: typer.Context, *, as_json: bool) -> None:
    """The models trained so far, newest first, and which of them ranks."""
    with session(context).open() as app:
        history = app.training.history(app.user)
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

    active = app.training.active(app.user)
    lines = []
    if active.problem:
        lines.append(f"{active.problem} Ranked by {active.model.model_id}.")
    elif not any(one.active for one in history):
        lines.append(f"No personal model yet. Ranked by {active.model.model_id}.")
    drift = app.training.drift(app.user)
    if drift is not None:
        lines.append(f"Since training: {drift.words}.")
    at, words = app.training.last_training(app.user)
    if at is not None and words and not superseded(at, history):
        lines.append(f"Last daily training, {at.astimezone():%Y-%m-%d %H:%M}: {words}")
    return lines


def _facts(app: App, history: tuple[StoredModel, ...]) -> dict[str, Any]:
    active = app.training.active(app.user)
    at, words = app.training.last_training(app.user)
    return {
        "models": [_fact(one) for one in history],
        "ranks": active.model.model_id,
        "problem": active.problem,
        "drift": plain(app.training.drift(app.user)),
        "last_training": {"at": plain(at), "words": words},
    }


def _fact(one: StoredModel) -> dict[str, Any]:
    names = ("id", "model_id", "trainer", "trained", "promoted", "withdrawn", "active", "verdict")
    facts = {name: plain(getattr(one, name)) for name in names}
    return {**facts, "metrics": dict(one.metrics)}
