"""What a template shows, computed from values: words for ages and scores, safe addresses, curves.

Pure: no request, no reader, no clock. Everything a publisher wrote is hostile here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from ipaddress import ip_address
from itertools import islice
from operator import attrgetter
from typing import NamedTuple
from urllib.parse import urlsplit

from newsloom.duplicates.pages import ClusterView, Version, cluster_view, version
from newsloom.feeds.values.published import Enclosure
from newsloom.importance.values import SignalPart
from newsloom.kernel.text.ages import age_words
from newsloom.kernel.text.direction import direction
from newsloom.kernel.text.urls import without_campaign
from newsloom.ranking.scoring import decayed, remaining
from newsloom.ranking.values.models import Explanation, Reason, StorySubscription
from newsloom.reading.diversification import visible
from newsloom.reading.values.reading import ArticleState, Listed
from newsloom.stories.pages.story_row import StoryRow, story_row
from newsloom.web.list_view import FILTERS, SPAN_NAMES, ListView
from newsloom.web.wording import (
    EXCERPT_LENGTH,
    TITLE_LENGTH,
    clean,
    count_words,
    date_words,
    language,
    playing_time,
    size_words,
    span_words,
    title_of,
    web_address,
)

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Fading:
    """How fast an article expires, for the eye and for the ear."""

    word: str
    sentence: str


# The style sheet draws a level by the default half-lives: that names it, it does not plot the
# article; the page "why" plots the article with the half-lives that are set.
FADING = {
    1: Fading("evergreen", "Evergreen: relevant for about a year"),
    2: Fading("months", "Relevant for months"),
    3: Fading("weeks", "Relevant for weeks"),
    4: Fading("days", "Relevant for days"),
    5: Fading("urgent", "Urgent: relevant today"),
}


class Row(NamedTuple):
    """An article in a list, ready to be shown. A tuple is made in a fifth of the time."""

    id: int
    title: str
    url: str  # "" when it may not be followed
    source: str
    site: str  # where the link leads
    feed_id: int
    feed_title: str
    author: str
    excerpt: str
    direction: str  # of the title
    excerpt_direction: str
    language: str
    age: str
    date: str
    datetime: str
    score: int
    score_words: str
    tone: str  # "high", "middle", "low": how much the score stands out
    fading: Fading
    also: str
    cluster: ClusterView | None
    story: StoryRow | None  # the row stands for a story; then that is shown instead
    version: Version | None
    state: ArticleState
    tags: tuple[str, ...]
    noted: bool
    demoted: bool
    importance: str  # "" where the list is not about it
    image: str  # address of a picture; "" for none


_DEMOTED = attrgetter("demoted")


@lru_cache(4_096)
def _source(source: str, feed_title: str) -> str:
    """The host, where it says anything: a number says nothing that the feed's name does not."""
    try:
        ip_address(source.strip("[]"))
    except ValueError:
        return clean(source or feed_title, 80)
    return clean(feed_title, 80)


@lru_cache(4_096)
def _machine_time(moment: datetime) -> str:
    return moment.isoformat(timespec="minutes")


def row(listed: Listed, now: datetime) -> Row:
    """One row of a list."""
    # The words about its cluster count the feeds with exact copies already.
    counted = listed.cluster is not None and listed.cluster.feeds > listed.also_in
    score = round(min(max(listed.score, 0.0), 100.0))
    fading = FADING.get(listed.sensitivity, FADING[3])
    title, text = title_of(listed), clean(listed.excerpt, EXCERPT_LENGTH)
    source = _source(listed.source, listed.feed_title)
    if not listed.title:
        text = text.removeprefix(title.removesuffix("…")).lstrip()
    return Row(
        id=listed.id,
        title=title,
        url=without_campaign(web_address(listed.url)),
        source=f"links to {clean(listed.source, 80)}" if listed.links_elsewhere else source,
        site=source,
        feed_id=listed.feed_id,
        feed_title=clean(listed.feed_title, 120),
        author=clean(listed.author, 120),
        excerpt=text,
        direction=direction(title, listed.language),
        excerpt_direction=direction(text, listed.language),
        language=language(listed.language),
        age=age_words(now - listed.dated),
        date=date_words(listed.dated, now.tzinfo),
        datetime=_machine_time(listed.dated),
        score=score,
        score_words=f"{score} of 100 now; {listed.relevance:.0f} before ageing",
        tone="high" if score >= 66 else "middle" if score >= 33 else "low",
        fading=fading,
        also=f"also in {count_words(listed.also_in, 'feed')}"
        if listed.also_in and not counted
        else "",
        cluster=cluster_view(listed.cluster, listed.dated, now) if listed.cluster else None,
        story=story_row(listed.story, listed, now) if listed.story else None,
        version=version(listed.version) if listed.version else None,
        state=listed.state,
        tags=listed.tags,
        noted=listed.noted,
        demoted=listed.lowered,
        importance="" if listed.importance is None else f"{listed.importance:.0f}",
        image=web_address(listed.image),
    )


