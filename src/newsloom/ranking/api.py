"""Your model, half-lives of scores, and periods that your ranking does not learn from."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Annotated

from fastapi import Path, status
from pydantic import Field

from newsloom.api.route import router as made
from newsloom.kernel.errors import NotFound, UserError
from newsloom.ranking.pages import model_view
from newsloom.ranking.scoring import in_days
from newsloom.reading.api.params import ApiModel, Instant, moment
from newsloom.reading.api.shapes import Cleaned
from newsloom.web.list_view import LARGEST_ID
from newsloom.web.site import Here

Number = Annotated[int, Path(ge=1, le=LARGEST_ID, description="Period ID.")]

router = made("Ranking")


class HalfLives(ApiModel):
    """After how many days half of a score is left."""

    own: bool = Field(description="Whether you chose them; else they are from the settings.")
    days: list[float] = Field(description="For each sensitivity, 1 (evergreen) to 5 (critical).")


class NewHalfLives(ApiModel):
    """Half-lives to be used."""

    days: Annotated[list[float], Field(max_length=20)] | None = Field(
        description="Five numbers of days; null: those of the settings."
    )


class ForgottenPeriod(ApiModel):
    """A period that your ranking does not learn from."""

    id: int = Field(description="ID.")
    since: datetime = Field(description="Start.")
    until: datetime = Field(description="End.")
    events: int = Field(description="Number of your marks in it.")
    lifted: datetime | None = Field(description="When you undid it; null: in force.")


class ForgottenPeriods(ApiModel):
    """Periods excluded from training."""

    items: list[ForgottenPeriod] = Field(description="Oldest first.")


class NewForgottenPeriod(ApiModel):
    """A period to leave out of what your ranking learns from."""

    since: Instant = Field(description="Start.")
    until: Instant | None = Field(default=None, description="End; null: now.")


class TrainedModel(ApiModel):
    """A model that was trained on your labels."""

    name: str = Field(description="ID.")
    trained: datetime = Field(description="Time of the training.")
    trainer: str = Field(description="Kind of the model.")
    labels: str = Field(description="What it was trained on.")
    verdict: str = Field(description="How it compared with the model before it.")
    standing: str = Field(description="`active`, `replaced`, `rolled back` or `rejected`.")


class ModelState(ApiModel):
    """Your models, and the work on them."""

    running: str = Field(description="`training` or `measuring`; empty: nothing.")
    result: Cleaned = Field(description="What the last work came to.")
    failed: bool = Field(description="Whether it failed.")
    up_to_date: Cleaned = Field(description="Why training would not help now; empty: it may.")
    models: list[TrainedModel] = Field(description="Newest first.")


class Training(ApiModel):
    """How to train."""

    anyway: bool = Field(default=False, description="Also if it would not help.")


@router.get("/model")
def get_model(site: Here) -> ModelState:
    """Your models, and what is under way."""
    model_actions, job = site.reader.model_actions, site.job.status
    return ModelState(
        running=job.running,
        result=job.words,
        failed=job.failed,
        up_to_date=model_actions.rests(),
        models=[
            TrainedModel.model_validate(one) for one in model_view.history(model_actions.history())
        ],
    )


@router.post("/model/train", status_code=status.HTTP_202_ACCEPTED)
def train_model(site: Here, wanted: Training) -> ModelState:
    """Train a model on your likes and dislikes. `GET /model` tells when it is done."""
    actions = site.reader.model_actions
    return _begun(site, "training", actions.train_anyway if wanted.anyway else actions.train)


@router.post("/model/measure", status_code=status.HTTP_202_ACCEPTED)
def measure_model(site: Here) -> ModelState:
    """Measure your model on your likes and dislikes. `GET /model` tells when it is done."""
    return _begun(site, "measuring", site.reader.model_actions.measure)


@router.post("/model/back")
def roll_back_model(site: Here) -> ModelState:
    """Rank by the model before the active one."""
    back = site.reader.model_actions.back
    if back is None:
        raise NotFound("This is not available here.")
    back()
    site.reader.on_change()
    return get_model(site)


def _begun(site: Here, name: str, act: Callable[[], str] | None) -> ModelState:
    if act is None:
        raise NotFound("This is not available here.")
    if not site.job.begin(name, act, site.reader.on_change):
        raise UserError("Your model is already being worked on.")
    return get_model(site)


@router.get("/half-lives")
def get_half_lives(site: Here) -> HalfLives:
    """How fast scores halve for you."""
    reader = site.reader
    own = reader.store.users.half_lives(reader.user) is not None
    return HalfLives(own=own, days=list(in_days(reader.half_lives_in_force())))


@router.put("/half-lives")
def set_half_lives(site: Here, wanted: NewHalfLives) -> HalfLives:
    """Set how fast scores halve for you. The list changes at once."""
    site.reader.set_half_lives(wanted.days)
    return get_half_lives(site)


@router.get("/forgotten")
def list_forgotten(site: Here) -> ForgottenPeriods:
    """Periods excluded from training."""
    found = site.reader.store.models.forgettings(site.reader.user)
    return ForgottenPeriods(items=[ForgottenPeriod.model_validate(one) for one in found])


@router.post("/forgotten", status_code=status.HTTP_201_CREATED)
def forget_period(site: Here, wanted: NewForgottenPeriod) -> ForgottenPeriod:
    """Exclude a period from training. Nothing is deleted."""
    since, until = moment(wanted.since), moment(wanted.until)
    if since is None or since >= (until or site.reader.now()):
        raise UserError("That period ends before it begins.")
    return ForgottenPeriod.model_validate(site.reader.exclude_period(since, until))


@router.delete("/forgotten/{number}", status_code=status.HTTP_204_NO_CONTENT)
def lift_period(site: Here, number: Number) -> None:
    """Include a period in training again."""
    site.reader.include_period(number)
