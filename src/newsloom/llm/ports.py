"""A language model, as those who ask it see it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from newsloom.llm.values import Completion


class ChatModel(Protocol):
    """A language model behind a server. Never raises for what a network or a server does."""

    @property
    def service(self) -> str:
        """The server and the model, in words without any key."""

    @property
    def model(self) -> str: ...

    @property
    def forms(self) -> int:
        """How many ways there are to say which form the answer must have, the strictest first."""

    async def complete(
        self,
        system: str,
        user: str,
        schema: Mapping[str, Any],
        *,
        form: int,
        max_tokens: int,
        timeout_seconds: float,
        temperature: float = 0.0,
    ) -> Completion:
        """One call."""
