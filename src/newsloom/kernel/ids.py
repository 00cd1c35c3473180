"""Typed ids: a number of one kind is never taken for another."""

from __future__ import annotations

from typing import NewType

UserId = NewType("UserId", int)
FeedId = NewType("FeedId", int)
ArticleId = NewType("ArticleId", int)
EventId = NewType("EventId", int)
ModelId = NewType("ModelId", int)
AccountId = NewType("AccountId", int)  # a reader of another program, see bridges/values.py
DigestId = NewType("DigestId", int)
ScheduleId = NewType("ScheduleId", int)  # of digests, or of briefs
SendingId = NewType("SendingId", int)  # of one edition to one target
CandidateId = NewType("CandidateId", int)  # a hit of a news search for one article
CoveragePageId = NewType("CoveragePageId", int)
