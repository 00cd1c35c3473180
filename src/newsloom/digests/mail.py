"""A digest as an e-mail: plain text and HTML in one message. Pure.

The HTML is for clients that drop style sheets (all styles stand in the elements), that know no
width but a table's, that cut a message above 102 kB (the text is far below, and what would be above
is left to the page), and that show no pictures (there are none, so nothing tells who reads it).
"""

from __future__ import annotations

import hashlib
import html
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

from newsloom.digests import formats
from newsloom.digests.formats import clean, web_address
from newsloom.digests.links import Links
from newsloom.digests.values import DigestArticle, DigestTopic, KeptDigest, Sentence
from newsloom.kernel.ids import DigestId

# Gmail cuts a message off behind 102 kB of HTML.
MOST_HTML = 95_000
LONGEST_TITLE = 300
# What a header holds stays on one line: folded, a long address of the web becomes encoded words,
# and no mail server finds the one to end these mails with.
UNFOLDED = SMTP.clone(max_line_length=998)

FONT = "font-family:Georgia,'Times New Roman',serif;"
SMALL = "font-family:Arial,Helvetica,sans-serif;font-size:13px;line-height:18px;color:#595959;"
H2 = f"{FONT}font-size:20px;line-height:26px;margin:28px 0 8px 0;padding:0;color:#1a1a1a;"
H3 = f"{FONT}font-size:17px;line-height:23px;margin:18px 0 2px 0;padding:0;color:#1a1a1a;"
P = f"{FONT}font-size:16px;line-height:24px;margin:4px 0;padding:0;color:#1a1a1a;"
LINK = "color:#0b57d0;text-decoration:underline;"


def message(
    kept: KeptDigest, to: str, sender: str, links: Links, token: str, at: datetime
) -> EmailMessage:
    """The mail. Its Message-ID is of the digest and the address: the same again when it is sent
    again, so that a mail server or a client can tell.

    Raises ValueError for an address that is none.
    """
    return letter(
        Letter(
            name=f"digest-{kept.id}",
            title=kept.digest.title,
            plain=_plain(kept, links, token),
            html=as_html(kept, links, token),
            leave=links.leave(token),
        ),
        to,
        sender,
        token,
        at,
    )


@dataclass(frozen=True, slots=True)
class Letter:
    """What is in a mail. `leave` is the address that ends such mails; "": there is none."""

    name: str  # as digest-3: with the address and the token, what its Message-ID is of
    title: str
    plain: str
    html: str
    leave: str


def letter(letter: Letter, to: str, sender: str, token: str, at: datetime) -> EmailMessage:
    """The mail. Raises ValueError for an address that is none."""
    mail = EmailMessage(policy=SMTP)
    mail["From"] = _address(sender, "Newsloom")
    mail["To"] = _address(to, "")
    mail["Subject"] = clean(letter.title)[:200]
    mail["Date"] = format_datetime(at)
    mail["Message-ID"] = f"<{_id(letter.name, to, token)}@{_domain(sender)}>"
    mail["Auto-Submitted"] = "auto-generated"
    if letter.leave:
        mail["List-Unsubscribe"] = f"<{letter.leave}>"
        mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    mail.set_content(letter.plain, cte="quoted-printable")
    mail.add_alternative(letter.html, subtype="html", cte="quoted-printable")
    mail.policy = UNFOLDED
    return mail


def address(text: str) -> str:
    """A mail address as it may be sent to. Raises ValueError with words for a person."""
    trimmed = text.strip()
    try:
        found = Address(addr_spec=trimmed)
    except Exception as error:  # the parser has several of its own
        raise ValueError(f"{trimmed!r:.80} is no mail address.") from error
    if not found.username or ("." not in found.domain and found.domain != "localhost"):
        raise ValueError(f"{trimmed!r:.80} is no mail address.")
    if any(sign.isspace() or not sign.isprintable() for sign in trimmed) or len(trimmed) > 254:
        raise ValueError(f"{trimmed!r:.80} is no mail address.")
    return trimmed


def _address(text: str, name: str) -> Address:
    return Address(name, addr_spec=address(text))


def _domain(sender: str) -> str:
    return address(sender).rpartition("@")[2]


def _id(name: str, to: str, token: str) -> str:
    whole = f"{name}\0{to}\0{token}"
    return f"{name}-{hashlib.blake2b(whole.encode(), digest_size=8).hexdigest()}"


def _plain(kept: KeptDigest, links: Links, token: str) -> str:
    # A mail is read elsewhere: what is on this machine alone is no address there.
    text = formats.plain(replace(kept.digest, address=links.base))
    if links.base:
        text += f"\nRead and rate it: {links.digest(kept.id)}\n"
        text += f"No more of these mails: {links.leave(token)}\n"
    return text


