"""What a rule may ask of an article. A further kind is a row of CONDITIONS. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from newsloom.kernel.errors import UserError
from newsloom.kernel.text.language import language
from newsloom.rules import seen
from newsloom.rules.seen import Seen
from newsloom.rules.values import RuleCondition
from newsloom.rules.words import folded, listed, phrases

# Regular expressions of readers, searched in a time that grows with the text alone. Pure.
#
# By RE2, which has no backtracking: no pattern, however hostile, takes longer than a multiple of
# the text's length, and what it may take of memory is bound. See docs/work/decisions/access.md.

LONGEST_PATTERN = 500
# Bytes that one pattern's program and its states may take; RE2 gives up states beyond, not memory.
MEMORY = 1_000_000


@lru_cache(maxsize=512)
def search(pattern: str) -> Callable[[str], bool]:
    """Whether a text has a match, whatever its case. Raises UserError with words."""
    import re2  # slow to import, and few readers have patterns

    if not pattern.strip():
        raise UserError("Enter a regular expression.")
    if len(pattern) > LONGEST_PATTERN:
        raise UserError(f"A regular expression can have at most {LONGEST_PATTERN} characters.")
    options = re2.Options()
    options.case_sensitive = False
    options.never_capture = True
    options.log_errors = False
    options.max_mem = MEMORY
    try:
        made = re2.compile(pattern, options)
    except (re2.error, UnicodeError) as error:
        raise UserError(
            f"{pattern!r:.60} is not a valid regular expression: {_words_patterns(error)}."
        ) from error
    if made.search("") is not None:
        raise UserError(f"{pattern!r:.60} matches every text, even an empty one.")
    return lambda text: made.search(text) is not None


def _words_patterns(error: Exception) -> str:
    body = error.args[0] if error.args else error
    words = body.decode("utf-8", "replace") if isinstance(body, bytes) else str(body)
    if "perl operator" in words:
        return f"look-ahead, look-behind and back-references are not supported ({words})"
    return words


Test = Callable[[Seen], bool]

LONGEST_VALUE = 5_000
# Of texts, in characters; the text stage keeps no more.
LONGEST_TEXT = 200_000
_NO_LANGUAGE = "und"


@dataclass(frozen=True, slots=True)
class ConditionKind:
    """A question, as it is called, shown and asked."""

    name: str
    label: str  # on the page, before its value
    example: str
    test: Callable[[str], Test]  # of a value; raises UserError for one that it cannot have


def _words(value: str) -> Test:
    wanted = phrases(value)
    return lambda seen: any(one.within(seen.both) for one in wanted)


def _title(value: str) -> Test:
    wanted = phrases(value)
    return lambda seen: any(one.within(seen.title) for one in wanted)


def _author(value: str) -> Test:
    wanted = phrases(value)
    return lambda seen: any(one.within(seen.author) for one in wanted)


def _pattern(value: str) -> Test:
    found = search(value)
    return lambda seen: found(seen.whole)


def _title_pattern(value: str) -> Test:
    found = search(value)
    return lambda seen: found(seen.facts.title)


def _feed(value: str) -> Test:
    lines = listed(value)
    if not lines or not all(one.isdecimal() and one.isascii() and len(one) < 19 for one in lines):
        raise UserError("Enter the id, name or URL of a feed.")
    wanted = frozenset(map(int, lines))
    return lambda seen: not wanted.isdisjoint(seen.facts.feeds)


def _category(value: str) -> Test:
    called = _called(value, "a category")
    return lambda seen: any(called(folded(one)) for one in seen.facts.categories)


def _tag(value: str) -> Test:
    called = _called(value, "a tag")
    return lambda seen: any(map(called, seen.tags))


def _called(value: str, what: str) -> Callable[[str], bool]:
    """Match a folded name against a list. `*` at either end matches any text."""
    wanted = [folded(one.lstrip("# ")) for one in _some(value, what)]
    if any("*" in one.strip("*") or not one.strip("*") for one in wanted):
        raise UserError("Enter a name. A star can start or end it: sport*.")
    found = re.compile("|".join(re.escape(one).replace(r"\*", ".*") for one in wanted))
    return lambda name: found.fullmatch(name) is not None


def _path(value: str) -> Test:
    wanted = tuple(seen.path(one) for one in _some(value, "a path, such as /deals"))
    return lambda seen: any(one.leads_to(link) for one in wanted for link in seen.links)


def _link_pattern(value: str) -> Test:
    found = search(value)
    return lambda seen: any(map(found, seen.facts.links))


def _language(value: str) -> Test:
    wanted = set()
    for one in _some(value, "a language, such as de"):
        code = language(one)
        if not code and one.lower() != _NO_LANGUAGE:
            raise UserError(f"{one!r:.40} is not a language. Use en, de, or und for unknown.")
        wanted.add(code)
    return lambda seen: seen.facts.language in wanted


def _domain(value: str) -> Test:
    wanted = tuple(_host(one) for one in _some(value, "a domain, such as example.com"))
    below = tuple(f".{one}" for one in wanted)
    return lambda seen: seen.facts.source in wanted or seen.facts.source.endswith(below)


def _host(written: str) -> str:
    found = seen.parted(written)
    if found.path.strip("/") or found.more:
        raise UserError(
            f"{written!r:.60} is more than a domain: write {found.host}, or make the condition "
            f"path={found.host}{found.path}"
        )
    if not seen.is_domain(found.host):
        raise UserError(f"{written!r:.60} is not a domain such as example.com.")
    return found.host


def _shorter(value: str) -> Test:
    most = _length(value)
    return lambda seen: len(seen.facts.text) < most


def _longer(value: str) -> Test:
    least = _length(value)
    return lambda seen: len(seen.facts.text) > least


def _length(value: str) -> int:
    text = value.strip().replace(" ", "").replace("_", "")
    if not (text.isascii() and text.isdecimal()) or not 0 < int(text[:9]) <= LONGEST_TEXT:
        raise UserError(f"Enter a number of characters up to {LONGEST_TEXT:,}.")
    return int(text)


def _some(value: str, what: str) -> tuple[str, ...]:
    found = listed(value)
    if not found:
        raise UserError(f"Enter {what}.")
    return found


CONDITIONS = (
    ConditionKind("words", "Title or text", "election, Champions League, elect*", _words),
    ConditionKind("title", "Title", "sponsored, quiz", _title),
    ConditionKind("pattern", "Title or text (regular expression)", r"CVE-\d{4}-\d+", _pattern),
    ConditionKind("title-pattern", "Title (regular expression)", r"^\[ad\]", _title_pattern),
    ConditionKind("author", "Author", "Jane Doe", _author),
    ConditionKind("feed", "Feed", "Hacker News", _feed),
    ConditionKind("category", "Category", "Sport", _category),
    ConditionKind("language", "Language", "de, fr", _language),
    ConditionKind("domain", "Publisher domain", "example.com", _domain),
    ConditionKind("path", "Link path", "/deals, sponsored, example.com/news", _path),
    ConditionKind("link-pattern", "Link (regular expression)", r"[?&]id=\d+", _link_pattern),
    ConditionKind("tag", "Publisher tag", "Sport, travel*", _tag),
    ConditionKind("shorter", "Text shorter than (characters)", "400", _shorter),
    ConditionKind("longer", "Text longer than (characters)", "20000", _longer),
)
BY_NAME = {one.name: one for one in CONDITIONS}


def asks(condition: RuleCondition) -> Test:
    """What answers a condition. Raises UserError with words for one that cannot be."""
    kind = BY_NAME.get(condition.kind)
    if kind is None:
        raise UserError(
            f"{condition.kind!r:.40} is not a condition. Use one of {', '.join(BY_NAME)}."
        )
    if len(condition.value) > LONGEST_VALUE:
        raise UserError(f"A condition can have at most {LONGEST_VALUE:,} characters.")
    try:
        test = kind.test(condition.value)
    except UserError as error:
        raise UserError(f"{kind.label}: {error}") from error
    return (lambda seen: not test(seen)) if condition.negated else test
