"""The key of the addresses under which we serve pictures: one for all processes of a store."""

from __future__ import annotations

from sqlalchemy import text

from newsloom.kernel.db.aggregate import Aggregate

_KEY = text("SELECT secret FROM picture_keys WHERE id = 1")
_KEEP = text("""
    INSERT INTO picture_keys (id, secret) VALUES (1, :secret) ON CONFLICT (id) DO NOTHING
""")


class PictureKey(Aggregate):
    """The key of picture addresses."""

    def picture_key(self, made: bytes) -> bytes:
        """The key in use; `made` where there was none."""
        with self.database.read() as connection:
            found = connection.scalar(_KEY)
        if found is None:
            with self.database.write() as connection:
                connection.execute(_KEEP, {"secret": made})
                found = connection.scalar(_KEY)
        return bytes(found) if found is not None else made
