"""Whether every sentence of news in a script is one of its articles'. Pure.

For scripts without a language model. Greetings, announcements of who reports, and the close are of
fixed words and rest on nothing; everything else must stand in the title or the text of one of the
articles it names, word for word after `cleaning.bare`.
"""

from __future__ import annotations

from collections.abc import Mapping

from newsloom.briefs.cleaning import bare
from newsloom.briefs.values.briefs import BriefLine, BriefScript, LineKind
from newsloom.kernel.ids import ArticleId


def unfounded(script: BriefScript, texts: Mapping[ArticleId, str]) -> tuple[BriefLine, ...]:
    """The sentences of news that none of their articles has; `texts` are titles and texts, of each
    article in one."""
    known = {article: bare(text) for article, text in texts.items()}
    return tuple(
        line
        for line in script.lines
        if line.kind is LineKind.NEWS
        and not any(bare(line.text) in known.get(article, "") for article in line.articles)
    )
