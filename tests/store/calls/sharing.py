"""Calls of `store.sharing`; those of them that only read."""

from __future__ import annotations

from newsloom.sharing.values import ShareId, ShareServiceId
from store.builders import HOUR, NOW

from .made import ONE, USER

SERVICE = ShareServiceId(1)

CALLS = {
    "add_share_service": lambda s: s.sharing.add_share_service(USER, "readeck", "Mine", {}, NOW),
    "share_services": lambda s: s.sharing.share_services(USER),
    "save_stars": lambda s: s.sharing.save_stars(USER, SERVICE, True),
    "drop_share_service": lambda s: s.sharing.drop_share_service(USER, SERVICE),
    "ask_share": lambda s: s.sharing.ask_share(USER, SERVICE, ONE, NOW),
    "ask_shares_of_stars": lambda s: s.sharing.ask_shares_of_stars(NOW),
    "claim_share": lambda s: s.sharing.claim_share(NOW, NOW + HOUR),
    "share_sent": lambda s: s.sharing.share_sent(ShareId(1), NOW),
    "share_later": lambda s: s.sharing.share_later(ShareId(1), NOW, "down"),
    "give_up_share": lambda s: s.sharing.give_up_share(ShareId(1), NOW, "refused"),
    "shares_of": lambda s: s.sharing.shares_of(USER, 9, ONE),
}
# Of the last two, only as long as nothing is due.
READS = {"share_services", "shares_of", "claim_share", "ask_shares_of_stars"}
