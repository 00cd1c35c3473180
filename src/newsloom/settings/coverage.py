"""What else reports an article, and whose pages are asked for."""

from __future__ import annotations

from dataclasses import dataclass

from newsloom.settings.declaring import doc


@dataclass(frozen=True, slots=True)
class CoverageSettings:
    """What else reports an article, found by news searches: for readers who switched that on."""

    providers: tuple[str, ...] = doc(
        "Addresses of news searches that answer with RSS, with {query}, {language} and {region} in "
        "them; empty: those of Google News and Bing News.",
        (),
    )
    importance: float = doc(
        "From which importance on, 0 to 100, articles are searched for by themselves; more than "
        "100: only those chosen by hand.",
        80.0,
        least=0,
    )
    articles_per_day: int = doc("Articles searched for by themselves in 24 hours.", 20, least=0)
    searches_per_hour: int = doc("Searches sent within an hour, all readers'.", 60, least=0)
    cache_hours: float = doc("For how long the answer to a search is used again.", 12.0, least=0)
    pages_per_host: int = doc("Pages of one host that are fetched for it in one pass.", 4, least=0)
    offered_after: int = doc(
        "In how many articles within 30 days a publisher is found before it is offered to follow.",
        3,
        least=1,
    )


@dataclass(frozen=True, slots=True)
class SourceQualitySettings:
    """When the pages of a domain are left out of related coverage, and for how long."""

    half_life_days: float = doc(
        "Days after which what came of a page counts half as much.", 30.0, least=0.1
    )
    least_samples: int = doc("Pages asked for before a domain can be blocked.", 5, least=1)
    block_days: float = doc(
        "How long a domain is blocked the first time; each further time is twice as long.",
        7.0,
        least=0.1,
    )
    longest_block_days: float = doc("How long it is blocked at most.", 90.0, least=0.1)
    tries: int = doc("Pages asked for after a block before it is blocked again.", 3, least=1)
