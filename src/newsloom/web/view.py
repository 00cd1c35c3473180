"""What a template shows, computed from values: words for ages and scores, safe addresses, curves.

Pure: no request, no reader, no clock. Everything a publisher wrote is hostile here.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import ip_address
from urllib.parse import urlsplit

from newsloom.scoring.decay import decayed, remaining
from newsloom.types import Enclosure, Explanation, Listed, Reason

# Longest title and excerpt put on a page. Real titles end below 300 characters; what is longer is
# an article in the wrong field.
TITLE_LENGTH = 300
EXCERPT_LENGTH = 400

# Combining marks kept in a row. Vietnamese needs two, Hebrew with accents three; a title with
# hundreds paints over its neighbours.
MARKS_IN_A_ROW = 4

_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,4}")
_MINUTE, _HOUR, _DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)

# Ages from newest: (below, one unit, short name).
_AGES = (
    (_HOUR, _MINUTE, "min"),
    (_DAY, _HOUR, "h"),
    (14 * _DAY, _DAY, "d"),
    (60 * _DAY, 7 * _DAY, "wk"),
    (730 * _DAY, 30.44 * _DAY, "mo"),
    (timedelta.max, 365.25 * _DAY, "y"),
)

# Lengths of time from longest: (at least, one unit, name).
_SPANS = (
    (365 * _DAY, 365 * _DAY, "year"),
    (60 * _DAY, 30.44 * _DAY, "month"),
    (_DAY, _DAY, "day"),
    (_HOUR, _HOUR, "hour"),
)


@dataclass(frozen=True, slots=True)
class Fading:
    """How fast an article expires, for the eye and for the ear."""

    word: str
    sentence: str
    curve: str  # points of a polyline in a box of 20 by 10


def _small_curve(half_life_days: float) -> str:
    """What is left over thirty days, drawn in a box of 20 by 10."""
    steps = range(0, 31, 3)
    return " ".join(
        f"{1 + day * 18 / 30:.1f},{9 - 8 * 0.5 ** (day / half_life_days):.1f}" for day in steps
    )


# The picture of a level is drawn from the default half-lives: it names the level, it does not plot
# the article; the page "why" plots the article with the half-lives that are set.
FADING = {
    1: Fading("evergreen", "Evergreen: worth reading for about a year", _small_curve(365)),
    2: Fading("months", "Keeps for months", _small_curve(60)),
    3: Fading("weeks", "Fades in weeks", _small_curve(18)),
    4: Fading("days", "Expires in days", _small_curve(8)),
    5: Fading("urgent", "Urgent: matters today, expires in days", _small_curve(3)),
}


def clean(text: str, length: int) -> str:
    """One line, without controls or towers of combining marks, cut at a whole letter."""
    kept: list[str] = []
    marks = 0
    for char in text[: 4 * length]:
        category = unicodedata.category(char)
        marks = marks + 1 if category in {"Mn", "Me"} else 0
        if marks > MARKS_IN_A_ROW:
            continue
        kept.append(" " if category in {"Cc", "Zl", "Zp"} else char)
    line = " ".join("".join(kept).split())
    if len(line) <= length:
        return line
    cut = length
    while cut > 1 and unicodedata.category(line[cut]) in {"Mn", "Me", "Cf"}:
        cut -= 1
    return line[:cut].rstrip() + "…"


def web_address(url: str) -> str:
    """The address when it is one a browser may be sent to, else nothing."""
    try:
        parts = urlsplit(url.strip())
    except ValueError:
        return ""
    return url.strip() if parts.scheme in {"http", "https"} and parts.netloc else ""


def language(tag: str) -> str:
    """A language tag fit for an attribute, else nothing."""
    return tag if _LANGUAGE.fullmatch(tag) else ""


def age_words(age: timedelta) -> str:
    """An age in one number and one unit."""
    if age < _MINUTE:
        return "now"
    _below, unit, name = next(row for row in _AGES if age < row[0])
    return f"{max(1, int(age / unit))} {name}"


def span_words(span: timedelta) -> str:
    """A length of time, for a sentence."""
    for least, unit, name in _SPANS:
        if span >= least:
            count = round(span / unit)
            return f"{count} {name}" + ("s" if count != 1 else "")
    minutes = max(0, int(span / _MINUTE))
    return f"{minutes} minute" + ("s" if minutes != 1 else "")


def date_words(moment: datetime) -> str:
    """A date a person reads, in UTC, which is said."""
    return f"{moment:%A, %-d %B %Y, %H:%M} UTC"


def size_words(length: int | None) -> str:
    """A declared size; nothing when there is none."""
    if not length or length < 0:
        return ""
    if length < 1_000_000:
        return f"{max(1, round(length / 1_000))} kB"
    return f"{length / 1_000_000:.1f} MB"


def count_words(count: int, one: str, many: str = "") -> str:
    """`1 feed`, `12 feeds`."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


