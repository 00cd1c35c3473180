"""A digest as text: one row for each format. Titles are publishers' and may hold anything."""

from __future__ import annotations

import html
import json
import re
import textwrap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from itertools import groupby
from typing import Any
from zoneinfo import ZoneInfo

from newsloom.digests import charts
from newsloom.digests.links import Links
from newsloom.digests.values import Digest, DigestArticle, DigestKind, DigestTopic, Sentence
from newsloom.kernel.ids import ArticleId

_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_MARKS = re.compile(r"([\\`*_\[\]<>#|~])")
COLUMNS = 72


@dataclass(frozen=True, slots=True)
class Format:
    """A name, a media type, what its files end in, and what makes the text."""

    name: str
    media_type: str
    suffix: str
    render: Callable[[Digest], str]


def clean(text: str) -> str:
    """On one line, without what is not seen."""
    return " ".join(_CONTROLS.sub(" ", text).split())


def web_address(url: str) -> str:
    """What may be followed; "" for anything but http and https."""
    url = clean(url).replace(" ", "%20")
    return url if re.match(r"https?://[^/]", url, re.IGNORECASE) else ""


def markdown(digest: Digest) -> str:
    """As seed 001 has it."""
    return "\n".join(_markdown(digest)) + "\n"


def _markdown(digest: Digest) -> Iterator[str]:
    yield f"# {_escaped(digest.title)} -- {day(digest)}"
    yield ""
    yield window(digest)
    if digest.relaxed:
        yield ""
        yield f"_{RELAXED}_"
    if not (digest.top or digest.followed):
        yield ""
        yield NOTHING
    yield from _section(FOLLOWED, digest.followed, digest.address)
    yield from _section("Top stories", digest.top)
    yield from _section("For you", digest.for_you)
    yield from _noteworthy(digest)
    for title, articles in lists(digest):
        yield from ("", f"## {title}", "")
        for one in articles:
            yield f"- {_link(one)} ({_escaped(clean(one.publisher))})"
    if lines := report(digest):
        yield ""
        yield "## Feed health"
        yield ""
        for line in lines:
            yield f"- {_escaped(line)}"


NEW = "New since the last digest:"
RELATED = "Related:"
MOST_OTHERS = 4  # other events of a topic that are named
FOLLOWED = "Stories you follow"
ROUNDUPS = "Round-ups and live pages"
NOTHING = "No articles in this period."
RELAXED = "Few topics were important in this period; these are the top ones."


def sections(digest: Digest) -> tuple[tuple[str, tuple[DigestTopic, ...]], ...]:
    """The sections of topics that have any, each with its title."""
    every = (
        (FOLLOWED, digest.followed),
        ("Top stories", digest.top),
        ("For you", digest.for_you),
        ("Noteworthy", digest.noteworthy),
    )
    return tuple(one for one in every if one[1])


def lists(digest: Digest) -> tuple[tuple[str, tuple[DigestArticle, ...]], ...]:
    """The sections of single lines that have any, each with its title."""
    mentioned = tuple(one.lead for one in digest.mentioned)
    every = (("Also mentioned", mentioned), (ROUNDUPS, digest.roundups))
    return tuple(one for one in every if one[1])


def _section(title: str, topics: tuple[DigestTopic, ...], address: str = "") -> Iterator[str]:
    if topics:
        yield ""
        yield f"## {title}"
        for topic in topics:
            yield from _topic(topic, Links(address).page(topic.page))


def _noteworthy(digest: Digest) -> Iterator[str]:
    if digest.noteworthy:
        yield ""
        yield "## Noteworthy"
        for category, topics in groupby(digest.noteworthy, key=lambda one: one.category):
            if category:
                yield ""
                yield f"_{_escaped(category)}_"
            for topic in topics:
                yield from _topic(topic)


