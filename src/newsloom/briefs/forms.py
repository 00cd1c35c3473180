"""A brief as text, as JSON for programs, and as the HTML of a mail. Pure."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator
from datetime import UTC
from zoneinfo import ZoneInfo

from newsloom.briefs.links import BriefLinks
from newsloom.briefs.values import ArchivedBrief, BriefScript, SoundFile
from newsloom.digests.formats import clean, web_address
from newsloom.digests.mail import escaped
from newsloom.digests.values import DigestArticle
from newsloom.kernel.delivery.mail import FONT, H2, LINK, SMALL, P


def day(script: BriefScript) -> str:
    """Its local day, as 2026-07-09."""
    return f"{script.end.astimezone(ZoneInfo(script.zone)):%Y-%m-%d}"


def minutes_words(seconds: float) -> str:
    """How long it is, as 10:31."""
    whole = round(seconds)
    return f"{whole // 60}:{whole % 60:02d}"


def plain(script: BriefScript) -> str:
    """The script as text, with its sources at the end."""
    return "\n".join(_plain(script)) + "\n"


def _plain(script: BriefScript) -> Iterator[str]:
    yield clean(script.title)
    if script.notice:
        yield f"\n{clean(script.notice)}"
    for chapter in script.chapters:
        if chapter.title:
            yield f"\n{clean(chapter.title)}"
        yield "\n" + " ".join(clean(line.text) for line in chapter.lines)
    if script.articles:
        yield "\nSources"
    for article in script.articles:
        yield f"- {clean(article.title)} ({clean(article.publisher)}) {web_address(article.url)}"


def mail_html(brief: ArchivedBrief) -> Iterator[str]:
    """What a mail says of it, in pieces."""
    script = brief.script
    yield f'<h1 style="{FONT}font-size:24px;line-height:30px;margin:0;color:#1a1a1a">'
    yield f"{escaped(script.title)}</h1>"
    lines = [day(script), *([minutes_words(brief.sound.seconds)] if brief.sound else [])]
    yield f'<p style="{SMALL}">{escaped(", ".join(lines))}</p>'
    for notice in (script.notice, brief.problem and f"No audio: {brief.problem}"):
        if notice:
            yield f'<p style="{SMALL}">{escaped(notice)}</p>'
    by_id = {article.id: article for article in script.articles}
    for chapter in script.chapters:
        if chapter.title:
            yield f'<h2 style="{H2}">{escaped(chapter.title)}</h2>'
        said = " ".join(escaped(line.text) for line in chapter.lines)
        yield f'<p style="{P}">{said}</p>'
        ids = dict.fromkeys(one for line in chapter.lines for one in line.articles)
        sources = ", ".join(_anchor(by_id[one]) for one in ids if one in by_id)
        if sources:
            yield f'<p style="{SMALL}">{sources}</p>'


def _anchor(article: DigestArticle) -> str:
    url = web_address(article.url)
    name = escaped(article.publisher) or escaped(article.source)
    return f'<a href="{html.escape(url)}" style="{LINK}">{name}</a>' if url else name


def as_json(brief: ArchivedBrief, links: BriefLinks, token: str) -> str:
    """What a webhook gets. `token` is of the reader's podcast; "": there is none, and the sound is
    heard on the brief's page alone."""
    script, sound = brief.script, brief.sound
    times = iter(sound.times) if sound else iter(())
    urls = {one.id: web_address(one.url) for one in script.articles}
    chapters = []
    for chapter in script.chapters:
        lines = []
        for line in chapter.lines:
            time = next(times, None)
            lines.append(
                {
                    "text": line.text,
                    "kind": str(line.kind),
                    "begin": time and round(time.begin, 3),
                    "end": time and round(time.end, 3),
                    "sources": [urls[one] for one in line.articles if urls.get(one)],
                }
            )
        chapters.append({"title": chapter.title, "sentences": lines})
    return json.dumps(
        {
            "id": brief.id,
            "language": script.language,
            "title": script.title,
            "made": brief.made_at.astimezone(UTC).isoformat(),
            "page": links.page(brief.id),
            "podcast": links.podcast(token) if token and links.base else "",
            "notice": script.notice,
            "problem": brief.problem,
            "seconds": sound.seconds if sound else 0.0,
            "voice": sound.voice if sound else "",
            "sound": [_file(brief, one, links, token) for one in sound.files] if sound else [],
            "chapters": chapters,
        },
        ensure_ascii=False,
    )


def _file(
    brief: ArchivedBrief, file: SoundFile, links: BriefLinks, token: str
) -> dict[str, object]:
    name = f"{brief.id}.{ending(file)}"
    address = links.podcast(token, name) if token and links.base else ""
    return {"url": address, "type": file.media_type, "bytes": file.bytes}


def ending(file: SoundFile) -> str:
    """Of the name under which a file is fetched."""
    return "mp3" if file.media_type == "audio/mpeg" else "opus"
