"""What a reader adds to articles: tags, a note, highlights. Takes words as they were typed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from newsloom.kernel.errors import NotFound, UserError
from newsloom.kernel.text.html import headline
from newsloom.reading import quotes
from newsloom.reading import tag_names as tags
from newsloom.reading.notes_file import AnnotatedArticle, Quote
from newsloom.reading.values.annotations import HighlightId, Selector
from newsloom.reading.values.reading import Rows

if TYPE_CHECKING:
    from newsloom.app.reader import Reader
    from newsloom.kernel.ids import ArticleId
    from newsloom.reading.values.annotations import Highlight, Note, Tag
    from newsloom.reading.values.reading import Listed

LONGEST_NOTE = 10_000
LONGEST_QUOTE = 5_000
MOST_TAGS = 1_000  # of a reader
MOST_OF_ARTICLE = 50
MOST_HIGHLIGHTS = 500  # of an article

_NO_HIGHLIGHT = "There is no such highlight."


@dataclass(frozen=True, slots=True)
class Added:
    """Everything that a reader added to one article."""

    tags: tuple[str, ...]
    note: Note | None
    highlights: tuple[Highlight, ...]


@dataclass(frozen=True, slots=True)
class Annotated:
    """An article with a note or highlights, for the list of all."""

    article: ArticleId
    title: str
    url: str
    feed: str
    tags: tuple[str, ...]
    note: Note | None
    highlights: tuple[Highlight, ...]


def added(reader: Reader, listed: Listed) -> Added:
    """What the reader added to an article."""
    if not listed.noted:
        return Added(listed.tags, None, ())
    annotations = reader.store.annotations
    return Added(
        listed.tags,
        annotations.note(reader.user, listed.id),
        annotations.highlights(reader.user, listed.id),
    )


# --- tags ---


def all_tags(reader: Reader) -> tuple[Tag, ...]:
    """By name."""
    return reader.store.annotations.tags(reader.user)


def tag(reader: Reader, articles: Sequence[ArticleId], typed: str) -> tuple[str, ...]:
    """Give those articles the tags that were typed with commas between: their names.

    Raises UserError for what is no name and for too many, NotFound when no article is the reader's.
    """
    names = _names(typed)
    _mine(reader, articles)
    known = all_tags(reader)
    keys = {tags.key(one.name) for one in known}
    if len(keys | {tags.key(one) for one in names}) > MOST_TAGS:
        raise UserError(f"There are {MOST_TAGS:,} tags, which is the limit.")
    if len(articles) == 1:
        of_it = reader.store.annotations.tags_of(reader.user, articles).get(articles[0], ())
        if len({tags.key(one) for one in (*of_it, *names)}) > MOST_OF_ARTICLE:
            raise UserError(f"An article can have up to {MOST_OF_ARTICLE} tags.")
    reader.store.annotations.add_tags(reader.user, articles, names, reader.now())
    return names


def untag(reader: Reader, articles: Sequence[ArticleId], typed: str) -> tuple[str, ...]:
    """Take the tags that were typed off those articles: their names."""
    names = _names(typed)
    _mine(reader, articles)
    reader.store.annotations.remove_tags(reader.user, articles, names)
    return names


def rename_tag(reader: Reader, name: str, to: str) -> str:
    """The new name; where there is a tag of that name, the two become one."""
    try:
        wanted = tags.name(to)
    except ValueError as refused:
        raise UserError(str(refused)) from None
    if not reader.store.annotations.rename_tag(reader.user, name, wanted):
        raise NotFound("There is no such tag.")
    return wanted


def drop_tag(reader: Reader, name: str) -> int:
    """How many articles had it. Raises NotFound."""
    dropped = reader.store.annotations.drop_tag(reader.user, name)
    if not dropped:
        raise NotFound("There is no such tag.")
    return dropped


def _names(typed: str) -> tuple[str, ...]:
    try:
        names = tags.names(typed)
    except ValueError as refused:
        raise UserError(str(refused)) from None
    if not names:
        raise UserError("A tag needs a name.")
    if len(names) > MOST_OF_ARTICLE:
        raise UserError(f"An article can have up to {MOST_OF_ARTICLE} tags.")
    return names


def _mine(reader: Reader, articles: Sequence[ArticleId]) -> None:
    if not articles or not reader.listed(articles):
        number = articles[0] if articles else 0
        raise NotFound(f"There is no article {number} in your feeds.")


# --- notes ---


def write_note(reader: Reader, article: ArticleId, words: str) -> None:
    """In the place of any before it; nothing takes it away. Raises NotFound and UserError."""
    words = _written(words, LONGEST_NOTE)
    kept = reader.store.annotations.put_note(reader.user, article, words, reader.now())
    if not kept and words:
        raise NotFound(f"There is no article {article} in your feeds.")


def _written(words: str, most: int) -> str:
    words = words.replace("\r\n", "\n").replace("\0", "").strip()
    words = words.encode("utf-8", "ignore").decode()  # no half of a surrogate pair
    if len(words) > most:
        raise UserError(f"A note can have up to {most:,} characters; this has {len(words):,}.")
    return words


# --- highlights ---


def highlight(
    reader: Reader, article: ArticleId, text: str, quote: str, start: int, note: str
) -> HighlightId:
    """Highlight words of an article's text, as it is shown; of several places the nearest to that
    position. Raises UserError when they are not in it, NotFound."""
    words = quotes.collapsed(quote)
    if not words:
        raise UserError("Select the text to highlight first.")
    if len(words) > LONGEST_QUOTE:
        raise UserError(f"A highlight can have up to {LONGEST_QUOTE:,} characters.")
    note = _written(note, LONGEST_NOTE)
    place = quotes.find(text, Selector(words, start=start))
    if place is None:
        raise UserError("This text is not in the article.")
    annotations = reader.store.annotations
    if len(annotations.highlights(reader.user, article)) >= MOST_HIGHLIGHTS:
        raise UserError(f"An article can have up to {MOST_HIGHLIGHTS} highlights.")
    found = quotes.selector(text, *place)
    number = annotations.add_highlight(reader.user, article, found, note, reader.now())
    if number is None:
        raise NotFound(f"There is no article {article} in your feeds.")
    return number


def note_highlight(reader: Reader, number: HighlightId, note: str) -> None:
    """Raises NotFound and UserError."""
    words = _written(note, LONGEST_NOTE)
    if not reader.store.annotations.note_highlight(reader.user, number, words):
        raise NotFound(_NO_HIGHLIGHT)


def drop_highlight(reader: Reader, number: HighlightId) -> None:
    """Raises NotFound."""
    if not reader.store.annotations.drop_highlight(reader.user, number):
        raise NotFound(_NO_HIGHLIGHT)


def spans(text: str, highlights: Sequence[Highlight]) -> Mapping[int, tuple[int, int]]:
    """Where the highlights stand in a text, by number; those that are not there are absent."""
    found = {one.id: quotes.find(text, one.words) for one in highlights}
    return {number: place for number, place in found.items() if place is not None}


def everything(reader: Reader) -> tuple[Annotated, ...]:
    """All articles with a note or a highlight, the newest first."""
    annotations = reader.store.annotations
    notes = {one.article_id: one for one in annotations.notes(reader.user)}
    of_article: dict[ArticleId, list[Highlight]] = {}
    for one in annotations.highlights(reader.user):
        of_article.setdefault(one.article_id, []).append(one)
    ids = sorted({*notes, *of_article}, reverse=True)
    return tuple(
        Annotated(
            one.id,
            headline(one.title, one.excerpt),
            one.url,
            one.feed_title,
            one.tags,
            notes.get(one.id),
            tuple(of_article.get(one.id, ())),
        )
        for one in reader.by_rows(Rows.ARTICLE).listed(ids)
    )


def exported(reader: Reader) -> tuple[AnnotatedArticle, ...]:
    """The same as values of a file."""
    return tuple(_exported(one) for one in everything(reader))


def _exported(one: Annotated) -> AnnotatedArticle:
    return AnnotatedArticle(
        title=one.title,
        url=one.url,
        feed=one.feed,
        tags=one.tags,
        note=one.note.text if one.note else "",
        note_changed_at=one.note.changed_at.isoformat() if one.note else "",
        highlights=tuple(
            Quote(
                made.words.exact,
                made.words.prefix,
                made.words.suffix,
                made.note,
                made.made_at.isoformat(),
            )
            for made in one.highlights
        ),
    )
