"""What makes the pages an app: its manifest, its worker, the page without a network, sharing to it.

Knows nothing of anybody's reading but what `share` shows around its form.
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

from newsloom.web.list_view import Page
from newsloom.web.site import Here, Nobody, Site, bare, theme_of
from newsloom.web.templating import STATIC, stamped
from newsloom.web.wording import clean

router = APIRouter()

# What the pages need besides their words.
KEPT_FILES = re.compile(r"(?!worker\.js).*\.(css|js|svg)|app/icon-192\.png")

_WORKER = (STATIC / "worker.js").read_text(encoding="utf-8")
_ADDRESS = re.compile(r"https?://[^\s<>\"]+")
_LONGEST = 4_000


@router.get("/manifest.webmanifest")
def manifest(site: Nobody) -> Response:
    root = _root(site)
    told = {
        "id": f"{root}/",
        "name": "Newsloom",
        "short_name": "Newsloom",
        "description": "A news reader that ranks your feeds for you.",
        "start_url": f"{root}/?source=app",
        "scope": f"{root}/",
        "display": "standalone",
        "background_color": "#fbfaf7",
        "theme_color": "#fbfaf7",
        "categories": ["news"],
        "icons": [_icon(root, name) for name in _ICONS],
        "shortcuts": [
            {"name": name, "url": f"{root}{url}", "icons": [_icon(root, "app/icon-192.png")]}
            for name, url in (("For you", "/"), ("Starred", "/?show=starred"))
        ],
        "share_target": {
            "action": f"{root}/share",
            "method": "GET",
            "enctype": "application/x-www-form-urlencoded",
            "params": {"title": "title", "text": "text", "url": "url"},
        },
    }
    return Response(
        json.dumps(told),
        media_type="application/manifest+json",
        headers={"cache-control": "no-cache"},
    )


# By name: its side in pixels, what it is for.
_ICONS = {
    "app/icon-192.png": (192, "any"),
    "app/icon-512.png": (512, "any"),
    "app/maskable-192.png": (192, "maskable"),
    "app/maskable-512.png": (512, "maskable"),
}


def _icon(root: str, name: str) -> dict[str, Any]:
    side, purpose = _ICONS[name]
    return {
        "src": f"{root}{stamped(STATIC)[name]}",
        "sizes": f"{side}x{side}",
        "type": "image/png",
        "purpose": purpose,
    }


@router.get("/worker.js")
def worker(site: Nobody) -> Response:
    """The service worker. Any file that changes makes it another one, which browsers then take."""
    # Constants of the script: the path it lives under, its files, their version.
    root = _root(site)
    files = [address for name, address in stamped(STATIC).items() if KEPT_FILES.fullmatch(name)]
    version = hashlib.sha256("".join([*files, _WORKER]).encode()).hexdigest()[:12]
    constants = {"ROOT": root, "VERSION": version, "FILES": [f"{root}{one}" for one in files]}
    head = "".join(f"const {name} = {json.dumps(value)};\n" for name, value in constants.items())
    return Response(
        head + _WORKER,
        media_type="text/javascript",
        headers={"cache-control": "no-cache"},
    )


@router.get("/offline")
def without_network(site: Nobody, request: Request) -> HTMLResponse:
    return HTMLResponse(site.fragment("offline.html", theme=theme_of(request)))


@router.get("/share")
def share(
    site: Here, request: Request, url: str = "", text: str = "", title: str = ""
) -> HTMLResponse:
    """A page that was shared to the app: its site may be followed."""
    found = _ADDRESS.search(f"{url[:_LONGEST]} {text[:_LONGEST]} {title[:_LONGEST]}")
    typed = clean(found[0], _LONGEST) if found else clean(url, _LONGEST)
    return site.page(request, "share_target.html", bare(Page.FEEDS), typed=typed)


def _root(site: Site) -> str:
    """The path that the pages live under, or nothing."""
    return str(site.templates.globals["root"])
