"""`store.briefs`."""

from __future__ import annotations

from newsloom.store.briefs.archive import BriefArchive
from newsloom.store.briefs.outbox import BriefOutbox
from newsloom.store.briefs.places import BriefPlaces
from newsloom.store.briefs.pronunciations import Pronunciations
from newsloom.store.briefs.schedules import BriefSchedules
from newsloom.store.briefs.sounds import BriefSounds


class BriefStore(
    BriefSchedules, BriefArchive, BriefSounds, BriefOutbox, BriefPlaces, Pronunciations
):
    """Schedules of briefs, the archive, the outbox, places of listening, pronunciations."""
