"""Commands about duplicates: duplicates, split."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from newsloom.cli.common import Json, plain, say, session, show_json
from newsloom.duplicates.values import Relation
from newsloom.kernel.errors import UserError
from newsloom.kernel.ids import ArticleId

if TYPE_CHECKING:
    from newsloom.duplicates.values import Evidence
    from newsloom.reading.values.reading import FullArticle, Related

Id = Annotated[int, typer.Argument(help="An article's number, or a merged copy's.")]

WORDS = {
    Relation.SAME_TEXT: "same text",
    Relation.NEAR_DUPLICATE: "same headline, another source",
    Relation.SAME_EVENT: "same event",
    Relation.REVISION: "another version, with a row of its own",
}


def duplicates(context: typer.Context, article: Id, as_json: Json = False) -> None:
    with session(context).open() as app:
        reader = app.reader()
        full = reader.article(ArticleId(article))
        independent = reader.independent(full.listed.id)
        if as_json:
            show_json(
                {
                    "article": full.listed.id,
                    "title": full.listed.title,
                    "cluster": plain(full.listed.cluster),
                    "independent": independent,
                    "copies": plain(full.copies),
                    "related": plain(full.related),
                }
            )
            return
        for line in _lines(full, independent):
            say(line)


def _lines(full: FullArticle, independent: int) -> Iterable[str]:
    listed = full.listed
    yield f"{listed.id}  {listed.title}  ({listed.feed_title})"
    if listed.cluster is not None:
        one = listed.cluster
        yield (
            f"One row of {one.articles} articles: {_count(one.texts, 'text')} from "
            f"{_count(one.sources, 'source')}, {independent} of them independent; "
            f"this text in {_count(one.feeds, 'feed')}."
        )
    for related in full.related:
        when = f"{related.dated:%Y-%m-%d %H:%M}"
        yield f"  {related.id}  {related.title}  ({related.feed_title}, {when})"
        yield f"      {relation_words(related)}{_because(related.evidence)}"
    if not full.related:
        yield "Nothing else is held to be the same."


def _count(number: int, name: str) -> str:
    return f"{number} {name}{'s' * (number != 1)}"


def relation_words(one: Related) -> str:
    """What another article is to this one."""
    words = "by way of others" if one.relation is None else WORDS[one.relation]
    words = words if one.through is None else f"{words} as {one.through}"
    return words if one.parted_at is None else f"parted by you on {one.parted_at:%Y-%m-%d}"


def _because(evidence: Sequence[Evidence]) -> str:
    told = [f"{one.layer} {one.score:.2f} {one.detail}".rstrip() for one in evidence]
    return f": {'; '.join(told)}" if told else ""


def split(
    context: typer.Context,
    article: Id,
    take_back: Annotated[
        bool, typer.Option("--undo", help="Forget that they were parted.")
    ] = False,
    as_json: Json = False,
) -> None:
    with session(context).open() as app:
        reader = app.reader()
        number = ArticleId(article)
        count = reader.rejoin(number) if take_back else reader.split(number)
        if as_json:
            show_json({"article": article, "rejoined" if take_back else "parted": count})
            return
        if not count:
            raise UserError(
                f"You have parted {article} from nothing."
                if take_back
                else f"{article} shares its row with nothing."
            )
        others = f"{count} other{'s' * (count > 1)}"
        if take_back:
            say(f"Forgotten: what speaks for {article} and {others} counts again.")
        else:
            back = f"`newsloom split {article} --undo` takes it back."
            say(f"{article} is parted from {others}, and stays so. {back}")
