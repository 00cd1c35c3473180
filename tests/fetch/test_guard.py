"""Which addresses are refused, and that nothing refused is reached by any way of writing it."""

from __future__ import annotations

import asyncio
from ipaddress import IPv4Address, IPv6Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.kernel.http.guard import AllowList, port_refusal, private_refusal, refusal
from newsloom.kernel.http.values import Failure, Reply, Request

from .servers import LOCAL, Exchange, fetcher, serving

REFUSED = [
    # this machine, private networks, what lies between
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.1",
    "10.255.255.255",
    "100.64.0.1",
    "100.100.100.200",
    "127.0.0.1",
    "127.255.255.254",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.8",
    "192.0.0.192",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.0.1",
    "198.18.0.1",
    "198.19.255.255",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.255",
    "168.63.129.16",
    "::",
    "::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
    "100::1",
    "5f00::1",
    "2001:db8::1",
    "3fff::1",
    "2001:1::1",
    "2001:2::1",
    "2001:10::1",
    "2001:20::1",
    # IPv4 in IPv6
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:169.254.169.254",
    "::ffff:0:127.0.0.1",
    "64:ff9b::127.0.0.1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::1",
    "64:ff9b:1::8.8.8.8",
    "2002:7f00:1::",
    "2002:a00:1::1",
    "2001:0:7f00:1::f7f7:f7f7",
    "2001:0:808:808::80ff:fffe",
    "2600::5efe:10.0.0.1",
    "2600::200:5efe:127.0.0.1",
    # no addresses
    "",
    "localhost",
    "127.1",
    "1.2.3",
    "01.2.3.4",
]

ALLOWED = [
    "8.8.8.8",
    "1.1.1.1",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "192.167.255.255",
    "198.17.255.255",
    "223.255.255.255",
    "2606:4700:4700::1111",
    "2a00:1450:4001:82a::200e",
    "2001:4860:4860::8888",
    "::ffff:8.8.8.8",
    "64:ff9b::8.8.8.8",
    "2002:808:808::1",
    "2600::5efe:8.8.8.8",
]


@pytest.mark.parametrize("address", REFUSED)
def test_refused(address):
    words = refusal(address)
    assert words
    assert "address" in words


@pytest.mark.parametrize("address", ALLOWED)
def test_allowed(address):
    assert refusal(address) is None
    assert private_refusal(address) is None


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("127.0.0.1", "127.0.0.1, a loopback address"),
        ("fd00::1", "fd00::1, a private address"),
        ("64:ff9b::7f00:1", "64:ff9b::7f00:1 resolves to 127.0.0.1, a loopback address"),
        ("100::1", "100::1, not a public address"),
    ],
)
def test_words(address, words):
    assert refusal(address) == words


@pytest.mark.parametrize(
    "address", ["10.1.2.3", "127.0.0.1", "192.168.1.1", "::1", "fd00::1", "fe80::1", "100.64.0.1"]
)
def test_granted_to_a_host_on_the_list(address):
    assert refusal(address)
    assert private_refusal(address) is None


@pytest.mark.parametrize(
    "address",
    [
        "0.0.0.0",
        "169.254.169.254",
        "168.63.129.16",
        "224.0.0.1",
        "255.255.255.255",
        "::",
        "ff02::1",
    ],
)
def test_granted_to_nobody(address):
    assert private_refusal(address)


ipv4 = st.integers(0, 2**32 - 1).map(IPv4Address)
ipv6 = st.integers(0, 2**128 - 1).map(IPv6Address)


@given(st.one_of(ipv4, ipv6))
def test_never_less_strict_than_the_standard_library(address):
    """Except for relays that carry a public IPv4 address, which Python calls private as a whole."""
    if not address.is_global and refusal(str(address)) is None:
        assert address.version == 6
        relays = ("2002:", "64:ff9b:", "2001:0:", "2001:")
        mapped = address.ipv4_mapped or address.sixtofour or address.teredo
        assert mapped or address.exploded.startswith(relays) or int(address) < 2**32