@dataclass(frozen=True, slots=True)
class Row:
    """An article in a list, ready to be shown."""

    id: int
    title: str
    url: str  # "" when it may not be followed
    source: str
    feed_id: int
    feed_title: str
    author: str
    excerpt: str
    language: str
    age: str
    date: str
    datetime: str
    score: int
    score_words: str
    tone: str  # "high", "middle", "low": how much the score stands out
    fading: Fading
    also: str
    read: bool
    starred: bool
    rating: int


def _source(listed: Listed) -> str:
    """The host, where it says anything: a number says nothing that the feed's name does not."""
    try:
        ip_address(listed.source.strip("[]"))
    except ValueError:
        return clean(listed.source or listed.feed_title, 80)
    return clean(listed.feed_title, 80)


def row(listed: Listed, now: datetime) -> Row:
    """One row of a list."""
    score = round(min(max(listed.score, 0.0), 100.0))
    fading = FADING.get(listed.sensitivity, FADING[3])
    return Row(
        id=listed.id,
        title=clean(listed.title, TITLE_LENGTH) or "Untitled",
        url=web_address(listed.url),
        source=_source(listed),
        feed_id=listed.feed_id,
        feed_title=clean(listed.feed_title, 120),
        author=clean(listed.author, 120),
        excerpt=clean(listed.excerpt, EXCERPT_LENGTH),
        language=language(listed.language),
        age=age_words(now - listed.dated),
        date=date_words(listed.dated),
        datetime=listed.dated.isoformat(timespec="minutes"),
        score=score,
        score_words=f"{score} of 100 now; {listed.relevance:.0f} before ageing",
        tone="high" if score >= 66 else "middle" if score >= 33 else "low",
        fading=fading,
        also=f"also in {count_words(listed.also_in, 'feed')}" if listed.also_in > 0 else "",
        read=listed.state.read,
        starred=listed.state.starred,
        rating=listed.state.rating,
    )


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
    return _LANGUAGES.get(code, code) if code else "No language said"


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing that can be chosen in a field."""

    value: str
    words: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Filters:
    """The fields that narrow a list, and what each is set to."""

    languages: tuple[Choice, ...]
    scores: tuple[Choice, ...]
    sensitivities: tuple[Choice, ...]
    language: str  # in words; "" when not narrowed
    score: str
    sensitivity: str


def filters(
    language: str | None, score: int, sensitivity: int | None, languages: tuple[str, ...]
) -> Filters:
    """What can be chosen, among it what is."""
    codes = sorted({*languages, language or ""} - {""}, key=language_words)
    least = sorted({*LEAST_SCORES, score} - {0})
    return Filters(
        languages=tuple(
            Choice(code or "und", language_words(code), code == language) for code in (*codes, "")
        ),
        scores=tuple(Choice(str(one), f"at least {one}", one == score) for one in least),
        sensitivities=tuple(
            Choice(str(level), fading.sentence.partition(":")[0], level == sensitivity)
            for level, fading in FADING.items()
        ),
        language="" if language is None else language_words(language),
        score=f"score at least {score}" if score else "",
        sensitivity="" if sensitivity is None else FADING[sensitivity].sentence.partition(":")[0],
    )


@dataclass(frozen=True, slots=True)
class ReasonBar:
    """One reason with a bar: where it starts and how long it is, in percent of the whole width."""

    words: str
    text: str
    article_id: int | None
    effect: str  # "+12", "-3", "" when it only informs
    start: float
    length: float
    good: bool


# What stands before a reason's text; the text of any other kind says it all by itself.
_BEFORE = {
    "liked": "Like something you liked",
    "disliked": "Like something you disliked",
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


def _percent(share: float) -> str:
    """Whole percents, but where they would say all or nothing."""
    percent = 100 * share
    return f"{percent:.1f}" if 99 <= percent < 99.95 or 0.05 <= percent < 1 else f"{percent:.0f}"


def why(explanation: Explanation, now: datetime) -> Why:
    """Everything the page "why" says."""
    rating = explanation.rating
    return Why(
        row=row(explanation.listed, now),
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
        curve=decay_curve(explanation.listed.relevance, explanation.age, explanation.half_life),
    )


@dataclass(frozen=True, slots=True)
class Attachment:
    """An enclosure that may be followed."""

    url: str
    name: str
    kind: str  # "audio", "video", "image", "file"
    words: str


def attachments(enclosures: tuple[Enclosure, ...]) -> tuple[Attachment, ...]:
    """Those with an address a browser may be sent to."""
    return tuple(_attachment(one) for one in enclosures if web_address(one.url))


def _attachment(enclosure: Enclosure) -> Attachment:
    kind = enclosure.type.partition("/")[0].lower()
    name = urlsplit(enclosure.url).path.rpartition("/")[2] or enclosure.url
    parts = (clean(enclosure.type, 60), size_words(enclosure.length))
    return Attachment(
        url=web_address(enclosure.url),
        name=clean(name, 80),
        kind=kind if kind in {"audio", "video", "image"} else "file",
        words=", ".join(part for part in parts if part),
    )
