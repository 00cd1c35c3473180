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
        "One pass: poll what is due, find duplicates, rank. Safe from cron.",
    ),
    Command("serve", "cli.running:serve", "Serve the pages, and poll on schedule."),
    Command(
        "work",
        "engines.commands.working:work",
        "Share the work on stored articles with other processes; no polls.",
    ),
    Command("list", "reading.commands.articles:list_", "The ranked unread list."),
    Command("show", "reading.commands.articles:show", "One article, its copies and revisions."),
    Command("digest", "digests.commands:digest", "What mattered in a period, by topic."),
    Command("brief", "briefs.commands.briefs:brief", "A spoken brief of what is new."),
    Command("stories", "stories.commands:stories", "Stories and their articles."),
    Command("why", "reading.commands.articles:why", "Why an article stands where it stands."),
    Command("search", "reading.commands.searching:search", "Full-text search.", lenient=True),
    Command(
        "coverage", "coverage.commands:coverage", "Who else reports an article, by news searches."
    ),
)
MARKING = (
    Command("read", "reading.commands.articles:read", "Mark articles read, or all of a list."),
    Command("unread", "reading.commands.articles:unread", "Mark articles unread."),
    Command(
        "like",
        "reading.commands.articles:like",
        "More like these: trains your ranking, and marks them read.",
    ),
    Command(
        "dislike",
        "reading.commands.articles:dislike",
        "Less like these: trains your ranking, and marks them read.",
    ),
    Command("unrate", "reading.commands.articles:unrate", "Take back a like or dislike."),
    Command(
        "skip",
        "reading.commands.articles:skip",
        "Pass articles over: read, and a weak sign against their like.",
    ),
    Command(
        "star",
        "reading.commands.articles:star",
        "Keep articles: starred ones stay, and count as liked.",
    ),
    Command("unstar", "reading.commands.articles:unstar", "Take back a star."),
    Command(
        "later",
        "reading.commands.articles:later",
        "Put articles aside to read later: teaches nothing.",
    ),
    Command(
        "not-later",
        "reading.commands.articles:not_later",
        "Take articles off what is to be read later.",
    ),
    Command(
        "undo", "reading.commands.articles:undo", "Take back the last thing you did to articles."
    ),
)
FEEDS = (
    Command("add", "feeds.commands:add", "Follow a feed, or the feed a page links to."),
    Command("remove", "feeds.commands:remove", "Stop following feeds."),
    Command("feeds", "feeds.commands:feeds", "The feeds you follow, and how they are."),
    Command(
        "import",
        "feeds.commands:import_",
        "Follow every feed of an OPML file or URL, or take in labelled articles.",
    ),
    Command(
        "export",
        "feeds.commands:export",
        "Write your feeds as OPML, or your labels as JSON lines.",
    ),
)
RANKING = (
    Command(
        "train",
        "ranking.commands.training:train",
        "Train your ranking from your likes and dislikes now.",
    ),
    Command(
        "models",
        "ranking.commands.models:app",
        "The models trained so far, and which of them ranks; encoders to install and choose.",
    ),
)
OTHER_PROGRAMS = (
    Command(
        "api",
        "cli.api:api",
        "Run any operation of the JSON API: all that the pages can do. Without arguments: list.",
    ),
    Command("mcp", "mcp.command:mcp", "Give a language model's program your news to read (MCP)."),
    Command(
        "ttrss",
        "bridges.commands:ttrss",
        "Rank the articles of a Tiny Tiny RSS, in its own database.",
    ),
    Command(
        "greader",
        "bridges.commands:greader",
        "Rank the articles of FreshRSS, Miniflux or another server of the Google Reader API.",
    ),
)
ITSELF = (
    Command(
        "user",
        "accounts.commands:app",
        "Who may sign in: accounts, invitations, app passwords, who tried.",
    ),
    Command("backup", "cli.backup:backup", "Write everything to one file, while Newsloom runs."),
    Command("restore", "cli.backup:restore", "Put a backup in the place of everything."),
    Command(
        "store", "cli.storing:app", "Copy everything into another database: SQLite, PostgreSQL."
    ),
    Command(
        "prune",
        "retention.commands:prune",
        "Remove what is too old by your settings; --dry-run tells.",
    ),
    Command(
        "jobs",
        "engines.commands.jobs:app",
        "Compute everything stored anew, or take in a large file.",
    ),
    Command("settings", "cli.settings:settings", "Every setting, its value and its meaning."),
    Command(
        "doctor",
        "cli.doctor:doctor",
        "What is installed, what answers, what is unhealthy, how to mend it.",
    ),
    Command("politeness", "", "Run the politeness suite against Newsloom or any reader.", lab=True),
    Command("bench", "", "Measure speed, beside peers, in one run.", lab=True),
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
