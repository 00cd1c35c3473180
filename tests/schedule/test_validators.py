"""Which validators are kept of an answer."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from newsloom.feeds.schedule import trusted, validators
from newsloom.feeds.values.polling import PollOutcome
from newsloom.feeds.values.published import Damage
from newsloom.kernel.http.values import Reply, Request

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
URL = "https://news.example/feed"
CHANGED, UNCHANGED, FAILED, UNREADABLE, GONE = PollOutcome
NONE, MENDED, BROKEN, CUT = Damage

KEPT, FORGOTTEN = (None, None, None), ("", "", "")


def reply(status: int = 200, **headers: str) -> Reply:
    named = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Reply(Request(URL), NOW, 0.1, status=status, url=URL, headers=named)


BOTH = reply(etag='"1"', last_modified="yesterday")


@pytest.mark.parametrize(
    ("answer", "outcome", "damage", "damaged", "kept"),
    [
        pytest.param(BOTH, CHANGED, NONE, 0, ('"1"', "yesterday", URL), id="a document"),
        pytest.param(BOTH, UNCHANGED, NONE, 0, ('"1"', "yesterday", URL), id="nothing new in it"),
        pytest.param(reply(etag='"1"'), CHANGED, NONE, 0, ('"1"', "", URL), id="one of them"),
        pytest.param(reply(), CHANGED, NONE, 0, ("", "", URL), id="none"),
        pytest.param(reply(304), UNCHANGED, NONE, 0, (None, None, URL), id="304"),
        pytest.param(
            reply(304, etag='"2"'), UNCHANGED, NONE, 0, ('"2"', None, URL), id="304 with a new one"
        ),
        pytest.param(BOTH, CHANGED, CUT, 0, FORGOTTEN, id="cut"),
        pytest.param(BOTH, UNCHANGED, CUT, 9, FORGOTTEN, id="always cut"),
        pytest.param(BOTH, CHANGED, BROKEN, 0, FORGOTTEN, id="broken"),
        pytest.param(BOTH, CHANGED, BROKEN, 9, FORGOTTEN, id="always broken"),
        pytest.param(BOTH, CHANGED, MENDED, 0, FORGOTTEN, id="mended"),
        pytest.param(BOTH, CHANGED, MENDED, 1, ('"1"', "yesterday", URL), id="mended again"),
        pytest.param(BOTH, UNREADABLE, NONE, 0, KEPT, id="no feed"),
        pytest.param(reply(503, etag='"1"'), FAILED, NONE, 0, KEPT, id="an error"),
        pytest.param(reply(410), GONE, NONE, 0, KEPT, id="gone"),
        pytest.param(reply(0), FAILED, NONE, 0, KEPT, id="no answer"),
        pytest.param(
            reply(304, etag='"1"'), FAILED, NONE, 0, FORGOTTEN, id="304 that nothing asked for"
        ),
    ],
)
def test_what_is_kept(answer, outcome, damage, damaged, kept):
    found = validators(answer, outcome, damage, damaged)
    assert (found.etag, found.last_modified, found.url) == kept


@pytest.mark.parametrize("damaged", range(5))
@pytest.mark.parametrize("damage", Damage)
def test_what_may_lack_articles_is_never_trusted(damage, damaged):
    whole = damage in {NONE, MENDED}
    assert trusted(damage, damaged) <= whole
    assert trusted(damage, damaged) <= trusted(NONE, damaged)
