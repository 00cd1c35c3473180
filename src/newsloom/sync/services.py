"""What the protocols are given: who may ask, whose articles these are, and how they are told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from starlette.requests import Request

from newsloom.accounts.service.app_passwords import AppPasswords
from newsloom.app.reader import Reader
from newsloom.app.reader.folders import FolderCache
from newsloom.feeds.service.full_text import FullTexts
from newsloom.feeds.values.pages import SiteIcon
from newsloom.kernel.ids import UserId


@dataclass(frozen=True, slots=True)
class Terms:
    """What the settings say of it."""

    like: str = "Like"  # the label that is a like
    dislike: str = "Dislike"
    ranked_dates: bool = False  # dates tell the rank
    greader: bool = True
    fever: bool = True
    miniflux: bool = True


@dataclass(frozen=True, slots=True)
class Services:
    """All that a request can need."""

    passwords: AppPasswords
    reader: Callable[[UserId], Reader]
    folders: FolderCache
    now: Callable[[], datetime]
    address: Callable[[Request], str]  # where a request comes from
    icon: Callable[[str], SiteIcon | None]  # a site's
    picture_key: Callable[[], bytes]  # signs addresses of pictures
    full_texts: FullTexts
    terms: Terms = Terms()
