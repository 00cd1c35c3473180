"""How far a reader's own order is, and what goes on: what every page and `doctor` show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from newsloom.app.reader.explaining import made_by
from newsloom.reading.values.results import ReaderStatus

if TYPE_CHECKING:
    from newsloom.app.reader import Reader


def status(reader: Reader) -> ReaderStatus:
    """How many labels there are, how many a model of one's own needs, what is going on."""
    active = reader.active_relevance(reader.user)
    activity = reader.activity()
    likes, dislikes = reader.needed()
    return ReaderStatus(
        personal=active.personal,
        likes=active.likes,
        dislikes=active.dislikes,
        needed_likes=likes,
        needed_dislikes=dislikes,
        scoring_left=reader.store.lists.unscored(reader.user),
        sample=activity.sample,
        running=activity.running,
        behind=activity.behind,
        last_pass=activity.last_pass,
        problem=active.problem,
        made_by=made_by(active),
        learned=active.learned,
        passed_over=active.implicit_negatives,
        language_model=told.words
        if (told := reader.language_model_status()) and not told.well
        else "",
    )
