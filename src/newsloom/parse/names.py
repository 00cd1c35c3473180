"""XML names as feed authors mean them: any spelling of a namespace becomes one short prefix.

Knows names only, never what an element says.
"""

from __future__ import annotations

from functools import lru_cache

# Namespace address in lower case -> the prefix the handlers use. "" is RSS itself, whichever of
# its addresses a feed declares. The doubles are spellings found in real feeds.
_PREFIXES = {
    "http://www.w3.org/2005/atom": "atom",
    "http://purl.org/atom/ns#": "atom",
    "http://purl.org/rss/1.0/": "",
    "http://my.netscape.com/rdf/simple/0.9/": "",
    "http://channel.netscape.com/rdf/simple/0.9/": "",
    "http://backend.userland.com/rss": "",
    "http://backend.userland.com/rss2": "",
    "http://blogs.law.harvard.edu/tech/rss": "",
    "http://cyber.law.harvard.edu/rss/rss.html": "",
    "http://purl.org/rss/1.0/modules/rss091#": "",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#": "rdf",
    "http://purl.org/dc/elements/1.1/": "dc",
    "https://purl.org/dc/elements/1.1/": "dc",
    "http://purl.org/dc/terms/": "dcterms",
    "http://purl.org/rss/1.0/modules/content/": "content",
    "http://search.yahoo.com/mrss/": "media",
    "http://search.yahoo.com/mrss": "media",
    "https://search.yahoo.com/mrss/": "media",
    "http://www.itunes.com/dtds/podcast-1.0.dtd": "itunes",
    "http://purl.org/rss/1.0/modules/syndication/": "sy",
    "http://purl.org/syndication/thread/1.0": "thr",
    "http://purl.org/rss/1.0/modules/slash/": "slash",
    "http://www.w3.org/1999/xhtml": "xhtml",
}
# What a prefix means by convention, for feeds that use it and declare nothing.
CONVENTIONAL = {"rss": "http://backend.userland.com/rss"} | {
    prefix: address for address, prefix in reversed(_PREFIXES.items()) if prefix
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
    if tag.startswith("{"):
        address, _, name = tag[1:].partition("}")
        prefix = _PREFIXES.get(address.lower())
    elif ":" in tag:
        given, _, name = tag.partition(":")
        prefix = _PREFIXES.get(CONVENTIONAL.get(given.lower(), ""))
    else:
        prefix, name = "", tag
    if prefix is None:
        return ""
    name = name.lower()
    return f"{prefix}:{name}" if prefix else name
