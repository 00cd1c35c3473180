"""Readers elsewhere: their labels come in, our ranking goes out. Ranks nothing itself."""

from newsloom.bridge.clock import Bridge
from newsloom.bridge.plan import Mapped
from newsloom.bridge.remote import Remote
from newsloom.bridge.sync import AccountReport, Synchroniser, SyncReport

__all__ = ["AccountReport", "Bridge", "Mapped", "Remote", "SyncReport", "Synchroniser"]
