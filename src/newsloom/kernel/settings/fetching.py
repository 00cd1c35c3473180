"""How feeds and pages are asked for, and what reads them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import platformdirs

from newsloom.kernel.settings.declaring import doc


@dataclass(frozen=True, slots=True)
class FetchSettings:
    """How Newsloom asks publishers for feeds."""

    timeout_seconds: float = doc("Deadline of a request, redirects included.", 30.0, least=1)
    max_megabytes: float = doc("Largest decoded body.", 15.0, least=0.001)
    max_ratio: int = doc("Largest decoded size as a multiple of the received bytes.", 200, least=2)
    max_redirects: int = doc("Redirects to follow.", 5, least=0)
    concurrency: int = doc("Simultaneous requests.", 32, least=1)
    per_host: int = doc("Simultaneous requests to one host.", 1, least=1)
    host_seconds: float = doc("Pause between two requests to one host.", 1.25, least=0)
    stalled_seconds: float = doc(
        "Seconds after which an unanswered request no longer counts towards concurrency, so "
        "that dead servers block nobody.",
        3.0,
        least=0.1,
    )
    private_hosts: tuple[str, ...] = doc(
        "Hosts on private or loopback networks that may be fetched, as names or names with a port.",
        (),
    )
    contact: str = doc(
        "URL or mail address in the User-Agent, so that publishers can reach you.", ""
    )
    forwarding_per_host: int = doc(
        "Links per pass to resolve at one forwarding host (t.co, bit.ly); 0: none.",
        50,
        least=0,
    )
    proxy: str = doc("HTTP proxy for all requests. Proxies from the environment are ignored.", "")


@dataclass(frozen=True, slots=True)
class ScheduleSettings:
    """How often feeds are polled."""

    floor_minutes: float = doc("Shortest time between two polls of a feed.", 60.0, least=1)
    ceiling_hours: float = doc(
        "Longest time between two polls of a feed that works.", 24.0, least=1
    )
    by_hand_minutes: float = doc(
        "Shortest time between two polls when you refresh by hand.", 15.0, least=0
    )


@dataclass(frozen=True, slots=True)
class ReadingSettings:
    """The processes that read feeds, web pages and lists of feeds, so that a hostile one harms
    nothing else."""

    workers: int = doc("Parser processes; 0: parse in the main process.", 2, least=0)
    seconds: float = doc("CPU time per document.", 10.0, least=0.1)
    megabytes: int = doc("Memory per parser process.", 768, least=128)


@dataclass(frozen=True, slots=True)
class PushSettings:
    """WebSub: hubs that tell when a feed has news."""

    url: str = doc(
        "Address at which hubs reach `serve`, such as https://reader.example; empty: no WebSub.",
        "",
    )
    plain_http: bool = doc(
        "Allow that address to be http. Deliveries are signed but readable on the way.", False
    )
    lease_days: float = doc("Length of a subscription to request from a hub.", 10.0, least=1)


@dataclass(frozen=True, slots=True)
class PageSettings:
    """What is fetched besides feeds: icons, pictures, and full texts where you ask for them."""

    pictures: str = doc(
        "How to show pictures: proxy (fetched by Newsloom, so sites do not see who reads), "
        "direct (loaded by the browser) or links.",
        "proxy",
    )
    picture_folder: Path = doc(
        "Picture cache; you may delete it at any time.",
        Path(platformdirs.user_cache_dir("newsloom")) / "pictures",
    )
    picture_megabytes: int = doc("Size of the picture cache.", 500, least=1)
    icons: bool = doc("Fetch the icons of sites, once a week at most.", True)
    full_text_per_host: int = doc("Full texts to fetch per host and pass.", 10, least=0)
