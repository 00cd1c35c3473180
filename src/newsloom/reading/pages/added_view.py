"""What a reader added to an article, as its pages show it. Holds no route."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from newsloom.feeds.pages.pictures import ShownPictures
from newsloom.kernel.text.accessible import accessible
from newsloom.kernel.text.direction import directed
from newsloom.kernel.text.html import sanitize
from newsloom.reading import quotes
from newsloom.reading.service import annotating
from newsloom.reading.service.annotating import Added
from newsloom.reading.values.annotations import Highlight, HighlightId, Tag
from newsloom.reading.values.reading import FullArticle
from newsloom.web import wording


def shown(full: FullArticle, other: str = "") -> str:
    """The HTML of an article, or another text of its feed, sanitised: what is stored is what the
    publisher wrote. Pictures are still at their sites."""
    url = wording.web_address(full.listed.url)
    html = sanitize(other, url) if other else sanitize(full.html, full.page_url or url)
    return directed(accessible(html), full.listed.language)


def text(full: FullArticle, highlights: Sequence[Highlight], pictures: ShownPictures) -> str:
    """The HTML of an article as its page shows it, with what the reader highlighted in it."""
    html = shown(full)
    if not highlights:
        return pictures.html(html)
    found = quotes.passage(html)
    places = annotating.spans(found.text, highlights)
    notes = {one.id: wording.clean(one.note, 400) for one in highlights}
    spans = {number: (*place, notes[HighlightId(number)]) for number, place in places.items()}
    return pictures.html(quotes.marked(html, found, spans))


def facts(added: Added, tags: Iterable[Tag]) -> dict[str, Any]:
    """What the part of a page about what was added needs. `tags`: all of the reader's."""
    return {
        "added": added,
        "known_tags": [one.name for one in tags],
        "longest_note": annotating.LONGEST_NOTE,
        "refused": "",
        "typed": None,
    }
