"""Half-lives of scores, and periods that your ranking does not learn from."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from fastapi import Path, status
from pydantic import Field

from newsloom.api.route import router as made
from newsloom.kernel.errors import UserError
from newsloom.ranking.scoring import in_days
from newsloom.reading.api.params import ApiModel, Instant, moment
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
    found = site.reader.forgettings()
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
