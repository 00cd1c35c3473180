"""Feeds of sites whose addresses tell them. One function a site or a kind of server.

First communities and accounts, then code, then blogs, papers and films.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from urllib.parse import parse_qs, quote, unquote, urlsplit

_LONGEST = 2_000

_REDDIT = "https://www.reddit.com"
_SORTS = frozenset({"new", "hot", "top", "rising", "controversial", "best"})


@dataclass(frozen=True, slots=True)
class KnownFeed:
    """A feed, and what it is beside the others of its page."""

    url: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class Address:
    """An address in parts."""

    origin: str  # scheme, host and port
    host: str  # in lower case, without www
    parts: tuple[str, ...]  # of the path, unescaped
    query: Mapping[str, str]
    raw_query: str

    def at(self, index: int) -> str:
        return self.parts[index] if index < len(self.parts) else ""


Feeds = tuple[KnownFeed, ...]


def address_of(url: str) -> Address | None:
    if len(url) > _LONGEST:
        return None
    try:
        split = urlsplit(url)
        host = (split.hostname or "").lower().rstrip(".").removeprefix("www.")
        origin = f"https://{split.netloc.rpartition('@')[2]}" if host else ""
    except ValueError:
        return None
    if split.scheme not in {"http", "https"} or not host:
        return None
    if split.scheme == "http":
        origin = origin.replace("https:", "http:", 1)
    query = {name: values[0] for name, values in parse_qs(split.query[:_LONGEST]).items()}
    return Address(
        origin=origin,
        host=host,
        parts=tuple(unquote(part) for part in split.path.split("/") if part),
        query=MappingProxyType(query),
        raw_query=split.query,
    )


_FEED = re.compile(r".*\.(?:rss|atom|xml|json)|feeds?|rss|atom|rdf", re.IGNORECASE)


def is_feed(address: Address) -> bool:
    """Whether an address looks like that of a feed, which is then fetched unchanged."""
    return bool(address.parts) and _FEED.fullmatch(address.parts[-1]) is not None


def joined(origin: str, *parts: str) -> str:
    return "/".join([origin, *(quote(part, safe="@:+~!$&'()*,;=.-_") for part in parts)])


_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]{0,99}")


def is_name(part: str) -> bool:
    return _NAME.fullmatch(part) is not None


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


# Feeds of code: releases, tags, commits.

_NOT_GITHUB_USERS = frozenset(
    {
        "about",
        "account",
        "apps",
        "blog",
        "collections",
        "contact",
        "customer-stories",
        "enterprise",
        "events",
        "explore",
        "features",
        "gist",
        "issues",
        "join",
        "login",
        "marketplace",
        "new",
        "notifications",
        "orgs",
        "organizations",
        "pricing",
        "pulls",
        "readme",
        "search",
        "security",
        "settings",
        "signup",
        "site",
        "sponsors",
        "stars",
        "team",
        "topics",
        "trending",
        "watching",
    }
)


def github(address: Address) -> Feeds:
    owner, repo, view = address.at(0), address.at(1), address.at(2)
    if owner == "orgs" and is_name(repo):
        return (KnownFeed(joined(address.origin, f"{repo}.atom"), "Activity"),) if not view else ()
    if owner in _NOT_GITHUB_USERS or not is_name(owner):
        return ()
    if not repo:
        return (KnownFeed(joined(address.origin, f"{owner}.atom"), "Activity"),)
    base = joined(address.origin, owner, repo.removesuffix(".git"))
    feeds = {
        "releases": KnownFeed(f"{base}/releases.atom", "Releases"),
        "tags": KnownFeed(f"{base}/tags.atom", "Tags"),
        "commits": KnownFeed(f"{base}/commits.atom", "Commits"),
        "wiki": KnownFeed(f"{base}/wiki.atom", "Wiki"),
        "discussions": KnownFeed(f"{base}/discussions.atom", "Discussions"),
    }
    if view in {"commits", "tree"} and len(address.parts) > 3:
        place = joined("", *address.parts[3:])
        return (KnownFeed(f"{base}/commits{place}.atom", f"Commits{place}"),)
    if view in feeds:
        return (feeds[view],)
    return tuple(feeds[one] for one in ("releases", "commits", "tags"))


def gist(address: Address) -> Feeds:
    owner = address.at(0)
    if len(address.parts) != 1 or not is_name(owner) or owner in {"discover", "search"}:
        return ()
    return (KnownFeed(joined(address.origin, f"{owner}.atom"), "Gists"),)


_NOT_GITLAB = frozenset({"explore", "help", "users", "groups", "dashboard", "search", "-"})


def gitlab(address: Address) -> Feeds:
    if address.at(0) in _NOT_GITLAB or not address.parts:
        return ()
    parts = address.parts
    cut = parts.index("-") if "-" in parts else len(parts)
    project, view = parts[:cut], parts[cut + 1 :]
    base = joined(address.origin, *project)
    activity = KnownFeed(f"{base}.atom", "Activity")
    if len(project) < 2:
        return (activity,)
    releases = KnownFeed(f"{base}/-/releases.atom", "Releases")
    tags = KnownFeed(f"{base}/-/tags?format=atom", "Tags")
    if view[:1] == ("issues",) and len(view) == 1:
        return (KnownFeed(f"{base}/-/issues.atom", "Issues"),)
    if view[:1] in {("commits",), ("tree",)} and len(view) > 1:
        commits = joined(base, "-", "commits", view[1])
        return (KnownFeed(f"{commits}?format=atom", f"Commits/{view[1]}"),)
    return (tags,) if view[:1] == ("tags",) else (releases, tags, activity)


def gitea(address: Address) -> Feeds:
    owner, repo, view = address.at(0), address.at(1), address.at(2)
    if owner in {"explore", "user", "org", "api", "assets", "-"} or not is_name(owner):
        return ()
    if not repo:
        return (KnownFeed(joined(address.origin, f"{owner}.rss"), "Activity"),)
    base = joined(address.origin, owner, repo)
    if view == "src" and address.at(3) == "branch" and address.at(4):
        branch = joined(base, "rss", "branch", address.at(4))
        return (KnownFeed(branch, f"Commits/{address.at(4)}"),)
    releases, tags = (KnownFeed(f"{base}/{one}.rss", one.title()) for one in ("releases", "tags"))
    return (tags,) if view == "tags" else (releases, tags, KnownFeed(f"{base}.rss", "Activity"))


# Feeds of blogs, papers and films.

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
