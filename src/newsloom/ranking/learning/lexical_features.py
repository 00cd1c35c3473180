"""Lexical cues of how fast an article expires, each with the words a person reads.

Pure: title and text in, numbers out. Most patterns are English: what may be read in any language
says `known_in`.
"""

from __future__ import annotations

import math
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from newsloom.ranking.encoder_text import LEAD
from newsloom.ranking.learning.lbfgs import Floats

# Characters looked at: the head was trained on leads, and no pattern may take long on any input.
MOST_TITLE = 300

_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_DATE = rf"\b{_MONTH}\.? \d{{1,2}}\b|\b\d{{1,2}} {_MONTH}\b"
_SAYING = (
    r"says?|said|tells?|told|announces?d?|confirms?e?d?|reveals?|warns?|urges?|slams?|calls?"
    r"|claims?|den(?:y|ies)|vows?|orders?|rejects?|backs?|blasts?|accuses?|defends?|demands?"
    r"|admits?|insists?|hails?|praises?|hints?|reports?|records?"
)
_HAPPENING = (
    r"wins?|won|beats?|dies?|dead|death|killed|kills?|arrest\w*|charged|jailed|sentenced|guilty"
    r"|hits?|crash\w*|shot|shooting|injured|missing|found|resigns?|fired|sacked|elected|named"
    r"|appointed|signs?|votes?|approves?|passes|rules?|launches|opens?|closes?|reopens?|returns?"
    r"|suspends?|bans?|extends?|cuts?|raises?|falls?|rises?|surges?|soars?|tests?|cases?|leaves?"
    r"|joins?|attend\w*|meets?|visits?|marks?|recaptur\w*"
)


@dataclass(frozen=True, slots=True)
class Cue:
    """A pattern, and what to say when it speaks; "" when it means nothing by itself."""

    words: str
    pattern: re.Pattern[str]
    anywhere: bool = False  # numbers and signs, which mean the same in any language


def _cue(words: str, pattern: str, *, anywhere: bool = False) -> Cue:
    return Cue(words, re.compile(pattern, re.IGNORECASE), anywhere)


