"""A brief's script without a language model: a newsreader's text of the sources' own sentences.

Pure. Each sentence of news is one of an article's, whole; who reports it is said before it, in a
line of its own, so that every line of news can be found in its source word for word.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from zoneinfo import ZoneInfo

from newsloom.briefs.cleaning import spoken_name
from newsloom.briefs.phrases import Phrases, phrases
from newsloom.briefs.planning import ENOUGH, Plan
from newsloom.briefs.selecting import FOR_YOU, OTHERS, Matter, Part, parts
from newsloom.briefs.telling import Spoken, Telling, telling
from newsloom.briefs.values import BriefChapter, BriefLine, BriefScript, LineKind
from newsloom.summaries.said import length

# A headline as the title of a chapter: short, and cut only where a clause ends. Pure.

# Players and podcast apps show some 40 characters of a chapter's title on a phone.
MOST_WORDS, MOST_CHARACTERS = 8, 60
# Where what went before can stand by itself. A colon first: what stands before it is the topic.
_BOUNDS = (
    re.compile(r":\s"),
    re.compile(r"\s[-–—|]\s|;\s|…|[.!?]\s"),
    re.compile(
        r",\s|\s(?=(?:as|after|amid|while|because|before|despite|following|over|since|that|when"
        r"|where|which|who|with|weil|nachdem|während|obwohl|dass|après|alors|tras|mientras"
        r"|porque|selon|según|laut)\s)",
        re.IGNORECASE,
    ),
)
_LEAST_WORDS = 2
_OPEN = re.compile(r"[\"“”„«»‘(\[]")


def short_title(headline: str) -> str:
    """All of it where that is short, else its first clause; "" where no clause is short enough."""
    text = " ".join(headline.split()).rstrip(".")
    if _fits(text):
        return text
    for bound in _BOUNDS:
        ends = [one.start() for one in bound.finditer(text)]
        for end in sorted(ends, reverse=True):
            head = text[:end].rstrip(" ,;:-–—")
            # Where a quotation or a bracket is left open, the cut is within it.
            half = len(_OPEN.findall(head)) % 2 == 1
            if length(head) >= _LEAST_WORDS and _fits(head) and not half:
                return head
    return ""


def _fits(text: str) -> bool:
    return length(text) <= MOST_WORDS and len(text) <= MOST_CHARACTERS


HEADLINES = 4
# Tries at filling the time: how many times the usual words of each matter, and how many times the
# usual articles. More of the same articles comes before more articles: the choice is the reader's.
_TRIES = ((1.0, 1.0), (1.4, 1.0), (2.0, 1.0), (4.0, 1.1), (4.0, 1.5), (4.0, 2.0), (9.0, 9.0))
_ROUNDS = 4


@dataclass(frozen=True, slots=True)
class Written:
    """A script, and the matters that it tells of, in the order they were chosen."""

    script: BriefScript
    matters: tuple[Matter, ...]


@dataclass(frozen=True, slots=True)
class Frame:
    """What a script is of beside its matters."""

    language: str
    begin: datetime
    end: datetime
    zone: str
    minutes: int
    only: bool = False  # one of two languages, with its own articles


# Words that fit in the pause after a sentence (0.45 s), and words of a typical sentence: the rate
# of a voice includes the pauses of such sentences. With 11 words each, three minutes took 198 s.
PAUSE, USUAL_SENTENCE = 1.1, 17.0


def write(
    matters: Sequence[Matter], plan: Plan, frame: Frame, told: Collection[str] = ()
) -> Written | None:
    """The script; None where nothing can be told. `matters` has the most important first."""
    tellings = _Tellings(matters, set(told))
    room = plan.words
    best: Written | None = None
    for _round in range(_ROUNDS):
        chosen = _filled(tellings, plan, room)
        if not chosen:
            return best
        best = _written(chosen, plan, frame)
        spoken = _words(best.script)
        if plan.least <= spoken <= plan.most:
            return best
        if spoken < plan.least and tellings.all_told(chosen):
            break
        room += plan.words - spoken
    if best is not None and _words(best.script) < ENOUGH * plan.words:
        best = _written(chosen, plan, frame, short=True)
    return best


class _Tellings:
    """What can be told of each matter, read when it is first wanted."""

    def __init__(self, matters: Sequence[Matter], names: set[str]) -> None:
        self._matters = matters
        self._told = names
        self._known: list[Telling] = []

    def __iter__(self) -> Iterator[Telling]:
        for place, matter in enumerate(self._matters):
            if place == len(self._known):
                found = telling(matter, self._told)
                self._told |= {one.text for one in found.body}
                self._known.append(found)
            yield self._known[place]

    def all_told(self, chosen: Sequence[tuple[Telling, tuple[Spoken, ...]]]) -> bool:
        """Whether nothing is left: every matter was read, and told as far as it goes."""
        if len(self._known) < len(self._matters):
            return False
        told = sum(len(said) for _one, said in chosen)
        return told >= sum(len(one.cut(10**6)) for one in self._known)


Chosen = list[tuple[Telling, tuple[Spoken, ...]]]


def _filled(tellings: _Tellings, plan: Plan, room: int) -> Chosen:
    """Matters and their sentences of about so many words together."""
    chosen: Chosen = []
    for grown, many in _TRIES:
        chosen, words = _taken(tellings, plan, room, grown, int(plan.articles * many))
        if words >= room - room // 50:
            break
    return chosen


def _taken(
    tellings: _Tellings, plan: Plan, room: int, grown: float, articles: int
) -> tuple[Chosen, int]:
    chosen: Chosen = []
    left = room
    for one in tellings:
        said = one.cut(min(plan.share(len(chosen), grown), left))
        if not said:
            continue
        chosen.append((one, said))
        left -= sum(each.words for each in said) + _ATTRIBUTION
        articles -= len({each.article.id for each in said})
        if left <= _LEAST_LEFT or articles <= 0:
            break
    return chosen, room - left


_ATTRIBUTION = 3  # words of "The Guardian reports:", about
_LEAST_LEFT = 12  # no sentence fits


def _written(chosen: Chosen, plan: Plan, frame: Frame, *, short: bool = False) -> Written:
    words = phrases(frame.language)
    by_key = {one.matter.key: (one, said) for one, said in chosen}
    local = frame.end.astimezone(ZoneInfo(frame.zone))
    headlines: list[Telling] = []
    if len(chosen) > HEADLINES:
        # Those whose first sentence tells the headline, so that no headline is heard twice.
        untold = (one for one, said in chosen if one.headline and one.headline is not said[0])
        headlines = list(untold)[:HEADLINES]
    speaker = _Speaker(words)
    matters = [one.matter for one, _said in chosen]
    chapters = [_opening(words, local, headlines, frame, short=short, alone=len(chosen) == 1)]
    found = parts(matters, plan.chapters)
    for place, part in enumerate(found):
        told = [by_key[one.key] for one in part.matters]
        chapters.append(speaker.chapter(part, told, last=place == len(found) - 1, place=place))
    chapters.append(BriefChapter(words.closes, _fixed(LineKind.CLOSING, words.close)))
    rests_on = {each.article.id: each.article for _one, said in chosen for each in said}
    rests_on |= {one.headline.article.id: one.headline.article for one in headlines if one.headline}
    script = BriefScript(
        language=frame.language,
        title=words.title.format(words.day(local)),
        begin=frame.begin,
        end=frame.end,
        zone=frame.zone,
        minutes=frame.minutes,
        chapters=tuple(one for one in chapters if one.lines),
        articles=tuple(replace(one, text="") for one in rests_on.values()),
    )
    return Written(script, tuple(matters))


def _fixed(kind: LineKind, *texts: str) -> tuple[BriefLine, ...]:
    return tuple(BriefLine(one, kind) for one in texts if one)


def _opening(
    words: Phrases,
    local: datetime,
    headlines: Sequence[Telling],
    frame: Frame,
    *,
    short: bool,
    alone: bool,
) -> BriefChapter:
    greeting = words.greeting(local.hour)
    lines = [
        *_fixed(LineKind.OPENING, greeting, words.opening.format(words.day(local))),
        *_fixed(LineKind.OPENING, words.only if frame.only else ""),
        *_fixed(LineKind.OPENING, words.short if short else ""),
        *_fixed(LineKind.OPENING, words.nothing_else if alone else ""),
    ]
    if headlines:
        lines += _fixed(LineKind.OPENING, words.headlines)
        spoken = [one.headline for one in headlines if one.headline]
        lines += [BriefLine(one.text, LineKind.NEWS, (one.article.id,)) for one in spoken]
    return BriefChapter(words.opens, tuple(lines))


class _Speaker:
    """Says who reports, each time in other words."""

    def __init__(self, words: Phrases) -> None:
        self._words = words
        self._said = self._added = self._started = 0
        self._developed = False

    def chapter(
        self,
        part: Part,
        told: Chosen,
        *,
        last: bool,
        place: int,
    ) -> BriefChapter:
        lines = list(_fixed(LineKind.TRANSITION, self._start(part, place, last=last)))
        for one, said in told:
            lines += self._matter(one, said)
        return BriefChapter(self._title(part, told, place), tuple(lines), part.key)

    def _title(self, part: Part, told: Chosen, place: int) -> str:
        if part.title or not place:
            return part.title or self._words.first
        if part.key == FOR_YOU:
            return self._words.for_you
        headline = told[0][0].headline
        if part.key == OTHERS or headline is None:
            return self._words.others
        return short_title(headline.text) or self._words.others

    def _start(self, part: Part, place: int, *, last: bool) -> str:
        """What a chapter begins with: the first one with nothing."""
        if not place:
            return ""
        if part.key == FOR_YOU:
            return self._words.yours
        if not part.title and last:
            return self._words.last
        starts = self._words.starts if part.title else self._words.goes_on
        self._started += 1
        return starts[(self._started - 1) % len(starts)].format(part.title)

    def _matter(self, one: Telling, said: Sequence[Spoken]) -> Iterator[BriefLine]:
        if one.matter.story:
            yield from _fixed(LineKind.TRANSITION, self._words.follows)
        elif one.matter.known is not None and not self._developed:
            self._developed = True
            yield from _fixed(LineKind.TRANSITION, self._words.developed)
        publisher = ""
        if said[0] is one.headline and len(said) > 1:  # who reports comes with the next sentence
            yield BriefLine(said[0].text, LineKind.NEWS, (said[0].article.id,))
            said = said[1:]
        for each in said:
            name = spoken_name(each.article.publisher, each.article.source)
            if name != publisher:
                yield BriefLine(self._attribution(name, first=not publisher), LineKind.TRANSITION)
                publisher = name
            yield BriefLine(each.text, LineKind.NEWS, (each.article.id,))

    def _attribution(self, name: str, *, first: bool) -> str:
        if first:
            self._said += 1
            return self._words.reports[(self._said - 1) % len(self._words.reports)].format(name)
        self._added += 1
        return self._words.adds[(self._added - 1) % len(self._words.adds)].format(name)


def _words(script: BriefScript) -> int:
    """How long a script is, in words: shorter sentences than usual have more pauses."""
    words = sum(length(line.text) for line in script.lines)
    return words + round(PAUSE * (len(script.lines) - words / USUAL_SENTENCE))
