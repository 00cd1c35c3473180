"""Feeds, their polls, and what happened to them: moves, documents held back, redirects."""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    LargeBinary,
    Table,
    Text,
    false,
)

from newsloom.kernel.db.columns import Id, Json, Moment, Span
from newsloom.kernel.db.schema import count, metadata, ref, some_rows, text_column

feeds = Table(
    "feeds",
    metadata,
    Column("id", Id, primary_key=True),
    Column("url", Text, nullable=False, unique=True),
    # What politeness is owed to: text.hosts.shared_host of the address.
    text_column("host"),
    text_column("title"),
    text_column("site_url"),
    text_column("description"),
    text_column("language"),
    text_column("format"),
    text_column("image"),
    text_column("etag"),
    text_column("last_modified"),
    text_column("validated_url"),
    text_column("body_hash"),
    Column("hints", Json()),
    Column("pace", Json()),  # how often it has news, as learned
    Column("interval", Span, nullable=False),
    Column("floor", Span),  # the readers' own, of this feed; NULL: as the settings say
    Column("next_poll_at", Moment, index=True),  # NULL: not polled any more
    Column("not_before", Moment),  # what its server asked for, and holds by hand too
    Column("polled_at", Moment),
    Column("ok_at", Moment),
    Column("changed_at", Moment),
    count("status"),  # of the last answer; 0 when there was none
    count("failures"),  # in a row, as the next four
    count("unreadable"),
    count("unchanged"),
    count("newsy"),  # polls with news
    count("damaged"),  # documents that were not as they should be
    text_column("damage"),  # of the last one: types.Damage
    text_column("problem"),
    text_column("asked_under"),  # the settings at its last poll; empty: that reached no server
    Column("state", Text, nullable=False, server_default="healthy"),
    Column("state_at", Moment),
    Column("state_seen_at", Moment),  # when a reader waved the alert away
    Column("dead", Boolean, nullable=False, server_default=false()),
    # Where it permanently redirects to, until that is believed.
    text_column("moved_to"),
    Column("moved_at", Moment),
    count("moved_times"),
    text_column("declined"),  # an address a reader took back: it is never moved there again
    # Who it is, by its last document: authors, and hosts its articles are at.
    Column("face", Json()),
    # In quarantine: since when and why; what comes meanwhile lies in `holds`.
    Column("held_at", Moment),
    text_column("held_because"),
    # Marks of the articles of a long document that were not added: duplicates/incoming.py.
    Column("left_out", LargeBinary),
    Column("full_text", Boolean, nullable=False, server_default=false()),
    Column("lease_owner", Text),
    Column("lease_token", Text),
    Column("lease_until", Moment),
    Index(None, "host", "next_poll_at"),
)
some_rows(
    "ix_feeds_leased",
    feeds.c.lease_owner,
    where=feeds.c.lease_owner.is_not(None),
)

polls = Table(
    "polls",
    metadata,
    Column("id", Id, primary_key=True),
    ref("feed_id", "feeds.id"),
    Column("at", Moment, nullable=False),
    Column("outcome", Text, nullable=False),
    count("status"),
    Column("seconds", Float, nullable=False),
    count("wire_bytes"),
    count("articles"),  # in the document
    count("misdated"),  # of them: without a date, or with one that cannot be
    count("new"),
    count("revised"),
    count("duplicates"),
    text_column("problem"),
    Column("next_poll_at", Moment),
    text_column("reason"),
    Index(None, "feed_id", "id"),
)

# An address that was given up for another, and may be taken back.
moves = Table(
    "moves",
    metadata,
    Column("id", Id, primary_key=True),
    ref("feed_id", "feeds.id"),
    Column("at", Moment, nullable=False),
    text_column("from_url"),
    text_column("to_url"),
    text_column("because"),
    # The feed that this one became part of, and who had followed this one; NULL: it only moved.
    Column("merged_id", Id),
    Column("followers", Json()),
    Column("joined", Json()),  # its articles that changed hands, to put them back
    Column("seen_at", Moment),  # when a reader waved the alert away
    Column("undone_at", Moment),
    Index(None, "feed_id", "id"),
)

# What readers said of feeds in quarantine, and what it takes to take that back.
verdicts = Table(
    "verdicts",
    metadata,
    Column("id", Id, primary_key=True),
    ref("feed_id", "feeds.id"),
    Column("at", Moment, nullable=False),
    Column("same", Boolean, nullable=False),  # it is the feed it was; else it is kept out
    Column("before", Json()),
    Column("articles", Json()),  # that were let in
    Column("undone_at", Moment),
    Index(None, "feed_id", "id"),
)

