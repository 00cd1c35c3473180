"""The documentation: the pages, commands and settings that it names exist, and it stays short."""

from __future__ import annotations

import re
import runpy
import shlex
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
import typer

from newsloom.api.document import routes
from newsloom.cli import app
from newsloom.kernel import settings
from newsloom.web.api_access import PREFIX

ROOT = Path(__file__).parents[1]
LINK = re.compile(r"\]\(([^()\s]+)\)")
CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#{1,6} +(.+?)#*$", re.MULTILINE)
FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
PATH = re.compile(r"(?<![\w/])docs/[a-z][\w/-]*\.md\b")
COMMAND = re.compile(r"^ *(newsloom .*)$|`(newsloom [^`\n]+)`", re.MULTILINE)
OPERATION = re.compile(r"newsloom api (GET|POST|PUT|PATCH|DELETE) ([^\s`?]+)")
SETTING = re.compile(r"`([a-z_]+)\.([a-z_]+)(?: = [^`]*)?`")
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


@pytest.mark.parametrize("script", ["write_api_page", "write_settings_page"])
def test_generated_pages_are_current(script: str) -> None:
    """`.venv/bin/python scripts/NAME.py` writes them."""
    made = runpy.run_path(str(ROOT / "scripts" / f"{script}.py"))
    assert (ROOT / made["PAGE"]).read_text(encoding="utf-8") == made["page"]()


def test_every_page_that_a_file_names_is_there() -> None:
    """Comments, messages, help texts and settings name pages by their path."""
    named = {page for file in files() for page in PATH.findall(file.read_text(encoding="utf-8"))}
    assert len(named) > 20
    assert sorted(one for one in named if not (ROOT / one).is_file()) == []


def test_every_command_and_option_in_the_pages_exists() -> None:
    """Of commands in code: the subcommand, and each option up to a comment or a pipe."""
    lines = [
        (page.relative_to(ROOT), found)
        for page in pages()
        if page.name != "CHANGELOG.md"
        for pair in COMMAND.findall(page.read_text(encoding="utf-8"))
        for found in pair
        if found
    ]
    assert len(lines) > 150
    assert [f"{page}: {line}: {why}" for page, line in lines if (why := unknown(line))] == []


def unknown(line: str) -> str:
    """What `newsloom` does not know of a command line."""
    words = shlex.split(re.split(r" [#|>] | #|\\$", line)[0])
    command: Any = typer.main.get_command(app)
    context = command.make_context("newsloom", [], resilient_parsing=True)
    path = iter(words[1:])
    for word in path:
        if word.startswith("-"):
            options = {
                name: one for one in command.get_params(context)
                for name in (*one.opts, *one.secondary_opts)
            }  # fmt: skip
            if word not in options:
                return f"no option {word}"
            if not options[word].is_flag:
                next(path, None)
        elif hasattr(command, "get_command"):
            inner = command.get_command(context, word)
            if inner is None:
                return f"no command {word}"
            command = inner
    return ""


def test_every_operation_in_the_pages_exists() -> None:
    known = {(method, one.path_regex) for one in routes() for method in one.methods}
    named = [
        (page.relative_to(ROOT), *found)
        for page in pages()
        for found in OPERATION.findall(page.read_text(encoding="utf-8"))
    ]
    assert len(named) > 5
    assert [
        one
        for one in named
        if not any(one[1] == method and path.match(PREFIX + one[2]) for method, path in known)
    ] == []


def test_every_setting_in_the_pages_exists() -> None:
    known = {key.path for key in settings.declared()}
    groups = {one.partition(".")[0] for one in known if "." in one}
    named = [
        (page.relative_to(ROOT), f"{group}.{name}")
        for page in pages()
        if page.name != "CHANGELOG.md"
        for group, name in SETTING.findall(page.read_text(encoding="utf-8"))
        if group in groups
    ]
    assert len(named) > 100
    assert [one for one in named if one[1] not in known] == []


def test_every_make_target_and_script_in_the_pages_exists() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for page in pages():
        text = page.read_text(encoding="utf-8")
        made = re.findall(r"(?:^|`)make ([a-z-]+)", text, re.MULTILINE)
        assert [one for one in made if one not in targets] == [], page
        scripts = re.findall(r"(?<![\w/])(?:lab/)?scripts/\w+\.(?:py|sh)", text)
        assert [one for one in scripts if not (ROOT / one).is_file()] == [], page


def test_the_pages_stay_few_and_short() -> None:
    """Bounds of issue 30: whoever adds a page or a section merges or shortens another."""
    found = list((ROOT / "docs").rglob("*.md"))
    assert len(found) <= 60
    assert sum(len(one.read_text(encoding="utf-8").split()) for one in found) <= 50_000
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 120
