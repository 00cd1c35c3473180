"""Stories: what goes on, one of them whole, why it is so, and what a reader says of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime, timedelta, tzinfo
from html import escape
from typing import Annotated

from fastapi import APIRouter, Form, Path, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from markupsafe import Markup

from newsloom.kernel.errors import UserError
from newsloom.kernel.ids import ArticleId
from newsloom.reading.pages.marks import parts
from newsloom.reading.values.reading import EventKind, Listed, Rows
from newsloom.stories.service import stories
from newsloom.stories.service.stories import Headline, RelatedStories, StoryView
from newsloom.stories.values.pages import CorrectionKind, StoryMember
from newsloom.web.list_view import LARGEST_ID, Page, parse
from newsloom.web.site import VIA, Here, Site, bare, go, wants_fragment
from newsloom.web.toasts import Toast, done

# The chart of a story's coverage: articles a day, by source. Values in, SVG out; no script, no
# style of its own. It says in words what it shows.

# Sources that have a shade of their own, the most first; days that are drawn, the last.
MOST_SOURCES, MOST_DAYS = 4, 45
HEIGHT, STEP, FOOT = 90, 14, 16


def coverage(articles: Sequence[tuple[date, str]], sources: Sequence[str]) -> str:
    """Of the day and the source of each article; "" of one day, of which there is nothing to see.

    `sources` has the most first.
    """
    counts = Counter(articles)
    days = sorted({day for day, _source in articles})
    if len(days) < 2:
        return ""
    first = max(days[0], days[-1] - timedelta(days=MOST_DAYS - 1))
    shown = [first + timedelta(days=at) for at in range((days[-1] - first).days + 1)]
    per_day = {day: sum(n for (of, _it), n in counts.items() if of == day) for day in shown}
    most = max(per_day.values()) or 1
    width = max(STEP * len(shown), 120)
    bars = "".join(_bar(at * STEP, day, counts, sources, most) for at, day in enumerate(shown))
    words = escape(_words(per_day, sources), quote=True)
    begin, end = (one.strftime("%-d %b") for one in (shown[0], shown[-1]))
    ends = (
        f'<text x="0" y="{HEIGHT + 12}">{begin}</text>'
        f'<text x="{width}" y="{HEIGHT + 12}" text-anchor="end">{end}</text>'
    )
    return (
        f'<svg class="coverage" role="img" aria-label="{words}" '
        f'viewBox="0 0 {width} {HEIGHT + FOOT}" width="{width}" height="{HEIGHT + FOOT}" '
        f'font-size="11" fill="currentColor">{bars}{ends}</svg>'
    )


def shade(sources: Sequence[str], source: str) -> float:
    """How dark a source is drawn."""
    place = sources.index(source) if source in sources[:MOST_SOURCES] else MOST_SOURCES
    return round(0.9 - 0.18 * place, 2)


def _bar(
    left: int, day: date, counts: Counter[tuple[date, str]], sources: Sequence[str], most: int
) -> str:
    drawn, top = "", float(HEIGHT)
    for source in sources:
        number = counts[day, source]
        if number:
            high = (HEIGHT - 4) * number / most
            top -= high
            drawn += (
                f'<rect x="{left}" y="{top:.1f}" width="{STEP - 3}" height="{high:.1f}" '
                f'opacity="{shade(sources, source)}"/>'
            )
    return drawn


def _words(per_day: dict[date, int], sources: Sequence[str]) -> str:
    text = ", ".join(f"{day.strftime('%-d %b')} {count}" for day, count in per_day.items() if count)
    return f"Articles by day: {text}. Sources: {', '.join(sources[:12])}"


STORIES = bare(Page.STORIES)

# Of each kind, where all kinds are shown.
FIRST_OF_EACH = 15

# Articles of a story whose excerpt may be shown, the first.
MOST_EXCERPTS = 200

# Seconds in view after which a story counts as seen: enough to read its title and what is new.
SEEN_AFTER = 5

STANDS = {"follow": stories.FOLLOWS, "mute": stories.MUTED, "neither": 0}

Number = Annotated[int, Path(ge=1, le=LARGEST_ID)]
Text = Annotated[str, Form()]

router = APIRouter()


@router.get("/stories")
def all_stories(site: Here, request: Request, state: str = "", muted: str = "") -> HTMLResponse:
    return stories_page(site, request, state, muted)


def stories_page(
    site: Site, request: Request, state: str = "", muted: str = "", problem: str = ""
) -> HTMLResponse:
    """The list, or the same with what was wrong of a form of it."""
    way = state if state in stories.WAYS else ""
    found = stories.related(site.reader, stories.lines(site.reader, way, muted=bool(muted)))
    sections = _sections(found, None if way or muted else FIRST_OF_EACH)
    return site.page(
        request,
        "stories.html",
        STORIES,
        status=400 if problem else 200,
        problem=problem,
        ways=[(name, name == way and not muted) for name in stories.WAYS],
        muted=bool(muted),
        way=way,
        sections=sections,
        titles={one.feed_id: one.name for one in site.chrome().subscriptions},
        rows=_rows(site, [it for _, those, _ in sections for one, _ in those for it in one.latest]),
    )


def _rows(site: Site, members: Sequence[StoryMember]) -> dict[ArticleId, Listed]:
    """Pictures and excerpts of articles of stories."""
    found = site.by_rows(Rows.ARTICLE).reader.listed([one.article for one in members])
    return {one.id: one for one in found}


def _sections(
    found: Sequence[RelatedStories], most: int | None
) -> list[tuple[str, list[RelatedStories], int]]:
    """Those that are followed, then by how hot they are; of each kind how many there are more."""
    followed = [one for one in found if one[0].subscription == stories.FOLLOWS]
    others = [one for one in found if one[0].subscription != stories.FOLLOWS]
    by_band = [(way, [one for one in others if one[0].band == way]) for way in stories.WAYS]
    return [
        ("you follow", followed, 0),
        *((name, those[:most], len(those) - len(those[:most])) for name, those in by_band),
    ]


@router.get("/story/{number}")
def one_story(site: Here, request: Request, number: Number) -> Response:
    found = stories.view(site.reader, number)
    if found.line.head.id != number:  # it went into another
        return RedirectResponse(f"/story/{found.line.head.id}", status_code=307)
    return _page(site, request, found)


@router.get("/story/{number}/why")
def why(site: Here, request: Request, number: Number) -> HTMLResponse:
    """Every decision about the story."""
    found = stories.view(site.reader, number)
    titles = {one.article: one.title for one in found.members}
    return site.page(
        request,
        "story_why.html",
        STORIES,
        story=found,
        titles=titles,
        decisions=stories.decisions(site.reader, story=found.line.head.id),
    )


@router.post("/story/{number}/subscription")
def subscribe(site: Here, number: Number, do: Text = "") -> Response:
    if do not in STANDS:
        raise UserError("Choose follow, mute or neither.")
    stories.set_subscription(site.reader, number, STANDS[do])
    return _back(number, "edited")


@router.post("/story/{number}/looked")
def looked(site: Here, number: Number, shown: Text = "") -> Response:
    """What joined after the page was made is new."""
    stories.look(site.reader, number, _moment(shown))
    return _back(number)


@router.post("/story/{number}/seen")
def seen(site: Here, number: Number, shown: Text = "") -> Response:
    """The same, told by a page that was in view for a while. A story that is only fetched, as by
    a browser that loads what may be wanted next, is not seen: so no GET does this."""
    stories.look(site.reader, number, _moment(shown))
    return Response(status_code=204)


@router.post("/story/{number}/read")
def read(site: Here, request: Request, number: Number, row: Text = "", at: Text = "") -> Response:
    """The whole story, one step for undo. `row`: the article that leads it, where a list asks."""
    marked = stories.read_whole(site.reader, number, VIA)
    count = site.reader.count_rows(marked)
    if not row:
        return _back(number, "read" if marked else "nothing", count)
    view = parse(at)
    lead = ArticleId(int(row)) if row.isascii() and row.isdigit() and len(row) < 19 else None
    if not wants_fragment(request) or lead is None:
        return go(view, "read" if marked else "nothing", count, row=lead)
    said = done(EventKind.READ, count) if marked else Toast("Nothing was unread.")
    return parts(site, request, view, [lead], said)


def _moment(text: str) -> datetime | None:
    """When a page was made, as it says itself; None: it does not."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo else None


