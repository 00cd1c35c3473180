"""The names of sources, as people use them: a table by domain, and a rule for the titles of other
feeds. Pure.

Only the domain that a feed is fetched from makes it a publisher's. A feed may call itself anything:
one that takes a known publisher's name, or another domain, has its own host beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from newsloom.kernel.text.characters import plain
from newsloom.kernel.text.folding import fold
from newsloom.kernel.text.urls import host as host_of

FILE = "publishers.tsv"
LONGEST = 60  # characters of a name that a feed gives itself

# "World – TIME", "BBC News - World", "NYT > World News", "Articles | Example".
_PARTS = re.compile(r"\s+[-–—:>/·]+(?=\s|$)\s*|^[-–—:>/·]+\s+|:\s+|\s*[|»›«]\s*(?![^(]*\))")
# What only says that this is a feed, or how much a search has found.
_NOISE = re.compile(
    r"\b(?:RSS|Atom)\b(?:\s?\d(?:\.\d+)?)?(?:[\s-]?feeds?)?\b|(?<=\S)\s+feeds?\s*$|^comments on:\s*"
    r"|\bsearch records found\b.*|\bsearch results\b.*|\b\d+ (?:results?|articles?|records?)\b"
    r"|[(\[]\s*\d+\s*[)\]]|^stories by\b|\bon medium\s*$|(?<=\S)\s*[-–—|]\s*medium\s*$",
    re.IGNORECASE,
)
_EMPTY = re.compile(r"[(\[]\s*[)\]]|['’]s\s*$")  # what noise leaves
# Names of sections and pages, and the words that may stand between them.
_SECTIONS = frozenset(
    """
    a all and article articles asia africa archive archives blog blogs breaking business category
    climate content culture economy education entertainment entries environment europe feed feeds
    finance for from front general global headlines health home homepage homepage in index
    international latest lifestyle local main markets media money most national new news of on
    opinion page podcast podcasts politics popular post posts press recent releases science search
    section society sport sports stories story tag tech technology the top topics travel uk updates
    us usa video videos weblog world writing journal notes essays engineering
    aktuell aktuelle aktuelles alle artikel beiträge inland ausland kultur lokales meldungen
    nachrichten neueste panorama politik schlagzeilen sport startseite wirtschaft wissen
    wissenschaft à accueil actualité actualités actu articles derniers des dernières économie infos
    international la le les monde politique société une
    actualidad deportes economía el internacional las los mundo noticias portada sociedad titulares
    últimas ultime notizie primo piano cronaca esteri cultura economia home italia mondo
    algemeen binnenland buitenland laatste nieuws voorpagina senaste nyheter siste
    все главная главные лента материалы новости
    """.split()  # noqa: SIM905
)
_LATEST = re.compile(
    r"^(?:(?:latest|recent|all|top|neueste|dernier\w*|últimas|news|stories|posts?|articles?|content|"
    r"entries|blog|home|updates|headlines)\s+){1,3}(?:from|on|by|of|in|de|von|aus)\s+(?=\S)",
    re.IGNORECASE,
)
_LATIN = re.compile("[a-z]", re.IGNORECASE)
_DOMAIN = re.compile(
    r"(?:[a-z0-9-]+\.)+(?!js\b)(?:com|org|net|info|news|edu|gov|[a-z]{2})\b", re.IGNORECASE
)
# Letters of other scripts that look like ours.
_ALIKE = str.maketrans("авеёкмнорстухіјѕԁԛԝαβεικνορτυχ", "abeekmhopctyxijsdqwabeikvoptux")
_FEED_HOST = re.compile(r"(?:feeds?|rss|newsfeed|xml)\d*\.(?=[^.]+\.)")


def source_name(own: str, title: str, url: str) -> str:
    """The name of a feed beside its articles.

    `own` is the reader's name for it, "" for none, and wins, unless it is the title that the feed
    gives itself, which other readers export as the name. `url` is where the feed is fetched from.
    """
    if own and not _is_title(own, title):
        return own
    name, host = _published(title, url)
    return f"{name} ({host})" if host else name


@lru_cache(maxsize=4_096)
def feed_label(own: str, title: str, url: str) -> str:
    """The name of a feed in a list of feeds: its title, after the publisher's name if the title
    does not contain it ("The Economist: Asia")."""
    if own and not _is_title(own, title):
        return own
    name, host = _published(title, url)
    if not title or host:
        return f"{title or name} ({host})" if host else name
    words = f" {_words(title)} "
    called = [name, *(it for one in _at(host_of(url)) for it in one)]
    said = any(f" {_words(one)} " in words for one in called)
    return title if said or _letters(name) in _letters(title) else f"{name}: {title}"


@lru_cache(maxsize=4_096)
def _is_title(own: str, title: str) -> bool:
    return fold(own).split() == fold(title).split()


@lru_cache(maxsize=4_096)
def _published(title: str, url: str) -> tuple[str, str]:
    """The name of a feed's publisher, and the host to show with it; "" where it is no claim."""
    host = host_of(url if "//" in url else f"//{url}")
    known = publisher_name(host, title)
    if known:
        return known, ""
    shown = _FEED_HOST.sub("", host, count=1)
    name = _self_given(title, shown)
    if _is_own_network(host):
        return name or title or url, ""
    if not name:
        return shown or title or url, ""
    return name, shown if _claims(name, host) else ""


