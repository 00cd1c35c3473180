"""Everything of one person in one file: a zip of JSON and OPML. No secret is in it."""

from __future__ import annotations

import io
import json
import zipfile
from base64 import b64encode
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from newsloom.kernel.text.urls import without_password

if TYPE_CHECKING:
    from newsloom.kernel.ids import UserId
    from newsloom.store import Store

READ_ME = """The data of one Newsloom user.

feeds.opml     the feeds followed; other feed readers take it in
tables/*.json  every row of theirs, by table, as the program keeps it; times are ISO 8601 in UTC
articles.json  title and address of each article that those rows name

Passwords, also of feeds, tokens of secret addresses and the numbers inside trained models are left
out.
"""

# Any date, the same each time: two exports of the same are the same bytes.
_DATE = (1980, 1, 1, 0, 0, 0)


def archive(store: Store, user: UserId, opml: bytes) -> bytes:
    """The file; `opml` has the feeds followed."""
    tables = store.accounts.everything_of(user)
    named = {row["article_id"] for rows in tables.values() for row in rows if row.get("article_id")}
    files = {
        "README.txt": READ_ME.encode(),
        "feeds.opml": opml,
        "articles.json": _json(store.accounts.articles_named(sorted(named))),
        **{f"tables/{name}.json": _json(rows) for name, rows in sorted(tables.items())},
    }
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as packing:
        for name, body in files.items():
            packing.writestr(zipfile.ZipInfo(name, _DATE), body, zipfile.ZIP_DEFLATED)
    return made.getvalue()


def _json(value: object) -> bytes:
    written = json.dumps(value, ensure_ascii=False, indent=1, default=_plain)
    return without_password(written).encode()


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, timedelta):
        return value.total_seconds()
    return b64encode(value).decode() if isinstance(value, bytes) else str(value)
