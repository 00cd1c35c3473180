"""Drives lemon24/reader line by line, in a process of its own: a command in, an answer out."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from typing import Any

import feedparser_sgmllib

# Its own copy of feedparser looks for a module that no dependency of it brings any more.
sys.modules["sgmllib"] = feedparser_sgmllib

import reader  # noqa: E402

Answer = dict[str, Any]


def main(path: str) -> None:
    """Do what each line of standard input says."""
    library = reader.make_reader(path)
    for line in sys.stdin:
        told = json.loads(line)
        try:
            answer = DOES[told["do"]](library, told)
        except reader.ReaderError as error:
            answer = {"error": str(error)}
        except Exception as error:  # noqa: BLE001 - what a program that uses it would meet
            answer = {"error": f"it raised {type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)


def _version(_library: reader.Reader, _data: Mapping[str, Any]) -> Answer:
    return {"version": reader.__version__}


def _subscribe(library: reader.Reader, data: Mapping[str, Any]) -> Answer:
    for url in data["urls"]:
        library.add_feed(url, exist_ok=True)
    return {}


def _unsubscribe(library: reader.Reader, data: Mapping[str, Any]) -> Answer:
    library.delete_feed(data["url"])
    return {}


def _poll(library: reader.Reader, _data: Mapping[str, Any]) -> Answer:
    library.update_feeds(scheduled=True)
    return {}


def _refresh(library: reader.Reader, data: Mapping[str, Any]) -> Answer:
    library.update_feed(data["url"])
    return {}


def _articles(library: reader.Reader, _data: Mapping[str, Any]) -> Answer:
    return {
        "articles": [
            {
                "feed": one.feed_url,
                "guid": one.id,
                "title": one.title,
                "link": one.link,
                "published": one.published.isoformat() if one.published else None,
                "text": one.summary,
                "unread": not one.read,
            }
            for one in library.get_entries()
        ]
    }


def _feeds(library: reader.Reader, _data: Mapping[str, Any]) -> Answer:
    return {
        "feeds": [
            {
                "url": one.url,
                "title": one.title,
                "problem": one.last_exception.value_str if one.last_exception else "",
            }
            for one in library.get_feeds()
        ]
    }


def _mark_all_read(library: reader.Reader, _data: Mapping[str, Any]) -> Answer:
    for one in list(library.get_entries(read=False)):
        library.mark_entry_as_read(one)
    return {}


DOES: dict[str, Callable[[reader.Reader, Mapping[str, Any]], Answer]] = {
    "version": _version,
    "subscribe": _subscribe,
    "unsubscribe": _unsubscribe,
    "poll": _poll,
    "refresh": _refresh,
    "articles": _articles,
    "feeds": _feeds,
    "mark_all_read": _mark_all_read,
}

if __name__ == "__main__":
    main(sys.argv[1])
