"""The vocabularies that stand inside any feed format: dc, dcterms, content, media, itunes, Atom.

One handler per element and one table of them; the formats' own elements are in their own modules.
"""

from __future__ import annotations

from newsloom.feeds.parse.dates import parse_date
from newsloom.feeds.parse.draft import Draft, add_enclosure, add_summary, duration
from newsloom.feeds.parse.elements import Node, canonical, markup_of, plain_of, text_of
from newsloom.feeds.parse.links import absolute
from newsloom.feeds.parse.plain import line_of_either, one_line, person_of_either, tag_of_either


def _other_title(draft: Draft, element: Node) -> None:
    draft.other_title = draft.other_title or line_of_either(text_of(element))


def _creator(draft: Draft, element: Node) -> None:
    draft.authors.append(person_of_either(text_of(element)))


def credited(draft: Draft, element: Node) -> None:
    draft.credited.append(person_of_either(text_of(element)))


def _dated(draft: Draft, element: Node) -> None:
    draft.dated = draft.dated or parse_date(element.text)


def created(draft: Draft, element: Node) -> None:
    draft.created = draft.created or parse_date(element.text)


def published(draft: Draft, element: Node) -> None:
    draft.published = draft.published or parse_date(element.text)


def updated(draft: Draft, element: Node) -> None:
    draft.updated = draft.updated or parse_date(element.text)


def _language(draft: Draft, element: Node) -> None:
    draft.language = one_line(element.text)[:35] or draft.language  # the longest tag BCP 47 expects


def category(draft: Draft, element: Node) -> None:
    if name := tag_of_either(text_of(element)):
        draft.categories.append(name)


def _keywords(draft: Draft, element: Node) -> None:
    draft.categories += filter(None, map(one_line, (element.text or "").split(",")))


def _itunes_category(draft: Draft, element: Node) -> None:
    for one in element.iter():  # one in the other
        if name := one_line(one.get("text")):
            draft.categories.append(name)


def _other_summary(draft: Draft, element: Node) -> None:
    draft.other_summary = draft.other_summary or draft.placed(markup_of(element), element)


def summary(draft: Draft, element: Node) -> None:
    add_summary(draft, draft.placed(markup_of(element), element))


def _subtitle(draft: Draft, element: Node) -> None:
    draft.caption = draft.caption or draft.placed(markup_of(element), element)


def content(draft: Draft, element: Node) -> None:
    draft.content = draft.content or draft.placed(markup_of(element), element)


def _thumbnail(draft: Draft, element: Node) -> None:
    if not draft.image:
        draft.image = absolute(draft.base, element, element.get("url") or element.text)


def _itunes_image(draft: Draft, element: Node) -> None:
    if not draft.image_later:
        draft.image_later = absolute(draft.base, element, element.get("href") or element.get("url"))


def _media_content(draft: Draft, element: Node) -> None:
    """A picture, or a file; which of the two stands in any of three places, or only in its name."""
    medium, kind = element.get("medium"), element.get("type") or ""
    medium = (medium or kind.partition("/")[0]).lower()
    if medium == "image":
        _picture(draft, element)
    elif kind == "application/x-shockwave-flash":  # nothing plays it; YouTube still lists it
        return
    elif medium in {"audio", "video"} or kind.startswith("application/"):
        add_enclosure(
            draft,
            element,
            element.get("url"),
            kind,
            element.get("fileSize"),
            duration(element.get("duration")),
        )
    elif _names_a_picture(element.get("url") or ""):
        _picture(draft, element)
    for child in element:
        # A text inside a picture is its caption.
        handler = _IN_CONTENT.get(canonical(child.tag))
        if handler is not None:
            handler(draft, child)


def _picture(draft: Draft, element: Node) -> None:
    url = "" if draft.image_later else absolute(draft.base, element, element.get("url"))
    draft.pictures.append((element, url))
    draft.image_later = draft.image_later or url


def _player(draft: Draft, element: Node) -> None:
    """The page that plays a recording; a picture of it may stand inside."""
    draft.player = draft.player or absolute(draft.base, element, element.get("url"))
    thumbnails_inside(draft, element)


def _names_a_picture(url: str) -> bool:
    path = url.partition("?")[0].lower()
    return path.endswith((".jpg", ".jpeg", ".png", ".gif", ".webp", ".avif"))


def _media_group(draft: Draft, element: Node) -> None:
    for child in element:
        handler = _IN_MEDIA.get(canonical(child.tag))
        if handler is not None:
            handler(draft, child)


def _media_description(draft: Draft, element: Node) -> None:
    if not draft.caption:
        html = (element.get("type") or "").lower() == "html"
        draft.caption = markup_of(element) if html else plain_of(element, lines=True)