# Counted in the title, at most twice each.
TITLE = (
    _cue("a live report by its title", r"\blive(?:stream|blog)?\b|\bas it happen|minute.by.minute"),
    _cue(
        "an alert by its title",
        r"\bbreaking\b|\balert\b|\bjust in\b|\bdeveloping\b|\bunfolding\b|\bevacuat|\bwarning\b",
    ),
    _cue(
        "an update by its title",
        r"\bupdates?\b|\blatest\b|\bbulletin\b|\bsnapshot\b|\bheadlines\b|\brundown\b"
        r"|\bbriefing\b|\bnow\b",
    ),
    _cue(
        "an edition of the day by its title",
        r"\b(?:morning|midday|afternoon|evening|daily|today's) (?:update|bulletin|briefing|news"
        r"|edition|wrap)|\blivestream|\blive (?:updates?|blog|coverage)|\bwatch live"
        r"|\bspecial coverage|\(\d{1,2} ?[ap]m\)",
    ),
    _cue(
        "weather or danger by its title",
        r"\bstorm|\bcyclone|\btyphoon|\bhurricane|\btropical|\b(?:wild|bush)fire|\bflood"
        r"|\bquake|\bearthquake|\btsunami|\bsnow|\bgales?\b|\bweather\b|\beruption|\berupts"
        r"|\bhostage|\bgunman|\bstandoff",
    ),
    _cue("a title that asks how, why or what", r"^(?:how|why|what|where|when|who|which)\b"),
    _cue(
        "a guide or explainer by its title",
        r"\bhow to\b|\bguide\b|\btutorial\b|\btips\b|\btricks\b|\brecipe\b|\bexplain"
        r"|\bunderstanding\b|\bintroduction\b|\bbasics\b|\blearn",
    ),
    _cue("a question for a title", r"\?", anywhere=True),
    _cue("a quotation in the title", r"['\"‘“].+['\"’”]", anywhere=True),
    _cue("", r": ", anywhere=True),
    _cue("", r" [|–-] ", anywhere=True),
    _cue("", r"\.\.\.|…", anywhere=True),
    _cue("", r"!", anywhere=True),
    _cue(
        "history or a life by its title",
        r"\bhistory\b|\bstory of\b|\blife\b|\bborn\b|\bremember|\blegacy\b|\bancient\b"
        r"|\bmystery\b|\bworld's\b",
    ),
    _cue(
        "an opinion or analysis by its title",
        r"\bopinion\b|\banalysis\b|\bcolumn\b|\beditorial\b|\bcomment\b|\bshould\b|\breally\b"
        r"|\bcan\b|\bis it\b|\bdiary\b",
    ),
    _cue("", r"^\w+ing\b"),
    _cue("", r"^(?:the|a|an)\b"),
    _cue("the writer speaks in the title", r"\b(?:i|i'm|my|me|i've|we|our|us)\b"),
    _cue("the reader is addressed in the title", r"\b(?:you|your)\b"),
    _cue("someone says something in the title", rf"\b(?:{_SAYING})\b"),
    _cue("something happened by its title", rf"\b(?:{_HAPPENING})\b"),
    _cue(
        "something is to come by its title",
        r"\b(?:to|will|plans?|may|could|might|expected|upcoming|next|ahead|weekend|tomorrow"
        r"|looming|likely)\b",
    ),
    _cue(
        "a day in the title",
        rf"{_DATE}|\d{{1,2}}/\d{{1,2}}|\b{_DAY}\b|\b(?:today|tonight|yesterday)\b",
    ),
    _cue("a year in the title", r"\b(?:19|20)\d\d\b", anywhere=True),
    _cue("a version in the title", r"\bv?\d+\.\d+", anywhere=True),
    _cue(
        "part of a series",
        r"\b(?:part|episode|ep|chapter|session|day|week|issue|vol)\b\.? ?#?\d+|#\d+|\d/\d",
    ),
    _cue(
        "a release by its title",
        r"\brelease|\bbeta\b|\bintroduc|\bannounc|\bavailable\b|\bupgrade|\bnew\b",
    ),
    _cue("amounts in the title", r"[$£€₱]|\bmillion\b|\bbillion\b|%|\bper cent\b", anywhere=True),
    _cue("someone's age in the title", r", \d\d\b|\b\d\d-year-old", anywhere=True),
    _cue("code in the title", r"\w\(\)|(?-i:[a-z][A-Z])|_|::|\.\w{2,3}\b|[{}]", anywhere=True),
    _cue("", r"(?-i:^[A-Z][a-z]+ [A-Z][a-z]+)"),
    _cue("", r"\d", anywhere=True),
    _cue("a list by its title", r"^(?:\d+|three|five|six|seven|ten|twelve) "),
    _cue("", r"'s\b"),
    _cue("a video by its title", r"\btrailer\b|\bvideo\b|\bwatch\b|\bfull\b|\bepisode\b"),
    # Unlike the first: "Live gigs are back" is none.
    _cue(
        "a live page by its title",
        r"^live\b|[:|—–-] ?live\b|\blive (?:updates?|blog|coverage|stream|reports?|now)\b"
        r"|\bwatch live\b|\blive ?stream|\bas it happened\b|\bupdates:",
    ),
    _cue(
        "a look back on a day by its title",
        r"\bwhat happened (?:in|on)\b|\brecap\b|\bwrap\b|\bthe papers\b|\bheadlines\b"
        r"|\bgossip\b|\bhighlights\b|\bquiz\b",
    ),
    _cue(
        "weather to come by its title",
        r"\blpa\b|\blow.pressure\b|\bdepression\b|\brains?\b|\bskies\b|\bforecast\b"
        r"|\bheat ?wave\b|\bwintry\b|\bcold snap\b|\bwinds?\b|\bswells?\b|\bfog\b|\bmagnitude\b"
        r"|\bthunder\w*|\bmonsoon\b|\blava\b|\bvolcano\b",
    ),
)

