"""Digests as an Atom feed (RFC 4287), for any feed reader. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from newsloom.digests import formats
from newsloom.digests.links import Links
from newsloom.digests.values import ArchivedDigest
from newsloom.kernel.text.xml import ATOM, DECLARATION, Markup, element


def atom(digests: Sequence[ArchivedDigest], links: Links, token: str, today: datetime) -> str:
    """A feed of digests, the newest first; `today` is its date as long as it has none."""
    updated = max((one.made_at for one in digests), default=today)
    address = links.feed(token)
    return DECLARATION + element(
        "feed",
        {"xmlns": ATOM, "xml:lang": "en"},
        element("title", "Newsloom digests"),
        element("id", _tag(token)),
        element("link", {"rel": "self", "type": "application/atom+xml", "href": address}),
        element("updated", updated.isoformat()),
        element("author", element("name", "Newsloom")),
        *(_entry(one, links, token) for one in digests),
    )


def _entry(digest: ArchivedDigest, links: Links, token: str) -> Markup:
    page = links.digest(digest.id)
    return element(
        "entry",
        element("title", f"{formats.clean(digest.digest.title)}, {formats.day(digest.digest)}"),
        element("id", f"{_tag(token)}:{digest.id}"),
        element("link", {"href": page}) if page else "",
        element("updated", digest.made_at.isoformat()),
        element(
            "content", {"type": "html"}, "\n".join(formats.web_body(digest.digest, pictures=True))
        ),
    )


def _tag(token: str) -> str:
    """An id that tells nothing of the secret address."""
    import hashlib

    return f"urn:newsloom:digests:{hashlib.blake2b(token.encode(), digest_size=8).hexdigest()}"
