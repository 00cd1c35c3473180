"""What stands for an article within its feed: its guid, or the best the feed offers instead."""

from __future__ import annotations

import hashlib

from newsloom.kernel.text.characters import plain

# Longer than any real id (real feeds: at most 400 characters); an article's body put into <guid>.
_LONGEST = 1_000


def identity(guid: str, canonical_url: str, content_hash: str) -> str:
    """The guid without stray white space, else the address, else the text. Never empty.

    A feed that starts to send guids mostly sends its links as guids, so the fallbacks have no
    prefix of their own.
    """
    found = " ".join(plain(guid).split()) or canonical_url or content_hash
    if len(found) > _LONGEST:
        return hashlib.blake2b(found.encode(), digest_size=16).hexdigest()
    return found
