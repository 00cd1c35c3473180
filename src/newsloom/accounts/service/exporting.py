"""Everything of one person in one file: a zip of JSON, OPML and sound. No secret is in it."""

from __future__ import annotations

import io
import json
import zipfile
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from newsloom.kernel.text.urls import without_password

if TYPE_CHECKING:
    from newsloom.kernel.ids import UserId
    from newsloom.store import Store

READ_ME = """The data of one Newsloom user.

feeds.opml     the feeds followed; other feed readers take it in
tables/*.json  every row of theirs, by table, as the program keeps it; times are ISO 8601 in UTC
articles.json  title and address of each article that those rows name
briefs/*       the sound of briefs; "sound" in tables/briefs.json names each file

Passwords, also of feeds, tokens of secret addresses and the numbers inside trained models are left
out.
"""

# Any date, the same each time: two exports of the same are the same bytes.
_DATE = (1980, 1, 1, 0, 0, 0)


# Sound is read in pieces of so many bytes, and none of it is in memory twice.
_PIECE = 1 << 18


def archive(store: Store, user: UserId, opml: bytes, sounds: Path) -> Iterator[bytes]:
    """The file, piece by piece; `opml` has the feeds followed, `sounds` is the folder of briefs.

    Sound that goes while it is made is left out.
    """
    tables = store.accounts.everything_of(user)
    named = {row["article_id"] for rows in tables.values() for row in rows if row.get("article_id")}
    files = {
        "README.txt": READ_ME.encode(),
        "feeds.opml": opml,
        "articles.json": _json(store.accounts.articles_named(sorted(named))),
        **{f"tables/{name}.json": _json(rows) for name, rows in sorted(tables.items())},
    }
    found = [sounds / name for name in sorted(store.briefs.sounds_of(user))]
    return _packed(files, found)


def _packed(files: Mapping[str, bytes], sounds: Sequence[Path]) -> Iterator[bytes]:
    made = _Pieces()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as packing:
        for name, body in files.items():
            packing.writestr(zipfile.ZipInfo(name, _DATE), body, zipfile.ZIP_DEFLATED)
            yield made.taken()
        for path in sounds:
            with suppress(FileNotFoundError), path.open("rb") as sound:
                entry = packing.open(zipfile.ZipInfo(f"briefs/{path.name}", _DATE), "w")
                yield from _copied(sound, entry, made)
    yield made.taken()


def _copied(source: IO[bytes], entry: IO[bytes], made: _Pieces) -> Iterator[bytes]:
    """Uncompressed: MP3 and Opus are."""
    with entry:
        while piece := source.read(_PIECE):
            entry.write(piece)
            yield made.taken()


class _Pieces(io.RawIOBase):
    """What was written and not taken yet."""

    def __init__(self) -> None:
        self._held = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._held += data
        return len(data)

    def taken(self) -> bytes:
        found, self._held = bytes(self._held), bytearray()
        return found


def _json(value: object) -> bytes:
    written = json.dumps(value, ensure_ascii=False, indent=1, default=_plain)
    return without_password(written).encode()


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, timedelta):
        return value.total_seconds()
    return b64encode(value).decode() if isinstance(value, bytes) else str(value)
