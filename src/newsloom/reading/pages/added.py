"""What a reader adds to articles: tags, a note, highlights; all of them on pages of their own.

Readers select words in the article, or, without scripts or a mouse, on a page of plain text.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Path, Request
from fastapi.responses import HTMLResponse, Response

from newsloom.kernel.errors import NotFound, UserError
from newsloom.kernel.ids import ArticleId
from newsloom.kernel.text.direction import direction
from newsloom.reading import quotes
from newsloom.reading.notes_file import FORMATS
from newsloom.reading.pages.marks import MOST_NAMED, articles_of, parts
from newsloom.reading.pages.pages import (
    ArticleNumber,
    facts_of_added,
    highlighted_html,
    shown_html,
)
from newsloom.reading.service import annotating
from newsloom.reading.tag_names import key
from newsloom.reading.values.annotations import HighlightId
from newsloom.reading.values.reading import FullArticle
from newsloom.web import view, wording
from newsloom.web.list_view import LARGEST_ID, LONGEST_TEXT, ListView, Page, parse
from newsloom.web.site import Here, Site, bare, go, wants_fragment
from newsloom.web.toasts import Toast

TAGS = bare(Page.TAGS)
HIGHLIGHTS = bare(Page.HIGHLIGHTS)

# A form's field may be larger than what is kept of it: the answer says how much that is.
Words = Annotated[str, Form(max_length=100_000)]
Text = Annotated[str, Form(max_length=8 * LONGEST_TEXT)]
Ids = Annotated[str, Form()]
Start = Annotated[int, Form(ge=0, le=10_000_000)]
Number = Annotated[int, Path(ge=1, le=LARGEST_ID)]

router = APIRouter()


# --- one article ---


@router.get("/articles/{number}/added")
def page(site: Here, request: Request, number: ArticleNumber, at: str = "") -> HTMLResponse:
    """Tags, note and highlights of an article, where there are no scripts or none of its page."""
    return _article(site, request, number, parse(at))


@router.post("/articles/{number}/tags", response_model=None)
def tag(
    site: Here,
    request: Request,
    number: ArticleNumber,
    at: Text = "",
    add: Text = "",
    remove: Text = "",
) -> Response:
    article, view = ArticleId(number), parse(at)
    try:
        if remove:
            annotating.untag(site.reader, [article], remove)
        else:
            annotating.tag(site.reader, [article], add)
    except NotFound:
        raise
    except UserError as refused:
        return _article(site, request, number, view, str(refused))
    return _answer(site, request, number, view)


@router.post("/articles/{number}/note", response_model=None)
def note(
    site: Here, request: Request, number: ArticleNumber, at: Text = "", note: Words = ""
) -> Response:
    view = parse(at)
    try:
        annotating.write_note(site.reader, ArticleId(number), note)
    except NotFound:
        raise
    except UserError as refused:
        return _article(site, request, number, view, str(refused), note)
    return _answer(site, request, number, view)


@router.get("/articles/{number}/words")
def words(site: Here, request: Request, number: ArticleNumber, at: str = "") -> HTMLResponse:
    """The article as plain words, to choose from."""
    return _words(site, request, number, parse(at))


@router.post("/articles/{number}/highlights", response_model=None)
def highlight(
    site: Here,
    request: Request,
    number: ArticleNumber,
    at: Text = "",
    quote: Words = "",
    start: Start = 0,
    note: Words = "",
) -> Response:
    full, view = site.reader.article(ArticleId(number)), parse(at)
    passage = quotes.passage(shown_html(full)).text
    try:
        made = annotating.highlight(site.reader, full.listed.id, passage, quote, start, note)
    except NotFound:
        raise
    except UserError as refused:
        return _words(site, request, number, view, str(refused), (quote, note))
    if wants_fragment(request):
        return _highlighted(site, request, full, view)
    there = go(view.listing.open(number, Page.WORDS), "highlighted")
    there.headers["location"] += f"#h{made}"
    return there


@router.post("/highlights/{number}/note", response_model=None)
def note_highlight(site: Here, number: Number, at: Text = "", note: Words = "") -> Response:
    annotating.note_highlight(site.reader, HighlightId(number), note)
    return go(parse(at), "edited")


@router.post("/highlights/{number}/drop")
def drop_highlight(site: Here, number: Number, at: Text = "") -> Response:
    annotating.drop_highlight(site.reader, HighlightId(number))
    return go(parse(at), "forgotten")


# --- several articles ---


@router.post("/tags/these", response_model=None)
def tag_these(
    site: Here,
    request: Request,
    articles: Ids = "",
    names: Text = "",
    do: Text = "",
    at: Text = "",
) -> Response:
    """Articles by their ids with commas between; "all": everything that the list has."""
    view = parse(at)
    ids = _all_of(site, view) if articles == "all" else articles_of(articles)
    change = annotating.untag if do == "remove" else annotating.tag
    named = change(site.reader, ids, names)
    listed = ", ".join(f"“{wording.clean(one, 60)}”" for one in named)
    done = "off" if do == "remove" else "on"
    toast = Toast(f"{listed} {done} {wording.count_words(len(ids), 'article')}")
    if not wants_fragment(request):
        return go(view, "tagged", len(ids))
    return parts(site, request, view, ids[:MOST_SHOWN], toast)


# Rows that are made anew after many were tagged.
MOST_SHOWN = 200


def _all_of(site: Site, view: ListView) -> list[ArticleId]:
    if view.words:
        found = site.reader.search(view.words, MOST_NAMED, view.sort)
        return [one.id for one in found.rows]
    whole = view.listing.whole
    return [one.id for one in site.reader.page(whole.query(MOST_NAMED))]


# --- all of them ---


@router.get("/tags")
def tags_page(site: Here, request: Request) -> HTMLResponse:
    return _tags(site, request)


@router.post("/tags/rename", response_model=None)
def rename(site: Here, request: Request, name: Text = "", to: Text = "") -> Response:
    """Or merge: what is called like another tag becomes one with it."""
    try:
        annotating.rename_tag(site.reader, name, to)
    except NotFound:
        raise
    except UserError as refused:
        return _tags(site, request, str(refused))
    return go(TAGS, "edited")


@router.post("/tags/drop")
def drop(site: Here, name: Text = "") -> Response:
    annotating.drop_tag(site.reader, name)
    return go(TAGS, "forgotten")


@router.get("/highlights")
def highlights_page(site: Here, request: Request) -> HTMLResponse:
    """All notes and highlights, by article."""
    return site.page(
        request,
        "highlights.html",
        HIGHLIGHTS,
        articles=annotating.everything(site.reader),
        kinds=[kind for kind, _media, _written in FORMATS],
    )


@router.get("/highlights/export.{kind}")
def export(site: Here, kind: str) -> Response:
    """A file of them."""
    form = next((one for one in FORMATS if one[0] == kind), None)
    if form is None:
        raise NotFound("There is no such file.")
    _kind, media, written = form
    name = f'attachment; filename="newsloom-notes.{kind}"'
    return Response(
        written(annotating.exported(site.reader)),
        media_type=f"{media}; charset=utf-8",
        headers={"content-disposition": name},
    )


# --- parts of pages ---


def _article(
    site: Site,
    request: Request,
    number: int,
    list_view: ListView,
    refused: str = "",
    typed: str = "",
) -> HTMLResponse:
    """The page or its part, perhaps with why something was refused and what had been typed."""
    full = site.reader.article(ArticleId(number))
    row = view.row(full.listed, site.now(request))
    about = {
        **facts_of_added(
            annotating.added(site.reader, full.listed), annotating.all_tags(site.reader)
        ),
        "row": row,
        "refused": refused,
        "typed": typed or None,
    }
    status = 400 if refused else 200
    if wants_fragment(request):  # htmx swaps no answer that is an error
        there = list_view.listing.open(number)
        return HTMLResponse(site.fragment("_added.html", place=there, open=True, **about))
    there = list_view.listing.open(number, Page.ADDED)
    return site.page(request, "added.html", there, status=status, open=True, **about)


def _answer(site: Site, request: Request, number: int, view: ListView) -> Response:
    if wants_fragment(request):
        return _article(site, request, number, view)
    return go(view, "edited")


def _highlighted(site: Site, request: Request, full: FullArticle, place: ListView) -> HTMLResponse:
    """The text of the article and what was added to it, to take their places on its page."""
    added = annotating.added(site.reader, full.listed)
    return HTMLResponse(
        site.fragment(
            "_highlighted.html",
            place=place,
            row=view.row(full.listed, site.now(request)),
            html=highlighted_html(full, added.highlights, request.app.state.pictures),
            direction=direction,
            **facts_of_added(added, site.chrome().tags_beside),
        )
    )


def _words(
    site: Site,
    request: Request,
    number: int,
    list_view: ListView,
    refused: str = "",
    typed: tuple[str, str] = ("", ""),
) -> HTMLResponse:
    full = site.reader.article(ArticleId(number))
    found = quotes.passage(shown_html(full))
    highlights = site.reader.store.annotations.highlights(site.reader.user, full.listed.id)
    places = annotating.spans(found.text, highlights)
    return site.page(
        request,
        "words.html",
        list_view.listing.open(number, Page.WORDS),
        status=400 if refused else 200,
        row=view.row(full.listed, site.now(request)),
        paragraphs=quotes.paragraphs(found, places),
        highlights=highlights,
        lost={one.id for one in highlights} - places.keys(),
        refused=refused,
        typed=typed,
        longest_note=annotating.LONGEST_NOTE,
    )


def _tags(site: Site, request: Request, problem: str = "") -> HTMLResponse:
    return site.page(
        request,
        "tags.html",
        TAGS,
        status=400 if problem else 200,
        problem=problem,
        tags=annotating.all_tags(site.reader),
        key=key,
    )
