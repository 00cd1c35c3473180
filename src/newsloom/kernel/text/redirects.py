"""Addresses that only forward: where they lead, as far as they say it themselves. No network.

An address is read here, never followed; which ones are known stands in
newsloom.kernel.text.redirects.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from newsloom.kernel.text import unwrapping
from newsloom.kernel.text.hosts import named
from newsloom.kernel.text.unwrapping import (
    Find,
    Parts,
    in_base64,
    in_token,
    parameter,
    rest,
    segment,
    whole_query,
)
from newsloom.kernel.text.urls import LONGEST, is_http

# The addresses that only forward, as data: how each kind writes where it leads, if it does.
# Compiled from the services' own descriptions and public code, and from reading what public lists
# name (brave/adblock-lists, MPL-2.0; ClearURLs, LGPL-3.0); no list was copied.


@dataclass(frozen=True, slots=True)
class Rule:
    """One way to write an address inside another."""

    hosts: str  # these and all below them; "google.*" of any country, "*" any
    path: str  # a pattern that the path begins with
    find: Find


# Google's AMP cache and viewer are views of an article and in newsloom.kernel.text.urls.
RULES = (
    # news search
    Rule("news.google.*", r"/(?:__i/)?(?:rss/)?(?:rd/)?(?:articles|read)/", unwrapping.google_news),
    Rule("news.google.*", r"/news/(?:rss/)?url$", parameter("url")),
    Rule("google.*", r"/(?:url|imgres|interstitial)$", parameter("url", "q", "imgrefurl")),
    Rule("google.* googleadservices.com doubleclick.net",
         r"/(?:pagead/)?(?:aclk|clk)", parameter("adurl")),
    Rule("bing.com", r"/(?:news/apiclick\.aspx|newtabredir)", parameter("url")),
    Rule("bing.com", r"/ck/a", in_base64("u", skip=2)),
    Rule("search.yahoo.com search.aol.com", r"/.*/RU=", segment(r".*?/RU=([^/]+)")),
    Rule("yahoo.com", r"/.*\*-?\*?https?(?::|%3A)", rest(r"/.*?\*-?\*?(?=https?(?::|%3[Aa]))")),
    Rule("duckduckgo.com", r"/l/", parameter("uddg")),
    Rule("yandex.* ya.ru",
         r"/(?:clck/)?(?:jsredir|redir|turbo|search/redir)", parameter("url", "text")),
    Rule("turbopages.org", r"/[^/]+/s/", segment(r"/([^/]+)/s(/.+)", "https://")),
    Rule("search.app page.link", r"/", parameter("link", "ofl")),
    Rule("search.naver.com cr.naver.com", r"/", parameter("u", "url")),
    # feed proxies
    Rule("feedblitz.com flipboard.com", r"/(?:redirect|r)\b", parameter("url", "u")),
    Rule("getpocket.com", r"/(?:redirect|save|edit)", parameter("url")),
    Rule("instapaper.com", r"/(?:text|hello2|edit)", parameter("u", "url")),
    # where links leave social sites
    Rule("facebook.com messenger.com instagram.com threads.net threads.com workplace.com",
         r"/(?:l\.php|flx/warn/|sharer)", parameter("u")),
    Rule("l.instagram.com l.threads.net l.threads.com l.wl.co", r"/", parameter("u")),
    Rule("linkedin.com",
         r"/(?:redir/|safety/go|shareArticle|sharing/share-offsite|slink)", parameter("url")),
    Rule("out.reddit.com click.redditmail.com reddit.com",
         r"/(?:t3_|t1_|submit|media$|$)", parameter("url")),
    Rule("click.redditmail.com", r"/CL0/", segment(r"/CL0/([^/]+)")),
    Rule("umblr.com tumblr.com", r"/redirect", parameter("z")),
    Rule("tumblr.com pinterest.*",
         r"/(?:share/link|widgets/share|offsite/|pin/create)", parameter("url")),
    Rule("youtube.com", r"/redirect", parameter("q")),
    Rule("youtube.com", r"/attribution_link", unwrapping.youtube_attribution),
    Rule("youtu.be y2u.be", r"/", unwrapping.youtube_video),
    Rule("steamcommunity.com", r"/linkfilter", parameter("url", "u")),
    Rule("steamcommunity.com", r"/linkfilter", whole_query),
    Rule("deviantart.com", r"/(?:.*/)?outgoing$", whole_query),
    Rule("vk.com vk.ru", r"/(?:away|share)\.php", parameter("to", "url")),
    Rule("t.me telegram.me", r"/(?:share/url|iv)$", parameter("url")),
    Rule("twitter.com x.com", r"/(?:share|intent/tweet|intent/post|i/redirect)", parameter("url")),
    Rule("news.ycombinator.com", r"/submitlink", parameter("u")),
    Rule("slack-redir.net slack.com", r"/link", parameter("url")),
    Rule("gate.sc exit.sc soundcloud.com", r"/$", parameter("url")),
    Rule("disq.us", r"/url", unwrapping.disqus),
    Rule("medium.com",
         r"/(?:r/|m/(?:global-identity|signin))", parameter("url", "redirectUrl", "redirect")),
    Rule("curseforge.com", r"/linkout", parameter("remoteUrl")),
    Rule("outgoing.prod.mozaws.net prod.outgoing.prod.webservices.mozgcp.net",
         r"/v1/", rest(r"/v1/[0-9a-f]{64}/")),
    Rule("href.li anonym.to anonym.es nullrefer.com hidereferrer.com dereferer.me",
         r"/$", whole_query),
    # mail guards
    Rule("safelinks.protection.outlook.com safelinks.protection.office365.us "
         "statics.teams.cdn.office.net",
         r"/", parameter("url")),
    Rule("urldefense.com urldefense.proofpoint.com urldefense.us", r"/v1/", parameter("u")),
    Rule("urldefense.com urldefense.proofpoint.com urldefense.us",
         r"/v2/", unwrapping.proofpoint_2),
    Rule("urldefense.com urldefense.proofpoint.com urldefense.us",
         r"/v3/", unwrapping.proofpoint_3),
    Rule("linkprotect.cudasvc.com", r"/url", parameter("a")),
    Rule("secure-web.cisco.com", r"/", rest(r"/[^/]+/(?=https?(?::|%3[Aa]))")),
    Rule("menlosecurity.com", r"/", rest(r"/(?:[^/]+/)*?(?=https?:/)")),
    Rule("clicktime.symantec.com scanmail.trustwave.com", r"/", parameter("u")),
    # newsletters and press wires
    Rule("awstrack.me", r"/[LI]0/", segment(r"/[LI]0/([^/]+)")),
    Rule("substack.com", r"/redirect/2/", in_token(r"/redirect/2/([\w-]+)", "e")),
    Rule("substack.com", r"/redirect/", parameter("uri")),
    Rule("lnks.gd", r"/l/", in_token(r"/l/[\w-]+\.([\w-]+)", "url")),
    Rule("links.govdelivery.com", r"/track", rest(r"/track\?.*?(?=https?:)")),
    Rule("customeriomail.com", r"/e/c/", in_token(r"/e/c/([\w-]+)", "href")),
    Rule("mandrillapp.com", r"/track/click", unwrapping.mandrill),
    Rule("*", r"/Prod/link-tracker", in_base64("redirectUrl")),
    Rule("click.pstmrk.it", r"/[23]", segment(r"/[23][tsm]*/([^/]+)", "https://")),
    Rule("mailchimp.com", r"/mctx/clicks", parameter("url")),
    Rule("streak-link.com streaklinks.com", r"/", segment(r"/[^/]+/(.+)")),
    Rule("mailtrack.io mailpanion.com app.hive.co lever-analytics.com icptrack.com "
         "squarespace-mail.com",
         r"/", parameter("url", "destination", "next", "dest", "u")),
    Rule("cts.businesswire.com edge.prnewswire.com c212.net", r"/", parameter("url", "u")),
    Rule("cc.zdnet.com cc.cnet.com cc.mashable.com scribblelive.com",
         r"/(?:v1/|r)", parameter("url", "u")),
    # archives and other views
    Rule("web.archive.org archive.org", r"/web/\d", rest(r"/web/\d{1,14}(?:[a-z]{2}_)?\*?/")),
    Rule("archive.today archive.ph archive.is archive.li archive.md archive.vn archive.fo",
         r"/",
         rest(r"/(?:newest|oldest|timegate|timemap|\d{4,14}|[\d.-]{10,17}|o/\w+)/(?=https?:)")),
    Rule("translate.goog", r"/", unwrapping.translated),
    Rule("translate.google.* google.*", r"/(?:translate|website)", parameter("u")),
    Rule("12ft.io outline.com freedium.cfd scribe.rip r.jina.ai", r"/https?:/", rest(r"/")),
    Rule("12ft.io", r"/proxy", parameter("q")),
    # ads and shops' partners: some papers write all their links so
    Rule("skimresources.com redirectingat.com skimlinks.com digidip.net tradedoubler.com "
         "effiliation.com avantlink.com pepperjamnetwork.com dpbolvw.net jdoqocy.com "
         "kqzyfj.com tkqlhce.com anrdoezrs.net gopjn.com pjatr.com pjtra.com pntra.com "
         "pntrac.com pntrs.com shop-links.co howl.me narrativ.com bam-x.com "
         "flexlinkspro.com flexlinks.com srvtrck.com smartredirect.de exactag.com "
         "prsm1.com wordseed.com",
         r"/", parameter("url", "_td_deeplink")),
    Rule("dpbolvw.net jdoqocy.com kqzyfj.com tkqlhce.com anrdoezrs.net",
         r"/links/", rest(r".*?/dlg/")),
    Rule("viglink.com sjv.io pxf.io evyy.net dttq.net 7eer.net ojrq.net goto.target.com "
         "goto.walmart.com kelkoogroup.net",
         r"/", parameter("u", "return", "url")),
    Rule("awin1.com zenaps.com", r"/", parameter("ued", "p", "pr")),
    Rule("linksynergy.com", r"/", parameter("murl")),
    Rule("shareasale.com shareasale-analytics.com",
         r"/r\.cfm", unwrapping.shareasale),
    Rule("admitad.com alitems.com ad.admitad.com", r"/", parameter("ulp")),
    Rule("webgains.com", r"/", parameter("wgtarget")),
    Rule("partner-ads.com", r"/", parameter("htmlurl")),
    Rule("prf.hn", r"/click/", rest(r"/click/.*?/destination:")),
    Rule("rover.ebay.com", r"/rover", parameter("mpre")),
    Rule("adform.net", r"/C/", parameter("ckurl")),
    Rule("app.adjust.com", r"/", parameter("redirect", "deep_link")),
    Rule("demdex.net", r"/", parameter("d_rd")),
    Rule("valuecommerce.com valuecommerce.ne.jp", r"/", parameter("vc_url")),
    Rule("*", r"/c/\d+/\d+/\d+$", parameter("u")),
    Rule("geni.us georiot.com", r"/", parameter("GR_URL")),
)  # fmt: skip

# What stands in every address that a rule for any host reads: most others need not be looked at.
MARKS = ("redirectUrl=", "u=http")

# Where only the network knows: "host", or "host/path" that the path begins with. A reader's click
# is answered with a redirect; anything that wants a browser is not here.
FORWARDERS = (
    # feed proxies
    "feedproxy.google.com", "feeds.feedburner.com/~r/", "feeds.feedblitz.com/~/",
    # services for everyone
    "t.co", "bit.ly", "j.mp", "tinyurl.com", "is.gd", "v.gd", "ow.ly", "buff.ly",
    "dlvr.it", "trib.al", "ift.tt", "rebrand.ly", "cutt.ly", "t.ly", "tiny.cc", "shorturl.at",
    "soc.cr", "spr.ly", "hubs.ly", "hubs.la", "zpr.io", "goo.gl", "lnkd.in", "fb.me", "redd.it",
    "flip.it", "wp.me", "a.co", "amzn.to", "g.co", "aka.ms", "git.io",
    "shar.es", "su.pr", "mol.im", "crwd.fr", "po.st", "qoo.ly", "vk.cc", "clck.ru",
    # publishers' own
    "reut.rs", "nyti.ms", "bbc.in", "wapo.st", "on.ft.com", "on.wsj.com", "econ.st",
    "cnn.it", "cnb.cx", "bloom.bg", "apne.ws", "n.pr", "gu.com", "politi.co", "huff.to", "tcrn.ch",
    "engt.co", "zd.net", "cnet.co", "usat.ly", "lat.ms", "abcn.ws", "cbsn.ws", "nbcnews.to",
    "fxn.ws", "wrd.cm", "nyer.cm", "ti.me", "bzfd.it", "nyp.st", "dailym.ai", "ind.pn", "thetim.es",
    "aje.io", "sc.mp", "str.sg", "p.dw.com", "ebx.sh", "bit.do", "tgam.ca", "thr.cm",
    "spon.de", "sz.de", "lemde.fr",
    "rfi.my", "f24.my", "u.afp.com", "jtim.es", "axios.link",
    # newsletters
    "substack.com/redirect/", "list-manage.com/track/click", "link.mail.beehiiv.com",
    "click.convertkit-mail.com", "links.tldrnewsletter.com",
    "sendgrid.net/ls/click", "ct.sendgrid.net",
)  # fmt: skip

# Where a script in a browser knows: the newer ids of Google News. Comparing goes by the title, and
# the feed itself names the publisher.
SEALED = ("news.google.com/rss/articles/", "news.google.com/articles/", "news.google.com/read/")


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
