"""Feeds of code: releases, tags, commits. One function a site."""

from __future__ import annotations

from newsloom.feeds.known_feeds.address import Address, Feeds, KnownFeed, is_name, joined

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
