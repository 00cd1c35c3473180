"""An e-mail: plain text and HTML in one message, with an address that unsubscribes. Pure.

The HTML is for clients that drop style sheets (all styles are on the elements; a sheet has only the
colours of dark mode) and that know no width but a table's. Pictures are parts of the mail: they
show where a client loads nothing from elsewhere, and tell nobody who reads.
"""

from __future__ import annotations

import hashlib
import html
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

# What a header holds stays on one line: folded, a long address of the web becomes encoded words,
# and no mail server finds the one to end these mails with.
UNFOLDED = SMTP.clone(max_line_length=998)

FONT = "font-family:Georgia,'Times New Roman',serif;"
SMALL = "font-family:Arial,Helvetica,sans-serif;font-size:13px;line-height:18px;color:#595959;"
H2 = f"{FONT}font-size:20px;line-height:26px;margin:28px 0 8px 0;padding:0;color:#1a1a1a;"
H3 = f"{FONT}font-size:17px;line-height:23px;margin:18px 0 2px 0;padding:0;color:#1a1a1a;"
P = f"{FONT}font-size:16px;line-height:24px;margin:4px 0;padding:0;color:#1a1a1a;"
LINK = "color:#0b57d0;text-decoration:underline;"
PICTURE = "float:right;margin:4px 0 8px 16px;border:0;"
# Of Apple Mail, Outlook for Mac and Thunderbird; others turn colours themselves, or show light.
DARK = (
    "@media (prefers-color-scheme:dark){body{background-color:#1c1c1e!important}"
    "h1,h2,h3,p{color:#e8e8ea!important}span{color:#b0b0b4!important}a{color:#8ab4f8!important}}"
)


@dataclass(frozen=True, slots=True)
class Letter:
    """What is in a mail. `leave` is the address that ends such mails; "": there is none."""

    name: str  # as digest-3: with the address and the token, what its Message-ID is of
    title: str
    plain: str
    html: str
    leave: str
    pictures: Mapping[str, bytes] = field(default_factory=dict)  # JPEG by `cid` in the HTML


def letter(letter: Letter, to: str, sender: str, token: str, at: datetime) -> EmailMessage:
    """The mail. Raises ValueError for an address that is none."""
    mail = EmailMessage(policy=SMTP)
    mail["From"] = _address(sender, "Newsloom")
    mail["To"] = _address(to, "")
    mail["Subject"] = " ".join(letter.title.split())[:200]
    mail["Date"] = format_datetime(at)
    domain = address(sender).rpartition("@")[2]
    mail["Message-ID"] = f"<{_id(letter.name, to, token)}@{domain}>"
    mail["Auto-Submitted"] = "auto-generated"
    if letter.leave:
        mail["List-Unsubscribe"] = f"<{letter.leave}>"
        mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    mail.set_content(letter.plain, cte="quoted-printable")
    mail.add_alternative(letter.html, subtype="html", cte="quoted-printable")
    (_text, shown) = mail.iter_parts()
    for cid, body in letter.pictures.items():
        shown.add_related(body, "image", "jpeg", cid=f"<{cid}>", disposition="inline")
    mail.policy = UNFOLDED
    return mail


def address(text: str) -> str:
    """A mail address as it may be sent to. Raises ValueError with words for a person."""
    trimmed = text.strip()
    try:
        found = Address(addr_spec=trimmed)
    except Exception as error:  # the parser has several of its own
        raise ValueError(f"{trimmed!r:.80} is not an email address.") from error
    if not found.username or ("." not in found.domain and found.domain != "localhost"):
        raise ValueError(f"{trimmed!r:.80} is not an email address.")
    if any(sign.isspace() or not sign.isprintable() for sign in trimmed) or len(trimmed) > 254:
        raise ValueError(f"{trimmed!r:.80} is not an email address.")
    return trimmed


def _address(text: str, name: str) -> Address:
    return Address(name, addr_spec=address(text))


def _id(name: str, to: str, token: str) -> str:
    whole = f"{name}\0{to}\0{token}"
    return f"{name}-{hashlib.blake2b(whole.encode(), digest_size=8).hexdigest()}"


def whole_html(title: str, body: str, page: str, words: str, leave: str) -> str:
    """The HTML part around what it says. `page`: where it is read in Newsloom; "": not known."""
    foot = ""
    if page:
        there, end = html.escape(page), html.escape(leave)
        foot = (
            f'<p style="{SMALL}margin-top:28px"><a href="{there}" style="{LINK}">{words} in '
            f'Newsloom</a> &middot; <a href="{end}" style="{LINK}">Unsubscribe</a></p>'
        )
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f"<title>{html.escape(title)}</title><style>{DARK}</style></head>"
        '<body style="margin:0;padding:0;background-color:#ffffff">'
        '<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr>'
        '<td align="center" style="padding:16px">'
        '<table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0" '
        'style="width:100%;max-width:600px"><tr><td align="left">'
        f"{body}{foot}</td></tr></table></td></tr></table></body></html>\n"
    )