def _topic(topic: DigestTopic, page: str = "") -> Iterator[str]:
    yield ""
    label, link, text = _escaped(topic.label), _link(topic.lead), _escaped(byline(topic))
    story = f"[{label}]({_in_brackets(page)})" if page else label
    yield f"### {story if topic.page else link}"
    yield ""
    yield f"{link} ({text})" if topic.page else f"_{text}_"
    if topic.summary:
        yield ""
        begin = f"**{NEW}** " if topic.developed else ""
        yield begin + " ".join(
            f"{_escaped(one.text)} {_escaped(by)}".rstrip() for one, by in attributed(topic)
        )
    if text := also_by(topic):
        yield ""
        yield _escaped(text)
    if topic.others:
        yield from ("", RELATED, "")
        for one in topic.others[:MOST_OTHERS]:
            yield f"- {_link(one)} ({_escaped(clean(one.publisher))})"


def plain(digest: Digest) -> str:
    """72 columns; addresses stand whole on lines of their own."""
    return "\n".join(_plain(digest)) + "\n"


def _plain(digest: Digest) -> Iterator[str]:
    yield from _wrapped(f"{digest.title}, {day(digest)}")
    yield from _wrapped(window(digest))
    if digest.relaxed:
        yield from _wrapped(RELAXED)
    if not (digest.top or digest.followed):
        yield from _wrapped(NOTHING)
    for title, topics in sections(digest):
        yield from ("", title.upper())
        for topic in topics:
            yield from _plain_topic(topic, Links(digest.address).page(topic.page))
    for title, articles in lists(digest):
        yield from ("", title.upper())
        for one in articles:
            yield from _wrapped(f"- {one.title} ({one.publisher})")
    if lines := report(digest):
        yield from ("", "FEED HEALTH")
        for line in lines:
            yield from _wrapped(f"- {line}")


def _plain_topic(topic: DigestTopic, page: str = "") -> Iterator[str]:
    yield ""
    if topic.page:
        yield from _wrapped(f"* {topic.label}")
    yield from _wrapped(f"{'' if topic.page else '* '}{topic.lead.title or 'Untitled'}")
    yield from _wrapped(byline(topic))
    if web_address(topic.lead.url):
        yield web_address(topic.lead.url)
    said = " ".join(f"{one.text} {by}".rstrip() for one, by in attributed(topic))
    if said:
        yield from _wrapped(f"{NEW} {said}" if topic.developed else said)
    if text := also_by(topic):
        yield from _wrapped(text)
    if topic.others:
        yield RELATED
    for one in topic.others[:MOST_OTHERS]:
        yield from _wrapped(f"- {one.title} ({one.publisher})")
    if page:
        yield from ("The story:", page)


def web(digest: Digest) -> str:
    """A whole page that stands alone: no script, nothing from elsewhere, light and dark."""
    body = "\n".join(web_body(digest))
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{_html(digest.title)}</title><style>{STYLE}</style></head>"
        f"<body><main>{body}</main></body></html>\n"
    )


STYLE = (
    ":root{color-scheme:light dark}body{font:17px/1.55 Georgia,serif;margin:0}"
    "main{max-width:40rem;margin:2rem auto;padding:0 1rem}h1{font-size:1.7rem;line-height:1.2}"
    "h2{font-size:1.15rem;margin-top:2.2rem;border-bottom:1px solid GrayText}"
    "h3{font-size:1.08rem;margin-bottom:.2rem}p{margin:.3rem 0}"
    ".by{font:.85rem/1.4 system-ui,sans-serif}a{color:LinkText}.new{font-weight:600}"
)


