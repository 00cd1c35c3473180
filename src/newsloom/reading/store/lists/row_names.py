"""What row an article belongs to, by what the rows of a list are: parts of statements. SQL only.

A row that several articles share has a number for a name: that of its cluster or its text; of a
story the number below zero, so that no story is taken for a cluster.
"""

from __future__ import annotations

from newsloom.reading.values.reading import Rows

# Members that are no row of one article alone. Nearly every article is judged and begins a story,
# most of them stay the only one in it.
_SHARED = "{story}.size > 1"


def join(rows: Rows, article: str) -> str:
    """LEFT JOINs that bring what `name` needs, of a column with the number of an article."""
    clusters = f" LEFT JOIN clusters g ON g.article_id = {article}"
    if rows is not Rows.STORY:
        return clusters
    return (
        f"{clusters} LEFT JOIN story_members y ON y.article_id = {article}"
        f" LEFT JOIN stories z ON z.id = y.story_id AND {_SHARED.format(story='z')}"
    )


NAME = {
    Rows.STORY: "COALESCE(-z.id, g.cluster_id)",
    Rows.CLUSTER: "g.cluster_id",
    Rows.TEXT: "g.text_id",
}


def is_story(name: int) -> bool:
    """Whether the name of a row is that of a story."""
    return name < 0


def in_story(article: str) -> str:
    """Whether an article shares a story."""
    return (
        "EXISTS (SELECT 1 FROM story_members y CROSS JOIN stories z"  # noqa: S608
        f" WHERE y.article_id = {article} AND z.id = y.story_id AND {_SHARED.format(story='z')})"
    )


# Everything in the stories of :ids: asked, article_id and the story.
OF_STORIES = (
    "SELECT g.article_id AS asked, c.article_id, g.story_id AS story"  # noqa: S608
    " FROM story_members g CROSS JOIN stories z CROSS JOIN story_members c"
    f" WHERE g.article_id IN :ids AND z.id = g.story_id AND {_SHARED.format(story='z')}"
    " AND c.story_id = g.story_id"
)

_ALONE = f"NOT {in_story('g.article_id')} AND NOT {in_story('c.article_id')}"
# What `clusters g` and `clusters c` of its cluster have to meet to be of one row.
OF_CLUSTERS = {
    Rows.STORY: f" AND {_ALONE}",
    Rows.CLUSTER: "",
    Rows.TEXT: " AND c.text_id = g.text_id",
}
# The same to be read, starred and rated as one. Of a story only copies are: another report of it is
# news until someone says otherwise.
MARKED_AS_ONE = {**OF_CLUSTERS, Rows.STORY: f" AND (c.text_id = g.text_id OR ({_ALONE}))"}
