"""What was measured of readers' models, kept for ever. Measures nothing."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import insert, select

from newsloom.kernel.db.aggregate import Aggregate
from newsloom.kernel.ids import UserId
from newsloom.ranking.store.tables import evaluations
from newsloom.ranking.values.models import Evaluation


class Evaluations(Aggregate):
    """Figures measured of models."""

    def add_evaluation(
        self, user: UserId, at: datetime, model_id: str, protocol: str, report: Mapping[str, Any]
    ) -> None:
        """Keep what was measured of a model: plain metric names to what JSON can hold."""
        self._change(
            insert(evaluations).values(
                user_id=user, at=at, model_id=model_id, protocol=protocol, report=dict(report)
            )
        )

    def evaluations(
        self, user: UserId, protocol: str | None = None, limit: int = 100
    ) -> tuple[Evaluation, ...]:
        """The newest first, of one protocol or of all."""
        query = select(evaluations).where(evaluations.c.user_id == user)
        if protocol is not None:
            query = query.where(evaluations.c.protocol == protocol)
        query = query.order_by(evaluations.c.id.desc()).limit(limit)
        return self._rows(query, Evaluation)