@given(ipv4, st.integers(0, 2**48 - 1), st.integers(0, 2**64 - 1))
def test_no_wrapping_loosens(inner, low, high):
    number = int(inner)
    inverted = ~number & 0xFFFFFFFF
    wrapped = [
        IPv6Address(number),
        IPv6Address(0xFFFF << 32 | number),
        IPv6Address(0x64FF9B << 96 | number),
        IPv6Address(0x2002 << 112 | number << 80 | low),
        IPv6Address(0x20010000 << 96 | number << 64 | low),
        IPv6Address(0x20010000 << 96 | 0x08080808 << 64 | (low & 0xFFFF) << 32 | inverted),
        IPv6Address(high << 64 | 0x00005EFE << 32 | number),
        IPv6Address(high << 64 | 0x02005EFE << 32 | number),
    ]
    if refusal(str(inner)):
        assert all(refusal(str(one)) for one in wrapped)


@given(st.text(max_size=60))
def test_anything_is_judged(text):
    words = refusal(text)
    if words is None:
        ip_address(text.partition("%")[0])


@pytest.mark.parametrize(
    ("port", "allowed"),
    [(80, 1), (443, 1), (1024, 1), (8080, 1), (65535, 1), (22, 0), (25, 0), (1, 0), (1023, 0)],
)
def test_ports(port, allowed):
    assert (port_refusal(port) is None) == bool(allowed)


@pytest.mark.parametrize(
    ("entry", "host", "port", "granted"),
    [
        ("rss.local", "rss.local", 80, True),
        ("rss.local", "rss.local", 3000, True),
        ("RSS.local.", "rss.LOCAL", 80, True),
        ("rss.local", "rss.local.", 80, True),
        ("rss.local:3000", "rss.local", 3000, True),
        ("rss.local:3000", "rss.local", 80, False),
        ("rss.local", "x.rss.local", 80, False),
        ("rss.local", "local", 80, False),
        ("127.0.0.1", "127.0.0.1", 8080, True),
        ("127.0.0.1", "localhost", 8080, False),
        ("localhost", "127.0.0.1", 8080, False),
        ("::1", "::1", 80, True),
        ("[::1]", "::1", 80, True),
        ("[::1]:8080", "::1", 8080, True),
        ("[::1]:8080", "::1", 80, False),
        ("[0:0::1]", "::1", 80, True),
        ("bücher.example", "xn--bcher-kva.example", 80, True),
        ("rss_bridge", "rss_bridge", 80, True),
        ("host:http", "host", 80, False),
        ("host:", "host", 80, True),
        ("", "host", 80, False),
    ],
)
def test_allow_list(entry, host, port, granted):
    assert AllowList.of([entry]).grants(host, port) is granted


# --- through the client: no way of writing an address reaches a server on loopback ---

# {port} is the canary's.
TARGETS = [
    "http://127.0.0.1:{port}/",
    "http://127.0.0.2:{port}/",
    "http://127.255.255.254:{port}/",
    "http://0.0.0.0:{port}/",
    "http://0:{port}/",
    "http://127.1:{port}/",
    "http://127.0.1:{port}/",
    "http://2130706433:{port}/",
    "http://017700000001:{port}/",
    "http://0177.0.0.1:{port}/",
    "http://0177.0.0.0x1:{port}/",
    "http://0x7f000001:{port}/",
    "http://0x7f.0.0.1:{port}/",
    "http://0x7f.1:{port}/",
    "http://0X7F.0x0.0x0.0x1:{port}/",
    "http://127.0.0.1.:{port}/",
    "http://127.000.000.001:{port}/",
    "http://%31%32%37.0.0.1:{port}/",
    "http://①②⑦.⓪.⓪.①:{port}/",
    "http://127。0。0。1:{port}/",
    "http://１２７.0.0.1:{port}/",
    "http://localhost:{port}/",
    "http://LOCALHOST:{port}/",
    "http://localhost.:{port}/",
    "http://localhost..:{port}/",
    "http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ:{port}/",
    "http://[::1]:{port}/",
    "http://[0:0:0:0:0:0:0:1]:{port}/",
    "http://[::]:{port}/",
    "http://[::127.0.0.1]:{port}/",
    "http://[::ffff:127.0.0.1]:{port}/",
    "http://[::ffff:7f00:1]:{port}/",
    "http://[0:0:0:0:0:ffff:127.0.0.1]:{port}/",
    "http://[::ffff:0:127.0.0.1]:{port}/",
    "http://[64:ff9b::127.0.0.1]:{port}/",
    "http://[64:ff9b:1::127.0.0.1]:{port}/",
    "http://[2002:7f00:1::]:{port}/",
    "http://[2001:0:7f00:1::1]:{port}/",
    "http://[fe80::1]:{port}/",
    "http://[::1%25lo]:{port}/",
    "http://public.example@127.0.0.1:{port}/",
    "http://public.example:80@127.0.0.1:{port}/",
    "http://public.example#@127.0.0.1:{port}/",
    "http://127.0.0.1:{port}\\@public.example/",
    "http://public.example\\@127.0.0.1:{port}/",
    "http://allowed.test@127.0.0.1:{port}/",
    "http://169.254.169.254/latest/meta-data/",
    "http://[fd00:ec2::254]/latest/meta-data/",
    "http://168.63.129.16/",
    "http://100.100.100.200/",
    "http://10.0.0.1:{port}/",
    "http://192.168.1.1:{port}/",
    "http://a.test:{port}/",
    "http://aaaa.test:{port}/",
    "http://mapped.test:{port}/",
    "http://nat64.test:{port}/",
    "http://many.test:{port}/",
    "http://a.test.:{port}/",
    "https://a.test:{port}/",
    "http://127.0.0.1:22/",
]

