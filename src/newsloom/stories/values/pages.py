"""Values of stories as they are kept and shown: states, members, decisions, corrections."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NewType

from newsloom.digests.values import DigestArticle, WrittenSentence
from newsloom.kernel.ids import ArticleId, FeedId, UserId

# Who wrote what stands there, where it is an article's own words; else a model's name.
OWN_WORDS = "article"
# Of a story's summary, at most.
STORY_WORDS = 60


class StoryState(StrEnum):
    """How long ago the last article of a story is dated."""

    ACTIVE = "active"
    COOLING = "cooling"
    ARCHIVED = "archived"


class StoryChoice(StrEnum):
    """What was decided."""

    ASSIGN = "assign"  # an article joins a story
    NEW = "new"  # it begins one
    ABSTAIN = "abstain"  # a language model did not say: it stays where it is
    MOVE = "move"  # it goes to another story
    EJECT = "eject"  # it leaves its story for one of its own
    MERGE = "merge"  # a story goes into another
    SPLIT = "split"  # some articles of a story become another one


class CorrectionKind(StrEnum):
    """What a reader said. Nothing that is computed takes it back."""

    NOT_IN = "not in"  # this article is not of that story
    BELONGS = "belongs"  # this article is of that story
    SPLIT = "split"  # these two stories are two
    MERGE = "merge"  # these two stories were one


# Who decided, beside the names of models.
READER, CALIBRATED, SAME_TEXT = "reader", "calibrated", "same text"


@dataclass(frozen=True, slots=True)
class OfferedStory:
    """A story that an article might have joined."""

    story: StoryId
    title: str
    probability: float
    cosine: float


@dataclass(frozen=True, slots=True)
class StoryDecision:
    """One row of the audit. `id` 0: not kept yet."""

    at: datetime
    choice: StoryChoice
    story: StoryId | None  # the one chosen
    article: ArticleId | None = None  # None: of whole stories
    other: StoryId | None = None  # the one that was left, or went into it
    candidates: tuple[OfferedStory, ...] = ()
    reason: str = ""  # 500 characters at most
    confidence: float = 0.0
    relation: str = "direct"  # or "causal", or "none"
    judge: str = CALIBRATED
    prompt: str = ""  # the version of the prompt, of a language model
    id: int = 0


@dataclass(frozen=True, slots=True)
class Membership:
    """An article in a story."""

    article: ArticleId
    story: StoryId
    probability: float = 1.0
    by: str = CALIBRATED
    relation: str = "direct"


@dataclass(frozen=True, slots=True)
class StoryHead:
    """A story without its articles."""

    id: StoryId
    state: StoryState
    began: datetime
    latest: datetime
    size: int
    title: str
    title_by: str
    summary: str
    summary_by: str
    thread: ThreadId | None
    archived: datetime | None
    revived: datetime | None
    merged_into: StoryId | None


@dataclass(frozen=True, slots=True)
class StoryMember:
    """An article of a story, as one reader may see it; a copy of it is none."""

    article: ArticleId
    title: str
    url: str
    source: str  # registrable domain; "" unknown
    publisher: str  # its name for people
    language: str
    dated: datetime
    since: datetime  # a member
    probability: float
    by: str
    relation: str
    points: float  # of importance for this reader, without its recency
    read: bool
    feed: FeedId | None = None  # that it came by first


@dataclass(frozen=True, slots=True)
class StoryCorrection:
    """What a reader said of a story."""

    id: int
    user: UserId
    at: datetime
    kind: CorrectionKind
    story: StoryId
    article: ArticleId | None = None
    other: StoryId | None = None


@dataclass(frozen=True, slots=True)
class Apart:
    """What may not come together, as readers said."""

    articles: frozenset[tuple[ArticleId, StoryId]] = frozenset()
    stories: frozenset[tuple[StoryId, StoryId]] = frozenset()  # the smaller number first
    pinned: frozenset[ArticleId] = frozenset()  # that a reader or a language model placed

    def parts(self, one: StoryId, other: StoryId) -> bool:
        return (min(one, other), max(one, other)) in self.stories


@dataclass(frozen=True, slots=True)
class StoryArticle:
    """An article that waits to be placed."""

    id: ArticleId
    title: str
    lead: str
    dated: datetime
    source: str
    language: str
    story: StoryId | None = None  # where it is now: its text has changed
    pinned: bool = False  # there by a reader's word
    same: tuple[ArticleId, ...] = ()  # others with the same text, that are placed or wait too


@dataclass(frozen=True, slots=True)
class StoryQuestion:
    """A decision that a language model is asked about."""

    article: ArticleId
    title: str
    lead: str
    dated: datetime
    story: StoryId | None  # where the article is now; None: in one of its own
    offered: tuple[OfferedStory, ...]
    recent: tuple[tuple[str, ...], ...]  # of each offered: the titles of its last articles
    control: bool = False  # what is clear already, to see whether the model may be believed


@dataclass(frozen=True, slots=True)
class StoryAnswer:
    """What a language model said."""

    choice: StoryChoice  # assign, new or abstain
    story: StoryId | None
    reason: str
    confidence: float
    relation: str


@dataclass(frozen=True, slots=True)
class StoryAsk:
    """That a language model is to be asked about an article, and what it may choose among."""

    article: ArticleId
    offered: tuple[OfferedStory, ...]
    control: bool = False


@dataclass(frozen=True, slots=True)
class StoryChanges:
    """What one batch comes to, to be kept in one transaction."""

    generation: int  # of the stories that it was decided on
    begun: tuple[tuple[StoryId, datetime], ...] = ()
    members: tuple[Membership, ...] = ()  # of the batch
    moved: tuple[Membership, ...] = ()  # others, that were repaired
    merges: tuple[tuple[StoryId, StoryId], ...] = ()  # from, into
    decisions: tuple[StoryDecision, ...] = ()
    questions: tuple[StoryAsk, ...] = ()


@dataclass(frozen=True, slots=True)
class FollowedStory:
    """How a reader stands to a story: 1 follows, -1 muted, 0 neither."""

    story: StoryId
    stand: int
    looked: datetime | None
    since: datetime | None = None  # when they said so; None: before that was kept
    thread: ThreadId | None = None  # followed or muted with this thread, not by itself


@dataclass(frozen=True, slots=True)
class StoryWording:
    """The title and the summary of a story, and who wrote them."""

    story: StoryId
    title: str
    title_by: str
    summary: str
    summary_by: str
    size: int  # of the story then


@dataclass(frozen=True, slots=True)
class StoryWordsQuestion:
    """A story that a language model is to title and sum up."""

    story: StoryId
    worded: int  # the size that it had when it got the words that stand there
    articles: tuple[DigestArticle, ...]  # the newest first
    language: str = ""  # "" is that of the articles


@dataclass(frozen=True, slots=True)
class WrittenStory:
    """A title and a summary as a language model wrote them, with the articles they rest on."""

    title: WrittenSentence
    sentences: tuple[WrittenSentence, ...]


@dataclass(frozen=True, slots=True)
class CheckedWords:
    """What of them stands on the articles; "" for what does not."""

    title: str
    summary: str
    model: str  # that wrote them


# Stories: what an article is to them, which it may belong to, and how stories are repaired.

StoryId = NewType("StoryId", int)
ThreadId = NewType("ThreadId", int)

# Characters of an article's text whose terms tell to which story it belongs; the encoder reads 600.
# Of 300, 600, 1,000, 1,500, 2,500 and 5,000 these are best.
STORY_LEAD = 1500
# Those that count where copies and reports of one event are found.
REPORT_LEAD = 600


@dataclass(frozen=True, slots=True)
class Piece:
    """An article as stories see it."""

    id: ArticleId
    title: str
    lead: str  # the first characters of the text; "" for titles only
    dated: datetime | None
    source: str  # registrable domain; "" unknown
    language: str = ""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A story an article may belong to."""

    story: StoryId
    probability: float  # that the article reports the story's event, 0..1, calibrated
    cosine: float  # of the member most likely to report the same event
    nearest: ArticleId  # that member


@dataclass(frozen=True, slots=True)
class StoryMerge:
    """Two stories that report one event. `kept` stays, `gone` gives it all its articles."""

    kept: StoryId
    gone: StoryId
    probability: float


@dataclass(frozen=True, slots=True)
class StoryMove:
    """An article that belongs to another story more than to its own."""

    article: ArticleId
    source: StoryId
    target: StoryId
    probability: float  # that it belongs to `target`


@dataclass(frozen=True, slots=True)
class StoryEject:
    """An article that belongs to its story no longer, and to no other: it begins one."""

    article: ArticleId
    source: StoryId
    probability: float  # that it belongs to `source`


StoryRepair = StoryMerge | StoryMove | StoryEject