def rows(listed: Sequence[Listed], now: datetime) -> list[Row]:
    """The rows of a page."""
    made = [row(one, now) for one in listed]
    if any(map(_DEMOTED, made)):
        seen = visible((one.score, one.demoted) for one in made)
        made = [one._replace(demoted=so) for one, so in zip(made, seen, strict=True)]
    return made


# English names of the languages that most feeds are in; another is shown by its code.
_LANGUAGES = {
    "ar": "Arabic", "bg": "Bulgarian", "bn": "Bengali", "ca": "Catalan", "cs": "Czech",
    "da": "Danish", "de": "German", "el": "Greek", "en": "English", "es": "Spanish",
    "et": "Estonian", "eu": "Basque", "fa": "Persian", "fi": "Finnish", "fr": "French",
    "he": "Hebrew", "hi": "Hindi", "hr": "Croatian", "hu": "Hungarian", "id": "Indonesian",
    "is": "Icelandic", "it": "Italian", "ja": "Japanese", "ko": "Korean", "lt": "Lithuanian",
    "lv": "Latvian", "nb": "Norwegian", "nl": "Dutch", "no": "Norwegian", "pl": "Polish",
    "pt": "Portuguese", "ro": "Romanian", "ru": "Russian", "sk": "Slovak", "sl": "Slovenian",
    "sr": "Serbian", "sv": "Swedish", "ta": "Tamil", "th": "Thai", "tr": "Turkish",
    "uk": "Ukrainian", "ur": "Urdu", "vi": "Vietnamese", "zh": "Chinese",
}  # fmt: skip

LEAST_SCORES = (10, 25, 50, 75, 90)


def language_words(code: str) -> str:
    """A language's name."""
    return _LANGUAGES.get(code, code) if code else "Unknown language"


@dataclass(frozen=True, slots=True)
class Filter:
    """A field that narrows a list, and what it is set to."""

    name: str  # of the parameter of the list's address
    label: str
    options: Mapping[str, str]  # by value, in words
    chosen: str  # "" when it narrows nothing
    words: str  # what is chosen, by itself
    place: ListView

    @property
    def without(self) -> ListView:
        """The list that it does not narrow."""
        return self.place.to(**{self.name: FILTERS[self.name]})


# How old the articles of a list may be.
SPAN_WORDS = {"day": "last day", "week": "last week", "month": "last 30 days"}

# As a digest divides them; seed 001.
LEAST_IMPORTANCES = (40, 55, 70)

_SENSITIVITIES = {str(level): fading.sentence.partition(":")[0] for level, fading in FADING.items()}


def filters(place: ListView, languages: Iterable[str]) -> tuple[Filter, ...]:
    """What can be chosen, among it what is."""
    codes = sorted({*languages, place.language or ""} - {""}, key=language_words)
    named = dict(zip((*codes, "und"), map(language_words, (*codes, "")), strict=True))
    language = "und" if place.language == "" else place.language or ""
    score, importance = str(int(place.score) or ""), str(int(place.importance) or "")
    sensitivity, span = str(place.sensitivity or ""), SPAN_NAMES.get(place.within, "")
    scores, importances = _least(LEAST_SCORES, score), _least(LEAST_IMPORTANCES, importance)
    return (
        Filter("language", "Language", named, language, named.get(language, ""), place),
        Filter("score", "Score", scores, score, f"score at least {score}", place),
        Filter("importance", "Importance", importances, importance,
            f"importance at least {importance}", place),
        Filter("sensitivity", "Time sensitivity", _SENSITIVITIES, sensitivity,
            _SENSITIVITIES.get(sensitivity, ""), place),
        Filter("within", "Age", SPAN_WORDS, span, SPAN_WORDS.get(span, ""), place),
    )  # fmt: skip