# Counted in the text twice: whether at all, and how dense.
TEXT = (
    _cue("it quotes people", r"\b(?:said|says|told|according to|reported|announced|confirmed)\b"),
    _cue("it tells what has happened", r"\b(?:has|have|had) (?:been )?\w+ed\b"),
    _cue("it tells what was done", r"\b(?:was|were|been) \w+ed\b"),
    _cue(
        "it speaks of today or this week",
        r"\b(?:today|tonight|yesterday|tomorrow|this (?:morning|afternoon|evening|week|weekend"
        r"|month)|last (?:night|week)|overnight|hours?|minutes ago)\b",
    ),
    _cue("it names a weekday", rf"\b{_DAY}\b"),
    _cue("it names a date", _DATE),
    _cue("it names a year", r"\b(?:19|20)\d\d\b", anywhere=True),
    _cue("the writer speaks of themselves", r"\b(?:i|i'm|i've|i'd|my|me|myself)\b"),
    _cue("it says we", r"\b(?:we|our|us|we're|let's)\b"),
    _cue("it addresses the reader", r"\b(?:you|your|you're)\b"),
    _cue(
        "it calls itself a post, series or guide",
        r"\b(?:this|last|previous|blog) (?:post|article|blog|series|tutorial|video|talk|guide)\b"
        r"|\bpost\b|\bblog\b",
    ),
    _cue("it is an agency report", rf"\((?:reuters|ap|afp)\)|\b(?-i:[A-Z]{{4,}}), {_MONTH} \d"),
    _cue(
        "police, courts or officials act in it",
        r"\bpolice\b|\bcourt\b|\bofficials?\b|\bminister\b|\bpresident\b|\bgovernment\b"
        r"|\bmayor\b|\bhospital\b|\bauthorities\b",
    ),
    _cue(
        "it is about weather, fire or unrest",
        r"\bevacuat|\bstorm\b|\bcyclone|\bflood|\bwildfire|\bearthquake|\btyphoon|\bgunfire"
        r"|\bweather\b|\brain\b|\bwinds?\b|\bfire\b|\bprotesters?\b|\bstrike\b|\btsunami",
    ),
    _cue(
        "it speaks of years and habits",
        r"\bmore (?:and more|than)\b|\bincreasingly\b|\byears\b|\bdecades?\b|\bmany\b|\boften\b"
        r"|\bgenerally\b|\busually\b",
    ),
    _cue(
        "it contains code or links",
        r"\w\(\)|(?-i:[a-z][A-Z])|_\w|::|[{}<>]|\bcode\b|\bfunction\b|\bserver\b|\bsoftware\b",
        anywhere=True,
    ),
    _cue(
        "it thinks aloud",
        r"\b(?:think|feel|believe|love|want|know|like|really|just|because|simple|way)\b",
    ),
    _cue("it says what will be", r"\b(?:will|would|could|may|might|plans? to|set to|expected)\b"),
    _cue("it names amounts", r"[$£€₱]|\bmillion\b|\bbillion\b|%|\bper cent\b", anywhere=True),
    _cue("", r"\b\d", anywhere=True),
    _cue("it quotes", r"[\"“”]|'\w", anywhere=True),
    _cue("it names versions", r"\bv?\d+\.\d+", anywhere=True),
    _cue(
        "it is an edition of the day",
        r"\b(?:things|all) you need to know\b[^.]{0,60}\b(?:morning|afternoon|evening|today"
        r"|tonight)\b|\bread back through\b|\bfollow (?:all )?(?:the|our|live)\b"
        r"|\((?:updated|as of)\b|\blatest updates\b|\blive (?:updates?|blog|stream|coverage)\b"
        r"|\bkey points\b|\bwatch (?:it )?live\b",
    ),
    _cue(
        "it gives a time of day",
        r"\b\d{1,2}(?:[:.]\d\d)? ?(?:a\.m\.|p\.m\.|am\b|pm\b)",
        anywhere=True,
    ),
    _cue(
        "it speaks of this morning or tonight",
        r"\bthis (?:morning|afternoon|evening|weekend)\b|\btonight\b|\bovernight\b"
        r"|\bminutes ago\b|\blast night\b",
    ),
    _cue(
        "it is still going on",
        r"\b(?:is|are|remain(?:s|ed)?) (?:still |being |now )?(?:expected|urged|under|missing"
        r"|closed|without|trapped|searching|battling|on high alert|cut off|bracing)\b|\bhas begun\b"
        r"|\bhas struck\b|\bunder way\b",
    ),
)

