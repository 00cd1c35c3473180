"""Who can reach what listens at an address, and where they open it. Listens to nothing itself."""

from __future__ import annotations

import socket
from ipaddress import IPv4Address, IPv6Address, ip_address

from newsloom.kernel.errors import UserError

Address = IPv4Address | IPv6Address

# Reserved for documentation (RFC 5737, RFC 3849), so never on a network: the way to them is the way
# to the internet. Connecting a datagram socket sends nothing; it only chooses a way.
_FAR_AWAY = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))


def resolved(host: str) -> Address:
    """The address that a host setting means: a number, a name, or nothing, which means all.

    Raises UserError for a name that leads nowhere.
    """
    try:
        return ip_address(host or "0.0.0.0")  # noqa: S104 - what an empty host has always meant
    except ValueError:
        pass
    try:
        found = socket.getaddrinfo(host, None, socket.AF_INET, socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise UserError(f"{host!r:.80} is not an address of this machine.") from error
    return ip_address(found[0][4][0])


def admit(host: str, *, without_login: bool, signing_in: bool = False) -> None:
    """Refuse to serve to other machines what asks nobody to sign in, unless that is wanted.

    Raises UserError, also for a host that is none.
    """
    if only_this_machine(resolved(host)) or signing_in or without_login:
        return
    shown = host or "an empty host, which means every address,"
    raise UserError(
        f"Other machines can reach {shown}, but there are no accounts, so anyone could read and "
        f"change everything. Create an account with `newsloom user add NAME`, serve on 127.0.0.1, "
        f"or, if everyone on your network may use it, add --without-login (web.without_login)."
    )


def only_this_machine(address: Address) -> bool:
    """Whether nobody but this machine reaches it."""
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return (mapped or address).is_loopback


def where_to_open(address: Address, port: int) -> str:
    """The URL that works from wherever it can be reached; of all addresses, the one to the network.

    A machine with no network has none but its own.
    """
    shown = address
    if address.is_unspecified:
        families = _FAR_AWAY[:1] if isinstance(address, IPv4Address) else _FAR_AWAY
        shown = next(
            (found for way in families if (found := _own_address(*way)) is not None),
            ip_address("127.0.0.1"),
        )
    name = f"[{shown}]" if isinstance(shown, IPv6Address) else str(shown)
    return f"http://{name}:{port}/"


def _own_address(family: socket.AddressFamily, far: str) -> Address | None:
    """This machine's address on the way to one far away; None without such a way."""
    with socket.socket(family, socket.SOCK_DGRAM) as way:
        try:
            way.connect((far, 9))
        except OSError:
            return None
        return ip_address(way.getsockname()[0].partition("%")[0])
