"""The sample's web pages and pictures: the site of each feed, its articles, an index. Pure."""

from __future__ import annotations

from html import escape
from importlib.resources import files

from newsloom.kernel.text.html import sanitize
from newsloom.sample.content import SampleArticle, SampleFeed
from newsloom.sample.wire import Edition, feed_path, page_path

# One article's HTML is hostile on purpose: that is for the feed. Its page is sanitised, and may run
# and load nothing all the same.
PAGE_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; media-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

_FEED_TYPES = {
    "rss 2.0": "application/rss+xml",
    "rdf 1.0": "application/rdf+xml",
    "atom 1.0": "application/atom+xml",
    "json 1.1": "application/feed+json",
}

_STYLE = """
body { margin: 0 auto; max-width: 42rem; padding: 1rem 1rem 4rem; color: #1b1b1b;
  background: #fdfcfa; font: 1.05rem/1.6 Georgia, 'Times New Roman', serif; }
header { border-bottom: 3px solid var(--own); margin-bottom: 1.5rem; padding-bottom: .5rem; }
header a { color: var(--own); font-weight: bold; text-decoration: none; }
.from, footer { color: #666; font: .85rem/1.5 system-ui, sans-serif; }
table { border-collapse: collapse; } th, td { padding: .2rem .8rem .2rem 0; text-align: left; }
img { max-width: 100%; height: auto; } pre { overflow-x: auto; }
blockquote { border-left: 3px solid var(--own); margin-left: 0; padding-left: 1rem; }
footer { border-top: 1px solid #ddd; margin-top: 3rem; padding-top: .5rem; }
@media (prefers-color-scheme: dark) { body { color: #e6e3de; background: #1a1a1a; }
  .from, footer { color: #a5a19a; } header a { color: inherit; } }
"""
_FOOTER = (
    "Part of Newsloom's built-in sample. Every place, person, company and event on these pages is "
    "invented."
)


def article_page(edition: Edition, articles: tuple[SampleArticle, ...]) -> str:
    """The page of an article, or of all posts of a live page."""
    parts = []
    for one in articles:
        when = edition.published(one).strftime("%Y-%m-%d %H:%M UTC")
        sound = (
            f'<p><audio controls src="/media/{one.slug}.wav"></audio></p>' if one.minutes else ""
        )
        text = sanitize(one.html, edition.base)
        parts.append(
            f'<article id="{one.slug}" lang="{one.language}"><h1>{escape(one.title)}</h1>'
            f'<p class="from">{escape(one.author)}, {when}</p>\n{sound}{text}</article>'
        )
    return _page(edition.feed, articles[0].title, "\n".join(parts), articles[0].language)


def home_page(edition: Edition) -> str:
    """The site of a feed: its articles, and a link to the feed for readers to find."""
    rows = "".join(
        f'<li><a href="{page_path(one)}">{escape(one.title)}</a></li>'
        for one in edition.articles()
        if not one.link
    )
    feed = edition.feed
    body = f"<h1>{escape(feed.title)}</h1><p>{escape(feed.description)}</p><ul>{rows}</ul>"
    return _page(feed, feed.title, body, feed.language)


def index_page(feeds: tuple[SampleFeed, ...]) -> str:
    """All sites of the sample."""
    rows = "".join(
        f'<li><a href="/{one.name}/">{escape(one.title)}</a>: {escape(one.description)} '
        f'<a class="from" href="{feed_path(one)}">feed</a></li>'
        for one in feeds
    )
    body = f"<h1>The built-in sample</h1><ul>{rows}</ul>"
    return _html("The built-in sample", "#1d4e89", "en", "", body)


def icon(colour: str, letter: str) -> str:
    """A letter on a coloured square."""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64">'
        f'<rect width="64" height="64" rx="12" fill="{colour}"/>'
        '<text x="32" y="46" font-size="40" font-family="Georgia, serif" fill="#fff" '
        f'text-anchor="middle">{escape(letter)}</text></svg>'
    )


def picture(name: str) -> bytes:
    """A picture that an article shows. Raises FileNotFoundError when there is none."""
    return (files("newsloom.sample") / "pictures" / name).read_bytes()


def _page(feed: SampleFeed, title: str, body: str, language: str) -> str:
    links = (
        f'<link rel="alternate" type="{_FEED_TYPES[feed.format]}" title="{escape(feed.title)}" '
        f'href="{feed_path(feed)}">\n<link rel="icon" href="/media/{feed.name}.svg">'
    )
    header = f'<header><a href="/{feed.name}/">{escape(feed.title)}</a></header>'
    return _html(title, feed.colour, language, links, header + body)


def _html(title: str, colour: str, language: str, head: str, body: str) -> str:
    return (
        f'<!doctype html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n{head}\n"
        f"<style>:root {{ --own: {colour} }}{_STYLE}</style>\n</head>\n<body>\n{body}\n"
        f"<footer>{_FOOTER}</footer>\n</body>\n</html>\n"
    )
