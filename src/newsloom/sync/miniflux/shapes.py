"""Users, categories, feeds and entries as the Miniflux API gives them, in JSON. Pure.

Every field of Miniflux is there, as clients in typed languages expect; those for things that
Newsloom does otherwise have their usual values.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from newsloom.feeds.values.pages import SiteIcon
from newsloom.kernel.errors import NotFound
from newsloom.kernel.text.urls import without_password
from newsloom.reading.read_completion import needed, reading_minutes
from newsloom.reading.values.reading import Subscription
from newsloom.reading.values.syncing import StreamArticle, StreamPart
from newsloom.sync.texts import body_of, link, title_of

# The Miniflux whose API this is: clients ask for the version to know what they may use.
API_VERSION = "2.2.13"

# What Go writes for no time.
NEVER = "0001-01-01T00:00:00Z"

# An entry's files are numbered within it: its id times this, and the file's place from 1.
MOST_FILES = 1_000


@dataclass(frozen=True, slots=True)
class Category:
    """A category of feeds, or a folder that Newsloom fills (`own` is False)."""

    id: int
    title: str
    part: StreamPart
    own: bool

    def json(self, user: int) -> dict[str, Any]:
        return {"id": self.id, "title": self.title, "user_id": user, "hide_globally": False}


def time(at: datetime | None) -> str:
    """RFC 3339."""
    return NEVER if at is None else at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def user_of(number: int, name: str) -> dict[str, Any]:
    return {
        "id": number,
        "username": name,
        "is_admin": False,
        "theme": "system_serif",
        "language": "en_US",
        "timezone": "UTC",
        "entry_sorting_direction": "desc",
        "entry_sorting_order": "published_at",
        "stylesheet": "",
        "custom_js": "",
        "external_font_hosts": "",
        "google_id": "",
        "openid_connect_id": "",
        "entries_per_page": 100,
        "keyboard_shortcuts": True,
        "show_reading_time": True,
        "entry_swipe": True,
        "gesture_nav": "tap",
        "last_login_at": NEVER,  # Capy takes no null
        "display_mode": "standalone",
        "default_reading_speed": 238,
        "cjk_reading_speed": 500,
        "default_home_page": "unread",
        "categories_sorting_order": "alphabetical",
        "mark_read_on_view": True,
        "mark_read_behavior": "on_view",
        "media_playback_rate": 1,
        "block_filter_entry_rules": "",
        "keep_filter_entry_rules": "",
        "always_open_external_links": False,
        "open_external_links_in_new_tab": True,
    }


def feed_of(one: Subscription, category: Category, user: int, *, icon: bool) -> dict[str, Any]:
    return {
        "id": one.feed_id,
        "user_id": user,
        "feed_url": without_password(one.url),
        "site_url": link(one.site_url),
        "title": one.title,
        "description": "",
        "language": "",
        "checked_at": time(one.polled_at),
        "next_check_at": time(one.next_poll_at),
        "etag_header": "",
        "last_modified_header": "",
        "parsing_error_message": one.problem,
        "parsing_error_count": one.failures,
        "scraper_rules": "",
        "rewrite_rules": "",
        "urlrewrite_rules": "",
        "crawler": one.full_text,
        "blocklist_rules": "",
        "keeplist_rules": "",
        "block_filter_entry_rules": "",
        "keep_filter_entry_rules": "",
        "user_agent": "",
        "cookie": "",
        "username": "",
        "password": "",
        "disabled": one.dead,
        "no_media_player": False,
        "ignore_http_cache": False,
        "ignore_entry_updates": False,
        "allow_self_signed_certificates": False,
        "fetch_via_proxy": False,
        "hide_globally": False,
        "disable_http2": False,
        "proxy_url": "",
        "apprise_service_urls": "",
        "webhook_url": "",
        "ntfy_enabled": False,
        "ntfy_priority": 0,
        "ntfy_topic": "",
        "pushover_enabled": False,
        "pushover_priority": 0,
        "category": category.json(user),
        "icon": {"feed_id": one.feed_id, "icon_id": one.feed_id if icon else 0},
    }


def icon_of(feed: int, icon: SiteIcon) -> dict[str, Any]:
    """A site's icon, whose id is the feed's."""
    data = f"{icon.type};base64,{base64.b64encode(icon.body).decode()}"
    return {"id": feed, "mime_type": icon.type, "data": data}


def entry_of(
    one: StreamArticle, feed: Mapping[str, Any], user: int, dated: datetime
) -> dict[str, Any]:
    """An article. Its id is the number of its arrival at this reader, which only grows.

    `rating` (-1, 0, 1) is Newsloom's own.
    """
    listed, body = one.listed, body_of(one)
    return {
        "id": one.arrival,
        "user_id": user,
        "feed_id": listed.feed_id,
        "status": "read" if listed.state.read else "unread",
        "hash": hashlib.sha256(f"{listed.feed_id} {listed.id}".encode()).hexdigest(),
        "title": title_of(one),
        "url": link(listed.url),
        "comments_url": link(one.comments_url),
        "published_at": time(dated),
        "created_at": time(one.came),
        "changed_at": time(one.changed),
        "content": body,
        "language": listed.language,
        "author": listed.author,
        "share_code": "",
        "starred": listed.state.starred,
        "rating": listed.state.rating,
        "reading_time": reading_minutes(needed(body)),
        "enclosures": [enclosure_of(one, place, user) for place in _places(one)],
        "feed": feed,
        "tags": list(one.tags),
    }


def _places(one: StreamArticle) -> list[int]:
    files = one.enclosures[: MOST_FILES - 1]
    return [place for place, file in enumerate(files, 1) if link(file.url)]


def enclosure_of(one: StreamArticle, place: int, user: int) -> dict[str, Any]:
    """A file of an entry, by its place from 1. Raises NotFound."""
    if place not in _places(one):
        raise NotFound("resource not found")
    file = one.enclosures[place - 1]
    return {
        "id": one.arrival * MOST_FILES + place,
        "user_id": user,
        "entry_id": one.arrival,
        "url": file.url,
        "mime_type": file.type or "application/octet-stream",
        "size": file.length or 0,
        "media_progression": one.positions.get(file.url, 0),
    }
