"""What a reader does to articles: marks, marks of many, undo. Each is one step for undo.

Answers a form with a redirect and htmx with the parts of the page that changed.
"""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, Response

from newsloom.kernel.errors import NotFound, UserError
from newsloom.kernel.ids import ArticleId
from newsloom.reading.pages.pages import ArticleNumber
from newsloom.reading.read_completion import finished
from newsloom.reading.service import sent_marks
from newsloom.reading.service.sent_marks import LateMark
from newsloom.reading.values.reading import Event, EventKind, SentOutcome
from newsloom.web import view, wording
from newsloom.web.list_view import LARGEST_ID, PAGE_SIZE, ListView, parse
from newsloom.web.site import VIA, Here, Site, go, wants_fragment
from newsloom.web.toasts import Toast, done

# What a button or a form may ask for. The others are noticed, not asked for, or of many at once.
MARKS = frozenset(
    (
        EventKind.READ,
        EventKind.UNREAD,
        EventKind.LIKE,
        EventKind.DISLIKE,
        EventKind.UNRATE,
        EventKind.STAR,
        EventKind.UNSTAR,
        EventKind.LATER,
        EventKind.NOT_LATER,
        EventKind.SKIPPED,
    )
)

# Articles that a page can name at once: ten times as many as it can show.
MOST_NAMED = 10_000

# The header with the key of a mark that a browser sends again if it hears no answer.
KEY_HEADER = "newsloom-key"
KEY = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")

Text = Annotated[str, Form()]
Seconds = Annotated[int, Form(ge=0, le=7 * 24 * 3600)]


router = APIRouter()


@router.post("/articles/{number}/marks")
def mark(
    site: Here, request: Request, number: ArticleNumber, kind: Text, at: Text = ""
) -> Response:
    view = parse(at)
    if kind not in MARKS:
        raise UserError("There is no such mark.")
    chosen = EventKind(kind)
    _mark(site, request, [ArticleId(number)], chosen)
    if not wants_fragment(request):
        return go(view, chosen.value, row=ArticleId(number))
    return parts(site, request, view, [ArticleId(number)], done(chosen, 1))


@router.post("/articles/{number}/opened")
def opened(site: Here, request: Request, number: ArticleNumber, at: Text = "") -> Response:
    """What the article page sends once it is shown: an unread article is read now."""
    article = ArticleId(number)
    sent = _mark_with_key(site, request, [article], EventKind.OPENED)
    if not sent and not site.reader.article(article).listed.state.read:
        site.reader.mark([article], EventKind.READ, VIA)
        site.reader.mark([article], EventKind.OPENED, VIA)
    return parts(site, request, parse(at), [article], None)


@router.post("/articles/{number}/finished")
def in_view(site: Here, number: ArticleNumber, seconds: Seconds) -> Response:
    """How long the article was in view, sent as its page is left. Whether that is enough to have
    read it is judged here, by the text."""
    full = site.reader.article(ArticleId(number))
    if finished(full.html, timedelta(seconds=seconds)):
        site.reader.mark([full.listed.id], EventKind.FINISHED, VIA)
    return Response(status_code=204)


@router.post("/articles/{number}/split")
def split(site: Here, number: ArticleNumber, at: Text = "") -> Response:
    """Not the same as the others of its cluster. Comes back to the page it was said on."""
    parted = site.reader.split(ArticleId(number))
    return go(parse(at), "split" if parted else "nothing")


@router.post("/articles/{number}/rejoin")
def rejoin(site: Here, number: ArticleNumber, at: Text = "") -> Response:
    """What was said so is forgotten."""
    rejoined = site.reader.rejoin(ArticleId(number))
    return go(parse(at), "rejoined" if rejoined else "nothing")


@router.post("/marks")
def mark_these(site: Here, request: Request, articles: Text, at: Text = "") -> Response:
    count = _mark(site, request, articles_of(articles), EventKind.BULK_READ)
    return go(parse(at).listing.to(), EventKind.READ.value, count)


@router.post("/marks/above")
def mark_above(site: Here, request: Request, articles: Text, at: Text = "") -> Response:
    """The rows above one, from its menu: they stay where they are."""
    named = articles.split(",")[:MOST_NAMED]
    found = [article_of(one) for one in named]
    count = _mark(site, request, found, EventKind.BULK_READ)
    view = parse(at)
    if not wants_fragment(request):
        return go(view, EventKind.READ.value, count)
    return parts(site, request, view, found, done(EventKind.READ, count))


