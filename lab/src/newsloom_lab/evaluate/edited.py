"""Edited copies of articles, to measure how duplicates are found: gold made of any articles file.

Each copy stands under another id, address, source and time, and says in `edit` how it was made.
The same seed makes the same copies, whatever else is in the file but its words. Reads no file.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from random import Random
from typing import Any

from newsloom.kernel.errors import UserError
from newsloom.ranking.measure.articles import article

# Less than this has no beginning, middle and end that an editor could change.
LEAST_WORDS = 10
# One original in four stays alone, so that a file is not all duplicates.
ALONE = 4
# Copies appear within days: news is not syndicated later.
LATEST = timedelta(days=3)

# Scripts without spaces: pieces of so many letters are edited as words are.
_THAI = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
_SYLLABLES = "\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_PIECE = re.compile(rf"[{_SYLLABLES}]{{1,2}}|[{_THAI}]{{1,5}}|[^\s{_SYLLABLES}{_THAI}]+")
_UNSPACED = re.compile(f"[{_SYLLABLES}{_THAI}]")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")
_PARAGRAPH_END = re.compile(r"\s*\n\s*")

_HEADER = (
    "Skip to content. Subscribe. Sign in. We use cookies and other technologies to improve your "
    "experience on this site, to show you personalised advertising and to analyse our traffic. "
    "Accept all. Manage preferences."
)
_FOOTERS = (
    "Read more: what we know so far. Sign up to our morning newsletter to get the top stories in "
    "your inbox every day. You can unsubscribe at any time. By signing up you agree to our terms "
    "of service and our privacy policy.",
    "Share this article on Facebook, Twitter, WhatsApp or by email. Comments are closed. Most "
    "viewed. Related topics. About us. Contact. Advertise with us. All rights reserved.",
    "Join the conversation: leave a comment below. Follow us for live updates. Support independent "
    "journalism from as little as a pound a month. Click here to download our app.",
)
_CITIES = ("LONDON", "WASHINGTON", "BERLIN", "NAIROBI", "TOKYO", "NEW DELHI", "SAO PAULO")
_AGENCIES = ("Reuters", "AP", "AFP")


@dataclass(frozen=True, slots=True)
class Material:
    """What an edit works with: chance of its own, and words to put in."""

    draw: Random
    words: Sequence[str]


def _pieces(text: str) -> list[str]:
    """Words, or pieces of a script without spaces; at odd places what stands between them."""
    parts: list[str] = []
    end = 0
    for found in _PIECE.finditer(text):
        if parts:
            parts.append(text[end : found.start()])
        parts.append(found[0])
        end = found.end()
    return parts or [""]


# Title and text in, title and text out.
Edit = Callable[[str, str, Material], tuple[str, str]]


def _words(
    share: float, ways: Sequence[str], title: str, text: str, material: Material
) -> tuple[str, str]:
    """That share of the words changed, one at least, each in one of the ways."""
    parts = _pieces(text.strip())
    places = range(0, len(parts), 2)  # white space stands between
    draw = material.draw
    for place in draw.sample(places, max(1, round(share * len(places)))):
        way = draw.choice(ways)
        if way == "delete":
            parts[place] = ""
        elif way == "insert":
            word = draw.choice(material.words)
            parts[place] += word if _UNSPACED.match(word) else f" {word}"
        else:
            parts[place] = _another(parts[place], material)
    return title, "".join(parts).strip()


def _another(word: str, material: Material) -> str:
    for _ in range(100):
        found = material.draw.choice(material.words)
        if found.casefold() != word.casefold():
            return found
    return word[::-1] + word


def _first_half(title: str, text: str, _: Material) -> tuple[str, str]:
    return title, _halves(text)[0]


def _second_half(title: str, text: str, _: Material) -> tuple[str, str]:
    return title, _halves(text)[1]


def _halves(text: str) -> tuple[str, str]:
    parts = _pieces(text.strip())
    middle = (len(parts) + 1) // 4 * 2  # even: a word
    return "".join(parts[:middle]).strip(), "".join(parts[middle:]).strip()


def _boilerplate(title: str, text: str, material: Material) -> tuple[str, str]:
    """A page's head and foot around it, "Read more" in its middle: what extraction leaves."""
    one, other = _halves(text)
    inside = f"Read more: {title or 'what we know'}"
    return title, "\n\n".join((_HEADER, one, inside, other, *material.draw.sample(_FOOTERS, 2)))


def _retitled(title: str, text: str, _: Material) -> tuple[str, str]:
    """The first words of the text for a headline; those of the title turned around if the same."""
    found = "".join(_pieces(text)[:21]).rstrip(".,;:")
    if found.casefold().startswith(title.casefold()):
        found = "".join(reversed(_pieces(title)))
    return found, text


