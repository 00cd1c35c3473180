"""Whether every sentence of news in a script is one of its articles'. Pure.

For scripts without a language model. Greetings, announcements of who reports, and the close are of
fixed words and rest on nothing; everything else must stand in the title or the text of one of the
articles it names, word for word after `cleaning.bare`, but for "yesterday" and its like.
"""

from __future__ import annotations

from collections.abc import Mapping

from newsloom.briefs.cleaning import bare
from newsloom.briefs.values import BriefLine, BriefScript, LineKind
from newsloom.kernel.ids import ArticleId
from newsloom.kernel.text.sentences import sentences
from newsloom.summaries.dated import in_days


def unfounded(script: BriefScript, texts: Mapping[ArticleId, str]) -> tuple[BriefLine, ...]:
    """The sentences of news that none of their articles has; `texts` are titles and texts, of each
    article in one."""
    known = {article: bare(text) for article, text in texts.items()}

    def founded(line: BriefLine) -> bool:
        said = bare(line.text)
        return any(
            said in known.get(article, "") or said in _with_days(script, article, texts)
            for article in line.articles
        )

    return tuple(line for line in script.lines if line.kind is LineKind.NEWS and not founded(line))


def _with_days(script: BriefScript, article: ArticleId, texts: Mapping[ArticleId, str]) -> set[str]:
    """The sentences of an article as they name days on the day of the brief."""
    own = next((one for one in script.articles if one.id == article), None)
    if own is None:
        return set()
    return {
        bare(in_days(one, own, script.day, script.language))
        for one in sentences(texts.get(article, ""))
    }
