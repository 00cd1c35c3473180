"""The statements that put article ids in order: merged index ranges, or a sort of a few. SQL only.

A page without filters is a merge: of each class of sensitivity (and of newest-first, of each read
mark) the index gives its best in order, and only as many as the page needs are read. A sensitivity
leaves one class, a language is a range of an index of its own, and a least score is where each
range ends. The other filters are tried on each row of the merge, or, when what they let through is
little, that little is sorted.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import compress, filterfalse

from sqlalchemy import TextClause

from newsloom.kernel.db.dialects import portable
from newsloom.kernel.db.sql import many
from newsloom.ranking.rank_key import UNSCORED, UNSCORED_SENSITIVITY
from newsloom.reading.store.lists import importance_queries, row_names
from newsloom.reading.store.lists.importance_queries import IMPORTANCE
from newsloom.reading.values.reading import ListQuery, Order, Rows

# Unscored articles are a class of their own.
LEVELS = (UNSCORED, 1, 2, 3, 4, 5)

# Up to this many articles a filter lets through are sorted rather than looked for in the merge:
# 20,000 take some 20 ms to sort, and where there are more, one in fifty of a million, a page of 100
# is found within the first few thousand of the merge.
FEW = 20_000
# What some feeds or a language have is sorted out of one index, at .5 us each, where a row that has
# to be touched takes 3.5; one that the merge passes by takes .3, and it passes the more the fewer
# are let through.
FEW_BY_INDEX = 10_000
# To work out the importance of each is dearer, and the ranges of the merge begin with the likely.
FEW_IMPORTANT = 3_000

# A category and a language together: in each may be most of all articles, and in both none. What
# has its original in the category is a range of an index for each of its feeds; copies are few.
_CATEGORY_LANGUAGE = "category and language"
_OF_CATEGORY = "(SELECT feed_id FROM subscriptions WHERE user_id = :user AND category = :category)"

# What stands in an index of its own, for it is little. PostgreSQL takes it for nearly everything,
# and one in two hundred of that for what it cannot judge, which the second half is there for: with
# a category of half a million it looked through the copies anew for each row, for seconds.
_COPY = "a.original_id <> a.id AND a.original_id * 0 = 0"

# The feeds of a filter, as a table with the column feed_id, and the filter that is then met.
_FEEDS = {
    "feed": ("(SELECT CAST(:feed AS BIGINT) AS feed_id)", "feed"),
    "category": (_OF_CATEGORY, "category"),
    _CATEGORY_LANGUAGE: (_OF_CATEGORY, "category"),
}
# What an index has with all that any order needs.
_BY_INDEX = (*_FEEDS, "language", "since")

# Statements kept of each kind. Those of filters are a few hundred; tests make any number.
CACHED = 512

_CONDITIONS = {
    "cluster": """s.article_id IN (
        SELECT original_id FROM articles WHERE id = :cluster
        UNION SELECT c.article_id FROM articles a
        JOIN clusters o ON o.article_id = a.original_id
        JOIN clusters c ON c.cluster_id = o.cluster_id
        WHERE a.id = :cluster)""",
    "starred": "s.starred = TRUE",
    "liked": "s.rating = 1",
    "later": "s.later = TRUE",
    "tag": """EXISTS (
        SELECT 1 FROM article_tags t
        WHERE t.user_id = :user AND t.key = :tag AND t.article_id = s.article_id)""",
    "newer": "s.article_id > :newer_than",
    "arrived": "s.arrival > :arrived_after",
    "feed": f"""(s.feed_id = :feed OR s.article_id IN (
        SELECT a.original_id FROM articles a WHERE a.feed_id = :feed AND {_COPY}))""",  # noqa: S608
    # Its feeds, and the few copies in them whose originals stand elsewhere, are listed once; then
    # the indexes answer it by themselves. To look for the places of each article took 2 us.
    "category": f"""(s.feed_id IN {_OF_CATEGORY} OR s.article_id IN (
        SELECT a.original_id FROM subscriptions c CROSS JOIN articles a
        WHERE c.user_id = :user AND c.category = :category AND a.feed_id = c.feed_id
        AND {_COPY}))""",  # noqa: S608
    "language": "s.language = :language",
    "since": "s.dated_at >= :since",
}

# Where the articles that a filter lets through are found at once. What was found is held as a table
# of its own, so that SQLite looks nowhere else for them.
_SOURCES = {
    "cluster": """SELECT original_id AS article_id FROM articles WHERE id = :cluster
        UNION SELECT c.article_id FROM articles a
        CROSS JOIN clusters o CROSS JOIN clusters c
        WHERE a.id = :cluster AND o.article_id = a.original_id AND c.cluster_id = o.cluster_id""",
    "starred": "SELECT article_id FROM states WHERE user_id = :user AND starred = TRUE",
    "liked": "SELECT article_id FROM states WHERE user_id = :user AND rating = 1",
    "later": "SELECT article_id FROM states WHERE user_id = :user AND later = TRUE",
    "tag": "SELECT article_id FROM article_tags WHERE user_id = :user AND key = :tag",
    "newer": "SELECT article_id FROM states WHERE user_id = :user AND article_id > :newer_than",
    "arrived": "SELECT article_id FROM states WHERE user_id = :user AND arrival > :arrived_after",
}


# What a list as of a moment leaves out: few, so the indexes of the list stay all it reads.
_ARRIVED_SINCE = "SELECT article_id FROM states WHERE user_id = :user AND arrival > :as_of_arrival"

# What a list as of a moment keeps: articles that were unread (starred, liked, to be read later)
# then and were made otherwise since, but for those cleared away with many others. The plus keeps
# SQLite from going through all events of the user instead of the last.
_KEPT = """SELECT e.article_id FROM events e
    WHERE e.id > :as_of_event AND +e.user_id = :user AND {was}
    AND (SELECT f.kind FROM events f WHERE f.id = e.step) <> 'bulk read'"""
_WAS = {
    "unread": "e.before & 1 = 0",
    "starred": "e.before & 2 = 2",
    "liked": "e.before & 12 = 8",
    "later": "e.before & 16 = 16",
}


@dataclass(frozen=True, slots=True)
class QueryShape:
    """What of a query changes its statement; the values in it are bound."""

    order: Order
    unread_only: bool
    filters: tuple[str, ...]
    levels: tuple[int, ...] = LEVELS  # the classes that are listed
    rows: Rows = Rows.ARTICLE
    as_of: bool = False
    tests: tuple[str, ...] = ()  # conditions on the state `s` of an article besides the filters
    # Whether it begins after a position, and gives the sort_key and the feed of each row.
    stream: bool = False

    @property
    def marks(self) -> tuple[str, ...]:
        """The values of the read mark that are listed."""
        return ("FALSE",) if self.unread_only else ("FALSE", "TRUE")

    @property
    def recently_read(self) -> str:
        """What an unread list keeps of what was read since, as a statement; "" when nothing."""
        return _KEPT.format(was=_WAS["unread"]) if self.as_of and self.unread_only else ""


def shape(query: ListQuery) -> QueryShape:
    wanted = {
        "cluster": query.cluster is not None,
        "newer": query.newer_than is not None,
        "arrived": query.arrived_after is not None,
        "starred": query.starred_only,
        "liked": query.liked_only,
        "later": query.later_only,
        "tag": query.tag is not None,
        "language": query.language is not None,
        "feed": query.feed is not None,
        "category": query.category is not None,
        "score": query.score > 0,
        "importance": query.importance > 0,
        "sensitivity": query.sensitivity is not None,
        "since": query.since is not None or query.within is not None,
    }
    filters = tuple(compress(wanted, wanted.values()))
    levels: tuple[int, ...] = LEVELS
    if query.sensitivity is not None:
        levels = tuple(one for one in LEVELS if (one or UNSCORED_SENSITIVITY) == query.sensitivity)
    as_of = query.as_of is not None
    return QueryShape(query.order, query.unread_only, filters, levels, query.row_kind, as_of)


@lru_cache(maxsize=CACHED)
def merge(form: QueryShape) -> TextClause:
    """The best of every range, merged. Binds what the filters name, and user, shift_0..5,
    least_0..5, limit, offset, and upto, the two together; a stream also from_sort_key, from_0..5
    and from_article, the position it begins after. By importance, also what IMPORTANCE does."""
    if form.order in _BY_ONE_COLUMN:
        column, key = _BY_ONE_COLUMN[form.order]
        conditions = _conditions(form, form.filters) + _after(form, key)
        ranges = [_range(column, key, mark, conditions) for mark in form.marks]
    elif form.order is Order.IMPORTANT:
        # A language is tried: its own index has all of it, of whatever importance.
        tried = _conditions(form, form.filters).replace(
            _CONDITIONS["language"], "s.language || '' = :language"
        )
        ranges = [
            importance_queries.ranges(
                form.marks,
                tried,
                _after(form, IMPORTANCE),
                _after(form, "s.points"),
            )
        ]
    else:
        tried = _conditions(form, [one for one in form.filters if one not in _OF_RANGES])
        ranges = [
            _range(
                "s.rank_key DESC",
                f"s.rank_key - CAST(:shift_{level} AS BIGINT)",
                mark,
                f" AND s.sensitivity = {level}{_least(form, level)}"
                f"{_after(form, 's.rank_key', str(level))}{tried}",
            )
            for mark in form.marks
            for level in form.levels
        ]
    if form.recently_read:
        ranges.append(_range_recently_read(form))
    return _page(
        form,
        (" UNION ALL ".join(ranges) or "SELECT 0 AS article_id, 0 AS sort_key WHERE FALSE")
        + " ORDER BY sort_key DESC, article_id DESC LIMIT inlined(:limit) OFFSET :offset",
    )


# A place by chance that needs no column and no index: the cube of the article's number, moved by
# the seed, modulo the largest prime below 2^31 that leaves 2 when divided by 3. Of such a prime
# every number is one cube, so no two articles share a place, and no product is above 2^62. Every
# article that the list may have is looked at.
PRIME = 2_147_483_579
_MOVED = f"((s.article_id + CAST(:seed AS BIGINT)) % {PRIME})"
_CHANCE = f"({_MOVED} * {_MOVED} % {PRIME} * {_MOVED} % {PRIME})"

# How each of these orders is walked, and what makes an article's sort_key in it. The oldest first
# is the index of the newest read from its other end.
_BY_ONE_COLUMN = {
    Order.NEWEST: ("s.dated_at DESC", "s.dated_at"),
    Order.OLDEST: ("s.dated_at", "-s.dated_at"),
    Order.RANDOM: (f"{_CHANCE} DESC", _CHANCE),
}


def chance(seed: int) -> int:
    """What a seed binds as `:seed`: neighbours among seeds lie far apart, and all far from 0, where
    cubes would still stand in the order of their roots."""
    return (seed * 1_500_450_271 + 715_827_883) % PRIME


def _after(form: QueryShape, column: str, name: str = "sort_key") -> str:
    """Of a stream, what is below the position it begins after; begins with AND."""
    if not form.stream:
        return ""
    # By the column itself the index is entered where the stream begins.
    first = " AND s.dated_at >= -CAST(:from_sort_key AS BIGINT)" if column == "-s.dated_at" else ""
    return f"{first} AND ({column}, s.article_id) < (:from_{name}, :from_article)"


# The feed that a list names beside an article, as lists._listed has it: the original's; if the
# reader does not follow that, the first of theirs that has a copy; if none has, the original's.
FEED_SHOWN = """(
    SELECT CASE WHEN EXISTS (
        SELECT 1 FROM subscriptions c WHERE c.user_id = :user AND c.feed_id = s.feed_id
    ) THEN s.feed_id ELSE COALESCE((
        SELECT a.feed_id FROM articles a CROSS JOIN subscriptions c
        WHERE a.original_id = s.article_id AND c.user_id = :user AND c.feed_id = a.feed_id
        ORDER BY a.id LIMIT 1
    ), s.feed_id) END
    FROM states s WHERE s.user_id = :user AND s.article_id = {article}
)"""


def _page(form: QueryShape, ids: str) -> TextClause:
    """Article ids in order, each with the name of the row it belongs to, if it shares one.

    Their number is written out in `ids`: PostgreSQL expects a tenth of all articles of a bound
    LIMIT, and then reads every cluster.
    """
    alone = form.rows is Rows.ARTICLE
    if alone and not form.stream:
        return portable(ids)
    columns = ["m.article_id", "NULL AS name" if alone else f"{row_names.NAME[form.rows]} AS name"]
    if form.stream:
        columns += ["m.sort_key", f"{FEED_SHOWN.format(article='m.article_id')} AS feed_id"]
    joined = "" if alone else row_names.join(form.rows, "m.article_id")
    return portable(
        f"SELECT {', '.join(columns)} FROM ({ids}) m{joined}"  # noqa: S608
        " ORDER BY m.sort_key DESC, m.article_id DESC"
    )


# In ranked order these choose and end the ranges that are merged; nothing is tried on a row.
_OF_RANGES = ("score", "sensitivity")


def _range(column: str, key: str, mark: str, conditions: str) -> str:
    return (
        f"SELECT * FROM (SELECT s.article_id, {key} AS sort_key FROM states s"  # noqa: S608
        f" WHERE s.user_id = :user AND s.read = {mark}{conditions}"
        f" ORDER BY {column}, s.article_id DESC LIMIT inlined(:upto)) AS r"
    )


def _range_recently_read(form: QueryShape) -> str:
    """The few that were read since; in the merge beside those that are unread."""
    return (
        f"SELECT * FROM (SELECT s.article_id, {sort_key(form)} AS sort_key"  # noqa: S608
        f" FROM (SELECT DISTINCT article_id FROM ({form.recently_read}) d) k CROSS JOIN states s"
        " WHERE s.user_id = :user AND s.article_id = k.article_id AND s.read = TRUE"
        f"{_conditions(form, form.filters)}{_after(form, sort_key(form))}) AS r"
    )


def _least(form: QueryShape, level: int) -> str:
    return f" AND s.rank_key >= :least_{level}" if "score" in form.filters else ""


def _conditions(form: QueryShape, names: tuple[str, ...] | list[str]) -> str:
    newest = f" AND s.article_id NOT IN ({_ARRIVED_SINCE})" if form.as_of else ""
    tests = "".join(f" AND {test}" for test in form.tests)
    return newest + tests + "".join(f" AND {_condition(form, name)}" for name in names)


def _condition(form: QueryShape, name: str) -> str:
    """What a filter asks of one row."""
    if name == "sensitivity":
        return f"s.sensitivity IN ({', '.join(map(str, form.levels)) or 'NULL'})"
    if name == "score":
        return f"s.rank_key >= {_by_level('least')}"
    if name == "importance":
        return f"{IMPORTANCE} >= CAST(:least_importance AS BIGINT)"
    if form.as_of and name in _WAS:
        return f"({_CONDITIONS[name]} OR s.article_id IN ({_KEPT.format(was=_WAS[name])}))"
    return _CONDITIONS[name]


def _listed(form: QueryShape) -> str:
    """What the list asks of the read mark."""
    marked = f"s.read IN ({', '.join(form.marks)})"
    return f"({marked} OR s.article_id IN ({form.recently_read}))" if form.recently_read else marked


def _by_level(value: str) -> str:
    values = " ".join(f"WHEN {one} THEN CAST(:{value}_{one} AS BIGINT)" for one in LEVELS)
    return f"CASE s.sensitivity {values} END"


def sources(form: QueryShape) -> tuple[str, ...]:
    """The filters whose articles can be had at once, by how little counting them costs.

    In ranked order a language alone needs none of that: it has ranges of its own.
    """
    tried = form.filters
    if form.order is Order.RANKED:
        tried = tuple(filterfalse(_OF_RANGES.__contains__, form.filters))
    if form.order is Order.RANKED and tried == ("language",):
        return ()
    both = {"category", "language"} <= set(tried)
    return (_CATEGORY_LANGUAGE, *tried) if both else tried


@cache
def sort(form: QueryShape, source: str) -> TextClause:
    """Everything one filter lets through, sorted. Binds the same as merge.

    Here and below the sort key has `+ 0`, so that PostgreSQL does not go through an index in this
    order for the few that it wants, when hardly any article passes.
    """
    if source in _BY_INDEX:
        return _sort_by_index(form, source)
    # What is kept was found for another reason.
    others = [name for name in form.filters if name != source or form.as_of]
    return _page(
        form,
        f"SELECT s.article_id, {sort_key(form)} + 0 AS sort_key"  # noqa: S608
        f" FROM ({_source(form, source)}) f CROSS JOIN states s"
        f" WHERE s.user_id = :user AND {_listed(form)} AND s.article_id = f.article_id"
        f"{_conditions(form, others)}{_after(form, sort_key(form))}"
        " ORDER BY sort_key DESC, s.article_id DESC LIMIT inlined(:limit) OFFSET :offset",
    )


def _sort_by_index(form: QueryShape, source: str) -> TextClause:
    """The same out of one index, without a table of what was found. Of some feeds, the few copies
    whose originals stand elsewhere come by themselves."""
    feeds, known = _FEEDS.get(source, ("", ""))
    others = [name for name in form.filters if name != known]
    chosen = (
        f"SELECT s.article_id, {sort_key(form)} + 0 AS sort_key FROM {{}}states s"  # noqa: S608
        f" WHERE s.user_id = :user AND s.read IN ({', '.join(form.marks)}){{}}"
        f"{_conditions(form, others)}{_after(form, sort_key(form))}"
    )
    found = [chosen.format("", "")]
    if feeds:
        found = [
            chosen.format(f"{feeds} c CROSS JOIN ", " AND s.feed_id = c.feed_id"),
            chosen.format(
                f"({_copies(feeds)}) c CROSS JOIN ",
                f" AND s.article_id = c.article_id AND s.feed_id NOT IN {feeds}",
            ),
        ]
    if form.recently_read:
        found.append(_range_recently_read(form))
    return _page(
        form,
        " UNION ALL ".join(found)
        + " ORDER BY sort_key DESC, article_id DESC LIMIT inlined(:limit) OFFSET :offset",
    )


def _copies(feeds: str) -> str:
    return (
        f"SELECT DISTINCT a.original_id AS article_id FROM {feeds} f CROSS JOIN articles a"  # noqa: S608
        f" WHERE a.feed_id = f.feed_id AND {_COPY}"
    )


@lru_cache(maxsize=CACHED)
def sort_joined(form: QueryShape, table: str, conditions: str) -> TextClause:
    """Everything that a table lets through, sorted; conditions, each after AND, join it to `s`."""
    return _page(
        form,
        f"SELECT s.article_id, {sort_key(form)} + 0 AS sort_key FROM {table} CROSS JOIN states s"  # noqa: S608
        f" WHERE s.user_id = :user AND s.read IN ({', '.join(form.marks)}){conditions}"
        f"{_after(form, sort_key(form))}"
        " ORDER BY sort_key DESC, s.article_id DESC LIMIT inlined(:limit) OFFSET :offset",
    )


def sort_key(form: QueryShape) -> str:
    """What an article is ordered by."""
    if form.order in _BY_ONE_COLUMN:
        return _BY_ONE_COLUMN[form.order][1]
    return IMPORTANCE if form.order is Order.IMPORTANT else f"s.rank_key - {_by_level('shift')}"


@lru_cache(maxsize=CACHED)
def foremost(form: QueryShape) -> TextClause:
    """Of each row of a cluster or a text that one of :ids belongs to, the articles that the filters
    let through: the fullest and the one that stands highest, each under the id that was asked
    for."""
    # The few articles are found before they are filtered: PostgreSQL would look through all that
    # the reader has for those of a category.
    return many(
        "WITH s AS MATERIALIZED (SELECT g.article_id AS asked, t.*"  # noqa: S608
        " FROM clusters g CROSS JOIN clusters c CROSS JOIN states t"
        " WHERE g.article_id IN :ids AND c.cluster_id = g.cluster_id"
        f"{row_names.OF_CLUSTERS[form.rows]}"
        " AND t.user_id = :user AND t.article_id = c.article_id)"
        " SELECT * FROM (SELECT s.asked, s.article_id,"
        " ROW_NUMBER() OVER (PARTITION BY s.asked"
        " ORDER BY f.length DESC, s.dated_at, s.article_id) AS fullness,"
        f" {_place('s.asked', form)}"
        " FROM s CROSS JOIN articles o CROSS JOIN articles f"
        f" WHERE {_listed(form)}{_conditions(form, form.filters)}"
        " AND o.id = s.article_id AND f.id = o.fullest_id) AS ranked"
        " WHERE fullness = 1 OR place = 1"
    )


@lru_cache(maxsize=CACHED)
def leading(form: QueryShape) -> TextClause:
    """Of the story of each of :ids the article that stands highest of those that the filters let
    through, under the id that was asked for."""
    return many(
        f"SELECT * FROM (SELECT m.asked, s.article_id, {_place('m.asked', form)}"  # noqa: S608
        f" FROM ({row_names.OF_STORIES}) m CROSS JOIN states s"
        " WHERE s.user_id = :user AND s.article_id = m.article_id"
        f" AND {_listed(form)}{_conditions(form, form.filters)}) AS ranked WHERE place = 1"
    )


def _place(row: str, form: QueryShape) -> str:
    """Where an article of a row stands among the others of it."""
    return (
        f"ROW_NUMBER() OVER (PARTITION BY {row}"
        f" ORDER BY {sort_key(form)} DESC, s.article_id DESC) AS place"
    )


def _source(form: QueryShape, name: str) -> str:
    """Every article a filter lets through, and what the list keeps."""
    kept = _KEPT.format(was=_WAS[name]) if form.as_of and name in _WAS else form.recently_read
    found = _found(form, name)
    return f"{found} UNION {kept}" if kept else found


def _found(form: QueryShape, name: str) -> str:
    if name in _SOURCES:
        return _SOURCES[name]
    if name == "language":
        marks = ", ".join(form.marks)
        return (
            "SELECT article_id FROM states WHERE user_id = :user"  # noqa: S608
            f" AND read IN ({marks}) AND language = :language"
        )
    if name == "importance":  # the index ends where not even a new article could reach it
        return " UNION ALL ".join(
            "SELECT s.article_id FROM states s WHERE s.user_id = :user"  # noqa: S608
            f" AND s.read = {mark} AND s.points >= :least_points AND {_condition(form, name)}"
            for mark in form.marks
        )
    return (
        " UNION ALL ".join(
            "SELECT article_id FROM states s WHERE s.user_id = :user"  # noqa: S608
            f" AND s.read = {mark} AND s.sensitivity = {level}{_least(form, level)}"
            for mark in form.marks
            for level in form.levels
        )
        or "SELECT 0 AS article_id WHERE FALSE"
    )


def few(source: str) -> int:
    """Up to how many articles of a filter are sorted."""
    if source in _BY_INDEX:
        return FEW_BY_INDEX
    return FEW_IMPORTANT if source == "importance" else FEW


@cache
def count(form: QueryShape, source: str) -> TextClause:
    """How many articles a filter lets through, counted no further than just above few().

    Copies count too: to tell them apart took ten times as long as to count, of a large category.
    The unread articles of each feed are counted in a table: counting them took 3 ms of 17.
    """
    feeds, _known = _FEEDS.get(source, ("", ""))
    most = f"LIMIT {few(source) + 1}"
    if feeds and form.unread_only and "language" not in form.filters:
        return portable(
            "SELECT COALESCE((SELECT SUM(u.unread)"  # noqa: S608
            f" FROM {feeds} c CROSS JOIN unread_counts u"
            " WHERE u.user_id = :user AND u.feed_id = c.feed_id), 0)"
            f" + (SELECT COUNT(*) FROM ({_copies(feeds)} {most}) AS few)"
        )
    counted = _of_feeds(form, source) if feeds else _source(form, source)
    return portable(
        "SELECT COUNT(*) FROM (SELECT 1 FROM"  # noqa: S608
        f" ({counted.replace('SELECT DISTINCT ', 'SELECT ')}) AS f {most}) AS few"
    )


def _of_feeds(form: QueryShape, source: str) -> str:
    feeds, _known = _FEEDS[source]
    language = " AND s.language = :language" if "language" in form.filters else ""
    return (
        f"SELECT s.article_id FROM {feeds} c CROSS JOIN states s WHERE s.user_id = :user"  # noqa: S608
        f" AND s.read IN ({', '.join(form.marks)}) AND s.feed_id = c.feed_id{language}"
        f" UNION ALL {_copies(feeds)}"
    )
