"""Readers elsewhere whose articles are ranked."""

from __future__ import annotations

from dataclasses import dataclass

from newsloom.kernel.settings.declaring import doc


@dataclass(frozen=True, slots=True)
class TtrssSettings:
    """A Tiny Tiny RSS whose articles are ranked, through its PostgreSQL database."""

    database: str = doc(
        "PostgreSQL address of Tiny Tiny RSS, as postgresql://user:password@host/name; empty: "
        "none.",
        "",
    )
    users: tuple[str, ...] = doc("Users whose articles are ranked; empty: all.", ())
    every_minutes: float = doc("Minutes between two synchronisations by `serve`.", 30.0, least=1)
    liked: str = doc("What counts as liked: read or nothing.", "read")
    disliked: str = doc("What counts as disliked: published or nothing.", "published")
    starred: str = doc("What counts as strongly liked: starred or nothing.", "starred")
    days: int = doc("Days of articles to read on the first run.", 365, least=1)
    sensitivity_table: bool = doc("Write the table time_sensitivity.", False)
    mark_titles: bool = doc('Write score and "(TS: n)" into titles.', False)


@dataclass(frozen=True, slots=True)
class GreaderSettings:
    """A server of the Google Reader API (FreshRSS, Miniflux) whose articles are ranked."""

    url: str = doc(
        "Address of the server, such as https://host/api/greader.php for FreshRSS; empty: none.", ""
    )
    user: str = doc("User name.", "")
    password: str = doc("API password of the user.", "")
    every_minutes: float = doc("Minutes between two synchronisations by `serve`.", 30.0, least=1)
    label: str = doc("Label for the best unread articles; empty: none.", "newsloom-top")
    top: int = doc("Number of articles with that label.", 100, least=1)
    like_label: str = doc("Label that means liked; empty: none.", "newsloom-like")
    dislike_label: str = doc("Label that means disliked; empty: none.", "newsloom-dislike")
    liked: str = doc("What else counts as a weak like: read or nothing.", "read")
    write_marks: bool = doc("Write your likes and dislikes back as labels.", False)
    days: int = doc("Days of articles to read on the first run.", 30, least=1)
