"""Services of which each process has one, created on first use; and the name of a process."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from newsloom.app.encoders import EncoderChoice
    from newsloom.engines.pipeline import HostsOfLoops
    from newsloom.kernel.settings import Settings
    from newsloom.kernel.workers.pool import Workers
    from newsloom.ranking.ports import Embedder
    from newsloom.ranking.service import ObservedDelays
    from newsloom.ranking.training import ActiveSensitivity, Trainers, TrainingService
    from newsloom.ranking.training.interest_profile import InterestProfiles, TermsOf
    from newsloom.store import Store

Made = TypeVar("Made")


class Once(Generic[Made]):
    """A property that is created on first use, by any thread, and cached."""

    def __init__(self, make: Callable[[Any], Made]) -> None:
        self.make = make

    def __get__(self, services: ProcessServices, _owner: type[ProcessServices]) -> Made:
        with services.lock:
            name = self.make.__name__
            if name not in services.made:
                services.made[name] = self.make(services)
            found: Made = services.made[name]
            return found


class ProcessServices:
    """Services of which each process has one. Models load on first use."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        now: Callable[[], datetime],
        waiting: Callable[[str], None],
    ) -> None:
        self.settings = settings
        self.store = store
        self.now = now
        self.waiting = waiting
        self.lock = threading.RLock()
        self.made: dict[str, Any] = {}

    @Once
    def encoders(self) -> EncoderChoice:
        from newsloom.app.encoders import EncoderChoice

        return EncoderChoice(self)

    @property
    def embedder(self) -> Embedder:
        """Whose vectors answer now; another after a switch."""
        return self.encoders.active()

    @property
    def sensitivity(self) -> ActiveSensitivity:
        """Which head rates, on vectors that one was trained on."""
        return self.sensitivity_on(self.embedder)

    def sensitivity_on(self, embedder: Embedder) -> ActiveSensitivity:
        """The same while that encoder answers; one is kept for each that has a head."""
        from newsloom.ranking.learning import shipped
        from newsloom.ranking.training import ActiveSensitivity

        read = shipped.vectors_read(embedder.model_id) or self.encoders.shipped.model_id
        with self.lock:
            name = f"sensitivity on {read}"
            if name not in self.made:
                head = shipped.sensitivity_head(read)
                self.made[name] = ActiveSensitivity(self.store, head, read, self.now)
            found: ActiveSensitivity = self.made[name]
            return found

    @Once
    def delays(self) -> ObservedDelays:
        from newsloom.ranking.service import ObservedDelays

        return ObservedDelays(self.store, self.now, on=self.settings.ranking.observed_delays)

    @property
    def training(self) -> TrainingService:
        """Every reader's own model, on the vectors that answer now."""
        return self.training_on(self.encoders.active())

    def training_on(self, embedder: Embedder) -> TrainingService:
        """The same on an encoder's vectors; one is kept for each."""
        from newsloom.ranking.training import TrainingService

        with self.lock:
            name = f"training on {embedder.model_id}"
            if name not in self.made:
                self.made[name] = TrainingService(
                    self.store,
                    embedder,
                    trainers(self.settings, embedder),
                    needed(self.settings),
                    self.now,
                    self.settings.training.half_weight_days,
                    unlabelled=self.settings.training.passed_over,
                )
            found: TrainingService = self.made[name]
            return found

    @Once
    def interests(self) -> InterestProfiles:
        """What every reader follows."""
        from newsloom.ranking.training.interest_profile import InterestProfiles

        return InterestProfiles(self.store, lambda: self.terms, self.now)

    @Once
    def terms(self) -> TermsOf:
        """The weighted terms of a text."""
        from newsloom.ranking.stages.term_background import CurrentIdf
        from newsloom.topics.tfidf import weighted_terms

        return weighted_terms(CurrentIdf(self.store, self.now))

    @Once
    def workers(self) -> Workers:
        """Processes that read documents; none is started before there is one to read."""
        from newsloom.kernel.workers.pool import Workers

        return Workers(self.settings.reading)

    @Once
    def hosts(self) -> HostsOfLoops:
        """The hosts that this process may ask."""
        from newsloom.engines.pipeline import HostsOfLoops, SharedHosts

        fetch = self.settings.fetch
        return HostsOfLoops(
            lambda: SharedHosts(
                self.store, owner(), self.now, fetch.per_host, fetch.host_seconds, self.waiting
            )
        )

    def close(self) -> None:
        if "workers" in self.made:
            self.workers.close()
        if "encoders" in self.made:
            self.encoders.close()


def trainers(settings: Settings, embedder: Embedder) -> Trainers:
    """Every trainer there is: models of each can be loaded, one trains."""
    from newsloom.ranking.encoders import registry
    from newsloom.ranking.training import Trainers

    workplace = registry.Workplace(
        settings=settings.training,
        needed=needed(settings),
        vector_model=embedder.model_id,
        folder=weights_folder(settings),
    )
    return Trainers(
        by_name={row.name: row.make(workplace) for row in registry.TRAINERS},
        chosen=settings.training.trainer,
        quick=registry.trainer_row(settings.training.trainer).quick,
        undemanding={
            row.name: row.make(replace(workplace, needed=(row.least, row.least)))
            for row in registry.TRAINERS
        },
    )


def process() -> str:
    """How the names of owners in this process begin."""
    import socket

    from newsloom.store import owner_name

    return f"{owner_name(socket.gethostname(), os.getpid())}:"


def owner() -> str:
    """A name of its own for whoever holds leases in this process."""
    from uuid import uuid4

    return f"{process()}{uuid4()}"


def needed(settings: Settings) -> tuple[int, int]:
    """Likes and dislikes from which on a model of one's own is trained."""
    from newsloom.ranking.encoders import registry

    return registry.needed(settings.ranking, settings.training.trainer)


def weights_folder(settings: Settings) -> Path:
    """Where trained weights are: beside the database, whatever its name."""
    return settings.store.path.with_suffix(".models")
