"""`newsloom sources --quality`, and rules about domains."""

from __future__ import annotations

from typing import TYPE_CHECKING

from newsloom.cli.common import plain, say, show_json, show_table
from newsloom.kernel.errors import UserError

if TYPE_CHECKING:
    from newsloom.coverage.service.source_quality import SourceQuality
    from newsloom.coverage.store.quality.records import DomainRecord

COLUMNS = ("domain", "band", "pages", "good", "bound", "until", "failures", "why")


def change_or_show(
    quality: SourceQuality, as_json: bool, *, block: str, allow: str, forget: str
) -> None:
    """Do the one thing that was asked for; nothing: show all. Raises UserError."""
    from newsloom.coverage.domains import Rule

    if sum(map(bool, (block, allow, forget))) > 1:
        raise UserError("Give one of --block, --allow and --forget at a time.")
    if block:
        say(f"{quality.set_rule(block, Rule.BLOCK)}: blocked, with all its subdomains.")
    elif allow:
        say(f"{quality.set_rule(allow, Rule.ALLOW)}: allowed, whatever its record says.")
    elif forget:
        say(f"{quality.forget(forget)}: its rule and its record are forgotten.")
    elif as_json:
        show_json([_as_json(one) for one in quality.all()])
    else:
        show_table(COLUMNS, [_row(one) for one in quality.all()], stretch="why", right="pages good")


def _row(one: DomainRecord) -> tuple[str, ...]:
    from newsloom.coverage.wording import because

    standing = one.standing
    block = standing.block
    until = f"{block.until:%Y-%m-%d %H:%M}" if block and standing.rule is None else ""
    failures = ", ".join(f"{times} {kind.value}" for kind, times in one.failures.items())
    return (
        *(standing.domain, standing.band.value, str(one.attempts), str(one.successes)),
        *(f"{standing.wilson:.2f}", until, failures, because(standing)),
    )


def _as_json(one: DomainRecord) -> dict[str, object]:
    from newsloom.coverage.wording import because

    standing = one.standing
    block = standing.block
    return {
        "domain": standing.domain,
        "band": standing.band.value,
        "why": because(standing),
        "attempts": one.attempts,
        "successes": one.successes,
        "failures": {kind.value: times for kind, times in one.failures.items()},
        "wilson": round(standing.wilson, 4),
        "judged": round(standing.judged, 2),
        "samples": standing.counts.samples,
        "hits": one.hits,
        "last_at": plain(one.last_at),
        "rule": standing.rule.value if standing.rule else None,
        "blocked_since": plain(block.since) if block else None,
        "blocked_until": plain(block.until) if block else None,
        "times_blocked": block.times if block else 0,
        "tries_left": standing.tries_left,
    }
