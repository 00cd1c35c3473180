"""WebSub as a subscriber speaks it (W3C Recommendation of 23 January 2018). Pure: values to values.

Where the hub of a feed is and what is asked of it (asking), whether it may call back as it does and
whether what it sends is signed (calling). Numbers in brackets are sections of the Recommendation.
"""

from newsloom.feeds.websub.asking import (
    PATH,
    RETRIES,
    Answered,
    addresses,
    answered,
    callback,
    callback_host,
    denied_until,
    discovered,
    redirected,
    request_body,
    unaskable,
    unusable,
)
from newsloom.feeds.websub.calling import Call, Called, called, foreign, plausible, renewal, signed
from newsloom.feeds.websub.wording import describe, hub_name

__all__ = [
    "PATH",
    "RETRIES",
    "Answered",
    "Call",
    "Called",
    "addresses",
    "answered",
    "callback",
    "callback_host",
    "called",
    "denied_until",
    "describe",
    "discovered",
    "foreign",
    "hub_name",
    "plausible",
    "redirected",
    "renewal",
    "request_body",
    "signed",
    "unaskable",
    "unusable",
]
