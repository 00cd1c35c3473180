"""The address inside a forwarding one, read from it alone. No network; decides nothing."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlsplit

from newsloom.text.urls import LONGEST, host, is_http

_PARAMETERS = {"google.com": ("url", "q"), "l.facebook.com": ("u",), "duckduckgo.com": ("uddg",)}


def target(url: str) -> str:
    """The address that a forwarding one leads to; the address itself when it is none."""
    names = _PARAMETERS.get(host(url), ())
    if not names or len(url) > LONGEST:
        return url
    values = dict(parse_qsl(urlsplit(url).query))
    return next((values[name] for name in names if is_http(values.get(name, ""))), url)
