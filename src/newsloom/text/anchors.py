"""Links that jump within an article: footnotes, tables of contents. Pure; linear in the HTML."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import quote, unquote

from newsloom.text.tracking import without_campaign
from newsloom.text.urls import join

# Before every name from an article, so that none is a name of the page around it.
PREFIX = "text-"

_VALUE = r"""\s*+=\s*+(?:"([^"]{1,400}+)"|'([^']{1,400}+)'|([^\s"'>]{1,400}+))"""
_NAME = re.compile(rf"\s(?:id|name){_VALUE}", re.IGNORECASE)
_LINK = re.compile(rf"\shref{_VALUE}", re.IGNORECASE)


class Anchors:
    """The names in one article that links in it lead to."""

    def __init__(self, html: str, page_url: str) -> None:
        self._page = _comparable(page_url)
        self._names: frozenset[str] = frozenset()
        if "#" in html:
            linked = {self._fragment(value) for value in _values(_LINK, html) if "#" in value}
            self._names = frozenset(
                name for value in _values(_NAME, html) if (name := value.strip()) in linked
            )

    def name(self, value: str) -> str | None:
        """The name to write for one in the article; None for one that nothing leads to."""
        name = value.strip()
        return PREFIX + name.removeprefix(PREFIX) if name in self._names else None

    def link(self, address: str) -> str:
        """The link to write for one in the article; "" for one that leads elsewhere."""
        name = self._fragment(address) if self._names and "#" in address else ""
        return f"#{PREFIX}{quote(name.removeprefix(PREFIX))}" if name in self._names else ""

    def _fragment(self, address: str) -> str:
        """The name a link leads to in the article itself; "" for a link to another page."""
        page, _mark, fragment = address.strip().partition("#")
        if page and (
            not self._page or _comparable(join(f"http://{self._page}", page)) != self._page
        ):
            return ""
        return unquote(fragment)


def _comparable(url: str) -> str:
    page = without_campaign(url.partition("#")[0])
    return page.removeprefix("https://").removeprefix("http://").rstrip("/")


def _values(attribute: re.Pattern[str], html: str) -> list[str]:
    return [unescape(one[1] or one[2] or one[3]) for one in attribute.finditer(html)]
