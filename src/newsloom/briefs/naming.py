"""What a publisher is called when it is spoken. Pure."""

from __future__ import annotations

import re

from newsloom.kernel.text.characters import plain
from newsloom.summaries.checks.orders import gives_orders

# "BBC News - World", "Le Monde.fr : Actualités", "heise online | News": the name stands first.
_PARTS = re.compile(r"\s+[-–—|:»›·•/]+\s+|:\s+|\s*[|»›]\s*")
_FEED = re.compile(r"\b(?:RSS|Atom)?\s*(?:feeds?|RSS|Atom)\b\.?|\(.*?\)|\[.*?\]", re.IGNORECASE)
_ODD = re.compile(r"https?:|www\.|[<>{}\[\]\\^`*_#~@\"“”«»]")
LONGEST = 6  # words
SHORT = 3  # a longer one that has the name of its domain is called by that
# Titles of feeds, not of publishers.
_GENERAL = frozenset(
    """
    a all and articles berichte blog business breaking culture economy entertainment global health
    headlines home homepage in international latest lifestyle main money most nachrichten national
    new news of opinion politics popular posts recent science search sport sports stories tech
    technology the top topics updates us uk video videos world aktuell actualités noticias portada
    à la une startseite schlagzeilen politik wirtschaft
    """.split()  # noqa: SIM905
)


def spoken_name(publisher: str, source: str) -> str:
    """The publisher as a feed names it, if that can be a name; else the domain."""
    if _ODD.search(publisher) or gives_orders(publisher):
        return source
    text = " ".join(_FEED.sub(" ", plain(publisher)).split())
    parts = [one.strip(" ,.;:!-–—") for one in _PARTS.split(text)]
    name = next((one for one in parts if _is_name(one)), source)
    words = name.split()
    # "NDTV News Search Records Found 1000" of ndtv.com
    own = [one for one in words if one.casefold() == source.split(".")[0]]
    return own[0] if own and len(words) > SHORT else name


def _is_name(text: str) -> bool:
    words = text.casefold().split()
    if not words or len(words) > LONGEST or len(text) > 60 or not any(map(str.isalpha, text)):
        return False
    return not _GENERAL.issuperset(words)
