"""`store.rules`."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Row, text

from newsloom.kernel.db import producers
from newsloom.kernel.db.bulk import run_for_each
from newsloom.kernel.db.columns import beginning, micros, moment, row_title
from newsloom.kernel.db.sql import CHUNK, Aggregate, OneTransaction, many, rows_by, rows_of
from newsloom.kernel.ids import ArticleId
from newsloom.ranking import rank_key
from newsloom.reading.store import states
from newsloom.reading.store.annotations.tags import Tags
from newsloom.reading.store.lists.rows import names_of
from newsloom.reading.store.marks import Step, add_events, set_states, states_of
from newsloom.reading.tag_names import key
from newsloom.reading.values.reading import EventKind
from newsloom.rules.store import news, queue
from newsloom.rules.store.looking import Looking, RuleSets, read_did
from newsloom.rules.store.news import News
from newsloom.rules.values import MutedArticle, RuleDid, RuleId, RuleOutcome, Ruling
from newsloom.rules.written import did_values
from newsloom.work.store import pending
from newsloom.work.store.leases import finish, unchanged
from newsloom.work.values import Batch, Put

if TYPE_CHECKING:
    from newsloom.kernel.ids import UserId


# Articles out of a reader's lists by a rule: their states stand apart, so no list knows them.

_COLUMNS = "user_id, article_id, feed_id, dated_at, sensitivity, relevance, rank_key, language"
_MUTABLE = """
    user_id = :user AND article_id IN :ids AND read = FALSE AND starred = FALSE AND later = FALSE
    AND rating = 0
"""
_KEEP_MUTED = many(f"""
    INSERT INTO muted_articles ({_COLUMNS}, rule_id, rule_name, muted_at)
    SELECT {_COLUMNS}, CAST(:rule AS BIGINT), CAST(:name AS TEXT), CAST(:now AS BIGINT)
    FROM states WHERE {_MUTABLE}
    ON CONFLICT DO NOTHING
""")  # noqa: S608
_HIDE = many(f"DELETE FROM states WHERE {_MUTABLE}")  # noqa: S608
# Scored by nobody: what it would stand by may have changed meanwhile.
_BACK = many(f"""
    INSERT INTO states ({_COLUMNS}, scored_by)
    SELECT {_COLUMNS}, {producers.NOBODY} FROM muted_articles
    WHERE user_id = :user AND article_id IN :ids
    ON CONFLICT DO NOTHING
""")  # noqa: S608
_GONE = many("DELETE FROM muted_articles WHERE user_id = :user AND article_id IN :ids")
_SPARE = text("""
    INSERT INTO rule_effects (user_id, article_id, spared, at)
    SELECT user_id, article_id, TRUE, CAST(:now AS BIGINT) FROM muted_articles
    WHERE user_id = :user AND article_id = :article
    ON CONFLICT (user_id, article_id) DO UPDATE SET spared = TRUE
""")
_LIST = text(f"""
    SELECT m.article_id, f.title, o.url, m.dated_at, m.muted_at, m.rule_id,
        {beginning("m.article_id")},
        COALESCE(r.name, m.rule_name) AS rule_name,
        COALESCE(c.title, '') AS own_name, d.title AS feed_title, d.url AS feed_url
    FROM muted_articles m
    JOIN articles o ON o.id = m.article_id
    JOIN articles f ON f.id = o.fullest_id
    JOIN feeds d ON d.id = m.feed_id
    LEFT JOIN subscriptions c ON c.user_id = m.user_id AND c.feed_id = m.feed_id
    LEFT JOIN rules r ON r.id = m.rule_id AND r.user_id = m.user_id
    WHERE m.user_id = :user
    ORDER BY m.dated_at DESC, m.article_id DESC LIMIT :limit OFFSET :offset
