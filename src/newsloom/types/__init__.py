"""Frozen values and typed ids shared by every room. Standard library only; no behaviour beyond
what a value knows of itself.

All times are aware datetimes in UTC. All texts are `str` without NUL or lone surrogates (the
parser sees to it). HTML fields hold what the publisher wrote, not sanitised: sanitising belongs to
showing.
"""

from newsloom.types.duplicates import (
    Action,
    Copy,
    Evidence,
    IncomingArticle,
    JudgedArticle,
    Judgement,
)
from newsloom.types.ids import (
    ArticleId,
    EventId,
    FeedId,
    UserId,
)
from newsloom.types.models import (
    ArticleText,
    Explanation,
    Interest,
    Label,
    NotYet,
    PlainText,
    Rating,
    RawArticle,
    Reason,
    Score,
    StoredModel,
)
from newsloom.types.network import ApiReply, ApiRequest, Failure, Redirect, Reply, Request
from newsloom.types.polling import (
    DueFeed,
    PassReport,
    PollCounts,
    PollFacts,
    PollOutcome,
    PollPlan,
    PollRecord,
    StageReport,
)
from newsloom.types.published import (
    Enclosure,
    ParsedArticle,
    ParsedFeed,
    PollHints,
)
from newsloom.types.reading import (
    ArticleState,
    CopyPlace,
    Event,
    EventKind,
    FullArticle,
    Listed,
    ListQuery,
    Order,
    Revision,
    Subscription,
)

__all__ = [
    "Action",
    "ApiReply",
    "ApiRequest",
    "ArticleId",
    "ArticleState",
    "ArticleText",
    "Copy",
    "CopyPlace",
    "DueFeed",
    "Enclosure",
    "Event",
    "EventId",
    "EventKind",
    "Evidence",
    "Explanation",
    "Failure",
    "FeedId",
    "FullArticle",
    "IncomingArticle",
    "Interest",
    "JudgedArticle",
    "Judgement",
    "Label",
    "ListQuery",
    "Listed",
    "NotYet",
    "Order",
    "ParsedArticle",
    "ParsedFeed",
    "PassReport",
    "PlainText",
    "PollCounts",
    "PollFacts",
    "PollHints",
    "PollOutcome",
    "PollPlan",
    "PollRecord",
    "Rating",
    "RawArticle",
    "Reason",
    "Redirect",
    "Reply",
    "Request",
    "Revision",
    "Score",
    "StageReport",
    "StoredModel",
    "Subscription",
    "UserId",
]
