"""Every table by what bounds it. A new one belongs into one of the two tuples; a test holds it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Growing:
    """Tables that grow for ever unless a setting prunes them.

    `setting` is of the group `keep`; empty: they keep what identifies an article, or what somebody
    made, and are small.
    """

    tables: str  # with spaces between
    ages: str  # what makes a row old
    setting: str
    stays: str  # what of it is never pruned


# "Kept articles" are those of KEPT in retention/store/sweeps.py.
RETENTION = (
    Growing(
        "articles pages revisions texts",
        "when the article, and its last copy, was first seen",
        "texts_days",
        "kept articles; of others title, address, dates, hash and the beginning of the text",
    ),
    Growing(
        "embeddings",
        "when the article was first seen",
        "vectors_days",
        "kept articles",
    ),
    Growing(
        "dedup_keys fresh_keys",
        "when the article was first seen, and at least the window of duplicates",
        "keys_days",
        "keys of ids and addresses: they tell a listed article from a new one",
    ),
    Growing(
        "states signatures entities same_event_marks importances ratings judgements "
        "story_questions events muted_articles rule_effects rule_news rule_queue "
        "playback_positions coverage_searches coverage_candidates coverage_judgements "
        "coverage_rejections",
        "when the article was first seen, once all who had it have read it",
        "articles_days",
        "kept articles; unread ones, unless keep.unread_days says so",
    ),
    Growing(
        "story_decisions thread_decisions digest_sendings brief_sendings coverage_pages",
        "when it was decided, sent or fetched",
        "audit_days",
        "what waits to be sent; pages that a found report rests on",
    ),
    Growing(
        "digests briefs brief_places",
        "when it was made",
        "digests_days",
        "the last of each reader, which the next one remembers; briefs that still have their sound",
    ),
    Growing("redirects", "when it was asked for", "redirects_days", "nothing"),
    Growing(
        "clusters links story_members stories story_centroids threads thread_questions",
        "nothing: under 0.5 KB an article",
        "",
        "all: the others of a story or an event hang together by them, and numbers are given once",
    ),
    Growing(
        "aged_articles",
        "nothing: 50 bytes for each article of which something was removed",
        "",
        "all: stages leave alone what it names",
    ),
    Growing(
        "moves verdicts",
        "nothing: a few rows a feed in years",
        "",
        "all: taking them back needs them",
    ),
    Growing(
        "evaluations",
        "nothing: one row a training",
        "",
        "all: `/you` draws them",
    ),
    Growing(
        "article_tags article_notes highlights separations story_corrections "
        "story_readers thread_readers thread_corrections shares interests interest_edits "
        "forgettings saved_lists "
        "pronunciations source_tiers",
        "nothing: it is what a reader made",
        "",
        "all",
    ),
)


@dataclass(frozen=True, slots=True)
class Bounded:
    """Tables that do not grow for ever, and why."""

    tables: str  # with spaces between
    because: str


BOUNDED_BY = (
    Bounded(
        "users accounts identities app_passwords preferences subscriptions categories "
        "rules rule_sets digest_schedules digest_targets brief_schedules brief_targets "
        "feed_addresses share_services coverage_readers",
        "people, and what each of them set up",
    ),
    Bounded("feeds pushes bridge_accounts bridge_feeds", "feeds that are followed"),
    Bounded(
        "icons robots pauses host_turns source_facts source_feeds",
        "sites and hosts of feeds, a row each",
    ),
    Bounded(
        "domain_outcomes domain_blocks domain_rules domain_hits",
        "publishers, and the days of source_quality: what is older goes with the next record",
    ),
    Bounded("polls", "100 of each feed (feeds/store/ingest.py)"),
    Bounded("deliveries holds", "goes when it was read, and when a reader has decided"),
    Bounded("idempotency_keys", "24 hours: goes with the next key (accounts/store/members.py)"),
    Bounded("sessions invitations", "goes when it ended, with the next sign-in or invitation"),
    Bounded("sign_ins sign_in_failures", "accounts.lifetimes: goes with the next sign-in"),
    Bounded("sent_marks", "days: goes with the next mark (reading/store/sent_marks.py)"),
    Bounded("left_feeds left_states", "30 days after a feed was left"),
    Bounded("models", "those in force, and the last few of each (ranking/store/trained.py)"),
    Bounded("model_calls", "MOST_CALLS of llm/store/calls.py"),
    Bounded("services spending", "a row for each service and purpose"),
    Bounded("encoder_switches", "a row each time an encoder is chosen"),
    Bounded("makers", "a row for each version of a stage or model"),
    Bounded("term_background picture_keys prunings", "one row, or one for each sweep"),
    Bounded("coverage_answers coverage_vectors", "days: coverage/store/searches.py"),
    Bounded("work_batches work_failures", "leases and failures are forgotten after weeks"),
    Bounded(
        "bridge_entries bridge_writes",
        "what the other program holds: it goes when it is gone there",
    ),
    Bounded(
        "event_terms", "stories of 60 days: the pass removes others (stories/stages/threads.py)"
    ),
    Bounded("serves", "a row for each process that serves; it goes soon after the process"),
    Bounded("activities", "a row for each reader and kind"),
    Bounded("history_jobs", "a row for each job that a person starts"),
)
