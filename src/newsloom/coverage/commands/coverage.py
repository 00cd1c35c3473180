"""`newsloom coverage`: who else reports an article. Nothing is sent before `coverage on`."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated

import typer

from newsloom.cli.common import Json, note, say, session, show_json, show_table
from newsloom.cli.group import Commands
from newsloom.kernel.errors import NotFound

if TYPE_CHECKING:
    from newsloom.coverage.service.coverage import OfArticle

app = Commands()

Number = Annotated[int, typer.Argument(help="An article's number.")]


@app.command("on", help="Search for other coverage from now on; says who is told what.")
def on(context: typer.Context) -> None:
    from newsloom.coverage.service.coverage import TOLD

    with session(context).open() as app:
        mine = app.reader().coverage
        say(TOLD)
        say(f"It is sent to: {', '.join(mine.terms.services)}.")
        say("On." if mine.switch(on=True) else "It was on already.")
        if mine.terms.importance <= 100:
            say(
                f"Articles of an importance of {mine.terms.importance:g} or more are searched for "
                "by themselves; the setting coverage.importance changes that."
            )


@app.command("off", help="Search no more; what was found stays.")
def off(context: typer.Context) -> None:
    from newsloom.coverage.service.coverage import OFF

    with session(context).open() as app:
        changed = app.reader().coverage.switch(on=False)
        say(OFF if changed else f"It was off. {OFF}")


@app.command("find", help="Look now for who else reports an article.")
def find(context: typer.Context, article: Number, as_json: Json = False) -> None:
    from newsloom.app.coverage import find_now
    from newsloom.kernel.ids import ArticleId

    with session(context).open() as app:
        reader = app.reader()
        number = reader.article(ArticleId(article)).listed.id
        if not reader.coverage.find(number):
            note("It was searched for lately; what was found then is gone on with.")
        _found, done = asyncio.run(find_now(app))
        if not done:
            note("Another Newsloom is at it, and goes on by itself.")
        known = reader.coverage.of(number)
        if as_json:
            show_json(known.covered)
            return
        _say_covered(known)


def _say_covered(known: OfArticle) -> None:
    if known.search is not None and known.search.problem:
        note(known.search.problem)
    if not known.covered:
        note("No other report is known.")
        return
    rows = [
        (
            str(one.candidate),
            f"{one.sure:.0%}" + (", not read" if one.unresolved else ""),
            one.published.strftime("%Y-%m-%d %H:%M") if one.published else "",
            one.source,
            one.title,
            one.url,
        )
        for one in known.covered
    ]
    columns = ("id", "how sure", "date (UTC)", "source", "title", "address")
    show_table(columns, rows, stretch="title")


@app.command("list", help="The articles that were chosen, the last first.")
def list_(
    context: typer.Context,
    limit: Annotated[int, typer.Option(min=1, max=1_000, help="How many.")] = 20,
    as_json: Json = False,
) -> None:
    with session(context).open() as app:
        found = app.reader().coverage.recent(limit)
        if as_json:
            names = ("search", "title", "hits", "reports")
            show_json([dict(zip(names, one, strict=True)) for one in found])
            return
        if not found:
            note("None yet. `newsloom coverage find ID` looks for one.")
        rows = [
            (
                str(search.article),
                f"{search.chosen:%Y-%m-%d %H:%M}",
                search.because,
                search.state,
                str(hits),
                str(reports),
                title,
            )
            for search, title, hits, reports in found
        ]
        columns = ("id", "chosen (UTC)", "because", "state", "hits", "reports", "title")
        show_table(columns, rows, stretch="title", right="hits reports")


@app.command("status", help="Whether it is on, who is told what, and what came of it.")
def status(context: typer.Context, as_json: Json = False) -> None:
    from newsloom.coverage.service.coverage import OFF, TOLD

    with session(context).open() as app:
        mine = app.reader().coverage
        found, offered = mine.status(), mine.offered()
        if as_json:
            show_json({"status": found, "services": mine.terms.services, "offered": offered})
            return
        if found.on and found.since is not None:
            say(f"On since {found.since:%Y-%m-%d %H:%M} UTC. {TOLD}")
        else:
            say(f"{OFF} {TOLD}")
        say(f"Search services: {', '.join(mine.terms.services)}.")
        say(
            f"In 30 days {found.articles} articles chosen, {found.accepted} other reports found; "
            f"{found.waiting} articles wait. {found.searches} searches sent in the last hour."
        )
        show_table(("hits", "number"), [(name, str(n)) for name, n in found.states], right="number")
        for one in offered:
            say(f"Found {one.times} times and not followed: `newsloom add {one.domain}`")


@app.command("show", help="What was found of one article.")
def show(
    context: typer.Context,
    article: Number,
    audit: Annotated[bool, typer.Option("--audit", help="Every hit, every decision.")] = False,
    as_json: Json = False,
) -> None:
    from newsloom.kernel.ids import ArticleId

    with session(context).open() as app:
        reader = app.reader()
        number = reader.article(ArticleId(article)).listed.id
        known = reader.coverage.of(number)
        if known.search is None:
            raise NotFound(f"Article {article} was not searched for: `newsloom coverage find`.")
        whole = reader.coverage.audit(number) if audit else ()
        if as_json:
            hits = [{"hit": one, "decisions": decisions} for one, decisions in whole]
            show_json({"search": known.search, "covered": known.covered, "hits": hits})
            return
        if not audit:
            _say_covered(known)
            return
        search = known.search
        prepared = search.prepared
        say(f"Chosen {search.chosen:%Y-%m-%d %H:%M} UTC, {search.because}; {search.state}.")
        if prepared is not None:
            say(f"Queries by {search.prepared_by}: {' | '.join(prepared.queries) or 'none'}")
        for one, decisions in whole:
            alike = "" if one.similarity is None else f" {one.similarity:.2f}"
            place = "" if one.place is None else f" #{one.place}"
            said = f" ({one.problem})" if one.problem else ""
            say(f"{one.id}\t{one.state}{place}{alike}\t{one.hit.source}\t{one.hit.title}{said}")
            for decision in decisions:
                answer = decision.answer
                say(
                    f"\t{decision.at:%Y-%m-%d %H:%M} {decision.maker}: "
                    f"{'accepted' if decision.accepted else 'declined'}, score {answer.score:.1f}, "
                    f"texts alike {decision.similarity:.2f}, confidence {answer.confidence:.2f}"
                    f"{', abstained' if answer.abstain else ''}: {answer.reason}"
                )


@app.command("reject", help="Say that a report found is not of the same.")
def reject(
    context: typer.Context,
    report: Annotated[int, typer.Argument(help="Its id, as `coverage show` has it.")],
) -> None:
    with session(context).open() as app:
        article = app.reader().coverage.reject(report)
        say(f"Article {article} shows it no more.")