def web_body(digest: Digest, *, pictures: bool = False) -> Iterator[str]:
    """The parts of the page, without its head; with pictures from their sites."""
    yield f"<h1>{_html(digest.title)}</h1>"
    yield f'<p class="by">{_html(window(digest))}</p>'
    if digest.relaxed:
        yield f'<p class="by">{_html(RELAXED)}</p>'
    for title, topics in sections(digest):
        yield f"<h2>{title}</h2>"
        for topic in topics:
            url = web_address(topic.lead.picture) if pictures else ""
            if url:
                yield f'<p><img src="{html.escape(url)}" alt="" width="320"></p>'
            yield from web_topic(topic, Links(digest.address).page(topic.page))
    for title, articles in lists(digest):
        yield f"<h2>{title}</h2><ul>"
        for one in articles:
            yield f'<li>{_anchor(one)} <span class="by">{_html(one.publisher)}</span></li>'
        yield "</ul>"
    if mix := charts.source_mix(digest):
        yield f"<h2>Sources</h2><p>{mix}</p>"
    if lines := report(digest):
        yield "<h2>Feed health</h2><ul>"
        for line in lines:
            yield f"<li>{_html(line)}</li>"
        yield "</ul>"


def web_topic(topic: DigestTopic, page: str = "") -> Iterator[str]:
    """One topic as HTML; `page` is that of a story."""
    label, link = _html(topic.label), _anchor(topic.lead)
    story = f'<a href="{html.escape(page)}">{label}</a>' if page else label
    yield f"<article><h3>{story if topic.page else link}</h3>"
    yield f'<p>{f"{link} " if topic.page else ""}<span class="by">{_html(byline(topic))}</span></p>'
    if topic.summary:
        said = " ".join(
            _html(one.text) + (f' <span class="by">{_html(by)}</span>' if by else "")
            for one, by in attributed(topic)
        )
        new = f'<span class="new">{NEW}</span> ' if topic.developed else ""
        yield f"<p>{new}{said}</p>"
    if text := also_by(topic):
        yield f'<p class="by">{_html(text)}</p>'
    if topic.others:
        lines = (
            f'<li>{_anchor(one)} <span class="by">{_html(one.publisher)}</span></li>'
            for one in topic.others[:MOST_OTHERS]
        )
        yield f'<p class="by">{RELATED}</p><ul>{"".join(lines)}</ul>'
    yield "</article>"


def as_json(digest: Digest, **more: object) -> str:
    """The value as it is, after whatever else is to be said; times in ISO 8601."""

    def plainly(value: Any) -> str:
        return value.isoformat() if isinstance(value, datetime) else str(value)

    whole = {**more, **asdict(digest)}
    for story, topic in zip(whole["followed"], digest.followed, strict=True):
        story["page"] = Links(digest.address).page(topic.page)
    return json.dumps(whole, ensure_ascii=False, indent=1, default=plainly) + "\n"


FORMATS = (
    Format("markdown", "text/markdown", "md", markdown),
    Format("html", "text/html", "html", web),
    Format("text", "text/plain", "txt", plain),
    Format("json", "application/json", "json", as_json),
)


def format_of(name: str) -> Format:
    """By its name. Raises KeyError."""
    return {one.name: one for one in FORMATS}[name]


def remarks(topic: DigestTopic) -> str:
    """Why a topic stands in a digest again, and which language model wrote of it, to stand behind
    other words; "" where there is nothing to say."""
    again = ", updated since the last digest" if topic.developed and not topic.page else ""
    if count := topic.new_sources:
        again = f", {count} more source{'' if count == 1 else 's'}"
    if topic.titled_by:
        again += f", title by {clean(topic.titled_by)[:60]}"
    return again + (f", summary by {clean(topic.written_by)[:60]}" if topic.written_by else "")


def attributed(topic: DigestTopic) -> tuple[tuple[Sentence, str], ...]:
    """Each sentence of a summary, and who says it: once behind several of the same publishers."""
    names = {one.id: clean(one.publisher) for one in (topic.lead, *topic.related)}
    told = [(one, _said_by(one, names)) for one in topic.summary]
    return tuple(
        (one, "" if told[place + 1 : place + 2] and told[place + 1][1] == by else by)
        for place, (one, by) in enumerate(told)
    )


