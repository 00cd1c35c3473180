"""How polling does as a whole, of nobody in particular. Reads only."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import text

from newsloom.feeds.store import claims
from newsloom.feeds.values.polling import PollingFigures
from newsloom.kernel.db.aggregate import Aggregate
from newsloom.kernel.db.columns import micros

_STATES = text("SELECT state, COUNT(*) FROM feeds f GROUP BY state")
_DUE = text(f"""
    SELECT COUNT(*), MIN(f.next_poll_at) FROM feeds f
    WHERE f.next_poll_at <= :now AND {claims.WANTED}
""")  # noqa: S608
_FAILING = text(f"SELECT COUNT(*) FROM feeds f WHERE f.failures > 0 AND {claims.WANTED}")  # noqa: S608
# Numbers are given in order and none twice: as good as a count, which would read them all.
_ARTICLES = text("SELECT MAX(id) FROM articles")


class Figures(Aggregate):
    """Counts of feeds for who runs the server."""

    def figures(self, now: datetime) -> PollingFigures:
        """Of all feeds, whoever follows them."""
        with self.database.read() as connection:
            states = {row[0]: row[1] for row in connection.execute(_STATES)}
            due, oldest = connection.execute(_DUE, {"now": micros(now)}).one()
            return PollingFigures(
                by_state=states,
                due=due,
                late_seconds=0.0 if oldest is None else (micros(now) - oldest) / 1e6,
                failing=connection.scalar(_FAILING) or 0,
                articles=connection.scalar(_ARTICLES) or 0,
            )
