"""`store.sources`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, Row, delete, func, select, text

from newsloom.articles.store.reader_tables import subscriptions
from newsloom.feeds.health import reliability
from newsloom.feeds.store.health import TALLIED
from newsloom.feeds.values.polling import PollTally
from newsloom.importance.sources import source_of
from newsloom.importance.sources.corroboration import EDGE, Counts, Member, corrected, count, marked
from newsloom.importance.sources.speaking import credited_source
from newsloom.importance.store.tables import source_facts, source_feeds
from newsloom.importance.values import SourceFacts
from newsloom.kernel.db.bulk import insert_rows
from newsloom.kernel.db.columns import micros
from newsloom.kernel.db.sql import CHUNK, Aggregate
from newsloom.kernel.ids import FeedId, UserId

# What the articles here tell of their sources: measured as a whole, at most once a day, and kept.
#
# Reads all articles' heads, the texts of the last months, a few whole ones of each source, and the
# clusters; some seconds at 100,000 articles. Pages and commands read what is kept.

# Corrections are looked for in the newest texts of this time, clusters in that of twice as much:
# what a source did years ago says less of it, and texts take long to read.
RECENT = timedelta(days=90)
MOST_TEXTS = 200  # of a feed and host
# Links are looked at in so many newest articles of each feed and host, up to a length.
SAMPLED, SAMPLED_LENGTH = 5, 20_000

_HEADS = text("""
    SELECT a.feed_id, a.source, f.url AS feed, COUNT(*) AS articles, MIN(a.first_seen_at) AS since,
        SUM(CASE WHEN a.author <> '' THEN 1 ELSE 0 END) AS authored,
        SUM(CASE WHEN EXISTS (SELECT 1 FROM revisions r WHERE r.article_id = a.id)
            THEN 1 ELSE 0 END) AS revised
    FROM articles a JOIN feeds f ON f.id = a.feed_id
    WHERE a.source <> '' GROUP BY a.feed_id, a.source, f.url
""")
_TEXTS = text("""
    SELECT a.source, f.url AS feed, a.title, SUBSTR(content, 1, :edge) AS beginning,
        SUBSTR(content, CASE WHEN LENGTH(content) > 2 * :edge THEN LENGTH(content) - :edge + 1
            ELSE :edge + 1 END) AS ending,
        SUBSTR(summary, 1, :edge) AS summary
    FROM (
        SELECT id, ROW_NUMBER() OVER (PARTITION BY feed_id, source ORDER BY id DESC) AS place
        FROM articles WHERE source <> '' AND first_seen_at >= :since
    ) AS newest JOIN articles a ON a.id = newest.id JOIN feeds f ON f.id = a.feed_id
    WHERE place <= :most
""")
_CLUSTERS = text("""
    SELECT c.cluster_id, c.text_id, a.source, f.url AS feed, COALESCE(g.agency, '') AS agency,
        a.first_seen_at AS seen
    FROM clusters c JOIN articles a ON a.id = c.article_id JOIN feeds f ON f.id = a.feed_id
    LEFT JOIN signatures g ON g.article_id = c.article_id
    WHERE a.source <> '' AND a.first_seen_at >= :since
    ORDER BY c.cluster_id
""")
# Denominator of what clusters tell, over the same time.
_SINCE = text("""
    SELECT a.source, f.url AS feed, COUNT(*) AS articles
    FROM articles a JOIN feeds f ON f.id = a.feed_id
    WHERE a.source <> '' AND a.first_seen_at >= :since GROUP BY a.source, f.url
""")
_SAMPLE = text("""
    SELECT newest.source, f.url AS feed, SUBSTR(content, 1, :length) AS content FROM (
        SELECT feed_id, source, content,
            ROW_NUMBER() OVER (PARTITION BY feed_id, source ORDER BY id DESC) AS place
        FROM articles WHERE source <> '' AND content <> '' AND first_seen_at >= :since
    ) AS newest JOIN feeds f ON f.id = newest.feed_id WHERE place <= :sampled
