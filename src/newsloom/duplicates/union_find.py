"""Groups that grow by one pair after the other. Knows no links: duplicates/clusters.py does."""

from __future__ import annotations

from newsloom.kernel.ids import ArticleId


class Groups:
    """Each is named by the least in it; what was never united is a group of its own."""

    def __init__(self) -> None:
        self._above: dict[ArticleId, ArticleId] = {}

    def of(self, one: ArticleId) -> ArticleId:
        """The name of its group."""
        name = one
        while (above := self._above.get(name, name)) != name:
            name = above
        while one != name:  # the next look-up is one step
            self._above[one], one = name, self._above[one]
        return name

    def unite(self, one: ArticleId, other: ArticleId) -> None:
        least, greatest = sorted((self.of(one), self.of(other)))
        if least != greatest:
            self._above[greatest] = least