""")  # noqa: S608
_COUNT = text("SELECT COUNT(*) FROM muted_articles WHERE user_id = :user")


class Muting(Aggregate):
    """The list of what is muted."""

    def muted(self, user: UserId, limit: int, offset: int = 0) -> tuple[MutedArticle, ...]:
        """The newest first."""
        return self._rows(_LIST, _muted, user=user, limit=limit, offset=offset)

    def muted_count(self, user: UserId) -> int:
        return self._value(_COUNT, int, user=user) or 0

    def unmute(self, user: UserId, article: ArticleId, now: datetime) -> bool:
        """Put one back into the lists, where no rule mutes it again; whether it was muted."""
        values = {"user": user, "article": article, "now": micros(now)}
        with self.database.write() as connection:
            connection.execute(_SPARE, values)
            if not unhide(connection, user, [article], now):
                return False
            queue.look_at(connection, [article])
            return True


def hide(
    connection: Connection, user: UserId, ids: Sequence[int], by: RuleDid, now: datetime
) -> None:
    """Take states away that nobody has made anything of."""
    for start in range(0, len(ids), CHUNK):
        values = {
            "user": user,
            "ids": list(ids[start : start + CHUNK]),
            "rule": by.rule,
            "name": by.name,
            "now": micros(now),
        }
        connection.execute(_KEEP_MUTED, values)
        connection.execute(_HIDE, values)


def unhide(connection: Connection, user: UserId, ids: Sequence[int], now: datetime) -> int:
    """Put them back as they were, unscored by anybody; how many."""
    found = 0
    for start in range(0, len(ids), CHUNK):
        values = {"user": user, "ids": list(ids[start : start + CHUNK])}
        connection.execute(_BACK, values)
        found += connection.execute(_GONE, values).rowcount
    if found:
        states.give(connection, [user], now)
    return found


def _muted(row: Row[Any]) -> MutedArticle:
    from newsloom.articles.publishers import source_name  # marks need no names

    return MutedArticle(
        article=ArticleId(row.article_id),
        title=row_title(row),
        url=row.url,
        feed_title=source_name(row.own_name, row.feed_title, row.feed_url),
        dated=moment(row.dated_at),
        muted_at=moment(row.muted_at),
        rule=RuleId(row.rule_id),
        rule_name=row.rule_name,
    )


# Outcomes of rules, kept: what they change of a reader's articles, and what is taken back.
#
# Rules act on what is unread and not yet acted on by them; what they did before and no longer say
# is taken back, unless the reader has done something with the article since. Decides no outcome.

VIA = "rule"

_STATES = many("""
    SELECT article_id, read, starred, rating, sensitivity, relevance, rank_key FROM states
    WHERE user_id = :user AND article_id IN :ids
""")
_MUTED = many("SELECT article_id FROM muted_articles WHERE user_id = :user AND article_id IN :ids")
_EFFECTS = many("SELECT * FROM rule_effects WHERE user_id = :user AND article_id IN :ids")
# What the reader did after rules had acted is theirs.
_TOUCHED = many("""
    SELECT DISTINCT v.article_id FROM events v
    JOIN rule_effects e ON e.user_id = v.user_id AND e.article_id = v.article_id
    WHERE v.user_id = :user AND v.article_id IN :ids AND v.at > e.at AND v.undone_by IS NULL
""")
_RANK = text("""
    UPDATE states SET relevance = :relevance, rank_key = :key
    WHERE user_id = :user AND article_id = :article
""")
_KEEP = text("""
    INSERT INTO rule_effects (user_id, article_id, points, raised, base, read, starred, tags,
        notified, spared, did, at)
    VALUES (:user, :article, :points, :raised, :base, :read, :starred, :tags, :notified, :spared,
        :did, :at)
    ON CONFLICT (user_id, article_id) DO UPDATE SET points = excluded.points,
        raised = excluded.raised, base = excluded.base, read = excluded.read,
        starred = excluded.starred, tags = excluded.tags, notified = excluded.notified,
        spared = excluded.spared, did = excluded.did
