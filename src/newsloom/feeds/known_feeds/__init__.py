"""Where sites that many people read keep their feeds, told from an address alone. Pure.

Each rule is a row of KNOWN: the hosts it speaks for, and what it makes of a path. A rule stands
here when its form is the site's own and lasting; whatever a page names for itself is left to
discovery.py. What looks like an address of software that runs on any host (Mastodon, Lemmy) is
only guessed at, in `likely_feeds`, once the page has named nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from newsloom.feeds.known_feeds import sites
from newsloom.feeds.known_feeds.sites import Address, Feeds, KnownFeed, address_of, is_feed


@dataclass(frozen=True, slots=True)
class Rule:
    """What the addresses of one site lead to, or of hosts that begin or end alike."""

    name: str
    hosts: tuple[str, ...]  # ".x.org": all below x.org; "x.": all that begin so
    feeds: Callable[[Address], Feeds]

    def speaks_for(self, host: str) -> bool:
        return any(
            host == one
            or (one[0] == "." and host.endswith(one))
            or (one.endswith(".") and host.startswith(one))
            for one in self.hosts
        )


def known_feeds(url: str) -> Feeds:
    """The feeds behind an address of a site that is known, the likeliest to be meant first."""
    address = address_of(url)
    if address is None or is_feed(address):
        return ()
    found = [
        feed for rule in KNOWN if rule.speaks_for(address.host) for feed in rule.feeds(address)
    ]
    return tuple(dict.fromkeys(found))


def likely_feeds(url: str) -> Feeds:
    """Where software that runs on many hosts would keep a feed, by the form of the address."""
    address = address_of(url)
    if address is None or is_feed(address):
        return ()
    found = [feed for guess in LIKELY for feed in guess(address)]
    return tuple(dict.fromkeys(found))


def feeds_in_page(url: str, html: str) -> Feeds:
    """Feeds of sites whose pages name them in a way of their own."""
    address = address_of(url)
    if address is None:
        return ()
    for hosts, pattern, feed in IN_PAGE:
        if address.host in hosts and (found := pattern.search(html)):
            return (KnownFeed(feed.format(next(one for one in found.groups() if one))),)
    return ()


def page_of_handle(typed: str) -> str:
    """The address that something which is none stands for: "@ann@mastodon.example", "r/python".

    "" when it stands for none that is known.
    """
    for pattern, page in HANDLES:
        if found := pattern.fullmatch(typed.strip()):
            return page.format(**found.groupdict())
    return ""


def without_feed(url: str) -> str:
    """Why a site can have no feed for this address, in words; "" for all others."""
    address = address_of(url)
    return next((words for host, words in WITHOUT if address and address.host == host), "")


# Checked against what other feed finders and the sites' own pages say; see docs/use/feeds.md.
KNOWN = (
    Rule("YouTube", ("youtube.com", "m.youtube.com", "music.youtube.com"), sites.youtube),
    Rule("Reddit", ("reddit.com", "old.reddit.com", "new.reddit.com"), sites.reddit),
    Rule("GitHub", ("github.com",), sites.github),
    Rule("GitHub gists", ("gist.github.com",), sites.gist),
    Rule("GitLab", ("gitlab.com", "gitlab."), sites.gitlab),
    Rule("Forgejo and Gitea", ("codeberg.org", "gitea.com", "gitea.", "forgejo."), sites.gitea),
    Rule(
        "Mastodon",
        (
            "mastodon.", "mstdn.", "chaos.social", "fosstodon.org", "hachyderm.io",
            "infosec.exchange", "mas.to", "social.", "techhub.social",
        ),
        sites.mastodon,
    ),
    Rule("Bluesky", ("bsky.app",), sites.bluesky),
    Rule(
        "Lemmy",
        ("lemmy.", "programming.dev", "beehaw.org", "sh.itjust.works", "feddit."),
        sites.lemmy_server,
    ),
    Rule("Medium", ("medium.com", ".medium.com"), sites.medium),
    Rule("Substack", (".substack.com",), sites.substack),
    Rule("Tumblr", ("tumblr.com", ".tumblr.com"), sites.tumblr),
    Rule("WordPress.com", (".wordpress.com",), sites.wordpress),
    Rule("Blogger", (".blogspot.com",), sites.blogger),
    Rule(
        "Stack Exchange",
        (
            "stackoverflow.com", "superuser.com", "serverfault.com", "askubuntu.com",
            "mathoverflow.net", "stackapps.com", ".stackexchange.com",
        ),
        sites.stack_exchange,
    ),
    Rule("Hacker News", ("news.ycombinator.com",), sites.hacker_news),
    Rule("arXiv", ("arxiv.org", "export.arxiv.org"), sites.arxiv),
    Rule("Vimeo", ("vimeo.com",), sites.vimeo),
    Rule("DEV", ("dev.to",), sites.dev_to),
)  # fmt: skip


# By form alone, for pages that name no feed.
LIKELY: tuple[Callable[[Address], Feeds], ...] = (
    sites.mastodon,
    sites.lemmy,
    sites.misskey,
    sites.pleroma,
)

# Hosts, what to look for in a page of theirs, and the feed that follows from it. A channel's page
# names other channels too; only these forms are its own.
IN_PAGE: tuple[tuple[tuple[str, ...], re.Pattern[str], str], ...] = (
    (
        ("youtube.com", "m.youtube.com"),
        re.compile(
            r"""<link rel="canonical" href="https://www\.youtube\.com/channel/(UC[\w-]{22})"""
            r"""|"externalId":\s?"(UC[\w-]{22})\""""
            r"""|<meta itemprop="(?:identifier|channelId)" content="(UC[\w-]{22})\"""",
            re.ASCII,
        ),
        f"{sites.VIDEOS}?channel_id={{}}",
    ),
    (
        ("soundcloud.com", "m.soundcloud.com"),
        re.compile(r"content=\"soundcloud://users:([0-9]{1,15})\""),
        "https://feeds.soundcloud.com/users/soundcloud:users:{}/sounds.rss",
    ),
)

# What people type that is no address.
HANDLES = (
    (
        re.compile(
            r"(?:acct:)?@?(?P<user>[A-Za-z0-9_][A-Za-z0-9_.-]{0,99})"
            r"@(?P<host>[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+(?::[0-9]{1,5})?)"
        ),
        "https://{host}/@{user}",
    ),
    (re.compile(r"/?r/(?P<name>[A-Za-z0-9_+]{2,100})/?"), "https://www.reddit.com/r/{name}"),
    (re.compile(r"/?u/(?P<name>[A-Za-z0-9_-]{2,40})/?"), "https://www.reddit.com/user/{name}"),
)

# Their pages name no feed, and asking them is of no use.
WITHOUT = (
    (
        "podcasts.apple.com",
        "Apple Podcasts does not publish the feed. Paste the URL of the podcast's own site.",
    ),
)
