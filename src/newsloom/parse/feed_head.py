"""A feed's own fields while its head is read. Shared by the formats; reads no article."""

from __future__ import annotations

from newsloom.parse.hints import HintNotes
from newsloom.types import ParsedArticle, ParsedFeed

# A document with more is cut to this many, and says so: no reader reads more in one poll, and a
# generated document of a million must not fill the store. Of 181 real feeds one has a
# thousand, the next 338.
MOST_ARTICLES = 1_000


class FeedHead:
    """What the elements of a feed's head said, before the articles."""

    def __init__(self, base: str, language: str) -> None:
        self.base = base  # what relative addresses start from
        self.title = ""
        self.site_url = ""
        self.description = ""
        self.language = language
        self.image = ""
        self.author = ""
        self.notes = HintNotes(base)

    def home(self, url: str) -> str:
        """What relative addresses of articles start from where no xml:base says it.

        The address of the document, as in feedparser and RFC 3986 (5.1.3); SimplePie takes the
        channel's link. That is what is left where the document has no address.
        """
        return url or self.site_url

    def feed(
        self, wire_format: str, articles: tuple[ParsedArticle, ...], problem: str
    ) -> ParsedFeed:
        return ParsedFeed(
            format=wire_format,
            title=self.title,
            site_url=self.site_url,
            description=self.description,
            language=self.language,
            image=self.image,
            hints=self.notes.hints(),
            articles=articles,
            problem=problem,
        )


def too_many(count: int) -> str:
    """Words for a document that was cut to the cap."""
    if count <= MOST_ARTICLES:
        return ""
    return f"has {count:,} articles, of which the newest {MOST_ARTICLES:,} are read"
