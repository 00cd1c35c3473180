"""What a reader added to an article, as its pages show it. Holds no route."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from newsloom.app.reader import Reader
from newsloom.feeds.pages.pictures import ShownPictures
from newsloom.kernel.ids import ArticleId
from newsloom.kernel.text.accessible import accessible
from newsloom.kernel.text.direction import directed
from newsloom.kernel.text.html import sanitize
from newsloom.reading import quotes
from newsloom.reading.service import annotating
from newsloom.reading.values.annotations import HighlightId, Tag
from newsloom.reading.values.reading import FullArticle
from newsloom.web import wording


def shown(full: FullArticle) -> str:
    """The sanitised HTML of an article, but for where its pictures come from."""
    url = wording.web_address(full.listed.url)
    html = accessible(sanitize(full.html, full.page_url or url))
    return directed(html, full.listed.language)


def text(reader: Reader, full: FullArticle, pictures: ShownPictures) -> str:
    """The HTML of an article as its page shows it, with what the reader highlighted in it."""
    html = shown(full)
    highlights = reader.store.annotations.highlights(reader.user, full.listed.id)
    if not highlights:
        return pictures.html(html)
    found = quotes.passage(html)
    places = annotating.spans(found.text, highlights)
    notes = {one.id: wording.clean(one.note, 400) for one in highlights}
    spans = {number: (*place, notes[HighlightId(number)]) for number, place in places.items()}
    return pictures.html(quotes.marked(html, found, spans))


def facts(reader: Reader, article: ArticleId, tags: Iterable[Tag]) -> dict[str, Any]:
    """What the part of a page about what was added needs. `tags`: all of the reader's."""
    return {
        "added": annotating.added(reader, article),
        "known_tags": [one.name for one in tags],
        "longest_note": annotating.LONGEST_NOTE,
        "refused": "",
        "typed": None,
    }
