"""What is said in a brief and when, as files: WebVTT, chapters as Podcasting 2.0 has them, HTML."""

from __future__ import annotations

import html
import json
from collections.abc import Sequence
from urllib.parse import urlsplit

from newsloom.briefs.sound.tags import Chapter
from newsloom.briefs.values import BriefLine, BriefScript, BriefSound, LineTime
from newsloom.digests.values import DigestArticle

VTT, CHAPTERS, HTML = "text/vtt", "application/json+chapters", "text/html"


def chapters_of(
    script: BriefScript, times: Sequence[LineTime], seconds: float
) -> tuple[Chapter, ...]:
    """Chapters that are heard: each lasts until the next begins, the first from 0."""
    begins: list[tuple[str, float]] = []
    at = 0
    for chapter in script.chapters:
        line_times = [one for one in times[at : at + len(chapter.lines)] if one.end > one.begin]
        at += len(chapter.lines)
        if line_times:
            begins.append((chapter.title, line_times[0].begin if begins else 0.0))
    ends = [begin for _title, begin in begins[1:]] + [seconds]
    return tuple(
        Chapter(title or script.title, begin, end)
        for (title, begin), end in zip(begins, ends, strict=True)
    )


def web_vtt(script: BriefScript, sound: BriefSound) -> str:
    """A cue for each sentence; its id is the sentence's number from 1, whether or not all before
    it are heard."""
    lines = ["WEBVTT", f"Language: {script.language}", ""]
    for number, (line, time) in enumerate(zip(script.lines, sound.times, strict=True), 1):
        # Of a cue: no line ends, and nothing that begins a tag or an arrow.
        text = _text(line.text).replace("&#x27;", "'").replace("&quot;", '"')
        if time.end > time.begin and text:
            lines += [str(number), f"{_clock(time.begin)} --> {_clock(time.end)}", text, ""]
    return "\n".join(lines)


def chapters_json(script: BriefScript, sound: BriefSound) -> str:
    """https://github.com/Podcastindex-org/podcast-namespace, JSON chapters 1.2.0."""
    chapters = [
        {
            "startTime": round(one.begin, 3),
            "endTime": round(one.end, 3),
            "title": " ".join(one.title.split()),
        }
        for one in chapters_of(script, sound.times, sound.seconds)
    ]
    said = {"version": "1.2.0", "title": script.title, "chapters": chapters}
    return json.dumps(said, ensure_ascii=False)


def transcript_html(script: BriefScript, sound: BriefSound | None = None) -> str:
    """A page without scripts: each sentence with its time and links to the articles it rests on.
    Without a sound, as long as there is none."""
    times = sound.times if sound else ()
    by_id = {one.id: one for one in script.articles}
    parts, at = [], 0
    for chapter in script.chapters:
        parts.append(f"<h2>{_text(chapter.title)}</h2>" if chapter.title else "")
        for line in chapter.lines:
            time = times[at] if at < len(times) else None
            at += 1
            articles = [by_id[one] for one in line.articles if one in by_id]
            parts.append(_sentence(line, time, articles, at))
    title = _text(script.title)
    return (
        f'<!doctype html>\n<html lang="{_text(script.language)}">\n<head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title></head>\n<body>\n<h1>{title}</h1>\n"
        + (f"<p>{_text(script.notice)}</p>\n" if script.notice else "")
        + "\n".join(filter(None, parts))
        + "\n</body>\n</html>\n"
    )


def _sentence(
    line: BriefLine, time: LineTime | None, articles: Sequence[DigestArticle], number: int
) -> str:
    clock = ""
    if time is not None and time.end > time.begin:
        shown = _clock(time.begin)
        clock = f'<time datetime="PT{time.begin:.3f}S">{shown[:8]}</time> '
    sources = ", ".join(_link(one) for one in articles)
    return (
        f'<p id="s{number}">{clock}{_text(line.text)}'
        + (f" ({sources})" if sources else "")
        + "</p>"
    )


def _link(article: DigestArticle) -> str:
    words = _text(article.source or article.title)
    if urlsplit(article.url).scheme not in {"http", "https"}:
        return words
    title = _text(article.title)
    return f'<a href="{_text(article.url)}" title="{title}" rel="noopener noreferrer">{words}</a>'


def _text(words: str) -> str:
    shown = "".join(one if one.isprintable() else " " for one in words)
    return html.escape(" ".join(shown.split()))


def _clock(seconds: float) -> str:
    thousandths = round(max(seconds, 0.0) * 1000)
    minutes, rest = divmod(thousandths, 60_000)
    return f"{minutes // 60:02}:{minutes % 60:02}:{rest // 1000:02}.{rest % 1000:03}"
