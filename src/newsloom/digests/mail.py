"""A digest as an e-mail: plain text and HTML in one message. Pure.

The HTML is for clients that drop style sheets (all styles stand in the elements), that know no
width but a table's, that cut a message above 102 kB (the text is far below, and what would be above
is left to the page), and that show no pictures (there are none, so nothing tells who reads it).
"""

from __future__ import annotations

import html
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from email.message import EmailMessage

from newsloom.digests import formats
from newsloom.digests.formats import clean, web_address
from newsloom.digests.links import Links
from newsloom.digests.values import ArchivedDigest, DigestArticle, DigestTopic
from newsloom.kernel.delivery.mail import FONT, H2, H3, LINK, SMALL, Letter, P, letter, whole_html
from newsloom.kernel.ids import DigestId

# Gmail cuts a message off behind 102 kB of HTML.
MOST_HTML = 95_000
LONGEST_TITLE = 300


def message(
    digest: ArchivedDigest, to: str, sender: str, links: Links, token: str, at: datetime
) -> EmailMessage:
    """The mail. Its Message-ID is of the digest and the address: the same again when it is sent
    again, so that a mail server or a client can tell.

    Raises ValueError for an address that is none.
    """
    return letter(
        Letter(
            name=f"digest-{digest.id}",
            title=clean(digest.digest.title),
            plain=_plain(digest, links, token),
            html=as_html(digest, links, token),
            leave=links.leave(token),
        ),
        to,
        sender,
        token,
        at,
    )


def _plain(digest: ArchivedDigest, links: Links, token: str) -> str:
    # A mail is read elsewhere: what is on this machine alone is no address there.
    text = formats.plain(replace(digest.digest, address=links.base))
    if links.base:
        text += f"\nRead and rate: {links.digest(digest.id)}\n"
        text += f"Unsubscribe: {links.leave(token)}\n"
    return text


def as_html(digest: ArchivedDigest, links: Links, token: str) -> str:
    """The HTML part."""
    whole = "".join(_shortened(digest, links))
    page = links.digest(digest.id)
    return whole_html(clean(digest.digest.title), whole, page, "Read and rate", links.leave(token))


def _shortened(digest: ArchivedDigest, links: Links) -> Iterator[str]:
    """Part by part, as long as it is short enough for every client."""
    left = MOST_HTML
    for part in _parts(digest, links):
        left -= len(part.encode())
        if left < 0:
            yield f'<p style="{SMALL}">The rest is on the web page.</p>'
            return
        yield part


def _parts(archived: ArchivedDigest, links: Links) -> Iterator[str]:
    digest = archived.digest
    yield f'<h1 style="{FONT}font-size:24px;line-height:30px;margin:0;color:#1a1a1a">'
    yield f"{_text(digest.title)}</h1>"
    yield f'<p style="{SMALL}">{_text(formats.window(digest))}</p>'
    if digest.relaxed:
        yield f'<p style="{SMALL}">{_text(formats.RELAXED)}</p>'
    for title, topics in formats.sections(digest):
        yield f'<h2 style="{H2}">{title}</h2>'
        for topic in topics:
            yield _topic(archived.id, topic, links)
    for title, articles in formats.lists(digest):
        yield f'<h2 style="{H2}">{title}</h2>'
        for one in articles:
            yield _line(one)
    lines = formats.report(digest)
    if lines:
        yield f'<h2 style="{H2}">Feed health</h2>'
    for line in lines:
        yield f'<p style="{SMALL}">{_text(line)}</p>'


def _topic(digest: DigestId, topic: DigestTopic, links: Links) -> str:
    title, lead = _anchor(topic.lead), ""
    if topic.page:
        lead, title = f"{title}<br>", _text(topic.label)
        if page := links.page(topic.page):
            title = f'<a href="{html.escape(page)}" style="{LINK}">{title}</a>'
    rate = ""
    if links.base:
        href = html.escape(links.article(digest, topic.lead.id))
        rate = f' &middot; <a href="{href}" style="{LINK}">Rate</a>'
    byline = f"{lead}{_text(formats.byline(topic))}{rate}"
    said = " ".join(
        f'{_text(one.text)} <span style="{SMALL}">{_text(by)}</span>' if by else _text(one.text)
        for one, by in formats.attributed(topic)
    )
    new = f"<b>{formats.NEW}</b> " if topic.developed else ""
    also = formats.also_by(topic)
    return (
        f'<h3 style="{H3}">{title}</h3><p style="{SMALL}">{byline}</p>'
        + (f'<p style="{P}">{new}{said}</p>' if said else "")
        + "".join(map(_line, topic.others[: formats.MOST_OTHERS]))
        + (f'<p style="{SMALL}">{_text(also)}</p>' if also else "")
    )


def _line(article: DigestArticle) -> str:
    by = _text(article.publisher)
    return f'<p style="{P}">{_anchor(article)} <span style="{SMALL}">{by}</span></p>'


def _text(text: str) -> str:
    return html.escape(clean(text))


def _anchor(article: DigestArticle) -> str:
    title = _text(article.title[:LONGEST_TITLE]) or "Untitled"
    url = web_address(article.url)
    return f'<a href="{html.escape(url)}" style="{LINK}">{title}</a>' if url else title
