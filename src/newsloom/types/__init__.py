"""Frozen values and typed ids shared by every room. Standard library only; no behaviour beyond
what a value knows of itself.

All times are aware datetimes in UTC. All texts are `str` without NUL or lone surrogates (the
parser sees to it). HTML fields hold what the publisher wrote, not sanitised: sanitising belongs to
showing.

A module is imported when the first of its names is asked for: to make a dataclass takes half a
millisecond, and a list of articles needs a dozen of more than a hundred.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from newsloom.types.accounts import *
    from newsloom.types.annotations import *
    from newsloom.types.bridged import *
    from newsloom.types.briefs import *
    from newsloom.types.coverage import *
    from newsloom.types.digests import *
    from newsloom.types.duplicates import *
    from newsloom.types.health import *
    from newsloom.types.history import *
    from newsloom.types.ids import *
    from newsloom.types.importance import *
    from newsloom.types.jobs import *
    from newsloom.types.keys import *
    from newsloom.types.labelled import *
    from newsloom.types.models import *
    from newsloom.types.neighbours import *
    from newsloom.types.network import *
    from newsloom.types.ordering import *
    from newsloom.types.pages import *
    from newsloom.types.polling import *
    from newsloom.types.preferences import *
    from newsloom.types.pronouncing import *
    from newsloom.types.published import *
    from newsloom.types.pushes import *
    from newsloom.types.reading import *
    from newsloom.types.retention import *
    from newsloom.types.rules import *
    from newsloom.types.saved_lists import *
    from newsloom.types.searching import *
    from newsloom.types.services import *
    from newsloom.types.serving import *
    from newsloom.types.sharing import *
    from newsloom.types.sources import *
    from newsloom.types.stories import *
    from newsloom.types.story_pages import *
    from newsloom.types.syncing import *
    from newsloom.types.work import *

# The module of every name.
MODULES = {
    "accounts": (
        "AppPassword AppPasswordId ConnectedIdentity Invitation InvitationId OpenSession Role "
        "SessionId SignIn SignInOutcome SignInWay UserAccount"
    ),
    "annotations": "Highlight HighlightId Note Selector Tag",
    "bridged": (
        "DISLIKED_KIND LIKED_KIND RATING_KINDS Account AdoptedEntry KnownEntry Mark "
        "PendingWrite RatedEntry RemoteAccount RemoteEntry RemoteFeed RemotePage RemoteState "
        "RemoteWrite Standing Written"
    ),
    "briefs": (
        "BriefChapter BriefHead BriefId BriefLine BriefSchedule BriefScheduleId BriefScript "
        "BriefSending "
        "BriefSound BriefState BriefWish ChapterQuestion KeptBrief LineKind LineTime Listened "
        "SoundFile TranslationQuestion"
    ),
    "coverage": (
        "CandidateState Covered CoverageAnswer CoverageHit CoverageJudgement CoveragePage "
        "CoverageQuestion CoverageSearch CoverageStatus Gate Hit Prepared RepeatedSource "
        "SearchState"
    ),
    "digests": (
        "Checked Digest DigestArticle DigestGroup DigestHead DigestKind DigestTopic FeedReport "
        "KeptDigest Memory RefusedSentence Remembered Schedule Sending SendingState Sent Sentence "
        "SummaryQuestion Target Trend Way WrittenSentence"
    ),
    "duplicates": (
        "Action Copy Evidence IncomingArticle JudgedArticle Judgement Link Relation Signed "
        "Unsigned Witness"
    ),
    "health": "FeedIdentity FeedState HeldDocument Moving PushState",
    "history": "FeedHealth Move PastPoll PollTally Reliability Verdict",
    "ids": (
        "AccountId ArticleId CandidateId CoveragePageId DigestId EventId FeedId ModelId ScheduleId "
        "SendingId UserId"
    ),
    "importance": (
        "ArticleImportance ReaderPoints SignalPart TermBackground TextShape TopicEvidence "
        "TopicInterest Weighable"
    ),
    "jobs": "OPEN_JOBS HistoryJob JobId JobState JobStep",
    "keys": "KeyAction KeyPreset keys_of preset_of",
    "labelled": "BroughtIn LabelledCopy",
    "models": (
        "ArticleText EncoderInUse Evaluation Explanation Forgetting Interest Label Learned NotYet "
        "PassedOver PlainText Rating RawArticle Reason RELEVANCE Score StoredModel StoryStand"
    ),
    "neighbours": "Neighbour",
    "network": "ApiReply ApiRequest Downloaded Failure KnownRedirect Redirect Reply Request",
    "ordering": "Ago Cursor Position Variety",
    "pages": "FetchedPage FollowedSite KnownRobots PageFacts SiteIcon WantedPage",
    "polling": (
        "DueFeed HostTurn PassReport Pause PollCounts PollFacts PollOutcome PollPlan PollRecord "
        "PollingFigures PublishingRate StageReport Waiting"
    ),
    "preferences": "EVERYWHERE Preference Preferences scopes_of",
    "pronouncing": "Pronunciation",
    "published": "Damage EARLIEST Enclosure ParsedArticle ParsedFeed PollHints",
    "pushes": "Announced Delivery MostDeliveries Push",
    "reading": (
        "ArticleState AsOf Cluster Elsewhere Event EventKind FeedFigures FullArticle "
        "LeftFeed Listed Listing ListQuery Order Reading RecencyTerm Related Revision RowArticle "
        "RowStory Rows SentOutcome Subscription Version"
    ),
    "retention": "Aging PrunedRows Removal SweepPlace TableSize",
    "rules": (
        "MutedArticle Rule RuleAction RuleCondition RuleDid RuleEffect RuleFacts RuleId RuleMatch "
        "RuleNews RuleOutcome RuleSet Ruling"
    ),
    "saved_lists": "SavedList",
    "searching": (
        "Compared Dated Flag Flagged Found HasKept InLanguage Kept Named NameOf Noted OfStory "
        "Scored SearchOrder SearchQuery Tagged Term Words"
    ),
    "services": (
        "ArticleQuestion Asked AskReport Completion ModelCall OK REUSED ServiceState ServiceStatus "
        "Spent UNANSWERED UNUSABLE"
    ),
    "serving": "ActivityRow Presence Serve",
    "sharing": "Share ShareId ShareService ShareServiceId ShareState SharedArticle",
    "sources": "Authority Source SourceFacts SourceKind TierOrigin",
    "story_pages": (
        "Apart CALIBRATED CorrectionKind FollowedStory Membership OfferedStory READER SAME_TEXT "
        "StoryAnswer StoryArticle StoryAsk StoryChanges StoryChoice StoryCorrection StoryDecision "
        "StoryHead StoryMember StoryQuestion StoryState StoryWording StoryWordsQuestion "
        "CheckedWords OWN_WORDS STORY_WORDS WrittenStory"
    ),
    "stories": ("Candidate Piece REPORT_LEAD STORY_LEAD StoryEject StoryId StoryMerge StoryMove"),
    "syncing": (
        "KnownArticle StreamArticle StreamKind StreamPage StreamPart StreamQuery StreamRef "
        "UNCATEGORIZED"
    ),
    "work": "Batch HeldBatch Lease Place Put SetAside StageKey",
}
_HOMES = {name: module for module, names in MODULES.items() for name in names.split()}

if not TYPE_CHECKING:  # mypy knows the names above, and no others

    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        found = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
        globals()[name] = found
        return found
