"""Readers elsewhere whose articles are ranked."""

from __future__ import annotations

from dataclasses import dataclass

from newsloom.settings.declaring import doc


@dataclass(frozen=True, slots=True)
class TtrssSettings:
    """A Tiny Tiny RSS whose articles are ranked, through its PostgreSQL database."""

    database: str = doc("Its address, as postgresql://user:password@host/name; empty: none.", "")
    users: tuple[str, ...] = doc("Whose articles are ranked; empty: every user's.", ())
    every_minutes: float = doc("How often `serve` synchronises.", 30.0, least=1)
    liked: str = doc("What counts as liked: read, or nothing.", "read")
    disliked: str = doc("What counts as disliked: published, or nothing.", "published")
    starred: str = doc("What counts as strongly liked: starred, or nothing.", "starred")
    days: int = doc("How many days back articles are read on the first run.", 365, least=1)
    sensitivity_table: bool = doc("Whether the time_sensitivity table is written.", False)
    mark_titles: bool = doc('Whether titles get the score before and "(TS: n)" behind them.', False)


@dataclass(frozen=True, slots=True)
class GreaderSettings:
    """A server of the Google Reader API (FreshRSS, Miniflux) whose articles are ranked."""

    url: str = doc(
        "Its address, such as https://host/api/greader.php for FreshRSS; empty: none.", ""
    )
    user: str = doc("The name to log in with.", "")
    password: str = doc("The API password of that user.", "")
    every_minutes: float = doc("How often `serve` synchronises.", 30.0, least=1)
    label: str = doc("The label that the best unread articles get.", "newsloom-top")
    top: int = doc("How many articles carry it.", 100, least=1)
    like_label: str = doc("The label that means liked; empty: none does.", "newsloom-like")
    dislike_label: str = doc("The label that means disliked; empty: none does.", "newsloom-dislike")
    liked: str = doc("What else counts as liked, a little: read, or nothing.", "read")
    write_marks: bool = doc("Whether what is liked or disliked here gets its label there.", False)
    days: int = doc("How many days back articles are read on the first run.", 30, least=1)
