"""Commands about the reader's own model: train, rollback, and what `models` shows of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from newsloom.cli.common import Json, plain, say, session, show_json, show_table

if TYPE_CHECKING:
    from newsloom.app import App
    from newsloom.ranking.values.models import StoredModel


def train(
    context: typer.Context,
    anyway: Annotated[
        bool,
        typer.Option(
            "--anyway", help="Also on the same labels as last time, and after going back."
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """Train now; the model is put in force if it is not worse. Safe from cron, beside `serve`.

    Too few labels, or none new, is said and is no failure.
    """
    with session(context).open() as app:
        result = app.training.train(app.user, anyway=anyway)
        if as_json:
            show_json(result)
        else:
            say(result.words)
            if result.rests:
                say("`newsloom train --anyway` trains all the same.")


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
    passed = f"+({learned.passed_over})" if learned.passed_over else ""
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
        lines.append(f"{active.problem} What ranks now is {active.model.model_id}.")
    elif not any(one.active for one in history):
        lines.append(f"No model of your own ranks; it is {active.model.model_id}.")
    drift = app.training.drift(app.user)
    if drift is not None:
        lines.append(f"Since it was trained: {drift.words}.")
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


def rollback(context: typer.Context, as_json: Json = False) -> None:
    """Rank with the model that was in force before this one."""
    with session(context).open() as app:
        result = app.training.roll_back(app.user)
        if as_json:
            show_json(result)
        else:
            say(result.words)
