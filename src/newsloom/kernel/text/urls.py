"""URLs compared: one form for all addresses of an article, its host and its source. No network.

`canonical` is for comparing and never for following: https may not answer, and a host without www
may not exist. What it changes and why is in docs/work/decisions/duplicates.md.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any
from urllib.parse import quote, urljoin, urlsplit

from newsloom.kernel.text.hosts import comparable, named
from newsloom.kernel.text.tracking import is_tracking

# Longer than any server or browser accepts as an address; a data blob rather than an article's.
LONGEST = 8_192

# Authority, path, query, fragment, after any number of slashes of either kind, as browsers read
# them. "//example.com/" is an address on a page of either scheme.
_PARTS = re.compile(
    r"(?:https?:[/\\]*|[/\\]{2,})([^/\\?#]*)([^?#]*)(?:\?([^#]*))?(?:#(.*))?",
    re.IGNORECASE | re.DOTALL,
)
_NEEDS_NO_ESCAPE = re.compile(r"[A-Za-z0-9\-._~!$&'()*+,;=:@/]*")
_PERCENT = re.compile(r"%([0-9A-Fa-f]{2})|%|[^A-Za-z0-9\-._~!$&'()*+,;=:@/?%]+")

# Written with or without a percent sign these mean the same in a path, and in a query value; there
# "&", "=", "+" and ";" separate, so that their escaped forms stay.
_LITERAL = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$'()*,:@")
_LITERAL_IN_PATH = _LITERAL | frozenset("&+;=")
_LITERAL_IN_QUERY = _LITERAL | frozenset("/?")

_INDEX = frozenset(
    f"{name}.{ending}"
    for name in ("index", "default")
    for ending in ("html", "htm", "shtml", "xhtml", "php", "asp", "aspx", "jsp", "cgi")
) - {"default.php", "default.cgi"}
_SESSION = re.compile(
    r";(?:jsessionid|phpsessid|sid|sessionid)(?:=[^/;]*)?(?=[/;]|$)"  # Java and PHP
    r"|/\((?:[a-z]\([0-9a-z]{24}\)|[0-9a-z]{24})+\)(?=/|$)",  # ASP.NET
    re.IGNORECASE,
)
_AMP_ENDING = re.compile(r"\.amp(\.x?html?)?$", re.IGNORECASE)

# What is kept of sites: a name has 253 characters at most.
_LONGEST_SITE = 300

_CONTROLS = "".join(map(chr, range(33)))
_HOME = re.compile(r"https://[^/]*/(?:#!/?)?")
_SECTION = re.compile(r"https://[^/]*/[a-z]{1,12}", re.IGNORECASE)
_GOOGLE = re.compile(r"(?:www\.)?google\.[a-z]{2,3}(?:\.[a-z]{2})?")
# Google's AMP cache and viewer carry the publisher's address in their path: /c/s/example.com/...
_CACHED = re.compile(r"/(?:[a-z]{1,2}/)?(?:s/)?((?:[^/.]+\.)+[^/.]+)(?=/|$)")
_VIEWED = re.compile(r"/s/((?:[^/.]+\.)+[^/.]+)(?=/|$)")  # "/amp" is gone by then


def canonical(url: str) -> str:
    """The form under which addresses of the same article are equal; "" when nothing is comparable.

    Never raises, and canonical(canonical(url)) == canonical(url).
    """
    url = _trimmed(url)
    parts = _PARTS.fullmatch(url) if len(url) <= LONGEST else None
    if parts is None:
        return ""
    authority, path, query, fragment = parts.groups()
    host = comparable(authority)
    path = _escaped(path.replace("\\", "/"), _LITERAL_IN_PATH)
    host, path = _at_publisher(host, _path(path))
    if not host:
        return ""
    query = _query(query) if query else ""
    route = f"#{_escaped(fragment, _LITERAL)}" if fragment and fragment.startswith("!") else ""
    result = f"https://{host}{path}{query and '?'}{query}{route}"
    return result if len(result) <= LONGEST else ""


def is_article(address: str) -> bool:
    """Whether a canonical address can be that of one article: not nothing, not a bare home page."""
    return address != "" and _HOME.fullmatch(address) is None


def is_section(address: str) -> bool:
    """Whether a canonical address is likely a page that changes what it shows: one plain word."""
    return _SECTION.fullmatch(address) is not None


def host(url: str) -> str:
    """The host in lower case, in ASCII, without www; "" when there is none."""
    parts = _PARTS.match(_trimmed(url)[:LONGEST])
    name = named(parts[1]) if parts else ""
    return name.removeprefix("www.") if name.count(".") > 1 else name


@lru_cache(maxsize=16_384)
def _source(name: str) -> str:
    return _suffixes().privatesuffix(name) or name


def source(url: str) -> str:
    """Who published it: the registrable domain, or the whole host where there is none."""
    name = host(url)
    return name if not name or name[-1].isdigit() or ":" in name else _source(name)


def is_suffix(name: str) -> bool:
    """Whether a host is a public suffix, under which others register: "co.uk", "github.io"."""
    return bool(name) and _suffixes().publicsuffix(name) == name


def shared_host(url: str) -> str:
    """What politeness is owed to as one: the registrable domain of the host.

    Where each customer has a name of their own (blogspot.com, github.io) it is that name: the
    public suffix list knows them. What has no domain (a number, "localhost") is told apart by port.
    """
    start = url.find("//") + 2
    end = url.find("/", start)
    # All articles of a feed stand at one or two sites: each is looked at once.
    return _shared_host(url[: end + 1]) if start < end < _LONGEST_SITE else _host_shared_by(url)


def _host_shared_by(url: str) -> str:
    name = source(url)
    if name and (name[-1].isdigit() or name.endswith("]") or "." not in name):
        parts = _PARTS.match(_trimmed(url)[:LONGEST])
        authority = comparable(parts[1]) if parts else ""
        return authority or name
    return name


_shared_host = lru_cache(maxsize=4_096)(_host_shared_by)


def publisher(url: str) -> str:
    """As `source`; but a number names a machine, which may serve the feeds of many: then ""."""
    name = source(url)
    return "" if name[-1:].isdigit() or ":" in name else name


@lru_cache(maxsize=1)
def _suffixes() -> Any:
    from publicsuffixlist import PublicSuffixList  # 30 ms that most commands need not pay

    return PublicSuffixList()


# What stands between "://" and the last "@" before the path.
_USERINFO = re.compile(r"(?<=://)[^/?#\s\"<>]*@")


def without_password(url: str) -> str:
    """An address, or a text with addresses in it, without names and passwords before hosts."""
    return _USERINFO.sub("", url) if "@" in url else url


def is_http(url: str) -> bool:
    """Whether this is an absolute web address with a host and, if any, a port that can be."""
    parts = _PARTS.match(url[:LONGEST])
    absolute = url[:8].casefold().startswith(("http://", "https://"))
    return parts is not None and absolute and bool(comparable(parts[1]))


def join(base: str, reference: str) -> str:
    """The absolute web address a reference means on a page; "" when it means none."""
    try:
        joined = urljoin(base, _trimmed(reference))
    except ValueError:  # "http://[broken"
        return ""
    return joined if is_http(joined) else ""


def _trimmed(url: str) -> str:
    """Without what browsers ignore: control characters around, tabs and line breaks anywhere.

    Half a character becomes the sign for none, as in browsers.
    """
    if url.isprintable() and url[:1] != " " and url[-1:] != " ":
        return url
    whole = re.sub("[\ud800-\udfff]", "\ufffd", url.strip(_CONTROLS))
    return re.sub("[\t\n\r]", "", whole)


def _at_publisher(host: str, path: str) -> tuple[str, str]:
    """The publisher's host and path of an address in Google's AMP cache or viewer."""
    while inner := _inside_amp_cache(host, path):
        host, path = comparable(inner[1]), _path(path[inner.end() :])
    return host, path


def _inside_amp_cache(host: str, path: str) -> re.Match[str] | None:
    if host.endswith("cdn.ampproject.org"):
        return _CACHED.match(path)
    if host.startswith("google.") and _GOOGLE.fullmatch(host):
        return _VIEWED.match(path)
    return None


def _path(path: str) -> str:
    """Without session ids, dot segments, doubled slashes, index pages, AMP forms, a last slash."""
    if ";" in path or "(" in path:
        path = _SESSION.sub("", path)
    segments = path.split("/")
    if "/." in path:
        segments = _resolved(segments)
    segments = [segment for segment in segments if segment]
    _without_view(segments)
    return "/" + "/".join(segments)


def _resolved(segments: list[str]) -> list[str]:
    kept: list[str] = []
    for segment in segments:
        if segment == "..":
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    return kept


def _without_view(segments: list[str]) -> None:
    while segments:
        last = segments[-1].casefold()
        if last in _INDEX or (last == "amp" and len(segments) > 1):
            del segments[-1]
        elif ".amp" in last and (shorter := _AMP_ENDING.sub(r"\1", segments[-1])) != segments[-1]:
            segments[-1:] = [shorter] if shorter.strip(".") else []
        else:
            break
    start = 0
    while len(segments) - start > 1 and segments[start].casefold() == "amp":
        start += 1
    del segments[:start]


def _query(query: str) -> str:
    """What is left without tracking, in one order, each once. "a" and "a=" are the same."""
    if "amp;" in query or "#038;" in query:
        query = re.sub(r"&?(?:amp|#0?38);", "&", query)  # feeds escape twice
    kept = set()
    for pair in query.split("&"):
        name, _, value = pair.partition("=")
        name = _escaped(name, _LITERAL_IN_QUERY)
        value = _escaped(value, _LITERAL_IN_QUERY)
        if name and not is_tracking(name, value):
            kept.add(f"{name}={value}" if value else name)
    return "&".join(sorted(kept))


def _escaped(text: str, literal: frozenset[str]) -> str:
    """Percent-encoding in one form: what may stand bare does, what may not is %XX in capitals."""
    if _NEEDS_NO_ESCAPE.fullmatch(text):
        return text

    def one(match: re.Match[str]) -> str:
        if match[1] is None:
            return quote(match[0], safe="")
        character = chr(int(match[1], 16))
        return character if character in literal else f"%{match[1].upper()}"

    return _PERCENT.sub(one, text)


def one_spelling(url: str) -> str:
    """An address of a feed as every list should write it: its host in small letters, and without
    what follows "#", which is never asked for. Raises ValueError for what is no address."""
    parts = urlsplit(url)
    secret, at, host = parts.netloc.rpartition("@")
    rest = url.partition("://")[2][len(parts.netloc) :]
    return f"{parts.scheme}://{secret}{at}{host.lower()}{rest}".partition("#")[0]
