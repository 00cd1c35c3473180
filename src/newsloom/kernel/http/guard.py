"""Which network addresses may be connected to. Pure: takes an address, opens nothing.

`ipaddress.is_global` is not enough: on Python 3.11 it says True of 64:ff9b::7f00:1, 2002:7f00:1::,
::127.0.0.1, 224.0.0.1, fec0::1 and 168.63.129.16 (docs/work/decisions/fetching.md). So IPv6 is
refused unless it is global unicast, addresses that carry an IPv4 address are judged by that one,
and the rest is a table.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import (
    AddressValueError,
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
)
from ipaddress import ip_address as parse_address

import idna

# Public hosts serve feeds on these or on an unprivileged port (feeds on :8080, :8443 and :4000 are
# common). The other ports below 1024 are mail, file and login services that a feed never is.
WEB_PORTS = frozenset({80, 443})
FIRST_UNPRIVILEGED_PORT = 1024

# IANA's IPv4 special-purpose registry, multicast, and one address that clouds take for themselves.
# The third column: whether it still is refused to a host on the allow list, because nothing that
# could be meant lives there.
_IPV4: tuple[tuple[IPv4Network, str, bool], ...] = tuple(
    (IPv4Network(network), words, never)
    for network, words, never in (
        ("0.0.0.0/8", "an address of this machine", True),
        ("10.0.0.0/8", "a private address", False),
        ("100.64.0.0/10", "an address of a provider's inner network", False),
        ("127.0.0.0/8", "a loopback address", False),
        ("169.254.0.0/16", "a link-local address", True),
        ("172.16.0.0/12", "a private address", False),
        ("192.0.0.0/24", "an address reserved for protocols", True),
        ("192.0.2.0/24", "an address for documentation", True),
        ("192.88.99.0/24", "an address of a retired relay service", True),
        ("192.168.0.0/16", "a private address", False),
        ("198.18.0.0/15", "an address for benchmarks", False),
        ("198.51.100.0/24", "an address for documentation", True),
        ("203.0.113.0/24", "an address for documentation", True),
        ("224.0.0.0/4", "a multicast address", True),
        ("240.0.0.0/4", "a reserved address", True),
        ("168.63.129.16/32", "an address clouds use for themselves", True),
    )
)

_GLOBAL_UNICAST = IPv6Network("2000::/3")

# Inside 2000::/3 and yet not for feeds. Teredo (2001::/32) lies within 2001::/23 and is judged
# before this table by the IPv4 addresses it carries.
_IPV6_SPECIAL: tuple[tuple[IPv6Network, str], ...] = (
    (IPv6Network("2001::/23"), "an address reserved for protocols"),
    (IPv6Network("2001:db8::/32"), "an address for documentation"),
    (IPv6Network("3fff::/20"), "an address for documentation"),
)

# Outside 2000::/3 everything is refused; these rows only find better words, and say what a host on
# the allow list may have after all.
_IPV6_PRIVATE: tuple[tuple[IPv6Network, str, bool], ...] = (
    (IPv6Network("::/128"), "an address of this machine", True),
    (IPv6Network("::1/128"), "a loopback address", False),
    (IPv6Network("fc00::/7"), "a private address", False),
    (IPv6Network("fe80::/10"), "a link-local address", False),
    (IPv6Network("fec0::/10"), "a private address of the retired kind", False),
    (IPv6Network("ff00::/8"), "a multicast address", True),
)

# Addresses whose last 32 bits are an IPv4 address: compatible (less :: and ::1), mapped, NAT64.
_IPV4_LAST = (IPv6Network("::/96"), IPv6Network("::ffff:0:0/96"), IPv6Network("64:ff9b::/96"))
_SIX_TO_FOUR = IPv6Network("2002::/16")
_TEREDO = IPv6Network("2001::/32")
# The interface identifier of ISATAP, with the universal bit clear and set (RFC 5214).
_ISATAP = frozenset({0x00005EFE, 0x02005EFE})


def refusal(address: str) -> str | None:
    """What this address is, when it must not be connected to; None when it is public unicast."""
    found = _refused(address)
    return found.words if found else None


def private_refusal(address: str) -> str | None:
    """The same for a host on the allow list: private and loopback addresses are granted."""
    found = _refused(address)
    return found.words if found and found.never else None


def port_refusal(port: int) -> str | None:
    """Why this port of a public host must not be connected to; None when it may."""
    if port in WEB_PORTS or port >= FIRST_UNPRIVILEGED_PORT:
        return None
    return f"port {port} is not allowed for feeds"


@dataclass(frozen=True, slots=True)
class _Refusal:
    words: str
    never: bool  # not even for a host on the allow list


@lru_cache(maxsize=4096)
def _refused(address: str) -> _Refusal | None:
    try:
        # "fe80::1%eth0": the zone names a network card, and changes nothing about the address.
        parsed = parse_address(address.partition("%")[0])
    except (AddressValueError, ValueError):
        return _Refusal(f"{address!r}, not a network address", never=True)
    if isinstance(parsed, IPv4Address):
        return _refused_ipv4(parsed)
    return _refused_ipv6(parsed)


def _refused_ipv4(address: IPv4Address) -> _Refusal | None:
    for network, words, never in _IPV4:
        if address in network:
            return _Refusal(f"{address}, {words}", never)
    return None


def _refused_ipv6(address: IPv6Address) -> _Refusal | None:
    carried = tuple(_carried(address))
    for inner in carried:
        if found := _refused_ipv4(inner):
            return _Refusal(f"{address} resolves to {found.words}", found.never)
    if carried and not _isatap(address):
        return None
    if address in _GLOBAL_UNICAST:
        for network, words in _IPV6_SPECIAL:
            if address in network:
                return _Refusal(f"{address}, {words}", never=True)
        return None
    for network, words, never in _IPV6_PRIVATE:
        if address in network:
            return _Refusal(f"{address}, {words}", never)
    return _Refusal(f"{address}, not a public address", never=True)


def _carried(address: IPv6Address) -> Iterator[IPv4Address]:
    """The IPv4 addresses that packets to this address may end up at."""
    bits = int(address)
    if bits > 1 and (_isatap(address) or any(address in network for network in _IPV4_LAST)):
        yield IPv4Address(bits & 0xFFFFFFFF)
    elif address in _SIX_TO_FOUR:
        yield IPv4Address(bits >> 80 & 0xFFFFFFFF)
    elif address in _TEREDO:
        yield IPv4Address(bits >> 64 & 0xFFFFFFFF)  # the server
        yield IPv4Address(~bits & 0xFFFFFFFF)  # the client, written inverted


def _isatap(address: IPv6Address) -> bool:
    return int(address) >> 32 & 0xFFFFFFFF in _ISATAP


@dataclass(frozen=True, slots=True)
class AllowList:
    """Hosts on private networks that may be fetched: names, or names with a port."""

    entries: frozenset[tuple[str, int | None]] = frozenset()

    @classmethod
    def of(cls, entries: Iterable[str]) -> AllowList:
        """From "host", "host:port", "[::1]", "[::1]:8080" or a bare "::1"."""
        return cls(frozenset(_entry(entry) for entry in entries))

    def grants(self, host: str, port: int) -> bool:
        """Whether this host of a URL was named; the port too, where one was."""
        if not self.entries:
            return False
        name = _name(host)
        return (name, None) in self.entries or (name, port) in self.entries


def _entry(entry: str) -> tuple[str, int | None]:
    text = entry.strip()
    if text.startswith("["):
        host, _, port = text[1:].partition("]")
        port = port.removeprefix(":")
    elif text.count(":") == 1:
        host, _, port = text.partition(":")
    else:
        host, port = text, ""
    # What is no port number names no port that exists, and so grants nothing.
    return _name(host), (int(port) if port.isascii() and port.isdigit() else -1) if port else None


@lru_cache(maxsize=4096)
def _name(host: str) -> str:
    name = host.strip().rstrip(".").lower()
    try:
        return str(parse_address(name))
    except ValueError:
        pass
    try:
        return idna.encode(name, uts46=True).decode("ascii")
    except idna.IDNAError:
        return name  # an ASCII name that is none of the registries', such as rss_bridge


# Of addresses in any base; most names have another letter.
_SIGNS = re.compile(r"[0-9a-fA-FxX.:]+")


def literal_refusal(host: str, port: int) -> str | None:
    """What can be said of a host without looking it up, for requests that a proxy connects.

    The names are the proxy's to look up (behind Tor or a company's proxy they may not even resolve
    here); addresses written out and names of this machine are ours to refuse.
    """
    name = host.rstrip(".").lower()
    if name == "localhost" or name.endswith((".localhost", ".local", ".internal")):
        return f"{name} is a name of this machine or network"
    address = written_address(name)
    what = refusal(address) if address else None
    return refusal_words(address, what) if what else port_refusal(port)


def refusal_words(address: str, what: str) -> str:
    """The guard's no for a person, with the way out where there is one."""
    grant = "" if private_refusal(address) else "; to allow it, add its host to fetch.private_hosts"
    return f"it is not on the public network ({what}){grant}"


def written_address(host: str) -> str:
    """The address that a host is, in its usual form; "" when it is a name to be looked up."""
    if not _SIGNS.fullmatch(host):
        return ""
    try:
        return str(ip_address(host))
    except ValueError:
        pass
    try:
        # 127.1, 0x7f.1, 017700000001, 2130706433: what C libraries read as addresses.
        return socket.inet_ntoa(socket.inet_aton(host))
    except OSError:
        return ""
