"""Domains of publishers: what somebody registered, and which rule of the reader a host is under.

Names are compared label by label and never as parts of a text: comparing substrings, as the system
of seed 002 did, made a rule about `ft.com` one about `microsoft.com`.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from newsloom.kernel.text import urls
from newsloom.kernel.text.hosts import upwards

LONGEST = 253  # of a name in DNS


class Rule(StrEnum):
    """What the reader said of a domain."""

    ALLOW = "allow"
    BLOCK = "block"


def host_of(place: str) -> str:
    """The host in lower case and ASCII, without www, of a host or a web address; "" for none."""
    text = place.strip()[: 8 * LONGEST]
    name = urls.host(text if "//" in text[:9] else f"//{text}")
    return name if len(name) <= LONGEST else ""


def registrable(place: str) -> str:
    """What somebody registered of a host or a web address, by the public suffix list.

    A host without a domain (a number, "localhost", a bare suffix) is itself; "" for none.
    """
    host = host_of(place)
    return urls.source(f"//{host}") if host else ""


def rule_of(host: str, rules: Mapping[str, Rule]) -> tuple[str, Rule] | None:
    """The rule that a host is under, and the name it was set for: the longest name wins.

    A rule for a domain is one for all its subdomains, and for nothing above what was registered.
    """
    names = upwards(host_of(host), registrable(host))
    return next(((name, rules[name]) for name in names if name in rules), None)
