"""A reader's briefs in one language as a podcast: RSS 2.0 with the tags of iTunes and Podcasting
2.0. Pure.

Tags: https://www.rssboard.org/rss-specification, https://podcasters.apple.com/support/823 and
https://podcasting2.org/docs/podcast-namespace.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from email.utils import format_datetime
from html import escape
from urllib.parse import urlsplit
from uuid import UUID, uuid5

from newsloom.briefs.forms import ending
from newsloom.briefs.links import BriefLinks
from newsloom.briefs.values import ArchivedBrief, BriefScript, SoundFile
from newsloom.digests.formats import clean, web_address
from newsloom.kernel.text.xml import ATOM, DECLARATION, Markup, element

# The name of a podcast among a reader's secret addresses, before its language.
PREFIX = "brief:"
# Of every podcast:guid, by the specification of the namespace.
NAMESPACE = UUID("ead4c236-bf58-58c6-a2c6-a6b28d128cb6")
_NAMESPACES = {
    "xmlns:itunes": "http://www.itunes.com/dtds/podcast-1.0.dtd",
    "xmlns:podcast": "https://podcastindex.org/namespace/1.0",
    "xmlns:atom": ATOM,
    "xmlns:content": "http://purl.org/rss/1.0/modules/content/",
}
# Of a title; Apple shows no more.
LONGEST_TITLE = 250


def podcast(
    kept: Sequence[ArchivedBrief], language: str, links: BriefLinks, token: str, changed: datetime
) -> str:
    """The feed, the newest brief first; those without a sound are left out."""
    briefs = [one for one in kept if one.sound and one.sound.files]
    return DECLARATION + element(
        "rss",
        {"version": "2.0"},
        _NAMESPACES,
        element(
            "channel",
            *_channel(language, links, token, changed),
            *(element("item", *_item_parts(one, links, token)) for one in briefs),
        ),
    )


def _channel(language: str, links: BriefLinks, token: str, changed: datetime) -> Iterator[Markup]:
    address, cover = links.podcast(token), links.podcast(token, "cover.png")
    title = element("title", f"Newsloom brief ({language})")
    # Its page, or where there is none the feed itself: a link must be there.
    link = element("link", f"{links.base}/briefs" if links.base else address)
    yield title
    yield link
    yield element("description", "A spoken summary of your feeds.")
    yield element("language", language)
    yield element("lastBuildDate", _date(changed))
    yield element("generator", "Newsloom")
    yield element("image", element("url", cover), title, link)
    yield element("atom:link", {"rel": "self", "type": "application/rss+xml", "href": address})
    yield element("itunes:author", "Newsloom")
    yield element("itunes:image", {"href": cover})
    yield element("itunes:explicit", "false")
    yield element(
        "itunes:category", {"text": "News"}, element("itunes:category", {"text": "Daily News"})
    )
    yield element("itunes:type", "episodic")
    yield element("itunes:block", "Yes")  # of one reader: no directory has it
    yield element("podcast:guid", guid_of(address))
    yield element("podcast:locked", "yes")
    yield element("podcast:block", "yes")
    yield element("podcast:medium", "podcast")


def guid_of(address: str) -> str:
    """The podcast's own: of its address without the scheme and slashes at its end."""
    parts = urlsplit(address)
    return str(uuid5(NAMESPACE, f"{parts.netloc}{parts.path}".rstrip("/")))


def _item_parts(brief: ArchivedBrief, links: BriefLinks, token: str) -> Iterator[Markup]:
    assert brief.sound is not None  # others are left out above
    first, *others = brief.sound.files
    yield element("title", clean(brief.script.title)[:LONGEST_TITLE])
    if page := links.page(brief.id):
        yield element("link", page)
    # The same as long as the brief is there. It tells nothing of the secret address, and another
    # podcast of the reader's has other ones.
    hashed = hashlib.blake2b(f"{token}\0{brief.id}".encode(), digest_size=12).hexdigest()
    yield element("guid", {"isPermaLink": "false"}, f"urn:newsloom:brief:{hashed}")
    yield element("pubDate", _date(brief.made_at))
    titles = [clean(one.title) for one in brief.script.chapters if one.title and one.key]
    yield element("description", "; ".join(titles) or clean(brief.script.title))
    yield element("content:encoded", "\n".join(_notes(brief.script)))
    yield element("enclosure", {"url": _address(brief, first, links, token)}, _size_and_type(first))
    yield element("itunes:duration", str(round(brief.sound.seconds)))
    yield element("itunes:explicit", "false")
    yield element("itunes:episodeType", "full")
    yield element("itunes:image", {"href": links.podcast(token, "cover.png")})
    for name, kind, more in (("vtt", "text/vtt", {"rel": "captions"}), ("html", "text/html", {})):
        url = links.podcast(token, f"{brief.id}.{name}")
        language = {"language": brief.script.language}
        yield element("podcast:transcript", {"url": url, "type": kind}, language, more)
    url = links.podcast(token, f"{brief.id}.json")
    yield element("podcast:chapters", {"url": url, "type": "application/json+chapters"})
    for file in others:
        yield element(
            "podcast:alternateEnclosure",
            _size_and_type(file),
            {"lang": brief.script.language},
            element("podcast:source", {"uri": _address(brief, file, links, token)}),
        )


def _size_and_type(file: SoundFile) -> dict[str, str]:
    return {"length": str(file.bytes), "type": file.media_type}


def _address(brief: ArchivedBrief, file: SoundFile, links: BriefLinks, token: str) -> str:
    return links.podcast(token, f"{brief.id}.{ending(file)}")


def _notes(script: BriefScript) -> Iterator[str]:
    """Its chapters and what each rests on, as HTML."""
    by_id = {one.id: one for one in script.articles}
    if script.notice:
        yield f"<p>{escape(clean(script.notice))}</p>"
    for chapter in script.chapters:
        ids = dict.fromkeys(one for line in chapter.lines for one in line.articles)
        found = [by_id[one] for one in ids if one in by_id]
        if not found:
            continue
        yield f"<h3>{escape(clean(chapter.title))}</h3>"
        yield "<ul>"
        for article in found:
            name = f"{clean(article.title)} ({clean(article.publisher)})"
            url = web_address(article.url)
            linked = f'<a href="{escape(url)}">{escape(name)}</a>' if url else escape(name)
            yield f"<li>{linked}</li>"
        yield "</ul>"


def _date(moment: datetime) -> str:
    return format_datetime(moment.astimezone(UTC))