""")
_POLLS = text(f"SELECT {TALLIED} FROM polls p GROUP BY p.feed_id")  # noqa: S608
_COLUMNS = tuple(column.name for column in source_facts.columns)
_FIELDS = tuple(one.name for one in fields(SourceFacts))


@dataclass(slots=True)
class _Tally:
    """What is counted of one source."""

    articles: int = 0
    since: int = 0
    authored: int = 0
    revised: int = 0
    recent: int = 0  # articles whose texts were looked at
    corrected: int = 0
    clustered: int = 0  # originals of the time of the clusters
    links: int = 0
    trackers: int = 0
    feeds: dict[int, int] = field(default_factory=dict)  # articles by feed


def _source(row: Row[Any]) -> str:
    """The source that an article counts for: a feed may link to anyone."""
    name = credited_source(row.source, row.feed)
    return source_of(name) or name


def _tallies(connection: Connection, now: datetime) -> dict[str, _Tally]:
    found: dict[str, _Tally] = {}
    for row in connection.execute(_HEADS):
        one = found.setdefault(_source(row), _Tally(since=row.since))
        one.articles += row.articles
        one.since = min(one.since, row.since)
        one.authored += row.authored
        one.revised += row.revised
        one.feeds[row.feed_id] = one.feeds.get(row.feed_id, 0) + row.articles
    since = micros(now - RECENT)
    texts = {"since": since, "most": MOST_TEXTS, "edge": EDGE}
    for row in connection.execute(_TEXTS, texts):
        one = found[_source(row)]
        one.recent += 1
        one.corrected += corrected(row.title, f"{row.summary} {row.beginning} {row.ending}")
    for row in connection.execute(_SINCE, {"since": micros(now - 2 * RECENT)}):
        found[_source(row)].clustered += row.articles
    values = {"since": since, "sampled": SAMPLED, "length": SAMPLED_LENGTH}
    for row in connection.execute(_SAMPLE, values):
        one = found[_source(row)]
        links, bad = marked([row.content])
        one.links += links
        one.trackers += bad
    return found


def _counts(connection: Connection, since: int) -> dict[str, Counts]:
    counts: dict[str, Counts] = {}
    rows: Iterable[Any] = connection.execute(_CLUSTERS, {"since": since})
    for _cluster, members in groupby(rows, key=lambda row: row.cluster_id):
        count(
            (Member(_source(row), row.text_id, row.agency, row.seen) for row in members),
            counts,
        )
    return counts


def _reliable(connection: Connection) -> dict[int, float]:
    """How far each feed can be relied on, 0 to 1."""
    found: dict[int, float] = {}
    for row in connection.execute(_POLLS).mappings():
        tally = PollTally(**{name: row[name] for name in PollTally.__dataclass_fields__})
        score = reliability(tally).score
        if score is not None:
            found[row["feed_id"]] = score / 100
    return found


def _rates(
    one: _Tally, counts: Counts, reliable: Mapping[int, float], now: datetime
) -> Sequence[float]:
    """In the order of the columns."""
    known = [(reliable[feed], articles) for feed, articles in one.feeds.items() if feed in reliable]
    weight = sum(articles for _rate, articles in known)
    return (
        one.articles,
        max((micros(now) - one.since) / (86_400 * 1_000_000), 0.0),
        one.authored / one.articles,
        one.revised / one.articles,
        one.corrected / one.recent if one.recent else 0.0,
        min(counts.corroborated / one.clustered, 1.0) if one.clustered else 0.0,
        counts.followed / counts.corroborated if counts.corroborated else 0.0,
        one.trackers / one.links if one.links else 0.0,
        sum(rate * articles for rate, articles in known) / weight if weight else 1.0,
    )


# Tiers that readers set themselves.

_OWN = text("SELECT domain, tier FROM source_tiers WHERE user_id = :user ORDER BY domain")
_SET = text("""
    INSERT INTO source_tiers (user_id, domain, tier, set_at)
    VALUES (:user, :domain, :tier, :at)
    ON CONFLICT (user_id, domain) DO UPDATE SET tier = excluded.tier, set_at = excluded.set_at
""")
_UNSET = text("DELETE FROM source_tiers WHERE user_id = :user AND domain = :domain")


class SourceStore(Aggregate):
    """What was measured of sources, and the tiers that readers set."""

    def source_facts(self, domains: Collection[str]) -> Mapping[str, SourceFacts]:
        """By source, as `sources.source_of` names them; those never measured are absent."""
        wanted = sorted({source_of(one) for one in domains} - {""})
        found: dict[str, SourceFacts] = {}
        with self.database.read() as connection:
            for start in range(0, len(wanted), CHUNK):
                some = source_facts.c.domain.in_(wanted[start : start + CHUNK])
                for row in connection.execute(select(source_facts).where(some)).mappings():
                    found[row["domain"]] = SourceFacts(**{name: row[name] for name in _FIELDS})
        return found

    def sources_measured_at(self) -> datetime | None:
        """When sources were last measured; None: never, or there were none."""
        with self.database.read() as connection:
            at: datetime | None = connection.execute(
                select(func.max(source_facts.c.measured_at))
            ).scalar()
            return at

    def feed_sources(self, user: UserId) -> Mapping[FeedId, Mapping[str, int]]:
        """Of each feed of a reader whose articles it carries: articles by source, as measured."""
        query = select(source_feeds).join(
            subscriptions, subscriptions.c.feed_id == source_feeds.c.feed_id
        )
        found: dict[FeedId, dict[str, int]] = defaultdict(dict)
        with self.database.read() as connection:
            for row in connection.execute(query.where(subscriptions.c.user_id == user)):
                found[FeedId(row.feed_id)][row.domain] = row.articles
        return found

    def measure_sources(self, now: datetime) -> int:
        """Measure all sources anew, and keep that in the place of what was; how many there are."""
        with self.database.read() as connection:
            tallies = _tallies(connection, now)
            counts = _counts(connection, micros(now - 2 * RECENT))
            reliable = _reliable(connection)
        rows = [
            (name, micros(now), *_rates(one, counts.get(name, Counts()), reliable, now))
            for name, one in tallies.items()
        ]
        carried = [
            (feed, name, articles)
            for name, one in tallies.items()
            for feed, articles in one.feeds.items()
        ]
        with self.database.write() as connection:
            there = set(connection.scalars(text("SELECT id FROM feeds")))
            connection.execute(delete(source_facts))
            connection.execute(delete(source_feeds))
            insert_rows(connection, source_facts, _COLUMNS, rows)
            kept = [one for one in carried if one[0] in there]
            insert_rows(connection, source_feeds, ("feed_id", "domain", "articles"), kept)
        return len(rows)

    def own_tiers(self, user: UserId) -> Mapping[str, int]:
        """By domain."""
        return dict(self._rows(_OWN, tuple, user=user))

    def set_tier(self, user: UserId, domain: str, tier: int | None, at: datetime) -> None:
        """Keep a reader's tier of a source; None: none of their own."""
        values = {"user": user, "domain": domain}
        with self.database.write() as connection:
            if tier is None:
                connection.execute(_UNSET, values)
            else:
                connection.execute(_SET, {**values, "tier": tier, "at": micros(at)})
