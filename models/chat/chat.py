"""A model behind a server that several threads ask, each one question at a time; together they ask no more at once than
the server takes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from stepscope.core.progress import CancelToken
from stepscope.models.chat import client, keys
from stepscope.models.chat.answering_model import AnsweringModel
from stepscope.models.chat.answers import ChatAnswer
from stepscope.models.chat.servers import ChatServer

STOPPED = "The run was cancelled before the server answered."
_POLL_SECONDS = 0.1


class Chat(Protocol):
    """A model that takes questions, from any thread."""

    def set_token(self, token: CancelToken) -> None:
        """A run begins, which this token may end."""
        ...

    def ask(self, messages: list[dict[str, Any]], most_tokens: int) -> ChatAnswer | client.ServerError:
        """What is said to these messages of a chat completion, in at most so many tokens; what keeps it from being
        answered is given back, not raised."""
        ...


@runtime_checkable
class BatchChat(Chat, Protocol):
    """A model that answers several questions together, quicker than one after the other."""

    def ask_all(
        self,
        several: Sequence[list[dict[str, Any]]],
        most_tokens: int,
        *,
        heard: Callable[[str], None] | None = None,
    ) -> list[ChatAnswer | client.ServerError]:
        """`heard` gets the words of the answer to a single question as they come. Raises OutOfMemory when they are too
        many."""
        ...


class ServedChat:
    """See `Chat`. The key is looked up for each question and kept no longer. After an error that lasts (a refused key)
    nothing more is asked in that run."""

    def __init__(
        self,
        server: ChatServer,
        model: str,
        *,
        key: Callable[[], str | None] | None = None,
        patience: client.RetryPolicy | None = None,
        temperature: float = 0.0,
    ) -> None:
        """`key` None: the one that is kept for this server."""
        self._server, self._model = server, model
        self._key = key or (lambda: keys.get(server.name))
        self._patience, self._temperature = patience, temperature
        self._room = threading.BoundedSemaphore(server.parallel)
        self._token = CancelToken()
        self._over: client.ServerError | None = None
        self._answering = AnsweringModel()

    def set_token(self, token: CancelToken) -> None:
        self._token, self._over = token, None
        self._answering.begin()

    def ask(self, messages: list[dict[str, Any]], most_tokens: int) -> ChatAnswer | client.ServerError:
        token = self._token
        while not self._room.acquire(timeout=_POLL_SECONDS):
            if token.cancelled:
                return client.ServerError(STOPPED)
        try:
            return self._asked(self._body(messages, most_tokens), token)
        finally:
            self._room.release()

    def _asked(self, body: Mapping[str, Any], token: CancelToken) -> ChatAnswer | client.ServerError:
        if self._over is not None:
            return self._over
        if token.cancelled:
            return client.ServerError(STOPPED)
        try:
            (found,) = client.ask(self._server, [body], key=self._key(), token=token, patience=self._patience)
        except client.Cancelled:
            return client.ServerError(STOPPED)
        if isinstance(found, client.ServerError) and found.lasting:
            self._over = found
        return found if isinstance(found, client.ServerError) else self._answering.noted(found)

    def _body(self, messages: list[dict[str, Any]], most_tokens: int) -> dict[str, Any]:
        return {
            "model": self._model,
            "messages": messages,
            "temperature": self._temperature,
            "max_tokens": most_tokens,
        }
