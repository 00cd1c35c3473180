"""All roles of the store on one database."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from newsloom.ports.bridges import BridgeStore, ServiceStore
from newsloom.ports.duplicates import SigningStore
from newsloom.ports.pages import PageStore
from newsloom.ports.polling import PollStore, RedirectStore, StageStore
from newsloom.ports.push import PushStore
from newsloom.ports.reading import ModelStore, ReadingStore


class Store(
    PollStore,
    RedirectStore,
    StageStore,
    SigningStore,
    PageStore,
    PushStore,
    ReadingStore,
    ModelStore,
    BridgeStore,
    ServiceStore,
    Protocol,
):
    """All roles on one database."""

    def facts(self) -> Mapping[str, str]:
        """What `doctor` shows: library, version, journal mode, file, sizes, counts."""

    def close(self) -> None: ...