_COMMON_WORDS = "the of and to in a is that for on with as by at from it this be are was"
_COMMON = frozenset(_COMMON_WORDS.split())

# What is measured rather than found; named only for the order.
_MEASURES = (
    "title words", "title length", "text words", "no text", "long text", "capitalised title words",
    "upper-case title words", "capitalised text words", "title word length", "common text words",
    "common title words", "text repeats title", "text ends a sentence", "sentences",
)  # fmt: skip

WORDS = (
    *(cue.words for cue in TITLE),
    *(words for cue in TEXT for words in (cue.words, cue.words)),
    *("" for _ in _MEASURES),
)


_ANYWHERE = ("no text", "long text", "text repeats title", "text ends a sentence")
# Where words stand apart; Chinese, Japanese and Thai do without spaces.
_SPACED = (
    "title words", "title length", "text words", "upper-case title words", "title word length",
    "sentences",
)  # fmt: skip
_UNSPACED = re.compile(r"[\u3040-\u9fff\uf900-\ufaff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")


def _columns(measures: Sequence[str]) -> NDArray[np.bool_]:
    """Which columns mean something in another language than English."""
    return np.array(
        [
            *(cue.anywhere for cue in TITLE),
            *(anywhere for cue in TEXT for anywhere in (cue.anywhere, cue.anywhere)),
            *(one in measures for one in _MEASURES),
        ]
    )


_IN_SPACED, _IN_UNSPACED = _columns((*_ANYWHERE, *_SPACED)), _columns(_ANYWHERE)


