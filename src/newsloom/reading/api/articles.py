"""Lists, search, one article, and why it stands where it stands."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Annotated

from fastapi import Path, Query, status
from pydantic import Field

from newsloom.api.route import router as made
from newsloom.app.reader import Reader
from newsloom.duplicates.independence import independent
from newsloom.kernel.ids import ArticleId
from newsloom.ranking.values.models import Explanation
from newsloom.reading.api import params
from newsloom.reading.api.params import USUAL, After, ApiModel, Limit, ListParams
from newsloom.reading.api.shapes import (
    Article,
    Points,
    Title,
    WholeArticle,
    at_most,
    days,
    digits,
    whole,
)
from newsloom.reading.service.related import FAR, NEAR, related
from newsloom.reading.values.reading import ListQuery, Rows
from newsloom.reading.values.searching import SearchOrder
from newsloom.stories.service import stories
from newsloom.web.list_view import LARGEST_ID, LONGEST_TEXT
from newsloom.web.site import Here

Number = Annotated[int, Path(ge=1, le=LARGEST_ID, description="Article ID.")]
Days = Annotated[int, Query(ge=1, le=FAR.days, description="Maximum days before or after.")]

router = made("Articles")


class Articles(ApiModel):
    """A page of a list."""

    items: list[Article] = Field(description="The rows, in the order of the list.")
    next: str | None = Field(
        description="`after` of the next page; null: this is the last. The pages together are the "
        "list as it was at the first, whatever comes or is read one by one meanwhile."
    )
    as_of: str | None = Field(
        description="The moment of the list, for `POST /api/v1/marks/all`; null in a search."
    )


class Search(Articles):
    """A page of what a search found."""

    count: int = Field(description="Total number of rows.")
    more: bool = Field(description="Whether the count was cut off.")
    sort: SearchOrder = Field(description="Their order.")
    notes: list[str] = Field(description="Notes on the query.")


class SearchParams(ApiModel):
    """What is looked for."""

    q: str = Field(
        min_length=1,
        max_length=LONGEST_TEXT,
        pattern=params.NO_NUL,
        description='Words, "phrases", -not, OR, and fields such as `is:starred`, `feed:`, '
        "`since:2d`, `score:>=40`, `language:de`, `story:12`.",
    )
    sort: SearchOrder = Field(default=SearchOrder.BEST, description="Order.")
    rows: Rows | None = Field(default=None, description="What each row stands for.")
    limit: Limit = USUAL
    after: After = ""


class Near(ApiModel):
    """An article that tells of much the same."""

    article: Article = Field(validation_alias="listed", description="Article.")
    cosine: Annotated[float, digits(4)] = Field(description="Similarity of the vectors, 0 to 1.")
    copies: int = Field(description="Number of other articles in its row.")


class RelatedArticles(ApiModel):
    """What lies near an article."""

    items: list[Near] = Field(description="By similarity, one per event.")


class Split(ApiModel):
    """What became of a row."""

    parted: int = Field(description="Number of articles it was separated from.")


class WhyReason(ApiModel):
    """One thing that moved a score."""

    kind: str = Field(description="`liked`, `interest`, `words`, `feed`, `source`, `story`, ...")
    text: Annotated[str, at_most(400)] = Field(description="As text.")
    effect: Points = Field(description="Effect in points; 0: for information.")
    article_id: int | None = Field(description="Article.")
    story_id: int | None = Field(validation_alias="story", description="Story.")


class WhySignal(ApiModel):
    """One signal of importance."""

    name: str = Field(description="Name.")
    value: Points = Field(description="From 0 to 100.")
    weight: float = Field(description="Its share of the sum.")
    points: Points = Field(description="Its effect on the score.")
    reason: Title = Field(description="As text.")


class Why(ApiModel):
    """What the score of an article is made of."""

    id: int = Field(description="Article.")
    score: Points = Field(description="Current score, 0 to 100.")
    relevance: Points = Field(description="The same before it aged: 50 and all effects.")
    personal: bool = Field(description="Whether a model trained on your marks made it.")
    made_by: str = Field(description="What judged it, as text.")
    reasons: list[WhyReason] = Field(description="Their effects add up to the relevance less 50.")
    words: list[WhyReason] = Field(description="Effect of each word of the title.")
    sensitivity: int = Field(description="Time sensitivity, 1 (evergreen) to 5 (critical).")
    rated: Annotated[str, at_most(400)] = Field(description="Reason for the rating.")
    rated_by: str = Field(description="What judged it.")
    half_life_days: float = Field(description="Half-life in days.")
    age_days: float = Field(description="Age.")
    remaining: Annotated[float, digits(5)] = Field(
        description="Remaining share of the score, 0 to 1."
    )
    lowered: str = Field(description="Why it is listed below its score; empty: it is not.")
    stands_by: int | None = Field(description="Article of its row whose position it has.")
    signals: list[WhySignal] = Field(description="Signals of its importance.")


@router.get("/articles")
def list_articles(site: Here, given: Annotated[ListParams, Query()]) -> Articles:
    """A list: For you, Top, newest, of a feed, of a category, starred, liked, and so on.

    The first page is For you unless you ask otherwise. A page of 50 costs as much wherever it is.
    """
    return page(site.reader.by_rows(given.rows), given.query, given.after)


@router.get("/search")
def search_articles(site: Here, given: Annotated[SearchParams, Query()]) -> Search:
    """Search all articles of your feeds, read or not."""
    reader = site.reader.by_rows(given.rows)
    return searched(reader, given.q, given.sort, given.limit, given.after)


@router.get("/articles/{number}")
def get_article(site: Here, number: Number) -> WholeArticle:
    """One article with its text, copies, other reports and story.

    It stays unread.
    """
    found = site.reader.article(ArticleId(number))
    number = found.listed.id
    witnesses = site.reader.store.duplicates.witnesses(site.reader.user, number)
    return whole(found, stories.of_article(site.reader, number), independent(witnesses))


@router.get("/articles/{number}/related")
def list_related(site: Here, number: Number, days: Days = NEAR.days) -> RelatedArticles:
    """Similar articles, without reports of the same event."""
    found = related(site.reader, ArticleId(number), timedelta(days=days))
    return RelatedArticles(items=[Near.model_validate(one) for one in found])


@router.get("/articles/{number}/why")
def explain_article(site: Here, number: Number) -> Why:
    """Why an article has its position in For you: each part of its score."""
    article_id = ArticleId(number)
    return _why(site.reader.why(article_id), site.reader.demotion_reason(article_id, ListQuery()))


@router.post("/articles/{number}/split")
def split_article(site: Here, number: Number) -> Split:
    """Separate an article from the others of its row, permanently."""
    return Split(parted=site.reader.split(ArticleId(number)))


@router.delete("/articles/{number}/split", status_code=status.HTTP_204_NO_CONTENT)
def rejoin_article(site: Here, number: Number) -> None:
    """Undo the separation of an article."""
    site.reader.rejoin(ArticleId(number))


def page(reader: Reader, query: ListQuery, after: str) -> Articles:
    """A page of a list. Raises UserError for a cursor that is of another."""
    # Of how many rows a page is, the cursor knows nothing.
    shape = (replace(query, limit=0), reader.rows)
    if after:
        as_of, cursor = params.parse_cursor(shape, after)
        query = replace(query, as_of=as_of, after=cursor)
    moment = query.as_of or reader.store.lists.as_of(reader.user)
    listing = reader.listing(query)
    return Articles(
        items=[Article.model_validate(one) for one in listing.rows],
        next=None if listing.after is None else params.written(shape, moment, listing.after),
        as_of=params.written_moment(moment),
    )


def searched(reader: Reader, words: str, sort: SearchOrder, limit: int, after: str) -> Search:
    """A page of a search. Raises UserError for what cannot be searched for."""
    shape = (words, sort, reader.rows)
    cursor = params.parse_cursor(shape, after)[1] if after else None
    found = reader.search(words, limit, sort, cursor)
    return Search(
        items=[Article.model_validate(one) for one in found.rows],
        next=None if found.after is None else params.written(shape, None, found.after),
        as_of=None,
        count=found.count,
        more=found.more,
        sort=found.order,
        notes=list(found.notes),
    )


def _why(found: Explanation, demotion: str) -> Why:
    return Why.model_validate(
        {
            "id": found.listed.id,
            "score": found.listed.score,
            "relevance": found.listed.relevance,
            "personal": found.personal,
            "made_by": found.made_by,
            "reasons": found.reasons,
            "words": found.words,
            "sensitivity": found.rating.rating,
            "rated": found.rating.explanation,
            "rated_by": found.rated_by,
            "half_life_days": days(found.half_life),
            "age_days": days(found.age),
            "remaining": found.remaining,
            "lowered": demotion,
            "stands_by": None if found.stands_by is None else found.stands_by.id,
            "signals": found.signals,
        }
    )