def publisher_name(host: str, title: str = "") -> str:
    """The publisher whose domain a host is, or is below; "" for an unknown one.

    Where several publish from one domain, the one that the title names. In the script of the title,
    if the table has it: Asahi Shimbun is 朝日新聞 where the feed says so.
    """
    found = _at(host)
    folded, words = fold(title), f" {_words(title)} "
    for one in found:
        written = [it for it in one[1:] if not _LATIN.search(it) and fold(it) in folded]
        if written or (len(found) > 1 and any(f" {_words(it)} " in words for it in one)):
            return (written or one)[0]
    return found[0][0] if len(found) == 1 else ""


def domain_name(domain: str) -> str:
    """The publisher of a domain or of a web address in it; the domain itself for an unknown one."""
    return publisher_name(host_of(domain if "//" in domain else f"//{domain}")) or domain


def _at(host: str) -> tuple[tuple[str, ...], ...]:
    """Those whose domain a host is or is below, each with what they are called."""
    while host and host not in _table():
        host = host.partition(".")[2]
    return _table().get(host, ())


def _self_given(title: str, host: str) -> str:
    """The part of a title that names the publisher; "" where all of it names sections."""
    text = " ".join(plain(title).split())
    bare = _NOISE.sub(" ", text)
    text = _EMPTY.sub(" ", bare) if bare != text else text
    letters = _letters(host)
    parts = [_without_section(one.strip(" ,.;:-–—>"), letters) for one in _PARTS.split(text)]
    parts = [one for one in parts if one and len(one) <= LONGEST and _is_name(one)]
    label = max(map(_letters, host.split(".")[:-1] or [host]), key=len)

    def nearness(part: str) -> int:
        said = _letters(part)
        if said in letters or (len(label) > 3 and label in said):
            return 2
        words = {one for one in map(_letters, part.split()) if one not in _SECTIONS}
        return any(len(one) > 3 and one in letters for one in words)

    return max(parts, key=nearness, default="")


def _without_section(part: str, letters: str) -> str:
    """Without "Latest from" and the like before a name, where that is no part of it."""
    return part if _letters(part) in letters else _LATEST.sub("", part, count=1)


def _is_name(text: str) -> bool:
    words = [one.strip(".,;:!&+") for one in text.casefold().split()]
    return any(map(str.isalpha, text)) and not _SECTIONS.issuperset(filter(None, words))


def _claims(name: str, host: str) -> bool:
    """Whether a name is a known publisher's, or a domain that the host is not."""
    domain = _DOMAIN.fullmatch(name)
    if domain and not f".{host}".endswith(f".{domain[0].casefold().removeprefix('www.')}"):
        return True
    names, beginnings = _known()
    words = _words(name)
    said = words in names and (len(words) > 2 or name.isupper())
    return said or f"{words} ".startswith(beginnings)


def _words(text: str) -> str:
    """As names are compared: no accents, signs or "The", letters that look alike as one."""
    words = re.findall(r"\w+", re.sub(r"['’&]", "", fold(text).translate(_ALIKE)))
    return " ".join(words[1:] if words[:1] == ["the"] else words)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, fold(text)))


def _is_own_network(host: str) -> bool:
    """No host, a name without a dot, or a private number: what a reader set up."""
    from ipaddress import ip_address  # only for hosts that are in no table

    try:
        return ip_address(host.strip("[]")).is_private
    except ValueError:
        return "." not in host


def _lines() -> Iterator[tuple[str, list[str], list[str]]]:
    """Each publisher's name, its domains and what else it is called."""
    from importlib import resources  # only where feeds are named

    file = resources.files("newsloom.articles") / "data" / FILE
    for line in file.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            name, domains, others = line.split("\t")
            yield name, domains.split(), [one for one in others.split("|") if one]


@lru_cache(maxsize=1)
def _table() -> Mapping[str, tuple[tuple[str, ...], ...]]:
    """Those who publish from a domain, each with what they are called: the name, then others."""
    found: dict[str, tuple[tuple[str, ...], ...]] = {}
    for name, domains, others in _lines():
        for one in domains:
            found[one] = (*found.get(one, ()), (name, *others))
    return found


@lru_cache(maxsize=1)
def _known() -> tuple[frozenset[str], tuple[str, ...]]:
    """All names as compared, and what no other name begins with: two words, or an acronym, as
    "BBC"; of "Time" and "Nature" many do."""
    every = [one for name, _domains, others in _lines() for one in (name, *others)]
    several = [one for one in map(_words, every) if " " in one]
    acronyms = [_words(one) for one in every if one.isupper() and one.isalpha() and len(one) > 2]
    return frozenset(map(_words, every)), tuple(f"{one} " for one in (*several, *acronyms))
