"""How far a feed can be relied on, from its polls. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from newsloom.feeds.values.history import PastPoll, PollTally, Reliability
from newsloom.feeds.values.polling import PollOutcome

# A feed that does not answer shows nothing at all, broken XML is usually read all the same, and an
# article with a wrong date only stands in the wrong place. The weights are our judgement.
UPTIME, VALID, DATED = 50, 30, 20

ANSWERED = frozenset({PollOutcome.CHANGED, PollOutcome.UNCHANGED, PollOutcome.UNREADABLE})


def tally(polls: Iterable[PastPoll]) -> PollTally:
    """What polls come to. A "nothing new" and the same bytes again are answers without a document
    to judge; a document read in spite of its damage is not sound."""
    polls = tuple(polls)
    read = [one for one in polls if one.articles or one.outcome is PollOutcome.UNREADABLE]
    return PollTally(
        polls=len(polls),
        answered=sum(one.outcome in ANSWERED for one in polls),
        documents=len(read),
        sound=sum(not one.problem for one in read),
        articles=sum(one.articles for one in read),
        misdated=sum(one.misdated for one in read),
    )


def reliability(known: PollTally) -> Reliability:
    """The score and its parts; what there is no evidence of counts neither way."""
    if not known.polls:
        return Reliability(None)
    uptime = known.answered / known.polls
    valid = known.sound / known.documents if known.documents else None
    dated = 1 - known.misdated / known.articles if known.articles else None
    parts = ((UPTIME, uptime), (VALID, valid), (DATED, dated))
    told = [(weight, share) for weight, share in parts if share is not None]
    score = sum(weight * share for weight, share in told) / sum(weight for weight, _share in told)
    return Reliability(round(100 * score), uptime, valid, dated, known.polls)
