"""Feeds of blogs, papers and films. One function a site."""

from __future__ import annotations

import re

from newsloom.feeds.known_feeds.address import Address, Feeds, KnownFeed, is_name, joined

VIDEOS = "https://www.youtube.com/feeds/videos.xml"
_CHANNEL = re.compile(r"UC[A-Za-z0-9_-]{22}")
# Lists that a person or a channel made; those of a radio or a mix have no feed.
_PLAYLIST = re.compile(r"(?:PL|UU|FL|OL)[A-Za-z0-9_-]{10,60}")


def youtube(address: Address) -> Feeds:
    if address.at(0) == "channel" and _CHANNEL.fullmatch(address.at(1)):
        return (KnownFeed(f"{VIDEOS}?channel_id={address.at(1)}", "Videos"),)
    playlist = address.query.get("list", "")
    if address.at(0) in {"playlist", "watch"} and _PLAYLIST.fullmatch(playlist):
        return (KnownFeed(f"{VIDEOS}?playlist_id={playlist}", "Playlist"),)
    return ()


_NOT_MEDIUM = frozenset(
    {"m", "me", "p", "search", "topic", "topics", "plans", "about", "new-story"}
)


def medium(address: Address) -> Feeds:
    if address.host != "medium.com":
        return (KnownFeed(f"{address.origin}/feed", "Stories"),)
    first, second = address.at(0), address.at(1)
    if first == "tag" and second:
        return (KnownFeed(joined("https://medium.com/feed/tag", second), f"Tag {second}"),)
    if not first or first in _NOT_MEDIUM:
        return ()
    return (KnownFeed(joined("https://medium.com/feed", first), "Stories"),)


def substack(address: Address) -> Feeds:
    return (KnownFeed(f"{address.origin}/feed", "Posts"),)


_NOT_TUMBLR = frozenset(
    {
        "dashboard",
        "explore",
        "login",
        "register",
        "search",
        "tagged",
        "settings",
        "about",
        "policy",
        "docs",
    }
)


def tumblr(address: Address) -> Feeds:
    if address.host != "tumblr.com":
        tagged = address.at(0) == "tagged" and address.at(1)
        place = ("tagged", address.at(1)) if tagged else ()
        return (KnownFeed(joined(address.origin, *place, "rss"), "Posts"),)
    parts = address.parts[1:] if address.at(0) == "blog" else address.parts
    blog = parts[0] if parts else ""
    if blog in _NOT_TUMBLR or not re.fullmatch(r"[A-Za-z0-9-]{1,32}", blog):
        return ()
    return (KnownFeed(f"https://{blog}.tumblr.com/rss", "Posts"),)


def wordpress(address: Address) -> Feeds:
    if address.at(0) in {"category", "tag", "author"} and address.at(1):
        place = joined(address.origin, *address.parts[:2])
        return (KnownFeed(f"{place}/feed/", address.at(1)),)
    return (
        KnownFeed(f"{address.origin}/feed/", "Posts"),
        KnownFeed(f"{address.origin}/comments/feed/", "Comments"),
    )


def blogger(address: Address) -> Feeds:
    if address.parts[:2] == ("search", "label") and address.at(2):
        label = joined(f"{address.origin}/feeds/posts/default/-", address.at(2))
        return (KnownFeed(label, address.at(2)),)
    return (
        KnownFeed(f"{address.origin}/feeds/posts/default", "Posts"),
        KnownFeed(f"{address.origin}/feeds/comments/default", "Comments"),
    )


_ARXIV = re.compile(r"[a-z-]{2,10}(?:\.[A-Za-z-]{2,8})?(?:\+[a-z-]{2,10}(?:\.[A-Za-z-]{2,8})?)*")


def arxiv(address: Address) -> Feeds:
    subject = address.at(1)
    if address.at(0) not in {"list", "archive"} or not _ARXIV.fullmatch(subject):
        return ()
    return (
        KnownFeed(f"https://rss.arxiv.org/rss/{subject}", f"arXiv {subject}"),
        KnownFeed(f"https://rss.arxiv.org/atom/{subject}", f"arXiv {subject}, as Atom"),
    )


_NOT_VIMEO = frozenset(
    {
        "about",
        "blog",
        "categories",
        "create",
        "enterprise",
        "features",
        "help",
        "join",
        "log_in",
        "manage",
        "ondemand",
        "ott",
        "pricing",
        "search",
        "settings",
        "showcase",
        "solutions",
        "stock",
        "upgrade",
        "upload",
        "watch",
    }
)


def vimeo(address: Address) -> Feeds:
    first, second = address.at(0), address.at(1)
    if first == "channels" and is_name(second):
        return (KnownFeed(f"https://vimeo.com/channels/{second}/videos/rss", "Videos"),)
    if first in _NOT_VIMEO or first.isdigit() or first == "groups" or not is_name(first):
        return ()
    return (KnownFeed(f"https://vimeo.com/{first}/videos/rss", "Videos"),)


def dev_to(address: Address) -> Feeds:
    if address.at(0) == "t" and address.at(1):
        return (KnownFeed(joined("https://dev.to/feed/tag", address.at(1)), address.at(1)),)
    if not address.parts:
        return (KnownFeed("https://dev.to/feed", "Articles"),)
    return (KnownFeed(joined("https://dev.to/feed", address.at(0)), "Articles"),)
