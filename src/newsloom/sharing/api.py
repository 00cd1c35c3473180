"""Services to which you save articles, and what was saved there."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from fastapi import Path, status
from pydantic import Field

from newsloom.api.route import router as made
from newsloom.kernel.ids import ArticleId
from newsloom.reading.api.params import ApiModel, Line
from newsloom.reading.api.shapes import Cleaned, Title
from newsloom.sharing.service import sharing
from newsloom.sharing.services import LONGEST_FIELD, SERVICES
from newsloom.web.list_view import LARGEST_ID
from newsloom.web.site import Here

Number = Annotated[int, Path(ge=1, le=LARGEST_ID, description="Service ID.")]

router = made("Sharing")


class ServiceField(ApiModel):
    """Something that a kind of service needs."""

    name: str = Field(description="Name.")
    label: str = Field(description="What it is.")
    secret: bool = Field(description="Whether it is a secret, which is never shown again.")
    needed: bool = Field(description="Whether it must be given.")


class ServiceKind(ApiModel):
    """A kind of service."""

    kind: str = Field(description="Name in Newsloom.")
    called: str = Field(description="Name.")
    fields: list[ServiceField] = Field(description="What it needs.")


class OwnService(ApiModel):
    """A service that you added."""

    id: int = Field(description="ID.")
    kind: str = Field(description="Its kind.")
    name: str = Field(description="Your name for it.")
    stars: bool = Field(description="Whether articles that you star are saved there.")


class ServiceList(ApiModel):
    """Services."""

    items: list[OwnService] = Field(description="Your services.")
    kinds: list[ServiceKind] = Field(description="Services that you can add.")


class NewService(ApiModel):
    """A service to be added."""

    kind: Line = Field(description="One of `kinds`.")
    name: Line = Field(default="", description="Your name for it.")
    fields: dict[str, Annotated[str, Field(max_length=LONGEST_FIELD)]] = Field(
        description="Values of its fields."
    )


class ServiceChanges(ApiModel):
    """What is to be changed of a service."""

    stars: bool = Field(description="Whether articles that you star are saved there.")


class NewShare(ApiModel):
    """Where an article is to be saved."""

    service: Annotated[int, Field(ge=1, le=LARGEST_ID)] = Field(description="Service ID.")


class SavedArticle(ApiModel):
    """An article that was saved to a service."""

    article: int = Field(description="Article ID.")
    title: Title = Field(description="Title.")
    service: int = Field(description="Service ID.")
    state: str = Field(description="`waiting`, `sent` or `failed`.")
    at: datetime = Field(description="Time of the state; while waiting, of the next attempt.")
    error: Cleaned = Field(description="Error; empty: none.")


class SavedArticles(ApiModel):
    """Articles saved to services."""

    items: list[SavedArticle] = Field(description="Newest first.")


@router.get("/share-services")
def list_share_services(site: Here) -> ServiceList:
    """Your services, and the kinds that you can add."""
    return ServiceList(
        items=[OwnService.model_validate(one) for one in sharing.share_services(site.reader)],
        kinds=[ServiceKind.model_validate(one) for one in SERVICES],
    )


@router.post("/share-services", status_code=status.HTTP_201_CREATED)
def add_share_service(site: Here, wanted: NewService) -> OwnService:
    """Add a service."""
    number = sharing.added(site.reader, wanted.kind, wanted.name, wanted.fields)
    found = next(one for one in sharing.share_services(site.reader) if one.id == number)
    return OwnService.model_validate(found)


@router.patch("/share-services/{number}", status_code=status.HTTP_204_NO_CONTENT)
def change_share_service(site: Here, number: Number, wanted: ServiceChanges) -> None:
    """Save the articles that you star to a service, or stop it."""
    sharing.save_stars(site.reader, number, wanted=wanted.stars)


@router.delete("/share-services/{number}", status_code=status.HTTP_204_NO_CONTENT)
def remove_share_service(site: Here, number: Number) -> None:
    """Remove a service. What is saved there stays there."""
    sharing.delete(site.reader, number)


@router.get("/shares")
def list_shares(site: Here) -> SavedArticles:
    """The last articles that were saved to services."""
    found = sharing.last(site.reader)
    return SavedArticles(items=[SavedArticle.model_validate(one) for one in found])


@router.post("/articles/{number}/shares", status_code=status.HTTP_202_ACCEPTED)
def share_article(
    site: Here,
    number: Annotated[int, Path(ge=1, le=LARGEST_ID, description="Article ID.")],
    wanted: NewShare,
) -> SavedArticles:
    """Save an article to a service. It is sent in the background."""
    article = ArticleId(number)
    sharing.save(site.reader, wanted.service, article)
    found = sharing.last(site.reader, article)
    return SavedArticles(items=[SavedArticle.model_validate(one) for one in found])
