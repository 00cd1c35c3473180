"""Notes, highlights and tags of articles."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from fastapi import Path, Response, status
from pydantic import AliasPath, Field

from newsloom.api.route import router as made
from newsloom.kernel.ids import ArticleId
from newsloom.reading import quotes
from newsloom.reading.api.params import NO_NUL, ApiModel
from newsloom.reading.api.shapes import Address, Name, Title
from newsloom.reading.notes_file import markdown
from newsloom.reading.pages.pages import shown_html
from newsloom.reading.service import annotating
from newsloom.reading.values.annotations import HighlightId
from newsloom.web.list_view import LARGEST_ID
from newsloom.web.site import Here

Number = Annotated[int, Path(ge=1, le=LARGEST_ID, description="Article ID.")]
HighlightNumber = Annotated[int, Path(ge=1, le=LARGEST_ID, description="Highlight ID.")]
OneTag = Annotated[str, Path(max_length=200, description="A tag.")]
Text = Annotated[str, Field(max_length=40_000, pattern=NO_NUL)]
MARKDOWN = {"text/markdown": {"schema": {"type": "string"}}}

router = made("Notes")


class Highlighted(ApiModel):
    """Words of an article that you highlighted."""

    id: int = Field(description="ID.")
    exact: str = Field(validation_alias=AliasPath("words", "exact"), description="Text.")
    prefix: str = Field(
        validation_alias=AliasPath("words", "prefix"), description="Text before the quote."
    )
    suffix: str = Field(
        validation_alias=AliasPath("words", "suffix"), description="Text after the quote."
    )
    note: str = Field(description="Your note on the quote.")
    made_at: datetime = Field(description="Time.")


class OwnNote(ApiModel):
    """Your note on an article."""

    text: str = Field(description="Your text.")
    changed_at: datetime = Field(description="Time of the last change.")


class AnnotatedArticle(ApiModel):
    """An article with a note or highlights."""

    id: int = Field(validation_alias="article", description="ID.")
    title: Title = Field(description="Title.")
    url: Address = Field(description="URL.")
    feed_title: Name = Field(validation_alias="feed", description="Feed it came from.")
    tags: list[str] = Field(description="Your tags.")
    note: OwnNote | None = Field(description="Your note.")
    highlights: list[Highlighted] = Field(description="Your highlights.")


class Annotations(ApiModel):
    """Notes and highlights."""

    items: list[AnnotatedArticle] = Field(description="By newest article.")


class NewNote(ApiModel):
    """A note to be written."""

    text: Text = Field(description="Text of the note; empty deletes it.")


class NewHighlight(ApiModel):
    """Words of an article to be highlighted."""

    quote: Annotated[str, Field(min_length=1, max_length=10_000, pattern=NO_NUL)] = Field(
        description="The words, as the article has them."
    )
    start: Annotated[int, Field(ge=0, le=LARGEST_ID)] = Field(
        default=0, description="Where in the text; of several places the nearest is taken."
    )
    note: Text = Field(default="", description="Your note on them.")


class HighlightNote(ApiModel):
    """A note on highlighted words."""

    note: Text = Field(description="Text of the note; empty deletes it.")


class TagName(ApiModel):
    """Another name of a tag."""

    name: Annotated[str, Field(min_length=1, max_length=200, pattern=NO_NUL)] = Field(
        description="New name; where a tag has it, both become one."
    )


class TagNames(ApiModel):
    """Tags."""

    tags: Annotated[list[Annotated[str, Field(max_length=200)]], Field(max_length=50)] = Field(
        description="Names."
    )


class TagCount(ApiModel):
    """A tag."""

    name: str = Field(description="Name.")
    articles: int = Field(description="Number of articles with it.")


class TagList(ApiModel):
    """Tags."""

    items: list[TagCount] = Field(description="Sorted by name.")


@router.get("/notes")
def list_notes(site: Here) -> Annotations:
    """Articles with a note or highlights."""
    found = annotating.everything(site.reader)
    return Annotations(items=[AnnotatedArticle.model_validate(one) for one in found])


@router.get("/notes.md", responses={200: {"content": MARKDOWN}}, response_class=Response)
def export_notes(site: Here) -> Response:
    """All notes and highlights as Markdown."""
    text = markdown(annotating.exported(site.reader))
    return Response(text, media_type="text/markdown; charset=utf-8")


@router.put("/articles/{number}/note", status_code=status.HTTP_204_NO_CONTENT)
def write_note(site: Here, number: Number, wanted: NewNote) -> None:
    """Write your note on an article."""
    annotating.write_note(site.reader, ArticleId(number), wanted.text)


@router.post("/articles/{number}/highlights", status_code=status.HTTP_201_CREATED)
def highlight_words(site: Here, number: Number, wanted: NewHighlight) -> Highlighted:
    """Highlight words of an article."""
    full = site.reader.article(ArticleId(number))
    text, article = quotes.passage(shown_html(full)).text, full.listed.id
    made = annotating.highlight(site.reader, article, text, wanted.quote, wanted.start, wanted.note)
    found = site.reader.store.annotations.highlights(site.reader.user, article)
    return Highlighted.model_validate(next(one for one in found if one.id == made))


@router.put("/highlights/{number}/note", status_code=status.HTTP_204_NO_CONTENT)
def note_highlight(site: Here, number: HighlightNumber, wanted: HighlightNote) -> None:
    """Write your note on highlighted words."""
    annotating.note_highlight(site.reader, HighlightId(number), wanted.note)


@router.delete("/highlights/{number}", status_code=status.HTTP_204_NO_CONTENT)
def remove_highlight(site: Here, number: HighlightNumber) -> None:
    """Remove a highlight and its note."""
    annotating.drop_highlight(site.reader, HighlightId(number))


@router.get("/tags")
def list_tags(site: Here) -> TagList:
    """Your tags."""
    return TagList(items=[TagCount.model_validate(one) for one in annotating.all_tags(site.reader)])


@router.patch("/tags/{name}")
def rename_tag(site: Here, name: OneTag, wanted: TagName) -> TagName:
    """Rename a tag."""
    return TagName(name=annotating.rename_tag(site.reader, name, wanted.name))


@router.delete("/tags/{name}", status_code=status.HTTP_204_NO_CONTENT)
def remove_tag(site: Here, name: OneTag) -> None:
    """Remove a tag from all articles."""
    annotating.drop_tag(site.reader, name)


@router.post("/articles/{number}/tags")
def tag_article(site: Here, number: Number, wanted: TagNames) -> TagNames:
    """Add tags to an article. Returns its tags."""
    given = annotating.tag(site.reader, [ArticleId(number)], ",".join(wanted.tags))
    return TagNames(tags=list(given))


@router.delete("/articles/{number}/tags/{name}", status_code=status.HTTP_204_NO_CONTENT)
def untag_article(site: Here, number: Number, name: OneTag) -> None:
    """Remove a tag from an article."""
    annotating.untag(site.reader, [ArticleId(number)], name)
