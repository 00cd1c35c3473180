"""Which source a host belongs to: its registrable domain, or a customer's name on a platform."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from newsloom.importance.sources.platforms import platform_of
from newsloom.kernel.text import urls


@lru_cache(maxsize=16_384)
def registered(domain: str) -> str:
    """What somebody registered of a host, or of the host of a web address; "" for none.

    "www.bbc.co.uk" is "bbc.co.uk"; "ann.substack.com" is itself, for its platform says nothing of
    who writes there. What is no name, such as an address of numbers, is itself.
    """
    host = host_of(domain)
    platform = platform_of(host)
    if platform is not None:
        below = host.removesuffix(platform.domain).rstrip(".")
        return f"{below.rpartition('.')[2]}.{platform.domain}" if below else host
    return urls.source(f"//{host}") if host else ""


def host_of(domain: str) -> str:
    """A host in lower case and ASCII, without www, of a host or a web address."""
    text = domain.strip()
    return urls.host(text if "//" in text[:9] else f"//{text}")


def names(domain: str) -> Iterator[str]:
    """A host and its parents, the longest first, down to what somebody registered.

    On a platform the customer's name is the last: what is known of the platform is not known of it.
    """
    host = host_of(domain)
    last = registered(host)
    while host:
        yield host
        if host == last or "." not in host:
            return
        host = host.partition(".")[2]
