"""`store.users`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Row, bindparam, text

from newsloom.kernel.db import sql
from newsloom.kernel.db.bulk import run_for_each
from newsloom.kernel.db.columns import Json, micros, moment
from newsloom.kernel.db.sql import Aggregate
from newsloom.kernel.ids import UserId
from newsloom.ranking import rank_key
from newsloom.reading.values.annotations import SavedList

if TYPE_CHECKING:
    from collections.abc import Mapping

    from newsloom.ranking.ports import HalfLives


# Lists that readers keep under a name, and the secret addresses of their feeds.


# A reader's own half-lives, and the rank keys made of them: both change in one transaction.

_DAYS = Json()
_OWN = text("SELECT half_lives FROM users WHERE id = :user")
_KEEP = text("UPDATE users SET half_lives = :own WHERE id = :user").bindparams(
    bindparam("own", type_=_DAYS)
)
_FADE = text("SELECT fade FROM users WHERE id = :user")
_KEEP_FADE = text("UPDATE users SET fade = :fade WHERE id = :user")
_SCORED = text("""
    SELECT s.article_id, s.relevance, s.dated_at, s.rank_key,
        COALESCE(e.raised, FALSE) AS raised
    FROM states s
    LEFT JOIN rule_effects e ON e.user_id = s.user_id AND e.article_id = s.article_id
    WHERE s.user_id = :user AND s.sensitivity = :level
""")
_REKEY = text("UPDATE states SET rank_key = :key WHERE user_id = :user AND article_id = :article")


class OwnHalfLives(Aggregate):
    """Half-lives that readers chose."""

    def half_lives(self, user: UserId) -> tuple[float, ...] | None:
        """Days for sensitivity 1 to 5; None when the reader has none of their own."""
        return self._value(_OWN, tuple[float, ...], user=user)

    def set_half_lives(
        self, user: UserId, days: Sequence[float] | None, in_force: HalfLives
    ) -> None:
        """Store a reader's half-lives (None: use the defaults) and recompute every rank key.

        The list would be wrong until the last key is made: a key holds decades of half-lives.
        """
        with self.database.write() as connection:
            own = None if days is None else list(days)
            connection.execute(_KEEP, {"user": user, "own": own})
            for level, half_life in in_force.items():
                # The keys of one class that change, best first. Three indexes hold them in that
                # order: a million take a minute so, and nearly three in the order of the
                # articles. A reader with 50,000 waits two seconds.
                rows = connection.execute(_SCORED, {"user": user, "level": level})
                keys = ((_key(row, half_life), row) for row in rows)
                changed = sorted(
                    ((key, row.article_id) for key, row in keys if key != row.rank_key),
                    reverse=True,
                )
                if changed:
                    run_for_each(
                        connection,
                        _REKEY,
                        [{"key": key, "user": user, "article": one} for key, one in changed],
                    )

    def fade(self, user: UserId) -> float | None:
        """How fast recency fades an hour; None when the reader has none of their own."""
        with self.database.read() as connection:
            found = connection.scalar(_FADE, {"user": user})
            return None if found is None else float(found)

    def set_fade(self, user: UserId, fade: float | None) -> None:
        """None: as the settings say."""
        self._change(_KEEP_FADE, user=user, fade=fade)


def own_half_lives(connection: Connection, user: UserId) -> tuple[float, ...] | None:
    """Days for sensitivity 1 to 5, if the reader has set them."""
    return sql.value(connection, _OWN, tuple[float, ...], user=user)


def _key(row: Row[Any], half_life: timedelta) -> int:
    key = rank_key.stored_key(row.relevance, moment(row.dated_at), half_life)
    return key + rank_key.RAISED * bool(row.raised)


_ALL_SAVED_LISTS = text("""
    SELECT id, name, place, token FROM saved_lists WHERE user_id = :user ORDER BY name, id
""")
_ADD = text("""
    INSERT INTO saved_lists (user_id, name, place, token, made_at)
    VALUES (:user, :name, :place, '', :now) RETURNING id
""")
_RENAME = text("UPDATE saved_lists SET name = :name WHERE user_id = :user AND id = :id")
_SET_PLACE = text("UPDATE saved_lists SET place = :place WHERE user_id = :user AND id = :id")
_SET_TOKEN = text("UPDATE saved_lists SET token = :token WHERE user_id = :user AND id = :id")
_DROP_SAVED_LISTS = text("DELETE FROM saved_lists WHERE user_id = :user AND id = :id")
_BY_TOKEN = text("""
    SELECT user_id, id, name, place, token FROM saved_lists WHERE token = :token AND token <> ''
""")


# Who there is. Knows no table: every command asks for its user before anything else.


# The first account takes over a user that is there, so it may have another name than its user.
_NAMED = text("""
    SELECT COALESCE(
        (SELECT id FROM users WHERE name = :name), (SELECT user_id FROM accounts WHERE name = :name)
    )
