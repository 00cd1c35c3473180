"""Values that the calls are made with."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import numpy as np

from newsloom.accounts import throttle
from newsloom.related.failures import Outcome
from newsloom.types import (
    Account,
    AccountId,
    ArticleId,
    ArticleImportance,
    CandidateId,
    CoverageAnswer,
    CoverageJudgement,
    CoveragePage,
    CoveragePageId,
    Delivery,
    Digest,
    DigestId,
    DigestKind,
    FeedId,
    FeedReport,
    Gate,
    Hit,
    Lease,
    ModelCall,
    Place,
    Push,
    RemoteAccount,
    RemoteWrite,
    Role,
    Schedule,
    ScheduleId,
    Sending,
    SendingId,
    StageKey,
    StoredModel,
    Target,
    TermBackground,
    UserAccount,
    UserId,
    Way,
)
from store.builders import NOW

ANNA = UserAccount(UserId(1), "anna", Role.READER, "", NOW)
COUNTS = throttle.counts("anna", "::1", known_there=False)
AT_ONCE = timedelta(milliseconds=20)
ONE, FEED, USER = ArticleId(1), FeedId(1), UserId(1)
MODEL = StoredModel("m", "relevance", b"x", "sha", NOW)
REMOTE = RemoteAccount("1", "ann")
ACCOUNT = Account(AccountId(1), "test", REMOTE, UserId(2))
PUSH = Push(FEED, "token", "secret", "https://reader.test", "https://hub.test", "topic")
DELIVERY = Delivery(FEED, NOW, "text/xml", "digest", b"<rss/>")
WRITE = RemoteWrite(1, "score", "5")
CALL = ModelCall("judge", NOW, "sensitivity", "rubric@1", "m", "ok")
LEASE = Lease(
    StageKey("relevance", "m", ("v", "r"), 1), Place(1, 1), Place(1, 1), (ONE,), "token", "owner"
)
EVENT_LEASE = replace(LEASE, key=StageKey("same event", "e", ("v",)))
WEIGHED = ArticleImportance(ONE, 50.0, 0.0, 50.0, 1)
SCHEDULE = Schedule(ScheduleId(1), USER, DigestKind.MORNING, 420, 0, "UTC", (), NOW)
DIGEST = Digest(DigestKind.MORNING, NOW, NOW, "UTC", "Morning", (), (), (), FeedReport())
SENDING = Sending(SendingId(1), DigestId(1), Target(Way.FILE, "x"), "token", 0)
BACKGROUND = TermBackground(NOW, ONE, 5, {"sail": 2})
OUTCOME = Outcome("x.test", NOW, None)
HIT = Hit("key", "link", "https://x.test/a", "Title", "X", "", NOW, "search.test")
PAGE = CoveragePage(CoveragePageId(1), "key", "https://x.test/a", NOW, 1)
JUDGED = CoverageJudgement(
    CandidateId(1), NOW, Gate.ENCODER, "m", 0.5, CoverageAnswer(5.0, True, 0.5), True
)
VECTOR = np.ones((1, 4), dtype=np.float32) / 2
