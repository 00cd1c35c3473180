"""Which source a host belongs to: its registrable domain, or a customer's name on a platform."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from newsloom.kernel.text import urls
from newsloom.kernel.text.hosts import upwards

# Platforms where anyone may publish: whoever writes there is a source of their own.


@dataclass(frozen=True, slots=True)
class Platform:
    """`domain` is what customers' names stand below, or their paths."""

    domain: str
    tier: int
    what: str


_LETTERS = "newsletter service: independent writers without editors"
_PAGES = "developer and project pages: anyone can publish"
_BLOGS = "blog service: anyone can publish under any name"
_NETWORK = "social network: anyone can publish under any name"

# Tier 4 where a writer usually has a name and a following, 5 where anybody has a page in a minute.
PLATFORMS = (
    *(
        Platform(domain, 4, _LETTERS)
        for domain in (
            "substack.com",
            "ghost.io",
            "beehiiv.com",
            "buttondown.email",
            "buttondown.com",
            "hashnode.dev",
            "bearblog.dev",
            "micro.blog",
        )
    ),
    *(
        Platform(domain, 4, _PAGES)
        for domain in (
            "github.io",
            "gitlab.io",
            "readthedocs.io",
            "codeberg.page",
            "sourceforge.io",
        )
    ),
    *(
        Platform(domain, 5, _BLOGS)
        for domain in (
            "medium.com",
            "wordpress.com",
            "tumblr.com",
            "blogger.com",
            "blogspot.com",
            "livejournal.com",
            "dreamwidth.org",
            "typepad.com",
            "over-blog.com",
            "weebly.com",
            "wixsite.com",
            "neocities.org",
            "hatenablog.com",
            "note.com",
            "netlify.app",
            "vercel.app",
            "pages.dev",
            "web.app",
            "herokuapp.com",
            "write.as",
            "writeas.com",
            "telegra.ph",
            "sites.google.com",
            "hubpages.com",
            "blog.jp",
            "tistory.com",
        )
    ),
    *(
        Platform(domain, 5, _NETWORK)
        for domain in (
            "facebook.com",
            "twitter.com",
            "x.com",
            "instagram.com",
            "tiktok.com",
            "youtube.com",
            "t.me",
            "telegram.org",
            "vk.com",
            "reddit.com",
            "quora.com",
            "bsky.app",
            "mastodon.social",
            "pinterest.com",
            "rumble.com",
            "bitchute.com",
        )
    ),
)
_BY_DOMAIN = {one.domain: one for one in PLATFORMS}
# "ann.blogspot.de" is at one of the national names of blogspot.com.
_BLOGSPOT = Platform("blogspot.com", 5, _BLOGS)


def platform_of(host: str) -> Platform | None:
    """The platform that a host in lower case is at, or is; None for one at none."""
    name = host
    while name:
        if name in _BY_DOMAIN:
            return _BY_DOMAIN[name]
        name = name.partition(".")[2]
    return _national(host)


def _national(host: str) -> Platform | None:
    labels = host.split(".")
    for place in range(max(len(labels) - 3, 0), len(labels) - 1):
        ending = labels[place + 1 :]
        if labels[place] == "blogspot" and _is_national(ending):
            return Platform(".".join(labels[place:]), _BLOGSPOT.tier, _BLOGSPOT.what)
    return None


def _is_national(ending: list[str]) -> bool:
    """ "de", "co.uk", "com.br": blogspot has been registered under all of these by one owner."""
    return len(ending[-1]) == 2 and (len(ending) == 1 or ending[:-1] in (["com"], ["co"]))


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
    return upwards(host, registered(host))
