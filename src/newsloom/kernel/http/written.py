"""What can be said of a host by how it is written, without looking it up. Pure."""

from __future__ import annotations

import re
import socket
from ipaddress import ip_address

from newsloom.kernel.http.guard import port_refusal, private_refusal, refusal

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