NAMES = {
    "allowed.test": [LOCAL],
    "a.test": [LOCAL],
    "a.test.": [LOCAL],
    "localhost": [LOCAL, "::1"],
    "localhost.": [LOCAL, "::1"],
    "aaaa.test": ["::1"],
    "mapped.test": ["::ffff:127.0.0.1"],
    "nat64.test": ["64:ff9b::7f00:1"],
    "many.test": ["10.0.0.1", LOCAL, "::1", "169.254.169.254"],
    "public.example": [],
}


async def _silent(exchange: Exchange) -> None:
    await exchange.answer(b"secret")


@pytest.mark.parametrize("way", ["asked directly", "after a redirect"])
def test_nothing_reaches_loopback(way):
    async def main() -> list[tuple[str, Reply]]:
        async def redirecting(exchange: Exchange) -> None:
            target = TARGETS[int(exchange.path[1:])].format(port=canary.port)
            await exchange.send(
                b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: "
                + target.encode()
                + b"\r\n\r\n"
            )

        client = fetcher(names=NAMES, private_hosts=("allowed.test",))
        async with serving(_silent) as canary, serving(redirecting) as door, client:
            replies = []
            for number, target in enumerate(TARGETS):
                url = target.format(port=canary.port)
                if way == "after a redirect":
                    url = door.url(f"/{number}", host="allowed.test")
                replies.append((target, await client.get(Request(url))))
            assert canary.connections == 0
            return replies

    refusing = {Failure.BLOCKED, Failure.URL, Failure.REDIRECTS, Failure.DNS}
    for target, reply in asyncio.run(main()):
        assert reply.failure in refusing, target
        assert reply.body == b"", target
        assert reply.problem, target


def test_matrix_is_large_enough():
    assert len(set(TARGETS)) >= 40


def test_the_canary_can_sing():
    """The matrix proves something only if the same server answers when it may be asked."""

    async def main() -> tuple[Reply, int]:
        client = fetcher(names=NAMES, private_hosts=("a.test",))
        async with serving(_silent) as canary, client:
            return await client.get(Request(canary.url(host="a.test"))), canary.connections

    reply, connections = asyncio.run(main())
    assert (reply.body, connections) == (b"secret", 1)


def test_redirect_to_loopback_says_so():
    async def main() -> Reply:
        async def redirecting(exchange: Exchange) -> None:
            await exchange.answer(status="302 Found", headers={"Location": canary.url()})

        client = fetcher(names=NAMES, private_hosts=("allowed.test",))
        async with serving(_silent) as canary, serving(redirecting) as door, client:
            return await client.get(Request(door.url(host="allowed.test")))

    reply = asyncio.run(main())
    assert reply.failure is Failure.BLOCKED
    assert reply.problem == (
        "it is not on the public network (127.0.0.1, a loopback address); "
        "to allow it, add its host to fetch.private_hosts"
    )
    assert [redirect.status for redirect in reply.redirects] == [302]
    assert reply.status == 0


