"""`newsloom sources`: the table of all, one source explained, and the reader's own tiers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from newsloom.cli.common import Json, plain, say, session, show_json, show_table
from newsloom.coverage.commands.source_quality import change_or_show
from newsloom.kernel.errors import UserError

if TYPE_CHECKING:
    from newsloom.importance.service.sources import RatedSource

COLUMNS = ("source", "tier", "of 100", "by", "owner", "articles", "why")

# What --tier takes besides a number.
NONE = "none"


def sources(
    context: typer.Context,
    domain: Annotated[
        str, typer.Argument(help="One source, by its domain or an address; without: all.")
    ] = "",
    tier: Annotated[
        str,
        typer.Option(help="Your own tier of it, 1 to 5, before all others; none takes it back."),
    ] = "",
    quality: Annotated[
        bool,
        typer.Option(
            "--quality", help="How far the pages of publishers can be used for related coverage."
        ),
    ] = False,
    block: Annotated[
        str, typer.Option(help="Leave a domain out of related coverage, with its subdomains.")
    ] = "",
    allow: Annotated[
        str, typer.Option(help="Never leave a domain out, whatever its record says.")
    ] = "",
    forget: Annotated[
        str, typer.Option(help="Forget your rule about a domain, and its record.")
    ] = "",
    as_json: Json = False,
) -> None:
    """Who publishes in your feeds: tier, score, where the tier is from, owner, and why."""
    if quality or block or allow or forget:
        if domain or tier:
            raise UserError("Tiers and the quality of pages are asked for one at a time.")
        with session(context).open() as app:
            change_or_show(app.reader().quality, as_json, block=block, allow=allow, forget=forget)
        return
    if tier and not domain:
        raise UserError("Name the source whose tier you set: newsloom sources DOMAIN --tier 2.")
    with session(context).open() as app:
        known = app.reader().sources
        if tier:
            found = known.set_tier(domain, _tier(tier))
        elif domain:
            found = known.one(domain)
        else:
            _show_all(known.all(), as_json)
            return
        if as_json:
            show_json(_as_json(found))
        else:
            _explain(found)


def _tier(text: str) -> int | None:
    if text == NONE:
        return None
    if text not in {"1", "2", "3", "4", "5"}:
        raise UserError(f"--tier is 1, 2, 3, 4, 5 or {NONE}, not {text!r:.40}.")
    return int(text)


def _show_all(found: tuple[RatedSource, ...], as_json: bool) -> None:
    if as_json:
        show_json([_as_json(one) for one in found])
        return
    show_table(COLUMNS, [_row(one) for one in found], stretch="why", right="tier articles")


def _row(one: RatedSource) -> tuple[str, ...]:
    about = one.authority
    owner = "" if about.owner == about.domain else about.owner
    score, articles = f"{about.score:.0f}", f"{one.articles:,}"
    return (
        *(about.domain, str(about.tier), score, about.origin.value),
        *(owner, articles, about.reason),
    )


def _explain(one: RatedSource) -> None:
    about = one.authority
    say(f"{about.domain}: tier {about.tier}, {about.score:.0f} of 100 ({about.origin.value})")
    say(about.reason)
    if about.owner != about.domain:
        say(f"Owner: {about.owner}.")
    for line in one.told:
        say(line)


def _as_json(one: RatedSource) -> dict[str, object]:
    return {
        **plain(one.authority),
        "articles": one.articles,
        "own": one.own,
        "measured": plain(one.facts),
        "told": list(one.told),
    }
