"""Asks a language model what the purposes want to know, within what it may cost, and keeps the
answers.

Runs beside the passes, never within one: a server that hangs, lies or is gone delays no poll.
Tokens are reserved before a call; its answer, audit row, cost and what it says of the server are
one transaction after it. A kill between the two leaves the tokens counted, and the question open.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import Enum
from typing import TYPE_CHECKING, Any, Generic

from newsloom.app.purposes import PURPOSES
from newsloom.kernel.errors import NewsloomError, StoreError
from newsloom.kernel.settings import LanguageModelSettings
from newsloom.llm import breaker
from newsloom.llm.budget import Budget, day_of
from newsloom.llm.purpose import Answer, Prompt, Purpose, Question, Source, Subject, Unusable
from newsloom.llm.replies import longest, too_long
from newsloom.llm.service.picking import Picked, Picker, Task
from newsloom.llm.untrusted import BYTES_PER_TOKEN
from newsloom.llm.values import OK, REUSED, UNANSWERED, UNUSABLE, AskReport, Completion, ModelCall

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from newsloom.llm.chat import ChatServer
    from newsloom.store import Store

log = logging.getLogger(__name__)

# A round is short enough that what it brought is ranked within a minute or so (seed 000's Ministral
# took 1.4 s an article).
ROUND = 50

# Facts on reliability, section 4: two retries.
RETRIES = 2

# What the answer to a call that was taken has for its status.
_ANSWERED = 200

# At 0 most servers give the answer again that was unusable.
AGAIN_TEMPERATURE = 0.5

# Where a question is too long for a server it is asked again cut for half as many tokens, and so on
# down to this, which no setting goes below.
LEAST_CONTEXT = 512

# A server that says it used fewer tokens than a sixteenth of the bytes, or more than their number
# and the most that an answer may have, is not believed.
_LEAST_SHARE = 16


class Stop(Enum):
    """What else cannot be asked now either."""

    NOTHING = "nothing"
    PURPOSE = "questions of this purpose"
    ALL = "questions"


@dataclass(frozen=True, slots=True)
class Outcome(Generic[Answer]):
    """What one question came to."""

    answer: Answer | None
    words: str = ""  # why there is none
    stops: Stop = Stop.NOTHING
    called: bool = True  # the server was
    stored: bool = False
    said: str = ""  # the answer as the model wrote it


@dataclass(frozen=True, slots=True)
class _Job(Generic[Question, Answer]):
    """One question under way."""

    purpose: Purpose[Question, Answer]
    question: Question
    prompt: Prompt
    draft: ModelCall
    stored: bool  # whether its answer is
    lent: frozenset[str]
    form: int  # index in ChatServer.forms: how the request asks for JSON
    context: int  # tokens that the prompt was cut for
    again: bool  # an answer to it was unusable

    @property
    def most(self) -> int:
        """Tokens that a call may take, by a cautious count."""
        return self.prompt.bytes // BYTES_PER_TOKEN + self.answer_tokens

    @property
    def answer_tokens(self) -> int:
        return self.prompt.answer_tokens or self.purpose.answer_tokens


@dataclass(slots=True)
class _Round:
    """What came of a round so far."""

    picked: Picked
    tasks: deque[Task[Any]]
    asked: int = 0
    stored: Counter[str] = field(default_factory=Counter)
    blocked: dict[str, str] = field(default_factory=dict)  # purpose to why nothing more is asked
    rests: str = ""  # why nothing at all is
    problem: str = ""  # of the last question without an answer

    def add(self, name: str, outcome: Outcome[Any]) -> None:
        self.asked += outcome.called and outcome.stops is Stop.NOTHING
        self.stored[name] += outcome.stored
        if outcome.stops is Stop.ALL:
            self.rests = self.rests or outcome.words
        elif outcome.stops is Stop.PURPOSE:
            self.blocked.setdefault(name, outcome.words)
        elif outcome.words:
            self.problem = outcome.words

    def report(self, seconds: float) -> AskReport:
        more = self.picked.more - self.blocked.keys()
        return AskReport(
            asked=self.asked,
            stored_by_purpose=+self.stored,
            seconds=seconds,
            more=bool(more) and not self.rests and self.stored.total() > 0,
            problem=self.rests or next(iter(self.blocked.values()), "") or self.problem,
        )


@dataclass(slots=True)
class LlmRunner:
    """Asks through the ports given. One per event loop."""

    store: Store
    server: ChatServer
    settings: LanguageModelSettings
    now: Callable[[], datetime]
    nonce: Callable[[], str]  # signs that nobody can guess
    jitter: Callable[[], float]  # 0..1
    backoff: timedelta = timedelta(seconds=1)
    purposes: tuple[Purpose[Any, Any], ...] = PURPOSES
    # Of each purpose: the strictest way to name its schema that the server is known to take.
    _forms: dict[str, int] = field(default_factory=dict)
    _permits: asyncio.Semaphore = field(init=False)

    def __post_init__(self) -> None:
        self._permits = asyncio.Semaphore(self.settings.concurrency)

    async def round(
        self,
        *,
        stop: Callable[[], bool] = lambda: False,
        limit: int = ROUND,
        only: tuple[Purpose[Any, Any], ...] = (),
    ) -> AskReport:
        """Ask what waits for an answer, until one thing stands in the way.

        `stop` is looked at between two questions. `only` names purposes of which alone it asks.
        """
        began = asyncio.get_running_loop().time()
        picker = Picker(self.store, self.server.model, self.settings.context_tokens)
        purposes = only or self.purposes
        picked = await asyncio.to_thread(picker.pick, purposes, self.now(), limit)
        this = _Round(picked, deque(picked.tasks))

        def going_on() -> bool:
            return bool(this.tasks) and not stop() and not this.rests

        async def work() -> None:
            while going_on():
                await self._do(this, this.tasks.popleft())

        # Of a server that failed lately one answer is awaited before more is asked of it.
        state = await asyncio.to_thread(self.store.models.service, self.server.service)
        while state.failures and not this.asked and going_on():
            await self._do(this, this.tasks.popleft())
        await asyncio.gather(*(work() for _ in range(self.settings.concurrency)))
        return this.report(asyncio.get_running_loop().time() - began)

    async def ask(
        self, purpose: Purpose[Question, Answer], question: Question, *, keep: bool = True
    ) -> Outcome[Answer]:
        """One question, with its retries, within one deadline; the answer need not be kept."""
        return await self._ask(purpose, question, keep=keep)

    async def _do(self, this: _Round, task: Task[Any]) -> None:
        """The questions of a task: the first that is answered answers the others."""
        name, said = task.purpose.name, task.answer
        for question in task.questions:
            if name in this.blocked:
                return
            try:
                outcome = await self._answered(task, question, said, this.picked.lent)
            except StoreError as error:  # busy or full: whatever was said is asked again
                outcome = Outcome(None, str(error), Stop.ALL)
            this.add(name, outcome)
            if outcome.answer is None:
                return
            said = outcome.said

    async def _answered(
        self, task: Task[Any], question: Any, said: str, lent: frozenset[str]
    ) -> Outcome[Any]:
        purpose = task.purpose
        if said and not isinstance(answer := _read(purpose, question, said), Unusable):
            return await asyncio.to_thread(self._reuse, purpose, question, said, answer)
        return await self._ask(purpose, question, lent=lent, again=task.unusable > 0)

    async def _ask(
        self,
        purpose: Purpose[Question, Answer],
        question: Question,
        *,
        keep: bool = True,
        lent: frozenset[str] = frozenset(),
        again: bool = False,
    ) -> Outcome[Answer]:
        context = self.settings.context_tokens
        prompt = purpose.prompt(question, self.nonce(), context)
        draft = self._draft(purpose, question)
        if not keep:
            draft = replace(draft, subject_kind="sample", subject_id="")
        async with self._permits:
            form = self._forms.get(purpose.name, 0)
            return await self._try(
                _Job(purpose, question, prompt, draft, keep, lent, form, context, again)
            )

    async def _try(self, job: _Job[Question, Answer]) -> Outcome[Answer]:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self.settings.timeout_seconds
        tries = 0
        while True:
            outcome, completion = await self._call(job, deadline - loop.time())
            if completion is None:
                return outcome
            if completion.status == _ANSWERED:
                self._forms[job.purpose.name] = job.form
            if outcome.answer is not None:
                return outcome
            if (another := self._another_way(job, completion)) is not None:
                job = another
                continue
            tries += 1
            pause = self._pause(completion, tries)
            if not completion.again or tries > RETRIES or loop.time() + pause >= deadline:
                return outcome
            await asyncio.sleep(pause)

    def _another_way(
        self, job: _Job[Question, Answer], completion: Completion
    ) -> _Job[Question, Answer] | None:
        """The question as the server may take it that did not take it so: with another way to name
        its schema, or shorter. None where there is none left."""
        if completion.rejected and job.form + 1 < self.server.forms:
            return replace(job, form=job.form + 1)
        if completion.too_long and job.context > LEAST_CONTEXT:
            context = max(job.context // 2, LEAST_CONTEXT)
            prompt = job.purpose.prompt(job.question, self.nonce(), context)
            if prompt.bytes < job.prompt.bytes:
                return replace(job, prompt=prompt, context=context)
        return None

    def _pause(self, completion: Completion, tries: int) -> float:
        """Seconds before the same question again: longer each time, as long as asked for."""
        grown: timedelta = self.backoff * (1 << (tries - 1))
        return max(grown, completion.wait or grown).total_seconds() * (1 + self.jitter())

    async def _call(
        self, job: _Job[Question, Answer], left: float
    ) -> tuple[Outcome[Answer], Completion | None]:
        """One call of the server: reserved, made, kept."""
        day = day_of(self.now())
        if refused := await asyncio.to_thread(self._refusal, job, day):
            return refused, None
        completion = await self.server.complete(
            job.prompt.system,
            job.prompt.user,
            job.prompt.schema or job.purpose.schema,
            form=job.form,
            max_tokens=job.answer_tokens,
            timeout_seconds=max(left, 0.01),
            temperature=AGAIN_TEMPERATURE if job.again else 0.0,
        )
        return await asyncio.to_thread(self._settle, job, day, completion)

    def _refusal(self, job: _Job[Any, Any], day: int) -> Outcome[Any] | None:
        """Why it may not be asked now; None when the tokens for it are reserved."""
        state = self.store.models.service(self.server.service)
        if breaker.rests(state, self.now()):
            return Outcome(None, f"paused: {state.problem}", Stop.ALL)
        limit, name = self.settings.daily_tokens, job.purpose.name
        budget = Budget(limit, {one.name: one.share for one in self.purposes})
        reserved = self.store.models.reserve_tokens(
            self.server.service,
            name,
            day,
            job.most,
            lambda spent: budget.allows(spent, name, job.most, job.lent),
        )
        if reserved:
            return None
        return Outcome(None, f"the limit of {limit:,} tokens per day is used up", Stop.PURPOSE)

    def _settle(
        self, job: _Job[Question, Answer], day: int, completion: Completion
    ) -> tuple[Outcome[Answer], Completion]:
        """Keep what a call came to: all of it in one transaction."""
        found = _judged(job.purpose, job.question, completion)
        answer, harmless = None, False
        if not isinstance(found, Unusable):
            answer = found
        elif completion.verdict == OK:
            completion = replace(completion, verdict=f"{UNUSABLE}{found.words}")
        elif self._another_way(job, completion) is not None:  # neither its fault nor the question's
            words = completion.verdict.partition(": ")[2]
            completion = replace(completion, verdict=f"{UNANSWERED}{words}")
            harmless = True
        tokens = spent(completion, job.prompt.bytes, job.most, job.answer_tokens)
        call = replace(
            job.draft,
            at=self.now(),
            tokens_in=tokens[0],
            tokens_out=tokens[1],
            seconds=completion.seconds,
            verdict=completion.verdict,
            # Store a used answer whole, so that it can be used again.
            answer=completion.content[: longest(job.purpose.answer_tokens)] or completion.raw,
        )

        def settle(completion: Completion, keep: Callable[[Connection], bool] | None) -> bool:
            return self.store.models.settle_call(
                replace(call, verdict=completion.verdict),
                day=day,
                returned=job.most - sum(tokens),
                after=lambda state: (
                    state
                    if harmless
                    else breaker.after(state, completion, self.server.model, self.now())
                ),
                keep=keep,
            )

        if answer is None or not job.stored:
            settle(completion, None)
            words = "" if answer is not None else completion.verdict
            return Outcome(answer, words, said=completion.content), completion
        try:
            kept = settle(completion, self._keeping(job.purpose, job.question, answer, call))
        except NewsloomError:
            raise
        except Exception as error:  # noqa: BLE001 - our own fault; else it is asked for ever
            completion = replace(completion, verdict=_unkept(job.purpose, error))
            settle(completion, None)
            return Outcome(None, completion.verdict), completion
        return Outcome(answer, stored=kept, said=completion.content), completion

    def _reuse(
        self, purpose: Purpose[Any, Any], question: Any, said: str, answer: Any
    ) -> Outcome[Any]:
        """Keep an answer that was given to the same question. Calls nobody and costs nothing."""
        call = replace(self._draft(purpose, question), verdict=REUSED, answer=said)
        try:
            kept = self.store.models.reuse_answer(
                call, self._keeping(purpose, question, answer, call)
            )
        except NewsloomError:
            raise
        except Exception as error:  # noqa: BLE001 - our own fault; the other questions go on
            return Outcome(None, _unkept(purpose, error), called=False)
        return Outcome(answer, called=False, stored=kept, said=said)

    def _keeping(
        self,
        purpose: Purpose[Question, Answer],
        question: Question,
        answer: Answer,
        call: ModelCall,
    ) -> Callable[[Connection], bool]:
        source = Source(call.maker, call.at)
        return lambda connection: purpose.save(connection, question, answer, source)

    def _draft(self, purpose: Purpose[Question, Any], question: Question) -> ModelCall:
        subject: Subject = purpose.subject(question)
        return ModelCall(
            service=self.server.service,
            at=self.now(),
            purpose=purpose.name,
            prompt_version=purpose.version,
            maker=purpose.producer(self.server.model),
            verdict="",
            subject_kind=subject.kind,
            subject_id=subject.id,
            question_hash=purpose.question_hash(question, self.settings.context_tokens),
        )


def _read(purpose: Purpose[Question, Answer], question: Question, said: str) -> Answer | Unusable:
    """The answer in a model's words, whatever they are."""
    if long := too_long(said, purpose.answer_tokens):
        return long
    try:
        return purpose.parse(said, question)
    except Exception as error:  # our own fault; a server must not end a round by what it says
        log.exception("reading an answer about %s failed", purpose.name)
        return Unusable(f"parsing the answer failed ({type(error).__name__})")


def _judged(
    purpose: Purpose[Question, Answer], question: Question, completion: Completion
) -> Answer | Unusable:
    """The answer in a completion, or why there is none."""
    if completion.verdict != OK:
        return Unusable(completion.verdict)
    return _read(purpose, question, completion.content)


def _unkept(purpose: Purpose[Any, Any], error: Exception) -> str:
    log.error("keeping an answer about %s failed", purpose.name, exc_info=error)
    return f"{UNUSABLE}storing the answer failed ({type(error).__name__})"


def spent(completion: Completion, sent: int, most: int, answer_tokens: int) -> tuple[int, int]:
    """Tokens in and out: what the server says if that can be, else all that was reserved."""
    if completion.free:
        return 0, 0
    said = completion.tokens
    if said and sent // _LEAST_SHARE <= sum(said) <= sent + answer_tokens:
        return said
    return most - answer_tokens, answer_tokens
