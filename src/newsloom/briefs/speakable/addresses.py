"""Addresses of the web and of mail, names of accounts and tags, said by name. Of any language."""

from __future__ import annotations

import re
from collections.abc import Callable

# A host's name as a person says it: without "www.", path and query.
_URL = re.compile(r"\bhttps?://([^\s/?#\"'<>()\[\]]{1,253})[^\s\"'<>()\[\]]{0,2000}", re.IGNORECASE)
_MAIL = re.compile(r"(?<![\w.+@-])([\w.+-]{1,64})@((?:[\w-]{1,63}\.){1,6}[a-zA-Z]{2,24})(?![\w@])")
# Endings that no abbreviation and no missing space makes ("end.It", "U.S").
_ENDINGS = ["com", "org", "net", "edu", "gov", "mil", "info", "io", "ai", "app", "dev", "tv", "eu", "uk", "de", "fr", "es", "kr", "jp", "cn", "ru", "ch", "at", "be", "nl", "it", "br", "mx", "ar", "ca", "au", "nz", "in", "ie", "us", "co", "me", "xyz", "news"]  # fmt: skip
_HOST = re.compile(
    rf"(?<![\w.@/-])(?:www\.)?((?:[a-z0-9-]{{2,63}}\.){{1,4}}(?:{'|'.join(_ENDINGS)}))"
    r"(?![\w@-]|\.\w)(?:/[^\s\"'<>()\[\]]{0,2000})?",
    re.IGNORECASE,
)
_ACCOUNT = re.compile(r"(?<![\w@.])@([A-Za-z0-9_]{2,40})(?!\w)(?!@)")
_TAG = re.compile(r"(?<![\w#&])#([^\W\d]\w{0,80})")
_PARTS = re.compile(r"(?<=[a-zß-ÿ])(?=[A-ZÀ-Þ])|_|(?<=[^\W\d_])(?=\d)")


def said(text: str, dot: str, at: str) -> str:
    """The text with each said by what a person would say; `dot` and `at` are words."""

    def host(name: str) -> str:
        name = name.rsplit("@", 1)[-1].split(":", 1)[0].strip(".")
        return f" {dot} ".join(part for part in name.removeprefix("www.").split(".") if part)

    def mail(found: re.Match[str]) -> str:
        before = f" {dot} ".join(part for part in found[1].split(".") if part)
        return f"{before} {at} {host(found[2])}"

    if "://" in text:
        text = _URL.sub(_kept_end(host), text)
    if "@" in text:
        text = _MAIL.sub(mail, text)
        text = _ACCOUNT.sub(lambda found: f"{at} {_apart(found[1])}", text)
    if "#" in text:
        text = _TAG.sub(lambda found: _apart(found[1]), text)
    return _HOST.sub(_kept_end(host), text) if "." in text else text


def _kept_end(host: Callable[[str], str]) -> Callable[[re.Match[str]], str]:
    """Said by its host; the stop of a sentence behind an address is no part of it."""

    def say(found: re.Match[str]) -> str:
        end = found[0][-1]
        return host(found[1]) + (end if end in ".,;:!?" else "")

    return say


def _apart(name: str) -> str:
    """ "climateAction_2026" as its words."""
    return " ".join(_PARTS.sub(" ", name).split())
