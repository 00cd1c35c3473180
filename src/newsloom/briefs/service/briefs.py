"""A brief of the last two days: what is new for the reader, chosen, and written to be spoken."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from newsloom.briefs.languages import language_of, written_with
from newsloom.briefs.phrases import phrases
from newsloom.briefs.plain import Frame, write
from newsloom.briefs.planning import plan
from newsloom.briefs.selecting import Matter, matters
from newsloom.briefs.values import BriefLine, BriefScript, BriefWish
from newsloom.digests.followed import StoryNews
from newsloom.digests.memory import by_key, remember
from newsloom.digests.service.digest_articles import Gathered
from newsloom.digests.service.digests import LATE, gathered, groups_of, named, stood_in
from newsloom.digests.service.followed_stories import news_of
from newsloom.digests.values import DigestGroup, Memory
from newsloom.kernel.ids import ArticleId
from newsloom.reading.values.reading import ListQuery
from newsloom.summaries.boilerplate import is_roundup
from newsloom.summaries.dated import in_days

if TYPE_CHECKING:
    from newsloom.app.reader import Reader

WINDOW = timedelta(hours=48)
# The most important articles of a language that are grouped; and of those that name none.
MOST, MOST_UNNAMED = 800, 400


@dataclass(frozen=True, slots=True)
class ComposedBrief:
    """A script, and what is kept of it for the next briefs."""

    script: BriefScript
    memory: Memory


@dataclass(frozen=True, slots=True)
class Selection:
    """What a brief could tell, the most important first, and all that was looked through for it."""

    offered: tuple[Matter, ...]
    known: tuple[DigestGroup, ...]
    newest: ArticleId


def composed(
    reader: Reader,
    wish: BriefWish,
    now: datetime,
    zone: str,
    memories: Sequence[Memory] = (),
    *,
    words_per_minute: Callable[[str], float],
) -> tuple[ComposedBrief, ...]:
    """One for each language that has news; `memories` of earlier briefs, the last first.

    Each has the articles written in its language. With two languages it says so, aloud and in its
    notice.
    """
    several = len(wish.languages) > 1
    found = (
        _in_language(reader, wish, one, now, zone, memories, words_per_minute(one), several=several)
        for one in dict.fromkeys(wish.languages)
    )
    return tuple(one for one in found if one is not None)


def _in_language(
    reader: Reader,
    wish: BriefWish,
    language: str,
    now: datetime,
    zone: str,
    memories: Sequence[Memory],
    rate: float,
    *,
    several: bool,
) -> ComposedBrief | None:
    selection = selected(reader, language, now, memories)
    frame = Frame(language, now - WINDOW, now, zone, wish.minutes, only=several)
    lines = [one for memory in memories for one in memory.told]
    written = write(selection.offered, plan(wish.minutes, rate), frame, lines)
    if written is None:
        return None
    own = phrases(language)
    spoken = {line.text for line in written.script.chapters[0].lines}
    notices = (one for one in (own.only, own.short) if one and one in spoken)
    script = replace(written.script, notice=" ".join(notices))
    said = (line.text for line in script.lines if line.articles)
    shown = (one.key for one in written.matters)
    memory = remember(selection.known, shown, selection.newest, said)
    return ComposedBrief(_dated(script), memory)


def _dated(script: BriefScript) -> BriefScript:
    """With the days that its sentences name as days of the listener's."""
    articles = {one.id: one for one in script.articles}

    def dated(line: BriefLine) -> BriefLine:
        if not line.articles:
            return line
        article = articles[line.articles[0]]
        return replace(line, text=in_days(line.text, article, script.day, script.language))

    chapters = (replace(one, lines=tuple(map(dated, one.lines))) for one in script.chapters)
    return replace(script, chapters=tuple(chapters))


def selected(
    reader: Reader, language: str, now: datetime, memories: Sequence[Memory] = ()
) -> Selection:
    """What is new in a language and was in no earlier brief."""
    begin = now - WINDOW
    newest = reader.store.lists.newest_article()
    found = _found(reader, language, begin, now)
    stood = stood_in(reader, found, memories)
    # Stories that the reader follows are told as stories, those that they muted not at all.
    groups = named(
        groups_of(reader, [one for one in found if one.listed.id not in stood]), memories
    )
    news = _of_language(news_of(reader, lambda _story: begin, now, LATE), language)
    read = {one.listed.id for one in found if one.listed.state.read}
    offered = matters(groups, news, by_key(memories), read, reader.for_you_share)
    return Selection(offered, (*groups, *(one.group for one in news)), newest)


def _found(reader: Reader, language: str, begin: datetime, end: datetime) -> list[Gathered]:
    """The most important articles of a window in a language; those without a tag by their text."""
    found: dict[ArticleId, Gathered] = {}
    for tag, most in ((language, MOST), ("", MOST_UNNAMED)):
        wanted = ListQuery(since=begin, language=tag, limit=most)
        for one in gathered(reader, wanted, end):
            found.setdefault(one.listed.id, one)
    return [
        one
        for one in found.values()
        if _spoken_in(one, language) and not is_roundup(one.text.title, one.text.text)
    ]


def _spoken_in(one: Gathered, language: str) -> bool:
    text = f"{one.text.title} {one.text.text}"
    return written_with(text, language) and language_of(text, one.text.language) == language


def _of_language(news: Sequence[StoryNews], language: str) -> tuple[StoryNews, ...]:
    """Stories with their articles in a language, those that have new ones."""
    found = []
    for one in news:
        new = tuple(
            each
            for each in one.group.articles
            if language_of(f"{each.title} {each.text}", each.language) == language
        )
        if new:
            found.append(replace(one, group=replace(one.group, articles=new, lead=new[0].id)))
    return tuple(found)
