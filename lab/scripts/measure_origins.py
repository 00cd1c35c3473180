"""Prints what the knowledge of origins finds in the real feeds and texts: links and agencies.

    python lab/scripts/measure_origins.py SHARED [--show 100] [--seed 1]

SHARED is the folder of real feeds and labelled news. Shows changed links and hits to be read.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from html import unescape
from pathlib import Path
from urllib.parse import quote

from newsloom.duplicates.syndication import agency
from newsloom.feeds.parse import parse_feed
from newsloom.feeds.values.published import ParsedArticle
from newsloom.kernel.errors import ParseError
from newsloom.kernel.text.html import to_text
from newsloom.kernel.text.redirects import forwards, target
from newsloom.kernel.text.urls import canonical

STORY = "https://news.example.com/2026/a?id=5&x=1"
LINK = re.compile(r"""https?://[^\s"'<>]+""")
OPML = re.compile(rb"""(?:xmlUrl|htmlUrl)\s*=\s*["'](https?://[^"'<>\s]+)["']""")
# Every so many polls of a feed: following ones hold nearly the same articles.
EVERY = 10


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shared", type=Path)
    parser.add_argument("--show", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    data = options.shared / "data"
    articles = list(_articles((data / "feeds" / "real").iterdir()))
    links = {
        "links of articles": [one.url for one in articles],
        "addresses in OPML": sorted(_opml(data / "opml")),
        "links in articles": [
            unescape(link) for one in articles for link in LINK.findall(one.content + one.summary)
        ],
    }
    for name, urls in links.items():
        _links(name, urls)
    _rules(data / "urls" / "brave" / "debounce.json")
    texts = [(one.author, _plain(one)) for one in articles]
    polls = sorted((data / "feeds" / "polling").glob("*/*.xml"))[::EVERY]
    seen = {one.guid or one.url: one for one in _articles(polls)}
    texts += [(one.author, _plain(one)) for one in seen.values()]
    for name in ("allsides_fulltext", "fulltext_background"):
        lines = (data / "stories" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
        texts += [("", json.loads(line)["text"]) for line in lines]
    _agencies(texts, options.show, random.Random(options.seed))


def _articles(files: Iterable[Path]) -> Iterator[ParsedArticle]:
    for file in sorted(files):
        try:
            yield from parse_feed(file.read_bytes(), "https://feed.example/").articles
        except ParseError:
            continue


def _opml(folder: Path) -> set[str]:
    files = (file for file in folder.rglob("*") if file.is_file())
    return {
        unescape(url.decode("utf-8", "replace"))
        for file in files
        for url in OPML.findall(file.read_bytes())
    }


def _plain(article: ParsedArticle) -> str:
    return to_text(max(article.content, article.summary, key=len), 200_000)


def _timed(work: Callable[[], object], times: int) -> str:
    began = time.process_time()
    work()
    return f"{(time.process_time() - began) / max(times, 1) * 1e6:.1f} us each"


def _links(name: str, urls: list[str]) -> None:
    took = _timed(lambda: [target(url) for url in urls], len(urls))
    changed = sorted({url for url in urls if target(url) != url})
    names = {url for url in urls if forwards(target(url))}
    print(
        f"{name}: {len(urls)}, {len(changed)} say they lead elsewhere, {len(names)} must be asked"
    )
    print(f"  {took}")
    for url in changed:
        print(f"  {url[:90]} -> {target(url)[:70]}")


def _rules(file: Path) -> None:
    """The parameters that one public list redirects, each pattern filled in."""
    read: Counter[bool] = Counter()
    for rule in json.loads(file.read_text(encoding="utf-8")):
        if rule["action"] != "redirect" or rule.get("prepend_scheme"):
            continue
        for pattern in rule["include"]:
            start = pattern.replace("*://", "https://").replace("//*.", "//www.")
            start = start.replace("/c/*", "/c/1/2/3").replace("*", "x")
            joint = "" if start.endswith("?") else "&" if "?" in start else "?"
            found = target(f"{start}{joint}{rule['param']}={quote(STORY, safe='')}")
            read[canonical(found) == canonical(STORY)] += 1
    print(f"{file.name}: {read[True]} of {read.total()} patterns are read")


def _agencies(texts: list[tuple[str, str]], show: int, chance: random.Random) -> None:
    took = _timed(lambda: [agency(*one) for one in texts], len(texts))
    found = [(agency(*one), one) for one in texts]
    hits = [(name, one) for name, one in found if name]
    print(f"texts: {len(texts)}, signed by an agency: {len(hits)}; {took}")
    print(f"  {Counter(name for name, _ in hits).most_common()}")
    for name, (author, text) in chance.sample(hits, min(show, len(hits))):
        both = f"{author} | {text[:110]} ... {text[-110:]}"
        print(f"  {name}: {both!r}")


if __name__ == "__main__":
    main()
