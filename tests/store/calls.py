"""A call of every method of the store, which reaches the database. A new one belongs here."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import numpy as np

from newsloom.accounts import throttle
from newsloom.related.domains import Rule
from newsloom.related.failures import Outcome
from newsloom.related.quality import Policy
from newsloom.text.search import parse
from newsloom.types import (
    Account,
    AccountId,
    Announced,
    AppPasswordId,
    ArticleId,
    ArticleImportance,
    CandidateId,
    CandidateState,
    CorrectionKind,
    CoverageAnswer,
    CoverageJudgement,
    CoveragePage,
    CoveragePageId,
    Delivery,
    Digest,
    DigestId,
    DigestKind,
    EventKind,
    FeedId,
    FeedReport,
    FeedState,
    FetchedPage,
    Gate,
    Hit,
    InvitationId,
    KnownRedirect,
    KnownRobots,
    Lease,
    ListQuery,
    Memory,
    ModelCall,
    ModelId,
    MostDeliveries,
    Pause,
    Place,
    PlainText,
    Prepared,
    Push,
    PushState,
    Rating,
    ReaderPoints,
    RemoteAccount,
    RemoteFeed,
    RemoteWrite,
    Role,
    Schedule,
    ScheduleId,
    Score,
    SearchOrder,
    SearchState,
    Sending,
    SendingId,
    SessionId,
    SignInOutcome,
    SignInWay,
    SiteIcon,
    StageKey,
    StoredModel,
    StoryChanges,
    StoryId,
    StoryWording,
    StreamQuery,
    Target,
    TermBackground,
    UserAccount,
    UserId,
    Way,
)

from .builders import HALF_LIVES, HOUR, NOW

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


def ingest(store):
    with store.feeds.ingest():
        pass


def letting_in(store):
    with store.feeds.letting_in(FEED, NOW):
        pass


def judging(store):
    with store.duplicates.judging("signature"):
        pass


def importing(store):
    with store.bridges.importing(USER):
        pass


def bridging(store):
    with store.bridges.bridging(ACCOUNT):
        pass


def a_story(store):
    """The number of a story that is there."""
    begun = StoryChanges(
        store.stories.story_generation(),
        begun=((StoryId(store.stories.last_story() + 1), NOW),),
    )
    store.stories.put_stories("m", "encoder@1", begun, NOW)
    return StoryId(store.stories.last_story())


def story_stand(store):
    store.stories.set_story_stand(USER, a_story(store), 1)


# Every method of ports.Store, with a call that reaches the database. A new one belongs here.
CALLS = {
    "nearest": lambda s: s.articles.nearest("m", VECTOR[0], limit=1),
    "nearest_each": lambda s: s.articles.nearest_each("m", VECTOR, limit=1),
    "leased_stories": lambda s: s.stories.leased_stories(LEASE),
    "story_vectors": lambda s: s.stories.story_vectors("encoder@1", [ONE]),
    "story_articles": lambda s: s.stories.story_articles([ONE]),
    "stories_between": lambda s: s.stories.stories_between(NOW, NOW, 1),
    "newest_members": lambda s: s.stories.newest_members([StoryId(1)], 1),
    "story_centroids": lambda s: s.stories.story_centroids(
        "encoder@1", since=NOW, until=NOW, least=1, limit=1
    ),
    "last_story": lambda s: s.stories.last_story(),
    "apart": lambda s: s.stories.apart(),
    "put_stories": lambda s: s.stories.put_stories("m", "encoder@1", StoryChanges(0), NOW),
    "age_stories": lambda s: s.stories.age_stories(NOW, cooling=NOW, archived=NOW),
    "count_centroids": lambda s: s.stories.count_centroids("encoder@1", NOW, 1),
    "story": lambda s: s.stories.story(StoryId(1)),
    "stories_of": lambda s: s.stories.stories_of([ONE]),
    "story_heads": lambda s: s.stories.story_heads(),
    "visible_members": lambda s: s.stories.visible_members(USER, [StoryId(1)]),
    "earlier_headlines": lambda s: s.stories.earlier_headlines([ONE]),
    "story_stands": lambda s: s.stories.story_stands(USER),
    "followed_articles": lambda s: s.stories.followed_articles(USER, [ONE]),
    "stood_articles": lambda s: s.stories.stood_articles(USER, [ONE]),
    "followed_news": lambda s: s.stories.followed_news(USER),
    "set_story_stand": story_stand,
    "look_at_story": lambda s: s.stories.look_at_story(USER, a_story(s), NOW),
    "unworded_stories": lambda s: s.stories.unworded_stories(NOW, least=2, more=3, limit=1),
    "put_story_words": lambda s: s.stories.put_story_words(
        [StoryWording(StoryId(1), "title", "by", "summary", "by", 2)]
    ),
    "part_from_story": lambda s: s.stories.part_from_story(
        USER, StoryId(1), [ONE], CorrectionKind.NOT_IN, NOW
    ),
    "put_into_story": lambda s: s.stories.put_into_story(USER, ONE, StoryId(1), NOW),
    "merge_stories": lambda s: s.stories.merge_stories(USER, StoryId(1), StoryId(2), NOW),
    "story_corrections": lambda s: s.stories.story_corrections(StoryId(1)),
    "story_decisions": lambda s: s.stories.story_decisions(article=ONE, story=StoryId(1)),
    "story_generation": lambda s: s.stories.story_generation(),
    "stories_decided": lambda s: s.stories.stories_decided(0, 1),
    "story_controls": lambda s: s.stories.story_controls("m", 1),
    "waiting_story_questions": lambda s: s.stories.waiting_story_questions(),
    "story_parents": lambda s: s.stories.story_parents(),
    "story_parent": lambda s: s.stories.story_parent(1),
    "parents_made": lambda s: s.stories.parents_made(),
    "put_parents": lambda s: s.stories.put_parents([(None, "title", ())], NOW),
    "claim_due": lambda s: s.feeds.claim_due(NOW, owner="x", lease_for=HOUR, limit=1),
    "hasten": lambda s: s.feeds.hasten([FEED], NOW, asked_before=NOW),
    "pauses": lambda s: s.sites.pauses(NOW),
    "pause_host": lambda s: s.sites.pause_host(Pause("x.test", NOW, NOW, "asked")),
    "asked_elsewhere": lambda s: s.feeds.asked_elsewhere(NOW, "x"),
    "take_host": lambda s: s.sites.take_host("x.test", owner="x", now=NOW, until=NOW, wish=HOUR),
    "wanted_hosts": lambda s: s.sites.wanted_hosts("x", NOW),
    "keep_hosts": lambda s: s.sites.keep_hosts("x", NOW),
    "give_back_hosts": lambda s: s.sites.give_back_hosts("x", {}, now=NOW, long_ago=NOW),
    "wake": lambda s: s.sites.wake(NOW, furthest=NOW, slack=NOW),
    "release": lambda s: s.feeds.release("x"),
    "ingest": ingest,
    "figures": lambda s: s.feeds.figures(NOW),
    "next_due": lambda s: s.feeds.next_due(),
    "pushes": lambda s: s.feeds.pushes([FEED]),
    "push": lambda s: s.feeds.push("token"),
    "announced": lambda s: s.feeds.announced("https://reader.test", 1),
    "begin_pushes": lambda s: s.feeds.begin_pushes(
        [PUSH], [Announced(FEED, PUSH.hub, PUSH.topic)], NOW, HOUR
    ),
    "claim_pushes": lambda s: s.feeds.claim_pushes(NOW, NOW + HOUR, 1, 1),
    "settle_push": lambda s: s.feeds.settle_push(PUSH, state=PushState.ASKED, next_at=NOW),
    "confirm_push": lambda s: s.feeds.confirm_push("token", NOW, NOW + HOUR, NOW),
    "fallen": lambda s: s.feeds.fallen(NOW, HOUR),
    "fall_back": lambda s: s.feeds.fall_back(
        [FEED], now=NOW, floor=HOUR, state=PushState.WANTED, problem="the lease ended"
    ),
    "refuse_push": lambda s: s.feeds.refuse_push(FEED, NOW, HOUR),
    "deliver": lambda s: s.feeds.deliver(DELIVERY, MostDeliveries(1, 1.0, 1)),
    "waiting_deliveries": lambda s: s.feeds.waiting_deliveries(1),
    "delivery": lambda s: s.feeds.delivery(1),
    "taken_in": lambda s: s.feeds.taken_in(DELIVERY, ignored=True, now=NOW, floor=HOUR),
    "end_pushes": lambda s: s.feeds.end_pushes(NOW, HOUR),
    "forget_push": lambda s: s.feeds.forget_push("token"),
    "drop_pushes": lambda s: s.feeds.drop_pushes(NOW, HOUR),
    "health": lambda s: s.feeds.health(USER),
    "unseen_health": lambda s: s.feeds.unseen_health(USER, [FeedState.DEAD]),
    "past_polls": lambda s: s.feeds.past_polls(USER, FEED),
    "report": lambda s: s.feeds.report(USER, NOW, NOW),
    "moves": lambda s: s.feeds.moves(USER),
    "take_back_move": lambda s: s.feeds.take_back_move(USER, 1, NOW),
    "see_health": lambda s: s.feeds.see_health(USER, None, NOW),
    "set_floor": lambda s: s.feeds.set_floor(FEED, HOUR, NOW),
    "held": lambda s: s.feeds.held(FEED),
    "letting_in": letting_in,
    "keep_out": lambda s: s.feeds.keep_out(FEED, NOW),
    "take_back_verdict": lambda s: s.feeds.take_back_verdict(FEED, NOW),
    "redirects": lambda s: s.feeds.redirects(["https://t.co/x"]),
    "put_redirects": lambda s: s.feeds.put_redirects([KnownRedirect("https://t.co/x", "", NOW)]),
    "followed_sites": lambda s: s.sites.followed_sites(NOW),
    "asked_icons": lambda s: s.sites.asked_icons(),
    "put_icons": lambda s: s.sites.put_icons([SiteIcon("x.test", "https://x.test/i", NOW)]),
    "icon": lambda s: s.sites.icon("x.test"),
    "icon_tags": lambda s: s.sites.icon_tags(),
    "picture_key": lambda s: s.sites.picture_key(b"k" * 32),
    "preferences": lambda s: s.users.preferences(USER),
    "set_preferences": lambda s: s.users.set_preferences(USER, {("", "look"): "cards"}),
    "saved_lists": lambda s: s.users.saved_lists(USER),
    "save_list": lambda s: s.users.save_list(USER, "mine", "q=tide", NOW),
    "rename_list": lambda s: s.users.rename_list(USER, 1, "ours"),
    "set_list_token": lambda s: s.users.set_list_token(USER, 1, "token"),
    "drop_list": lambda s: s.users.drop_list(USER, 1),
    "list_of": lambda s: s.users.list_of("token"),
    "feed_home": lambda s: s.sites.feed_home(USER, FEED),
    "set_full_text": lambda s: s.sites.set_full_text(FEED, True),
    "wanted_pages": lambda s: s.sites.wanted_pages(NOW, NOW, 1, 1),
    "put_page": lambda s: s.sites.put_page(FetchedPage(ONE, "https://x.test/1", NOW, 1)),
    "fetched_pages": lambda s: s.sites.fetched_pages(["https://x.test/1"]),
    "paused_hosts": lambda s: s.sites.paused_hosts(["x.test"], NOW),
    "robots": lambda s: s.sites.robots("https://x.test"),
    "put_robots": lambda s: s.sites.put_robots(KnownRobots("https://x.test", NOW, 200)),
    "claim_work": lambda s: s.work.claim_work(
        StageKey("text", "v"), limit=1, now=NOW, until=NOW + HOUR
    ),
    "renew_work": lambda s: s.work.renew_work([LEASE], NOW + HOUR),
    "release_work": lambda s: s.work.release_work([LEASE]),
    "fail_work": lambda s: s.work.fail_work(LEASE, "why", NOW),
    "work_elsewhere": lambda s: s.work.work_elsewhere(NOW),
    "set_aside": lambda s: s.work.set_aside(),
    "leased_texts": lambda s: s.articles.leased_texts(LEASE, 1),
    "leased_signatures": lambda s: s.duplicates.leased_signatures(LEASE, 1),
    "leased_same_event": lambda s: s.duplicates.leased_same_event(EVENT_LEASE, 1),
    "compared_articles": lambda s: s.duplicates.compared_articles("m", [ONE]),
    "put_same_event": lambda s: s.duplicates.put_same_event("e", [ONE], [], NOW),
    "names": lambda s: s.duplicates.names("n", [ONE]),
    "put_names": lambda s: s.duplicates.put_names("n", {ONE: frozenset()}),
    "leased_vectors": lambda s: s.articles.leased_vectors(LEASE, 1),
    "leased_ratings": lambda s: s.articles.leased_ratings(LEASE, 1),
    "leased_scores": lambda s: s.articles.leased_scores(LEASE, 1),
    "unsigned": lambda s: s.duplicates.unsigned("v", [ONE]),
    "pending_texts": lambda s: s.articles.pending_texts("v", 1),
    "put_texts": lambda s: s.articles.put_texts("v", [PlainText(ONE, "t", "x")]),
    "pending_signatures": lambda s: s.duplicates.pending_signatures("s", texts="v", limit=1),
    "judging": judging,
    "pending_vectors": lambda s: s.articles.pending_vectors("m", 1),
    "vector_counts": lambda s: s.articles.vector_counts(),
    "vectors_wanting": lambda s: s.articles.vectors_wanting("m", "embed anew"),
    "remove_vectors": lambda s: s.articles.remove_vectors("m", 1),
    "encoder_in_use": lambda s: s.models.encoder_in_use(),
    "use_encoder": lambda s: s.models.use_encoder("m", "m@1", 4, NOW),
    "put_vectors": lambda s: s.articles.put_vectors("m", [ONE], VECTOR),
    "pending_ratings": lambda s: s.articles.pending_ratings("m", "v", 1),
    "put_ratings": lambda s: s.articles.put_ratings("m", [ONE], [Rating(1, 1.0)], NOW),
    "pending_scores": lambda s: s.articles.pending_scores(
        USER, scored_by="m", sensitivity_model="s", vector_model="v", limit=1
    ),
    "put_scores": lambda s: s.articles.put_scores(USER, "m", [Score(ONE, 1.0, 1)], HALF_LIVES),
    "user": lambda s: s.users.user("new", NOW),
    "users": lambda s: s.users.users(),
    "shared_feeds": lambda s: s.reading.shared_feeds(),
    "polled_feed": lambda s: s.reading.polled_feed("https://x.test/"),
    "subscribe": lambda s: s.reading.subscribe(USER, "https://x.test/", NOW),
    "unsubscribe": lambda s: s.reading.unsubscribe(USER, FEED),
    "left": lambda s: s.reading.left(USER, NOW),
    "follow_again": lambda s: s.reading.follow_again(USER, FEED),
    "edit_subscription": lambda s: s.reading.edit_subscription(USER, FEED, title="x"),
    "subscriptions": lambda s: s.lists.subscriptions(USER),
    "unread": lambda s: s.lists.unread(USER),
    "elsewhere": lambda s: s.lists.elsewhere(USER),
    "unscored": lambda s: s.lists.unscored(USER),
    "as_of": lambda s: s.lists.as_of(),
    "page": lambda s: s.lists.page(USER, ListQuery(), NOW, HALF_LIVES),
    "listing": lambda s: s.lists.listing(USER, ListQuery(), NOW, HALF_LIVES),
    "page_ids": lambda s: s.lists.page_ids(USER, ListQuery(), NOW, HALF_LIVES),
    "listed": lambda s: s.lists.listed(USER, [ONE], NOW, HALF_LIVES),
    "article": lambda s: s.reading.article(USER, ONE, NOW, HALF_LIVES),
    "search": lambda s: s.lists.search(
        USER, parse("x author:y"), SearchOrder.BEST, 1, NOW, HALF_LIVES
    ),
    "mark": lambda s: s.reading.mark(USER, [ONE], EventKind.READ, NOW, "x"),
    "undo": lambda s: s.reading.undo(USER, NOW, "x"),
    "clear": lambda s: s.reading.clear(USER, ListQuery(), NOW, "x", HALF_LIVES),
    "has": lambda s: s.duplicates.has(USER, ONE),
    "cluster": lambda s: s.duplicates.cluster(ONE),
    "links": lambda s: s.duplicates.links([ONE]),
    "witnesses": lambda s: s.duplicates.witnesses(USER, ONE),
    "separate": lambda s: s.duplicates.separate(USER, ONE, NOW),
    "rejoin": lambda s: s.duplicates.rejoin(USER, ONE),
    "interests": lambda s: s.models.interests(USER),
    "add_interest": lambda s: s.models.add_interest(USER, "x", NOW),
    "remove_interest": lambda s: s.models.remove_interest(USER, 1),
    "labels": lambda s: s.models.labels(USER),
    "forget": lambda s: s.models.forget(USER, NOW, NOW + HOUR, NOW),
    "forgettings": lambda s: s.models.forgettings(USER),
    "lift_forgetting": lambda s: s.models.lift_forgetting(USER, 1, NOW),
    "importing": importing,
    "whole": lambda s: s.bridges.whole([ONE]),
    "vectors": lambda s: s.articles.vectors("m", [ONE]),
    "texts": lambda s: s.articles.texts([ONE]),
    "rating": lambda s: s.articles.rating("m", ONE),
    "labels_mark": lambda s: s.models.labels_mark(USER),
    "promote_model": lambda s: s.models.promote_model(USER, MODEL, instead_of=None),
    "keep_model": lambda s: s.models.keep_model(USER, MODEL),
    "withdraw_model": lambda s: s.models.withdraw_model(
        USER, "relevance", ModelId(9), NOW, to=None
    ),
    "active_model": lambda s: s.models.active_model(USER, "relevance"),
    "model_in_force": lambda s: s.models.model_in_force(USER, "relevance"),
    "model": lambda s: s.models.model(USER, ModelId(1)),
    "models": lambda s: s.models.models(USER, "relevance"),
    "claim_training": lambda s: s.models.claim_training(USER, NOW, NOW),
    "tell_training": lambda s: s.models.tell_training(USER, "Not yet."),
    "last_training": lambda s: s.models.last_training(USER),
    "add_evaluation": lambda s: s.models.add_evaluation(USER, NOW, "m", "folds", {"roc_auc": 0.9}),
    "evaluations": lambda s: s.models.evaluations(USER),
    "facts": lambda s: s.facts(),
    "service": lambda s: s.models.service("judge"),
    "reserve_tokens": lambda s: s.models.reserve_tokens(
        "judge", "sensitivity", 1, 10, lambda _spent: True
    ),
    "unusable_answers": lambda s: s.models.unusable_answers("m", NOW),
    "used_answers": lambda s: s.models.used_answers("m", ["hash"]),
    "reuse_answer": lambda s: s.models.reuse_answer(CALL, lambda _connection: True),
    "settle_call": lambda s: s.models.settle_call(
        CALL,
        day=1,
        returned=0,
        after=lambda state: state,
    ),
    "asked": lambda s: s.models.asked("m", NOW),
    "subscribe_all": lambda s: s.reading.subscribe_all(USER, [("https://y.test/", "", "")], NOW),
    "languages": lambda s: s.lists.languages(USER),
    "half_lives": lambda s: s.users.half_lives(USER),
    "set_half_lives": lambda s: s.users.set_half_lives(USER, (9.0, 8.0, 7.0, 6.0, 5.0), HALF_LIVES),
    "readings": lambda s: s.models.readings(USER, NOW - HOUR, NOW),
    "rating_makers": lambda s: s.articles.rating_makers("m"),
    "rated_articles": lambda s: s.articles.rated_articles("m", "v"),
    "bridge_account": lambda s: s.bridges.bridge_account("test", REMOTE, NOW),
    "bridge_accounts": lambda s: s.bridges.bridge_accounts("test"),
    "put_remote_feeds": lambda s: s.bridges.put_remote_feeds(ACCOUNT, [RemoteFeed("1", "t")], NOW),
    "known_entries": lambda s: s.bridges.known_entries(ACCOUNT, [1]),
    "unread_entries": lambda s: s.bridges.unread_entries(ACCOUNT),
    "starred_entries": lambda s: s.bridges.starred_entries(ACCOUNT),
    "bridging": bridging,
    "standings": lambda s: s.bridges.standings(ACCOUNT, NOW, HALF_LIVES, "s"),
    "remote_present": lambda s: s.bridges.remote_present(ACCOUNT),
    "want": lambda s: s.bridges.want(ACCOUNT, [WRITE], NOW),
    "pending_writes": lambda s: s.bridges.pending_writes(ACCOUNT, NOW, 1),
    "waiting_writes": lambda s: s.bridges.waiting_writes(ACCOUNT),
    "writes_done": lambda s: s.bridges.writes_done(ACCOUNT, [WRITE]),
    "put_off": lambda s: s.bridges.put_off(ACCOUNT, [(WRITE, NOW)], "why"),
    "drop_writes": lambda s: s.bridges.drop_writes(ACCOUNT, [WRITE]),
    "bridge_synced": lambda s: s.bridges.bridge_synced(ACCOUNT, NOW),
    "source_facts": lambda s: s.sources.source_facts(["x.test"]),
    "sources_measured_at": lambda s: s.sources.sources_measured_at(),
    "feed_sources": lambda s: s.sources.feed_sources(USER),
    "measure_sources": lambda s: s.sources.measure_sources(NOW),
    "leased_importance": lambda s: s.articles.leased_importance(LEASE, 1),
    "put_importance": lambda s: s.articles.put_importance("m", [WEIGHED]),
    "importance": lambda s: s.articles.importance([ONE]),
    "leased_points": lambda s: s.articles.leased_points(LEASE, 1),
    "put_points": lambda s: s.articles.put_points(USER, "m", [ReaderPoints(ONE, 1.0, 1.0)]),
    "interest_edits": lambda s: s.models.interest_edits(USER),
    "edit_interest": lambda s: s.models.edit_interest(USER, "x", 2.0, NOW),
    "fade": lambda s: s.users.fade(USER),
    "set_fade": lambda s: s.users.set_fade(USER, 0.01),
    "term_background": lambda s: s.articles.term_background(),
    "term_background_made_at": lambda s: s.articles.term_background_made_at(),
    "put_term_background": lambda s: s.articles.put_term_background(BACKGROUND),
    "newest_originals": lambda s: s.articles.newest_originals(ONE, 1),
    "own_tiers": lambda s: s.sources.own_tiers(USER),
    "set_tier": lambda s: s.sources.set_tier(USER, "x.test", 1, NOW),
    "bridge_failed": lambda s: s.bridges.bridge_failed(ACCOUNT, "why", NOW),
    "schedules": lambda s: s.digests.schedules(USER),
    "add_schedule": lambda s: s.digests.add_schedule(SCHEDULE, []),
    "drop_schedule": lambda s: s.digests.drop_schedule(USER, SCHEDULE.id),
    "leave_digest": lambda s: s.digests.leave_digest("token"),
    "digest_target": lambda s: s.digests.digest_target("token"),
    "claim_schedule": lambda s: s.digests.claim_schedule(NOW, NOW),
    "put_off_schedule": lambda s: s.digests.put_off_schedule(SCHEDULE.id, NOW),
    "next_digest": lambda s: s.digests.next_digest(),
    "put_digest": lambda s: s.digests.put_digest(
        SCHEDULE, DIGEST, Memory(), now=NOW, ready=NOW, next_at=NOW
    ),
    "digest": lambda s: s.digests.digest(USER, DigestId(1)),
    "digests": lambda s: s.digests.digests(USER, 1),
    "digest_after": lambda s: s.digests.digest_after(USER, DigestId(1)),
    "memories": lambda s: s.digests.memories(
        USER, kinds=(DigestKind.MORNING,), since=NOW, until=NOW
    ),
    "newest_digests": lambda s: s.digests.newest_digests(USER, 1),
    "claim_sending": lambda s: s.digests.claim_sending(NOW, NOW),
    "sent": lambda s: s.digests.sent(SendingId(1), NOW),
    "send_later": lambda s: s.digests.send_later(SendingId(1), NOW, "why"),
    "give_up_sending": lambda s: s.digests.give_up_sending(SendingId(1), NOW, "why"),
    "sendings": lambda s: s.digests.sendings(DigestId(1)),
    "unsent": lambda s: s.digests.unsent(USER, NOW),
    "digest_to_send": lambda s: s.digests.digest_to_send(SENDING),
    "feed_token": lambda s: s.digests.feed_token(USER, "digests"),
    "set_feed_token": lambda s: s.digests.set_feed_token(USER, "digests", "token", NOW),
    "feed_of": lambda s: s.digests.feed_of("token"),
    "coverage_wanted": lambda s: s.coverage.coverage_wanted(USER),
    "coverage_readers": lambda s: s.coverage.coverage_readers(),
    "switch_coverage": lambda s: s.coverage.switch_coverage(USER, on=True, now=NOW),
    "choose_coverage": lambda s: s.coverage.choose_coverage(USER, [ONE], "by hand", NOW),
    "chosen_since": lambda s: s.coverage.chosen_since(USER, "by hand", NOW),
    "coverage_search": lambda s: s.coverage.coverage_search(ONE),
    "coverage_searches": lambda s: s.coverage.coverage_searches(SearchState.CHOSEN, NOW, 1),
    "put_prepared": lambda s: s.coverage.put_prepared(ONE, Prepared(("a b",)), "rules", NOW),
    "put_off_coverage": lambda s: s.coverage.put_off_coverage(ONE, NOW, "why"),
    "put_hits": lambda s: s.coverage.put_hits(ONE, [HIT], NOW),
    "coverage_list": lambda s: s.coverage.coverage_list(USER, 1),
    "cached_answer": lambda s: s.coverage.cached_answer("key", NOW),
    "reserve_search": lambda s: s.coverage.reserve_search("key", "x.test", NOW, 1),
    "put_answer": lambda s: s.coverage.put_answer(1, [HIT]),
    "forget_answers": lambda s: s.coverage.forget_answers(NOW),
    "candidates": lambda s: s.coverage.candidates(ONE),
    "candidates_in": lambda s: s.coverage.candidates_in(CandidateState.FOUND, 1),
    "put_ranked": lambda s: s.coverage.put_ranked(ONE, [(CandidateId(1), 0.5, 1)], NOW),
    "put_resolved": lambda s: s.coverage.put_resolved(
        CandidateId(1), "https://x.test/a", "x.test", "", NOW
    ),
    "right_places": lambda s: s.coverage.right_places(USER, "x.test", NOW),
    "coverage_page": lambda s: s.coverage.coverage_page("key"),
    "begin_page": lambda s: s.coverage.begin_page("key", "https://x.test/a", NOW, NOW),
    "put_coverage_page": lambda s: s.coverage.put_coverage_page(PAGE),
    "put_fetched": lambda s: s.coverage.put_fetched(
        [CandidateId(1)], None, CandidateState.FAILED, "why", NOW
    ),
    "twin_of": lambda s: s.coverage.twin_of(CandidateId(1), "https://x.test/a"),
    "unmeasured_coverage": lambda s: s.coverage.unmeasured_coverage(NOW, 1),
    "unjudged_coverage": lambda s: s.coverage.unjudged_coverage(NOW, 1),
    "put_likeness": lambda s: s.coverage.put_likeness({CandidateId(1): 0.5}),
    "put_judgement": lambda s: s.coverage.put_judgement(JUDGED),
    "page_of": lambda s: s.coverage.page_of(CandidateId(1)),
    "coverage_judgements": lambda s: s.coverage.coverage_judgements(CandidateId(1)),
    "hit_vectors": lambda s: s.coverage.hit_vectors("m", ["key"]),
    "put_hit_vectors": lambda s: s.coverage.put_hit_vectors("m", ["key"], VECTOR, NOW),
    "covered": lambda s: s.coverage.covered(USER, ONE, 0.7),
    "reject_coverage": lambda s: s.coverage.reject_coverage(USER, CandidateId(1), NOW),
    "repeated_sources": lambda s: s.coverage.repeated_sources(USER, NOW, 1),
    "coverage_status": lambda s: s.coverage.coverage_status(USER, NOW),
    "record_outcomes": lambda s: s.quality.record_outcomes([OUTCOME], NOW, Policy()),
    "record_hits": lambda s: s.quality.record_hits(["x.test"], NOW, Policy()),
    "domain_standings": lambda s: s.quality.domain_standings(["x.test"], NOW, Policy()),
    "domain_records": lambda s: s.quality.domain_records(NOW, Policy()),
    "count_domains": lambda s: s.quality.count_domains(NOW, Policy()),
    "excluded_domains": lambda s: s.quality.excluded_domains(NOW, Policy()),
    "domain_rules": lambda s: s.quality.domain_rules(),
    "set_domain_rule": lambda s: s.quality.set_domain_rule("x.test", Rule.BLOCK, NOW),
    "any_account": lambda s: s.accounts.any_account(),
    "account_named": lambda s: s.accounts.account_named("anna"),
    "account_of": lambda s: s.accounts.account_of(USER),
    "accounts": lambda s: s.accounts.accounts(),
    "add_account": lambda s: s.accounts.add_account("anna", Role.READER, "", NOW),
    "add_first_account": lambda s: s.accounts.add_first_account("anna", "", NOW, USER),
    "set_password": lambda s: s.accounts.set_password(USER, "hash"),
    "rehash_password": lambda s: s.accounts.rehash_password(USER, "hash", "other"),
    "set_role": lambda s: s.accounts.set_role(USER, Role.ADMIN),
    "open_session": lambda s: s.accounts.open_session(USER, "digest", NOW, "::1", "browser", "old"),
    "session": lambda s: s.accounts.session("digest", NOW),
    "sessions_of": lambda s: s.accounts.sessions_of(USER, NOW),
    "session_seen": lambda s: s.accounts.session_seen(SessionId(1), NOW),
    "end_session": lambda s: s.accounts.end_session(USER, SessionId(1)),
    "end_sessions": lambda s: s.accounts.end_sessions(USER, SessionId(1)),
    "add_app_password": lambda s: s.accounts.add_app_password(ANNA, "phone", "d", "f", NOW),
    "app_passwords": lambda s: s.accounts.app_passwords(USER),
    "revoke_app_password": lambda s: s.accounts.revoke_app_password(USER, AppPasswordId(1)),
    "app_password_user": lambda s: s.accounts.app_password_user("digest"),
    "app_password_used": lambda s: s.accounts.app_password_used(AppPasswordId(1), NOW),
    "invite": lambda s: s.accounts.invite("digest", Role.READER, USER, NOW, NOW + HOUR),
    "invitations": lambda s: s.accounts.invitations(NOW),
    "invited": lambda s: s.accounts.invited("digest", NOW),
    "accept_invitation": lambda s: s.accounts.accept_invitation("digest", "bob", "", NOW),
    "withdraw_invitation": lambda s: s.accounts.withdraw_invitation(InvitationId(1)),
    "take_attempt": lambda s: s.accounts.take_attempt(COUNTS, NOW),
    "attempt_succeeded": lambda s: s.accounts.attempt_succeeded(COUNTS),
    "record_sign_in": lambda s: s.accounts.record_sign_in(
        USER, "::1", SignInWay.PASSWORD, SignInOutcome.OK, NOW
    ),
    "sign_ins": lambda s: s.accounts.sign_ins(1, USER),
    "everything_of": lambda s: s.accounts.everything_of(USER),
    "articles_named": lambda s: s.accounts.articles_named([1]),
    "close_account": lambda s: s.accounts.close_account(UserId(2)),
    "remove_person": lambda s: s.accounts.remove_person(UserId(2)),
    "signed_in_from": lambda s: s.accounts.signed_in_from(USER, "::1"),
    "forget_domain": lambda s: s.quality.forget_domain("x.test"),
    "stream": lambda s: s.syncing.stream(USER, StreamQuery()),
    "stream_size": lambda s: s.syncing.stream_size(USER, StreamQuery()),
    "newest_unread": lambda s: s.syncing.newest_unread(USER),
    "known_articles": lambda s: s.syncing.known_articles(USER, [ONE]),
    "stream_articles": lambda s: s.syncing.stream_articles(USER, [ONE], NOW, HALF_LIVES),
    "clear_these": lambda s: s.reading.clear_these(USER, [ONE], NOW, "test"),
}
READS = {
    "nearest nearest_each",
    "stream stream_size newest_unread known_articles stream_articles",
    "age_stories",
    "count_centroids",
    "leased_stories",
    "story_vectors",
    "story_articles",
    "stories_between",
    "newest_members",
    "story_centroids",
    "last_story",
    "apart",
    "story",
    "stories_of",
    "story_heads",
    "visible_members",
    "earlier_headlines",
    "story_stands",
    "followed_articles",
    "stood_articles",
    "followed_news",
    "unworded_stories",
    "story_corrections",
    "story_decisions",
    "story_generation",
    "stories_decided",
    "story_controls",
    "waiting_story_questions",
    "story_parents",
    "story_parent",
    "parents_made",
    "shared_feeds",
    "polled_feed",
    "work_elsewhere set_aside leased_texts leased_signatures"
    " leased_same_event compared_articles names"
    " leased_vectors leased_ratings"
    " leased_scores unsigned"
    " wanted_hosts figures asked_elsewhere pauses next_due"
    " pending_texts pending_signatures pending_vectors"
    " pending_ratings pending_scores users subscriptions"
    " unread unscored left as_of page page_ids listing listed article search interests labels"
    " forgettings whole vectors texts rating"
    " labels_mark active_model model_in_force model models last_training evaluations facts"
    " service unusable_answers used_answers asked languages half_lives readings"
    " rating_makers rated_articles"
    " health unseen_health past_polls report moves held"
    " bridge_accounts known_entries unread_entries starred_entries standings remote_present"
    " pending_writes waiting_writes"
    " elsewhere has cluster links witnesses redirects"
    " pushes push announced fallen waiting_deliveries delivery"
    " preferences saved_lists list_of followed_sites asked_icons icon icon_tags feed_home"
    " wanted_pages fetched_pages paused_hosts robots"
    " source_facts sources_measured_at feed_sources own_tiers"
    " leased_importance importance leased_points interest_edits fade"
    " schedules digest_target next_digest digest digests digest_after memories newest_digests"
    " term_background term_background_made_at newest_originals"
    " coverage_wanted coverage_readers chosen_since coverage_search coverage_searches coverage_list"
    " cached_answer candidates candidates_in right_places coverage_page twin_of"
    " unmeasured_coverage unjudged_coverage page_of coverage_judgements hit_vectors covered"
    " repeated_sources coverage_status"
    " domain_standings domain_records count_domains excluded_domains domain_rules"
    " vector_counts vectors_wanting encoder_in_use"
    " any_account account_named account_of accounts session sessions_of app_passwords"
    " app_password_user invitations invited sign_ins signed_in_from everything_of articles_named"
    " unsent sendings digest_to_send feed_token feed_of claim_schedule claim_sending",
}
READS = set(" ".join(READS).split())