def test_a_name_that_changes_its_address_between_asks():
    """DNS rebinding: the address connected to is the one that is judged."""

    async def main() -> tuple[list[Reply], int]:
        names = {"turn.test": ["198.51.100.7"]}
        client = fetcher(names=names, private_hosts=())
        async with serving(_silent) as canary, client:
            replies = [await client.get(Request(canary.url(host="turn.test")))]
            names["turn.test"] = [LOCAL]
            replies.append(await client.get(Request(canary.url(host="turn.test"))))
            return replies, canary.connections

    replies, connections = asyncio.run(main())
    assert [reply.failure for reply in replies] == [Failure.BLOCKED] * 2
    assert "127.0.0.1" in replies[1].problem
    assert connections == 0


def test_a_connection_granted_to_one_host_serves_no_other():
    """Both names are one server; only one is on the list, and its open connection stays its own."""

    async def main() -> list[Reply]:
        client = fetcher(names=NAMES, private_hosts=("allowed.test",))
        async with serving(_silent) as server, client:
            hosts = ("allowed.test", "a.test", "allowed.test")
            return [await client.get(Request(server.url(host=host))) for host in hosts]

    replies = asyncio.run(main())
    assert [reply.failure for reply in replies] == [None, Failure.BLOCKED, None]


def test_a_listed_port_grants_no_other_port():
    async def main() -> list[Reply]:
        async with serving(_silent) as listed, serving(_silent) as other:
            client = fetcher(private_hosts=(f"{LOCAL}:{listed.port}",))
            async with client:
                return [await client.get(Request(one.url())) for one in (listed, other)]

    assert [reply.failure for reply in asyncio.run(main())] == [None, Failure.BLOCKED]


# --- behind a proxy, which looks names up itself ---


def test_requests_go_through_the_proxy():
    async def main() -> tuple[Reply, str]:
        async with serving(_silent) as proxy, fetcher(names={}, proxy=proxy.url("")) as client:
            reply = await client.get(Request("http://feed.example/a?b=c"))
            return reply, proxy.exchanges[0].head.split("\r\n")[0]

    reply, line = asyncio.run(main())
    assert reply.body == b"secret"
    assert line == "GET http://feed.example/a?b=c HTTP/1.1"


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.2",
        "127.1",
        "0x7f.2",
        "2130706434",
        "[::1]",
        "[::ffff:10.0.0.1]",
        "169.254.169.254",
        "localhost",
        "LOCALHOST.",
        "metadata.google.internal",
        "printer.local",
        "public.example:25",
        "8.8.8.8:22",
    ],
)
def test_a_proxy_is_not_asked_for_what_is_plainly_private(host):
    async def main() -> tuple[Reply, int]:
        async with serving(_silent) as proxy, fetcher(names={}, proxy=proxy.url("")) as client:
            return await client.get(Request(f"http://{host}/")), proxy.connections

    reply, connections = asyncio.run(main())
    assert (reply.failure, connections) == (Failure.BLOCKED, 0)


def test_a_proxy_that_refuses():
    async def refuse(exchange: Exchange) -> None:
        await exchange.answer(status="407 Proxy Authentication Required")

    async def main() -> Reply:
        async with serving(refuse) as proxy, fetcher(names={}, proxy=proxy.url("")) as client:
            return await client.get(Request("https://feed.example/"))

    reply = asyncio.run(main())
    assert (reply.failure, reply.problem) == (Failure.CONNECT, "the proxy returned 407")


@pytest.mark.parametrize(
    ("proxy", "words"),
    [
        ("http://127.0.0.1:1", "the proxy failed: the server refused the connection"),
        ("http://nowhere.test:8080", "the proxy's name cannot be looked up"),
    ],
)
def test_a_proxy_that_is_not_there(proxy, words):
    async def main() -> Reply:
        async with fetcher(names={"nowhere.test": []}, proxy=proxy) as client:
            return await client.get(Request("http://feed.example/"))

    reply = asyncio.run(main())
    assert (reply.failure, reply.problem) == (Failure.CONNECT, words)
