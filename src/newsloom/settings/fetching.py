"""How feeds and pages are asked for, and what reads them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import platformdirs

from newsloom.settings.declaring import doc


@dataclass(frozen=True, slots=True)
class FetchSettings:
    """How Newsloom asks publishers for feeds."""

    timeout_seconds: float = doc(
        "Whole deadline of one request, redirects included.", 30.0, least=1
    )
    max_megabytes: float = doc("Largest body after decoding.", 15.0, least=0.001)
    max_ratio: int = doc("Largest decoded size as a multiple of the bytes received.", 200, least=2)
    max_redirects: int = doc("Redirects followed before giving up.", 5, least=0)
    concurrency: int = doc("Requests under way at once.", 32, least=1)
    per_host: int = doc("Requests under way at once to one host.", 1, least=1)
    host_seconds: float = doc(
        "Shortest time between the ends and beginnings of two requests to one host.", 1.25, least=0
    )
    stalled_seconds: float = doc(
        "After how long a request without an answer counts no more among those under way, so that "
        "servers which never answer keep nobody else waiting.",
        3.0,
        least=0.1,
    )
    private_hosts: tuple[str, ...] = doc(
        "Hosts on private or loopback networks that may be fetched: names, or names with a port.",
        (),
    )
    contact: str = doc(
        "A URL or address put in the User-Agent, so that publishers can reach you.", ""
    )
    forwarding_per_host: int = doc(
        "Links asked of one forwarding host (t.co, bit.ly) in one pass, to find out where they "
        "lead; 0: none.",
        50,
        least=0,
    )
    proxy: str = doc("HTTP proxy for all requests. Proxies of the environment are not used.", "")


@dataclass(frozen=True, slots=True)
class ScheduleSettings:
    """How often feeds are polled."""

    floor_minutes: float = doc(
        "Shortest time between two polls of a feed, counted from the last one.", 60.0, least=1
    )
    ceiling_hours: float = doc("Longest time between two polls of a living feed.", 24.0, least=1)
    by_hand_minutes: float = doc(
        "Shortest time between two polls of a feed when you ask for them.", 15.0, least=0
    )


@dataclass(frozen=True, slots=True)
class ReadingSettings:
    """The processes that read feeds, web pages and lists of feeds, so that a hostile one harms
    nothing else."""

    workers: int = doc("How many; 0: documents are read in the main process.", 2, least=0)
    seconds: float = doc("Processor time one document may take.", 10.0, least=0.1)
    megabytes: int = doc("Memory one of them may use.", 768, least=128)


@dataclass(frozen=True, slots=True)
class PushSettings:
    """WebSub: hubs that tell when a feed has news."""

    url: str = doc(
        "The address under which hubs on the internet reach `serve`, such as "
        "https://reader.example; empty: feeds are polled only.",
        "",
    )
    plain_http: bool = doc(
        "Whether that address may be http: what hubs send is signed, but all can read it.", False
    )
    lease_days: float = doc("For how long a hub is asked to go on telling.", 10.0, least=1)


@dataclass(frozen=True, slots=True)
class PageSettings:
    """What is fetched besides feeds: icons, pictures, and full texts where you ask for them."""

    pictures: str = doc(
        "How pictures of articles are shown: proxy, fetched and kept by Newsloom, so that sites do "
        "not see who reads; direct, asked by the browser of their sites; links, only when you "
        "follow one.",
        "proxy",
    )
    picture_folder: Path = doc(
        "Where fetched pictures are kept; all of it may be deleted at any time.",
        Path(platformdirs.user_cache_dir("newsloom")) / "pictures",
    )
    picture_megabytes: int = doc(
        "How much of them is kept; those not looked at for the longest go first.", 500, least=1
    )
    icons: bool = doc("Whether the icons of sites are fetched, once a week at most.", True)
    full_text_per_host: int = doc(
        "Articles of one host whose full text is fetched in one pass.", 10, least=0
    )
