"""Wires what removes old articles. No logic."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from newsloom.app import App
    from newsloom.engines.pipeline import SideTask
    from newsloom.retention.service import Pruning


def pruning(app: App) -> Pruning:
    """What prunes by the settings."""
    from newsloom.retention.service import Pruning

    window = timedelta(days=app.settings.duplicates.window_days)
    return Pruning(app.store, app.settings.keep, window, app.now)


def side_task(app: App) -> SideTask:
    """After the polls of each pass."""
    from newsloom.engines.pipeline import SideTask

    return SideTask("pruning", pruning(app).run)
