"""Where the pages are reached."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from newsloom.settings import WebSettings

_EVERYWHERE = ("", "0.0.0.0", "::")  # noqa: S104 - compared with, not listened on


def page_address(settings: WebSettings) -> str:
    """From elsewhere, or on this machine where no such address is set; no slash at the end."""
    if settings.url:
        return settings.url.rstrip("/")
    host = "localhost" if settings.host in _EVERYWHERE else settings.host
    return f"http://{f'[{host}]' if ':' in host else host}:{settings.port}"
