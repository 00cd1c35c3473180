"""Trained models of readers: numbers with their hash. Loads and checks none."""

from __future__ import annotations

from sqlalchemy import insert, select, update

from newsloom.store.engine import Database
from newsloom.store.tables import models
from newsloom.types import StoredModel, UserId


class Trained:
    """The ModelStore role."""

    database: Database

    def save_model(self, user: UserId, model: StoredModel) -> None:
        """Keep it and make it the active one of its kind, in one transaction."""
        of_kind = (models.c.user_id == user) & (models.c.kind == model.kind)
        with self.database.write() as connection:
            connection.execute(update(models).where(of_kind).values(active=False))
            connection.execute(
                insert(models).values(
                    user_id=user,
                    kind=model.kind,
                    model_id=model.model_id,
                    payload=model.payload,
                    sha256=model.sha256,
                    trained_at=model.trained,
                    metrics=[list(one) for one in model.metrics] or None,
                    active=True,
                )
            )

    def active_model(self, user: UserId, kind: str) -> StoredModel | None:
        query = select(models).where(
            models.c.user_id == user, models.c.kind == kind, models.c.active
        )
        with self.database.read() as connection:
            row = connection.execute(query).mappings().one_or_none()
        if row is None:
            return None
        return StoredModel(
            model_id=row["model_id"],
            kind=row["kind"],
            payload=row["payload"],
            sha256=row["sha256"],
            trained=row["trained_at"],
            metrics=tuple((name, value) for name, value in row["metrics"] or ()),
        )
