"""Marks that browsers made without us: taken in the order they were made, each once."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Annotated, Any

from fastapi import APIRouter, Form
from fastapi.responses import JSONResponse

from newsloom.kernel.errors import UserError
from newsloom.kernel.ids import ArticleId
from newsloom.reading.pages.marks import KEY, MOST_NAMED
from newsloom.reading.service import sent_marks
from newsloom.reading.service.sent_marks import LateMark
from newsloom.reading.values.reading import EventKind
from newsloom.web.list_view import LARGEST_ID
from newsloom.web.site import VIA, Here

router = APIRouter()

# In one request; a browser sends the rest after the answer.
MOST = 100
KINDS = frozenset(
    (
        EventKind.READ,
        EventKind.UNREAD,
        EventKind.LIKE,
        EventKind.DISLIKE,
        EventKind.UNRATE,
        EventKind.STAR,
        EventKind.UNSTAR,
        EventKind.SKIPPED,
        EventKind.OPENED,
        EventKind.BULK_READ,
        EventKind.UNDO,
    )
)
_LONGEST_AGE = timedelta(days=3_650)

Text = Annotated[str, Form()]


@router.post("/offline/marks")
def take(site: Here, reader: Text = "", marks: Text = "") -> JSONResponse:
    """`reader`: whose the browser takes them to be, as the pages told it. The answer says of each
    key what came of it; "refused" is one that says nothing we understand."""
    if reader != site.reader_id():
        return JSONResponse({"error": "Another account is signed in now."}, status_code=409)
    outcomes: dict[str, str] = {}
    for one in _listed(marks):
        key = str(one.get("key", ""))[:40]
        try:
            mark = _read(one)
        except ValueError:
            outcomes[key] = "refused"
            continue
        outcomes[key] = sent_marks.take(site.reader, mark, VIA).value
    return JSONResponse({"outcomes": outcomes})


def _listed(text: str) -> list[dict[str, Any]]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise UserError("Invalid marks.")
    if len(found) > MOST:
        raise UserError(f"At most {MOST} marks at once.")
    return found


def _read(one: dict[str, Any]) -> LateMark:
    """Raises ValueError for what is no mark."""
    key, of, kind = one.get("key"), one.get("of", ""), EventKind(str(one.get("kind")))
    articles, age = one.get("articles", []), one.get("age", 0)
    if kind not in KINDS or not _is_key(key):
        raise ValueError("no such mark")
    if kind is EventKind.UNDO and not _is_key(of):
        raise ValueError("of no mark")
    if not isinstance(articles, list) or len(articles) > MOST_NAMED:
        raise ValueError("no articles")
    if not all(type(number) is int and 0 < number <= LARGEST_ID for number in articles):
        raise ValueError("no articles")
    if type(age) not in {int, float} or not 0 <= age <= _LONGEST_AGE.total_seconds():
        raise ValueError("no age")
    numbers = tuple(ArticleId(number) for number in articles)
    return LateMark(str(key), kind, numbers, timedelta(seconds=age), str(of))


def _is_key(text: object) -> bool:
    return isinstance(text, str) and KEY.fullmatch(text) is not None
