"""Where a news search is asked, and what a hit of it is. Pure; asks nobody.

A provider is a template of an address, with names in braces:

    {query}     the words, the days they may be of, the domains left out
    {words}     the words alone, for services that know none of the rest
    {sites}     the domains left out alone
    {language}  of the article, as "en"
    {region}    as "US"
    {after} {before}   days, as 2026-11-22
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import quote_plus

from newsloom.coverage.values import Hit
from newsloom.feeds.values.published import ParsedArticle
from newsloom.kernel.text.characters import plain
from newsloom.kernel.text.headlines import normal_title, without_publisher
from newsloom.kernel.text.language import language as code
from newsloom.kernel.text.urls import canonical, is_http, publisher, shared_host

# News searches that answer anyone with RSS. Bing knows no days; its hits are cut by their dates.
GOOGLE = "https://news.google.com/rss/search?q={query}&hl={language}&gl={region}&ceid={region}:{language}"
BING = (
    "https://www.bing.com/news/search?q={words}+{sites}&format=rss&setlang={language}&cc={region}"
)
PROVIDERS = (GOOGLE, BING)

NAMES = frozenset(("query", "words", "sites", "language", "region", "after", "before"))
_NAME = re.compile(r"\{(\w*)\}")

# Seed 002: four queries at most, a day before and after, 28 domains left out (an address may not
# be much longer), 80 to 180 hits a query.
MOST_QUERIES = 4
AROUND = timedelta(days=1)
MOST_SITES = 28
MOST_HITS = 180
# A hit may be dated by another clock, or by the day alone.
SLACK = timedelta(days=1)

# Where a language is read most; services want a region with it.
REGIONS = {
    "ar": "EG", "cs": "CZ", "da": "DK", "de": "DE", "el": "GR", "en": "US", "es": "ES", "fi": "FI",
    "fr": "FR", "he": "IL", "hi": "IN", "hu": "HU", "id": "ID", "it": "IT", "ja": "JP", "ko": "KR",
    "nl": "NL", "no": "NO", "pl": "PL", "pt": "BR", "ro": "RO", "ru": "RU", "sv": "SE", "th": "TH",
    "tr": "TR", "uk": "UA", "vi": "VN", "zh": "TW",
}  # fmt: skip
_REGION = re.compile(r"[a-z]{2,3}[-_](?:[a-z]{4}[-_])?([a-z]{2})\b", re.IGNORECASE)

LONGEST_TITLE = 500
LONGEST_SOURCE = 120


@dataclass(frozen=True, slots=True)
class Wanted:
    """What one query is about."""

    words: str
    language: str  # a tag; "" is taken for English
    dated: datetime
    left_out: tuple[str, ...] = ()  # registrable domains


def problem(template: str) -> str:
    """Why a template cannot be used, in words; "" when it can."""
    if not template.isprintable() or " " in template:
        return "it holds a blank or a sign that no address has"
    if not is_http(_NAME.sub("x", template)):
        return "it is no http:// or https:// address"
    unknown = sorted(set(_NAME.findall(template)) - NAMES)
    if unknown:
        return f"it names {{{unknown[0]}}}, and knows {', '.join(sorted(NAMES))}"
    if not {"query", "words"} & set(_NAME.findall(template)):
        return "it has no {query} and no {words}"
    if "{" in template.partition("//")[2].partition("/")[0]:
        return "its host must not depend on what is asked"
    return ""


def host_of(template: str) -> str:
    """The host that is told what is searched for."""
    return shared_host(_NAME.sub("x", template))


def address(template: str, wanted: Wanted) -> str:
    """The address of one search."""
    tongue = code(wanted.language) or "en"
    domains = [one for one in dict.fromkeys(wanted.left_out) if _DOMAIN.fullmatch(one)]
    sites = " ".join(f"-site:{one}" for one in domains[:MOST_SITES])
    first = (wanted.dated - AROUND).date()
    # `before:` leaves its own day out, so that it is a day later.
    last = (wanted.dated + AROUND).date() + timedelta(days=1)
    days = f"after:{first.isoformat()} before:{last.isoformat()}"
    values = {
        "query": " ".join(part for part in (wanted.words, days, sites) if part),
        "words": wanted.words,
        "sites": sites,
        "language": tongue,
        "region": region(wanted.language),
        "after": first.isoformat(),
        "before": last.isoformat(),
    }
    return _NAME.sub(lambda name: quote_plus(values[name[1]]), template)


def region(tag: str) -> str:
    """Of "en-GB" GB; of "de" where it is read most; US where nothing is known."""
    found = _REGION.match(tag)
    return found[1].upper() if found else REGIONS.get(code(tag), "US")


def answer_key(address: str) -> str:
    """The same for the same search."""
    return hashlib.blake2b(address.encode(), digest_size=16).hexdigest()


def hits(articles: Iterable[ParsedArticle], provider: str) -> tuple[Hit, ...]:
    """The items of an answer, those without a title or an address left out."""
    found: list[Hit] = []
    for one in articles:
        if len(found) >= MOST_HITS:
            break
        hit = _hit(one, provider)
        if hit is not None:
            found.append(hit)
    return tuple(found)


def once(found: Iterable[Hit]) -> tuple[Hit, ...]:
    """Each (title, source) once, and each address once; the first stays."""
    keys: set[str] = set()
    kept: list[Hit] = []
    for one in found:
        if one.key not in keys and one.link_key not in keys:
            kept.append(one)
        keys |= {one.key, one.link_key}
    return tuple(kept)


def others(found: Iterable[Hit], url: str, source: str, dated: datetime) -> tuple[Hit, ...]:
    """Those that are not the article itself, nor by its own publisher, and of about its day."""
    own = {name for name in (publisher(url), publisher(f"//{source}")) if name}
    address = canonical(url)
    return tuple(
        one
        for one in found
        if one.link_key != _key("link", address)
        and (not own or publisher(one.source_url or one.link) not in own)
        and (one.published is None or abs(one.published - dated) <= AROUND + SLACK)
    )


def link_key(link: str) -> str:
    return _key("link", canonical(link) or link)


def _hit(one: ParsedArticle, provider: str) -> Hit | None:
    # Where the feed names the address at the publisher it is that; a search link is one of theirs.
    link = one.origin or one.url
    whole = " ".join(plain(one.title).split())[:LONGEST_TITLE]
    if not is_http(link) or not whole:
        return None
    named = " ".join(plain(one.publisher).split())[:LONGEST_SOURCE]
    at = one.publisher_url if is_http(one.publisher_url) else ""
    source = named or publisher(at) or publisher(link)
    title = without_publisher(whole, [name for name in (source, publisher(at)) if name])
    if source and title.casefold().endswith(f" - {source.casefold()}"):
        title = title[: -len(source) - 3].rstrip() or title
    return Hit(
        # The same for the same title of the same source, whatever the case and the signs.
        key=_key("title", f"{normal_title(title)}|{normal_title(source)}"),
        link_key=link_key(link),
        link=link,
        title=title,
        source=source,
        source_url=at,
        published=one.published or one.updated,
        provider=provider,
    )


def _key(kind: str, of: str) -> str:
    return hashlib.blake2b(f"{kind}\0{of}".encode(errors="replace"), digest_size=16).hexdigest()


_DOMAIN = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)+")