""")
_MAKE = text("INSERT INTO users (name, made_at) VALUES (:name, :made_at) RETURNING id")
_MADE_AT = text("SELECT made_at FROM users WHERE id = :user")
_ALL = text("SELECT id, name FROM users ORDER BY id")

# A digest, a brief, a bridge or a list's feed shows ranked articles without a visit.
_PRESENT = text("""
    SELECT u.id FROM users u
    WHERE NOT EXISTS (SELECT 1 FROM accounts a WHERE a.user_id = u.id AND a.made_at < :since)
    OR EXISTS (SELECT 1 FROM sessions s WHERE s.user_id = u.id AND s.seen_at >= :since)
    OR EXISTS (SELECT 1 FROM app_passwords p WHERE p.user_id = u.id AND p.used_at >= :since)
    OR EXISTS (SELECT 1 FROM sign_ins i WHERE i.user_id = u.id AND i.at >= :since)
    OR EXISTS (SELECT 1 FROM digest_schedules d WHERE d.user_id = u.id)
    OR EXISTS (SELECT 1 FROM brief_schedules b WHERE b.user_id = u.id)
    OR EXISTS (SELECT 1 FROM bridge_accounts r WHERE r.user_id = u.id)
    OR EXISTS (SELECT 1 FROM saved_lists l WHERE l.user_id = u.id AND l.token <> '')
    ORDER BY u.id
""")


# What readers have chosen for themselves. Knows no meaning of any.

_CHOSEN = text("SELECT scope, name, chosen FROM preferences WHERE user_id = :user")
_PUT = text("""
    INSERT INTO preferences (user_id, scope, name, chosen) VALUES (:user, :scope, :name, :chosen)
    ON CONFLICT (user_id, scope, name) DO UPDATE SET chosen = excluded.chosen
""")
_DROP = text("DELETE FROM preferences WHERE user_id = :user AND scope = :scope AND name = :name")


class UserStore(OwnHalfLives):
    """Who reads here, and what each has chosen and kept: half-lives, a pace, looks, lists."""

    def user(self, name: str, now: datetime) -> UserId:
        """The user of that name, else of the account of that name, made if there is neither."""
        with self.database.read() as connection:
            found = connection.scalar(_NAMED, {"name": name})
        if found is None:
            with self.database.write() as connection:
                found = connection.scalar(_NAMED, {"name": name})
                if found is None:
                    made = {"name": name, "made_at": micros(now)}
                    found = connection.scalar(_MAKE, made)
        return UserId(found)

    def users(self) -> tuple[tuple[UserId, str], ...]:
        return self._rows(_ALL, tuple)

    def present(self, since: datetime) -> tuple[UserId, ...]:
        """Users who were here since then, who have no account, or who are sent ranked articles."""
        return self._column(_PRESENT, UserId, since=micros(since))

    def user_since(self, user: UserId) -> datetime | None:
        """When a user was made; None: there is no such user."""
        with self.database.read() as connection:
            found = connection.scalar(_MADE_AT, {"user": user})
            return None if found is None else moment(found)

    def preferences(self, user: UserId) -> dict[tuple[str, str], str]:
        """Values by scope and name."""
        chosen = self._rows(_CHOSEN, tuple, user=user)
        return {(scope, name): value for scope, name, value in chosen}

    def set_preferences(self, user: UserId, chosen: Mapping[tuple[str, str], str | None]) -> None:
        """Keep each; None takes one back."""
        with self.database.write() as connection:
            for (scope, name), value in chosen.items():
                key = {"user": user, "scope": scope, "name": name}
                if value is None:
                    connection.execute(_DROP, key)
                else:
                    connection.execute(_PUT, {**key, "chosen": value})

    def saved_lists(self, user: UserId) -> tuple[SavedList, ...]:
        """By name."""
        return self._rows(_ALL_SAVED_LISTS, SavedList, user=user)

    def save_list(self, user: UserId, name: str, place: str, now: datetime) -> int:
        """Its number."""
        row = {"user": user, "name": name, "place": place, "now": micros(now)}
        with self.database.write() as connection:
            made: int = connection.scalar(_ADD, row)
            return made

    def rename_list(self, user: UserId, number: int, name: str) -> bool:
        """Whether there is such a list."""
        return self._change(_RENAME, user=user, id=number, name=name) > 0

    def set_list_place(self, user: UserId, number: int, place: str) -> bool:
        """Whether there is such a list, which leads elsewhere now."""
        return self._change(_SET_PLACE, user=user, id=number, place=place) > 0

    def set_list_token(self, user: UserId, number: int, token: str) -> bool:
        """The secret of its feed, in the place of any before it; "": none."""
        return self._change(_SET_TOKEN, user=user, id=number, token=token) > 0

    def drop_list(self, user: UserId, number: int) -> bool:
        """Whether there was such a list."""
        return self._change(_DROP_SAVED_LISTS, user=user, id=number) > 0

    def list_of(self, token: str) -> tuple[UserId, SavedList] | None:
        """Whose list a secret leads to, and which; None: nobody's."""
        with self.database.read() as connection:
            row = connection.execute(_BY_TOKEN, {"token": token}).one_or_none()
        if row is None:
            return None
        return UserId(row.user_id), SavedList(row.id, row.name, row.place, row.token)