# Documents of feeds in quarantine, as they came, until a reader says what they are.
holds = Table(
    "holds",
    metadata,
    ref("feed_id", "feeds.id", primary_key=True, autoincrement=False),
    Column("at", Moment, primary_key=True),
    text_column("url"),
    text_column("content_type"),
    Column("body", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)

# What asking addresses that only forward came to; see kernel/text/redirects.py.
redirects = Table(
    "redirects",
    metadata,
    Column("url", Text, primary_key=True),
    text_column("target"),  # empty: it could not be found out
    Column("at", Moment, nullable=False),
    count("tries"),
    text_column("problem"),
    sqlite_with_rowid=False,
)


# One a feed.
pushes = Table(
    "pushes",
    metadata,
    ref("feed_id", "feeds.id", primary_key=True, autoincrement=False),
    Column("token", Text, nullable=False, unique=True),  # in the address the hub calls
    text_column("secret"),
    text_column("base"),  # the rest of that address, as the settings had it
    text_column("hub"),
    text_column("topic"),
    text_column("state"),  # of types.PushState
    Column("asked_at", Moment),  # NULL: the hub owes no call back
    Column("active_at", Moment),  # since when it tells, renewals apart
    Column("until", Moment),  # when the lease ends
    Column("next_at", Moment, index=True),  # when to ask the hub again
    Column("pushed_at", Moment),  # last, with a right signature
    Column("missed_at", Moment),  # when a poll found news that the hub should have told
    count("tries"),
    count("received"),
    count("ignored"),  # of them: no feed, or another's
    count("refused"),  # with a wrong signature, or none
    Column("hour_at", Moment),  # when the present hour began, and what came in it
    count("in_hour"),
    text_column("problem"),
)

# What was acknowledged lies here until it is stored as articles.
deliveries = Table(
    "deliveries",
    metadata,
    Column("id", Id, primary_key=True),
    ref("feed_id", "feeds.id"),
    Column("at", Moment, nullable=False),
    text_column("content_type"),
    text_column("digest"),  # of the body: ids are given again
    Column("body", LargeBinary, nullable=False),
    Index(None, "feed_id"),
)


# Sites: pauses and turns of hosts, icons, rules for robots, pages with an article's full text.

# One row a site, also where there is none: that is remembered too.
icons = Table(
    "icons",
    metadata,
    Column("site", Text, primary_key=True),  # scheme and authority
    text_column("url"),
    Column("at", Moment, nullable=False),  # when it was asked for last
    text_column("etag"),
    text_column("last_modified"),
    text_column("validated_url"),
    text_column("type"),  # empty: there is none
    text_column("tag"),  # changes with the picture
    text_column("problem"),
    count("tries"),  # with nothing to show for it, in a row
    Column("body", LargeBinary),
)

robots = Table(
    "robots",
    metadata,
    Column("site", Text, primary_key=True),
    Column("at", Moment, nullable=False),
    count("status"),  # 0: there was no answer
    Column("page_at", Moment),  # when a page of the site was asked for last
    text_column("body"),
)

pages = Table(
    "pages",
    metadata,
    # The original of a group of copies.
    Column("article_id", Id, ForeignKey("articles.id"), primary_key=True, autoincrement=False),
    Column("at", Moment, nullable=False),
    count("tries"),
    Column("next_at", Moment),  # when to try again; NULL: never
    Column("url", Text, nullable=False, server_default="", index=True),
    text_column("problem"),
    count("length"),  # visible characters
    text_column(
        "html"
    ),  # what was taken out of it; empty: nothing was, or no more than the feed has
)

# Hosts that asked for time, or that fail whatever is asked of them.
pauses = Table(
    "pauses",
    metadata,
    Column("host", Text, primary_key=True),
    Column("at", Moment, nullable=False),
    Column("until", Moment, nullable=False),
    text_column("because"),
    sqlite_with_rowid=False,
)

# Whose turn it is to ask a host, of all processes that use this store (host_turns.py).
host_turns = Table(
    "host_turns",
    metadata,
    Column("host", Text, primary_key=True),
    Column("owner", Text),  # NULL: nobody's
    Column("until", Moment),
    Column("asked_at", Moment),  # when its last owner ended asking; NULL: not known, or long ago
    Column("wanted_by", Text),
    Column("wanted_until", Moment),
    sqlite_with_rowid=False,
)

# One row: what signs the addresses under which we serve pictures (picture_key.py).
picture_keys = Table(
    "picture_keys",
    metadata,
    Column("id", Id, primary_key=True, autoincrement=False),
    Column("secret", LargeBinary, nullable=False),
)
