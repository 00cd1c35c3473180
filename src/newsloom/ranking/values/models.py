"""What models see of an article, and what they make of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from newsloom.feeds.values.published import ParsedArticle
from newsloom.kernel.ids import ArticleId, FeedId, ModelId
from newsloom.reading.values.reading import EventKind, Listed

if TYPE_CHECKING:
    from newsloom.importance.values import SignalPart
    from newsloom.stories.values.pages import StoryId

# The kind of a model that ranks for one reader, as models are stored.
RELEVANCE = "relevance"


@dataclass(frozen=True, slots=True)
class Rating:
    """A time-sensitivity judgement."""

    rating: int  # 1..5
    confidence: float  # probability of that rating
    explanation: str = ""


@dataclass(frozen=True, slots=True)
class ArticleText:
    """What models see of an article: plain text, already cut to the lead."""

    id: ArticleId
    title: str
    text: str
    source: str  # host without www
    language: str
    dated: datetime
    feed_id: FeedId
    feed_url: str = ""


@dataclass(frozen=True, slots=True)
class RawArticle:
    """The shown text of an article, as the publisher wrote it."""

    id: ArticleId
    title: str
    html: str


@dataclass(frozen=True, slots=True)
class PlainText:
    """What the text stage makes of it."""

    id: ArticleId
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Score:
    """One reader's two time-free numbers of one article."""

    article_id: ArticleId
    relevance: float  # R0, 0..100
    sensitivity: int  # 1..5
    followed: bool = False  # the reader follows its story


@dataclass(frozen=True, slots=True)
class Label:
    """A reader's judgement to learn from: what their events on one article come to."""

    article: ArticleText
    category: str
    positive: bool
    at: datetime
    weight: float = 1.0  # of evidence, after caps; a plain like weighs 1
    kind: EventKind = EventKind.LIKE  # the event it rests on
    via: str = ""  # "web", "cli", "import", "ttrss", ...


@dataclass(frozen=True, slots=True)
class ImplicitNegative:
    """An article of which the reader never said anything, nor opened it."""

    article: ArticleText
    category: str
    came: datetime  # into the reader's list
    read: bool  # marked read
    alone: bool  # one by one, not with others


@dataclass(frozen=True, slots=True)
class Forgetting:
    """A stretch of time whose events teach nothing, from `since` to before `until`."""

    id: int
    since: datetime
    until: datetime
    at: datetime  # when the reader asked for it
    lifted: datetime | None = None  # None: in force
    events: int = 0  # likes, dislikes, stars and the like that lie in it


@dataclass(frozen=True, slots=True)
class Interest:
    """Something a reader said they care about, in their words."""

    id: int
    text: str
    added: datetime


@dataclass(frozen=True, slots=True)
class StoredModel:
    """A trained model as kept: bytes that are plain numbers, never pickle, and their hash."""

    model_id: str
    kind: str  # "relevance"
    payload: bytes
    sha256: str
    trained: datetime
    metrics: tuple[tuple[str, float], ...] = ()
    trainer: str = "head"  # its row in TRAINERS
    verdict: str = ""  # why it was promoted, or why not
    promoted: datetime | None = None  # None: never in force
    active: bool = False
    withdrawn: datetime | None = None  # when the reader went back from it; None: never
    made_of: str = ""  # names all that training depended on; the same again teaches nothing
    judge: bytes = b""  # the same training without the frozen labels
    judge_sha256: str = ""  # as `sha256`: it is its own judge; empty: nothing was held out
    id: ModelId | None = None  # None: not stored yet

    @property
    def learned(self) -> Learned:
        """The labels it was made from. Models of before they were counted apart: the sides."""
        figures = dict(self.metrics)

        def count(name: str, instead: str) -> int:
            return int(figures.get(name, figures.get(instead, 0.0)))

        return Learned(
            self.trained,
            likes=count("likes", "positives"),
            dislikes=count("dislikes", "negatives"),
            noticed=count("noticed", ""),
            implicit_negatives=count("passed_over", ""),
        )

    @property
    def labels_known(self) -> int:
        """How many labels there were when it was trained, those that only judge included."""
        figures = dict(self.metrics)
        trained_on = figures.get("positives", 0) + figures.get("negatives", 0)
        return int(figures.get("labels", trained_on))

    @property
    def judged(self) -> tuple[float, float, float] | None:
        """Its ROC AUC, and the likes and dislikes that is of; None when it is not known."""
        figures = dict(self.metrics)
        likes = figures.get("judged_positives", figures.get("positives"))
        dislikes = figures.get("judged_negatives", figures.get("negatives"))
        if likes is None or dislikes is None or "roc_auc" not in figures:
            return None
        return figures["roc_auc"], likes, dislikes


