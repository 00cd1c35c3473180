"""Digests as an Atom feed (RFC 4287), for any feed reader. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from xml.sax.saxutils import escape, quoteattr

from newsloom.digest import formats
from newsloom.digest.links import Links
from newsloom.types import KeptDigest

NEVER = datetime(1970, 1, 1, tzinfo=UTC)


def atom(kept: Sequence[KeptDigest], links: Links, token: str) -> str:
    """A feed of digests, the newest first."""
    updated = max((one.made_at for one in kept), default=NEVER)
    address = links.feed(token)
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        '<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">',
        "<title>Newsloom digests</title>",
        f"<id>{escape(_tag(token))}</id>",
        f'<link rel="self" type="application/atom+xml" href={quoteattr(address)}/>',
        f"<updated>{updated.isoformat()}</updated>",
        "<author><name>Newsloom</name></author>",
        *(_entry(one, links, token) for one in kept),
        "</feed>",
    ]
    return "\n".join(lines) + "\n"


def _entry(kept: KeptDigest, links: Links, token: str) -> str:
    day = formats.day(kept.digest)
    page = links.digest(kept.id)
    link = f"<link href={quoteattr(page)}/>" if page else ""
    body = "\n".join(formats.web_body(kept.digest))
    return (
        f"<entry><title>{escape(formats.clean(kept.digest.title))}, {day}</title>"
        f"<id>{escape(_tag(token))}:{kept.id}</id>{link}"
        f"<updated>{kept.made_at.isoformat()}</updated>"
        f'<content type="html">{escape(body)}</content></entry>'
    )


def _tag(token: str) -> str:
    """An id that tells nothing of the secret address."""
    import hashlib

    return f"urn:newsloom:digests:{hashlib.blake2b(token.encode(), digest_size=8).hexdigest()}"
