"""The templates of pages: compiled once, with what they call, and rows as they were rendered.

Values are escaped at a third of the cost; what is written is the same. Jinja escapes each value by
`markupsafe.escape`, which wraps it in an object that only the join at the end unwraps. A list has
three thousand values. It calls each function by `Context.call`, which first looks whether the
function wants the context: of ours none does.
"""

from __future__ import annotations

import hashlib
import operator
import re
from collections.abc import Callable, Hashable, Iterable, Mapping, MutableMapping
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from types import CodeType, MappingProxyType
from typing import Any

from jinja2 import BytecodeCache, Environment, FileSystemLoader, StrictUndefined, nodes
from jinja2.bccache import Bucket
from jinja2.compiler import CodeGenerator, Frame
from jinja2.ext import Extension
from markupsafe import Markup, escape

from newsloom.accounts.key_values import KEY_ACTIONS, USUAL_KEYS
from newsloom.accounts.preference_values import (
    AHEAD,
    AHEAD_PICTURES,
    LIST_PICTURES,
    LOOKS,
    MORE,
    PASSED,
    SWIPE_LEFT,
    SWIPE_RIGHT,
)
from newsloom.duplicates.pages import share_words
from newsloom.feeds.schedule import pace_words
from newsloom.kernel.ids import FeedId
from newsloom.reading.values.reading import Rows
from newsloom.web import wording
from newsloom.web.list_view import ListView, Page, Show
from newsloom.web.view import Row

try:
    from markupsafe._speedups import _escape_inner as _escaped
except ImportError:  # no wheel for this machine

    def _escaped(text: str, /) -> str:
        return str(escape(text))


def written(value: Any) -> str:
    """A value as a template writes it: markup as it is, of all else its text, escaped."""
    kind = type(value)
    if kind is str:
        return _escaped(value)
    if kind is int:
        return str(value)
    if hasattr(value, "__html__"):
        return str(value.__html__()) if kind is not Markup else value
    return _escaped(str(value))


# What calls are compiled to: without a frame of Python's between.
called: Any = operator.call


class Escaping(CodeGenerator):
    """Compiles what is put out in an escaped template to `written`, and calls to plain calls; all
    else as Jinja does."""

    def visit_Call(  # noqa: N802 - Jinja's name
        self, node: nodes.Call, frame: Frame, forward_caller: bool = False
    ) -> None:
        if forward_caller:  # the call of a macro with a body
            super().visit_Call(node, frame, forward_caller)
            return
        self.write("environment.called(")
        self.visit(node.node, frame)
        self.signature(node, frame)
        self.write(")")

    def _output_child_pre(self, node: Any, frame: Frame, finalize: Any) -> None:
        if frame.eval_ctx.volatile or not frame.eval_ctx.autoescape or finalize.src is not None:
            super()._output_child_pre(node, frame, finalize)
        else:
            self.write("(environment.written)(")


# Templates write an address of ours from its first stroke, as `href="/feeds"`, or by an expression
# that gives one. With no path set nothing is changed, and nothing costs anything; with one, no
# template can forget it. tests/web/test_under_path.py holds every page to that.

# The attributes that hold an address.
ATTRIBUTES = (
    "href",
    "src",
    "action",
    "formaction",
    "poster",
    "data-seen",
    "data-list",
    "hx-get",
    "hx-post",
    "hx-delete",
)

_LITERAL = re.compile(rf'(?<![\w-])({"|".join(ATTRIBUTES)})="/(?!/)')
_GIVEN = re.compile(rf'(?<![\w-])({"|".join(ATTRIBUTES)})="{{{{(.*?)}}}}')


class OwnLinks(Extension):
    """Writes the path before every address of ours, where the environment has one."""

    def preprocess(self, source: str, *_named: str | None) -> str:
        path = self.environment.globals.get("root", "")
        if not path:
            return source
        return _GIVEN.sub(r'\1="{{ (\2) | under_path }}', _LITERAL.sub(rf'\1="{path}/', source))


def put_under(templates: Environment, path: str) -> None:
    """Let templates know the path, and put their addresses under it."""

    def under_path(address: Any) -> Any:
        text = str(address)
        own = text.startswith("/") and not text.startswith("//")
        return f"{path}{text}" if own else address

    templates.globals["root"] = path
    templates.filters["under_path"] = under_path
    templates.add_extension(OwnLinks)


# Templates are compiled once in a process, however many applications are made in it.


class Compiled(BytecodeCache):
    """Templates compiled in this process, for further applications below the same path: Jinja may
    fold an address and its path into one constant."""

    def __init__(self) -> None:
        self._codes: dict[tuple[str, str], CodeType] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._codes.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        if bucket.code is not None:
            self._codes[bucket.key, bucket.checksum] = bucket.code


@cache
def compiled(_path: str) -> Compiled:
    """Those of the applications below a path."""
    return Compiled()


# New rows of a list are counted no further.
MOST_COUNTED = 1_000

HERE = Path(__file__).parent
STATIC = HERE / "static"

# The colours of pages; those of one scheme say which it is, the others go with the system.
THEMES = ("auto", "light", "dark", "sepia", "contrast")
_SCHEMES = {"light": "light", "dark": "dark", "sepia": "light"}

ROW_KINDS = (
    ("Story", Rows.STORY, "All articles of a story, over days"),
    ("Event", Rows.CLUSTER, "All reports of one event"),
    ("Text", Rows.TEXT, "Copies of one text"),
    ("Article", Rows.ARTICLE, "No grouping"),
)

