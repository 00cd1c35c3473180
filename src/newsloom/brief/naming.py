"""What a publisher is called when it is spoken. Pure."""

from __future__ import annotations

import re

from newsloom.digest.checks.orders import gives_orders
from newsloom.text.characters import plain

# "BBC News - World", "Le Monde.fr : Actualités", "heise online | News": the name stands first.
_PARTS = re.compile(r"\s+[-–—|:»›·•/]+\s+|:\s+|\s*[|»›]\s*")
_FEED = re.compile(r"\b(?:RSS|Atom)?\s*(?:feeds?|RSS|Atom)\b\.?|\(.*?\)|\[.*?\]", re.IGNORECASE)
_ODD = re.compile(r"https?:|www\.|[<>{}\[\]\\^`*_#~@\"“”«»]")
LONGEST = 6  # words


def spoken_name(publisher: str, source: str) -> str:
    """The publisher as a feed names it, if that can be a name; else the domain."""
    text = " ".join(_FEED.sub(" ", plain(publisher)).split())
    name = next((one.strip(" ,.;:!-–—") for one in _PARTS.split(text) if one.strip()), "")
    letters = any(map(str.isalpha, name))
    if not letters or len(name.split()) > LONGEST or len(name) > 60:
        return source
    return source if _ODD.search(publisher) or gives_orders(publisher) else name
