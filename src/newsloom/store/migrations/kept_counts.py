"""How much is unread, of each feed and each cluster, and how many articles a feed has.

SQLite keeps them in tables, by triggers: to count 200,000 unread articles for each page took 40 ms.
So no way of writing can forget them: marks, polls, copies, restored backups. PostgreSQL has views
of the same names that count: a row that every mark and every poll of a feed writes would have them
wait for each other.
"""

from __future__ import annotations

from sqlalchemy import Connection

_UNREAD = "INSERT INTO unread_counts (user_id, feed_id, unread) VALUES"
_CLUSTERED = "INSERT INTO unread_clusters (user_id, cluster_id, unread)"
_MORE_OF = "ON CONFLICT (user_id, {of}) DO UPDATE SET unread = unread + excluded.unread"
_MORE_FEED, _MORE_CLUSTER = _MORE_OF.format(of="feed_id"), _MORE_OF.format(of="cluster_id")


def _state(row: str, sign: str) -> str:
    """A state comes or goes, if it is unread."""
    return f"""
        {_UNREAD} ({row}.user_id, {row}.feed_id, {sign}1) {_MORE_FEED};
        {_CLUSTERED} SELECT {row}.user_id, c.cluster_id, {sign}1
        FROM clusters c WHERE c.article_id = {row}.article_id {_MORE_CLUSTER};"""  # noqa: S608


def _member(row: str, sign: str) -> str:
    """An article comes into a cluster, or leaves it."""
    return f"""
        {_CLUSTERED} SELECT s.user_id, {row}.cluster_id, {sign}1
        FROM states s WHERE s.article_id = {row}.article_id AND s.read = 0 {_MORE_CLUSTER};"""  # noqa: S608


def _article(row: str, sign: str) -> str:
    return f"""
        INSERT INTO article_counts (feed_id, articles) VALUES ({row}.feed_id, {sign}1)
        ON CONFLICT (feed_id) DO UPDATE SET articles = articles + excluded.articles;"""  # noqa: S608


_TABLES = (
    """CREATE TABLE IF NOT EXISTS unread_counts (
        user_id INTEGER NOT NULL, feed_id INTEGER NOT NULL, unread INTEGER NOT NULL,
        PRIMARY KEY (user_id, feed_id)
    ) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS unread_clusters (
        user_id INTEGER NOT NULL, cluster_id INTEGER NOT NULL, unread INTEGER NOT NULL,
        PRIMARY KEY (user_id, cluster_id)
    ) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS article_counts (
        feed_id INTEGER PRIMARY KEY, articles INTEGER NOT NULL
    )""",
    # Nothing unread is nothing to keep: clusters are many.
    "CREATE INDEX IF NOT EXISTS ix_unread_clusters_several ON unread_clusters (user_id, unread)"
    " WHERE unread > 1",
)
_FILLED = (
    "DELETE FROM unread_counts",
    "DELETE FROM unread_clusters",
    "DELETE FROM article_counts",
    "INSERT INTO unread_counts SELECT user_id, feed_id, COUNT(*) FROM states WHERE read = 0"
    " GROUP BY user_id, feed_id",
    "INSERT INTO unread_clusters SELECT s.user_id, c.cluster_id, COUNT(*)"
    " FROM clusters c CROSS JOIN states s WHERE s.article_id = c.article_id AND s.read = 0"
    " GROUP BY s.user_id, c.cluster_id",
    "INSERT INTO article_counts SELECT feed_id, COUNT(*) FROM articles GROUP BY feed_id",
)
# Name, when, and what then: an update is a state that goes and one that comes.
_TRIGGERS = (
    ("state_comes", "INSERT ON states WHEN NEW.read = 0", _state("NEW", "")),
    ("state_goes", "DELETE ON states WHEN OLD.read = 0", _state("OLD", "-")),
    (
        "state_was",
        "UPDATE OF user_id, article_id, feed_id, read ON states WHEN OLD.read = 0",
        _state("OLD", "-"),
    ),
    (
        "state_is",
        "UPDATE OF user_id, article_id, feed_id, read ON states WHEN NEW.read = 0",
        _state("NEW", ""),
    ),
    ("member_comes", "INSERT ON clusters", _member("NEW", "")),
    ("member_goes", "DELETE ON clusters", _member("OLD", "-")),
    (
        "member_moves",
        "UPDATE OF article_id, cluster_id ON clusters",
        _member("OLD", "-") + _member("NEW", ""),
    ),
    (
        "cluster_read",
        "UPDATE ON unread_clusters WHEN NEW.unread = 0",
        " DELETE FROM unread_clusters WHERE user_id = NEW.user_id AND cluster_id = NEW.cluster_id;",
    ),
    ("article_comes", "INSERT ON articles", _article("NEW", "")),
    ("article_goes", "DELETE ON articles", _article("OLD", "-")),
    (
        "article_moves",
        "UPDATE OF feed_id ON articles",
        _article("OLD", "-") + _article("NEW", ""),
    ),
    (
        "person_goes",
        "DELETE ON users",
        " DELETE FROM unread_counts WHERE user_id = OLD.id;"
        " DELETE FROM unread_clusters WHERE user_id = OLD.id;",
    ),
)
_VIEWS = (
    "CREATE OR REPLACE VIEW unread_counts AS SELECT user_id, feed_id, COUNT(*) AS unread"
    " FROM states WHERE read = FALSE GROUP BY user_id, feed_id",
    "CREATE OR REPLACE VIEW unread_clusters AS"
    " SELECT s.user_id, c.cluster_id, COUNT(*) AS unread"
    " FROM clusters c JOIN states s ON s.article_id = c.article_id AND s.read = FALSE"
    " GROUP BY s.user_id, c.cluster_id",
    "CREATE OR REPLACE VIEW article_counts AS SELECT feed_id, COUNT(*) AS articles"
    " FROM articles GROUP BY feed_id",
)


def make(connection: Connection) -> None:
    """After every upgrade: a table that was made anew has lost its triggers."""
    if connection.dialect.name == "postgresql":
        for statement in _VIEWS:
            connection.exec_driver_sql(statement)
        return
    for statement in (*_TABLES, *_FILLED):
        connection.exec_driver_sql(statement)
    for name, when, then in _TRIGGERS:
        connection.exec_driver_sql(f"DROP TRIGGER IF EXISTS kept_{name}")
        event, _, condition = when.partition(" WHEN ")
        text = f" WHEN {condition}" if condition else ""
        connection.exec_driver_sql(
            f"CREATE TRIGGER kept_{name} AFTER {event}{text} BEGIN{then} END"
        )
