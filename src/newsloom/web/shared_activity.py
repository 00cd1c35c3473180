"""What goes on for one reader, known to every process that serves their pages.

The process that does it writes it down; the others read that when something of the reader's
changed. What is read is checked: another version may have written it.
"""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any

from newsloom.app.reader import Reader
from newsloom.kernel.errors import NewsloomError
from newsloom.serving.values import ActivityRow

log = logging.getLogger(__name__)

# Seconds for which what others do is not looked at again: a page asks several times.
FRESH = 0.25


@dataclass(slots=True)
class SharedActivity:
    """One kind of work for one reader. Used from any thread."""

    reader: Reader
    kind: str
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _seen: tuple[Hashable, ActivityRow | None] | None = None
    _looked: float = 0.0

    def begin(self, **state: object) -> bool:
        """Whether it may begin here: no other process is at it. Raises StoreError."""
        self._looked = 0.0
        return self.reader.store.serving.begin_activity(
            self.reader.user, self.kind, json.dumps(state), self.reader.now()
        )

    def tell(self, **state: object) -> bool:
        """How far it is; whether it is to go on. Trouble of the store ends nothing."""
        try:
            return self.reader.store.serving.tell_activity(
                self.reader.user, self.kind, json.dumps(state), self.reader.now()
            )
        except NewsloomError as error:
            log.info("others are told later how far it is: %s", error)
            return True

    def end(self, **state: object) -> None:
        """It is over, and came to this. Where that cannot be told, it ends with this process."""
        try:
            self.reader.store.serving.end_activity(
                self.reader.user, self.kind, json.dumps(state), self.reader.now()
            )
        except NewsloomError as error:
            log.warning("others are not told that it is over: %s", error)
        self._looked = 0.0

    def stop_others(self) -> None:
        """Whichever process is at it is to end it."""
        found = self._look()
        if found is not None and found.under_way and not found.mine:
            self.reader.store.serving.stop_activity(self.reader.user, self.kind)

    def elsewhere(self) -> Mapping[str, Any] | None:
        """What another process is at; None: none is."""
        found = self._look()
        under_way = found is not None and found.under_way and not found.mine
        return _read(found.state) if found is not None and under_way else None

    def last(self) -> Mapping[str, Any] | None:
        """What the last of it came to, in whichever process; None: nothing is known."""
        found = self._look()
        return None if found is None or found.under_way else _read(found.state)

    def _look(self) -> ActivityRow | None:
        """As of the reader's last change; who is at it may have died without one, so that is
        looked at anew."""
        seen = self._seen
        if seen is not None and time.monotonic() - self._looked < FRESH:
            return seen[1]
        token = self.reader.store.database.change_token(self.reader.user)
        with self._lock:
            self._looked = time.monotonic()
            seen = self._seen
            if seen is None or seen[0] != token or (seen[1] and seen[1].under_way):
                activity = self.reader.store.serving.activity
                seen = token, activity(self.reader.user, self.kind, self.reader.now())
                self._seen = seen
            return seen[1]


def _read(state: str) -> Mapping[str, Any]:
    try:
        found = json.loads(state or "{}")
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def text_of(state: Mapping[str, Any], name: str, most: int = 2_000) -> str:
    """A text out of a state; "" where there is none."""
    found = state.get(name, "")
    return found[:most] if isinstance(found, str) else ""


def number_of(state: Mapping[str, Any], name: str) -> int:
    """A whole number out of a state; 0 where there is none."""
    found = state.get(name, 0)
    return found if isinstance(found, int) else 0
