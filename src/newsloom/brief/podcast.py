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
from urllib.parse import urlsplit
from uuid import UUID, uuid5
from xml.sax.saxutils import escape, quoteattr

from newsloom.brief.forms import ending
from newsloom.brief.links import BriefLinks
from newsloom.digest.formats import clean, web_address
from newsloom.types import BriefScript, KeptBrief, SoundFile

# The name of a podcast among a reader's secret addresses, before its language.
PREFIX = "brief:"
NEVER = datetime(1970, 1, 1, tzinfo=UTC)
# Of every podcast:guid, by the specification of the namespace.
NAMESPACE = UUID("ead4c236-bf58-58c6-a2c6-a6b28d128cb6")
_SPACES = (
    'xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" '
    'xmlns:podcast="https://podcastindex.org/namespace/1.0" '
    'xmlns:atom="http://www.w3.org/2005/Atom" '
    'xmlns:content="http://purl.org/rss/1.0/modules/content/"'
)
# Of a title; Apple shows no more.
LONGEST_TITLE = 250


def podcast(kept: Sequence[KeptBrief], language: str, links: BriefLinks, token: str) -> str:
    """The feed, the newest brief first; those without a sound are left out."""
    heard = [one for one in kept if one.sound and one.sound.files]
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        f'<rss version="2.0" {_SPACES}>',
        "<channel>",
        *_channel(heard, language, links, token),
        *(line for one in heard for line in _item(one, links, token)),
        "</channel>",
        "</rss>",
    ]
    return "\n".join(lines) + "\n"


def changed_at(kept: Sequence[KeptBrief]) -> datetime:
    """When the newest was made."""
    return max((one.made_at for one in kept), default=NEVER)


def _channel(
    kept: Sequence[KeptBrief], language: str, links: BriefLinks, token: str
) -> Iterator[str]:
    address, cover = links.podcast(token), links.podcast(token, "cover.png")
    title = f"Newsloom brief ({language})"
    told = "What matters in the feeds that you read, spoken. Made for you alone."
    # Its page, or where there is none the feed itself: a link must be there.
    yield f"<title>{escape(title)}</title>"
    yield f"<link>{escape(f'{links.base}/briefs' if links.base else address)}</link>"
    yield f"<description>{told}</description>"
    yield f"<language>{escape(language)}</language>"
    yield f"<lastBuildDate>{_date(changed_at(kept))}</lastBuildDate>"
    yield "<generator>Newsloom</generator>"
    yield f"<image><url>{escape(cover)}</url><title>{escape(title)}</title>"
    yield f"<link>{escape(f'{links.base}/briefs' if links.base else address)}</link></image>"
    yield f'<atom:link rel="self" type="application/rss+xml" href={quoteattr(address)}/>'
    yield "<itunes:author>Newsloom</itunes:author>"
    yield f"<itunes:image href={quoteattr(cover)}/>"
    yield "<itunes:explicit>false</itunes:explicit>"
    yield '<itunes:category text="News"><itunes:category text="Daily News"/></itunes:category>'
    yield "<itunes:type>episodic</itunes:type>"
    yield "<itunes:block>Yes</itunes:block>"  # of one reader: no directory has it
    yield f"<podcast:guid>{guid_of(address)}</podcast:guid>"
    yield "<podcast:locked>yes</podcast:locked>"
    yield "<podcast:block>yes</podcast:block>"
    yield "<podcast:medium>podcast</podcast:medium>"


def guid_of(address: str) -> str:
    """The podcast's own: of its address without the scheme and slashes at its end."""
    parts = urlsplit(address)
    return str(uuid5(NAMESPACE, f"{parts.netloc}{parts.path}".rstrip("/")))


def episode_guid(kept: KeptBrief, token: str) -> str:
    """The same as long as the brief is there. It tells nothing of the secret address, and another
    podcast of the reader's has other ones."""
    hashed = hashlib.blake2b(f"{token}\0{kept.id}".encode(), digest_size=12).hexdigest()
    return f"urn:newsloom:brief:{hashed}"


def _item(kept: KeptBrief, links: BriefLinks, token: str) -> Iterator[str]:
    assert kept.sound is not None  # others are left out above
    first, *others = kept.sound.files
    title = clean(kept.script.title)[:LONGEST_TITLE]
    yield "<item>"
    yield f"<title>{escape(title)}</title>"
    if page := links.page(kept.id):
        yield f"<link>{escape(page)}</link>"
    yield f'<guid isPermaLink="false">{episode_guid(kept, token)}</guid>'
    yield f"<pubDate>{_date(kept.made_at)}</pubDate>"
    notes = "\n".join(_notes(kept.script))
    yield f"<description>{escape(_summary(kept.script))}</description>"
    yield f"<content:encoded>{escape(notes)}</content:encoded>"
    yield (
        f"<enclosure url={quoteattr(_address(kept, first, links, token))} "
        f'length="{first.bytes}" type="{first.media_type}"/>'
    )
    yield f"<itunes:duration>{round(kept.sound.seconds)}</itunes:duration>"
    yield "<itunes:explicit>false</itunes:explicit>"
    yield "<itunes:episodeType>full</itunes:episodeType>"
    yield f"<itunes:image href={quoteattr(links.podcast(token, 'cover.png'))}/>"
    for name, kind in (("vtt", "text/vtt"), ("html", "text/html")):
        url = quoteattr(links.podcast(token, f"{kept.id}.{name}"))
        captions = ' rel="captions"' if name == "vtt" else ""
        language = quoteattr(kept.script.language)
        yield f'<podcast:transcript url={url} type="{kind}" language={language}{captions}/>'
    url = quoteattr(links.podcast(token, f"{kept.id}.json"))
    yield f'<podcast:chapters url={url} type="application/json+chapters"/>'
    for file in others:
        yield (
            f'<podcast:alternateEnclosure type="{file.media_type}" length="{file.bytes}" '
            f"lang={quoteattr(kept.script.language)}>"
            f"<podcast:source uri={quoteattr(_address(kept, file, links, token))}/>"
            "</podcast:alternateEnclosure>"
        )
    yield "</item>"


def _address(kept: KeptBrief, file: SoundFile, links: BriefLinks, token: str) -> str:
    return links.podcast(token, f"{kept.id}.{ending(file)}")


def _summary(script: BriefScript) -> str:
    titles = [clean(one.title) for one in script.chapters if one.title and one.key]
    return "; ".join(titles) or clean(script.title)


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
            linked = f"<a href={quoteattr(url)}>{escape(name)}</a>" if url else escape(name)
            yield f"<li>{linked}</li>"
        yield "</ul>"


def _date(moment: datetime) -> str:
    return format_datetime(moment.astimezone(UTC))