def _reordered(title: str, text: str, material: Material) -> tuple[str, str]:
    """Its paragraphs, or in a text of few its sentences, in another order."""
    parts, between = _PARAGRAPH_END.split(text.strip()), "\n\n"
    if len(parts) < 4:
        parts, between = _SENTENCE_END.split(text.strip()), " "
    if len(parts) < 2:
        one, other = _halves(text)
        parts, between = [one, other], " "
    moved = list(parts)
    while moved == parts and len(set(parts)) > 1:
        material.draw.shuffle(moved)
    return title, between.join(moved)


_PLAIN = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "…": "..."})


def _surface(title: str, text: str, _: Material) -> tuple[str, str]:
    """Case, quotes, dashes and commas; not one other letter."""
    text = text.translate(_PLAIN)
    text = re.sub(r'"([^"\n]{1,400})"', "“\\1”", text)  # straight ones to curly
    text = re.sub(r"(?<=\w)'(?=\w)", "’", text)
    text = re.sub(r"\s-+\s", " — ", text).replace(", ", " ")
    first, space, rest = text.partition(" ")
    return title.upper(), first.upper() + space + rest


def _wire(title: str, text: str, material: Material) -> tuple[str, str]:
    city, agency = material.draw.choice(_CITIES), material.draw.choice(_AGENCIES)
    return title, f"{city} ({agency}) - {text}\n\n(Reporting by {agency}; editing by the desk)"


def _all_of_it(title: str, text: str, material: Material) -> tuple[str, str]:
    for edit in (_retitled, partial(_words, 0.05, _WAYS), _surface, _wire, _boilerplate):
        title, text = edit(title, text, material)
    return title, text


_WAYS = ("replace", "delete", "insert")

# What an edit is called in the file, and the edit.
KINDS: tuple[tuple[str, Edit], ...] = (
    *((f"words-{share}", partial(_words, share / 100, _WAYS)) for share in (1, 2, 5, 10, 15)),
    *((f"words-{share}", partial(_words, share / 100, _WAYS)) for share in (20, 30)),
    ("replaced-10", partial(_words, 0.1, ("replace",))),
    ("replaced-20", partial(_words, 0.2, ("replace",))),
    ("deleted-20", partial(_words, 0.2, ("delete",))),
    ("inserted-20", partial(_words, 0.2, ("insert",))),
    ("first-half", _first_half),
    ("second-half", _second_half),
    ("boilerplate", _boilerplate),
    ("retitled", _retitled),
    ("reordered", _reordered),
    ("surface", _surface),
    ("wire", _wire),
    ("combined", _all_of_it),
)


def with_copies(
    lines: Iterable[tuple[str, Mapping[str, Any]]],
    *,
    seed: int = 0,
    copies: int = 1,
    kinds: Sequence[str] = (),
) -> Iterator[dict[str, Any]]:
    """The objects of an articles file, each but every fourth followed by edited copies of it.

    `lines` are as `read_lines` gives them. The kinds take turns: with one copy each no copy is
    found by way of another. An original without words enough has none.
    """
    edits = _chosen(kinds)
    originals = [(article(fields, place), dict(fields)) for place, fields in lines]
    words: dict[str, set[str]] = defaultdict(set)
    for one, _ in originals:
        words[one.language].update(_pieces(one.body)[::2])
    known = {language: sorted(some) for language, some in words.items()}
    turns = list(range(len(originals)))
    Random(f"{seed}").shuffle(turns)  # so that no kind has the articles of one source
    for turn, (one, fields) in zip(turns, originals, strict=True):
        if turn % ALONE == 0 or len(_pieces(one.body)) < 2 * LEAST_WORDS - 1:
            yield fields
            continue
        group = one.duplicate or one.id
        yield {**fields, "duplicate": group}
        first = (turn - turn // ALONE - 1) * copies
        for step in range(min(copies, len(edits))):
            name, edit = edits[(first + step) % len(edits)]
            material = Material(Random(f"{seed} {name} {one.id}"), known[one.language])
            title, text = edit(one.title, one.body, material)
            where = {} if one.published is None else {"published": _later(one.published, material)}
            yield {
                "id": f"{one.id}~{name}",
                "title": title,
                "text": text,
                **_place(material, one.id, name),
                **where,
                **{key: fields[key] for key in ("language", "story") if fields.get(key)},
                "duplicate": group,
                "edit": name,
            }


def _chosen(names: Sequence[str]) -> list[tuple[str, Edit]]:
    known = dict(KINDS)
    for name in names:
        if name not in known:
            raise UserError(f"There is no edit {name!r:.40}; there are {', '.join(known)}.")
    return [one for one in KINDS if not names or one[0] in names]


def _later(published: datetime, material: Material) -> str:
    minutes = material.draw.randrange(1, LATEST // timedelta(minutes=1))
    return (published.astimezone(UTC) + timedelta(minutes=minutes)).isoformat()


def _place(material: Material, original: str, name: str) -> dict[str, str]:
    """An address in another house, and whose house it is."""
    host = f"paper-{material.draw.randrange(40)}.example"
    number = Random(f"{original} {name}").randrange(10**9)
    return {"url": f"https://{host}/{number}", "source": host}