def _itunes_duration(draft: Draft, element: Node) -> None:
    draft.seconds = draft.seconds or duration(element.text)


def _season(draft: Draft, element: Node) -> None:
    draft.season = draft.season or one_line(element.text)[:20]


def _episode(draft: Draft, element: Node) -> None:
    draft.episode = draft.episode or one_line(element.get("display") or element.text)[:20]


def _episode_type(draft: Draft, element: Node) -> None:
    draft.episode_type = one_line(element.text).lower()


def _transcript(draft: Draft, element: Node) -> None:
    add_enclosure(draft, element, element.get("url"), element.get("type"), None, title="Transcript")


def _chapters(draft: Draft, element: Node) -> None:
    add_enclosure(draft, element, element.get("url"), element.get("type"), None, title="Chapters")


def _simple_chapters(draft: Draft, element: Node) -> None:
    """Podlove Simple Chapters, inline in the feed."""
    draft.chapters = draft.chapters or [
        (duration(one.get("start")) or 0, title, absolute(draft.base, one, one.get("href")))
        for one in element
        if canonical(one.tag) == "psc:chapter" and (title := one_line(one.get("title")))
    ]


def _origin(draft: Draft, element: Node) -> None:
    """The article's own address, of which a feed proxy makes one of its own."""
    draft.origin = draft.origin or absolute(draft.base, element, element.text)


def _taken_from(draft: Draft, element: Node) -> None:
    """An address, or a name."""
    text = one_line(element.text)
    if text.startswith(("http://", "https://")):
        draft.publisher_url = draft.publisher_url or absolute(draft.base, element, text)
    else:
        draft.publisher = draft.publisher or line_of_either(text)


def canonical_link(draft: Draft, element: Node) -> None:
    """What an author who publishes in several places says is the first of them."""
    draft.origin = draft.origin or absolute(draft.base, element, element.get("href"))


def _replies(draft: Draft, element: Node) -> None:
    """An Atom link inside another format."""
    rel = (element.get("rel") or "alternate").lower()
    href = element.get("href")
    if rel == "alternate":
        draft.other_url = draft.other_url or absolute(draft.base, element, href)
    elif rel == "replies":
        draft.comments_url = draft.comments_url or absolute(draft.base, element, href)
    elif rel == "canonical":
        canonical_link(draft, element)
    elif rel == "enclosure":
        add_enclosure(draft, element, href, element.get("type"), element.get("length"))


def _atom_author(draft: Draft, element: Node) -> None:
    for child in element:
        if canonical(child.tag) == "atom:name":
            draft.credited.append(one_line(child.text))


def thumbnails_inside(draft: Draft, element: Node) -> None:
    """Of what is not known: a picture may stand at any depth."""
    for one in element.iter():
        if canonical(one.tag) == "media:thumbnail":
            _thumbnail(draft, one)


_IN_MEDIA = {
    "media:group": _media_group,
    "media:content": _media_content,
    "media:thumbnail": _thumbnail,
    "media:player": _player,
    "media:title": _other_title,
    "media:description": _media_description,
    "media:keywords": _keywords,
    "media:category": category,
}

_IN_CONTENT = {
    name: handler
    for name, handler in _IN_MEDIA.items()
    if name not in {"media:title", "media:description"}
}

ARTICLE = {
    **_IN_MEDIA,
    "dc:title": _other_title,
    "dc:creator": _creator,
    "dc:author": _creator,
    "dc:date": _dated,
    "dc:subject": category,
    "dc:language": _language,
    "dc:description": _other_summary,
    "dc:source": _taken_from,
    "dcterms:created": created,
    "dcterms:issued": published,
    "dcterms:modified": updated,
    "content:encoded": content,
    "itunes:title": _other_title,
    "itunes:author": credited,
    "itunes:summary": _other_summary,
    "itunes:subtitle": _subtitle,
    "itunes:image": _itunes_image,
    "itunes:keywords": _keywords,
    "itunes:category": _itunes_category,
    "itunes:duration": _itunes_duration,
    "itunes:season": _season,
    "itunes:episode": _episode,
    "itunes:episodetype": _episode_type,
    "podcast:season": _season,
    "podcast:episode": _episode,
    "podcast:transcript": _transcript,
    "podcast:chapters": _chapters,
    "psc:chapters": _simple_chapters,
    "feedburner:origlink": _origin,
    "pheedo:origlink": _origin,
    "atom:link": _replies,
    "atom:author": _atom_author,
    "atom:updated": updated,
    "atom:published": published,
    "atom:summary": summary,
    "atom:content": content,
    "xhtml:body": content,
}
