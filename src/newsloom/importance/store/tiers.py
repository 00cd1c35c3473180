"""Tiers that readers set themselves."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import text

from newsloom.kernel.db.aggregate import Aggregate
from newsloom.kernel.db.columns import micros
from newsloom.kernel.ids import UserId

_OWN = text("SELECT domain, tier FROM source_tiers WHERE user_id = :user ORDER BY domain")
_SET = text("""
    INSERT INTO source_tiers (user_id, domain, tier, set_at)
    VALUES (:user, :domain, :tier, :at)
    ON CONFLICT (user_id, domain) DO UPDATE SET tier = excluded.tier, set_at = excluded.set_at
""")
_UNSET = text("DELETE FROM source_tiers WHERE user_id = :user AND domain = :domain")


class OwnTiers(Aggregate):
    """Tiers that readers set themselves."""

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