def known_in(titles: Sequence[str], english: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Of each article, the columns that mean something in its language."""
    rows = [
        _IN_UNSPACED if _UNSPACED.search(title[:MOST_TITLE]) else _IN_SPACED for title in titles
    ]
    return english[:, None] | np.array(rows, np.bool_).reshape(len(rows), len(WORDS))


def lexical_features(titles: Sequence[str], texts: Sequence[str]) -> NDArray[np.float64]:
    """One row per article, one column per entry of WORDS."""
    pairs = zip(titles, texts, strict=True)
    rows = [_row(title[:MOST_TITLE], text[:LEAD]) for title, text in pairs]
    return np.array(rows, np.float64).reshape(len(rows), len(WORDS))


def _row(title: str, text: str) -> list[float]:
    found = [min(2.0, len(cue.pattern.findall(title))) for cue in TITLE]
    # Under twenty words one hit says little about density.
    words = max(20, len(text.split()))
    for cue in TEXT:
        count = len(cue.pattern.findall(text))
        found += [min(1.0, count), min(3.0, 30.0 * count / words)]
    return found + _measures(title, text)


def _measures(title: str, text: str) -> list[float]:
    words, body = title.split(), text.split()
    named = [word for word in words[1:] if word[:1].isalpha()]
    ends = text.rstrip()[-1:] in {".", "!", "?", '"'} if body else 0.5
    return [
        math.log1p(len(words)),
        len(words) / 10,
        math.log1p(len(body)),
        float(not body),
        float(len(text) >= 250),
        _share(word[:1].isupper() for word in named),
        _share(len(word) > 1 and word.isupper() for word in words),
        _share(word[:1].isupper() for word in body),
        sum(map(len, words)) / max(1, len(words)),
        _share(word.lower().strip(".,") in _COMMON for word in body),
        _share(word.lower() in _COMMON for word in words),
        float(bool(body) and text[:30] == title[:30]),
        float(ends),
        text.count(". ") / 3,
    ]


def _share(flags: Iterable[bool]) -> float:
    """The share of true ones; nothing has none."""
    held = list(flags)
    return sum(held) / max(1, len(held))


# Words and word pairs of an article, hashed into a fixed number of columns.
# Hashing keeps what is shipped small and free of any vocabulary: with 8,192 columns cross-validated
# kappa was .870 by random folds and .841 by source, with 7,786 exact ones .866 and .846.

COLUMNS = 8_192

_TOKEN = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?|\d+|[?!:|…\"]")


@dataclass(frozen=True, slots=True, eq=False)
class Sparse:
    """Rows of few columns each. No row is empty: see `hashed`."""

    starts: NDArray[np.intp]  # where each row begins
    columns: NDArray[np.intp]
    values: Floats

    def __len__(self) -> int:
        return len(self.starts)

    def times(self, weights: Floats) -> Floats:
        """Rows times a (COLUMNS, k) matrix."""
        products = self.values[:, None] * weights[self.columns]
        return np.asarray(np.add.reduceat(products, self.starts, axis=0))

    def transposed_times(self, rows: Floats) -> Floats:
        """The transpose times an (n, k) matrix."""
        counts = np.diff(np.append(self.starts, len(self.columns)))
        spread = np.repeat(rows, counts, axis=0) * self.values[:, None]
        columns = (np.bincount(self.columns, one, minlength=COLUMNS) for one in spread.T)
        return np.stack(list(columns), axis=1)

    def take(self, rows: NDArray[np.intp]) -> Sparse:
        """Those rows, in that order."""
        ends = np.append(self.starts, len(self.columns))
        pieces = [np.arange(ends[row], ends[row + 1]) for row in rows]
        places = np.concatenate(pieces)
        starts = np.append(0, np.cumsum([len(piece) for piece in pieces]))[:-1]
        return Sparse(starts, self.columns[places], self.values[places])


def hashed(titles: Sequence[str], texts: Sequence[str]) -> Sparse:
    """Signed logarithmic counts. At least one article, please."""
    rows = [_hashed_row(title, text) for title, text in zip(titles, texts, strict=True)]
    lengths = [len(row) for row in rows]
    return Sparse(
        np.append(0, np.cumsum(lengths))[:-1],
        np.array([column for row in rows for column in row], np.intp),
        np.array([value for row in rows for value in row.values()], np.float64),
    )


def rarity(counts: Sparse) -> Floats:
    """How much a column counts: the logarithm of how few articles have it."""
    holders = np.bincount(counts.columns, minlength=COLUMNS)
    return np.asarray(1.0 + np.log((1.0 + len(counts)) / (1.0 + holders)))


def weighted(counts: Sparse, rarities: Floats) -> Sparse:
    """Counts times rarity, every row of unit length."""
    values = counts.values * rarities[counts.columns]
    lengths = np.sqrt(np.add.reduceat(values * values, counts.starts))
    each = np.repeat(lengths, np.diff(np.append(counts.starts, len(values))))
    return Sparse(counts.starts, counts.columns, values / np.maximum(each, 1e-9))


def _hashed_row(title: str, text: str) -> dict[int, float]:
    row: dict[int, float] = {}
    for gram, count in Counter([*_grams(title), *_grams(text)]).items():
        code = zlib.crc32(gram.encode())
        # The sign bit lets colliding grams cancel instead of adding up.
        sign = 1.0 if code >> 31 else -1.0
        column = code % COLUMNS
        row[column] = row.get(column, 0.0) + sign * (1.0 + math.log(count))
    return row


def _grams(text: str) -> Iterator[str]:
    """Words and pairs, numbers all alike, ends marked: even nothing has the pair of its ends."""
    words = ["#" if token.isdigit() else token.lower() for token in _TOKEN.findall(text)]
    yield from words
    marked = ["^", *words, "$"]
    for first, second in pairwise(marked):
        yield f"{first} {second}"
