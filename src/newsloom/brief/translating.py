"""A script in another language: its news by a translator and held against the original, its own
words from the phrases of that language.

What can be checked between two languages is checked: numbers, length, the language itself, that it
is one sentence without markup, links, hidden signs or commands. Names cannot: they are inflected,
transliterated, or have a name of their own ("Germany", "Deutschland"). So a sentence that a
translator gets wrong in words alone is not found, and each translated one says who translated it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from zoneinfo import ZoneInfo

from newsloom.brief.amounts import amounts, months
from newsloom.brief.languages import language_of, written_with
from newsloom.brief.phrases import Phrases, phrases
from newsloom.digest.checks.orders import gives_orders
from newsloom.digest.said import length
from newsloom.errors import TranslationError
from newsloom.ports import Translator
from newsloom.text.characters import plain
from newsloom.text.sentences import sentences
from newsloom.types import BriefChapter, BriefLine, BriefScript, LineKind

# A translation has so many of the original's words; Korean has about half of English ones.
SHORTEST, LONGEST = 0.3, 2.5
FEW = 4  # words that a translation may differ by in any case
# With fewer of its sentences it is no brief of the same news.
LEAST = 0.7
_MARKUP = re.compile(r"[<>{}\[\]\\^`*_#~|]|://|\bwww\.|\S@\S|```")
# A figure below may be written as a word, or the other way round.
WORDED = 13
_YEARS = range(1900, 2100)


def translated(script: BriefScript, translator: Translator, target: str) -> BriefScript:
    """The same brief in another language; what does not stand is asked for once more, then left
    out, which the notice says.

    Raises TranslationError: it cannot translate, or too little of it stands.
    """
    chapters = tuple(_chapter(script, one, translator, target) for one in script.chapters)
    chapters = tuple(one for one in chapters if one.lines)
    had, has = _news(script.chapters), _news(chapters)
    if has < LEAST * had:
        raise TranslationError(
            f"Of {had} sentences only {has} could be translated into {target!r} and checked."
        )
    left = f" {had - has} of its sentences were left out." if has < had else ""
    words = phrases(target)
    local = script.end.astimezone(ZoneInfo(script.zone))
    return replace(
        script,
        language=target,
        title=words.title.format(words.day(local)),
        chapters=chapters,
        notice=f"Translated from {script.language!r} by {translator.translator_id}.{left}",
    )


def _news(chapters: Sequence[BriefChapter]) -> int:
    return sum(line.kind is LineKind.NEWS for one in chapters for line in one.lines)


def _chapter(
    script: BriefScript, chapter: BriefChapter, translator: Translator, target: str
) -> BriefChapter:
    own, other = phrases(script.language), phrases(target)
    news = [one.text for one in chapter.lines if one.kind is LineKind.NEWS]
    said = iter(_checked(news, translator, script.language, target))
    lines: list[BriefLine] = []
    for one in chapter.lines:
        if one.kind is LineKind.NEWS:
            text, by = next(said), translator.translator_id
        else:
            text, by = _fixed(one.text, script, own, other), ""
        if text:
            lines.append(replace(one, text=text, written_by=by))
    title = _same(chapter.title, own, other, ("opens", "closes", "first", "others"))
    return replace(chapter, title=title or chapter.title, lines=tuple(_heard(lines, chapter.key)))


def _checked(news: Sequence[str], translator: Translator, source: str, target: str) -> list[str]:
    """Each translated, "" for those that did not stand twice."""
    found = list(translator.translate(news, source, target)) if news else []
    if len(found) != len(news):
        raise TranslationError(f"For {len(news)} sentences came {len(found)}.")
    wrong = [at for at, one in enumerate(found) if reason_against(news[at], one, source, target)]
    again = translator.translate([news[at] for at in wrong], source, target) if wrong else []
    for at, one in zip(wrong, again, strict=False):
        found[at] = "" if reason_against(news[at], one, source, target) else one
    for at in wrong[len(again) :]:
        found[at] = ""
    return [" ".join(one.split()) for one in found]


def _fixed(text: str, script: BriefScript, own: Phrases, other: Phrases) -> str:
    """A phrase of one language as that of another."""
    local = script.end.astimezone(ZoneInfo(script.zone))
    if text == own.greeting(local.hour):
        return other.greeting(local.hour)
    if text == own.opening.format(own.day(local)):
        return other.opening.format(other.day(local))
    whole = ("headlines", "short", "nothing_else", "follows", "developed", "last", "close")
    if found := _same(text, own, other, whole):
        return found
    for name in ("reports", "adds", "starts", "goes_on"):
        those, others = getattr(own, name), getattr(other, name)
        for at, one in enumerate(those):
            before, _mark, after = one.partition("{}")
            if text.startswith(before) and text.endswith(after) and len(text) > len(one) - 2:
                named = text[len(before) : len(text) - len(after) or None]
                return str(others[at % len(others)].format(named))
    return ""


def _same(text: str, own: Phrases, other: Phrases, names: Sequence[str]) -> str:
    return next((getattr(other, one) for one in names if getattr(own, one) == text), "")


def _heard(lines: Sequence[BriefLine], key: str) -> list[BriefLine]:
    """Without announcements of what was left out."""
    if not key or not lines:
        return list(lines)
    kept = [
        one
        for one, following in pairwise(lines)
        if one.kind is LineKind.NEWS or following.kind is LineKind.NEWS or one is lines[0]
    ]
    last = lines[-1]
    whole = [*kept, *([last] if last.kind is LineKind.NEWS else [])]
    return whole if any(one.kind is LineKind.NEWS for one in whole) else []


def reason_against(original: str, said: str, source: str, target: str) -> str:
    """Why a translation is not taken; "" where nothing is found."""
    text = said.strip()
    if not text or not any(map(str.isalpha, text)):
        return "it is empty"
    if plain(text) != text or _MARKUP.search(text) or "\n" in text:
        return "it has markup, a link or hidden signs"
    if gives_orders(text):
        return "it gives orders"
    if len(sentences(text)) > len(sentences(original)) + 1:
        return "it has more sentences"
    words, had = length(text), length(original)
    if not SHORTEST * had - FEW <= words <= LONGEST * had + FEW:
        return "it is of another length"
    if not written_with(text, target) or language_of(text, target) != target:
        return "it is in another language"
    if text == original and had > FEW:
        return "it is not translated"
    return _numbers(original, text, source, target)


def _numbers(original: str, text: str, source: str, target: str) -> str:
    """Figures must be the same; small ones may be words on one side, months figures."""
    known, here = amounts(original, source), amounts(text, target)
    allowed = known | months(original)
    if new := [one for one in here - allowed if not (one < WORDED and one == int(one))]:
        return f"it says {min(new):g}"
    small = {one for one in here - allowed if one > 1}
    if small and not _worded(original, source, small):
        return f"it says {min(small):g}"
    missing = [one for one in known - here if one >= WORDED and not _year(one)]
    return f"it does not say {min(missing):g}" if missing else ""


def _year(value: float) -> bool:
    """Years are left out where both languages know which is meant."""
    return value in _YEARS


def _worded(original: str, source: str, small: set[float]) -> bool:
    """Whether small figures stand in the original as words, as far as they are known."""
    from newsloom.digest.said import numbers

    return source != "en" or small <= numbers(original)
