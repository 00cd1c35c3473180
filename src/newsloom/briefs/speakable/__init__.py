"""Written news as words that a plain speech engine reads rightly. Pure.

A sentence goes through the steps of `speaking.py`; what a language says how is in tables, a module
or two for each language (`LANGUAGES` there).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from newsloom.briefs.values import Pronunciation


def speakable(text: str, language: str, own: Sequence[Pronunciation] = ()) -> str:
    """The words to say for a text in a language, as a BCP 47 tag ("en", "en-GB").

    Never empty unless the text was, raises nothing. A reader's own pronunciations come first and
    are said as they are.
    """
    # Here, so that what only names this function does not compile its patterns.
    from newsloom.briefs.speakable.speaking import spoken

    return spoken(text, language, own)