def as_html(kept: KeptDigest, links: Links, token: str) -> str:
    """The HTML part."""
    whole = "".join(_shortened(kept, links))
    page = links.digest(kept.id)
    return whole_html(kept.digest.title, whole, page, "Read and rate it", links.leave(token))


def whole_html(title: str, body: str, page: str, words: str, leave: str) -> str:
    """The HTML part around what it says. `page`: where it is read in Newsloom; "": not known."""
    foot = ""
    if page:
        there, end = html.escape(page), html.escape(leave)
        foot = (
            f'<p style="{SMALL}margin-top:28px"><a href="{there}" style="{LINK}">{words} in '
            f'Newsloom</a> &middot; <a href="{end}" style="{LINK}">No more of these mails</a></p>'
        )
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f"<title>{html.escape(clean(title))}</title></head>"
        '<body style="margin:0;padding:0;background-color:#ffffff">'
        '<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr>'
        '<td align="center" style="padding:16px">'
        '<table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0" '
        'style="width:100%;max-width:600px"><tr><td align="left">'
        f"{body}{foot}</td></tr></table></td></tr></table></body></html>\n"
    )


def _shortened(kept: KeptDigest, links: Links) -> Iterator[str]:
    """Part by part, as long as it is short enough for every client."""
    left = MOST_HTML
    for part in _parts(kept, links):
        left -= len(part.encode())
        if left < 0:
            yield f'<p style="{SMALL}">The rest is on its page.</p>'
            return
        yield part


def _parts(kept: KeptDigest, links: Links) -> Iterator[str]:
    digest = kept.digest
    yield f'<h1 style="{FONT}font-size:24px;line-height:30px;margin:0;color:#1a1a1a">'
    yield f"{_text(digest.title)}</h1>"
    yield f'<p style="{SMALL}">{_text(formats.window(digest))}</p>'
    if digest.relaxed:
        yield f'<p style="{SMALL}">{_text(formats.RELAXED)}</p>'
    for title, topics in (
        (formats.FOLLOWED, digest.followed),
        ("Top Stories", digest.top),
        ("Noteworthy", digest.noteworthy),
    ):
        if topics:
            yield f'<h2 style="{H2}">{title}</h2>'
        for topic in topics:
            yield _topic(kept.id, topic, links)
    if digest.mentioned:
        yield f'<h2 style="{H2}">Also Mentioned</h2>'
        for topic in digest.mentioned:
            by = _text(topic.lead.publisher)
            yield f'<p style="{P}">{_anchor(topic.lead)} <span style="{SMALL}">{by}</span></p>'
    lines = formats.report(digest)
    if lines:
        yield f'<h2 style="{H2}">Feed Health Report</h2>'
    for line in lines:
        yield f'<p style="{SMALL}">{_text(line)}</p>'


def _topic(digest: DigestId, topic: DigestTopic, links: Links) -> str:
    title = _text(topic.label) if topic.label else _anchor(topic.lead)
    if page := links.story(topic.story):
        title = f'<a href="{html.escape(page)}" style="{LINK}">{title}</a>'
    told = f"{_text(formats.credit(topic.lead))}, importance {topic.importance:.0f}"
    told += _text(formats.remarks(topic))
    lead = f"{_anchor(topic.lead)}<br>" if topic.label else ""
    said = " ".join(_sentence(one, by) for one, by in formats.attributed(topic))
    more = f'<p style="{SMALL}">Related: {_text(formats.related(topic))}</p>'
    rate = ""
    if links.base:
        href = html.escape(links.article(digest, topic.lead.id))
        rate = f' &middot; <a href="{href}" style="{LINK}">More or less of this</a>'
    return (
        f'<h3 style="{H3}">{title}</h3><p style="{SMALL}">{lead}{told}{rate}</p>'
        + (f'<p style="{P}">{said}</p>' if said else "")
        + (more if topic.related else "")
    )


def _sentence(sentence: Sentence, by: str) -> str:
    marked = f"<b>New:</b> {_text(sentence.text)}" if sentence.new else _text(sentence.text)
    return f'{marked} <span style="{SMALL}">{_text(by)}</span>' if by else marked


def _text(text: str) -> str:
    return html.escape(clean(text))


def _anchor(article: DigestArticle) -> str:
    title = _text(article.title[:LONGEST_TITLE]) or "Untitled"
    url = web_address(article.url)
    return f'<a href="{html.escape(url)}" style="{LINK}">{title}</a>' if url else title
