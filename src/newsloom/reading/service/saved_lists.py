"""Lists that a reader keeps under a name, and their feeds at secret addresses."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from newsloom.kernel.errors import NotFound, UserError

if TYPE_CHECKING:
    from newsloom.app.reader import Reader
    from newsloom.reading.values.annotations import SavedList

MOST = 100
LONGEST_NAME = 80
_NONE = "There is no such list."


def saved(reader: Reader) -> tuple[SavedList, ...]:
    """All of them, by name."""
    return reader.store.users.saved_lists(reader.user)


def save(reader: Reader, name: str, place: str) -> int:
    """Keep a list. Raises UserError without a name, and when there are too many."""
    if len(saved(reader)) >= MOST:
        raise UserError(f"There are {MOST} saved lists, which is the limit.")
    return reader.store.users.save_list(reader.user, _named(name), place, reader.now())


def rename(reader: Reader, number: int, name: str) -> None:
    """Raises NotFound and UserError."""
    if not reader.store.users.rename_list(reader.user, number, _named(name)):
        raise NotFound(_NONE)


def delete(reader: Reader, number: int) -> None:
    """Its feed's address leads nowhere from then on. Raises NotFound."""
    if not reader.store.users.drop_list(reader.user, number):
        raise NotFound(_NONE)


def set_address(reader: Reader, number: int, *, given: bool) -> None:
    """A new secret address for its feed, or none. Raises NotFound."""
    token = secrets.token_urlsafe(24) if given else ""
    if not reader.store.users.set_list_token(reader.user, number, token):
        raise NotFound(_NONE)


def _named(name: str) -> str:
    name = " ".join(name.replace("\0", " ").split())
    if not name:
        raise UserError("A saved list needs a name.")
    return name[:LONGEST_NAME]
