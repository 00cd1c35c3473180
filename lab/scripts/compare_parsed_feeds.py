"""What two versions of Newsloom make of the same feed documents: titles, texts and pictures.

    python lab/scripts/compare_parsed_feeds.py dump FOLDER OUT.jsonl    # once in each version
    python lab/scripts/compare_parsed_feeds.py changed OLD.jsonl NEW.jsonl

A row is one article as it is shown: sanitised, its pictures by address. `changed` prints each
changed field with what was removed and added, then how many there are of each kind.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from difflib import SequenceMatcher
from html import unescape
from pathlib import Path
from typing import Any

from newsloom.feeds.parse import parse_feed
from newsloom.kernel.errors import ParseError
from newsloom.kernel.text.html import sanitize, to_text

_PICTURE = re.compile(r'<img [^>]*?src="([^"]*)"')
_SHOWN = 300  # characters of a change


def dump(folder: Path, out: Path) -> None:
    with out.open("w") as lines:
        for file in sorted(one for one in folder.iterdir() if one.is_file()):
            for row in _articles(file):
                lines.write(json.dumps(row) + "\n")


def _articles(file: Path) -> Iterator[dict[str, Any]]:
    try:
        feed = parse_feed(file.read_bytes(), "https://feeds.example/feed.xml")
    except ParseError as error:
        yield {"key": [file.name, "", 0], "title": f"Not read: {error}"}
        return
    seen: Counter[str] = Counter()
    for one in feed.articles:
        identity = one.guid or one.url or one.title
        seen[identity] += 1
        shown = sanitize(max(one.content, one.summary, key=len), one.url or feed.site_url)
        yield {
            "key": [file.name, identity, seen[identity]],
            "title": one.title,
            "text": to_text(shown, len(shown)),
            "pictures": [unescape(address) for address in _PICTURE.findall(shown)],
            "thumbnail": one.image,
        }


def changed(old: Path, new: Path) -> None:
    before, after = _rows(old), _rows(new)
    kinds: Counter[str] = Counter()
    for key in before.keys() | after.keys():
        one, other = before.get(key), after.get(key)
        if one is None or other is None:
            _report(kinds, key, "article", "" if one is None else one, other or "")
            continue
        for field in ("title", "text", "thumbnail", "pictures"):
            if one.get(field) != other.get(field):
                _report(kinds, key, field, one.get(field, ""), other.get(field, ""))
    print(f"{len(before)} articles before, {len(after)} after")
    for kind, number in kinds.most_common():
        print(f"{number:6} {kind}")


def _rows(file: Path) -> dict[tuple[Any, ...], dict[str, Any]]:
    with file.open() as lines:
        return {tuple(row["key"]): row for row in map(json.loads, lines)}


def _report(kinds: Counter[str], key: tuple[Any, ...], field: str, old: Any, new: Any) -> None:
    was, now = (
        re.findall(r"\S+", one) if isinstance(one, str) else list(one) for one in (old, new)
    )
    codes = SequenceMatcher(None, was, now, autojunk=False).get_opcodes()
    removed = " ".join(" ".join(was[a:b]) for tag, a, b, _, _ in codes if tag != "equal")
    added = " ".join(" ".join(now[c:d]) for tag, _, _, c, d in codes if tag != "equal")
    kind = " and ".join(name for name, one in (("removed", removed), ("added", added)) if one)
    kinds[f"{field}: {kind or 'white space'}"] += 1
    print(json.dumps([*key, field, removed[:_SHOWN], added[:_SHOWN]], ensure_ascii=False))


if __name__ == "__main__":
    command, first, second = sys.argv[1:]
    {"dump": dump, "changed": changed}[command](Path(first), Path(second))
