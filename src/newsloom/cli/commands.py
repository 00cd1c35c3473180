"""Every command: its name, where it is, and a line about it, in the order of --help. Imports none.

To add one: a function (or an app, for a group of commands) in a module of its package, and a row.
Those of newsloom-lab have rows too; docs/work/decisions/project.md says how they are found.
"""

from __future__ import annotations

from typing import NamedTuple


class Command(NamedTuple):
    """A row of the help page. `place` is "module:name" below newsloom; what a function's docstring
    says is shown by its own --help."""

    name: str
    place: str  # empty: only in the lab
    help: str
    lenient: bool = False  # takes what looks like an unknown option, such as -word, as an argument
    lab: bool = False  # where newsloom-lab is installed, its command of this name is used


READING = (
    Command(
        "run",
        "cli.running:run",
        "Fetch due feeds, find duplicates and rank, once. For cron.",
    ),
    Command("serve", "cli.running:serve", "Serve the pages and fetch feeds on schedule."),
    Command(
        "work",
        "engines.commands.working:work",
        "Process stored articles, together with other processes.",
    ),
    Command("list", "reading.commands.articles:list_", "List unread articles, ranked."),
    Command(
        "show", "reading.commands.articles:show", "Show an article with its copies and revisions."
    ),
    Command("digest", "digests.commands:digest", "Summarise a period by topic."),
    Command("brief", "briefs.commands.briefs:brief", "Create a spoken brief of new articles."),
    Command("stories", "stories.commands:stories", "List stories and their articles."),
    Command("why", "reading.commands.articles:why", "Explain the score of an article."),
    Command("search", "reading.commands.searching:search", "Search all articles.", lenient=True),
    Command(
        "coverage",
        "coverage.commands:coverage",
        "Find other coverage of an article with online news search.",
    ),
)
MARKING = (
    Command("read", "reading.commands.articles:read", "Mark articles or a whole list read."),
    Command("unread", "reading.commands.articles:unread", "Mark articles unread."),
    Command(
        "like",
        "reading.commands.articles:like",
        "Like articles: trains your model and marks them read.",
    ),
    Command(
        "dislike",
        "reading.commands.articles:dislike",
        "Dislike articles: trains your model and marks them read.",
    ),
    Command("unrate", "reading.commands.articles:unrate", "Remove a like or dislike."),
    Command(
        "skip",
        "reading.commands.articles:skip",
        "Skip articles: marks them read and counts as a weak dislike.",
    ),
    Command(
        "star",
        "reading.commands.articles:star",
        "Star articles: keeps them and counts as a like.",
    ),
    Command("unstar", "reading.commands.articles:unstar", "Remove a star."),
    Command(
        "later",
        "reading.commands.articles:later",
        "Save articles for later. Not used for training.",
    ),
    Command(
        "not-later",
        "reading.commands.articles:not_later",
        "Remove articles from read later.",
    ),
    Command("undo", "reading.commands.articles:undo", "Undo the last change to articles."),
)
FEEDS = (
    Command("add", "feeds.commands:add", "Follow feeds, or the feeds of pages."),
    Command("remove", "feeds.commands:remove", "Unfollow feeds."),
    Command("feeds", "feeds.commands:feeds", "List your feeds and their health."),
    Command(
        "import",
        "feeds.commands:import_",
        "Import feeds from OPML, or labelled articles.",
    ),
    Command(
        "export",
        "feeds.commands:export",
        "Export feeds as OPML, or labels as JSON lines.",
    ),
)
RANKING = (
    Command(
        "train",
        "ranking.commands.models:train",
        "Train your model on your likes and dislikes now.",
    ),
    Command(
        "models",
        "ranking.commands.models:app",
        "List trained models; list, install and remove encoders.",
    ),
    Command(
        "voices", "briefs.commands.voices:app", "List, install and remove voices of spoken briefs."
    ),
)
OTHER_PROGRAMS = (
    Command(
        "api",
        "cli.api:api",
        "Run an operation of the JSON API, or list them all.",
    ),
    Command("mcp", "mcp.command:mcp", "Run the MCP server for AI assistants."),
    Command(
        "ttrss",
        "bridges.commands:ttrss",
        "Rank articles in the database of Tiny Tiny RSS.",
    ),
    Command(
        "greader",
        "bridges.commands:greader",
        "Rank articles of a Google Reader API server, such as FreshRSS or Miniflux.",
    ),
)
ITSELF = (
    Command(
        "user",
        "accounts.commands:app",
        "Manage accounts, invitations, app passwords and sign-ins.",
    ),
    Command("backup", "cli.backup:backup", "Write a backup, also while Newsloom runs."),
    Command("restore", "cli.backup:restore", "Replace all data with a backup."),
    Command("store", "cli.storing:app", "Copy or upgrade the database (SQLite, PostgreSQL)."),
    Command(
        "prune",
        "retention.commands:prune",
        "Delete old data as configured; preview with --dry-run.",
    ),
    Command(
        "jobs",
        "engines.commands.jobs:app",
        "Reprocess all articles, or import a large file.",
    ),
    Command("settings", "cli.settings:settings", "List all settings with values and descriptions."),
    Command(
        "doctor",
        "cli.doctor:doctor",
        "Check the installation and suggest fixes.",
    ),
    Command("politeness", "", "Run the politeness suite against Newsloom or any reader.", lab=True),
    Command("bench", "", "Measure speed, compared with other readers.", lab=True),
    Command(
        "eval", "ranking.commands.evaluating:app", "Measure quality on labelled articles.", lab=True
    ),
)

SECTIONS = (
    ("Reading", READING),
    ("Marking", MARKING),
    ("Feeds", FEEDS),
    ("Ranking", RANKING),
    ("Other programs", OTHER_PROGRAMS),
    ("Newsloom itself", ITSELF),
)
COMMANDS = {row.name: row for _title, rows in SECTIONS for row in rows}
