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


# Query parameters that say who sent a reader, not which article: data and one question. Compiled
# for news articles from what ad, mail and share systems document of themselves, and from reading
# four public lists for what is in use (ClearURLs, LGPL-3.0; brave/adblock-lists, MPL-2.0;
# DandelionSprout's LegitimateURLShortener; iipc/urlcanon, Apache-2.0). No list was copied: they
# serve browsers and drop shop and affiliate parameters by the thousand, and some drop names that
# are ids of articles somewhere (`sid`, `cid`, `mc`, `paid`, `s_id`). What is dropped here may
# never be needed to find an article.


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Whole families, by the names' beginning.
_PREFIXES = (
    "utm_", "utm-", "_utm", "mtm_", "pk_", "piwik_", "matomo_",  # web analytics
    "at_",  # AT Internet, Piano
    "ga_", "hsa_", "gaa_", "gad_",  # Google
    "fb_", "__xts__", "__cft__", "__tn__",  # Facebook
    "mc_", "ml_subscriber", "vero_", "oly_", "ss_campaign", "bsft_", "sfmc_",  # mail
    "_hs", "__hs", "hmb_",  # HubSpot
    "wt_", "wt.", "itm_", "int_cmp", "otm_", "cm_mmc", "cx_", "dpg_", "stm_", "ns_",  # campaigns
    "guce_", "_branch_", "adobe_mc", "af_", "__twitter_", "amp_", "aspsessionid",
    "recs_", "relatedposts_", "jwsource", "ref_src", "ref_url", "pm_campaign", "pm_source",
)  # fmt: skip

# By their whole name.
_NAMES = _words(
    # clicks, as ad and share systems number them
    "gclid gclsrc gbraid wbraid dclid srsltid fbclid msclkid twclid ttclid yclid ysclid ymclid "
    "igshid igsh li_fat_id epik rdt_cid scclid tblci obclid wickedid irclickid irgwc clickid "
    "mibextid sfnsn rb_clickid s_cid s_kwcid ef_id "
    # mail, campaigns, analytics
    "_openstat _ga _gl _gid _kx _ke _bhlid _bta_c _bta_tid __s mkt_tok elqtrack elqtrackid elq "
    "elqaid elqat elqcampaignid elqcst trk trkcampaign trk_contact trk_msg spm scm spmailingid "
    "spuserid spjobid spreportid sc_campaign sc_channel sc_content sc_medium sc_outcome sc_geo "
    "sc_country cmpid cmp_id dcmp intcmp intcid int_source ncid icid ocid mbid ito xtor ftag "
    "fsrc bxid cndid esrc gtm dm_i et_rid et_cid et_lid ck_subscriber_id wpisrc wpmm "
    "emci emdi ceid regi_id maca echobox os_ehash "
    "traffic_source tracking_source taid soc_src soc_trk smid smtyp smprod sref hss_channel "
    "gs_l sa_source guccounter guce_referrer igsource shared_via "
    "sharetype share_token is_from_webapp sender_device giftcopy unlocked_article_code "
    "accesstoken cvid feedname feedtype "
    # where on a page a link stood
    "link_location link_source link_campaign referringsource referring_source "
    "referral_source refsrc src_src _r _x_tr_sl _x_tr_tl _x_tr_hl _x_tr_pto _x_tr_hist "
    # sessions
    "phpsessid jsessionid cfid cftoken zenid "
    # another view of the same article
    "replytocom outputtype usqp __amp _amp noamp nomobile mobile_view"
)

# Dropped only with one of these values; with another they may choose what is shown.
_FEED = _words("rss rss1 rss2 rss2.0 rss_feed rssfeed rss-feed feed feeds atom rdf xml")
_SHARED = _FEED | _words(
    "twitter facebook fb linkedin reddit whatsapp telegram email e-mail mail newsletter social "
    "share tw copy copylink copy_link android ios app hackernews hn googlenews google "
    "google-news flipboard homepage home front-page frontpage nl tco"
)
_YES = frozenset(("", "1", "true", "yes", "0", "false", "no"))
_VALUES: dict[str, frozenset[str]] = {
    **dict.fromkeys(_words("amp m mobile print printable printer desktop"), _YES),
    **dict.fromkeys(
        _words(
            "from via src source cmp cid partner emc xid campaign medium feature share platform "
            "origin channel mod mid rssid"
        ),
        _SHARED,
    ),
    "rss": _FEED | _YES,
    "feature": _SHARED | {"youtu.be", "youtube_gdata", "player_embedded", "emb_title", "shared"},
    "output": frozenset(("amp",)),
    "view": frozenset(("amp", "print", "mobile")),
    "format": frozenset(("amp",)),
}

# A session's number, where the same name with a short value may be an article's.
_SESSIONS = frozenset(("s", "sid", "oscsid", "sessionid", "session_id", "session"))
_SESSION_ID = re.compile(r"[0-9a-f]{26}|[0-9a-f]{32}|[0-9a-f]{40}", re.IGNORECASE)

# "?ref=rss", "?ref=hackernoon.com", but "?ref=12345" is how some sites number articles.
_REFERRERS = frozenset(("ref", "referer", "referrer", "ref_"))


# "utm_source=rss" and its like, with what separates it from the parameter before or after it.
_CAMPAIGN = re.compile(r"(?<=[?&])utm_\w+=[^&#]*&?", re.IGNORECASE)


def without_campaign(url: str) -> str:
    """An address without the parameters that only say which campaign it is of. Others stay: they
    may choose what is shown, or open it."""
    return re.sub(r"[?&](?=#|$)", "", _CAMPAIGN.sub("", url)) if "utm_" in url else url


def is_tracking(name: str, value: str) -> bool:
    """Whether a parameter can be left out without changing which article is meant."""
    name = name.casefold()
    if name in _NAMES or name.startswith(_PREFIXES):
        return True
    if name in _REFERRERS:
        return not value.isdecimal()
    if name in _SESSIONS:
        return _SESSION_ID.fullmatch(value) is not None
    values = _VALUES.get(name)
    return values is not None and value.casefold() in values
