"""Sources of your feeds and your tiers for them; the topics that you follow and how they count."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Path, Query, status
from pydantic import AliasPath, Field

from newsloom.api.route import router as made
from newsloom.importance.service import importance
from newsloom.importance.values import TierOrigin
from newsloom.reading.api.params import ApiModel
from newsloom.reading.api.shapes import Points, Title, digits
from newsloom.web.site import Here

# Not a number alone, which would be read as an address of the internet.
Domain = Annotated[str, Path(max_length=2_100, pattern=r"\D", description="Domain.")]
Rate = Annotated[float, digits(4)]

router = made("Importance")


class MeasuredFacts(ApiModel):
    """What was measured of a source. Rates are of its articles, 0 to 1."""

    articles: int = Field(description="Number of measured articles.")
    days: Rate = Field(description="Days since the first article.")
    authored: Rate = Field(description="Share of articles with an author.")
    revised: Rate = Field(description="Share of articles that were changed later.")
    corrected: Rate = Field(description="Share of articles with a stated correction.")
    corroborated: Rate = Field(
        description="Share of articles that an independent source reports too."
    )
    followed: Rate = Field(description="Share of those where it was first.")
    trackers: Rate = Field(description="Share of links with tracking parameters.")
    reliability: Rate = Field(description="Average over its feeds, 0 to 1.")


class Source(ApiModel):
    """Who publishes in your feeds, and how far it is believed."""

    domain: str = Field(validation_alias=AliasPath("authority", "domain"), description="Name.")
    tier: int = Field(
        validation_alias=AliasPath("authority", "tier"),
        description="1 (wire services, official) to 5 (unverified).",
    )
    score: Points = Field(
        validation_alias=AliasPath("authority", "score"), description="From 0 to 100."
    )
    origin: TierOrigin = Field(
        validation_alias=AliasPath("authority", "origin"), description="Source of its tier."
    )
    owner: Title = Field(
        validation_alias=AliasPath("authority", "owner"),
        description="Owner; its own name when unknown.",
    )
    reason: Title = Field(
        validation_alias=AliasPath("authority", "reason"), description="Reason for its tier."
    )
    articles: int = Field(description="Number of its articles in your feeds.")
    own: int | None = Field(description="Your tier for it; null: none.")
    measured: MeasuredFacts = Field(validation_alias="facts", description="What was measured.")
    explained: list[str] = Field(validation_alias="told", description="The same, as text.")


class SourceList(ApiModel):
    """Sources."""

    items: list[Source] = Field(description="By articles, most first.")


class OwnTier(ApiModel):
    """Your tier for a source."""

    tier: Annotated[int, Field(ge=1, le=5)] | None = Field(description="1 to 5; null removes it.")


class TopicSource(ApiModel):
    """An article that taught a topic."""

    id: int = Field(validation_alias="article_id", description="ID.")
    title: Title = Field(description="Title.")


class Topic(ApiModel):
    """A topic that you follow."""

    term: str = Field(description="How it is stored.")
    word: Title = Field(description="Style.")
    weight: Points = Field(description="Its weight; that of the heaviest is 1.")
    fading: bool = Field(description="Whether it had no effect for over a week.")
    stated: bool = Field(description="Whether you added it.")
    edited: float | None = Field(description="Weight factor; null: as learned.")
    articles: list[TopicSource] = Field(description="Articles that taught it.")


class TopicList(ApiModel):
    """Topics."""

    items: list[Topic] = Field(description="By weight, heaviest first.")


class TopicWeight(ApiModel):
    """How much a topic counts."""

    times: float = Field(
        description="How many times as much as others; 1 resets it.",
        json_schema_extra={"enum": [2, 4, 0.5, 0, 1]},
    )


class Pace(ApiModel):
    """How soon news is old."""

    fade: float = Field(description="Loss of recency per hour.")


class NewPace(ApiModel):
    """How soon news is to be old."""

    pace: Literal["real time", "daily", "weekly", "usual"] = Field(
        description="`usual`: as in the settings."
    )


@router.get("/sources")
def list_sources(site: Here) -> SourceList:
    """The publishers in your feeds, with their credibility."""
    return SourceList(items=[Source.model_validate(one) for one in site.reader.sources.all()])


@router.get("/sources/{domain}")
def get_source(site: Here, domain: Domain) -> Source:
    """One source, with the reasons for its credibility."""
    return Source.model_validate(site.reader.sources.source(domain))


@router.put("/sources/{domain}")
def set_source_tier(site: Here, domain: Domain, wanted: OwnTier) -> Source:
    """Set your own tier for a source."""
    return Source.model_validate(site.reader.sources.set_tier(domain, wanted.tier))


@router.get("/topics")
def list_topics(
    site: Here, limit: Annotated[int, Query(ge=1, le=500, description="Count.")] = 25
) -> TopicList:
    """Your topics by weight, with the articles they were learned from."""
    found = importance.topics(site.reader, limit)
    return TopicList(items=[Topic.model_validate(one) for one in found])


@router.put("/topics/{term}", status_code=status.HTTP_204_NO_CONTENT)
def weigh_topic(
    site: Here,
    term: Annotated[str, Path(max_length=200, description="Term or word.")],
    wanted: TopicWeight,
) -> None:
    """Change the weight of a topic. The order changes with the next pass."""
    named = {one.word.lower(): one.term for one in importance.topics(site.reader)}
    importance.edit_topic(
        site.reader, named.get(term.lower(), term), None if wanted.times == 1 else wanted.times
    )


@router.get("/pace")
def get_pace(site: Here) -> Pace:
    """How fast news ages for you."""
    return Pace(fade=importance.fade_in_force(site.reader))


@router.put("/pace")
def set_pace(site: Here, wanted: NewPace) -> Pace:
    """Set how fast news ages for you."""
    named = None if wanted.pace == "usual" else wanted.pace
    return Pace(fade=importance.set_pace(site.reader, named))
