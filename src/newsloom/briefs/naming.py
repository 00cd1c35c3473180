"""What a publisher is called when it is spoken. Pure."""

from __future__ import annotations

import re

from newsloom.kernel.text.characters import plain
from newsloom.summaries.checks.orders import gives_orders

# Of what is said to tell two of one name apart, and of hosts, nothing is spoken.
_BESIDE = re.compile(r"\s*\(([^()]*)\)$")
_ODD = re.compile(r"https?:|www\.|[<>{}\[\]\\^`*_#~@\"“”«»|]|\.\w+\)$")
LONGEST = 6  # words


def spoken_name(publisher: str, source: str) -> str:
    """The name of a publisher (articles/publishers.py), if that can be spoken; else the domain."""
    name = " ".join(_BESIDE.sub("", plain(publisher)).split())
    if _ODD.search(publisher) or gives_orders(publisher) or not any(map(str.isalpha, name)):
        return source
    return name if len(name.split()) <= LONGEST and len(name) <= 60 else source
