"""What a program says of articles. What is so already is not done again: a request may be sent
twice, and does what one does."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from pydantic import Field

from newsloom.api.route import VIA
from newsloom.api.route import router as made
from newsloom.app.reader import Reader
from newsloom.kernel.errors import NotFound
from newsloom.reading.api import params
from newsloom.reading.api.articles import Number
from newsloom.reading.api.params import ApiModel, Filter, Id, Instant, moment
from newsloom.reading.values.reading import EventKind, Mark, Rows
from newsloom.sync.service import Syncing
from newsloom.web.list_view import MOST_ROWS
from newsloom.web.site import Here
from newsloom.web.wording import clean

MOST_NAMED = 10_000

router = made("Marks")


class OneMark(ApiModel):
    """What is said of one article."""

    mark: Mark = Field(description="`unrate` removes a like or dislike.")


class ManyMarks(ApiModel):
    """What is said of several articles."""

    mark: Mark = Field(description="`unrate` removes likes and dislikes.")
    articles: Annotated[list[Id], Field(min_length=1, max_length=MOST_NAMED)] = Field(
        description="Article IDs."
    )


class AllRead(Filter):
    """A list, all of which is read."""

    rows: Rows | None = Field(default=None, description="What each row stood for.")
    since: Instant | None = Field(default=None, description="As the list was asked for.")
    as_of: Annotated[str, Field(max_length=200, pattern="^[A-Za-z0-9_-]+$")] = Field(
        description="`as_of` of the list: articles that arrived later stay unread."
    )


class Marked(ApiModel):
    """What came of it."""

    changed: int = Field(description="Number of articles that the mark changed.")
    unknown: list[int] = Field(description="IDs that your feeds do not have.")


class StepArticle(ApiModel):
    """An article of a step."""

    id: int = Field(description="ID.")
    mark: str = Field(description="The undone mark.")
    title: str = Field(description="Title.")


class Undone(ApiModel):
    """What was taken back."""

    articles: list[StepArticle] = Field(
        description="The first undone articles; empty: nothing to undo."
    )
    count: int = Field(description="Number of articles.")


@router.post("/articles/{number}/marks")
def mark_article(site: Here, number: Number, said: OneMark) -> Marked:
    """Mark one article. Likes, dislikes and stars train your ranking."""
    found = _marked(site.reader, [number], said.mark)
    if found.unknown:
        raise NotFound(f"There is no article {number} among your feeds.")
    return found


@router.post("/marks")
def mark_articles(site: Here, said: ManyMarks) -> Marked:
    """Mark several articles, as one undo step.

    To have read several at once teaches nothing of any of them.
    """
    return _marked(site.reader, said.articles, said.mark)


@router.post("/marks/all")
def mark_list_read(site: Here, said: AllRead) -> Marked:
    """Mark all articles of a list as read, as one undo step. `changed` counts its rows."""
    query = replace(
        said.list_view.query(MOST_ROWS),
        since=moment(said.since),
        as_of=params.unpacked_moment(said.as_of),
    )
    changed = site.reader.by_rows(said.rows).clear(query, VIA)
    return Marked(changed=changed, unknown=[])


@router.post("/undo")
def undo_last(site: Here) -> Undone:
    """Undo the last step, whether made by a page, an app or a program.

    Sent twice it takes two steps back: ask for the state of articles before you send it again.
    """
    events = site.reader.undo(VIA)
    shown = [one for one in events if one.kind is not EventKind.BULK_READ] or events
    return Undone(
        articles=[
            StepArticle(id=one.article_id, mark=one.kind.value, title=clean(one.title, 300))
            for one in shown[:100]
        ],
        count=len(events),
    )


def _marked(reader: Reader, numbers: list[int], mark: Mark) -> Marked:
    syncing = Syncing(reader, VIA)
    known = syncing.known(numbers)
    changed = syncing.mark(list(known), EventKind(mark.value)) if known else 0
    return Marked(changed=changed, unknown=sorted(set(numbers) - known.keys()))
