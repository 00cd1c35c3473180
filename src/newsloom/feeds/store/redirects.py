"""What is known of addresses that only forward. Asks none, decides nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import bindparam, select, text

from newsloom.feeds.store.tables import redirects
from newsloom.kernel.db.aggregate import Aggregate
from newsloom.kernel.db.columns import micros
from newsloom.kernel.db.sql import CHUNK
from newsloom.kernel.http.values import KnownRedirect

_KNOWN = select(redirects).where(redirects.c.url.in_(bindparam("urls", expanding=True)))
_PUT = text("""
    INSERT INTO redirects (url, target, at, tries, problem)
    VALUES (:url, :target, :at, :tries, :problem)
    ON CONFLICT (url) DO UPDATE SET target = excluded.target, at = excluded.at,
        tries = excluded.tries, problem = excluded.problem
""")


class Redirects(Aggregate):
    """Where the addresses of articles lead."""

    def redirects(self, urls: Sequence[str]) -> Mapping[str, KnownRedirect]:
        """Those of the addresses that have been asked."""
        known = {}
        with self.database.read() as connection:
            for start in range(0, len(urls), CHUNK):
                values = {"urls": urls[start : start + CHUNK]}
                for row in connection.execute(_KNOWN, values):
                    known[row.url] = KnownRedirect(
                        row.url, row.target, row.at, row.tries, row.problem
                    )
        return known

    def put_redirects(self, known: Sequence[KnownRedirect]) -> None:
        """Remember what asking came to, instead of what was known before."""
        rows = [
            {
                "url": one.url,
                "target": one.target,
                "at": micros(one.at),
                "tries": one.tries,
                "problem": one.problem,
            }
            for one in known
        ]
        if rows:
            with self.database.write() as connection:
                connection.execute(_PUT, rows)
