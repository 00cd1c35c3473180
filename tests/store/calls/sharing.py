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
    "sharing.claim_sending": lambda s: s.sharing.claim_sending(NOW, NOW + HOUR),
    "sharing.sent": lambda s: s.sharing.sent(ShareId(1), NOW),
    "sharing.send_later": lambda s: s.sharing.send_later(ShareId(1), NOW, "down"),
    "sharing.give_up": lambda s: s.sharing.give_up(ShareId(1), NOW, "refused"),
    "shares_of": lambda s: s.sharing.shares_of(USER, 9, ONE),
}
# Of the last two, only as long as nothing is due.
READS = {"share_services", "shares_of", "sharing.claim_sending", "ask_shares_of_stars"}
