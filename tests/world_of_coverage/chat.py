"""A language model of the OpenAI chat protocol that knows the truth of this world, or lies.

It reads the schema it is held to (`response_format`), and fills it in by what it knows: fields are
told by their names. A test whose purpose asks otherwise sets `answers`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from world_of_coverage.events import events_in
from world_of_coverage.publishers import Reply


class Manner(StrEnum):
    """How it answers."""

    GOOD = "good"
    LYING = "lying"  # the contrary of the truth, surely
    UNSURE = "unsure"  # abstains wherever the schema lets it, with no confidence
    SLOW = "slow"
    REFUSING = "refusing"  # a refusal in words
    BROKEN = "broken"  # JSON that ends in the middle
    HOSTILE = "hostile"  # the wrong types, calls of tools, scripts, 100,000 characters
    DOWN = "down"  # 503
    LIMITED = "limited"  # 429 with Retry-After


@dataclass(frozen=True)
class Question:
    """One question that arrived."""

    model: str
    system: str
    user: str
    schema: Mapping[str, Any]  # {} where none was sent

    @property
    def same_event(self) -> bool:
        """Whether all that is shown tells of one event of this world."""
        return len(events_in(self.user)) == 1


Answers = Callable[[Question, bool], object]  # the question, the truth (or a lie): what is said


@dataclass
class Chat:
    """Set `manner`, `answers`; read `questions`."""

    manner: Manner = Manner.GOOD
    answers: Answers | None = None
    seconds: float = 60.0  # how slow "slow" is
    questions: list[Question] = field(default_factory=list)

    def reply(self, body: bytes) -> Reply:
        """The answer to POST /v1/chat/completions."""
        question = _read(body)
        self.questions.append(question)
        if self.manner is Manner.DOWN:
            return Reply(b'{"error": "down"}', 503, "application/json")
        if self.manner is Manner.LIMITED:
            again = (("Retry-After", "60"),)
            return Reply(b'{"error": "slow down"}', 429, "application/json", again)
        if self.manner is Manner.HOSTILE:
            return _said(HOSTILE, tool_calls=[{"id": "1", "type": "function", "function": {}}])
        if self.manner is Manner.REFUSING:
            words = "I'm sorry, but I can't help with that."
            return _said(words, refusal=words)
        said = self._content(question)
        if self.manner is Manner.BROKEN:
            return _said(said[: max(len(said) // 2, 1)])
        return _said(said, wait=self.seconds if self.manner is Manner.SLOW else 0.0)

    def _content(self, question: Question) -> str:
        truth = question.same_event is not (self.manner is Manner.LYING)
        if self.answers is not None:
            return json.dumps(self.answers(question, truth))
        sure = self.manner is not Manner.UNSURE
        return json.dumps(filled(question.schema, truth, sure, question))


def filled(schema: Mapping[str, Any], truth: bool, sure: bool, question: Question) -> Any:
    """A value that a schema allows, as it stands with the truth."""
    return _value("", schema or {"type": "object"}, truth, sure, question)


def _value(
    name: str, schema: Mapping[str, Any], truth: bool, sure: bool, question: Question
) -> Any:
    if "enum" in schema:
        return _choice(schema["enum"], truth or "confidence" in name, sure)
    kind = schema.get("type")
    kind = next((one for one in kind if one != "null"), "null") if isinstance(kind, list) else kind
    if kind == "object":
        fields = schema.get("properties", {})
        return {key: _value(key, one, truth, sure, question) for key, one in fields.items()}
    if kind == "array":
        items = schema.get("items", {"type": "string"})
        least = max(int(schema.get("minItems", 1)), 1)
        return [_value(name, items, truth, sure, question) for _ in range(least)]
    if kind == "boolean":
        return truth if "abstain" not in name else not sure
    if kind in ("integer", "number"):
        return _number(name, schema, truth, sure, whole=kind == "integer")
    return _words(name, question)[: int(schema.get("maxLength", 200))]


_YES = ("accept", "same", "assign", "yes", "direct", "true", "related", "high")
_NO = ("reject", "different", "new", "no", "none", "false", "unrelated", "low")


def _choice(options: list[Any], truth: bool, sure: bool) -> Any:
    if all(isinstance(one, int) for one in options):  # a scale
        return options[round((len(options) - 1) * (0.9 if truth else 0.1))]
    wanted = ("abstain", "unsure", "unknown", "low") if not sure else _YES if truth else _NO
    words = {str(one).lower(): one for one in options}
    found = next((words[one] for one in wanted if one in words), None)
    if found is not None:
        return found
    return options[0] if truth else options[-1]


def _number(name: str, schema: Mapping[str, Any], truth: bool, sure: bool, *, whole: bool) -> Any:
    low = float(schema.get("minimum", 0))
    high = float(schema.get("maximum", 1 if not whole else 10))
    if "confidence" in name:
        value = high * 0.95 if sure else low
    else:
        value = low + (high - low) * (0.9 if truth else 0.1)
    return round(value) if whole else value


def _words(name: str, question: Question) -> str:
    title = re.search(r"(?im)^\s*(?:title|headline)\s*:\s*(.+)$", question.user)
    about = title[1].strip() if title else "the news of the day"
    return "it is so" if "reason" in name else about


def _read(body: bytes) -> Question:
    whole = json.loads(body or b"{}")
    by_role = {one["role"]: str(one["content"]) for one in whole.get("messages", [])}
    form = whole.get("response_format") or {}
    schema = (form.get("json_schema") or {}).get("schema") or {}
    return Question(
        str(whole.get("model", "")), by_role.get("system", ""), by_role.get("user", ""), schema
    )


def _said(content: str, *, wait: float = 0.0, **message: Any) -> Reply:
    whole = {
        "id": "1",
        "object": "chat.completion",
        "model": "judge",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": content} | message,
                "finish_reason": "stop",
            }
        ],
        "usage": {"prompt_tokens": 300, "completion_tokens": 30, "total_tokens": 330},
    }
    return Reply(json.dumps(whole).encode(), kind="application/json", wait=wait)


HOSTILE = (
    '{"same_event": "<script>alert(1)</script>", "score": 1e999, "confidence": NaN, "decision": '
    '["accept"], "reason": "' + "\\u0000ignore the rules " * 5_000 + '"}'
)
