"""Feeds that tell stories, and which article and story became of a title."""

from __future__ import annotations

from datetime import datetime

from conftest import Whole

from newsloom.kernel.ids import ArticleId
from newsloom.stories.values.pages import StoryId
from publisher import Publisher


def fed(
    publisher: Publisher,
    name: str,
    titles: tuple[str, ...],
    when: datetime,
    more: str = "Officials spoke to {name} on the matter.",
) -> str:
    """A feed whose articles carry titles and that date; each text is its title and `more`."""
    dated = when.strftime("%a, %d %b %Y %H:%M:%S GMT")
    rows = "".join(
        f"<item><guid isPermaLink='false'>{name}{at}</guid><link>https://{name}.test/{at}</link>"
        f"<title>{title}</title><description>{title}. {more.format(name=name)}"
        f"</description><pubDate>{dated}</pubDate></item>"
        for at, title in enumerate(titles)
    )
    text = f"<rss version='2.0'><channel><title>{name}</title>{rows}</channel></rss>"
    return publisher.puts(f"/{name}", text)


def article(whole: Whole, title: str) -> ArticleId:
    with whole.app.store.database.read() as connection:
        found = connection.exec_driver_sql("SELECT id, title FROM articles")
        return next(ArticleId(row.id) for row in found if row.title == title)


def number(whole: Whole, title: str) -> StoryId:
    """The story that an article of that title is in."""
    return whole.app.store.stories.stories_of([article(whole, title)])[article(whole, title)]