# Of one feed, category or tag; of all, those under Saved.
WHOLE_LISTS = (("Unread", Show.UNREAD), ("All", Show.ALL))
SAVED_LISTS = (("Starred", Show.STARRED), ("Read later", Show.LATER), ("Liked", Show.LIKED))
# The pages under Settings, in which its link is current.
SETTINGS_PAGES = frozenset(
    {
        Page.SETTINGS, Page.FEEDS, Page.FEED, Page.SOURCES, Page.QUALITY, Page.COVERAGE,
        Page.YOU, Page.RULES, Page.PREFERENCES, Page.HELP, Page.SHARING,
        Page.NOTIFICATIONS,
        Page.ACCOUNT, Page.ADMIN,
    }
)  # fmt: skip


# Orders of a list besides "For you" and "Newest", by what they are called while one holds.
OTHER_ORDERS = {"important": "Important", "oldest": "Oldest", "random": "Shuffled"}


@cache
def stamped(folder: Path) -> Mapping[str, str]:
    """Static files by name, with their content's hash in the address so they can be kept."""
    return {
        name: f"/static/{name}?v={hashlib.sha256(file.read_bytes()).hexdigest()[:12]}"
        for file in sorted(folder.rglob("*"))
        if file.is_file()
        for name in [file.relative_to(folder).as_posix()]
    }


# The icons of the page that is being made, and the keys of its reader.
ICONS: ContextVar[Mapping[FeedId, str]] = ContextVar("icons", default=MappingProxyType({}))
KEYS: ContextVar[Mapping[str, tuple[str, ...]]] = ContextVar("keys", default=USUAL_KEYS)


class _Templates(Environment):
    code_generator_class = Escaping
    written = staticmethod(written)
    called: Any = staticmethod(called)

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Those of all templates, as one dictionary: of each row Jinja copies it, and would copy
        its own map of two maps name by name. None of our templates has globals of its own."""
        return super().make_globals(d) if d else self.globals


def environment(path: str, thumbnail: Callable[[str], str]) -> Environment:
    """The templates of one application, whose addresses stand under a path. `thumbnail` gives the
    address of a small picture, or none. Compiled once for all readers."""
    templates = _Templates(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        bytecode_cache=compiled(path),
    )
    templates.filters["grouped"] = "{:,}".format
    static = stamped(STATIC)
    templates.globals.update(
        static=static.__getitem__,
        count_words=wording.count_words,
        of_needed=wording.of_needed,
        share_words=share_words,
        web_address=wording.web_address,
        clean=wording.clean,
        clock_words=wording.clock_words,
        pace_words=pace_words,
        initial=wording.initial,
        most_counted=MOST_COUNTED,
        themes=THEMES,
        schemes=_SCHEMES,
        looks=LOOKS,
        list_pictures=LIST_PICTURES,
        more_rows=MORE,
        ahead=AHEAD,
        ahead_pictures=AHEAD_PICTURES,
        passed_rows=PASSED,
        swipes={"right": SWIPE_RIGHT, "left": SWIPE_LEFT},
        whole_lists=WHOLE_LISTS,
        saved_lists=SAVED_LISTS,
        settings_pages=SETTINGS_PAGES,
        other_orders=OTHER_ORDERS,
        row_kinds=ROW_KINDS,
        icon_of=_icon_of,
        thumbnail=thumbnail,
        key_actions=KEY_ACTIONS,
        hint=_hint,
    )
    templates.globals["cached_rows"] = _row_cache(templates)
    put_under(templates, path)
    # A page has thirty.
    templates.globals["icon"] = cache(vars(templates.get_template("_icons.html").module)["icon"])
    return templates


def _icon_of(feed: int) -> str:
    """Its address, among those of the page that is made now."""
    return ICONS.get().get(FeedId(feed), "")


def _hint(action: str) -> str:
    """The first key of an action, as the title of a button ends; "" when it has none."""
    keys = KEYS.get()[action]
    return f" ({keys[0]})".replace("(A)", "(Shift+A)") if keys else ""


# Rows as they were rendered, for every list that shows the same.
#
# Most of a row is the same from page to page. What differs, the list that an address leads back to,
# is put in afterwards: templates are rendered with marks in its place, control characters that no
# text on a page has (wording.clean, wording.web_address). A text that had one would show an address
# of ours.

# Some 2 KB each.
MOST_ROWS = 8_192
_AT, _TEXT = "\x01at\x02", "\x01text\x02"


@dataclass(frozen=True, slots=True)
class AnyView:
    """The list that a cached row belongs to, with placeholders for what differs between lists."""

    show: Show
    words: str
    wide: ListView  # without a feed and the filters, at its start
    text: str = _TEXT

    def open_url(self, article: int, below: str = "") -> str:
        return f"/articles/{article}{below}{_AT}"

    def tag_url(self, name: str) -> str:
        return self.wide.tag_url(name)


def _row_cache(templates: Environment) -> Callable[[Iterable[Row], ListView], Markup]:
    """What `_rows.html` calls for the rows of a list, one below the other."""

    @lru_cache(MOST_ROWS)
    def made(row: Row, _icon: str | None, place: AnyView, _keys: Hashable) -> str:
        return templates.get_template("_row.html").render(row=row, place=place)

    def cached_rows(rows: Iterable[Row], view: ListView) -> Markup:
        wide = view.wide.to(
            page=Page.LIST, show=Show.ALL, feed=None, category=None, words="", article=None
        )
        show = Show.UNREAD if view.show == Show.UNREAD and not view.words else Show.ALL
        anywhere, here = AnyView(show, "", wide), tuple(KEYS.get().values())
        icon_of = ICONS.get().get
        shown = "\n".join([made(row, icon_of(FeedId(row.feed_id)), anywhere, here) for row in rows])
        at = str(escape(view.open_url(0).removeprefix("/articles/0")))
        shown = shown.replace(_AT, at).replace(_TEXT, str(escape(view.text)))
        return Markup(shown)  # noqa: S704 - what was put in is escaped

    return cached_rows