@router.post("/marks/passed")
def mark_passed(site: Here, request: Request, articles: Text, at: Text = "") -> Response:
    """Rows that were scrolled past, where the reader wants those read: nothing is said of it."""
    named = [article_of(one) for one in articles.split(",")[:MOST_NAMED]]
    _mark(site, request, named, EventKind.BULK_READ)
    if not wants_fragment(request):  # a page that is being left
        return Response(status_code=204)
    return parts(site, request, parse(at), named, None)


@router.post("/marks/all")
def mark_all(site: Here, at: Text = "") -> Response:
    """Everything that the list had when it was shown: what came since, nobody has seen."""
    view = parse(at).listing
    count = site.marking.clear(view.whole.query(), site.reader)
    if count is None:
        return go(view.to(), "clearing")
    return go(view.to(), EventKind.READ.value if count else "nothing", count)


@router.post("/undo")
def undo(site: Here, request: Request, at: Text = "") -> Response:
    view = parse(at)
    events = site.marking.undo()
    if events is None:
        return go(view, "undoing")
    # What was done to the others of a row came back with the one it was done to.
    events = tuple(one for one in events if one.kind is not EventKind.BULK_READ) or events
    if not wants_fragment(request):
        row = events[0].article_id if len(events) == 1 else None
        return go(view, "undone" if events else "nothing", row=row)
    if len(events) > PAGE_SIZE * 3 // 2:  # rows of a page, with copies of some
        return Response(headers={"hx-refresh": "true"})
    return parts(site, request, view, [event.article_id for event in events], _undone(site, events))


def _mark(site: Site, request: Request, articles: list[ArticleId], kind: EventKind) -> int:
    """One step; how many rows it was about. With a key it is done once, however often sent."""
    if _mark_with_key(site, request, articles, kind):
        return len(articles)
    site.reader.mark(articles, kind, VIA)
    return site.reader.count_rows(articles)


def _mark_with_key(
    site: Site, request: Request, articles: list[ArticleId], kind: EventKind
) -> bool:
    """Whether the browser gave it a key; then it is done. Raises NotFound when none of the articles
    is there."""
    key = request.headers.get(KEY_HEADER, "")
    if not KEY.fullmatch(key):
        return False
    outcome = sent_marks.take(site.reader, LateMark(key, kind, tuple(articles)), VIA)
    if outcome is SentOutcome.GONE and articles:
        raise NotFound(f"There is no article {articles[0]} among your feeds.")
    return True


def article_of(text: str) -> ArticleId:
    """An id out of a form. Raises NotFound."""
    if not (text.isascii() and text.isdigit() and len(text) < 20 and int(text) <= LARGEST_ID):
        raise NotFound("There is no such article.")
    return ArticleId(int(text))


def articles_of(text: str) -> list[ArticleId]:
    """Ids with commas between: one field, because a form has a limit of fields."""
    named = text.split(",")
    if len(named) > MOST_NAMED:
        raise UserError(f"At most {MOST_NAMED:,} articles at once.")
    return [article_of(one) for one in named]


def _undone(site: Site, events: tuple[Event, ...]) -> Toast:
    if not events:
        return Toast("Nothing to undo.")
    title = wording.clean(events[0].title, 60)
    count = site.reader.count_rows([one.article_id for one in events])
    words = f"“{title}”" if count == 1 and title else wording.count_words(count, "article")
    return Toast(f"Undone: {words}")


def parts(
    site: Site,
    request: Request,
    list_view: ListView,
    articles: list[ArticleId],
    toast: Toast | None,
) -> HTMLResponse:
    """The rows, counts and words that a step changed, each to be swapped in by its id."""
    now = site.now(request)
    with site.snapshot():
        chrome = site.chrome()  # as of after the step
        # Undo can reach back to an article of a feed that is followed no longer: it is not there.
        listed = site.reader.listed(articles, list_view.query())
    return HTMLResponse(
        site.fragment(
            "_parts.html",
            rows=[view.row(one, now) for one in listed],
            place=list_view,
            toast=toast,
            **vars(chrome),
        )
    )
