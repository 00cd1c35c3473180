"""The documentation: every link, anchor and path that names a page leads to one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

ROOT = Path(__file__).parents[1]
LINK = re.compile(r"\]\(([^()\s]+)\)")
CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#{1,6} +(.+?)#*$", re.MULTILINE)
FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
PATH = re.compile(r"(?<![\w/])docs/[a-z][\w/-]*\.md\b")
ELSEWHERE = re.compile(r"[a-z]+:")  # https:, mailto:


def pages() -> Iterator[Path]:
    yield from sorted((ROOT / "docs").rglob("*.md"))
    yield from (ROOT / "README.md", ROOT / "CHANGELOG.md")


def files() -> Iterator[Path]:
    """What may name a page by its path."""
    for folder in ("src", "lab", "tests", "scripts", "requirements", "deploy", "packaging"):
        for kind in ("py", "html", "js", "toml", "txt", "sh", "yaml", "service"):
            yield from (ROOT / folder).rglob(f"*.{kind}")
    yield from (ROOT / one for one in ("Makefile", "pyproject.toml", "compose.yaml"))


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    slugs: Counter[str] = Counter()
    found: set[str] = set()
    for heading in HEADING.findall(FENCED.sub("", page.read_text(encoding="utf-8"))):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)|`", r"\1", heading).strip().lower()
        slug = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        found.add(f"{slug}-{slugs[slug]}" if slugs[slug] else slug)
        slugs[slug] += 1
    return found


def broken(page: Path) -> Iterator[str]:
    for link in LINK.findall(CODE.sub("", page.read_text(encoding="utf-8"))):
        path, _, anchor = unquote(link).partition("#")
        target = (page.parent / path).resolve() if path else page
        where = f"{page.relative_to(ROOT)}: {link}"
        if ELSEWHERE.match(link):
            continue
        if not target.exists():
            yield f"{where} leads nowhere"
        elif anchor and (target.suffix != ".md" or anchor not in anchors(target)):
            yield f"{where} names no heading"


def test_every_link_and_anchor_leads_somewhere() -> None:
    assert [one for page in pages() for one in broken(page)] == []


def test_every_page_is_linked_from_the_index() -> None:
    folder = ROOT / "docs"
    linked = {
        (index.parent / link.partition("#")[0]).resolve()
        for index in folder.rglob("README.md")
        for link in LINK.findall(index.read_text(encoding="utf-8"))
    }
    pages = {one for one in folder.rglob("*.md") if one != folder / "README.md"}
    assert sorted(str(one.relative_to(ROOT)) for one in pages - linked) == []


def test_every_page_that_a_file_names_is_there() -> None:
    """Comments, messages, help texts and settings name pages by their path."""
    named = {page for file in files() for page in PATH.findall(file.read_text(encoding="utf-8"))}
    assert len(named) > 20
    assert sorted(one for one in named if not (ROOT / one).is_file()) == []
