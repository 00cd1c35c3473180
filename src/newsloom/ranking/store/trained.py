"""Trained models of readers: numbers with their hash, and which is in force. Checks none of them.

The one in force changes in one write transaction that first compares what is in force with what
the caller knew, so of two trainings at once one wins, and a kill leaves the old or the new.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, or_, select, text, update

from newsloom.accounts.store.tables import users
from newsloom.kernel.db import sql
from newsloom.kernel.db.sql import Aggregate
from newsloom.kernel.ids import ModelId, UserId
from newsloom.ranking.store.tables import models
from newsloom.ranking.values.models import StoredModel

# Models kept of one reader and kind beside the one in force and the one before it: three weeks of
# daily training.
HISTORY = 20

_PLAIN = [column for column in models.c if column.name not in {"payload", "judge"}]


class Trained(Aggregate):
    """Trained models, and which of them is in force."""

    def promote_model(
        self, user: UserId, model: StoredModel, *, instead_of: ModelId | None
    ) -> ModelId | None:
        """Keep it and put it in force, if `instead_of` is what is in force; else keep nothing."""
        with self.database.write() as connection:
            if _in_force(connection, user, model.kind) != instead_of:
                return None
            connection.execute(
                update(models).where(*_active(user, model.kind)).values(active=False)
            )
            return _add(connection, user, model, active=True)

    def keep_model(self, user: UserId, model: StoredModel) -> ModelId:
        """Keep one that is not put in force. The oldest that nobody can go back to are dropped."""
        with self.database.write() as connection:
            return _add(connection, user, model, active=False)

    def withdraw_model(
        self, user: UserId, kind: str, model: ModelId, at: datetime, *, to: ModelId | None
    ) -> bool:
        """Put `to` in force again (None: no model) if `model` is what is in force."""
        with self.database.write() as connection:
            if _in_force(connection, user, kind) != model:
                return False
            connection.execute(
                update(models).where(models.c.id == model).values(active=False, withdrawn_at=at)
            )
            if to is not None:
                connection.execute(
                    update(models)
                    .where(models.c.id == to, models.c.user_id == user, models.c.kind == kind)
                    .values(active=True)
                )
            return True

    def switch_model(
        self,
        user: UserId,
        kind: str,
        to: ModelId | None,
        at: datetime,
        *,
        instead_of: ModelId | None,
    ) -> bool:
        """Put a kept model in force (None: none of them), if `instead_of` is what is in force."""
        with self.database.write() as connection:
            if _in_force(connection, user, kind) != instead_of:
                return False
            mine = models.c.user_id == user, models.c.kind == kind
            connection.execute(update(models).where(*_active(user, kind)).values(active=False))
            if to is None:
                return True
            done = connection.execute(
                update(models)
                .where(*mine, models.c.id == to)
                .values(active=True, promoted_at=at, withdrawn_at=None)
            )
            return done.rowcount == 1

    def active_model(self, user: UserId, kind: str) -> StoredModel | None:
        return self._one(select(models).where(*_active(user, kind)), _stored)

    def model_in_force(self, user: UserId, kind: str) -> ModelId | None:
        """The number of the active model: one look at an index."""
        return self._value(_IN_FORCE, ModelId, user=user, kind=kind)

    def model(self, user: UserId, model: ModelId) -> StoredModel | None:
        query = select(models).where(models.c.user_id == user, models.c.id == model)
        return self._one(query, _stored)

    def models(self, user: UserId, kind: str) -> tuple[StoredModel, ...]:
        """The history, newest first, without the bytes."""
        query = select(*_PLAIN).where(models.c.user_id == user, models.c.kind == kind)
        return self._rows(query.order_by(models.c.id.desc()), _stored)

    def claim_training(self, user: UserId, due: datetime, at: datetime) -> bool:
        """Say that the daily training due then begins; False when it has begun already."""
        waiting = or_(users.c.trained_at.is_(None), users.c.trained_at < due)
        return (
            self._change(update(users).where(users.c.id == user, waiting).values(trained_at=at))
            == 1
        )

    def tell_training(self, user: UserId, words: str) -> None:
        """What the last daily training came to."""
        self._change(update(users).where(users.c.id == user).values(trained_words=words))

    def last_training(self, user: UserId) -> tuple[datetime | None, str]:
        """When the daily training was last begun, and what it came to."""
        query = select(users.c.trained_at, users.c.trained_words).where(users.c.id == user)
        with self.database.read() as connection:
            row = connection.execute(query).one_or_none()
        return (None, "") if row is None else (row.trained_at, row.trained_words)


def _active(user: UserId, kind: str) -> tuple[Any, ...]:
    return models.c.user_id == user, models.c.kind == kind, models.c.active


_IN_FORCE = text("""
    SELECT id FROM models WHERE user_id = :user AND kind = :kind AND active = TRUE
""")


def _in_force(connection: Connection, user: UserId, kind: str) -> ModelId | None:
    return sql.value(connection, _IN_FORCE, ModelId, user=user, kind=kind)


def _add(connection: Connection, user: UserId, model: StoredModel, *, active: bool) -> ModelId:
    made = connection.execute(
        insert(models).values(
            user_id=user,
            kind=model.kind,
            model_id=model.model_id,
            payload=model.payload,
            sha256=model.sha256,
            trained_at=model.trained,
            metrics=[list(one) for one in model.metrics] or None,
            active=active,
            trainer=model.trainer,
            verdict=model.verdict,
            promoted_at=model.promoted,
            made_of=model.made_of,
            judge=model.judge or None,
            judge_sha256=model.judge_sha256,
        )
    )
    _forget_oldest(connection, user, model.kind)
    key = made.inserted_primary_key
    assert key is not None
    return ModelId(int(key[0]))


def _forget_oldest(connection: Connection, user: UserId, kind: str) -> None:
    of_kind = models.c.user_id == user, models.c.kind == kind
    newest = select(models.c.id).where(*of_kind).order_by(models.c.id.desc()).limit(HISTORY)
    # What going back would lead to.
    before = (
        select(models.c.id)
        .where(*of_kind, ~models.c.active)
        .where(models.c.promoted_at.is_not(None), models.c.withdrawn_at.is_(None))
        .order_by(models.c.promoted_at.desc(), models.c.id.desc())
        .limit(1)
    )
    kept = [*connection.scalars(newest), *connection.scalars(before)]
    connection.execute(delete(models).where(*of_kind, ~models.c.active, models.c.id.not_in(kept)))


def _stored(row: Row[Any]) -> StoredModel:
    return StoredModel(
        model_id=row.model_id,
        kind=row.kind,
        payload=getattr(row, "payload", None) or b"",
        sha256=row.sha256,
        trained=row.trained_at,
        metrics=tuple((name, value) for name, value in row.metrics or ()),
        trainer=row.trainer,
        verdict=row.verdict,
        promoted=row.promoted_at,
        active=row.active,
        withdrawn=row.withdrawn_at,
        made_of=row.made_of,
        judge=getattr(row, "judge", None) or b"",
        judge_sha256=row.judge_sha256,
        id=ModelId(row.id),
    )