def _least(usual: Iterable[int], chosen: str) -> Mapping[str, str]:
    values = [*map(str, sorted({*usual, int(chosen or 0)} - {0}))]
    return dict(zip(values, map("at least {}".format, values), strict=True))


@dataclass(frozen=True, slots=True)
class ReasonBar:
    """One reason with a bar: where it starts and how long it is, in percent of the whole width."""

    words: str
    text: str
    article_id: int | None
    story: int | None
    effect: str  # "+12", "-3", "" when it only informs
    start: float
    length: float
    good: bool


# What stands before a reason's text; the text of any other kind says it all by itself.
_BEFORE = {
    "liked": "Similar to a like",
    "disliked": "Similar to a dislike",
    "interest": "Your interest",
    "term": "Says",
}

# Under this many points a bar shows nothing.
LEAST_SHOWN = 0.05


def reason_bars(reasons: tuple[Reason, ...]) -> tuple[ReasonBar, ...]:
    """Bars left and right of a middle line, the longest filling its half. Specks are left out."""
    reasons = tuple(one for one in reasons if not 0 < abs(one.effect) < LEAST_SHOWN)
    widest = max((abs(reason.effect) for reason in reasons), default=0.0) or 1.0
    return tuple(_bar(reason, 50 / widest) for reason in reasons)


def _bar(reason: Reason, percent_per_point: float) -> ReasonBar:
    length = abs(reason.effect) * percent_per_point
    text = clean(reason.text, TITLE_LENGTH) or reason.kind
    shown = f"{reason.effect:+.1f}" if abs(reason.effect) < 1 else f"{round(reason.effect):+d}"
    return ReasonBar(
        words=_BEFORE.get(reason.kind, ""),
        text=text if reason.kind in _BEFORE else text[:1].upper() + text[1:],
        article_id=reason.article_id,
        story=reason.story,
        effect=shown.replace("-", "−") if reason.effect else "",
        start=round(50.0 if reason.effect >= 0 else 50.0 - length, 2),
        length=round(max(length, 0.5) if reason.effect else 0.0, 2),
        good=reason.effect >= 0,
    )


@dataclass(frozen=True, slots=True)
class Curve:
    """A decay curve in a box of 320 by 120: what was, what will be, and where now stands."""

    past: str
    future: str
    now_x: float
    now_y: float
    label_x: float
    label_y: float
    label_end: bool  # the label ends there instead of beginning
    days: float  # the whole width
    end: str  # in words


CURVE_WIDTH, CURVE_HEIGHT = 320.0, 120.0


def decay_curve(relevance: float, age: timedelta, half_life: timedelta) -> Curve:
    """From publication to three half-lives, or a little past now when it is older than that."""
    whole = max(3 * half_life, 1.25 * age)

    def point(at: timedelta) -> tuple[float, float]:
        left = decayed(relevance, at, half_life) / 100
        return round(at / whole * CURVE_WIDTH, 1), round(CURVE_HEIGHT * (1 - left), 1)

    def points(start: timedelta, end: timedelta) -> str:
        steps = [point(start + (end - start) * step / 24) for step in range(25)]
        return " ".join(f"{x},{y}" for x, y in steps)

    x, y = point(age)
    return Curve(
        past=points(timedelta(0), age),
        future=points(age, whole),
        now_x=x,
        now_y=y,
        label_x=round(x - 8 if x > CURVE_WIDTH / 2 else x + 8, 1),
        label_y=round(max(y - 6, 4), 1),
        label_end=x > CURVE_WIDTH / 2,
        days=whole / _DAY,
        end=span_words(whole),
    )


@dataclass(frozen=True, slots=True)
class Why:
    """An explanation, ready to be shown."""

    row: Row
    sentence: str  # the main reason
    personal: bool
    made_by: str
    relevance: int
    remaining: str  # percent
    age: str
    half_life: str
    level: int
    confidence: str  # "" when it was not judged
    explanation: str
    rated_by: str
    beside: str  # what another judge says of it
    delayed: str  # how the reader's own delays moved it
    bars: tuple[ReasonBar, ...]  # what adds up to the relevance
    near: tuple[ReasonBar, ...]  # what it resembles
    words: tuple[ReasonBar, ...]
    curve: Curve
    stands_by: Row | None  # the article of its row whose place it has in the list
    importance: str  # "" when it was not weighed yet
    signals: tuple[SignalBar, ...]
    story: StorySubscription | None  # where the reader follows or muted its story