def _said_by(sentence: Sentence, names: Mapping[ArticleId, str]) -> str:
    """Who says a sentence, in brackets; "" where the sentence names them."""
    if sentence.disagrees:
        return ""
    lines = list(dict.fromkeys(names[one] for one in sentence.articles if one in names))
    more = f" and {len(lines) - 3} more" if len(lines) > 3 else ""
    return f"({', '.join(lines[:3])}{more})" if lines else ""


def byline(topic: DigestTopic) -> str:
    """Tag, publisher, date, reading time, importance and remarks of a topic."""
    said = f"{credit(topic.lead)}, importance {topic.importance:.0f}{remarks(topic)}"
    return f"{clean(topic.tag)} \N{MIDDLE DOT} {said}" if topic.tag else said


def also_by(topic: DigestTopic) -> str:
    """Which other publishers reported the lead's event, without those that the summary names;
    "": none."""
    told = {one for sentence in topic.summary for one in sentence.articles}
    every = (topic.lead, *topic.related)
    named = {clean(one.publisher) for one in every if one is topic.lead or one.id in told}
    same = [clean(one.publisher) for one in every if one.event == topic.lead.event]
    names = [one for one in dict.fromkeys(same) if one not in named]
    more = f" and {len(names) - 4} more" if len(names) > 4 else ""
    return f"Also reported by {', '.join(names[:4])}{more}." if names else ""


def report(digest: Digest) -> tuple[str, ...]:
    """The Feed health in lines; none for news of stories or by rules. Counts only where a feed was
    polled: a digest of last month has none."""
    if digest.kind in (DigestKind.STORIES, DigestKind.RULES):
        return ()
    feeds, lines = digest.feeds, []
    if feeds.polled or feeds.new_articles:
        lines = [
            f"{_count(feeds.polled, 'feed')} polled, {feeds.succeeded} successful, "
            f"{_count(feeds.errors, 'error')}",
            f"{_count(feeds.new_articles, 'new article')}, "
            f"{_count(feeds.duplicates, 'duplicate')} removed",
        ]
    lines += [f"Emerging topic: {one.label} ({one.sources} sources)" for one in feeds.emerging]
    lines += [f"Declining topic: {one.label}" for one in feeds.declining]
    return tuple(map(clean, lines))


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def credit(article: DigestArticle) -> str:
    """Who wrote an article, when, and how long it takes to read."""
    minutes = f", {article.minutes} min read" if article.minutes else ""
    return f"{clean(article.publisher)}, {article.published:%-d %b %Y}{minutes}"


def day(digest: Digest) -> str:
    """The day a digest ends on, in its time zone."""
    return f"{digest.end.astimezone(ZoneInfo(digest.zone)):%Y-%m-%d}"


def window(digest: Digest) -> str:
    """What a digest covers, in words."""
    zone = ZoneInfo(digest.zone)
    begin, end = (one.astimezone(zone) for one in (digest.begin, digest.end))
    return f"From {begin:%Y-%m-%d %H:%M} to {end:%Y-%m-%d %H:%M} ({digest.zone})."


def _escaped(text: str) -> str:
    return _MARKS.sub(r"\\\1", clean(text))


def _link(article: DigestArticle) -> str:
    title, url = _escaped(article.title) or "Untitled", web_address(article.url)
    return f"[{title}]({_in_brackets(url)})" if url else title


def _in_brackets(url: str) -> str:
    """An address that ends no bracket of Markdown."""
    return url.replace("(", "%28").replace(")", "%29").replace("<", "%3C").replace(">", "%3E")


def _html(text: str) -> str:
    return html.escape(clean(text))


def _anchor(article: DigestArticle) -> str:
    title, url = _html(article.title) or "Untitled", web_address(article.url)
    return f'<a href="{html.escape(url)}" rel="noopener noreferrer">{title}</a>' if url else title


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(clean(text), COLUMNS, break_long_words=False, break_on_hyphens=False)
