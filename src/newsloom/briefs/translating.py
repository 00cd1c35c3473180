"""A script in another language: its news by a translator and held against the original, its own
words from the phrases of that language.

What can be checked between two languages is checked: numbers, length, the language itself, that it
is one sentence without markup, links, hidden signs or commands, that the same people are named and
that as much is quoted. Other names cannot: they are inflected, or have a name of their own
("Germany", "Deutschland"). So a sentence that a translator gets wrong in words alone is not found,
and each translated one says who translated it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import pairwise
from zoneinfo import ZoneInfo

from anyascii import anyascii

from newsloom.briefs.fitting import NEAR, lengthened, shortened, word_count
from newsloom.briefs.languages import language_of, written_with
from newsloom.briefs.phrases import Phrases, phrases
from newsloom.briefs.ports import Translator
from newsloom.briefs.values import BriefChapter, BriefLine, BriefScript, LineKind
from newsloom.kernel.errors import TranslationError
from newsloom.kernel.text.characters import plain
from newsloom.kernel.text.sentences import sentences
from newsloom.summaries.checks.facts import normal, quotations
from newsloom.summaries.checks.orders import gives_orders
from newsloom.summaries.said import length

# Amounts of a sentence by their value, whatever the language: "1.5 million" is "150만". Pure.

_FIGURE = re.compile(r"\d+(?:[.,'’\u00a0\u202f ]\d{3}(?!\d))*(?:[.,]\d+)?")
_GROUPS = re.compile(r"[.,'’\u00a0\u202f ](?=\d{3}(?!\d))")
# What may follow a figure, the longest first.
_SCALES = (
    ("mil millones", 1e9), ("thousand", 1e3), ("tausend", 1e3), ("millones", 1e6),
    ("millionen", 1e6), ("milliarden", 1e9), ("milliarde", 1e9), ("milliards", 1e9),
    ("milliard", 1e9), ("millions", 1e6), ("millón", 1e6), ("million", 1e6), ("billionen", 1e12),
    ("billones", 1e12), ("trillion", 1e12), ("mille", 1e3), ("mil", 1e3), ("mio", 1e6),
    ("mrd", 1e9), ("bn", 1e9), ("m", 1e6), ("k", 1e3),
    ("천만", 1e7), ("백만", 1e6), ("천", 1e3), ("만", 1e4), ("억", 1e8), ("조", 1e12),
    ("万", 1e4), ("億", 1e8), ("亿", 1e8), ("兆", 1e12),
)  # fmt: skip
_BILLION = {"en": 1e9}  # elsewhere it is a thousand of them
_MONTHS = re.compile(
    r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mai|okt|dez|ene|abr|ago|dic|janv|févr|avr"
    r"|juin|juil|août|déc|mär)\w*|\d+월",
    re.IGNORECASE,
)


def amounts(text: str, language: str) -> set[float]:
    """Every amount in figures. "1억 5000만" is one."""
    found: set[float] = set()
    last: tuple[float, float, int] | None = None  # value, scale, end
    for figure in _FIGURE.finditer(text):
        value, end, scale = _value(text, figure, language)
        joined = (
            last is not None
            and last[1] > scale >= 1e3
            and text[last[2] : figure.start()]
            in (
                "",
                " ",
            )
        )
        if joined and last is not None:
            found.discard(last[0])
            value += last[0]
        found.add(value)
        last = (value, scale, end)
    return found


def _value(text: str, figure: re.Match[str], language: str) -> tuple[float, int, float]:
    digits = _GROUPS.sub("", figure[0]).replace(",", ".")
    number = float(digits) if digits.count(".") <= 1 else float(digits.replace(".", ""))
    following = text[figure.end() : figure.end() + 16].casefold()
    rest = following.lstrip(" \u00a0")
    if rest.startswith("billion") and not rest.startswith("billionen"):
        scale = _BILLION.get(language, 1e12)
        return number * scale, figure.end() + len(following) - len(rest) + 7, scale
    for name, scale in _SCALES:
        after = rest[len(name) : len(name) + 1]
        if rest.startswith(name) and (name > "\u3000" or not after.isalpha()):
            return (
                round(number * scale, 6),
                figure.end() + len(following) - len(rest) + len(name),
                scale,
            )
    return number, figure.end(), 1.0


def months(text: str) -> set[float]:
    """What a month may be written as: any of twelve figures where one is named."""
    return set(map(float, range(1, 13))) if _MONTHS.search(text) else set()


# A translation has so many of the original's words; Korean has about half of English ones.
SHORTEST, LONGEST = 0.3, 2.5
FEW = 4  # words that a translation may differ by in any case
# With fewer of its sentences it is no brief of the same news.
LEAST = 0.7
_MARKUP = re.compile(r"[<>{}\[\]\\^`*_#~|]|://|\bwww\.|\S@\S|```")
# What listeners are asked to give away, in an order that looks like news in another language.
_SECRETS = re.compile(
    r"pass ?(?:wort|word|code)|kennwort|mots? de passe|contraseña|senha|wachtwoord|hasł[oa]|пароль?"
    r"|비밀번호|パスワード|密码|\bPIN\b",
    re.IGNORECASE,
)
# A figure below may be written as a word, or the other way round.
WORDED = 13
_YEARS = range(1900, 2100)


# Of a sentence, the people it names.
People = Callable[[str], Sequence[str]]
# The news again, in so many times the words.
Longer = Callable[[float], BriefScript | None]
MOST_LONGER = 3.0


def nobody(_sentence: str) -> Sequence[str]:
    """Where no people are found."""
    return ()


class TranslationCache:
    """Translations by sentence: asked for once, and again only where one did not stand."""

    def __init__(self, translator: Translator, source: str, target: str, people: People) -> None:
        self.translator, self.source, self.target = translator, source, target
        self._people = people
        self._known: dict[str, str] = {}

    def said(self, news: Sequence[str]) -> list[str]:
        """Each translated, "" for those that did not stand twice."""
        new = [one for one in dict.fromkeys(news) if one not in self._known]
        for one, text in zip(new, self._request(new), strict=True):
            self._known[one] = text if self.stands(one, text) else ""
        again = [one for one in new if not self._known[one]]
        for one, text in zip(again, self._request(again), strict=True):
            self._known[one] = text if self.stands(one, text) else ""
        return [" ".join(self._known[one].split()) for one in news]

    def stands(self, original: str, text: str) -> bool:
        """Whether a translation is taken."""
        if reason_against(original, text, self.source, self.target):
            return False
        return not lost(self._people(original), text)

    def _request(self, news: Sequence[str]) -> list[str]:
        found = list(self.translator.translate(news, self.source, self.target)) if news else []
        if len(found) != len(news):
            raise TranslationError(f"For {len(news)} sentences came {len(found)}.")
        return found


def translated(
    script: BriefScript,
    translator: Translator,
    target: str,
    *,
    room: int = 0,
    longer: Longer | None = None,
    people: People = nobody,
) -> BriefScript:
    """The same brief in another language; what does not stand is asked for once more, then left
    out, which the notice says.

    With `room`, about so many words: whole items are left out where it is longer, and where it is
    shorter more of the same chapters is taken from `longer`.
    Raises TranslationError: it cannot translate, or too little of it stands.
    """
    cached = TranslationCache(translator, script.language, target, people)
    made, had, has = _translated(script, cached)
    if has < LEAST * had:
        raise TranslationError(
            f"Of {had} sentences only {has} could be translated into {target!r} and checked."
        )
    if room and longer is not None and word_count(made) < (1 - NEAR) * room:
        times = min(room / max(word_count(made), 1) * (1 + NEAR), MOST_LONGER)
        more = longer(times)
        if more is not None:
            made, had, has = _translated(lengthened(script, more), cached)
    left = f" {had - has} of its sentences were left out." if has < had else ""
    if room:
        made = shortened(made, round((1 + NEAR) * room))
    notice = f"Translated from {script.language!r} by {translator.translator_id}.{left}"
    return replace(made, notice=notice)


def _translated(script: BriefScript, cached: TranslationCache) -> tuple[BriefScript, int, int]:
    """The script, and how many sentences of news there were and are."""
    chapters = tuple(_chapter(script, one, cached) for one in script.chapters)
    chapters = tuple(one for one in chapters if one.lines)
    own = phrases(cached.target)
    local = script.end.astimezone(ZoneInfo(script.zone))
    title = own.title.format(own.day(local))
    made = replace(script, language=cached.target, title=title, chapters=chapters)
    return made, _news(script.chapters), _news(chapters)


def _news(chapters: Sequence[BriefChapter]) -> int:
    return sum(line.kind is LineKind.NEWS for one in chapters for line in one.lines)


def _chapter(script: BriefScript, chapter: BriefChapter, cached: TranslationCache) -> BriefChapter:
    own, other = phrases(script.language), phrases(cached.target)
    news = [one.text for one in chapter.lines if one.kind is LineKind.NEWS]
    said = iter(cached.said(news))
    lines: list[BriefLine] = []
    for one in chapter.lines:
        if one.kind is LineKind.NEWS:
            text, by = next(said), cached.translator.translator_id
        else:
            text, by = _fixed(one.text, script, own, other), ""
        if text:
            lines.append(replace(one, text=text, written_by=by))
    title = _same(chapter.title, own, other, ("opens", "closes", "first", "for_you", "others"))
    return replace(
        chapter,
        title=title or chapter.title,
        lines=tuple(_without_announcements(lines, chapter.key)),
    )


def _fixed(text: str, script: BriefScript, own: Phrases, other: Phrases) -> str:
    """A phrase of one language as that of another."""
    local = script.end.astimezone(ZoneInfo(script.zone))
    if text == own.greeting(local.hour):
        return other.greeting(local.hour)
    if text == own.opening.format(own.day(local)):
        return other.opening.format(other.day(local))
    whole = ("headlines", "short", "nothing_else", "follows", "developed", "yours", "last", "close")
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


def _without_announcements(lines: Sequence[BriefLine], key: str) -> list[BriefLine]:
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
    if gives_orders(text) or (_SECRETS.search(text) and not _SECRETS.search(original)):
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
    return requoted(original, text) or _numbers(original, text, source, target)


def _numbers(original: str, text: str, source: str, target: str) -> str:
    """Figures must be the same; small ones may be words on one side, months figures."""
    known, here = amounts(original, source), amounts(text, target)
    allowed = known | months(original)
    if new := [one for one in here - allowed if not (one < WORDED and one == int(one))]:
        return f"it says {min(new):g}"
    small = {one for one in here - allowed if one > 1}
    if small and not _worded(original, source, small):
        return f"it says {min(small):g}"
    # Years are left out where both languages know which is meant.
    missing = [one for one in known - here if one >= WORDED and one not in _YEARS]
    return f"it does not say {min(missing):g}" if missing else ""


def _worded(original: str, source: str, small: set[float]) -> bool:
    """Whether small figures stand in the original as words, as far as they are known."""
    from newsloom.summaries.said import numbers

    return source != "en" or small <= numbers(original)


# Whether the people of a sentence are in its translation too, and its quotations.
#
# Names of people are written again, with other letters where need be ("Moon Jae-in", "문재인");
# names of places and bodies are translated ("Germany", "Deutschland"), so those are not compared.
# A person is looked for by the sound of the consonants: what that lets pass is a name that sounds
# alike.

_NEAR_SOUND = 0.6  # of two runs of consonants
_LONG = 2  # consonants that tell one name from another
_WORD = re.compile(r"[^\W\d_]+(?:[-'][^\W\d_]+)*")
# Letters that scripts and languages write for each other. After anyascii: Latin ones alone.
_SOUNDS = str.maketrans(
    {
        **dict.fromkeys("bpfvw", "p"),
        **dict.fromkeys("dt", "t"),
        **dict.fromkeys("cgkqx", "k"),
        **dict.fromkeys("szj", "s"),
        **dict.fromkeys("lr", "l"),
        **dict.fromkeys("mn", "n"),
        **dict.fromkeys("aeiouyh'-", ""),
    }
)


def lost(people: Iterable[str], said: str) -> str:
    """The first of them that a translation does not name; "": all are there."""
    # Where there are capitals, a name has one.
    here = [_sound(one) for one in _WORD.findall(said) if not one[0].islower()]
    return next((one for one in people if not _named(one, here)), "")


def _named(person: str, here: list[str]) -> bool:
    """By the last name, or another where that is too short to tell."""
    words = [one for one in _WORD.findall(person) if len(one) > 1]
    known = [_sound(one) for one in reversed(words)]
    telling = [one for one in known if len(one) >= _LONG]
    if not telling:
        return True
    # Korean and Chinese write the names of a person as one word, the last name first.
    whole = "".join(reversed(known))
    turned = "".join(known)
    return any(_alike(one, telling[0]) or one.startswith((whole, turned)) for one in here)


def _alike(one: str, other: str) -> bool:
    """ "kim" and "김", "Macron" and "마크롱이": a particle may follow."""
    if not one:
        return False
    if one == other or (len(other) > _LONG and one.startswith(other)):
        return True
    cut = one[: len(other) + 1]
    return len(one) >= _LONG and SequenceMatcher(None, cut, other).ratio() >= _NEAR_SOUND + 0.15


def _sound(word: str) -> str:
    """Its consonants, in the order they are heard, none twice in a row."""
    found = re.sub(r"[^a-z]", "", anyascii(word).lower()).replace("ch", "s").replace("sh", "s")
    bare = found.translate(_SOUNDS)
    return re.sub(r"(.)\1+", r"\1", bare)


def requoted(original: str, said: str) -> str:
    """Why the quotations of a translation cannot be right; "": they may be."""
    had, has = len(quotations(normal(original))), len(quotations(normal(said)))
    if has > had:
        return "it quotes what the original does not"
    return "it does not quote what the original does" if has < had else ""
