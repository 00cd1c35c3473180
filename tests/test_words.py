"""Texts that people read, and names in code, are free of the private terms that were removed.

Docs, templates and messages are written out as plain text, line by line, so that an offender is
named by file and line. proselint then reads the same texts. See docs/work/decisions/project.md.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from proselint.checks import __register__ as checks
from proselint.config import DEFAULT
from proselint.registry import CheckRegistry
from proselint.tools import LintFile

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "newsloom"

# What the texts said, and what to say instead.
TERMS = {
    r"by (?:itself|themselves)": "automatically",
    r"stands? here": "is here",
    r"held against": "checked against, counts against",
    r"how far .{0,30}believed": "credibility",
    r"likeness": "similarity",
    r"whenever": "when",
    r"tells? of": "reports, is about",
    r"put aside": "save for later",
    r"tak(?:e|es|en|ing) (?:it |that |this |them )?back": "undo",
    r"changed hands": "has a new owner",
    r"nobody has to (?:sign|log) in": "sign-in is off",
    r"asked (?:now|any more|a moment ago)": "fetched",
    r"is another's": "belongs to someone else",
    r"is so|is not so": "matches, does not match",
    r"what goes wrong": "errors",
    r"out of (?:its|the) sources": "from the sources",
}
PRIVATE = re.compile("|".join(rf"\b({term})\b" for term in TERMS), re.IGNORECASE)

# Names that code had in several meanings, and what to call the thing instead.
NAMES = {
    "crew": "ActorPool, WorkerPool",
    "crowd": "DayCounts",
    "deaf": "NO_LISTENER",
    "desk": "AccountService",
    "face": "identity",
    "hearing": "ChangeListener",
    "keptbrief": "ArchivedBrief",
    "keptdigest": "ArchivedDigest",
    "let_in": "release",
    "no_desk": "ModelActions",
    "no_means": "FeedActions",
    "other_hands": "ownership_changed",
    "passed_over": "implicit_negatives",
    "rooms": "ROUTERS",
    "shop": "context",
    "stand": "subscription",
    "standings": "ranked_entries, reputations",
    "storystand": "StorySubscription",
    "tied": "RelatedArticle",
    "turn": "slot, lease, next_occurrence",
    "variety": "Diversification",
    "visiting": "AuthMiddleware",
    "visitor": "Principal",
    "weighing": "ImportanceContext",
}

# Code, names and addresses are not prose.
_CODE = re.compile(r"```.*?```|`[^`\n]*`|<!--.*?-->|\]\([^)\n]*\)|https?://\S+", re.DOTALL)
_JINJA = re.compile(r"\{#.*?#\}|\{%.*?%\}", re.DOTALL)
_VALUE = re.compile(r"\{\{.*?\}\}", re.DOTALL)
_READ = re.compile(r'\b(?:aria-label|title|placeholder|alt)="([^"]*)"')
_TAG = re.compile(r"<(?:[^<>\"]|\"[^\"]*\")*>")
# Prompts, and words of other languages.
_NOT_MESSAGES = re.compile(
    r"/(?:purposes|speakable|checks|parse|text|db|store|migrations|entities|learning|sample)/"
    r"|/(?:phrases|disagreements|agencies|page_gates|discovery|series_titles|tables|tracking)\.py$"
)
_MESSAGE = re.compile(r"[A-Za-z]{2,}[,:;]? [a-z]{2,}")

# Checks of proselint that plain text cut out of code and templates cannot pass: quotation marks and
# spaces, words repeated around a value, lower-case days in formats, times after "from", CSS.
STYLE = DEFAULT | {
    "checks": {
        "misc.capitalization": False,
        "misc.preferred_forms": False,
        **DEFAULT["checks"],
        "dates_times": False,
        "lexical_illusions": False,
        "typography": False,
        "weasel_words": False,
    }
}


def _lines_kept(match: re.Match[str]) -> str:
    return "\n" * match[0].count("\n")


def _markdown(text: str) -> str:
    return _CODE.sub(lambda match: "x" + _lines_kept(match), text)


def _template(text: str) -> str:
    text = _VALUE.sub(lambda match: "x" + _lines_kept(match), _JINJA.sub(_lines_kept, text))
    return _TAG.sub(
        lambda tag: ". ".join(("", *_READ.findall(tag[0]), "")) + _lines_kept(tag), text
    )


@cache
def _tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text())


def _messages(file: Path) -> str:
    tree = _tree(file)
    lines = [""] * (file.read_text().count("\n") + 2)
    inner = {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr | ast.Expr)
        for part in ast.walk(node)
        if isinstance(part, ast.Constant)
        and (isinstance(node, ast.JoinedStr) or part is node.value)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            text = "".join(
                str(part.value) if isinstance(part, ast.Constant) else "x" for part in node.values
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = "" if id(node) in inner else node.value
        else:
            continue
        if _MESSAGE.search(text):
            lines[node.lineno - 1] += " ".join(text.split()) + " "
    return "\n".join(lines)


@cache
def _texts() -> dict[Path, str]:
    found = {ROOT / "README.md": _markdown((ROOT / "README.md").read_text())}
    for file in sorted((ROOT / "docs").rglob("*.md")):
        found[file] = _markdown(file.read_text())
    for file in sorted((SOURCE / "web" / "templates").rglob("*.html")):
        found[file] = _template(file.read_text())
    for file in sorted(SOURCE.rglob("*.py")):
        if not _NOT_MESSAGES.search(file.as_posix()):
            found[file] = _messages(file)
    return found


def _private(text: str) -> Iterator[tuple[int, str, str]]:
    """Lines, private terms on them, and what to say instead."""
    uses = tuple(TERMS.values())
    for found in PRIVATE.finditer(text):
        assert found.lastindex
        yield text.count("\n", 0, found.start()) + 1, found[0], uses[found.lastindex - 1]


def test_no_private_terms() -> None:
    offenders = [
        f"{file.relative_to(ROOT)}:{line}: {term!r}: {use}"
        for file, text in _texts().items()
        for line, term, use in _private(text)
    ]
    assert not offenders, "\n".join(offenders)


def test_style() -> None:
    registry = CheckRegistry()
    registry.register_many(checks)
    offenders = [
        f"{file.relative_to(ROOT)}:{remark.pos[0]}: {remark.check_result.message}"
        for file, text in _texts().items()
        for remark in LintFile(source=file.name, content=text).lint(STYLE)
    ]
    assert not offenders, "\n".join(offenders)


def _defined(file: Path) -> Iterator[tuple[int, str]]:
    for node in ast.walk(_tree(file)):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.lineno, node.name
            case ast.arg():
                yield node.lineno, node.arg


def test_no_private_names() -> None:
    offenders = [
        f"{file.relative_to(ROOT)}:{line}: {name}: {NAMES[name.strip('_').lower()]}"
        for file in sorted(SOURCE.rglob("*.py"))
        for line, name in _defined(file)
        if name.strip("_").lower() in NAMES
    ]
    assert not offenders, "\n".join(offenders)