@dataclass(frozen=True, slots=True)
class Learned:
    """When a model was trained, and on how much."""

    at: datetime
    likes: int  # that the reader gave
    dislikes: int
    noticed: int = 0  # read to the end or passed over, without a word
    implicit_negatives: int = 0  # shown and not liked, which stood in for dislikes

    @property
    def words(self) -> str:
        """On what, for a person."""
        if not self.implicit_negatives:
            return f"{self.likes} likes and {self.dislikes} dislikes"
        dislikes = f"{self.dislikes} dislikes" if self.dislikes else "no dislikes"
        return f"{self.likes} likes and {self.implicit_negatives} skipped articles; {dislikes}"


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What was measured of one reader's model: plain metric names to numbers and texts."""

    at: datetime
    model_id: str
    protocol: str  # "frozen", "folds", ...
    report: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class NotYet:
    """There are too few labels of one kind to train on: an expected outcome, not an error."""

    positives: int
    negatives: int
    needed: tuple[int, int]  # positives, negatives


@dataclass(frozen=True, slots=True)
class Reason:
    """One thing that moved a score: what, and by how many points (0 when it only informs)."""

    # "liked", "disliked", "interest", "text", "term", "words", "feed", "category", "source",
    # "prior", "story", "rule", "rest"
    kind: str
    text: str
    effect: float = 0.0
    article_id: ArticleId | None = None
    story: StoryId | None = None


@dataclass(frozen=True, slots=True)
class StorySubscription:
    """A story that a reader follows or has muted, for an article of it."""

    story: StoryId
    title: str
    subscription: int  # 1 follows, -1 muted
    points: float  # that following adds, of relevance and, in digests, of importance


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why an article stands where it stands."""

    listed: Listed
    personal: bool  # whether a model trained on this reader's labels made the base score
    made_by: str  # the model, in words
    reasons: tuple[Reason, ...]  # their effects add up to the base score less 50
    rating: Rating
    half_life: timedelta
    age: timedelta
    remaining: float  # share of the base score left, 0..1
    words: tuple[Reason, ...] = ()  # of the title: the score less what it were without that word
    rated_by: str = ""  # who judged how fast it expires, in words
    beside: str = ""  # what the built-in judge says, where a language model's rating is in force
    delayed: str = ""  # how the reader's own delays moved the rating, where they did
    stands_by: Listed | None = None  # the article of its row whose place it has in the list
    signals: tuple[SignalPart, ...] = ()  # of its importance; none: not weighed yet
    story: StorySubscription | None = None  # None: the reader neither follows nor muted its story
    sentence: str = ""  # the main reason in plain words


@dataclass(frozen=True, slots=True)
class EncoderInUse:
    """The encoder whose vectors answer."""

    name: str  # as the settings called it when it was chosen
    model_id: str
    dimensions: int
    since: datetime


@dataclass(frozen=True, slots=True)
class LabelledCopy:
    """One article with what a reader said of it."""

    article: ParsedArticle  # its guid is unique within the source
    source: str  # who published it, as the file calls them
    marks: tuple[tuple[EventKind, datetime], ...]


@dataclass(frozen=True, slots=True)
class BroughtIn:
    """What became of labelled articles that were read in."""

    articles: int = 0  # new here
    labels: int = 0  # given now
    known: int = 0  # labels that were there, or that a later word of the reader overrules


@dataclass(frozen=True, slots=True)
class Neighbour:
    """An original article, and how near its vector is."""

    id: ArticleId
    cosine: float  # -1..1; of vectors rounded to half precision


# multilingual-e5-small exactly as `newsloom models get` makes it of the pinned wheel.
E5_VECTORS = "multilingual-e5-small-61585b99c20b/title+lead@1"


@dataclass(frozen=True, slots=True)
class CosineScale:
    """What cosines of one encoder mean."""

    related: float  # below this, articles are not related
    covered: float  # below this, a headline that a search found does not cover an article
    # Cosine of an article to an interest, as log odds: slope * (cosine - even).
    interest_slope: float
    interest_even: float


# Related: of the development sets' pairs of one story .86 to .95 reach it, of other pairs .5 to 1.6
# in a hundred; docs/work/quality.md has the figures of other floors. Interests: fitted on 38
# phrases such as "cooking recipes" against 24 categories of 2,774 HuffPost articles, categories
# weighed alike: mean ROC AUC 0.848, even odds at cosine 0.111.
MINILM_SCALE = CosineScale(related=0.5, covered=0.55, interest_slope=14.7, interest_even=0.111)
# Related: .834 and .4 in a hundred on allsides_val, where MiniLM has .845 and .6; in other
# languages the 1 % of unrelated pairs that are nearest reach .31 to .43. Interests: as MiniLM's
# changed by a fit of both on 12 phrases and 1,500 articles (AUC .907; MiniLM .887). Covered: of
# right headlines on allsides_val and allsides_fulltext .65 and .58 reach it, of others 1.4 and 2.5
# in a thousand; with MiniLM .64 and .64, 1.6 and 3.9.
E5_SCALE = CosineScale(related=0.45, covered=0.45, interest_slope=19.6, interest_even=0.08)


def scale_of(vector_model: str) -> CosineScale:
    """Those of MiniLM where no others were measured."""
    return E5_SCALE if vector_model == E5_VECTORS else MINILM_SCALE


def event_vectors(active: str, shipped: str) -> str:
    """The encoder whose vectors stories and the probability of one event are made of: the active
    one where that probability was fitted on it, else the shipped one."""
    return active if active == E5_VECTORS else shipped
