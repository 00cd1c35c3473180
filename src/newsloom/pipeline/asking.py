"""Asks a language model how fast articles expire, within what it may cost, and keeps what it says.

Runs beside the passes, never within one: a server that hangs, lies or is gone delays no poll. Each
call is reserved before it is made and kept, with its rating, in one transaction after it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta

from newsloom.classify import rubric
from newsloom.errors import StoreError
from newsloom.ports import ChatModel
from newsloom.settings import LanguageModelSettings
from newsloom.store import Store
from newsloom.types import (
    OK,
    UNUSABLE,
    Asked,
    AskReport,
    Completion,
    ModelCall,
    Question,
    Rating,
    ServiceState,
    Told,
)

PURPOSE = "sensitivity"

# Seed 000 re-scored the unread articles of 30 days; older ones are ranked by the built-in judge.
ASKED_ABOUT = timedelta(days=30)
LATELY = timedelta(days=1)

# A round is short enough that what it brought is ranked within a minute or so (seed 000's Ministral
# took 1.4 s an article).
ROUND = 50

# Facts on reliability, section 4: two retries, and five failures rest a server for five minutes.
RETRIES = 2
FAILURES = 5
REST = timedelta(minutes=5)
LONGEST_REST = timedelta(days=1)

# A server that says it used fewer tokens than a sixteenth of the bytes, or more than their number
# and the most that an answer may have, is not believed.
_LEAST_SHARE = 16


@dataclass(frozen=True, slots=True)
class Answered:
    """What one question came to."""

    rating: Rating | None
    words: str = ""  # why there is none
    resting: bool = False  # nothing else can be asked now either
    kept: bool = False  # as the rating of an article


@dataclass(slots=True)
class Asker:
    """Asks through the ports given. One per event loop."""

    store: Store
    server: ChatModel
    settings: LanguageModelSettings
    now: Callable[[], datetime]
    nonce: Callable[[], str]  # signs that nobody can guess
    jitter: Callable[[], float]  # 0..1
    backoff: timedelta = timedelta(seconds=1)
    _form: int = 0  # the strictest that the server is known to take
    _turn: asyncio.Semaphore = field(init=False)

    def __post_init__(self) -> None:
        self._turn = asyncio.Semaphore(self.settings.concurrency)

    @property
    def maker(self) -> str:
        return rubric.maker(self.server.model)

    async def round(
        self, *, stop: Callable[[], bool] = lambda: False, limit: int = ROUND
    ) -> AskReport:
        """Ask about the newest articles that have no answer yet, until one thing stands in the way.

        `stop` is looked at between two questions.
        """
        began = asyncio.get_running_loop().time()
        questions = await asyncio.to_thread(self._pending, limit)
        waiting = list(reversed(questions))
        answers: list[Answered] = []

        async def work() -> None:
            while waiting and not stop() and not any(one.resting for one in answers):
                answers.append(await self._asked(waiting.pop()))

        # Of a server that failed lately one answer is awaited before more is asked of it.
        state = await asyncio.to_thread(self.store.models.service, self.server.service)
        if state.failures and waiting and not stop():
            answers.append(await self._asked(waiting.pop()))
        await asyncio.gather(*(work() for _ in range(self.settings.concurrency)))
        rests = next((one.words for one in answers if one.resting), "")
        return AskReport(
            asked=sum(not one.resting for one in answers),
            rated=sum(one.kept for one in answers),
            seconds=asyncio.get_running_loop().time() - began,
            more=len(questions) == limit and not rests and any(one.kept for one in answers),
            problem=rests or next((one.words for one in reversed(answers) if one.words), ""),
        )

    async def _asked(self, question: Question) -> Answered:
        try:
            return await self.ask(question)
        except StoreError as error:  # busy or full: whatever was said is asked again
            return Answered(None, str(error), resting=True)

    async def ask(self, question: Question) -> Answered:
        """One question, with its retries, within one deadline."""
        article = question.article
        prompt = rubric.prompt(
            article.title, article.text, self.nonce(), self.settings.context_tokens
        )
        draft = ModelCall(
            service=self.server.service,
            at=self.now(),
            purpose=PURPOSE,
            maker=self.maker,
            verdict="",
            article_id=article.id if question.digest else None,
            text_hash=str(question.digest),
        )
        async with self._turn:
            return await self._ask(draft, prompt)

    async def _ask(self, draft: ModelCall, prompt: rubric.Prompt) -> Answered:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self.settings.timeout_seconds
        form, tries = self._form, 0
        while True:
            answered, completion = await self._call(draft, prompt, form, deadline - loop.time())
            if completion is None or answered.rating is not None:
                self._form = form if answered.rating is not None else self._form
                return answered
            if completion.rejected and form + 1 < self.server.forms:
                form += 1
                continue
            tries += 1
            pause = self._pause(completion, tries)
            if not completion.again or tries > RETRIES or loop.time() + pause >= deadline:
                return answered
            await asyncio.sleep(pause)

    def _pause(self, completion: Completion, tries: int) -> float:
        """Seconds before the same question again: longer each time, as long as asked for."""
        grown: timedelta = self.backoff * (1 << (tries - 1))
        return max(grown, completion.wait or grown).total_seconds() * (1 + self.jitter())

    async def _call(
        self, draft: ModelCall, prompt: rubric.Prompt, form: int, left: float
    ) -> tuple[Answered, Completion | None]:
        """One call of the server: reserved, made, kept."""
        most = prompt.bytes // rubric.BYTES_PER_TOKEN + rubric.ANSWER_TOKENS
        day = _day(self.now())
        if words := await asyncio.to_thread(self._refusal, day, most):
            return Answered(None, words, resting=True), None
        completion = await self.server.complete(
            prompt.system,
            prompt.user,
            rubric.SCHEMA,
            form=form,
            max_tokens=rubric.ANSWER_TOKENS,
            timeout_seconds=max(left, 0.01),
        )
        rating, completion = _judged(completion)
        tokens = spent(completion, prompt.bytes, most)
        call = replace(
            draft,
            at=self.now(),
            tokens_in=tokens[0],
            tokens_out=tokens[1],
            seconds=completion.seconds,
            verdict=completion.verdict,
            answer=completion.content[: rubric.LONGEST_ANSWER] or completion.raw,
        )
        kept = await asyncio.to_thread(
            self.store.models.settle_call,
            call,
            day=day,
            returned=most - sum(tokens),
            after=lambda state: after(state, completion, self.server.model, self.now()),
            rating=rating if call.article_id is not None else None,
        )
        words = "" if rating else completion.verdict
        return Answered(rating, words, kept=kept), completion

    def _pending(self, limit: int) -> tuple[Question, ...]:
        now = self.now()
        return self.store.models.pending_questions(
            self.maker, since=now - ASKED_ABOUT, lately=now - LATELY, limit=limit
        )

    def _refusal(self, day: int, tokens: int) -> str:
        """Why nothing may be asked now; empty when those tokens are reserved for it."""
        state = self.store.models.service(self.server.service)
        if state.open_until is not None and self.now() < state.open_until:
            return f"it rests: {state.problem}"
        limit = self.settings.daily_tokens
        if not self.store.models.reserve_tokens(self.server.service, day, tokens, limit):
            return f"today's {limit:,} tokens are spent"
        return ""


def _judged(completion: Completion) -> tuple[Rating | None, Completion]:
    """The rating in an answer, or the same completion as one that is not used."""
    if completion.verdict != OK:
        return None, completion
    found = rubric.read(completion.content)
    if isinstance(found, Rating):
        return found, completion
    return None, replace(completion, verdict=f"{UNUSABLE}{found.words}")


def spent(completion: Completion, sent: int, most: int) -> tuple[int, int]:
    """Tokens in and out: what the server says if that can be, else all that was reserved."""
    if completion.free:
        return 0, 0
    said = completion.tokens
    if said and sent // _LEAST_SHARE <= sum(said) <= sent + rubric.ANSWER_TOKENS:
        return said
    return most - rubric.ANSWER_TOKENS, rubric.ANSWER_TOKENS


def after(state: ServiceState, completion: Completion, model: str, now: datetime) -> ServiceState:
    """How the service does after a call."""
    if completion.verdict == OK:
        other = completion.answered_by
        odd = f"it says that {other} answers" if other and other != model else ""
        return replace(state, ok_at=now, failures=0, open_until=None, problem=odd)
    failures = state.failures + 1
    rest = min(completion.wait or timedelta(0), LONGEST_REST)
    if failures >= FAILURES:
        rest = max(rest, REST)
    _kind, _, words = completion.verdict.partition(": ")
    return replace(
        state,
        failed_at=now,
        failures=failures,
        open_until=now + rest if rest else None,
        problem=words,
    )


def told(state: ServiceState, asked: Asked, settings: LanguageModelSettings, now: datetime) -> Told:
    """For the page, the doctor and the report of a run."""
    # One failure happens; one after which it wants to be left alone is a state.
    rests = state.open_until is not None and state.open_until > now
    if state.failures > 1 or (state.failures and rests):
        return Told(False, f"{state.name} gives no ratings ({state.problem}), {_again(state, now)}")
    if asked.alike >= ALL_ALIKE:
        return Told(False, f"{state.name} gives the very same answer to every article")
    spent_today = state.tokens if state.day == _day(now) else 0
    limit = settings.daily_tokens
    of = f" of {limit:,}" if limit else ""
    words = (
        f"{state.name}: {asked.used:,} articles rated in a day, {spent_today:,}{of} tokens today"
    )
    if limit and spent_today + settings.context_tokens > limit:
        words += "; the built-in judge goes on until midnight UTC"
    return Told(True, f"{words}; {state.problem}" if state.problem else words)


# Used answers that are letter by letter alike in a row (store/calls.py compares as many).
ALL_ALIKE = 30


def _again(state: ServiceState, now: datetime) -> str:
    stands_in = "the built-in judge stands in"
    if state.open_until is None or state.open_until <= now:
        return stands_in
    minutes = -(-(state.open_until - now) // timedelta(minutes=1))
    return f"{stands_in}; asked again in {minutes} min"


def _day(now: datetime) -> int:
    return now.toordinal() - date(1970, 1, 1).toordinal()
