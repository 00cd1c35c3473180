"""The built-in sample as frozen values, read from the TOML files beside it when first asked for.

Knows no wire format, no clock and no network. What was planted in it on purpose (duplicates,
revisions, stories, hostile HTML) is a value too, so that a test can compare it with what was found.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from operator import attrgetter
from types import MappingProxyType
from typing import Any

# In the order the feeds are listed.
NAMES = (
    "meridian", "live", "courier", "talbote", "quadrant", "circuit", "stackframe", "ledger",
    "touchline", "lantern", "table", "highwater", "tideline", "threads",
)  # fmt: skip

LAST_GENERATION = 2

# How a later feed writes the address of an article it repeats. `{name}` is that feed.
LINK_STYLES: Mapping[str, str] = MappingProxyType(
    {
        "utm": "{path}?utm_source={name}&utm_medium=rss&utm_campaign=shared",
        "amp": "{path}/amp",
        "slash": "{path}/",
        "html": "{path}/index.html",
        "fragment": "{path}#comments",
        "query": "{path}?ref=rss&fbclid=IwAR0xSample",
        "mixed": "{escaped}?gclid=Cj0KSample&utm_source={name}",
    }
)

_SPELT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})
_BLOCK = re.compile(r"<(?:p|ul|ol|table|blockquote|figure|pre|script|iframe|form)\b")


@dataclass(frozen=True, slots=True)
class SampleRevision:
    """How an article reads from a generation on."""

    generation: int
    title: str
    html: str


@dataclass(frozen=True, slots=True)
class SampleArticle:
    """One appearance of an article in a feed. `home` is the feed on whose site its page stands."""

    feed: str
    home: str
    slug: str
    title: str
    html: str
    author: str
    hours: float  # age when the sample begins
    categories: tuple[str, ...] = ()
    language: str = "en"
    generation: int = 0  # the first one that has it
    revisions: tuple[SampleRevision, ...] = ()
    story: str = ""
    wire: str = ""  # agency copy that several feeds print, each with an address of its own
    event: str = ""  # one event, told in words of their own by several feeds
    again: str = ""  # the slug that an earlier version of it stands under
    page: str = ""  # of a live page: its posts share an address
    date: str = ""  # how its date is spoilt
    minutes: int = 0  # of sound
    link: str = ""  # a row of LINK_STYLES; empty in the feed it is at home in

    @property
    def key(self) -> str:
        """What stands for the article itself, whichever feed repeats it."""
        return f"{self.home}/{self.slug}"

    def at(self, generation: int) -> SampleArticle:
        """As it reads in a generation."""
        article = self
        for revision in self.revisions:
            if revision.generation <= generation:
                article = replace(article, title=revision.title, html=revision.html)
        return article

    def revised(self, generation: int) -> bool:
        """Whether it has changed by then."""
        return any(revision.generation <= generation for revision in self.revisions)


@dataclass(frozen=True, slots=True)
class SampleFeed:
    """A feed, with the faults that real ones have."""

    name: str
    title: str
    folder: str
    format: str  # "rss 2.0", "rdf 1.0", "atom 1.0", "json 1.1"
    language: str
    description: str
    colour: str
    body: str  # "full", "description" (all of it there), "summary" (the first paragraph only)
    guids: bool
    double_escaped: bool  # titles
    relative_links: bool
    encoding: str  # what the bytes are; the document says UTF-8
    articles: tuple[SampleArticle, ...]  # of all generations, newest first

    def shown(self, generation: int) -> tuple[SampleArticle, ...]:
        """The articles that a generation has, as they read in it."""
        return tuple(one.at(generation) for one in self.articles if one.generation <= generation)


@dataclass(frozen=True, slots=True)
class Planted:
    """What a reader of the sample should find."""

    duplicates: tuple[tuple[str, str], ...]  # (feed that repeats it, article key)
    revisions: tuple[tuple[str, int], ...]  # (article key, generation)
    late: tuple[tuple[str, int], ...]  # (article key, generation it first appears in)
    stories: Mapping[str, tuple[str, ...]]  # story -> article keys, oldest first
    wires: Mapping[str, tuple[str, ...]]  # agency copy -> article keys, oldest first
    events: Mapping[str, tuple[str, ...]]  # event -> article keys, oldest first
    reissued: tuple[tuple[str, str], ...]  # (earlier, later version under another address)
    hostile: str  # the article whose HTML must be sanitised
    oddities: Mapping[str, str]  # feed -> what is odd about it


@lru_cache(maxsize=1)
def sample() -> tuple[SampleFeed, ...]:
    """All feeds of the sample."""
    folder = files("newsloom.sample") / "articles"
    documents = {
        name: tomllib.loads((folder / f"{name}.toml").read_text(encoding="utf-8")) for name in NAMES
    }
    own = {
        name: [_article(name, document["feed"], raw) for raw in document["article"]]
        for name, document in documents.items()
    }
    by_key = {article.key: article for articles in own.values() for article in articles}
    return tuple(
        _feed(
            name,
            document["feed"],
            own[name] + [_again(name, raw, by_key) for raw in document.get("also", ())],
        )
        for name, document in documents.items()
    )


@lru_cache(maxsize=1)
def planted() -> Planted:
    """What was put into the sample to be found."""
    articles = [article for feed in sample() for article in feed.articles]
    own = [article for article in articles if article.feed == article.home]
    return Planted(
        duplicates=tuple((one.feed, one.key) for one in articles if one.feed != one.home),
        revisions=tuple((one.key, each.generation) for one in own for each in one.revisions),
        late=tuple((one.key, one.generation) for one in own if one.generation),
        stories=_named(own, attrgetter("story")),
        wires=_named(own, attrgetter("wire")),
        events=_named(own, attrgetter("event")),
        reissued=tuple((f"{one.home}/{one.again}", one.key) for one in own if one.again),
        hostile="circuit/why-your-reader-should-not-trust-us",
        oddities=MappingProxyType(
            {
                "courier": "no guids",
                "live": "posts of one page share its address but for the fragment",
                "talbote": "says UTF-8 and is windows-1252",
                "ledger": "titles escaped twice, summaries only",
                "touchline": "dates missing, in the future, in words, or against their format",
                "lantern": "relative links",
                "tideline": "a sound file with each article",
                "threads": "every issue has the same title",
            }
        ),
    )


def _named(
    articles: Iterable[SampleArticle], name_of: Callable[[SampleArticle], str]
) -> Mapping[str, tuple[str, ...]]:
    """Article keys by what they were planted as, oldest first."""
    found: dict[str, tuple[str, ...]] = {}
    for one in sorted(articles, key=lambda one: -one.hours):
        if name := name_of(one):
            found[name] = (*found.get(name, ()), one.key)
    return MappingProxyType(found)


def html(text: str) -> str:
    """The paragraphs of a text as HTML; those that are HTML already stay."""
    paragraphs = [part.strip() for part in re.split(r"\n\s*\n", text.strip())]
    return "\n".join(part if _BLOCK.match(part) else f"<p>{part}</p>" for part in paragraphs)


def slug(title: str) -> str:
    """A title as the last part of an address."""
    folded = unicodedata.normalize("NFKD", title.lower().translate(_SPELT))
    plain = folded.encode("ascii", "ignore").decode("ascii")
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")


def _article(feed: str, head: Mapping[str, Any], raw: Mapping[str, Any]) -> SampleArticle:
    first = html(raw["text"])
    title, body, revisions = raw["title"], first, []
    for one in raw.get("revision", ()):
        title = one.get("title", title)
        body = html(one["text"]) if "text" in one else f"{body}\n{html(one['adds'])}"
        revisions.append(SampleRevision(one["generation"], title, body))
    return SampleArticle(
        feed=feed,
        home=feed,
        slug=raw.get("slug", slug(raw["title"])),
        title=raw["title"],
        html=first,
        author=raw["by"],
        hours=raw["hours"],
        categories=tuple(raw["tags"]),
        language=raw.get("lang", head["language"]),
        generation=raw.get("generation", 0),
        revisions=tuple(revisions),
        story=raw.get("story", ""),
        wire=raw.get("wire", ""),
        event=raw.get("event", ""),
        again=raw.get("again", ""),
        page=raw.get("page", ""),
        date=raw.get("date", ""),
        minutes=raw.get("minutes", 0),
    )


def _again(feed: str, raw: Mapping[str, Any], by_key: Mapping[str, SampleArticle]) -> SampleArticle:
    """An article repeated by another feed, whole or only its first paragraph; never revised."""
    original = by_key[raw["of"]]
    lead = raw.get("text") == "lead"
    return replace(
        original,
        feed=feed,
        html=original.html.split("\n")[0] if lead else original.html,
        hours=raw["hours"],
        revisions=(),
        date="",
        link=raw["link"],
    )


def _feed(name: str, head: Mapping[str, Any], articles: list[SampleArticle]) -> SampleFeed:
    return SampleFeed(
        name=name,
        title=head["title"],
        folder=head["folder"],
        format=head["format"],
        language=head["language"],
        description=head["description"],
        colour=head["colour"],
        body=head["body"],
        guids=head.get("guids", True),
        double_escaped=head.get("double_escaped", False),
        relative_links=head.get("relative_links", False),
        encoding=head.get("encoding", "utf-8"),
        articles=tuple(sorted(articles, key=lambda one: one.hours)),
    )
