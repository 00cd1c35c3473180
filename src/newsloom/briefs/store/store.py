"""`store.briefs`."""

from __future__ import annotations

from newsloom.briefs.store.archive import BriefArchive
from newsloom.briefs.store.outbox import BriefOutbox
from newsloom.briefs.store.places import BriefPlaces
from newsloom.briefs.store.pronunciations import Pronunciations
from newsloom.briefs.store.schedules import BriefSchedules
from newsloom.briefs.store.sounds import BriefSounds


class BriefStore(
    BriefSchedules, BriefArchive, BriefSounds, BriefOutbox, BriefPlaces, Pronunciations
):
    """Schedules of briefs, the archive, the outbox, places of listening, pronunciations."""