@dataclass(frozen=True, slots=True)
class SignalBar:
    """One signal of importance as a bar of 0 to 100."""

    name: str
    reason: str
    value: int
    weight: str  # percent
    points: str


SIGNAL_NAMES = {
    "authority": "Source",
    "recency": "Recency",
    "corroboration": "Corroboration",
    "topic": "Your topics",
    "depth": "Depth",
}


def signal_bars(signals: tuple[SignalPart, ...]) -> tuple[SignalBar, ...]:
    """The signals in the order they are declared."""
    return tuple(
        SignalBar(
            name=SIGNAL_NAMES.get(one.name, one.name),
            reason=clean(one.reason, TITLE_LENGTH),
            value=round(one.value),
            weight=f"{100 * one.weight:.0f}%",
            points=f"{one.points:.1f}",
        )
        for one in signals
    )


def _percent(share: float) -> str:
    """Whole percents, but where they would say all or nothing."""
    percent = 100 * share
    return f"{percent:.1f}" if 99 <= percent < 99.95 or 0.05 <= percent < 1 else f"{percent:.0f}"


def why(explanation: Explanation, now: datetime) -> Why:
    """Everything the page "why" says."""
    rating = explanation.rating
    return Why(
        row=row(explanation.listed, now),
        sentence=clean(explanation.sentence, TITLE_LENGTH),
        personal=explanation.personal,
        made_by=clean(explanation.made_by, 120),
        relevance=round(explanation.listed.relevance),
        remaining=_percent(remaining(explanation.age, explanation.half_life)),
        age=span_words(explanation.age),
        half_life=span_words(explanation.half_life),
        level=rating.rating,
        confidence=f"{100 * rating.confidence:.0f}% sure" if rating.confidence > 0 else "",
        explanation=clean(rating.explanation, TITLE_LENGTH).rstrip("."),
        rated_by=clean(explanation.rated_by, 120),
        beside=clean(explanation.beside, TITLE_LENGTH).rstrip("."),
        delayed=explanation.delayed,
        bars=reason_bars(tuple(one for one in explanation.reasons if one.effect)),
        near=reason_bars(tuple(one for one in explanation.reasons if not one.effect)),
        words=reason_bars(explanation.words),
        stands_by=None if explanation.stands_by is None else row(explanation.stands_by, now),
        curve=decay_curve(explanation.listed.relevance, explanation.age, explanation.half_life),
        importance=f"{sum(one.points for one in explanation.signals):.0f}"
        if explanation.signals
        else "",
        signals=signal_bars(explanation.signals),
        story=explanation.story,
    )


@dataclass(frozen=True, slots=True)
class Attachment:
    """An enclosure that may be followed."""

    url: str
    name: str
    kind: str  # "audio", "video", "image", "file"
    words: str


# What a name ends in, for feeds that say no type.
_PLAYED = {
    **dict.fromkeys(("mp3", "m4a", "aac", "ogg", "oga", "opus", "flac", "wav"), "audio"),
    **dict.fromkeys(("mp4", "m4v", "webm", "mov", "ogv"), "video"),
}
_KINDS = frozenset({"audio", "video", "image"})
MOST_ATTACHMENTS = 40


def attachments(enclosures: tuple[Enclosure, ...]) -> tuple[Attachment, ...]:
    """Those with an address a browser may be sent to."""
    shown = (one for one in enclosures if web_address(one.url))
    return tuple(_attachment(one) for one in islice(shown, MOST_ATTACHMENTS))


def _attachment(enclosure: Enclosure) -> Attachment:
    name = urlsplit(enclosure.url).path.rpartition("/")[2] or enclosure.url
    said = enclosure.type.partition("/")[0].strip().lower()
    ending = name.rpartition(".")[2].lower()
    kind = said if said in _KINDS or "/" in enclosure.type else _PLAYED.get(ending, "file")
    parts = (
        clean(enclosure.title, 80),
        playing_time(enclosure.seconds),
        clean(enclosure.type, 60),
        size_words(enclosure.length),
    )
    return Attachment(
        url=web_address(enclosure.url),
        name=clean(name, 80),
        kind=kind if kind in _KINDS else "file",
        words=", ".join(part for part in parts if part),
    )
