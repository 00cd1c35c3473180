"""Notes of whose pages a write made stale, in SQLite, by triggers, whoever writes.

A reader has a stamp, another one after each write to what their lists show, and user 0 has one for
what is of everybody. A second one, `unmarked`, stays as it is when articles are only marked. Stamps
are random numbers: a database that was put back to an earlier state must not come to one that
somebody knows. A write to an article changes the stamps of all who have it, one to a feed those of
all who follow it. A table that is not named below changes everybody's, so a new one costs time at
worst.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection, Table

from newsloom.store.tables import metadata

# What no list shows, nor what stands around it. Most of what a pass writes is among these. How a
# feed's polls went shows by the feed's own row.
NOT_SHOWN = frozenset(
    {
        "app_passwords",
        "bridge_entries",
        "bridge_writes",
        "brief_places",
        "brief_schedules",
        "brief_sendings",
        "brief_targets",
        "briefs",
        "coverage_answers",
        "coverage_candidates",
        "coverage_judgements",
        "coverage_pages",
        "coverage_readers",
        "coverage_rejections",
        "coverage_searches",
        "coverage_vectors",
        "dedup_keys",
        "deliveries",
        "digest_schedules",
        "digest_sendings",
        "digest_targets",
        "digests",
        "domain_blocks",
        "domain_hits",
        "domain_outcomes",
        "domain_rules",
        "embeddings",
        "encoder_switches",
        "entities",
        "event_terms",
        "evaluations",
        "feed_addresses",
        "fresh_keys",
        "host_turns",
        "idempotency_keys",
        "identities",
        "importances",
        "invitations",
        "judgements",
        "makers",
        "model_calls",
        "pages",
        "pauses",
        "playback_positions",
        "polls",
        "pronunciations",
        "pushes",
        "ratings",
        "redirects",
        "revisions",
        "robots",
        "rule_news",
        "rule_queue",
        "same_event_marks",
        "sent_marks",
        "serves",
        "sessions",
        "share_services",
        "shares",
        "sign_in_failures",
        "sign_ins",
        "signatures",
        "source_facts",
        "source_feeds",
        "spending",
        "story_centroids",
        "story_decisions",
        "story_questions",
        "term_background",
        "thread_corrections",
        "thread_decisions",
        "thread_questions",
        "threads",
        "verdicts",
        "work_batches",
        "work_failures",
    }
)

_UNMARKED = ", unmarked = excluded.unmarked"
_STAMP = f"ON CONFLICT (user_id) DO UPDATE SET stamp = excluded.stamp{_UNMARKED};"
_NOTE = "INSERT INTO reader_changes (user_id, stamp, unmarked)"
_EACH = f"{_NOTE} SELECT user_id, random(), random()"
_EVERYBODY = f"{_NOTE} VALUES (0, random(), random()) {_STAMP}"


def _person(row: str, column: str = "user_id") -> str:
    """Rows that name nobody are of everybody."""
    return f"{_NOTE} VALUES (COALESCE({row}.{column}, 0), random(), random()) {_STAMP}"


def _holders(article: str) -> str:
    return f"{_EACH} FROM states WHERE article_id = {article} {_STAMP}"


def _followers(feed: str) -> str:
    return f"{_EACH} FROM subscriptions WHERE feed_id = {feed} {_STAMP}"


def _of_article(row: str) -> str:
    return _holders(f"{row}.article_id")


def _of_pair(row: str) -> str:
    return _holders(f"{row}.article_id") + _holders(f"{row}.other_id")


def _of_place(row: str) -> str:
    return _followers(f"{row}.feed_id") + _holders(f"{row}.original_id")


_FORGET = "DELETE FROM reader_changes WHERE user_id = OLD.id;"

# Tables of which not everybody is told, nor the reader that a row names.
_TOLD: dict[str, Callable[[str], str]] = {
    "articles": _of_place,
    "clusters": _of_article,
    "links": _of_pair,
    "story_members": _of_article,
    "texts": _of_article,
    "feeds": lambda row: _followers(f"{row}.id"),
    "users": lambda row: _person(row, "id"),
}
# Of these, updates of other columns show nowhere.
_COLUMNS = {
    "feeds": "url, title, site_url, problem, failures, dead, full_text, state, state_seen_at",
    "stories": "size, title, merged_into",
}
# All that marking writes. Of a user's row only lists depend.
_MARKING = {
    "noted_events_insert",
    "noted_events_update",
    "noted_states_update",
    "noted_users_update",
}
# When feeds are asked shows only as long as they never were.
_FIRST_ASKED = f"""CREATE TRIGGER noted_feeds_asked AFTER UPDATE OF polled_at, next_poll_at ON feeds
    WHEN (OLD.polled_at IS NULL) <> (NEW.polled_at IS NULL)
    OR (OLD.next_poll_at IS NULL) <> (NEW.next_poll_at IS NULL)
    BEGIN {_followers("NEW.id")} END"""


def _told(table: Table, row: str) -> str:
    if table.name in _TOLD:
        return _TOLD[table.name](row)
    return _person(row) if "user_id" in table.c else _EVERYBODY


def make(connection: Connection) -> None:
    """After every upgrade: a table that was made anew has lost its triggers."""
    if connection.dialect.name == "postgresql":
        return  # there `change_token` is of the whole database
    connection.exec_driver_sql("DROP TABLE IF EXISTS reader_changes")
    connection.exec_driver_sql(
        "CREATE TABLE reader_changes"
        " (user_id INTEGER PRIMARY KEY, stamp INTEGER NOT NULL, unmarked INTEGER NOT NULL)"
    )
    old = connection.exec_driver_sql(
        "SELECT name FROM sqlite_master WHERE type = 'trigger' AND name GLOB 'noted_*'"
    ).all()
    for (name,) in old:
        connection.exec_driver_sql(f"DROP TRIGGER {name}")
    for table in metadata.sorted_tables:
        if table.name not in NOT_SHOWN:
            for statement in _triggers(table):
                connection.exec_driver_sql(statement)
    connection.exec_driver_sql(_FIRST_ASKED)
    connection.exec_driver_sql(_EVERYBODY)


def _triggers(table: Table) -> tuple[str, ...]:
    name, new, old = table.name, _told(table, "NEW"), _told(table, "OLD")
    of = f" OF {_COLUMNS[name]}" if name in _COLUMNS else ""
    both = new if new == old else old + new
    return tuple(
        f"CREATE TRIGGER {trigger} AFTER {what.upper()}{columns} ON {name}"
        f" BEGIN {then.replace(_UNMARKED, '') if trigger in _MARKING else then} END"
        for what, columns, then in (
            ("insert", "", new),
            ("update", of, both),
            ("delete", "", _FORGET if name == "users" else old),
        )
        for trigger in [f"noted_{name}_{what}"]
    )
