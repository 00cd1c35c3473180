"""Values that the calls are made with."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import numpy as np

from newsloom.accounts import throttle
from newsloom.accounts.values import Role, UserAccount
from newsloom.bridges.values import Account, RemoteAccount, RemoteWrite
from newsloom.briefs.values import (
    BriefChapter,
    BriefLine,
    BriefSchedule,
    BriefScript,
    BriefSound,
    BriefWish,
    LineTime,
    SoundFile,
)
from newsloom.coverage.values import CoverageAnswer, CoverageJudgement, CoveragePage, Gate, Hit
from newsloom.digests.values import (
    Digest,
    DigestKind,
    FeedReport,
    Schedule,
)
from newsloom.feeds.page_failures import Outcome
from newsloom.feeds.values.polling import Delivery, Push
from newsloom.importance.values import ArticleImportance, TermBackground
from newsloom.kernel.delivery.values import Sending, Target, Way
from newsloom.kernel.ids import (
    AccountId,
    ArticleId,
    CandidateId,
    CoveragePageId,
    DigestId,
    FeedId,
    ScheduleId,
    SendingId,
    UserId,
)
from newsloom.llm.values import ModelCall
from newsloom.ranking.values.models import StoredModel
from newsloom.work.values import Lease, StageKey, WorkKey
from store.builders import NOW

ANNA = UserAccount(UserId(1), "anna", Role.READER, "", NOW)
COUNTS = throttle.counts("anna", "::1", known_there=False)
AT_ONCE = timedelta(milliseconds=1)
ONE, FEED, USER = ArticleId(1), FeedId(1), UserId(1)
MODEL = StoredModel("m", "relevance", b"x", "sha", NOW)
REMOTE = RemoteAccount("1", "ann")
ACCOUNT = Account(AccountId(1), "test", REMOTE, UserId(2))
PUSH = Push(FEED, "token", "secret", "https://reader.test", "https://hub.test", "topic")
DELIVERY = Delivery(FEED, NOW, "text/xml", "digest", b"<rss/>")
WRITE = RemoteWrite(1, "score", "5")
CALL = ModelCall("judge", NOW, "sensitivity", "rubric@1", "m", "ok")
LEASE = Lease(
    StageKey("relevance", "m", ("v", "r"), 1),
    WorkKey(1, 1),
    WorkKey(1, 1),
    (ONE,),
    "token",
    "owner",
)
EVENT_LEASE = replace(LEASE, key=StageKey("same event", "e", ("v",)))
WEIGHED = ArticleImportance(ONE, 50.0, 0.0, 50.0, 1)
SCHEDULE = Schedule(ScheduleId(1), USER, DigestKind.MORNING, 420, 0, "UTC", (), NOW)
DIGEST = Digest(DigestKind.MORNING, NOW, NOW, "UTC", "Morning", (), (), (), FeedReport())
SENDING = Sending(SendingId(1), DigestId(1), Target(Way.FILE, "x"), "token", 0)
BRIEF_SCHEDULE = BriefSchedule(
    ScheduleId(1),
    USER,
    420,
    (0, 1),
    "UTC",
    BriefWish(("en", "de"), 5, {"en": "espeak"}),
    (),
    NOW,
    NOW,
)
SCRIPT = BriefScript(
    "en", "Brief", NOW, NOW, "UTC", 5, (BriefChapter("News", (BriefLine("A."),)),), ()
)
SOUND = BriefSound(
    (SoundFile("1.mp3", "audio/mpeg", 9),), 1.0, "espeak", (LineTime(0.0, 1.0),), -16.0, -1.0
)
BACKGROUND = TermBackground(NOW, ONE, 5, {"sail": 2})
OUTCOME = Outcome("x.test", NOW, None)
HIT = Hit("key", "link", "https://x.test/a", "Title", "X", "", NOW, "search.test")
PAGE = CoveragePage(CoveragePageId(1), "key", "https://x.test/a", NOW, 1)
JUDGED = CoverageJudgement(
    CandidateId(1), NOW, Gate.ENCODER, "m", 0.5, CoverageAnswer(5.0, True, 0.5), True
)
VECTOR = np.ones((1, 4), dtype=np.float32) / 2