""")
_FORGET = many("DELETE FROM rule_effects WHERE user_id = :user AND article_id IN :ids")


@dataclass(frozen=True, slots=True)
class Effect:
    """What rules have made of an article, as it is kept."""

    points: int = 0
    raised: bool = False
    base: float | None = None
    read: bool = False
    starred: bool = False
    tags: tuple[str, ...] = ()
    notified: bool = False
    spared: bool = False
    did: tuple[RuleDid, ...] = ()

    @property
    def nothing(self) -> bool:
        return self == Effect(base=self.base)


@dataclass(slots=True)
class _Changes:
    """What a batch comes to."""

    mute: dict[RuleDid, list[int]] = field(default_factory=lambda: defaultdict(list))
    unmute: list[int] = field(default_factory=list)
    read: list[ArticleId] = field(default_factory=list)
    unread: list[int] = field(default_factory=list)
    star: list[int] = field(default_factory=list)
    unstar: list[int] = field(default_factory=list)
    tag: dict[str, list[ArticleId]] = field(default_factory=lambda: defaultdict(list))
    untag: dict[str, list[ArticleId]] = field(default_factory=lambda: defaultdict(list))
    tell: dict[int, str] = field(default_factory=dict)
    ranks: list[dict[str, Any]] = field(default_factory=list)
    effects: dict[int, Effect] = field(default_factory=dict)


def _apply(
    connection: Connection, user: UserId, rulings: Sequence[Ruling], now: datetime, tags: Tags
) -> None:
    changes = _changes(connection, user, rulings, now)
    run_for_each(connection, _RANK, [{"user": user, **one} for one in changes.ranks])
    _mark(connection, user, changes, now)
    for name, articles in changes.tag.items():
        tags.add_tags(user, articles, [name], now)
    for name, articles in changes.untag.items():
        tags.remove_tags(user, articles, [name])
    news.add_news(connection, user, changes.tell, now)
    _save(connection, user, changes.effects, now)
    for by, those in changes.mute.items():
        hide(connection, user, those, by, now)


def _changes(
    connection: Connection, user: UserId, rulings: Sequence[Ruling], now: datetime
) -> _Changes:
    """What is to be done; what is muted no more is back among the states after this."""
    ids = [one.article for one in rulings]
    hidden = {row.article_id for row in rows_of(connection, _MUTED, ids, user=user)}
    back = [one.article for one in rulings if one.article in hidden and not one.outcome.muted]
    unhide(connection, user, back, now)
    states = rows_by(connection, _STATES, "article_id", ids, user=user)
    effects = {
        row.article_id: _effect(row) for row in rows_of(connection, _EFFECTS, ids, user=user)
    }
    touched = {row.article_id for row in rows_of(connection, _TOUCHED, list(effects), user=user)}
    tagged = names_of(connection, user, [one.article for one in rulings if one.outcome.tags])
    changes = _Changes()
    for one in rulings:
        if one.article in states:
            _Judged(
                states[one.article],
                effects.get(one.article, Effect()),
                one.article in touched,
                frozenset(map(key, tagged.get(one.article, ()))),
            ).add_to(changes, one)
    return changes


@dataclass(frozen=True, slots=True)
class _Judged:
    """One article, as it stands when its outcome is kept."""

    state: Row[Any]
    before: Effect
    touched: bool
    tagged: frozenset[str]

    def add_to(self, changes: _Changes, ruling: Ruling) -> None:
        if self.state.read and not self.before.read:
            return  # it is done with
        article, outcome = ruling.article, ruling.outcome
        if outcome.muted:
            changes.mute[outcome.did[0]].append(article)
        if outcome.notify and not self.before.notified:
            by = next(one for one in outcome.did if one.action == "notify")
            changes.tell[article] = by.name
        effect = replace(
            self._ranked(changes, article, outcome),
            read=self._read(changes, article, outcome),
            starred=self._starred(changes, article, outcome),
            tags=self._tags(changes, article, outcome),
            notified=outcome.notify or self.before.notified,
            did=() if outcome.muted else outcome.did,
        )
        if effect != self.before:
            changes.effects[article] = effect

    def _ranked(self, changes: _Changes, article: int, outcome: RuleOutcome) -> Effect:
        state, before = self.state, self.before
        if (outcome.points, outcome.raised) == (before.points, before.raised):
            return before
        base = before.base if before.points else state.relevance
        relevance = rank_key.by_rules(base, outcome.points)
        scored = state.sensitivity != rank_key.UNSCORED
        changes.ranks.append(
            {
                "article": article,
                "relevance": relevance if scored or outcome.points else None,
                "key": state.rank_key
                + rank_key.sort_key(relevance)
                - rank_key.sort_key(rank_key.by_rules(state.relevance, 0))
                + rank_key.RAISED * (outcome.raised - before.raised),
            }
        )
        return replace(before, points=outcome.points, raised=outcome.raised, base=base)

    def _read(self, changes: _Changes, article: ArticleId, outcome: RuleOutcome) -> bool:
        if self.before.read:
            if not outcome.read and self.state.read and not self.touched:
                changes.unread.append(article)
            return outcome.read
        if outcome.read:
            changes.read.append(article)
        return outcome.read

    def _starred(self, changes: _Changes, article: int, outcome: RuleOutcome) -> bool:
        if self.before.starred:
            if not outcome.starred and not self.touched:
                changes.unstar.append(article)
            return outcome.starred
        if outcome.starred and not self.state.starred:
            changes.star.append(article)
            return True
        return False

    def _tags(self, changes: _Changes, article: ArticleId, outcome: RuleOutcome) -> tuple[str, ...]:
        wanted = {key(name): name for name in outcome.tags}
        given = {key(name): name for name in self.before.tags}
        for one, name in given.items():
            if one not in wanted:
                changes.untag[name].append(article)
        new = [one for one in wanted if one not in given and one not in self.tagged]
        for one in new:
            changes.tag[wanted[one]].append(article)
        return tuple(wanted[one] for one in wanted if one in given or one in new)


def _mark(connection: Connection, user: UserId, changes: _Changes, now: datetime) -> None:
    """Undo does not know of these: nobody saw them happen, and a change of the rules takes them
    back. None of them teaches: "bulk read" says nothing of an article, and of a star by a rule
    there is no event."""
    if changes.read:
        before = states_of(connection, user, changes.read)
        add_events(connection, Step(user, EventKind.BULK_READ, now, VIA), before)
        set_states(connection, user, list(before), {"read": True})
    set_states(connection, user, changes.unread, {"read": False})
    set_states(connection, user, changes.star, {"starred": True})
    set_states(connection, user, changes.unstar, {"starred": False})


def _save(
    connection: Connection, user: UserId, effects: Mapping[int, Effect], now: datetime
) -> None:
    gone = [article for article, effect in effects.items() if effect.nothing]
    for start in range(0, len(gone), CHUNK):
        connection.execute(_FORGET, {"user": user, "ids": gone[start : start + CHUNK]})
    run_for_each(
        connection,
        _KEEP,
        [
            {
                "user": user,
                "article": article,
                "points": effect.points,
                "raised": effect.raised,
                "base": effect.base,
                "read": effect.read,
                "starred": effect.starred,
                "tags": json.dumps(effect.tags) if effect.tags else None,
                "notified": effect.notified,
                "spared": effect.spared,
                "did": json.dumps(did_values(effect.did)) if effect.did else None,
                "at": micros(now),
            }
            for article, effect in effects.items()
            if not effect.nothing
        ],
    )


def _effect(row: Row[Any]) -> Effect:
    return Effect(
        points=row.points,
        raised=bool(row.raised),
        base=row.base,
        read=bool(row.read),
        starred=bool(row.starred),
        tags=tuple(json.loads(row.tags)) if row.tags else (),
        notified=bool(row.notified),
        spared=bool(row.spared),
        did=read_did(row.did),
    )


class RuleStore(RuleSets, Looking, Muting, News):
    """The rules of readers, and what they did."""

    def put_rulings(
        self,
        user: UserId,
        version: int,
        ids: Sequence[ArticleId],
        rulings: Sequence[Ruling],
        now: datetime,
        *,
        batch: Batch | None = None,
        until: datetime | None = None,
    ) -> Put:
        """Do what the rules of that version say, once; `ids` were looked at."""
        with self.database.write() as connection:
            put = finish(connection, batch, until)
            if put is None:
                return Put(0)
            same = unchanged(batch, ids, pending.SOURCES["rules"].versions(connection, ids))
            taken: set[int] = set()
            for start in range(0, len(ids), CHUNK):
                part = [one for one in ids[start : start + CHUNK] if one in same]
                taken |= queue.done(connection, user, part, version) if part else set()
            wanted = [one for one in rulings if one.article in taken]
            tags = Tags(OneTransaction(connection, self.database), self._now)
            _apply(connection, user, wanted, now, tags)
            return replace(put, stored=len(taken))
