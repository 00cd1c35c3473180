"""Whether two copies say the same, which an id or an address cannot prove. Finds no candidates."""

from __future__ import annotations

from newsloom.duplicates.values import Copy
from newsloom.kernel.text.headlines import normal_title


def agree(a: Copy, b: Copy) -> str:
    """ "same text" or "same title"; "" when neither."""
    if a.content_hash == b.content_hash:
        return "same text"
    title = normal_title(a.title)
    return "same title" if title and title == normal_title(b.title) else ""
