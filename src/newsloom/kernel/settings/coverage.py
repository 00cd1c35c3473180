"""What else reports an article, and whose pages are asked for."""

from __future__ import annotations

from dataclasses import dataclass

from newsloom.kernel.settings.declaring import doc


@dataclass(frozen=True, slots=True)
class CoverageSettings:
    """What else reports an article, found by news searches: for readers who switched that on."""

    providers: tuple[str, ...] = doc(
        "News searches that answer with RSS, as addresses with {query}, {language} and "
        "{region}; empty: Google News and Bing News.",
        (),
    )
    importance: float = doc(
        "Importance from which articles are searched for automatically; above 100: only by hand.",
        80.0,
        least=0,
    )
    articles_per_day: int = doc("Articles to search for automatically in 24 hours.", 20, least=0)
    searches_per_hour: int = doc("Searches per hour, for all readers together.", 60, least=0)
    cache_hours: float = doc("Hours to reuse a search result.", 12.0, least=0)
    pages_per_host: int = doc("Pages to fetch per host and pass.", 4, least=0)
    offered_after: int = doc(
        "Suggest following a publisher once it was found for this many articles in 30 days.",
        3,
        least=1,
    )


@dataclass(frozen=True, slots=True)
class SourceQualitySettings:
    """When the pages of a domain are left out of related coverage, and for how long."""

    half_life_days: float = doc("Half-life of fetch results in days.", 30.0, least=0.1)
    least_samples: int = doc("Pages to try before a domain can be blocked.", 5, least=1)
    block_days: float = doc(
        "Length of the first block; each further one is twice as long.",
        7.0,
        least=0.1,
    )
    longest_block_days: float = doc("Longest block.", 90.0, least=0.1)
    tries: int = doc("Pages to try after a block before the next one.", 3, least=1)
