"""Formulas and drawings in articles: MathML that may be shown, and both as plain text. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import escape

from newsloom.kernel.text.markup import TAG, Contents, attributes, unescaped

# What MathML Core draws. Not `annotation-xml`, `mglyph` and links: they lead back into HTML.
MATHML = frozenset(
    (
        "math", "menclose", "merror", "mfenced", "mfrac", "mi", "mmultiscripts", "mn", "mo",
        "mover", "mpadded", "mphantom", "mprescripts", "mroot", "mrow", "ms", "mspace", "msqrt",
        "mstyle", "msub", "msubsup", "msup", "mtable", "mtd", "mtext", "mtr", "munder",
        "munderover", "none", "semantics",
    )
)  # fmt: skip
ATTRIBUTES = frozenset(
    (
        "accent", "accentunder", "alttext", "close", "columnalign", "columnspan", "display",
        "displaystyle", "fence", "form", "linethickness", "lspace", "mathvariant", "notation",
        "open", "rowspan", "rspace", "scriptlevel", "separator", "separators", "stretchy",
    )
)  # fmt: skip

_ANNOTATION = re.compile(
    r"""<annotation\b[^>]*?\bencoding\s*=\s*["']?(?:application/x-tex|tex|latex)\b[^>]*>([^<]*)""",
    re.IGNORECASE,
)
# Nesting beyond it is written as it comes.
_DEEPEST = 40


def shown_math(tag: str, content: str) -> str:
    """A <math> of the tags that may be shown, its TeX as `alttext`."""
    parts: list[str] = []
    for text, name, whole in _run(content):
        parts.append(text)
        if name.removeprefix("/") in MATHML and name not in {"math", "/math"}:
            parts.append(f"<{name}{_kept(whole)}>" if name[0] != "/" else f"<{name}>")
    given = attributes(tag)
    tex = _tex(given, content)
    kept = _kept(tag) + (f' alttext="{escape(tex)}"' if tex and "alttext" not in given else "")
    return f"<math{kept}>{''.join(parts)}</math>"


def readable(html: str) -> str:
    """HTML in which formulas and drawings are the text a reader would have of them."""
    html = without_prefixes(html)
    if not any(map(html.__contains__, ("<math", "<svg", "math/tex", "<MATH", "<SVG"))):
        return html
    contents = Contents(html)
    parts: list[str] = []
    begin = at = 0
    while tag := _FORMULA.search(html, at):
        if tag[1].lower() == "span":  # KaTeX draws its formula once more, in boxes
            at = contents.end_of_nested(tag, "span")
            parts.append(html[begin : tag.start()])
            begin = at
            continue
        at = contents.end(tag, tag[1].lower())
        content = html[tag.end() : at]
        words = as_text(tag[0], tag[1].lower(), content)
        parts += (html[begin : tag.start()], f" {words} " if words else "")
        begin = at
    return "".join((*parts, html[begin:]))


def without_prefixes(html: str) -> str:
    """HTML in which the tags of MathML have no prefix, as in XML ("<mml:math>")."""
    return _PREFIX.sub(r"\1", html) if ":math" in html else html


_PREFIX = re.compile(r"(</?)(?:mml|math|m):(?=m|semantics|annotation|none)", re.IGNORECASE)


def as_text(tag: str, name: str, content: str) -> str:
    """A formula or a drawing as text that is escaped for HTML."""
    if name == "svg":
        return drawn_words(content)
    if name == "script":
        return written_tex(content)
    tex = _tex(attributes(tag), content)
    return escape(" ".join(tex.split()) if tex else _linear(content), quote=False)


def drawn_words(content: str) -> str:
    """The words in an SVG drawing, escaped."""
    words: list[str] = []
    inside = ""
    for text, name, _whole in _run(content):
        if inside:
            words += text.split()
        if name in {"text", "foreignobject"} and not inside:
            inside = f"/{name}"
        elif name == inside:
            inside = ""
    return " ".join(words)


def written_tex(content: str) -> str:
    """TeX in a <script>, where MathJax looks for it, escaped."""
    return escape(content.rpartition("<")[0].strip(), quote=False)


_FORMULA = re.compile(
    r"""<(math|svg|script(?=[^>]{1,200}math/tex)|span(?=[^>]{1,99}katex-html))(?=[\s/>])[^>]*+>""",
    re.IGNORECASE,
)


def _run(content: str) -> list[tuple[str, str, str]]:
    """Each text with the tag after it: its name, and the tag; without what is annotated."""
    found: list[tuple[str, str, str]] = []
    contents = Contents(content)
    begin = at = 0
    while tag := TAG.search(content, at):
        name = (tag[1] or "").lower()
        found.append((content[begin : tag.start()], name, tag[0]))
        hidden = name in {"annotation", "annotation-xml", "style", "script"}
        begin = at = contents.end(tag, name) if hidden else tag.end()
    found.append((content[begin:], "", ""))
    return found


def _kept(tag: str) -> str:
    given = attributes(tag)
    return "".join(f' {one}="{escape(given[one])}"' for one in sorted(ATTRIBUTES & given.keys()))


def _tex(given: dict[str, str], content: str) -> str:
    annotation = _ANNOTATION.search(content)
    return unescaped(annotation[1]).strip() if annotation else given.get("alttext", "")


@dataclass(slots=True)
class _Element:
    name: str
    children: list[_Element | str] = field(default_factory=list)


def _linear(content: str) -> str:
    """A formula on one line: "e^(-7t)", "(√(π))/2"."""
    top = _Element("mrow")
    open_now = [top]
    for text, name, whole in _run(content):
        if words := " ".join(unescaped(text).split()):
            open_now[-1].children.append(words)
        if name.startswith("/"):
            if len(open_now) > 1 and open_now[-1].name == name[1:]:
                open_now.pop()
        elif name in MATHML and len(open_now) < _DEEPEST and not whole.endswith("/>"):
            element = _Element(name)
            open_now[-1].children.append(element)
            open_now.append(element)
    return _said(top)


# What stands between the parts of an element that has several.
_BETWEEN = {
    "mfrac": ("/",),
    "msup": ("^",),
    "msub": ("_",),
    "mover": ("^",),
    "munder": ("_",),
    "msubsup": ("_", "^"),
    "munderover": ("_", "^"),
}


def _said(element: _Element | str) -> str:
    if isinstance(element, str):
        return element
    parts = [said for one in element.children if (said := _said(one))]
    if marks := _BETWEEN.get(element.name):
        if len(parts) == len(marks) + 1:
            pairs = zip(("", *marks), map(_grouped, parts), strict=True)
            return "".join(mark + part for mark, part in pairs)
    elif element.name == "msqrt":
        return f"√{_grouped(''.join(parts))}"
    elif element.name == "mroot" and len(parts) == 2:
        return f"{_grouped(parts[0])}^(1/{parts[1]})"
    elif element.name == "mfenced":
        return f"({', '.join(parts)})"
    elif element.name == "mtr":
        return ", ".join(parts)
    elif element.name == "mtable":
        return "; ".join(parts)
    return "".join(parts)


def _grouped(part: str) -> str:
    return part if len(part) == 1 or part.isalnum() else f"({part})"
