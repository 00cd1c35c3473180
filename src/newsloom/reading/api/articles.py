"""Lists, search, one article, and why it stands where it stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Annotated

from fastapi import Path, Query
from pydantic import Field

from newsloom.api.route import router as made
from newsloom.app.reader import Reader
from newsloom.kernel.ids import ArticleId
from newsloom.ranking.values.models import Explanation, Reason
from newsloom.reading.api import asked
from newsloom.reading.api.asked import USUAL, After, Limit, ListAsked, Shape
from newsloom.reading.api.shapes import Article, WholeArticle, article, days, titled, whole
from newsloom.reading.service.related import FAR, NEAR, related
from newsloom.reading.values.reading import Listed, ListQuery, Rows
from newsloom.reading.values.searching import SearchOrder
from newsloom.stories.service import stories
from newsloom.web.place import LARGEST_ID, LONGEST_TEXT
from newsloom.web.site import Here
from newsloom.web.wording import clean

Number = Annotated[int, Path(ge=1, le=LARGEST_ID, description="The number of an article.")]
Days = Annotated[
    int, Query(ge=1, le=FAR.days, description="Dated so many days before or after, at most.")
]

router = made("Articles")


class Articles(Shape):
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

    count: int = Field(description="How many rows there are in all.")
    more: bool = Field(description="Whether there are more than were counted.")
    sort: SearchOrder = Field(description="The order that they are in.")
    notes: list[str] = Field(description="Sentences about what was asked for.")


class SearchAsked(Shape):
    """What is looked for."""

    q: str = Field(
        min_length=1,
        max_length=LONGEST_TEXT,
        pattern=asked.NO_NUL,
        description='Words, "phrases", -not, OR, and fields such as `is:starred`, `feed:`, '
        "`since:2d`, `score:>=40`, `language:de`, `story:12`.",
    )
    sort: SearchOrder = Field(default=SearchOrder.BEST, description="In which order.")
    rows: Rows | None = Field(default=None, description="What makes one row.")
    limit: Limit = USUAL
    after: After = ""


class Near(Shape):
    """An article that tells of much the same."""

    article: Article = Field(description="The article.")
    cosine: float = Field(description="How near its vector lies, 0 to 1.")
    copies: int = Field(description="How many others its row stands for.")


class RelatedArticles(Shape):
    """What lies near an article."""

    items: list[Near] = Field(description="The nearest first, one for each event.")


class WhyReason(Shape):
    """One thing that moved a score."""

    kind: str = Field(description="`liked`, `interest`, `words`, `feed`, `source`, `story`, ...")
    text: str = Field(description="It, in words.")
    effect: float = Field(description="By how many points; 0 where it only informs.")
    article_id: int | None = Field(description="The article that it is about.")
    story_id: int | None = Field(description="The story that it is about.")


class WhySignal(Shape):
    """One signal of importance."""

    name: str = Field(description="Its name.")
    value: float = Field(description="0 to 100.")
    weight: float = Field(description="Its share of the sum.")
    points: float = Field(description="What it adds.")
    reason: str = Field(description="In words.")


class Why(Shape):
    """What the score of an article is made of."""

    id: int = Field(description="The article.")
    score: float = Field(description="What ranks it now, 0 to 100.")
    relevance: float = Field(description="The same before it aged: 50 and all effects.")
    personal: bool = Field(description="Whether a model trained on your marks made it.")
    made_by: str = Field(description="Who judged it, in words.")
    reasons: list[WhyReason] = Field(description="Their effects add up to the relevance less 50.")
    words: list[WhyReason] = Field(description="What each word of the title brings.")
    sensitivity: int = Field(description="How fast it expires: 1 evergreen to 5 urgent.")
    rated: str = Field(description="Why so fast.")
    rated_by: str = Field(description="Who judged that.")
    half_life_days: float = Field(description="After so many days half of it is left.")
    age_days: float = Field(description="How old it is.")
    remaining: float = Field(description="What share is left now, 0 to 1.")
    lowered: str = Field(description="Why it stands lower than by its score; empty: it does not.")
    stands_by: int | None = Field(description="The article of its row whose place it has.")
    signals: list[WhySignal] = Field(description="What its importance is made of.")


@router.get("/articles")
def list_articles(site: Here, given: Annotated[ListAsked, Query()]) -> Articles:
    """A list: For you, Top, newest, of a feed, of a category, starred, liked, and so on.

    The first page is For you unless you ask otherwise. A page of 50 costs as much wherever it is.
    """
    return page(site.reader.by_rows(given.rows), given.query, given.after)


@router.get("/search")
def search_articles(site: Here, given: Annotated[SearchAsked, Query()]) -> Search:
    """A search of everything your feeds ever had, read or not."""
    reader = site.reader.by_rows(given.rows)
    return searched(reader, given.q, given.sort, given.limit, given.after)


@router.get("/articles/{number}")
def get_article(site: Here, number: Number) -> WholeArticle:
    """One article with its text, its copies, what else reports it, and its story.

    It stays unread.
    """
    found = site.reader.article(ArticleId(number))
    return whole(found, stories.of_article(site.reader, found.listed.id))


@router.get("/articles/{number}/related")
def list_related(site: Here, number: Number, days: Days = NEAR.days) -> RelatedArticles:
    """Articles that tell of much the same, beyond the reports of the same event."""
    found = related(site.reader, ArticleId(number), timedelta(days=days))
    return RelatedArticles(
        items=[
            Near(article=article(one.listed), cosine=round(one.cosine, 4), copies=one.copies)
            for one in found
        ]
    )


@router.get("/articles/{number}/why")
def explain_article(site: Here, number: Number) -> Why:
    """Why an article stands where it stands in For you: each part of its score."""
    article_id = ArticleId(number)
    return _why(site.reader.why(article_id), site.reader.lowered(article_id, ListQuery()))


def page(reader: Reader, query: ListQuery, after: str) -> Articles:
    """A page of a list. Raises UserError for a cursor that is of another."""
    # Of how many rows a page is, the cursor knows nothing.
    shape = (replace(query, limit=0), reader.rows)
    if after:
        as_of, cursor = asked.read(shape, after)
        query = replace(query, as_of=as_of, after=cursor)
    moment = query.as_of or reader.as_of()
    listing = reader.listing(query)
    return Articles(
        items=_articles(listing.rows),
        next=None if listing.after is None else asked.written(shape, moment, listing.after),
        as_of=asked.written_moment(moment),
    )


def searched(reader: Reader, words: str, sort: SearchOrder, limit: int, after: str) -> Search:
    """A page of a search. Raises UserError for what cannot be searched for."""
    shape = (words, sort, reader.rows)
    cursor = asked.read(shape, after)[1] if after else None
    found = reader.search(words, limit, sort, cursor)
    return Search(
        items=_articles(found.rows),
        next=None if found.after is None else asked.written(shape, None, found.after),
        as_of=None,
        count=found.count,
        more=found.more,
        sort=found.order,
        notes=list(found.notes),
    )


def _articles(rows: Sequence[Listed]) -> list[Article]:
    return [article(one) for one in rows]


def _why(told: Explanation, lowered: str) -> Why:
    listed = told.listed
    return Why(
        id=listed.id,
        score=round(listed.score, 3),
        relevance=round(listed.relevance, 3),
        personal=told.personal,
        made_by=told.made_by,
        reasons=[_reason(one) for one in told.reasons],
        words=[_reason(one) for one in told.words],
        sensitivity=told.rating.rating,
        rated=clean(told.rating.explanation, 400),
        rated_by=told.rated_by,
        half_life_days=days(told.half_life),
        age_days=days(told.age),
        remaining=round(told.remaining, 5),
        lowered=lowered,
        stands_by=None if told.stands_by is None else told.stands_by.id,
        signals=[
            WhySignal(
                name=one.name,
                value=round(one.value, 3),
                weight=one.weight,
                points=round(one.points, 3),
                reason=titled(one.reason),
            )
            for one in told.signals
        ],
    )


def _reason(one: Reason) -> WhyReason:
    return WhyReason(
        kind=one.kind,
        text=clean(one.text, 400),
        effect=round(one.effect, 3),
        article_id=one.article_id,
        story_id=one.story,
    )
