"""Hosts as browsers read them, and one name for all views of a site. No look-ups of any kind."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator
from functools import lru_cache
from urllib.parse import unquote

import idna

_WORLD_WIDE_WEB = re.compile(r"www[0-9]{0,3}")
_ANOTHER_VIEW = frozenset(("m", "mobile", "amp", "touch", "wap"))
# "m.co.uk" is somebody's own name: under these two labels nobody has a home page.
_SHARED_SECOND_LEVEL = frozenset(
    ("ac", "co", "com", "edu", "gob", "gov", "ne", "net", "nom", "or", "org")
)


# User, host and port together; DNS allows 253 characters, which escapes and IDN may make longer.
_LONGEST = 1_000


def comparable(authority: str) -> str:
    """The host without www, mobile and AMP names, with a port that is not the usual one."""
    return _comparable(authority) if len(authority) <= _LONGEST else ""


def named(authority: str) -> str:
    """The host of an authority: without user and port, lower case, percent and IDN forms as ASCII.

    "" for what no browser would open.
    """
    return _named(authority) if len(authority) <= _LONGEST else ""


@lru_cache(maxsize=16_384)
def _comparable(authority: str) -> str:
    name = _named(authority)
    labels = name.split(".")
    while len(labels) > 2 and not _is_suffix(labels[1:]) and _is_view(labels[0]):
        del labels[0]
    # "en.m.wikipedia.org"
    while len(labels) > 3 and labels[1] in _ANOTHER_VIEW and not _is_suffix(labels[2:]):
        del labels[1]
    port = _port(authority)
    return ".".join(labels) + port if name and port is not None else ""


def _is_view(label: str) -> bool:
    return label in _ANOTHER_VIEW or _WORLD_WIDE_WEB.fullmatch(label) is not None


def _is_suffix(labels: list[str]) -> bool:
    return len(labels) == 2 and len(labels[1]) == 2 and labels[0] in _SHARED_SECOND_LEVEL


def _port(authority: str) -> str | None:
    """ ":8080", "" for the usual ones, None when it is no number."""
    tail = authority.rpartition("@")[2].rpartition("]")[2]
    _, colon, digits = tail.partition(":")
    if not colon or not digits:
        return ""
    if not (digits.isascii() and digits.isdecimal()) or int(digits) > 65_535:
        return None
    return "" if int(digits) in {80, 443} else f":{int(digits)}"


@lru_cache(maxsize=16_384)
def _named(authority: str) -> str:
    name = authority.rpartition("@")[2]
    if name.startswith("["):
        return _ipv6(name.rpartition("]")[0][1:])
    name = name.partition(":")[0] if "]" not in name else ""
    if "%" in name or not name.isascii():
        name = _ascii_name(name)
    name = name.casefold().rstrip(".")
    if len(name) > 253 or not re.fullmatch(r"[a-z0-9\-._~!$&'()*+,;=]+", name):
        return ""
    return _ipv4(name)


def _ascii_name(name: str) -> str:
    name = unquote(name, errors="replace")
    if len(name) > 253 or name.isascii():
        return name
    try:
        return idna.encode(name, uts46=True).decode()
    except (idna.IDNAError, UnicodeError):
        pass
    try:
        return name.casefold().encode("idna").decode()  # emoji names, of the older standard
    except UnicodeError:
        return ""


def _ipv6(name: str) -> str:
    try:
        return f"[{ipaddress.IPv6Address(name).compressed}]" if "%" not in name else ""
    except ValueError:
        return ""


def _ipv4(name: str) -> str:
    """Dotted decimals of "0x7f.1" and the like, as browsers read them; names as they are."""
    parts = name.split(".")
    if not re.fullmatch(r"[0-9]+|0x[0-9a-f]*", parts[-1]):
        return name
    try:
        numbers = [_number(part) for part in parts]
    except ValueError:
        return ""
    *leading, last = numbers
    if len(leading) > 3 or any(one > 255 for one in leading) or last >= 256 ** (4 - len(leading)):
        return ""
    value = last + sum(one << 8 * (3 - place) for place, one in enumerate(leading))
    return str(ipaddress.IPv4Address(value))


def _number(part: str) -> int:
    """Raises ValueError for what is none: int() also takes signs and "1_000"."""
    digits, base = part, 10
    if part.startswith("0x"):
        digits, base = part[2:] or "0", 16
    elif len(part) > 1 and part[0] == "0":
        base = 8
    if not digits.isalnum():
        raise ValueError(part)
    return int(digits, base)


def upwards(host: str, last: str) -> Iterator[str]:
    """A host and its parents, the longest first, down to one of them."""
    while host:
        yield host
        if host == last or "." not in host:
            return
        host = host.partition(".")[2]
