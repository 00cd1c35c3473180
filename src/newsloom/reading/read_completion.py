"""When an article that was open counts as read to the end. Pure: a text and seconds in.

What counts is how long the page was in view when the end of the article came into view. That is
compared with the time a fast reader takes, and with a time that only an empty chair takes. When in
doubt it was not finished: the label is worth little, and a wrong one costs as much as it.
"""

from __future__ import annotations

import re
from datetime import timedelta

from newsloom.kernel.text.html import to_text

# Adults read 238 words a minute of English non-fiction in silence (Brysbaert 2019, 190 studies;
# most between 175 and 300). Who is faster than this has skimmed.
WORDS_A_MINUTE = 238
FASTEST_WORDS_A_MINUTE = 400

# Scripts without spaces: two characters are about a word.
_UNSPACED = re.compile("[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")

# A shorter text is the teaser of one that stands elsewhere: there was nothing to finish here.
LEAST_WORDS = 80
LEAST = timedelta(seconds=15)

# Longer than this, and than this many times the fast reader's time, somebody had left the room.
LONGEST = timedelta(minutes=15)
TIMES = 6

# No text is longer than a fast reader's eight hours.
_CHARACTERS = 1_000_000


def needed(html: str) -> timedelta | None:
    """How long the article must have been in view; None: it has no text to finish."""
    return fastest(to_text(html, _CHARACTERS))


def fastest(text: str) -> timedelta | None:
    """How long a fast reader takes for a plain text; None: there is too little to read."""
    words = len(text.split()) + len(_UNSPACED.findall(text)) // 2
    if words < LEAST_WORDS:
        return None
    return max(LEAST, timedelta(minutes=words / FASTEST_WORDS_A_MINUTE))


def reading_minutes(least: timedelta | None) -> int:
    """How many minutes most people read, of the time `needed` gives; 0 for None."""
    if least is None:
        return 0
    return max(1, round(least / timedelta(minutes=1) * FASTEST_WORDS_A_MINUTE / WORDS_A_MINUTE))


def finished(html: str, seen: timedelta) -> bool:
    """Whether it was in view for as long as reading it takes, and no longer than anyone reads."""
    least = needed(html)
    return least is not None and least <= seen <= max(LONGEST, TIMES * least)
