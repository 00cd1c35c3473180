"""XML names as feed authors mean them: any spelling of a namespace becomes one short prefix.

Knows names only, never what an element says.
"""

from __future__ import annotations

from functools import lru_cache

# Namespace addresses, less scheme and final slash, which feeds get wrong -> the prefix the handlers
# use. "" is RSS itself, whichever of its addresses a feed declares.
_PREFIXES = {
    "www.w3.org/2005/atom": "atom",
    "purl.org/atom/ns": "atom",
    "purl.org/rss/1.0": "",
    "purl.org/net/rss1.1": "",
    "my.netscape.com/rdf/simple/0.9": "",
    "channel.netscape.com/rdf/simple/0.9": "",
    "backend.userland.com/rss": "",
    "backend.userland.com/rss2": "",
    "backend.userland.com/rss091": "",
    "blogs.law.harvard.edu/tech/rss": "",
    "cyber.law.harvard.edu/rss/rss.html": "",
    "purl.org/rss/1.0/modules/rss091": "",
    "www.w3.org/1999/02/22-rdf-syntax-ns": "rdf",
    "purl.org/dc/elements/1.1": "dc",
    "purl.org/dc/terms": "dcterms",
    "purl.org/rss/1.0/modules/content": "content",
    "search.yahoo.com/mrss": "media",
    "www.itunes.com/dtds/podcast-1.0.dtd": "itunes",
    "purl.org/rss/1.0/modules/syndication": "sy",
    "purl.org/syndication/thread/1.0": "thr",
    "purl.org/rss/1.0/modules/slash": "slash",
    "www.w3.org/1999/xhtml": "xhtml",
    "rssnamespace.org/feedburner/ext/1.0": "feedburner",
    "www.pheedo.com/namespace/pheedo": "pheedo",
    "podcastindex.org/namespace/1.0": "podcast",
    "podlove.org/simple-chapters": "psc",
}
# What stands in the addresses of those that have been declared in many ways: the vocabulary of
# media alone by four hosts, its specification's among them.
_FRAGMENTS = (
    ("mrss", "media"),
    ("media-rss", "media"),
    ("purl.org/dc/elements", "dc"),
    ("purl.org/dc/terms", "dcterms"),
    ("podcast-1.0.dtd", "itunes"),
    ("modules/content", "content"),
    ("podcast-namespace", "podcast"),
    ("modules/syndication", "sy"),
)
# What a prefix means by convention, for feeds that use it and declare nothing.
CONVENTIONAL = {"rss": "http://backend.userland.com/rss"} | {
    prefix: f"http://{address}/" for address, prefix in reversed(_PREFIXES.items()) if prefix
}


# A document has some thirty different names; the cache only has to outlive a few documents, and its
# bound keeps one that invents a name per element from filling memory.
@lru_cache(maxsize=4096)
def canonical(tag: object) -> str:
    """`{http://purl.org/dc/elements/1.1/}creator` is `dc:creator`; names without meaning are "".

    RSS's own names come without a prefix, all in lower case. A prefix nobody declared counts as
    what it is by convention, since feeds are pasted together from samples.
    """
    if not isinstance(tag, str):  # an entity, a comment
        return ""
    address, brace, name = tag.rpartition("}")
    if brace:
        prefix = _meant(address.removeprefix("{"))
    elif ":" in tag:
        given, _, name = tag.partition(":")
        prefix = _meant(CONVENTIONAL.get(given.lower(), ""))
    else:
        prefix, name = "", tag
    if prefix is None:
        return ""
    name = name.lower()
    return f"{prefix}:{name}" if prefix else name


def local(tag: object) -> str:
    """A name without its namespace. lxml's QName refuses the names that broken documents have."""
    return str(tag).rpartition("}")[2]


def _meant(address: str) -> str | None:
    """The prefix for a namespace, None when it says nothing that is kept."""
    bare = address.strip().lower().removeprefix("https://").removeprefix("http://")
    bare = bare.rstrip("/#")
    if bare in _PREFIXES:
        return _PREFIXES[bare]
    return next((prefix for fragment, prefix in _FRAGMENTS if fragment in bare), None)