@router.post("/story/{number}/part")
def part(
    site: Here,
    request: Request,
    number: Number,
    article: Annotated[list[str] | None, Form()] = None,
    do: Text = "",
) -> Response:
    """Articles that are not of the story, or are another one."""
    chosen = [int(one) for one in article or () if one.isascii() and one.isdigit()][:1_000]
    kind = CorrectionKind.SPLIT if do == "split" else CorrectionKind.NOT_IN
    try:
        new = stories.split(site.reader, number, chosen, kind)
    except UserError as error:
        return _page(site, request, stories.view(site.reader, number), str(error))
    return _back(new if kind is CorrectionKind.SPLIT else number, "parted")


@router.post("/story/{number}/merge")
def merge(site: Here, request: Request, number: Number, into: Text = "") -> Response:
    """All of it into another story."""
    try:
        if not into.isascii() or not into.isdigit() or int(into) > LARGEST_ID:
            raise UserError("Use the number of the story.")
        kept = stories.merge(site.reader, number, int(into))
    except UserError as error:
        return _page(site, request, stories.view(site.reader, number), str(error))
    return _back(kept, "merged")


def _back(number: int, did: str = "", count: int = 0) -> Response:
    said = f"?did={did}" if did else ""
    said += f"&n={count}" if did and count else ""
    return RedirectResponse(f"/story/{int(number)}{said}", status_code=303)


def _page(site: Site, request: Request, found: StoryView, problem: str = "") -> HTMLResponse:
    zone = site.now(request).tzinfo
    names = found.names
    days = [(one.dated.astimezone(zone).date(), names[one.source]) for one in found.members]
    chart = coverage(days, [*dict.fromkeys(names[one] for one in found.sources)])
    return site.page(
        request,
        "story.html",
        STORIES,
        status=400 if problem else 200,
        problem=problem,
        story=found,
        days=_timeline(found, zone),
        rows=_rows(site, found.members[:MOST_EXCERPTS]),
        shown=site.reader.now().isoformat(),
        seconds=SEEN_AFTER,
        unread_here=sum(not one.read for one in found.members),
        chart=Markup(chart),  # noqa: S704 - its words are escaped there
        others=[one for one in stories.lines(site.reader) if one.head.id != found.line.head.id][
            :50
        ],
    )


def _timeline(
    found: StoryView, zone: tzinfo | None
) -> list[tuple[date, list[StoryMember], list[Headline]]]:
    """What came, and which headlines changed, day by day."""
    days = sorted(
        {one.dated.astimezone(zone).date() for one in found.members}
        | {one.seen.astimezone(zone).date() for one in found.headlines}
    )
    return [
        (
            day,
            [one for one in found.members if one.dated.astimezone(zone).date() == day],
            [one for one in found.headlines if one.seen.astimezone(zone).date() == day],
        )
        for day in days
    ]
