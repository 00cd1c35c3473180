"""A translated script made as long as it should be: whole items taken out, or more put in. Pure.

Translations are longer or shorter than what they translate, and voices of other languages are
slower or faster. The least important goes first: from the end of the longest-told matters of the
last chapters; the opening, the close and the first sentence of each item stay.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from newsloom.briefs.values import BriefChapter, BriefLine, BriefScript, LineKind
from newsloom.summaries.said import length

NEAR = 0.03  # of the words: what is nearer is left alone


def word_count(script: BriefScript) -> int:
    """All that is spoken."""
    return sum(length(one.text) for one in script.lines)


def shortened(script: BriefScript, most: int) -> BriefScript:
    """At most so many words, where there is enough to take out; chapters keep what they begin with.

    Whole items (who reports, and what) of the later chapters go first, then the last sentences.
    """
    while (over := word_count(script) - most) > 0:
        cut = _without_one(script, over)
        if cut is None:
            return script
        script = cut
    return script


def _without_one(script: BriefScript, over: int) -> BriefScript | None:
    """Without the last item that is not larger than what is too much, else the last sentence of the
    longest item; None: nothing can go."""
    for number in range(len(script.chapters) - 1, -1, -1):
        chapter = script.chapters[number]
        found = items(chapter)
        if len(found) < 2:
            continue
        begin, end = found[-1]
        if sum(length(one.text) for one in chapter.lines[begin:end]) <= over + over // 4:
            return _cut(script, number, begin, end)
    longest: tuple[int, int, int] | None = None
    for number, chapter in enumerate(script.chapters):
        for begin, end in items(chapter):
            news = sum(one.kind is LineKind.NEWS for one in chapter.lines[begin:end])
            if news > 1 and (longest is None or news >= longest[0]):
                longest = (news, number, end)
    if longest is None:
        return None
    _news, number, end = longest
    return _cut(script, number, end - 1, end)


def _cut(script: BriefScript, number: int, begin: int, end: int) -> BriefScript:
    chapter = script.chapters[number]
    lines = (*chapter.lines[:begin], *chapter.lines[end:])
    chapters = list(script.chapters)
    chapters[number] = replace(chapter, lines=lines)
    return replace(script, chapters=tuple(chapters))


def items(chapter: BriefChapter) -> list[tuple[int, int]]:
    """Where each item of a chapter of news begins and ends: who reports, and what they do."""
    if not chapter.key:
        return []
    found: list[tuple[int, int]] = []
    at, lines = 0, chapter.lines
    while at < len(lines):
        begin = at
        while at < len(lines) and lines[at].kind is not LineKind.NEWS:
            at += 1
        while at < len(lines) and lines[at].kind is LineKind.NEWS:
            at += 1
        found.append((begin, at))
    return found


def lengthened(script: BriefScript, more: BriefScript) -> BriefScript:
    """With the items that a longer script of the same news has in the same chapters, behind each
    chapter's own; articles that they rest on come along."""
    had = {one.text for one in script.lines if one.kind is LineKind.NEWS}
    longer = {one.key: one for one in more.chapters if one.key}
    chapters = [_with(one, longer.get(one.key), had) for one in script.chapters]
    known = {one.id for one in script.articles}
    rest = {article for one in chapters for line in one.lines for article in line.articles}
    added = tuple(one for one in more.articles if one.id in rest - known)
    return replace(script, chapters=tuple(chapters), articles=(*script.articles, *added))


def _with(chapter: BriefChapter, longer: BriefChapter | None, had: set[str]) -> BriefChapter:
    if longer is None:
        return chapter
    lines: list[BriefLine] = []
    for begin, end in items(longer):
        item: Sequence[BriefLine] = longer.lines[begin:end]
        news = [one for one in item if one.kind is LineKind.NEWS and one.text not in had]
        if news:
            # Only who reports: the first of a chapter has the chapter's announcement too.
            before = [one for one in item if one.kind is not LineKind.NEWS][-1:]
            lines += [*before, *news]
            had |= {one.text for one in news}
    return replace(chapter, lines=(*chapter.lines, *lines))
