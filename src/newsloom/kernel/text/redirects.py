"""Addresses that only forward: where they lead, as far as they say it themselves. No network.

An address is read here, never followed; which ones are known stands in
newsloom.kernel.text.forwarding.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from newsloom.kernel.text.forwarding import FORWARDERS, MARKS, RULES, SEALED, Rule
from newsloom.kernel.text.hosts import named
from newsloom.kernel.text.unwrapping import Parts
from newsloom.kernel.text.urls import LONGEST, is_http

# A newsletter's tracker around a mail guard's around a search engine's are three.
DEEPEST = 5

_HOST = re.compile(r"https?:[/\\]*([^/\\?#]*)", re.IGNORECASE)
# "http:/example.com", "https://///example.com", "//example.com"
_SLASHES = re.compile(r"(https?):[/\\]+|[/\\]{2,}", re.IGNORECASE)
_SUFFIX_LABEL = re.compile(r"[a-z]{2,3}")


def target(url: str) -> str:
    """The address that a forwarding one leads to; the address itself when it does not say.

    Never raises, and target(target(url)) == target(url).
    """
    found = url
    for _ in range(DEEPEST):
        inner = _inside(found)
        if not inner or inner == found:
            return found
        found = inner
    return url  # a puzzle rather than a link


def forwards(url: str) -> bool:
    """Whether an address, as `target` left it, is known to lead elsewhere when it is asked."""
    host, path = _place(url)
    return path.startswith(_paths(host).asked) or _BURNED.match(path) is not None


def is_sealed(url: str) -> bool:
    """Whether an address leads elsewhere in a way that only a browser finds out."""
    host, path = _place(url)
    return path.startswith(_paths(host).sealed)


def _place(url: str) -> tuple[str, str]:
    """Host and path of an address that leads somewhere; empty for any other."""
    host = _HOST.match(url)
    if host is None or not 1 < len(url) - host.end() <= LONGEST:
        return "", ""
    return named(host[1]), url[host.end() :]


def _inside(url: str) -> str:
    host = _HOST.match(url)
    if host is None or len(url) > LONGEST:
        return ""
    name = named(host[1])
    rules = _rules(name)
    if any(mark in url for mark in MARKS):
        rules += _ANYWHERE
    if not rules:
        return ""
    path, _, query = url[host.end() :].partition("#")[0].partition("?")
    parts = Parts(name, path or "/", query)
    for rule, path_pattern in rules:
        if path_pattern.match(parts.path) and (found := _address(rule.find(parts))):
            return found
    return ""


def _address(found: str) -> str:
    """A web address in its usual form; "" for what is none."""
    found = found.strip().replace(" ", "%20")
    slashes = _SLASHES.match(found)
    if slashes is None or len(found) > LONGEST or not found.isprintable():
        return ""
    found = f"{(slashes[1] or 'https').lower()}://{found[slashes.end() :]}"
    return found if is_http(found) else ""


_Compiled = tuple[Rule, re.Pattern[str]]
_ALL: tuple[_Compiled, ...] = tuple((rule, re.compile(rule.path)) for rule in RULES)
_ANYWHERE = tuple(one for one in _ALL if one[0].hosts == "*")


@lru_cache(maxsize=16_384)
def _rules(name: str) -> tuple[_Compiled, ...]:
    """The rules for a host, in their order."""
    names = set(_names(name))
    return tuple(one for one in _ALL if not names.isdisjoint(one[0].hosts.split()))


def _names(host: str) -> list[str]:
    """What a rule may call a host: itself, what is above it, and both without their country."""
    labels = host.split(".")
    names = [".".join(labels[start:]) for start in range(len(labels))]
    for length in (1, 2):
        if all(map(_SUFFIX_LABEL.fullmatch, labels[-length:])):
            stem = labels[:-length]
            names += [".".join((*stem[start:], "*")) for start in range(len(stem))]
    return names


# Feedburner under a publisher's own name: feeds.example.com/~r/Feed/~3/abcdef/
_BURNED = re.compile(r"/~r/[^/]+(?:/[^/]+)?/~\d/")


@dataclass(frozen=True, slots=True)
class _Paths:
    """How the paths begin that lead elsewhere on a host."""

    asked: tuple[str, ...]
    sealed: tuple[str, ...]


@lru_cache(maxsize=16_384)
def _paths(host: str) -> _Paths:
    names = set(_names(host))
    return _Paths(_of(names, FORWARDERS), _of(names, SEALED))


def _of(names: set[str], entries: Iterable[str]) -> tuple[str, ...]:
    parts = (entry.partition("/") for entry in entries)
    return tuple(f"/{path}" for host, _, path in parts if host in names)
