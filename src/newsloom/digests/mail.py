"""A digest as an e-mail: plain text and HTML in one message. Pure.

The HTML is for clients that cut a message above 102 kB: what would be above is left to the page.
"""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from email.message import EmailMessage

from newsloom.digests import formats
from newsloom.digests.formats import clean, web_address
from newsloom.digests.links import Links
from newsloom.digests.values import ArchivedDigest, Digest, DigestArticle, DigestTopic
from newsloom.kernel.delivery.mail import (
    FONT,
    H2,
    H3,
    LINK,
    PICTURE,
    SMALL,
    Letter,
    P,
    letter,
    whole_html,
)
from newsloom.kernel.ids import DigestId

# Gmail cuts a message off behind 102 kB of HTML.
MOST_HTML = 95_000
LONGEST_TITLE = 300
# Of some 10 kB each.
MOST_PICTURES = 12


def message(
    digest: ArchivedDigest,
    to: str,
    sender: str,
    links: Links,
    token: str,
    at: datetime,
    pictures: Mapping[str, bytes] | None = None,
) -> EmailMessage:
    """The mail. Its Message-ID is of the digest and the address: the same again when it is sent
    again, so that a mail server or a client can tell. `pictures`: JPEG by its address.

    Raises ValueError for an address that is none.
    """
    shown = {url: body for url in pictured(digest.digest) if (body := (pictures or {}).get(url))}
    names = {url: f"picture-{number}@newsloom" for number, url in enumerate(shown)}
    return letter(
        Letter(
            name=f"digest-{digest.id}",
            title=clean(digest.digest.title),
            plain=_plain(digest, links, token),
            html=as_html(digest, links, token, names),
            leave=links.leave(token),
            pictures={names[url]: body for url, body in shown.items()},
        ),
        to,
        sender,
        token,
        at,
    )


def pictured(digest: Digest) -> list[str]:
    """Addresses of the pictures that a mail shows, of the topics that come first."""
    urls = dict.fromkeys(one.lead.picture for _, those in formats.sections(digest) for one in those)
    return [one for one in urls if one][:MOST_PICTURES]


def _plain(digest: ArchivedDigest, links: Links, token: str) -> str:
    # A mail is read elsewhere: what is on this machine alone is no address there.
    text = formats.plain(replace(digest.digest, address=links.base))
    if links.base:
        text += f"\nRead and rate: {links.digest(digest.id)}\n"
        text += f"Unsubscribe: {links.leave(token)}\n"
    return text


def as_html(
    digest: ArchivedDigest, links: Links, token: str, pictures: Mapping[str, str] | None = None
) -> str:
    """The HTML part. `pictures`: the `cid` of each by its address."""
    whole = "".join(_shortened(digest, links, pictures or {}))
    page = links.digest(digest.id)
    return whole_html(clean(digest.digest.title), whole, page, "Read and rate", links.leave(token))


def _shortened(digest: ArchivedDigest, links: Links, pictures: Mapping[str, str]) -> Iterator[str]:
    """Part by part, as long as it is short enough for every client."""
    left = MOST_HTML
    for part in _parts(digest, links, pictures):
        left -= len(part.encode())
        if left < 0:
            yield f'<p style="{SMALL}">The rest is on the web page.</p>'
            return
        yield part


def _parts(archived: ArchivedDigest, links: Links, pictures: Mapping[str, str]) -> Iterator[str]:
    digest = archived.digest
    yield f'<h1 style="{FONT}font-size:24px;line-height:30px;margin:0;color:#1a1a1a">'
    yield f"{escaped(digest.title)}</h1>"
    yield f'<p style="{SMALL}">{escaped(formats.window(digest))}</p>'
    if digest.relaxed:
        yield f'<p style="{SMALL}">{escaped(formats.RELAXED)}</p>'
    for title, topics in formats.sections(digest):
        yield f'<h2 style="{H2}">{title}</h2>'
        for topic in topics:
            yield _topic(archived.id, topic, links, pictures.get(topic.lead.picture, ""))
    for title, articles in formats.lists(digest):
        yield f'<h2 style="{H2}">{title}</h2>'
        for one in articles:
            yield _line(one)
    lines = formats.report(digest)
    if lines:
        yield f'<h2 style="{H2}">Feed health</h2>'
    for line in lines:
        yield f'<p style="{SMALL}">{escaped(line)}</p>'


def _topic(digest: DigestId, topic: DigestTopic, links: Links, cid: str) -> str:
    title, lead = _anchor(topic.lead), ""
    if topic.page:
        lead, title = f"{title}<br>", escaped(topic.label)
        if page := links.page(topic.page):
            title = f'<a href="{html.escape(page)}" style="{LINK}">{title}</a>'
    rate = ""
    if links.base:
        href = html.escape(links.article(digest, topic.lead.id))
        rate = f' &middot; <a href="{href}" style="{LINK}">Rate</a>'
    byline = f"{lead}{escaped(formats.byline(topic))}{rate}"
    said = " ".join(
        f'{escaped(one.text)} <span style="{SMALL}">{escaped(by)}</span>'
        if by
        else escaped(one.text)
        for one, by in formats.attributed(topic)
    )
    new = f"<b>{formats.NEW}</b> " if topic.developed else ""
    also = formats.also_by(topic)
    picture = f'<img src="cid:{cid}" width="120" align="right" alt="" style="{PICTURE}">'
    return (
        (picture if cid else "")
        + f'<h3 style="{H3}">{title}</h3><p style="{SMALL}">{byline}</p>'
        + (f'<p style="{P}">{new}{said}</p>' if said else "")
        + (f'<p style="{SMALL}">{escaped(also)}</p>' if also else "")
        + (f'<p style="{SMALL}">{formats.RELATED}</p>' if topic.others else "")
        + "".join(map(_line, topic.others[: formats.MOST_OTHERS]))
    )


def _line(article: DigestArticle) -> str:
    by = escaped(article.publisher)
    return f'<p style="{P}">{_anchor(article)} <span style="{SMALL}">{by}</span></p>'


def escaped(text: str) -> str:
    """In HTML, without what no text should have."""
    return html.escape(clean(text))


def _anchor(article: DigestArticle) -> str:
    title = escaped(article.title[:LONGEST_TITLE]) or "Untitled"
    url = web_address(article.url)
    return f'<a href="{html.escape(url)}" style="{LINK}">{title}</a>' if url else title
