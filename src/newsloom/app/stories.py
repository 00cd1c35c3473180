"""Wires what puts articles into stories. No logic."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from newsloom.app import App
    from newsloom.stories.stages.stories import StoryAssembler


def assembler(app: App) -> StoryAssembler:
    """What the stage of stories works with."""
    from newsloom.ranking.stages.term_background import CurrentIdf
    from newsloom.ranking.values.models import event_vectors
    from newsloom.stories.stages.stories import StoryAssembler
    from newsloom.stories.stages.threads import ThreadBuilder
    from newsloom.stories.stages.wording import StoryWriter

    def encoder() -> str:
        return event_vectors(app.encoders.active().model_id, app.encoders.shipped.model_id)

    frequencies = CurrentIdf(app.store, app.now)
    return StoryAssembler(
        store=app.store,
        encoder=encoder,
        frequencies=frequencies,
        now=app.now,
        asking=bool(app.language_model),
        worded=StoryWriter(app.store, app.now, encoder).write,
        threaded=ThreadBuilder(
            app.store, app.now, encoder, frequencies, asking=bool(app.language_model)
        ).build,
    )
