"""Feeds of communities and accounts. One function a site or a kind of server."""

from __future__ import annotations

import re
from urllib.parse import quote

from newsloom.feeds.known_feeds.address import Address, Feeds, KnownFeed, joined

_REDDIT = "https://www.reddit.com"
_SORTS = frozenset({"new", "hot", "top", "rising", "controversial", "best"})


def reddit(address: Address) -> Feeds:
    parts = address.parts
    if not parts:
        return (KnownFeed(f"{_REDDIT}/.rss", "Front page"),)
    if parts[-1] == "search" and address.query.get("q"):
        search = joined(_REDDIT, *parts[:-1], "search.rss")
        return (KnownFeed(f"{search}?{address.raw_query}", f"Search: {address.query['q']}"),)
    if parts[0] == "r" and len(parts) == 2:
        base = joined(_REDDIT, "r", parts[1])
        return (
            KnownFeed(f"{base}/.rss", f"r/{parts[1]}: hot"),
            KnownFeed(f"{base}/new/.rss", f"r/{parts[1]}: new"),
            KnownFeed(f"{base}/top/.rss?t=week", f"r/{parts[1]}: best of the week"),
        )
    sorted_ = parts[0] == "r" and len(parts) == 3 and parts[2] in _SORTS
    comments = parts[0] == "r" and parts[2:3] == ("comments",) and len(parts) >= 4
    if sorted_ or comments or (parts[0] == "domain" and len(parts) == 2):
        query = f"?{address.raw_query}" if sorted_ and address.raw_query else ""
        return (KnownFeed(f"{joined(_REDDIT, *parts)}/.rss{query}", "/".join(parts[:2])),)
    return _reddit_user(parts)


def _reddit_user(parts: tuple[str, ...]) -> Feeds:
    if parts[0] not in {"u", "user"} or len(parts) < 2:
        return ()
    if parts[2:3] == ("m",) and len(parts) == 4:
        many = joined(_REDDIT, "user", parts[1], "m", parts[3])
        return (KnownFeed(f"{many}/.rss", f"Multireddit {parts[3]}"),)
    if len(parts) == 2 or parts[2] in {"submitted", "comments"}:
        base = joined(_REDDIT, "user", *parts[1:3])
        return (KnownFeed(f"{base}/.rss", f"u/{parts[1]}"),)
    return ()


_USER = re.compile(r"@([\w.-]{1,100})(?:@([\w-]+(?:\.[\w-]+)+(?::\d{1,5})?))?", re.ASCII)


def mastodon(address: Address) -> Feeds:
    """An account, on its own server also when another shows it; one of its tags; a tag."""
    user = _USER.fullmatch(address.at(0))
    if user:
        origin = f"https://{user[2]}" if user[2] else address.origin
        base = f"{origin}/@{user[1]}"
        if address.at(1) == "tagged" and address.at(2):
            return (KnownFeed(f"{joined(base, 'tagged', address.at(2))}.rss"),)
        return (KnownFeed(f"{base}.rss"),)
    if address.at(0) in {"users", "tags"} and len(address.parts) == 2:
        return (KnownFeed(f"{joined(address.origin, *address.parts)}.rss"),)
    return ()


def bluesky(address: Address) -> Feeds:
    who = address.at(1)
    if address.at(0) != "profile" or not re.fullmatch(r"[\w.:-]{3,253}", who, re.ASCII):
        return ()
    return (KnownFeed(f"{address.origin}/profile/{who}/rss", "Posts"),)


_COMMUNITY = re.compile(r"(\w{1,100})(?:@([\w-]+(?:\.[\w-]+)+))?", re.ASCII)


def lemmy(address: Address) -> Feeds:
    """A community or a person, asked of the server that is theirs."""
    kind, found = address.at(0), _COMMUNITY.fullmatch(address.at(1))
    if kind in {"c", "u"} and len(address.parts) == 2 and found:
        origin = f"https://{found[2]}" if found[2] else address.origin
        return (KnownFeed(f"{origin}/feeds/{kind}/{found[1]}.xml?sort=New"),)
    return ()


def lemmy_server(address: Address) -> Feeds:
    local = KnownFeed(f"{address.origin}/feeds/local.xml?sort=New", "This server")
    everything = KnownFeed(f"{address.origin}/feeds/all.xml?sort=New", "All servers")
    return lemmy(address) or ((local, everything) if not address.parts else ())


def misskey(address: Address) -> Feeds:
    user = _USER.fullmatch(address.at(0))
    return (KnownFeed(f"{address.origin}/@{user[1]}.atom"),) if user and not user[2] else ()


def pleroma(address: Address) -> Feeds:
    user = _USER.fullmatch(address.at(0))
    name = user[1] if user and not user[2] else ""
    return (KnownFeed(f"{address.origin}/users/{name}/feed.atom"),) if name else ()


def stack_exchange(address: Address) -> Feeds:
    first, second = address.at(0), address.at(1)
    if first == "questions" and second == "tagged":
        tag = address.at(2)
        if not tag or " " in tag or "+" in tag:
            return ()  # several tags: the page names the feed
        tags = f"{address.origin}/feeds/tag?tagnames={quote(tag, safe='')}&sort=newest"
        return (KnownFeed(tags, f"Questions on {tag}"),)
    if first in {"questions", "users"} and second.isascii() and second.isdigit():
        kind = first.removesuffix("s")
        return (KnownFeed(f"{address.origin}/feeds/{kind}/{second}", f"This {kind}"),)
    if not first or address.parts == ("questions",):
        return (KnownFeed(f"{address.origin}/feeds", "Newest questions"),)
    return ()


def hacker_news(address: Address) -> Feeds:
    front = KnownFeed(f"{address.origin}/rss", "Front page")
    show = KnownFeed(f"{address.origin}/showrss", "Show HN")
    return (show, front) if address.at(0) in {"show", "shownew"} else (front, show)
