"""Which encoder's vectors answer. Every switch is kept; decides nothing."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, insert, select

from newsloom.kernel.db.aggregate import Aggregate
from newsloom.ranking.store.tables import encoder_switches
from newsloom.ranking.values.models import EncoderInUse


class EncoderSwitches(Aggregate):
    """From one encoder to the next."""

    def encoder_in_use(self) -> EncoderInUse | None:
        """None: nobody ever chose another than the shipped one."""
        with self.database.read() as connection:
            return _newest(connection)

    def use_encoder(self, name: str, model_id: str, dimensions: int, at: datetime) -> bool:
        """Whether that was not so before."""
        with self.database.write() as connection:
            now = _newest(connection)
            if now is not None and now.model_id == model_id:
                return False
            connection.execute(
                insert(encoder_switches).values(
                    name=name, model_id=model_id, dimensions=dimensions, at=at
                )
            )
            return True


def _newest(connection: Connection) -> EncoderInUse | None:
    query = select(encoder_switches).order_by(encoder_switches.c.id.desc()).limit(1)
    row = connection.execute(query).one_or_none()
    return None if row is None else EncoderInUse(row.name, row.model_id, row.dimensions, row.at)
